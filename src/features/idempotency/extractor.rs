//! The JSON body of a create and its `Idempotency-Key`.

use axum::extract::{FromRequest, Request};
use http::HeaderMap;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::platform::error::AppError;
use crate::platform::extract::{MAX_BODY, parse_json, read_json};

const KEY_INVALID: &str = "The Idempotency-Key must be 1 to 255 visible ASCII characters";
const MAX_KEY_LENGTH: usize = 255;

/// The key of a request and the fingerprint of its body.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    pub(super) key: String,
    pub(super) fingerprint: [u8; 32],
}

/// A JSON body of at most `MAX` bytes, and the request's idempotency key if it has one.
#[derive(Debug)]
pub struct IdempotentJson<T, const MAX: usize = MAX_BODY>(pub T, pub Option<IdempotencyKey>);

impl<S, T, const MAX: usize> FromRequest<S> for IdempotentJson<T, MAX>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = AppError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AppError> {
        let key = key_of(request.headers())?;
        let bytes = read_json::<MAX>(request).await?;
        let key = key.map(|key| IdempotencyKey { key, fingerprint: fingerprint(&bytes) });
        Ok(Self(parse_json(&bytes)?, key))
    }
}

/// The key in the header: a quoted string (RFC 8941), which is also accepted without quotes.
fn key_of(headers: &HeaderMap) -> Result<Option<String>, AppError> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    let key = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if (1..=MAX_KEY_LENGTH).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(Some(key.to_owned()))
    } else {
        Err(AppError::Malformed(KEY_INVALID.to_owned()))
    }
}

/// SHA-256 of the JSON value without its password, of which no fast hash must be stored.
fn fingerprint(body: &[u8]) -> [u8; 32] {
    let mut value: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.remove("password");
    }
    Sha256::digest(value.to_string()).into()
}
