//! Validation of speakers (spec §5).

use super::types::SaveSpeaker;
use crate::platform::error::AppError;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::validate::{FieldErrors, trimmed};

/// A validated speaker.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatedSpeaker {
    /// Not blank.
    pub name: String,
    /// Not blank.
    pub title: String,
    /// A few sentences.
    pub bio: Option<String>,
    /// An https URL, or the path of an uploaded image.
    pub image_url: Option<String>,
    /// A speaker type.
    pub kind: String,
}

/// Validates a request.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub fn check(input: SaveSpeaker) -> Result<ValidatedSpeaker, AppError> {
    let mut errors = FieldErrors::default();
    let name = errors.required("name", input.name, limits::NAME, messages::NAME_REQUIRED, messages::NAME_TOO_LONG);
    let title = errors.required(
        "title",
        input.title,
        limits::TITLE,
        messages::TITLE_REQUIRED,
        messages::SPEAKER_TITLE_TOO_LONG,
    );
    let bio = errors.optional("bio", input.bio, limits::BIO, messages::BIO_TOO_LONG);
    let image_url = errors.optional_image("imageUrl", input.image_url);
    // A missing type gets the default (spec §3); a blank one is an error.
    let kind = match input.r#type {
        None => messages::SPEAKER_TYPES[1].to_owned(),
        Some(text) => trimmed(Some(text)).unwrap_or_default(),
    };
    if kind.is_empty() {
        errors.add("type", messages::SPEAKER_TYPE_REQUIRED);
    } else if !messages::SPEAKER_TYPES.contains(&kind.as_str()) {
        errors.add("type", messages::SPEAKER_TYPE_INVALID);
    }
    errors.into_result()?;
    Ok(ValidatedSpeaker { name, title, bio, image_url, kind })
}
