//! Runs a create once for each key.

use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use serde::Serialize;

use super::extractor::IdempotencyKey;
use super::store;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;
use crate::platform::state::AppState;

const KEY_REUSED: &str = "This Idempotency-Key was used for another request";

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
