//! One response: its body in the content codings that clients accept, with all headers.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64};
use std::time::Instant;

use axum::body::Body;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, VARY,
    X_FRAME_OPTIONS,
};
use http::{Method, StatusCode};
use http_body_util::Full;
use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;

use super::cross_site::is_cross_site;
use super::decompressed::SharedBody;
use super::shared::SharedCaching;
use crate::platform::content_coding::{ContentCoding, decompress_brotli};
use crate::platform::error::AppError;

/// Response extension: the content security policy alone decides which sites may frame the response.
#[derive(Clone, Copy, Debug)]
pub struct MayBeFramed;

/// Bodies shorter than this are not compressed.
const MIN_COMPRESSED: usize = 512;
/// Estimated memory of the headers of one response, in bytes.
const HEADERS_WEIGHT: usize = 8 * 1024;
/// Estimated length of the gzip variant, in percent of the brotli one.
const GZIP_PER_BROTLI: usize = 125;

/// The content of a response (RFC 9110 §3.2) and the headers that belong to it.
#[derive(Debug)]
pub struct Representation {
    /// 200, 404, 410 or a redirection.
    pub status: StatusCode,
    /// The media type.
    pub content_type: &'static str,
    /// Headers in addition to the common ones.
    pub headers: HeaderMap,
    /// The uncompressed body.
    pub body: Vec<u8>,
    /// The instant at which it becomes stale even if the content does not change.
    pub fresh_until: Option<DateTime<Utc>>,
    /// Whether other sites may frame it, as far as its content security policy allows.
    pub may_be_framed: bool,
    /// The keys of the content that it shows, for responses that are the same for every visitor: shared caches may store
    /// them until the content with one of these keys changes. `None` for others. With a `Cache-Control` among the headers,
    /// that says for how long.
    pub surrogate_keys: Option<Vec<Cow<'static, str>>>,
}

impl Representation {
    /// 200 with a JSON body.
    ///
    /// # Errors
    /// 500 if the value can't be serialized.
    pub fn json(value: &impl serde::Serialize) -> Result<Self, AppError> {
        let body = serde_json::to_vec(value).map_err(AppError::internal)?;
        Ok(Self::new("application/json", body))
    }

    /// 200 with a body of another type, fresh until the content changes.
    pub fn new(content_type: &'static str, body: Vec<u8>) -> Self {
        Self {
            status: StatusCode::OK,
            content_type,
            headers: HeaderMap::new(),
            body,
            fresh_until: None,
            may_be_framed: false,
            surrogate_keys: None,
        }
    }

    /// Lets shared caches store it, if its status is 200, until the content with one of these keys changes.
    #[must_use]
    pub fn shared<K: Into<Cow<'static, str>>>(self, keys: impl IntoIterator<Item = K>) -> Self {
        Self { surrogate_keys: Some(keys.into_iter().map(Into::into).collect()), ..self }
    }
}

/// The output of a route: a response, or work to be done on a thread without a database connection.
pub enum RouteOutput {
    /// The complete response.
    Ready(Representation),
    /// A response that takes further work, such as rendering markup.
    Deferred(DeferredResponse),
}

impl RouteOutput {
    /// The complete response. Deferred work is done on the blocking pool.
    ///
    /// # Errors
    /// Those of the deferred work.
    pub async fn complete(self) -> Result<Representation, AppError> {
        match self {
            Self::Ready(representation) => Ok(representation),
            Self::Deferred(DeferredResponse { build, .. }) => {
                tokio::task::spawn_blocking(build).await.unwrap_or_else(|error| Err(AppError::internal(error)))
            }
        }
    }
}

impl From<Representation> for RouteOutput {
    fn from(representation: Representation) -> Self {
        Self::Ready(representation)
    }
}

/// The second stage of building a response.
pub struct DeferredResponse {
    /// A hash of everything that the response depends on: an earlier response with the same hash is reused.
    pub input_hash: [u8; 32],
    /// Builds the response; blocks its thread.
    pub build: Box<dyn FnOnce() -> Result<Representation, AppError> + Send>,
}

/// What all responses have in common.
#[derive(Clone, Debug)]
pub(super) struct CommonHeaders {
    pub(super) headers: HeaderMap,
    /// What shared caches may do with responses; `None` if they must not store any.
    pub(super) shared: Option<Arc<SharedCaching>>,
}

/// One content coding of a response, ready to send.
#[derive(Debug)]
struct EncodedBody {
    headers: HeaderMap,
    body: Bytes,
}

