//! Protection against cross-site request forgery (CSRF).

use axum::extract::Request;
use http::header::{HOST, ORIGIN};
use http::{Method, Uri};

use crate::platform::error::AppError;

/// Browsers send the origin of requests with unsafe methods; it must be this site. Other clients send neither header
/// and are accepted.
pub(super) fn reject_csrf(request: &Request, configured: &str) -> Result<(), AppError> {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    let same = match (header("sec-fetch-site"), header(ORIGIN.as_str())) {
        (Some("same-origin" | "none"), _) | (None, None) => true,
        (_, Some(origin)) => origin == configured || is_own_origin(origin, request),
        (Some(_), None) => false,
    };
    if same { Ok(()) } else { Err(AppError::Forbidden("This request did not come from this site".to_owned())) }
}

/// Whether an origin has the host of the request. The scheme may differ: a proxy may terminate https.
fn is_own_origin(origin: &str, request: &Request) -> bool {
    let host = request.headers().get(HOST).and_then(|value| value.to_str().ok());
    matches!((origin.split_once("://"), host), (Some(("http" | "https", named)), Some(host)) if named == host)
}

/// `http://host:port` of a URL, to compare with the Origin header.
pub fn origin_of(base_url: &str) -> String {
    base_url
        .parse::<Uri>()
        .ok()
        .and_then(|uri| Some(format!("{}://{}", uri.scheme_str()?, uri.authority()?)))
        .unwrap_or_else(|| base_url.to_owned())
}
