//! The built web page, embedded: compressed already, with a tag and how long it may be kept.

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

/// The page's template as the web build made it; `None` where the binary was built without the page.
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

/// The file at a path, `None` where there is none. Compressed copies are chosen, never named.
pub fn serve(path: &str, asked: &HeaderMap) -> Option<Response> {
    let path = path.strip_prefix('/')?;
    let kind = content_type(path)?;
    let file = Bundle::get(path)?;
    let tag = tag_of(&file);

    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(ETAG, HeaderValue::from_str(&format!("W/\"{tag}\"")).ok()?);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep(path)));
    if kind == "image/svg+xml" {
        // Opened by itself, a picture must not run anything.
        headers.insert(
            HeaderName::from_static("content-security-policy"),
            HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        );
    }

    if etag_matches(asked, &tag) {
        return Some(respond(StatusCode::NOT_MODIFIED, headers, Body::empty()));
    }
    let list = asked.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    for (coding, ending) in [("br", "br"), ("gzip", "gz")] {
        if accepts(list, coding)
            && let Some(packed) = Bundle::get(&format!("{path}.{ending}"))
        {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
            return Some(respond(StatusCode::OK, headers, body_of(packed)));
        }
    }
    Some(respond(StatusCode::OK, headers, body_of(file)))
}

/// How long a file may be kept. A name under `assets/` holds a hash of the content, so what is behind
/// it never changes. All else keeps its name when a release changes it: drawings, icons, the demo's
/// portraits. A browser asks for those again after an hour, with the tag that it has, and may show
/// what it has while it asks: a returning visitor on a slow phone waits for nothing, and sees what an
/// upgrade replaced once more at the most. A browser that does not know how to do both at once waits
/// for an answer without a body.
fn keep(path: &str) -> &'static str {
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

fn tag_of(file: &EmbeddedFile) -> String {
    let mut tag = String::new();
    for byte in &file.metadata.sha256_hash()[..12] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag
}

/// The media type of a file that may be asked for; `None` for others: the template is not a page,
/// and a compressed copy is not a file of its own.
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