/// A response that is ready to send. It is compressed when a client first requests a content coding; one that may be
/// evicted is compressed with brotli before it is stored.
#[derive(Debug)]
pub struct CachedResponse {
    /// The latest content version for which it is known to be fresh.
    pub(super) version: AtomicI64,
    pub(super) built_at: Instant,
    /// Whether it is built again, while it is served once more.
    pub(super) is_being_rebuilt: AtomicBool,
    /// The [`DeferredResponse::input_hash`], if it was deferred.
    pub(super) input_hash: Option<[u8; 32]>,
    /// As in [`Representation`].
    pub(super) fresh_until: Option<DateTime<Utc>>,
    /// Estimated memory with its compressed variants, in bytes; 0 if it must not be evicted.
    pub(super) weight: u64,
    /// What shared caches may do with it; `None` if they must not store it, or its own `Cache-Control` says that.
    shared: Option<Arc<SharedCaching>>,
    status: StatusCode,
    may_be_framed: bool,
    etag: String,
    /// The headers and the length of the uncompressed body.
    headers: HeaderMap,
    length: usize,
    /// `None` if the compressed variants alone are stored.
    uncompressed: Option<Bytes>,
    /// What is made from them for clients that accept no compression.
    decompressed: SharedBody,
    brotli: OnceCell<EncodedBody>,
    gzip: OnceCell<EncodedBody>,
    not_modified: HeaderMap,
}

