//! Validation of interest requests, and ids of visitors (spec §3).

use chrono::{DateTime, Utc};

use super::types::SetInterest;
use crate::features::events::{EventStatus, InterestConditions};
use crate::platform::error::AppError;
use crate::platform::hex::hex;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::validate::{FieldErrors, trimmed};

/// The requested change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InterestAction {
    Add,
    Remove,
}

/// Checks a request; returns the action and the visitor.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub(super) fn check(input: SetInterest) -> Result<(InterestAction, String), AppError> {
    let mut errors = FieldErrors::default();
    let action = match input.action.as_deref() {
        Some("remove") => InterestAction::Remove,
        Some("add") => InterestAction::Add,
        _ => {
            errors.add("action", messages::ACTION_INVALID);
            InterestAction::Add
        }
    };
    let visitor = errors.required(
        "userId",
        input.user_id,
        limits::VISITOR_ID,
        messages::VISITOR_REQUIRED,
        messages::VISITOR_TOO_LONG,
    );
    errors.into_result()?;
    Ok((action, visitor))
}

/// An optional visitor id; one that is too long is an error.
pub(super) fn visitor(value: Option<String>) -> Result<Option<String>, AppError> {
    let mut errors = FieldErrors::default();
    let visitor = errors.optional("userId", value, limits::VISITOR_ID, messages::VISITOR_TOO_LONG);
    errors.into_result()?;
    Ok(visitor)
}

/// Why visitors can't plan to attend an event; `None` if they can.
pub(super) fn closed_reason(event: &InterestConditions, now: DateTime<Utc>) -> Option<&'static str> {
    match event.status {
        EventStatus::Cancelled => Some(messages::EVENT_CANCELLED),
        EventStatus::Postponed => Some(messages::EVENT_POSTPONED),
        _ => (event.ends <= now).then_some(messages::EVENT_OVER),
    }
}

/// The id in the cookie; one with other characters than letters, digits, `_`, `-` and `.` counts as missing.
pub(super) fn visitor_of_cookie(value: &str) -> Option<String> {
    let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    trimmed(Some(value.to_owned())).filter(|text| plain && text.len() <= limits::VISITOR_ID)
}

/// A new visitor's id: `user_`, the milliseconds since 1970, and a random string (spec §3).
pub(super) fn new_visitor(now: DateTime<Utc>) -> Result<String, AppError> {
    let mut random = [0_u8; 8];
    getrandom::fill(&mut random).map_err(AppError::internal)?;
    Ok(format!("user_{}_{}", now.timestamp_millis(), hex(&random)))
}
