//! The error type of the endpoints.

use std::any::Any;
use std::fmt;

use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use http::header::{CACHE_CONTROL, HeaderValue, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::messages::{INVALID_CREDENTIALS, NOT_AUTHENTICATED};

/// Every error that an endpoint can respond with (contract, "Calls").
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// 400: fields and their messages, in the order of the form.
    #[error("the input is not valid")]
    Validation(Vec<(String, String)>),
    /// 400: the request is malformed.
    #[error("{0}")]
    Malformed(String),
    /// 401: there is no session.
    #[error("not authenticated")]
    NotAuthenticated,
    /// 401: wrong e-mail address or password; the response never says which.
    #[error("invalid credentials")]
    InvalidCredentials,
    /// 403: a cross-site request, or an action that is not allowed.
    #[error("{0}")]
    Forbidden(String),
    /// 404: the noun names what was not found.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// 410: the noun names what was deleted and can still be restored.
    #[error("{0} was deleted")]
    Gone(&'static str),
    /// 405: the path has no such method.
    #[error("method not allowed")]
    MethodNotAllowed,
    /// 409: the request conflicts with stored data.
    #[error("{message}")]
    Conflict {
        /// The message for the user.
        message: String,
        /// The field that it concerns, if any.
        field: Option<&'static str>,
    },
    /// 413 with a message that says what is allowed.
    #[error("{0}")]
    PayloadTooLarge(&'static str),
    /// 415 with a message that says what is allowed.
    #[error("{0}")]
    UnsupportedMediaType(&'static str),
    /// 422 with the reason.
    #[error("{0}")]
    Unprocessable(&'static str),
    /// 429: a rate limit was exceeded.
    #[error("too many requests")]
    RateLimited {
        /// Seconds to wait.
        retry_after: u64,
    },
    /// 502: a provider failed.
    #[error("{message}")]
    Upstream {
        /// The message for the user.
        message: String,
        /// The failed request to the provider.
        source: BoxError,
    },
    /// 503: not configured, overloaded or temporarily unavailable.
    #[error("{0}")]
    Unavailable(String),
    /// 503: a paid quota is used up.
    #[error("{message}")]
    QuotaExceeded {
        /// The message for the user.
        message: String,
        /// Seconds to wait.
        retry_after: u64,
    },
    /// 503: another process has locked the database for longer than the busy timeout.
    #[error("the database is locked by another process")]
    DatabaseBusy(#[source] rusqlite::Error),
    /// 503: the disk is full.
    #[error("the storage is full")]
    StorageFull,
    /// 503: SQLite can't use the database file.
    #[error("the database file can't be used")]
    StorageUnavailable(#[source] rusqlite::Error),
    /// 500: an internal error, which is logged and never sent.
    #[error("internal error")]
    Internal(#[source] BoxError),
}

/// The message for a request that could not be served in time.
const TRY_AGAIN: &str = "The server is busy. Please try again in a moment.";

/// The cause of an internal error.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// An operation and the error that made it fail.
#[derive(Debug, thiserror::Error)]
#[error("{operation}")]
struct FailedOperation {
    operation: &'static str,
    source: BoxError,
}

impl AppError {
    /// 500 with its cause: an error, or a text.
    pub fn internal(cause: impl Into<BoxError>) -> Self {
        Self::Internal(cause.into())
    }

    /// 500 with a message about what failed, and its cause.
    pub fn failed(operation: &'static str, cause: impl Into<BoxError>) -> Self {
        Self::internal(FailedOperation { operation, source: cause.into() })
    }

    /// 503 for a request that took too long. The work of an unsafe method may continue.
    pub fn timed_out(is_safe: bool) -> Self {
        let message = if is_safe {
            "The request took too long. Please try again."
        } else {
            "The request took too long. The change may have been saved: please check before you repeat it."
        };
        Self::Unavailable(message.to_owned())
    }

    /// 503 for a full queue.
    pub fn overloaded() -> Self {
        Self::Unavailable(TRY_AGAIN.to_owned())
    }

    /// The error of SQLite that caused this one.
    pub fn sqlite_error(&self) -> Option<rusqlite::ffi::Error> {
        match self {
            Self::StorageFull => Some(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL)),
            Self::DatabaseBusy(error) | Self::StorageUnavailable(error) => error.sqlite_error().copied(),
            Self::Internal(cause) => cause.downcast_ref::<rusqlite::Error>()?.sqlite_error().copied(),
            _ => None,
        }
    }

    pub fn status(&self) -> StatusCode {
        match self {
            Self::Validation(_) | Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::NotAuthenticated | Self::InvalidCredentials => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Gone(_) => StatusCode::GONE,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict { .. } => StatusCode::CONFLICT,
            Self::PayloadTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Unprocessable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Upstream { .. } => StatusCode::BAD_GATEWAY,
            Self::Unavailable(_)
            | Self::QuotaExceeded { .. }
            | Self::DatabaseBusy(_)
            | Self::StorageFull
            | Self::StorageUnavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The message for the user.
    pub fn message(&self) -> String {
        match self {
            Self::Validation(fields) => fields.first().map(|(_, text)| text.clone()).unwrap_or_default(),
            Self::NotAuthenticated => NOT_AUTHENTICATED.to_owned(),
            Self::InvalidCredentials => INVALID_CREDENTIALS.to_owned(),
            Self::NotFound(noun) => format!("{noun} not found"),
            Self::Gone(noun) => format!("{noun} was deleted"),
            Self::MethodNotAllowed => "This URL does not support this method".to_owned(),
            Self::PayloadTooLarge(text) | Self::UnsupportedMediaType(text) | Self::Unprocessable(text) => {
                (*text).to_owned()
            }
            Self::RateLimited { retry_after } => {
                format!("Too many attempts. Please try again in {}.", format_wait(*retry_after))
            }
            Self::DatabaseBusy(_) => TRY_AGAIN.to_owned(),
            Self::StorageFull => "The server's storage is full. Nothing was saved; please try again later.".to_owned(),
            Self::StorageUnavailable(_) => {
                "The server's storage can't be used at the moment. Please try again later.".to_owned()
            }
            Self::Internal(_) => "Something went wrong on our side. Please try again.".to_owned(),
            Self::Malformed(text) | Self::Forbidden(text) | Self::Unavailable(text) => text.clone(),
            Self::Conflict { message, .. } | Self::Upstream { message, .. } | Self::QuotaExceeded { message, .. } => {
                message.clone()
            }
        }
    }

    /// Logs the error with its sources. The log formatter adds the method, path and id of the request.
    pub fn log(&self) {
        match self {
            Self::Internal(_) | Self::StorageUnavailable(_) => tracing::error!("{}", ErrorChain(self)),
            Self::StorageFull => tracing::error!("the disk is full: a write was rejected"),
            Self::DatabaseBusy(_) => tracing::warn!(detail = %ErrorChain(self), "the busy timeout has elapsed"),
            Self::Upstream { .. } => tracing::warn!(detail = %ErrorChain(self), "a provider failed"),
            Self::Unavailable(detail) => tracing::warn!(%detail, "a request could not be served"),
            Self::QuotaExceeded { message, .. } => tracing::warn!(detail = %message, "a quota is used up"),
            Self::RateLimited { retry_after } => tracing::info!(retry_after, "a request was rate-limited"),
            _ => tracing::debug!(status = %self.status(), detail = %self, "a request was rejected"),
        }
    }
}

fn format_wait(seconds: u64) -> String {
    match seconds {
        0 | 1 => "a second".to_owned(),
        2..=90 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds.div_ceil(60)),
    }
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The first message for the person who reads it.
    pub error: String,
    /// For validation: each field and its message.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "fields_as_map")]
    #[schema(value_type = Option<std::collections::BTreeMap<String, String>>)]
    pub fields: Option<Vec<(String, String)>>,
}

/// Response extension: the message of a server error, for a page instead of the JSON.
#[derive(Clone, Debug)]
pub struct ErrorMessage(pub String);

#[expect(clippy::ref_option, reason = "serde hands the field as it is")]
fn fields_as_map<S: Serializer>(fields: &Option<Vec<(String, String)>>, out: S) -> Result<S::Ok, S::Error> {
    let fields = fields.as_deref().unwrap_or_default();
    let mut map = out.serialize_map(Some(fields.len()))?;
    for (field, text) in fields {
        map.serialize_entry(field, text)?;
    }
    map.end()
}

/// The message of a panic, if it has one.
pub fn panic_message(payload: &(dyn Any + Send)) -> Option<&str> {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

/// Displays an error followed by its sources.
#[derive(Clone, Copy, Debug)]
pub struct ErrorChain<'a>(pub &'a (dyn std::error::Error + 'static));

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)?;
        let mut previous = self.0.to_string();
        let mut source = self.0.source();
        while let Some(error) = source {
            let text = error.to_string();
            // Many errors already contain the text of their source.
            if !previous.contains(&text) {
                write!(out, ": {text}")?;
            }
            previous = text;
            source = error.source();
        }
        Ok(())
    }
}

// Errors of requests are logged here and nowhere else.
impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let status = self.status();
        self.log();
        let error = self.message();
        let mut headers = HeaderMap::new();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Self::RateLimited { retry_after } | Self::QuotaExceeded { retry_after, .. } = self {
            headers.insert(RETRY_AFTER, HeaderValue::from(retry_after.max(1)));
        }
        let fields = match self {
            Self::Validation(fields) => Some(fields),
            Self::Conflict { field: Some(field), message } => Some(vec![(field.to_owned(), message)]),
            _ => None,
        };
        let page_text = status.is_server_error().then(|| Extension(ErrorMessage(error.clone())));
        (status, headers, page_text, Json(ErrorBody { error, fields })).into_response()
    }
}

impl From<rusqlite::Error> for AppError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, FileLockingProtocolFailed,
            NotADatabase, PermissionDenied, ReadOnly, SystemIoFailure,
        };
        match error.sqlite_error_code() {
            Some(DiskFull) => Self::StorageFull,
            Some(DatabaseBusy | DatabaseLocked) => Self::DatabaseBusy(error),
            Some(
                SystemIoFailure
                | ReadOnly
                | CannotOpen
                | PermissionDenied
                | FileLockingProtocolFailed
                | DatabaseCorrupt
                | NotADatabase,
            ) => Self::StorageUnavailable(error),
            _ => Self::internal(error),
        }
    }
}

/// The text of an I/O error without the number of the operating system.
pub fn io_message(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or_default().to_owned()
}

/// Whether the other side has ended the connection.
pub fn is_connection_closed(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

/// The `table.column` whose UNIQUE constraint a write violated.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_internal_error_displays_its_sources_and_sends_none_of_them() {
        let io = std::io::Error::other("the disk is on fire");
        let sql = rusqlite::Error::ToSqlConversionFailure(Box::new(io));
        let error = AppError::from(sql);
        assert_eq!(ErrorChain(&error).to_string(), "internal error: the disk is on fire");
        let constraint = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CONSTRAINT_CHECK);
        let error = AppError::from(rusqlite::Error::SqliteFailure(constraint, Some("CHECK failed: role".to_owned())));
        assert_eq!(
            ErrorChain(&error).to_string(),
            "internal error: CHECK failed: role: Error code 275: constraint failed"
        );
        assert_eq!(error.message(), "Something went wrong on our side. Please try again.");
    }
}
