//! Answers that every visitor gets alike: built once per database version, kept as bytes in the
//! encodings that browsers take, and sent at the price of sending them.

mod cached_response;
mod kept;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::header::HeaderMap;
use http::{Method, Request, Response};
use http_body_util::Full;
use rusqlite::Connection;
use tokio::sync::Mutex;

pub use cached_response::{CachedResponse, Representation, accepts, etag_matches};
use kept::Kept;

use super::clock::Clock;
use super::db::{self, Db};
use super::error::AppError;
use super::security::check_host;

type Build = dyn Fn(&Connection, DateTime<Utc>) -> Result<Representation, AppError> + Send + Sync;
type BuildFor = dyn Fn(&Connection, DateTime<Utc>, &str) -> Result<Representation, AppError> + Send + Sync;

/// One address and how its answer is made.
pub struct CachedRoute {
    path: &'static str,
    query: Query,
    build: Arc<Build>,
}

/// What a query string does to the answer of a route.
enum Query {
    /// The call's own handler is asked.
    Handled,
    /// Nothing.
    Ignored,
    /// It may name the route whose answer is given instead.
    Chooses(fn(&str) -> Option<&'static str>),
}

impl fmt::Debug for CachedRoute {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CachedRoute").field("path", &self.path).finish_non_exhaustive()
    }
}

impl CachedRoute {
    /// An answer at `path` that `build` makes from the database and the present instant. Where the
    /// request has a query string, the call's own handler is asked instead.
    pub fn new(
        path: &'static str,
        build: impl Fn(&Connection, DateTime<Utc>) -> Result<Representation, AppError> + Send + Sync + 'static,
    ) -> Self {
        Self { path, query: Query::Handled, build: Arc::new(build) }
    }

    /// The same answer whatever the query string says: a page that reads it in the browser.
    #[must_use]
    pub fn whatever_the_query(mut self) -> Self {
        self.query = Query::Ignored;
        self
    }

    /// Another route's answer for some query strings: `choose` names its path, which needs not be
    /// one that can be asked for. So there are never more answers than cached_routes, whatever is asked.
    #[must_use]
    pub fn chosen_by_query(mut self, choose: fn(&str) -> Option<&'static str>) -> Self {
        self.query = Query::Chooses(choose);
        self
    }
}

/// How the answers of all addresses are made that begin alike.
pub struct CachedPrefix {
    prefix: &'static str,
    with_query: bool,
    build: Arc<BuildFor>,
}

impl fmt::Debug for CachedPrefix {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CachedPrefix").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl CachedPrefix {
    /// Answers at all paths that begin with `prefix`, whatever the query string. `build` is given
    /// what follows the prefix. Only answers with 200 are kept: what leads elsewhere, or is not
    /// there, is made anew each time, so that nobody can fill the shelf with addresses of nothing.
    pub fn new(
        prefix: &'static str,
        build: impl Fn(&Connection, DateTime<Utc>, &str) -> Result<Representation, AppError> + Send + Sync + 'static,
    ) -> Self {
        Self { prefix, with_query: false, build: Arc::new(build) }
    }

    /// The query string belongs to the address, and `build` is given it too. The call's own
    /// handler asks for a query in its one right order, so that one answer has one address.
    #[must_use]
    pub fn with_the_query(mut self) -> Self {
        self.with_query = true;
        self
    }
}

struct PrefixEntry {
    family: CachedPrefix,
    kept: Kept,
    /// One builds, the others wait and look again.
    building: Mutex<()>,
}

struct Place {
    route: CachedRoute,
    current: ArcSwapOption<CachedResponse>,
    /// One builds, the others wait for what comes out.
    building: Mutex<()>,
}

/// All prepared answers, by path.
pub struct ResponseCache {
    places: HashMap<&'static str, Place>,
    cached_prefixes: Vec<PrefixEntry>,
    common: HeaderMap,
    db: Db,
    clock: Clock,
}

impl fmt::Debug for ResponseCache {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cached_prefixes = self.cached_prefixes.iter().map(|place| &place.family.prefix);
        out.debug_list().entries(self.places.keys()).entries(cached_prefixes).finish()
    }
}

impl ResponseCache {
    /// A shelf for these cached_routes. Every answer carries the `common` headers.
    pub fn new(
        cached_routes: Vec<CachedRoute>,
        cached_prefixes: Vec<CachedPrefix>,
        common: HeaderMap,
        db: Db,
        clock: Clock,
    ) -> Self {
        let places = cached_routes
            .into_iter()
            .map(|route| (route.path, Place { route, current: ArcSwapOption::empty(), building: Mutex::new(()) }))
            .collect();
        let cached_prefixes = cached_prefixes
            .into_iter()
            .map(|family| PrefixEntry { family, kept: Kept::default(), building: Mutex::new(()) })
            .collect();
        Self { places, cached_prefixes, common, db, clock }
    }

