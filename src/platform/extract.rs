//! Extractors: JSON bodies and forms of limited size, query strings and ids, with errors as the API documents them.

use std::future::{Future, ready};

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use futures_util::future::Either;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::AppError;

/// Largest request body of most endpoints, in bytes.
pub const MAX_BODY: usize = 256 * 1024;
/// Largest request body of sign-in and interest, in bytes.
pub const MAX_SMALL_BODY: usize = 4 * 1024;

const JSON: &str = "application/json";
const NOT_JSON: &str = "The body must be JSON, sent with Content-Type: application/json";
const TOO_LARGE: &str = "The request is too large for this endpoint";

/// A JSON body of at most `MAX` bytes.
#[derive(Debug)]
pub struct Json<T, const MAX: usize = MAX_BODY>(pub T);

impl<S, T, const MAX: usize> FromRequest<S> for Json<T, MAX>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = AppError;

    fn from_request(request: Request, _: &S) -> impl Future<Output = Result<Self, AppError>> + Send {
        read_json::<MAX>(request).map(|bytes| parse_json(&bytes?).map(Self))
    }
}

/// Reads a body of at most `MAX` bytes that declares JSON as its content type. Not an async block, which would contain the
/// request, and the future twice: the allocator is slower for more than 1 KB.
///
/// # Errors
/// 413 or 415.
pub fn read_json<const MAX: usize>(
    request: Request,
) -> impl Future<Output = Result<bytes::Bytes, AppError>> + Send + use<MAX> {
    if has_type(request.headers(), JSON) {
        Either::Left(read_body::<MAX>(request.into_body()))
    } else {
        Either::Right(ready(Err(AppError::UnsupportedMediaType(NOT_JSON))))
    }
}

/// Parses a body.
///
/// # Errors
/// 400 that names the field whose type is wrong.
pub fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, AppError> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| parse_error(&error))?;
    reader.end().map_err(|_| AppError::Malformed("The body must be a single JSON value".to_owned()))?;
    Ok(value)
}

fn parse_error(error: &serde_path_to_error::Error<serde_json::Error>) -> AppError {
    let inner = error.inner();
    let path = error.path().to_string();
    if inner.is_data() && path != "." {
        // serde's message names Rust types and contains the value.
        AppError::Validation(vec![(path.clone(), format!("{path} has the wrong type"))])
    } else {
        AppError::Malformed("The body is not valid JSON or does not match the schema of this endpoint".to_owned())
    }
}

/// An optional small JSON body.
#[derive(Debug)]
pub struct OptionalJson<T>(pub T);

impl<S, T> FromRequest<S> for OptionalJson<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Default,
{
    type Rejection = AppError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AppError> {
        let is_json = has_type(request.headers(), JSON);
        let bytes = read_body::<MAX_SMALL_BODY>(request.into_body()).await?;
        if bytes.trim_ascii().is_empty() {
            return Ok(Self(T::default()));
        }
        if !is_json {
            return Err(AppError::UnsupportedMediaType(NOT_JSON));
        }
        parse_json::<Option<T>>(&bytes).map(|value| Self(value.unwrap_or_default()))
    }
}

/// The fields of a small HTML form.
#[derive(Debug)]
pub struct Form(bytes::Bytes);

impl Form {
    /// The first value of a field.
    pub fn value(&self, name: &str) -> Option<String> {
        url::form_urlencoded::parse(&self.0).find(|(field, _)| field == name).map(|(_, value)| value.into_owned())
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = AppError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AppError> {
        if !has_type(request.headers(), "application/x-www-form-urlencoded") {
            return Err(AppError::UnsupportedMediaType(
                "The body must be a form, sent with Content-Type: application/x-www-form-urlencoded",
            ));
        }
        read_body::<MAX_SMALL_BODY>(request.into_body()).await.map(Self)
    }
}

/// Whether this is the content type, with or without parameters.
fn has_type(headers: &HeaderMap, expected: &str) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case(expected))
}

fn read_body<const MAX: usize>(body: Body) -> impl Future<Output = Result<bytes::Bytes, AppError>> + Send + use<MAX> {
    Limited::new(body, MAX).collect().map(|result| match result {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(AppError::PayloadTooLarge(TOO_LARGE)),
        Err(_) => Err(AppError::Malformed("The request body is incomplete".to_owned())),
    })
}

/// For endpoints without a request body. A small body is read and ignored, which lets the client reuse the
/// connection; a large one is rejected.
#[derive(Debug)]
pub struct NoBody;

impl<S: Send + Sync> FromRequest<S> for NoBody {
    type Rejection = AppError;

    async fn from_request(request: Request, _: &S) -> Result<Self, AppError> {
        read_body::<MAX_SMALL_BODY>(request.into_body()).await.map(|_| Self)
    }
}

/// Parameters from the query string.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<S, T> FromRequestParts<S> for Query<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        axum::extract::Query::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|_| AppError::Malformed("The query string can't be read".to_owned()))
    }
}

/// An integer id from the path.
#[derive(Clone, Copy, Debug)]
pub struct Id(pub i64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(id)| Self(id))
            .map_err(|_| AppError::Malformed("The id in the URL must be a whole number".to_owned()))
    }
}

/// A JSON response that caches must not store, because it depends on the client or the moment.
#[derive(Debug)]
pub struct NoStoreJson<T>(pub StatusCode, pub T);

impl<T> NoStoreJson<T> {
    /// 200.
    pub fn ok(value: T) -> Self {
        Self(StatusCode::OK, value)
    }

    /// 201.
    pub fn created(value: T) -> Self {
        Self(StatusCode::CREATED, value)
    }
}

impl<T: Serialize> IntoResponse for NoStoreJson<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_vec(&self.1) {
            Ok(body) => body,
            Err(error) => return AppError::internal(error).into_response(),
        };
        // With space for the headers of all responses, because a map that grows is allocated twice.
        let mut headers = HeaderMap::with_capacity(12);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.0;
        *response.headers_mut() = headers;
        response
    }
}
