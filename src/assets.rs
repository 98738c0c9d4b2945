//! The embedded web bundle: precompressed files with ETags and cache headers.

use std::borrow::Cow;
use std::fmt::Write as _;

use axum::body::Body;
use axum::response::Response;
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY,
};
use http::{HeaderName, StatusCode};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::platform::response_cache::{accepts, etag_matches};

#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Bundle;

/// The script that renders pages on the server, which has no address.
#[derive(RustEmbed)]
#[folder = "web/dist-server"]
#[allow_missing = true]
struct ServerBundle;

/// The script that renders the markup of pages; `None` if the binary was built without it.
pub fn server_script() -> Option<Cow<'static, str>> {
    match ServerBundle::get("server.js")?.data {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// The HTML template of the bundle; `None` if the binary was built without the bundle.
pub fn template() -> Option<String> {
    text("index.html")
}

/// A text file of the bundle.
pub fn text(path: &str) -> Option<String> {
    String::from_utf8(bytes(path)?).ok()
}

/// Any file of the bundle.
pub fn bytes(path: &str) -> Option<Vec<u8>> {
    Some(Bundle::get(path)?.data.into_owned())
}

/// The response for the file at a path, in the content coding that the client accepts; `None` for an unknown
/// path.
pub fn serve(path: &str, request: &HeaderMap) -> Option<Response> {
    let path = path.strip_prefix('/')?;
    let media_type = content_type(path)?;
    let file = Bundle::get(path)?;
    let etag = etag_of(&file);

    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(ETAG, HeaderValue::from_str(&format!("W/\"{etag}\"")).ok()?);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control(path)));
    if media_type == "image/svg+xml" {
        // Opened as a document, an SVG must not run scripts.
        headers.insert(
            HeaderName::from_static("content-security-policy"),
            HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        );
    }

    if etag_matches(request, &etag) {
        return Some(respond(StatusCode::NOT_MODIFIED, headers, Body::empty()));
    }
    let accepted = request.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    for (coding, extension) in [("br", "br"), ("gzip", "gz")] {
        if accepts(accepted, coding)
            && let Some(compressed) = Bundle::get(&format!("{path}.{extension}"))
        {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
            return Some(respond(StatusCode::OK, headers, body_of(compressed)));
        }
    }
    Some(respond(StatusCode::OK, headers, body_of(file)))
}

/// The `Cache-Control` of a file. A name under `assets/` contains a hash of the content, so those files
/// are immutable. Other files keep their names across releases: browsers revalidate them after an hour and
/// may show the stale file meanwhile.
fn cache_control(path: &str) -> &'static str {
    if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=3600, stale-while-revalidate=2592000"
    }
}

fn respond(status: StatusCode, headers: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

fn body_of(file: EmbeddedFile) -> Body {
    match file.data {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    }
}

fn etag_of(file: &EmbeddedFile) -> String {
    let mut etag = String::new();
    for byte in &file.metadata.sha256_hash()[..12] {
        let _ = write!(etag, "{byte:02x}");
    }
    etag
}

/// The media type of a file with an address; `None` for others, such as the template and compressed copies.
fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        "png" => "image/png",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}
