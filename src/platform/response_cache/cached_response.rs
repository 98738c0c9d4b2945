//! One answer, packed: its bytes in the encodings that browsers take, with all headers.

use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, VARY,
    X_FRAME_OPTIONS,
};
use http::{Response, StatusCode};
use http_body_util::Full;
use sha2::{Digest as _, Sha256};

use crate::platform::error::AppError;
use crate::platform::security::MayBeFramed;

/// Bodies shorter than this are sent as they are.
const WORTH_COMPRESSING: usize = 512;
/// From here on the quicker compression is used: a large list must not keep its first reader waiting.
const LARGE: usize = 256 * 1024;

/// A body before it is packed.
#[derive(Debug)]
pub struct Representation {
    /// 200, or 404 for the page that says so.
    pub status: StatusCode,
    /// The media type.
    pub content_type: &'static str,
    /// More headers of this answer.
    pub headers: HeaderMap,
    /// The bytes.
    pub body: Vec<u8>,
    /// From this instant on the answer is no longer true, whatever the database says.
    pub fresh_until: Option<DateTime<Utc>>,
    /// Whether other sites may show it in a frame, as far as its content policy allows.
    pub framed: bool,
}

impl Representation {
    /// A JSON answer.
    ///
    /// # Errors
    /// The value can't be written as JSON.
    pub fn json(value: &impl serde::Serialize) -> Result<Self, AppError> {
        let body = serde_json::to_vec(value).map_err(AppError::internal)?;
        Ok(Self::of("application/json", body))
    }

    /// An answer of another type, 200 and true as long as the database says so.
    pub fn of(content_type: &'static str, body: Vec<u8>) -> Self {
        Self { status: StatusCode::OK, content_type, headers: HeaderMap::new(), body, fresh_until: None, framed: false }
    }
}

/// One encoding of an answer, ready to send.
struct Variant {
    headers: HeaderMap,
    body: Bytes,
}

/// An answer, ready to send in any encoding that was asked for before.
pub struct CachedResponse {
    /// The content version that it was built from.
    pub(super) version: i64,
    /// As in the draft.
    pub(super) fresh_until: Option<DateTime<Utc>>,
    status: StatusCode,
    framed: bool,
    tag: String,
    identity: Variant,
    brotli: OnceLock<Variant>,
    gzip: OnceLock<Variant>,
    not_modified: HeaderMap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Identity,
    Brotli,
    Gzip,
}

