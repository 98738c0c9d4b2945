//! Idempotent creates: a repeated request with the same `Idempotency-Key` header gets the stored response
//! (draft-ietf-httpapi-idempotency-key-header).

mod store;

use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::platform::db::Transaction;
use crate::platform::error::AppError;
use crate::platform::extract::{MAX_BODY, parse_json, read_json};
use crate::platform::state::AppState;

pub use store::purge;

const KEY_REUSED: &str = "This Idempotency-Key was used for another request";
const KEY_INVALID: &str = "The Idempotency-Key must be 1 to 255 visible ASCII characters";
const MAX_KEY_LENGTH: usize = 255;

/// The key of a request and the fingerprint of its body.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    key: String,
    fingerprint: [u8; 32],
}

/// A JSON body, and the request's idempotency key if it has one.
#[derive(Debug)]
pub struct IdempotentJson<T>(pub T, pub Option<IdempotencyKey>);

impl<S, T> FromRequest<S> for IdempotentJson<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = AppError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AppError> {
        let key = key_of(request.headers())?;
        let bytes = read_json::<MAX_BODY>(request).await?;
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

/// The 201 response to a create.
#[derive(Debug)]
pub struct Created<T> {
    /// What was created; `None` if the response is that of an earlier request.
    pub new: Option<T>,
    body: String,
}

impl<T> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let headers = [
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        ];
        (StatusCode::CREATED, headers, self.body).into_response()
    }
}

/// Runs `create` and stores its response in the same transaction, or returns the stored response of the same request,
/// which this user sent to this endpoint.
///
/// # Errors
/// 422 if the key was used for a request with another body; the errors of `create`, which are not stored.
pub async fn create<T: Serialize + Send + 'static>(
    app: &AppState,
    key: Option<IdempotencyKey>,
    (user_id, endpoint): (i64, &'static str),
    create: impl FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send + 'static,
) -> Result<Created<T>, AppError> {
    let now = app.clock.now();
    app.db.write(move |transaction| create_once(transaction, key.as_ref(), (user_id, endpoint), now, create)).await
}

fn create_once<T: Serialize>(
    transaction: &Transaction<'_>,
    key: Option<&IdempotencyKey>,
    (user_id, endpoint): (i64, &str),
    now: DateTime<Utc>,
    create: impl FnOnce(&Transaction<'_>) -> Result<T, AppError>,
) -> Result<Created<T>, AppError> {
    if let Some(key) = key
        && let Some(stored) = store::find(transaction, user_id, endpoint, &key.key, now)?
    {
        return if stored.fingerprint == key.fingerprint {
            Ok(Created { new: None, body: stored.body })
        } else {
            Err(AppError::Unprocessable(KEY_REUSED))
        };
    }
    let new = create(transaction)?;
    let body = serde_json::to_string(&new).map_err(AppError::internal)?;
    if let Some(key) = key {
        store::purge(transaction, now)?;
        store::insert(transaction, (user_id, endpoint), key, &body, now)?;
    }
    Ok(Created { new: Some(new), body })
}
