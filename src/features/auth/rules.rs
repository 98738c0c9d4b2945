//! Validation of users and of the sign-in form (spec §5), and session tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::types::{ChangePassword, SaveUser, SignIn};
use crate::platform::error::AppError;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::validate::{FieldErrors, is_email, trimmed};

/// A validated user, before the password is hashed.
pub(super) struct ValidatedUser {
    pub(super) email: String,
    /// `None` leaves the current one unchanged.
    pub(super) password: Option<String>,
    pub(super) role: String,
}

/// Checks a user. A new one needs a password.
///
/// # Errors
/// 400 with a message for each invalid field.
pub(super) fn check_user(input: SaveUser, is_new: bool) -> Result<ValidatedUser, AppError> {
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
    // A missing role is the default (spec §3); a blank one is an error.
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
    Ok(ValidatedUser { email, password, role })
}

fn email(errors: &mut FieldErrors, value: Option<String>) -> String {
    let text = trimmed(value).unwrap_or_default();
    if let Err(message) = check_email(&text) {
        errors.add("email", message);
    }
    text
}

/// Checks the e-mail address of a user.
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

/// Checks a password that is to be stored.
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

/// Checks the sign-in form and returns the e-mail address and the password.
///
/// # Errors
/// 400 with a message for each invalid field.
pub(super) fn check_sign_in(input: SignIn) -> Result<(String, String), AppError> {
    let mut errors = FieldErrors::default();
    let email = trimmed(input.email);
    match email.as_deref() {
        None => errors.add("email", messages::EMAIL_REQUIRED),
        Some(text) if text.chars().count() > limits::EMAIL || !is_email(text) => {
            errors.add("email", messages::EMAIL_INVALID);
        }
        Some(_) => {}
    }
    // Passwords are not trimmed.
    let password = input.password.unwrap_or_default();
    if password.is_empty() {
        errors.add("password", messages::PASSWORD_REQUIRED);
    } else if password.chars().count() > limits::PASSWORD_MAX {
        errors.add("password", messages::PASSWORD_TOO_LONG);
    }
    errors.into_result()?;
    Ok((email.unwrap_or_default(), password))
}

/// Checks the form for changing one's own password and returns the current and the new one.
///
/// # Errors
/// 400 with a message for each invalid field.
pub(super) fn check_change_password(input: ChangePassword) -> Result<(String, String), AppError> {
    let mut errors = FieldErrors::default();
    let current = input.current_password.unwrap_or_default();
    if current.is_empty() {
        errors.add("currentPassword", messages::PASSWORD_REQUIRED);
    } else if current.chars().count() > limits::PASSWORD_MAX {
        errors.add("currentPassword", messages::PASSWORD_TOO_LONG);
    }
    let new = input.new_password.unwrap_or_default();
    if let Err(message) = check_new_password(&new) {
        errors.add("newPassword", message);
    }
    errors.into_result()?;
    Ok((current, new))
}

/// A new session token: 32 random bytes, base64url.
pub(super) fn new_token() -> Result<String, AppError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(AppError::internal)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// The SHA-256 of a token, which is stored instead of it; `None` if the length is not that of a token.
pub(super) fn token_hash(token: &str) -> Option<[u8; 32]> {
    (token.len() == 43).then(|| Sha256::digest(token.as_bytes()).into())
}