impl CachedResponse {
    /// Packs a draft with the headers that every response carries.
    pub fn new(draft: Representation, version: i64, common: &HeaderMap) -> Self {
        let tag = URL_SAFE_NO_PAD.encode(&Sha256::digest(&draft.body)[..15]);
        let mut headers = common.clone();
        if draft.framed {
            headers.remove(X_FRAME_OPTIONS);
        }
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.extend(draft.headers);
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        let mut not_modified = headers.clone();
        not_modified.insert(ETAG, etag(&tag));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(draft.content_type));
        headers.insert(ETAG, etag(&tag));
        Self {
            version,
            fresh_until: draft.fresh_until,
            status: draft.status,
            framed: draft.framed,
            tag,
            identity: Variant { headers, body: Bytes::from(draft.body) },
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
            not_modified,
        }
    }

    /// Whether it is what was asked for.
    pub(super) fn is_ok(&self) -> bool {
        self.status == StatusCode::OK
    }

    /// Bytes of the body as it is.
    pub(super) fn length(&self) -> usize {
        self.identity.body.len()
    }

    /// The response to a request with these headers, or `None` where its encoding is not packed yet.
    pub(super) fn respond(&self, asked: &HeaderMap) -> Option<Response<Full<Bytes>>> {
        if self.is_ok() && etag_matches(asked, &self.tag) {
            return Some(self.response(StatusCode::NOT_MODIFIED, &self.not_modified, Bytes::new()));
        }
        let variant = match self.encoding_for(asked) {
            Encoding::Identity => &self.identity,
            Encoding::Brotli => self.brotli.get()?,
            Encoding::Gzip => self.gzip.get()?,
        };
        Some(self.response(self.status, &variant.headers, variant.body.clone()))
    }

    fn response(&self, status: StatusCode, headers: &HeaderMap, body: Bytes) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(body));
        *response.status_mut() = status;
        *response.headers_mut() = headers.clone();
        if self.framed {
            response.extensions_mut().insert(MayBeFramed);
        }
        response
    }

    /// The response to a request with these headers; its encoding is packed first where that is needed.
    ///
    /// # Errors
    /// The packing failed, which is a fault of ours.
    pub async fn respond_compressing(self: Arc<Self>, asked: &HeaderMap) -> Result<Response<Full<Bytes>>, AppError> {
        if let Some(response) = self.respond(asked) {
            return Ok(response);
        }
        let encoding = self.encoding_for(asked);
        let packing = Arc::clone(&self);
        tokio::task::spawn_blocking(move || packing.pack(encoding)).await.map_err(AppError::internal)?;
        self.respond(asked).ok_or_else(|| AppError::internal("an answer could not be packed"))
    }

    fn pack(&self, encoding: Encoding) {
        let (slot, name) = match encoding {
            Encoding::Identity => return,
            Encoding::Brotli => (&self.brotli, "br"),
            Encoding::Gzip => (&self.gzip, "gzip"),
        };
        slot.get_or_init(|| {
            let body = &self.identity.body;
            let packed = if encoding == Encoding::Brotli { brotli(body) } else { gzip(body) };
            let mut headers = self.identity.headers.clone();
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
            Variant { headers, body: Bytes::from(packed) }
        });
    }

    fn encoding_for(&self, asked: &HeaderMap) -> Encoding {
        if self.identity.body.len() < WORTH_COMPRESSING {
            return Encoding::Identity;
        }
        preferred_encoding(asked)
    }
}

/// Whether the client has the answer with this tag already (RFC 9110 §13.1.2, weak comparison). The
/// tag is given bare, without `W/` and quotes.
pub fn etag_matches(asked: &HeaderMap, tag: &str) -> bool {
    asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).any(|list| {
        list.split(',').map(str::trim).any(|known| {
            let known = known.strip_prefix("W/").unwrap_or(known);
            known == "*" || known.trim_matches('"') == tag
        })
    })
}

/// The tag is weak, because all encodings of one answer share it.
fn etag(tag: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("W/\"{tag}\"")).unwrap_or_else(|_| HeaderValue::from_static("W/\"\""))
}

fn preferred_encoding(asked: &HeaderMap) -> Encoding {
    let Some(list) = asked.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()) else {
        return Encoding::Identity;
    };
    if accepts(list, "br") {
        Encoding::Brotli
    } else if accepts(list, "gzip") {
        Encoding::Gzip
    } else {
        Encoding::Identity
    }
}

/// Whether an Accept-Encoding list takes a coding: named, and not with a weight of zero.
pub fn accepts(list: &str, coding: &str) -> bool {
    list.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding))
            && !parts.any(|weight| {
                weight
                    .strip_prefix("q=")
                    .or_else(|| weight.strip_prefix("Q="))
                    .is_some_and(|q| q.parse::<f32>().is_ok_and(|q| q <= 0.0))
            })
    })
}

fn brotli(body: &[u8]) -> Vec<u8> {
    let quality = if body.len() >= LARGE { 5 } else { 9 };
    let mut packed = Vec::with_capacity(body.len() / 4);
    {
        let mut writer = brotli::CompressorWriter::new(&mut packed, 4096, quality, 20);
        // Writing into memory does not fail.
        let _ = writer.write_all(body);
    }
    packed
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let level = if body.len() >= LARGE { 5 } else { 8 };
    let mut writer = flate2::write::GzEncoder::new(Vec::with_capacity(body.len() / 4), flate2::Compression::new(level));
    // Writing into memory does not fail.
    let _ = writer.write_all(body);
    writer.finish().unwrap_or_default()
}
