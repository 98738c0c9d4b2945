//! The protection of all requests and responses: requests that name no single host, and cross-site writes, are rejected,
//! and responses get security headers (hardening, "Defaults").

mod csrf;
mod headers;

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};

use super::error::AppError;
use super::host_header::has_one_host;
use super::state::AppState;

pub use csrf::origin_of;
use csrf::reject_csrf;
pub use headers::{ContentSecurityPolicy, headers, set_headers};

/// Checks that a request names exactly one host and is not a cross-site request that could change something.
///
/// # Errors
/// 400 or 403.
pub fn check_request(app: &AppState, request: &Request) -> Result<(), AppError> {
    reject_host(request).and_then(|()| reject_csrf(request, &app.origin))
}

/// The response to a request that [`check_request`] rejected.
pub fn rejection(error: AppError) -> Response {
    if matches!(error, AppError::Forbidden(_)) {
        tracing::warn!("a cross-site request was rejected");
    }
    error.into_response()
}

fn reject_host<B>(request: &http::Request<B>) -> Result<(), AppError> {
    if has_one_host(request) {
        return Ok(());
    }
    Err(AppError::Malformed("The request must name exactly one host".to_owned()))
}
