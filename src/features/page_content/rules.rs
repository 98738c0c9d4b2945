//! Validation of page content (spec §5).

use super::types::SavePageContent;
use crate::platform::error::AppError;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::validate::FieldErrors;

/// Validated content.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatedContent {
    /// Not blank.
    pub hero_title: String,
    /// Not blank.
    pub hero_subtitle: String,
}

/// Validates a request.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub(super) fn check(input: SavePageContent) -> Result<ValidatedContent, AppError> {
    let mut errors = FieldErrors::default();
    let hero_title = errors.required(
        "heroTitle",
        input.hero_title,
        limits::HERO_TITLE,
        messages::HERO_TITLE_REQUIRED,
        messages::HERO_TITLE_TOO_LONG,
    );
    let hero_subtitle = errors.required(
        "heroSubtitle",
        input.hero_subtitle,
        limits::HERO_SUBTITLE,
        messages::HERO_SUBTITLE_REQUIRED,
        messages::HERO_SUBTITLE_TOO_LONG,
    );
    errors.into_result()?;
    Ok(ValidatedContent { hero_title, hero_subtitle })
}