impl CachedResponse {
    /// A response with the headers that every response carries.
    pub(super) fn new(
        representation: Representation,
        version: i64,
        CommonHeaders { headers: common_headers, shared }: &CommonHeaders,
    ) -> Self {
        let is_ok = representation.status == StatusCode::OK;
        let keys = representation.surrogate_keys.filter(|_| is_ok);
        let has_own_lifetime = representation.headers.contains_key(CACHE_CONTROL);
        let shared = shared.as_ref().zip(keys);
        let etag = URL_SAFE_NO_PAD.encode(&Sha256::digest(&representation.body)[..15]);
        let mut headers = common_headers.clone();
        if representation.may_be_framed {
            headers.remove(X_FRAME_OPTIONS);
        }
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Some((shared, keys)) = &shared {
            if has_own_lifetime {
                shared.add_surrogate_keys(keys, &mut headers);
            } else {
                shared.add_headers(keys, &mut headers);
            }
        }
        headers.extend(representation.headers);
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(ETAG, weak_etag(&etag));
        let not_modified = headers.clone();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(representation.content_type));
        Self {
            version: AtomicI64::new(version),
            built_at: Instant::now(),
            is_being_rebuilt: AtomicBool::new(false),
            input_hash: None,
            fresh_until: representation.fresh_until,
            weight: 0,
            shared: shared.filter(|_| !has_own_lifetime).map(|(shared, _)| Arc::clone(shared)),
            status: representation.status,
            may_be_framed: representation.may_be_framed,
            etag,
            headers,
            length: representation.body.len(),
            uncompressed: Some(Bytes::from(representation.body)),
            decompressed: SharedBody::default(),
            brotli: OnceCell::new(),
            gzip: OnceCell::new(),
            not_modified,
        }
    }

    /// The same as one that may be evicted. Nothing but the brotli variant of its body is stored, because one without
    /// compression takes five times as much memory, and nearly all clients accept brotli. It blocks its thread for the
    /// compression.
    pub(super) fn into_evictable(mut self) -> Self {
        let mut stored = self.length;
        if let Some(body) = self.uncompressed.take_if(|body| body.len() >= MIN_COMPRESSED) {
            let brotli = self.encoded(ContentCoding::Brotli, &body);
            stored = brotli.body.len() + brotli.body.len() * GZIP_PER_BROTLI / 100;
            self.brotli = OnceCell::from(brotli);
        }
        self.weight = (stored + HEADERS_WEIGHT) as u64;
        self
    }

    /// Whether its status is 200.
    pub(super) fn is_ok(&self) -> bool {
        self.status == StatusCode::OK
    }

    /// The response to a request, or `None` if it is not compressed yet as the client prefers it. If it is shared,
    /// `seconds_left` returns for how many seconds it stays fresh.
    pub(super) fn respond_if_compressed(
        &self,
        method: &Method,
        request: &HeaderMap,
        seconds_left: impl Fn() -> i64,
    ) -> Option<http::Response<Full<Bytes>>> {
        self.respond_with(method, request, self.uncompressed.as_ref(), seconds_left)
    }

    /// The same with this uncompressed body, or `None` if it is not there.
    fn respond_with(
        &self,
        method: &Method,
        request: &HeaderMap,
        uncompressed: Option<&Bytes>,
        seconds_left: impl Fn() -> i64,
    ) -> Option<http::Response<Full<Bytes>>> {
        let is_cross_site = is_cross_site(request);
        let mut response = self.respond_with_full_lifetime(method, request, uncompressed, is_cross_site)?;
        if let Some(shared) = &self.shared {
            shared.limit(request, is_cross_site, seconds_left(), response.headers_mut());
        }
        Some(response)
    }

    /// The response with the headers of one that stays fresh for long enough.
    fn respond_with_full_lifetime(
        &self,
        method: &Method,
        request: &HeaderMap,
        uncompressed: Option<&Bytes>,
        is_cross_site: bool,
    ) -> Option<http::Response<Full<Bytes>>> {
        if self.is_ok() && etag_matches(request, &self.etag) {
            return Some(response_of(StatusCode::NOT_MODIFIED, &self.not_modified, Bytes::new()));
        }
        let (headers, body) = match self.compressed(self.coding_for(request, is_cross_site)) {
            None => (&self.headers, uncompressed?),
            Some(compressed) => {
                let EncodedBody { headers, body } = compressed.get()?;
                (headers, body)
            }
        };
        if method == Method::HEAD {
            let mut response = response_of(self.status, headers, Bytes::new());
            response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
            return Some(response);
        }
        Some(response_of(self.status, headers, body.clone()))
    }

    /// The response to a GET request; it is compressed or decompressed first if necessary. One request compresses it,
    /// and others wait for the result. `seconds_left` is called when it is ready to be sent.
    ///
    /// # Errors
    /// 500 if the compression failed; 503 if too many decompressed bodies are being sent.
    pub(super) async fn respond(
        self: &Arc<Self>,
        request: &HeaderMap,
        seconds_left: impl Fn() -> i64,
    ) -> Result<Response, AppError> {
        let uncompressed = match self.coding_for(request, is_cross_site(request)) {
            // 304 has no body.
            ContentCoding::Identity if self.is_ok() && etag_matches(request, &self.etag) => None,
            ContentCoding::Identity => Some(match &self.uncompressed {
                Some(body) => body.clone(),
                None => self.decompressed.get(self.length, self.on_blocking_thread(Self::decompressed)).await?,
            }),
            coding => {
                self.compress(coding).await?;
                None
            }
        };
        let mut response = self
            .respond_with(&Method::GET, request, uncompressed.as_ref(), seconds_left)
            .ok_or_else(|| AppError::internal("a response was not compressed"))?
            .map(Body::new);
        if self.may_be_framed {
            response.extensions_mut().insert(MayBeFramed);
        }
        Ok(response)
    }

    async fn on_blocking_thread<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let response = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&response)).await.map_err(AppError::internal)?
    }

    /// The uncompressed body of a response that is stored as brotli.
    fn decompressed(&self) -> Result<Vec<u8>, AppError> {
        let brotli = self.brotli.get().map(|brotli| &*brotli.body).unwrap_or_default();
        decompress_brotli(brotli).map_err(AppError::internal)
    }

    /// Compresses it, if it is not compressed yet.
    ///
    /// # Errors
    /// 500 if that failed.
    pub(super) async fn compress(self: &Arc<Self>, coding: ContentCoding) -> Result<(), AppError> {
        let Some(compressed) = self.compressed(coding) else { return Ok(()) };
        let compress = move |response: &Self| {
            let decompressed = || response.decompressed().map(Bytes::from);
            let body = response.uncompressed.clone().map_or_else(decompressed, Ok)?;
            Ok(response.encoded(coding, &body))
        };
        compressed.get_or_try_init(|| self.on_blocking_thread(compress)).await.map(drop)
    }

    fn encoded(&self, coding: ContentCoding, body: &[u8]) -> EncodedBody {
        let mut headers = self.headers.clone();
        headers.extend(coding.header().map(|coding| (CONTENT_ENCODING, coding)));
        EncodedBody { headers, body: Bytes::from(coding.compress(body)) }
    }

    /// Where the body in this coding is stored once it is compressed; `None` for the uncompressed one.
    fn compressed(&self, coding: ContentCoding) -> Option<&OnceCell<EncodedBody>> {
        match coding {
            ContentCoding::Identity => None,
            ContentCoding::Brotli => Some(&self.brotli),
            ContentCoding::Gzip => Some(&self.gzip),
        }
    }

    /// The content coding of the response to a request with these headers.
    pub(super) fn coding_for(&self, request: &HeaderMap, is_cross_site: bool) -> ContentCoding {
        if self.length < MIN_COMPRESSED || is_cross_site {
            ContentCoding::Identity
        } else {
            ContentCoding::accepted(request)
        }
    }
}

fn response_of(status: StatusCode, headers: &HeaderMap, body: Bytes) -> http::Response<Full<Bytes>> {
    let mut response = http::Response::new(Full::new(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers.clone();
    response
}

/// Whether `If-None-Match` lists this ETag (RFC 9110 §13.1.2, weak comparison). The tag is given
/// without `W/` and quotes.
pub fn etag_matches(request: &HeaderMap, etag: &str) -> bool {
    request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).any(|list| {
        list.split(',').map(str::trim).any(|listed| {
            let listed = listed.strip_prefix("W/").unwrap_or(listed);
            listed == "*" || listed.trim_matches('"') == etag
        })
    })
}

/// The ETag is weak, because all content codings of one response share it.
fn weak_etag(etag: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("W/\"{etag}\"")).unwrap_or_else(|_| HeaderValue::from_static("W/\"\""))
}
