//! The embedded web bundle: files with ETags and cache headers. Compressible files are embedded as brotli only, which
//! almost every client accepts; for other clients a file is converted at the first request.

use std::borrow::Cow;
use std::io;
use std::sync::LazyLock;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY};
use http::{HeaderName, StatusCode};
use quick_cache::sync::Cache;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::platform::content_coding::{ContentCoding, decompress_brotli, gzip};
use crate::platform::hex::hex;
use crate::platform::response_cache::etag_matches;

#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Bundle;

/// A file as it is embedded.
struct Embedded {
    file: EmbeddedFile,
    is_brotli: bool,
}

/// Compressible files in other content codings than brotli, each made when it is first requested. It can hold
/// each file of the bundle.
static RECODED: LazyLock<Cache<(String, ContentCoding), Bytes>> = LazyLock::new(|| Cache::new(1000));

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
    let Embedded { file, is_brotli } = file(path)?;
    if is_brotli { decompress_brotli(&file.data).ok() } else { Some(file.data.into_owned()) }
}

/// The file at a path. The build stores a compressible one as brotli, under its name with `.br`.
fn file(path: &str) -> Option<Embedded> {
    let brotli = Bundle::get(&format!("{path}.br")).map(|file| Embedded { file, is_brotli: true });
    brotli.or_else(|| Bundle::get(path).map(|file| Embedded { file, is_brotli: false }))
}

/// The response for the file at a path, in the content coding that the client accepts; `None` for an unknown
/// path.
pub fn serve(path: &str, request: &HeaderMap) -> Option<Response> {
    let path = path.strip_prefix('/')?;
    let media_type = content_type(path)?;
    let Embedded { file, is_brotli } = file(path)?;
    let etag = hex(&file.metadata.sha256_hash()[..12]);

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
    let coding = if is_brotli { ContentCoding::accepted(request) } else { ContentCoding::Identity };
    let is_as_embedded = !is_brotli || coding == ContentCoding::Brotli;
    let body = if is_as_embedded { body_of(file) } else { recode(path, coding, &file)?.into() };
    headers.extend(coding.header().map(|coding| (CONTENT_ENCODING, coding)));
    Some(respond(StatusCode::OK, headers, body))
}

/// A file that is embedded as brotli, in another coding. Takes some milliseconds once per file and coding.
fn recode(path: &str, coding: ContentCoding, brotli: &EmbeddedFile) -> Option<Bytes> {
    let convert = || {
        let content = decompress_brotli(&brotli.data)?;
        let is_gzip = coding == ContentCoding::Gzip;
        let recoded = if is_gzip { gzip(&content, flate2::Compression::best()) } else { content };
        Ok::<_, io::Error>(Bytes::from(recoded))
    };
    RECODED.get_or_insert_with(&(path.to_owned(), coding), convert).ok()
}

/// Whether the content of a file never changes: a name under `assets/` contains a hash of it.
pub fn is_immutable(path: &str) -> bool {
    path.trim_start_matches('/').starts_with("assets/")
}

/// The `Cache-Control` of a file. Those that are not immutable keep their names across releases: browsers revalidate them
/// after an hour and may show the stale file meanwhile.
fn cache_control(path: &str) -> &'static str {
    if is_immutable(path) {
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

/// The media type of a file that is served; `None` for others, such as the template and compressed copies.
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
