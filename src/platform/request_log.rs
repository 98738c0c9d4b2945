//! A span with request id, method and path for the log lines of each request, and the `x-request-id` header.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{HeaderName, HeaderValue};
use tracing::Instrument as _;

use super::security::is_trusted;
use super::state::AppState;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The outermost layer of the router. The query string is never logged.
pub async fn layer(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let id = forwarded_id(&request, &app).unwrap_or_else(new_id);
    let span = tracing::info_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method = request.method().as_str(),
        path = request.uri().path(),
    );
    let mut response = next.run(request).instrument(span).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// The id that a trusted proxy has given the request.
fn forwarded_id(request: &Request, app: &AppState) -> Option<HeaderValue> {
    const MAX_LENGTH: usize = 64;
    let id = request.headers().get(REQUEST_ID)?;
    let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let is_valid = (1..=MAX_LENGTH).contains(&id.len()) && id.as_bytes().iter().all(is_plain);
    (is_valid && is_trusted(peer.ip(), &app.trusted_proxies)).then(|| id.clone())
}

/// 64 random bits in hexadecimal digits.
fn new_id() -> HeaderValue {
    // Without random numbers requests share an id, which is no reason to fail them.
    let bits = getrandom::u64().unwrap_or_default();
    HeaderValue::from_str(&format!("{bits:016x}")).unwrap_or(HeaderValue::from_static("0"))
}
