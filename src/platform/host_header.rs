//! The host that a request names.

use http::header::HOST;

/// Whether a request names exactly one host, which HTTP/1.1 requires (RFC 9112 §3.2).
pub fn has_one_host<B>(request: &http::Request<B>) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(_), None) => true,
        (None, _) => request.version() < http::Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}
