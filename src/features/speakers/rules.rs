//! Validation of speakers (spec §5), and the refusal to delete one.

use super::types::{EventLink, SaveSpeaker, SpeakerConflict};
use crate::features::events::path_of;
use crate::platform::error::AppError;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::validate::{FieldErrors, trimmed};

/// A validated speaker.
#[derive(Clone, Debug, PartialEq)]
pub struct NewSpeaker {
    /// Not blank.
    pub name: String,
    /// Not blank.
    pub title: String,
    /// A few sentences.
    pub bio: Option<String>,
    /// URL of an image.
    pub image_url: Option<String>,
    /// A speaker type.
    pub kind: String,
}

/// Validates a request.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub(super) fn check(input: SaveSpeaker) -> Result<NewSpeaker, AppError> {
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
    Ok(NewSpeaker { name, title, bio, image_url, kind })
}

/// The refusal to delete a speaker who is the only one of these events (id and title); `None` if there are none.
pub(super) fn conflict(events: Vec<(i64, String)>) -> Option<SpeakerConflict> {
    const MAX_NAMED: usize = 5;
    if events.is_empty() {
        return None;
    }
    let more = events.len().saturating_sub(MAX_NAMED);
    let named = events.iter().take(MAX_NAMED).map(|(_, title)| format!("“{title}”")).collect::<Vec<_>>().join(", ");
    let others = if more == 0 { String::new() } else { format!(" and {more} more") };
    let error = format!("This speaker is the only one of {named}{others}. Give those events another speaker first.");
    let event = |(id, title): (i64, String)| EventLink { id, path: path_of(id, &title), title };
    Some(SpeakerConflict { error, events: events.into_iter().take(MAX_NAMED).map(event).collect(), more })
}
