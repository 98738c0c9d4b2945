//! The one error of the calls: what went wrong, as the person who asked should read it.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, HeaderValue, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::messages::{INVALID_CREDENTIALS, NOT_AUTHENTICATED};

/// Everything that a call can answer instead of what was asked for (contract, "Calls").
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// 400: fields and their messages, in the order of the form.
    #[error("the input is not valid")]
    Validation(Vec<(String, String)>),
    /// 400: the request can't be read.
    #[error("{0}")]
    Malformed(String),
    /// 401: no session.
    #[error("not authenticated")]
    NotAuthenticated,
    /// 401: wrong address or password, never said which.
    #[error("invalid credentials")]
    InvalidCredentials,
    /// 403: forged or not allowed.
    #[error("{0}")]
    Forbidden(String),
    /// 404: what was not found, as a noun.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// 405: the address is there, the method is not.
    #[error("method not allowed")]
    MethodNotAllowed,
    /// 409: it would contradict what is stored; the field is named where there is one.
    #[error("{message}")]
    Conflict {
        /// The whole sentence.
        message: String,
        /// The field that it belongs to.
        field: Option<&'static str>,
    },
    /// 413: the body is larger than the call takes.
    #[error("the body is too large")]
    TooLarge,
    /// 413: as before, with the sentence that says what is allowed.
    #[error("{0}")]
    LargerThan(&'static str),
    /// 415: the body is of another kind than the call takes, with the sentence that says what is allowed.
    #[error("{0}")]
    WrongKind(&'static str),
    /// 415: the body is no JSON.
    #[error("the body is not JSON")]
    NotJson,
    /// 429: too often; may be tried again after so many seconds.
    #[error("too many requests")]
    TooMany {
        /// Seconds to wait.
        retry_after: u64,
    },
    /// 502: a provider did not answer as it should.
    #[error("{0}")]
    Upstream(String),
    /// 503: not configured, overloaded, or the storage can't be used now.
    #[error("{0}")]
    Unavailable(String),
    /// 503: the disk is full.
    #[error("the storage is full")]
    StorageFull,
    /// 500: a fault of ours. The text is for the log and never sent.
    #[error("{0}")]
    Internal(String),
}

impl AppError {
    /// 503 for a queue that is full.
    pub fn busy() -> Self {
        Self::Unavailable("The server is busy. Please try again in a moment.".to_owned())
    }

    /// The status that this error is answered with.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Validation(_) | Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::NotAuthenticated | Self::InvalidCredentials => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict { .. } => StatusCode::CONFLICT,
            Self::TooLarge | Self::LargerThan(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NotJson | Self::WrongKind(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Upstream(_) => StatusCode::BAD_GATEWAY,
            Self::Unavailable(_) | Self::StorageFull => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::Validation(fields) => fields.first().map(|(_, text)| text.clone()).unwrap_or_default(),
            Self::NotAuthenticated => NOT_AUTHENTICATED.to_owned(),
            Self::InvalidCredentials => INVALID_CREDENTIALS.to_owned(),
            Self::NotFound(noun) => format!("{noun} not found"),
            Self::MethodNotAllowed => "This address does not take that method".to_owned(),
            Self::LargerThan(text) | Self::WrongKind(text) => (*text).to_owned(),
            Self::TooLarge => "The request is larger than this call takes".to_owned(),
            Self::NotJson => "The body must be JSON, sent with Content-Type: application/json".to_owned(),
            Self::TooMany { retry_after } => {
                format!("Too many attempts. Please try again in {}.", wait_in_words(*retry_after))
            }
            Self::StorageFull => "The server's storage is full. Nothing was saved; please try again later.".to_owned(),
            Self::Internal(_) => "Something went wrong on our side. Please try again.".to_owned(),
            Self::Malformed(text) | Self::Forbidden(text) | Self::Upstream(text) | Self::Unavailable(text) => {
                text.clone()
            }
            Self::Conflict { message, .. } => message.clone(),
        }
    }
}

fn wait_in_words(seconds: u64) -> String {
    match seconds {
        0 | 1 => "a second".to_owned(),
        2..=90 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds.div_ceil(60)),
    }
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The first message, a sentence for the person who reads it.
    pub error: String,
    /// For validation: each field and its message.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "fields_as_map")]
    #[schema(value_type = Option<std::collections::BTreeMap<String, String>>)]
    pub fields: Option<Vec<(String, String)>>,
}

#[expect(clippy::ref_option, reason = "serde hands the field as it is")]
fn fields_as_map<S: Serializer>(fields: &Option<Vec<(String, String)>>, out: S) -> Result<S::Ok, S::Error> {
    let fields = fields.as_deref().unwrap_or_default();
    let mut map = out.serialize_map(Some(fields.len()))?;
    for (field, text) in fields {
        map.serialize_entry(field, text)?;
    }
    map.end()
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let status = self.status();
        match &self {
            Self::Internal(detail) => tracing::error!(%detail, "a request failed"),
            Self::StorageFull => tracing::error!("the disk is full: a write was refused"),
            Self::Unavailable(detail) | Self::Upstream(detail) => tracing::warn!(%detail, "a request was refused"),
            Self::TooMany { retry_after } => tracing::info!(retry_after, "a request was limited"),
            _ => tracing::debug!(%status, detail = %self, "a request was refused"),
        }
        let error = self.sentence();
        let mut headers = HeaderMap::new();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Self::TooMany { retry_after } = self {
            headers.insert(RETRY_AFTER, HeaderValue::from(retry_after.max(1)));
        }
        let fields = match self {
            Self::Validation(fields) => Some(fields),
            Self::Conflict { field: Some(field), message } => Some(vec![(field.to_owned(), message)]),
            _ => None,
        };
        (status, headers, Json(ErrorBody { error, fields })).into_response()
    }
}

impl From<rusqlite::Error> for AppError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, ReadOnly, SystemIoFailure};
        match error.sqlite_error_code() {
            Some(DiskFull) => Self::StorageFull,
            Some(DatabaseBusy | DatabaseLocked) => Self::busy(),
            Some(SystemIoFailure | ReadOnly | CannotOpen) => {
                tracing::error!(%error, "the database file can't be used");
                Self::Unavailable(
                    "The server's storage can't be used at the moment. Please try again later.".to_owned(),
                )
            }
            _ => Self::Internal(error.to_string()),
        }
    }
}

/// Whether a write failed because a value must be unique, and on which `table.column` it was.
pub fn unique_violation(error: &rusqlite::Error) -> Option<&str> {
    match error {
        rusqlite::Error::SqliteFailure(code, Some(message))
            if code.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE =>
        {
            message.strip_prefix("UNIQUE constraint failed: ")
        }
        _ => None,
    }
}