    /// The answer to a request, where it is on the shelf and true. This is what most requests are
    /// answered with, before anything else looks at them.
    pub fn respond_if_cached<B>(&self, request: &Request<B>) -> Option<Response<Full<Bytes>>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        let uri = request.uri();
        let packed = match self.place_of(uri.path(), uri.query()) {
            Some(place) if matches!(place.route.query, Query::Handled) && uri.query().is_some() => return None,
            Some(place) => self.if_true(place.current.load_full()?)?,
            None => {
                let place = self.family_of(uri.path())?;
                let address = match uri.path_and_query() {
                    Some(whole) if place.family.with_query => whole.as_str(),
                    _ => uri.path(),
                };
                self.if_true(place.kept.get(address)?)?
            }
        };
        check_host(request).ok()?;
        packed.respond(request.headers())
    }

    /// The answer at `address`, built first where that is needed: a path, and the query too for a
    /// route that it chooses and for a family with queries.
    ///
    /// # Errors
    /// The database can't be read, or 404 for an address without a route.
    pub async fn answer(&self, address: &str, asked: &HeaderMap) -> Result<Response<Full<Bytes>>, AppError> {
        let (path, query) = address.split_once('?').map_or((address, None), |(path, query)| (path, Some(query)));
        let packed = if let Some(place) = self.place_of(path, query) {
            match place.current.load_full().and_then(|packed| self.if_true(packed)) {
                Some(packed) => packed,
                None => self.build(place).await?,
            }
        } else {
            let place = self.family_of(address).ok_or(AppError::NotFound("Page"))?;
            match place.kept.get(address).and_then(|packed| self.if_true(packed)) {
                Some(packed) => packed,
                None => self.build_for(place, address).await?,
            }
        };
        packed.respond_compressing(asked).await
    }

    /// Packs an answer that is asked for too rarely to be kept, with the same headers, tags and
    /// encodings as those on the shelf.
    ///
    /// # Errors
    /// The packing failed, which is a fault of ours.
    pub async fn respond_uncached(
        &self,
        draft: Representation,
        asked: &HeaderMap,
    ) -> Result<Response<Full<Bytes>>, AppError> {
        Arc::new(CachedResponse::new(draft, 0, &self.common)).respond_compressing(asked).await
    }

    fn if_true(&self, packed: Arc<CachedResponse>) -> Option<Arc<CachedResponse>> {
        let in_time = packed.fresh_until.is_none_or(|until| self.clock.now() < until);
        (packed.version >= self.db.version() && in_time).then_some(packed)
    }

    fn place_of(&self, path: &str, query: Option<&str>) -> Option<&Place> {
        let place = self.places.get(path)?;
        match (&place.route.query, query) {
            (Query::Chooses(choose), Some(query)) => {
                choose(query).and_then(|other| self.places.get(other)).or(Some(place))
            }
            _ => Some(place),
        }
    }

    fn family_of(&self, address: &str) -> Option<&PrefixEntry> {
        self.cached_prefixes.iter().find(|place| address.starts_with(place.family.prefix))
    }

    async fn build(&self, place: &Place) -> Result<Arc<CachedResponse>, AppError> {
        let _turn = place.building.lock().await;
        // Whoever had the turn before may have built what is wanted.
        if let Some(packed) = place.current.load_full().and_then(|packed| self.if_true(packed)) {
            return Ok(packed);
        }
        let build = Arc::clone(&place.route.build);
        let packed = self.pack(move |connection, now| build(connection, now)).await?;
        place.current.store(Some(Arc::clone(&packed)));
        Ok(packed)
    }

    async fn build_for(&self, place: &PrefixEntry, address: &str) -> Result<Arc<CachedResponse>, AppError> {
        let _turn = place.building.lock().await;
        if let Some(packed) = place.kept.get(address).and_then(|packed| self.if_true(packed)) {
            return Ok(packed);
        }
        let build = Arc::clone(&place.family.build);
        let rest = address[place.family.prefix.len()..].to_owned();
        let packed = self.pack(move |connection, now| build(connection, now, &rest)).await?;
        if packed.is_ok() {
            place.kept.put(address, Arc::clone(&packed));
        }
        Ok(packed)
    }

    /// Makes an answer from one snapshot, and says of which version that is.
    async fn pack(
        &self,
        build: impl FnOnce(&Connection, DateTime<Utc>) -> Result<Representation, AppError> + Send + 'static,
    ) -> Result<Arc<CachedResponse>, AppError> {
        let common = self.common.clone();
        let now = self.clock.now();
        let read = move |connection: &Connection| {
            let version = db::content_version(connection)?;
            Ok(CachedResponse::new(build(connection, now)?, version, &common))
        };
        Ok(Arc::new(self.db.read(read).await?))
    }
}
