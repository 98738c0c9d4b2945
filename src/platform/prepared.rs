//! Answers that every visitor gets alike: built once per database version, kept as bytes in the
//! encodings that browsers take, and sent at the price of sending them.

use std::collections::HashMap;
use std::fmt;
use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwapOption;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, VARY,
};
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex;

use super::clock::Clock;
use super::db::{self, Db};
use super::error::AppError;
use super::security::check_host;

/// Bodies shorter than this are sent as they are.
const WORTH_COMPRESSING: usize = 512;
/// From here on the quicker compression is used: a large list must not keep its first reader waiting.
const LARGE: usize = 256 * 1024;

/// A body before it is packed.
#[derive(Debug)]
pub struct Draft {
    /// 200, or 404 for the page that says so.
    pub status: StatusCode,
    /// The media type.
    pub content_type: &'static str,
    /// More headers of this answer.
    pub headers: HeaderMap,
    /// The bytes.
    pub body: Vec<u8>,
    /// From this instant on the answer is no longer true, whatever the database says.
    pub valid_until: Option<DateTime<Utc>>,
}

impl Draft {
    /// A JSON answer.
    ///
    /// # Errors
    /// The value can't be written as JSON.
    pub fn json(value: &impl serde::Serialize) -> Result<Self, AppError> {
        let body = serde_json::to_vec(value).map_err(|error| AppError::Internal(error.to_string()))?;
        Ok(Self {
            status: StatusCode::OK,
            content_type: "application/json",
            headers: HeaderMap::new(),
            body,
            valid_until: None,
        })
    }
}

/// One encoding of an answer, ready to send.
struct Variant {
    headers: HeaderMap,
    body: Bytes,
}

/// An answer, ready to send in any encoding that was asked for before.
pub struct Packed {
    version: i64,
    valid_until: Option<DateTime<Utc>>,
    status: StatusCode,
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

impl Packed {
    /// Packs a draft with the headers that every response carries.
    pub fn new(draft: Draft, version: i64, common: &HeaderMap) -> Self {
        let tag = URL_SAFE_NO_PAD.encode(&Sha256::digest(&draft.body)[..15]);
        let mut headers = common.clone();
        headers.extend(draft.headers);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        let mut not_modified = headers.clone();
        not_modified.insert(ETAG, etag(&tag));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(draft.content_type));
        headers.insert(ETAG, etag(&tag));
        Self {
            version,
            valid_until: draft.valid_until,
            status: draft.status,
            tag,
            identity: Variant { headers, body: Bytes::from(draft.body) },
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
            not_modified,
        }
    }

