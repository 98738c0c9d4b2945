//! What a typed user must be (spec §5).

use super::types::SaveUser;
use crate::platform::error::AppError;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::validate::{FieldErrors, is_email, trimmed};

/// A user who may be stored, before the password is hashed.
pub(super) struct CheckedUser {
    pub(super) email: String,
    /// `None` keeps the present one.
    pub(super) password: Option<String>,
    pub(super) role: String,
}

/// Checks what an admin sent. A new user needs a password.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub(super) fn check(input: SaveUser, is_new: bool) -> Result<CheckedUser, AppError> {
    let mut errors = FieldErrors::default();
    let email = email(&mut errors, input.email);
    let password = input.password.filter(|text| !text.is_empty());
    match password.as_deref() {
        None if is_new => errors.add("password", messages::PASSWORD_REQUIRED_NEW),
        None => {}
        Some(text) => {
            if let Err(message) = check_new_password(text) {
                errors.add("password", message);
            }
        }
    }
    // The form's word for a missing role is there for a blank one; a role that is not sent is the default (spec §3).
    let role = match input.role {
        None => messages::ROLES[0].to_owned(),
        Some(text) => trimmed(Some(text)).unwrap_or_default(),
    };
    if role.is_empty() {
        errors.add("role", messages::ROLE_REQUIRED);
    } else if !messages::ROLES.contains(&role.as_str()) {
        errors.add("role", messages::ROLE_INVALID);
    }
    errors.into_result()?;
    Ok(CheckedUser { email, password, role })
}

fn email(errors: &mut FieldErrors, value: Option<String>) -> String {
    let text = trimmed(value).unwrap_or_default();
    if let Err(message) = check_email(&text) {
        errors.add("email", message);
    }
    text
}

/// Whether an address may be stored.
///
/// # Errors
/// The message for the field.
pub fn check_email(text: &str) -> Result<(), &'static str> {
    if text.chars().count() > limits::EMAIL {
        Err(messages::EMAIL_TOO_LONG)
    } else if is_email(text) {
        Ok(())
    } else {
        Err(messages::EMAIL_INVALID_STORED)
    }
}

/// Whether a password may be stored.
///
/// # Errors
/// The message for the field.
pub fn check_new_password(text: &str) -> Result<(), &'static str> {
    match text.chars().count() {
        length if length < limits::PASSWORD_MIN || text.trim().is_empty() => Err(messages::PASSWORD_TOO_SHORT),
        length if length > limits::PASSWORD_MAX => Err(messages::PASSWORD_TOO_LONG),
        _ => Ok(()),
    }
}
