//! What the sign-in form must hold (spec §5), and how a session's secret looks.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::types::LogIn;
use crate::platform::error::AppError;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::validate::{FieldErrors, is_email, trimmed};

/// Checks the form; returns address and password.
///
/// # Errors
/// 400 with the form's words.
pub(super) fn check(input: LogIn) -> Result<(String, String), AppError> {
    let mut errors = FieldErrors::default();
    let email = trimmed(input.email);
    match email.as_deref() {
        None => errors.add("email", messages::EMAIL_REQUIRED),
        Some(text) if text.chars().count() > limits::EMAIL || !is_email(text) => {
            errors.add("email", messages::EMAIL_INVALID);
        }
        Some(_) => {}
    }
    // A password is taken as it is: blanks at its ends belong to it.
    let password = input.password.unwrap_or_default();
    if password.is_empty() {
        errors.add("password", messages::PASSWORD_REQUIRED);
    } else if password.chars().count() > limits::PASSWORD_MAX {
        errors.add("password", messages::PASSWORD_TOO_LONG);
    }
    errors.into_result()?;
    Ok((email.unwrap_or_default(), password))
}

/// A new session's secret: 32 random bytes, base64url.
pub(super) fn new_token() -> Result<String, AppError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| AppError::Internal(error.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// What is stored of a secret. `None` for a cookie that can't be one of ours.
pub(super) fn token_hash(token: &str) -> Option<[u8; 32]> {
    (token.len() == 43).then(|| Sha256::digest(token.as_bytes()).into())
}