    /// The response to a request with these headers, or `None` where its encoding is not packed yet.
    fn respond(&self, asked: &HeaderMap) -> Option<Response<Full<Bytes>>> {
        if self.status == StatusCode::OK && self.matches(asked) {
            let mut response = Response::new(Full::default());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = self.not_modified.clone();
            return Some(response);
        }
        let variant = match self.encoding_for(asked) {
            Encoding::Identity => &self.identity,
            Encoding::Brotli => self.brotli.get()?,
            Encoding::Gzip => self.gzip.get()?,
        };
        let mut response = Response::new(Full::new(variant.body.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = variant.headers.clone();
        Some(response)
    }

    /// As [`Self::respond`], packing the encoding first where that is needed.
    ///
    /// # Errors
    /// The packing failed, which is a fault of ours.
    pub async fn respond_packing(self: Arc<Self>, asked: &HeaderMap) -> Result<Response<Full<Bytes>>, AppError> {
        if let Some(response) = self.respond(asked) {
            return Ok(response);
        }
        let encoding = self.encoding_for(asked);
        let packing = Arc::clone(&self);
        tokio::task::spawn_blocking(move || packing.pack(encoding))
            .await
            .map_err(|error| AppError::Internal(error.to_string()))?;
        self.respond(asked).ok_or_else(|| AppError::Internal("an answer could not be packed".to_owned()))
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

    /// Whether the client has this very answer already (RFC 9110 §13.1.2, weak comparison).
    fn matches(&self, asked: &HeaderMap) -> bool {
        asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).any(|list| {
            list.split(',').map(str::trim).any(|tag| {
                let tag = tag.strip_prefix("W/").unwrap_or(tag);
                tag == "*" || tag.trim_matches('"') == self.tag
            })
        })
    }

    fn encoding_for(&self, asked: &HeaderMap) -> Encoding {
        if self.identity.body.len() < WORTH_COMPRESSING {
            return Encoding::Identity;
        }
        preferred_encoding(asked)
    }
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

type Build = Box<dyn Fn(&Connection, DateTime<Utc>) -> Result<Draft, AppError> + Send + Sync>;

/// One address and how its answer is made.
pub struct Recipe {
    path: &'static str,
    takes_query: bool,
    build: Arc<Build>,
}

impl fmt::Debug for Recipe {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Recipe").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Recipe {
    /// An answer at `path` that `build` makes from the database and the present instant. Where the
    /// request has a query string, the call's own handler is asked instead.
    pub fn new(
        path: &'static str,
        build: impl Fn(&Connection, DateTime<Utc>) -> Result<Draft, AppError> + Send + Sync + 'static,
    ) -> Self {
        Self { path, takes_query: true, build: Arc::new(Box::new(build)) }
    }

    /// The same answer whatever the query string says: a page that reads it in the browser.
    #[must_use]
    pub fn whatever_the_query(mut self) -> Self {
        self.takes_query = false;
        self
    }
}

struct Place {
    recipe: Recipe,
    current: ArcSwapOption<Packed>,
    /// One builds, the others wait for what comes out.
    building: Mutex<()>,
}

/// All prepared answers, by path.
pub struct Shelf {
    places: HashMap<&'static str, Place>,
    common: HeaderMap,
    db: Db,
    clock: Clock,
}

impl fmt::Debug for Shelf {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.places.keys()).finish()
    }
}

impl Shelf {
    /// A shelf for these recipes. Every answer carries the `common` headers.
    pub fn new(recipes: Vec<Recipe>, common: HeaderMap, db: Db, clock: Clock) -> Self {
        let places = recipes
            .into_iter()
            .map(|recipe| (recipe.path, Place { recipe, current: ArcSwapOption::empty(), building: Mutex::new(()) }))
            .collect();
        Self { places, common, db, clock }
    }

    /// The answer to a request, where it is on the shelf and true. This is what most requests are
    /// answered with, before anything else looks at them.
    pub fn answer_now<B>(&self, request: &Request<B>) -> Option<Response<Full<Bytes>>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        let place = self.places.get(request.uri().path())?;
        if (place.recipe.takes_query && request.uri().query().is_some()) || check_host(request).is_err() {
            return None;
        }
        self.true_answer(place)?.respond(request.headers())
    }

    /// The answer at `path`, built first where that is needed.
    ///
    /// # Errors
    /// The database can't be read, or 404 for a path without a recipe.
    pub async fn answer(&self, path: &str, asked: &HeaderMap) -> Result<Response<Full<Bytes>>, AppError> {
        let place = self.places.get(path).ok_or(AppError::NotFound("Page"))?;
        let packed = match self.true_answer(place) {
            Some(packed) => packed,
            None => self.build(place).await?,
        };
        packed.respond_packing(asked).await
    }

    /// Packs an answer that is asked for too rarely to be kept, with the same headers, tags and
    /// encodings as those on the shelf.
    ///
    /// # Errors
    /// The packing failed, which is a fault of ours.
    pub async fn pack_once(&self, draft: Draft, asked: &HeaderMap) -> Result<Response<Full<Bytes>>, AppError> {
        Arc::new(Packed::new(draft, 0, &self.common)).respond_packing(asked).await
    }

    fn true_answer(&self, place: &Place) -> Option<Arc<Packed>> {
        let packed = place.current.load_full()?;
        let in_time = packed.valid_until.is_none_or(|until| self.clock.now() < until);
        (packed.version >= self.db.version() && in_time).then_some(packed)
    }

    async fn build(&self, place: &Place) -> Result<Arc<Packed>, AppError> {
        let _turn = place.building.lock().await;
        // Whoever had the turn before may have built what is wanted.
        if let Some(packed) = self.true_answer(place) {
            return Ok(packed);
        }
        let build = Arc::clone(&place.recipe.build);
        let common = self.common.clone();
        let now = self.clock.now();
        let packed = self
            .db
            .read(move |connection| {
                let version = db::content_version(connection)?;
                Ok(Packed::new(build(connection, now)?, version, &common))
            })
            .await?;
        let packed = Arc::new(packed);
        place.current.store(Some(Arc::clone(&packed)));
        Ok(packed)
    }
}
