//! The response cache: the responses that are the same for every visitor. A response is built once per content version,
//! stored with its headers, and compressed once for each content coding.
//!
//! Invalidation: a response stores the content version of the snapshot from which it was built, which triggers of the
//! database raise with every change (docs/decisions/0001). It is stale once [`Db::version`] is higher or `fresh_until` has
//! passed. A write evicts nothing; the next request builds the response again, or during a bulk change a background task
//! (docs/decisions/0039).

mod cached_response;
mod cross_site;
mod decompressed;
mod shared;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::response::Response;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::header::HeaderMap;
use http::{Method, Request};
use http_body_util::Full;
use quick_cache::sync::{Cache, EntryAction, EntryResult};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use rusqlite::Connection;

use cached_response::CommonHeaders;
pub use cached_response::{CachedResponse, DeferredResponse, MayBeFramed, Representation, RouteOutput, etag_matches};
pub use shared::{EVERYTHING, NO_SURROGATE_KEYS, RELEASE_LIFETIME};
use shared::{SharedCaching, is_from_admin};

use super::clock::Clock;
use super::config;
use super::db::{self, Db};
use super::error::AppError;
use super::metrics::{RequestMetrics, RouteMetrics};

/// Weight of all evictable responses together, in bytes.
const CAPACITY: u64 = 32 * 1024 * 1024;
/// Estimated number of responses, which sizes the cache's tables.
const ESTIMATED_RESPONSES: usize = 1_000;

/// How long a stale response may be served before it is built again, during a bulk change. The processors have other
/// work then.
const REBUILD_INTERVAL: Duration = Duration::from_secs(1);

/// What was read from one snapshot of the database.
enum Built {
    Complete(Box<CachedResponse>),
    /// With the content version of the snapshot.
    Deferred(DeferredResponse, i64, CommonHeaders),
}

type Build = dyn Fn(&Connection, DateTime<Utc>, &str) -> Result<RouteOutput, AppError> + Send + Sync;

/// A path, or all paths with a prefix, whose responses are cached.
pub struct CachedRoute {
    path: &'static str,
    is_prefix: bool,
    query: QueryHandling,
    before_build: Option<Box<dyn Fn() + Send + Sync>>,
    build: Arc<Build>,
    metrics: Option<Arc<RouteMetrics>>,
}

/// The route pattern of the paths that begin with `path`, for the router and the metrics.
pub fn pattern_of_subpaths(path: &str) -> String {
    format!("{path}{{rest}}")
}

/// How a cached route handles a query string.
enum QueryHandling {
    /// A request with a query string bypasses the cache and reaches the endpoint's handler.
    Bypass,
    /// The response is the same with every query string.
    Ignore,
    /// The query string is part of the key.
    InKey,
    /// The canonical part of the query string that the function returns is part of the key.
    Canonical(fn(&str) -> Option<String>),
}

impl CachedRoute {
    /// Caches the response at exactly `path`. `build` receives a connection, the current time and the rest of the key
    /// after `path`. A request with a query string reaches the endpoint's handler.
    pub fn new<B: Into<RouteOutput>>(
        path: &'static str,
        build: impl Fn(&Connection, DateTime<Utc>, &str) -> Result<B, AppError> + Send + Sync + 'static,
    ) -> Self {
        let build = move |connection: &Connection, now, rest: &str| build(connection, now, rest).map(Into::into);
        Self {
            path,
            is_prefix: false,
            query: QueryHandling::Bypass,
            before_build: None,
            build: Arc::new(build),
            metrics: None,
        }
    }

    /// Calls `before_build`, which must not block, before a response that was not cached is built.
    #[must_use]
    pub fn before_build(self, before_build: impl Fn() + Send + Sync + 'static) -> Self {
        Self { before_build: Some(Box::new(before_build)), ..self }
    }

    /// Matches every path that begins with the route's path.
    #[must_use]
    pub fn with_subpaths(self) -> Self {
        Self { is_prefix: true, ..self }
    }

    /// Sends the same response for every query string.
    #[must_use]
    pub fn ignore_query(self) -> Self {
        Self { query: QueryHandling::Ignore, ..self }
    }

    /// Makes the query string a part of the key. The endpoint's handler passes it to [`ResponseCache::respond`] in its
    /// canonical form; only that form is stored.
    #[must_use]
    pub fn query_in_key(self) -> Self {
        Self { query: QueryHandling::InKey, ..self }
    }

    /// Makes the canonical part of the query string, without its `?`, a part of the key; with `None` the key is the
    /// path.
    #[must_use]
    pub fn canonical_query(self, canonical: fn(&str) -> Option<String>) -> Self {
        Self { query: QueryHandling::Canonical(canonical), ..self }
    }

    /// Whether the key is the path of a route without subpaths. There is at most one such key for each route, so its
    /// response is stored with any status and never evicted; others are stored if they are 200, within [`CAPACITY`].
    fn is_fixed(&self, key: &str) -> bool {
        !self.is_prefix && key == self.path
    }

    fn key<'a>(&self, path_and_query: &'a str, path: &'a str, query: Option<&str>) -> Cow<'a, str> {
        match (&self.query, query) {
            (QueryHandling::InKey, _) => Cow::Borrowed(path_and_query),
            (QueryHandling::Canonical(canonical), Some(query)) => {
                canonical(query).map_or(Cow::Borrowed(path), |query| Cow::Owned(format!("{path}?{query}")))
            }
            _ => Cow::Borrowed(path),
        }
    }
}

#[derive(Clone)]
struct ByWeight;

impl Weighter<String, Arc<CachedResponse>> for ByWeight {
    fn weight(&self, _: &String, response: &Arc<CachedResponse>) -> u64 {
        response.weight
    }
}

/// The cached routes and their responses.
pub struct ResponseCache {
    routes: HashMap<&'static str, CachedRoute, DefaultHashBuilder>,
    prefixes: Vec<CachedRoute>,
    responses: Cache<String, Arc<CachedResponse>, ByWeight>,
    common: CommonHeaders,
    admin_cookies: &'static [&'static str],
    db: Db,
    clock: Clock,
}

impl fmt::Debug for ResponseCache {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.routes.keys()).entries(self.prefixes.iter().map(|route| route.path)).finish()
    }
}

impl ResponseCache {
    /// An empty cache. Every response carries the `common_headers`.
    /// Requests with one of the `admin_cookies` always get the current content.
    pub fn new(
        routes: Vec<CachedRoute>,
        common_headers: HeaderMap,
        admin_cookies: &'static [&'static str],
        db: Db,
        clock: Clock,
    ) -> Self {
        let (prefixes, routes): (Vec<_>, Vec<_>) = routes.into_iter().partition(|route| route.is_prefix);
        // One shard, because a response may be as heavy as the cache. Its lock is held for lookups only.
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity(ESTIMATED_RESPONSES)
            .weight_capacity(CAPACITY)
            .build();
        Self {
            routes: routes.into_iter().map(|route| (route.path, route)).collect(),
            prefixes,
            responses: match options {
                Ok(options) => Cache::with_options(
                    options,
                    ByWeight,
                    DefaultHashBuilder::default(),
                    quick_cache::sync::DefaultLifecycle::default(),
                ),
                Err(_) => Cache::with_weighter(ESTIMATED_RESPONSES, CAPACITY, ByWeight),
            },
            common: CommonHeaders { headers: common_headers, shared: None },
            admin_cookies,
            db,
            clock,
        }
    }

    /// Lets shared caches store responses that have keys, if the settings say so.
    #[must_use]
    pub fn with_shared_caching(mut self, config: &config::Cache) -> Self {
        self.common.shared = SharedCaching::new(config, self.admin_cookies).map(Arc::new);
        self
    }

    /// Counts requests that are served from the cache, and builds.
    #[must_use]
    pub fn with_metrics(mut self, metrics: &RequestMetrics) -> Self {
        for route in self.routes.values_mut() {
            route.metrics = Some(metrics.route(route.path));
        }
        for route in &mut self.prefixes {
            route.metrics = Some(metrics.route(&pattern_of_subpaths(route.path)));
        }
        self
    }

    /// The number of responses and their weight in bytes, without those that are never evicted.
    pub fn size(&self) -> (usize, u64) {
        (self.responses.len(), self.responses.weight())
    }

    /// The response to a request if it is cached, fresh and available in the content coding that the client prefers.
    pub fn respond_if_cached<B>(&self, request: &Request<B>) -> Option<http::Response<Full<Bytes>>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        let uri = request.uri();
        let route = self.route(uri.path())?;
        if matches!(route.query, QueryHandling::Bypass) && uri.query().is_some() {
            return None;
        }
        let metrics = route.metrics.as_deref().map(|metrics| (metrics, Instant::now()));
        let key = route.key(uri.path_and_query()?.as_str(), uri.path(), uri.query());
        let cached = self.responses.get(&*key).filter(|cached| self.is_fresh(cached))?;
        let seconds_left = || self.seconds_left(cached.fresh_until);
        let response = cached.respond_if_compressed(request.method(), request.headers(), seconds_left)?;
        if let Some((metrics, started)) = metrics {
            metrics.cache_hit();
            metrics.count(request.method(), response.status(), started);
        }
        Some(response)
    }

    /// The response at a path with an optional query string to a request with these headers, built and compressed first
    /// if necessary. One request builds a response, and others with the same key wait for it.
    ///
    /// # Errors
    /// 404 for a path without a cached route; any error of the route's `build`.
    pub async fn respond(self: &Arc<Self>, path_and_query: &str, request: &HeaderMap) -> Result<Response, AppError> {
        let (path, query) = match path_and_query.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path_and_query, None),
        };
        let route = self.route(path).ok_or(AppError::NotFound("Page"))?;
        let response = self.get_or_build(route, path, &route.key(path_and_query, path, query), request).await?;
        // A stale one is sent once more, such as while the storage fails, but shared caches must not store it.
        let seconds_left = || if self.is_fresh(&response) { self.seconds_left(response.fresh_until) } else { 0 };
        response.respond(request, seconds_left).await
    }

    /// A response that is not stored, with the same headers, ETag and content codings as cached ones.
    ///
    /// # Errors
    /// 500 if it can't be compressed.
    pub async fn respond_uncached(
        &self,
        representation: Representation,
        request: &HeaderMap,
    ) -> Result<Response, AppError> {
        let response = Arc::new(CachedResponse::new(representation, 0, &self.common));
        response.respond(request, || self.seconds_left(response.fresh_until)).await
    }

    /// Builds the responses at these paths, each with an optional canonical query string, from what a connection reads, and
    /// discards them.
    ///
    /// # Errors
    /// That of the first one that can't be built.
    pub fn try_build(&self, paths: &[&str], connection: &Connection) -> Result<(), AppError> {
        paths
            .iter()
            .filter_map(|path| self.route(path.split('?').next()?).map(|route| (route, &path[route.path.len()..])))
            .try_for_each(|(route, rest)| (route.build)(connection, self.clock.now(), rest).map(drop))
    }

    /// Lets a purge of everything, which each start sends, reach a response that changes with the release only and has its own
    /// `Cache-Control`.
    pub fn add_surrogate_keys_of_release(&self, headers: &mut HeaderMap) {
        if let Some(shared) = &self.common.shared {
            shared.add_surrogate_keys(&[], headers);
        }
    }

    fn route(&self, path: &str) -> Option<&CachedRoute> {
        self.routes.get(path).or_else(|| self.prefixes.iter().find(|route| path.starts_with(route.path)))
    }

    fn is_fresh(&self, response: &CachedResponse) -> bool {
        response.version.load(Ordering::Relaxed) >= self.db.version() && self.is_unexpired(response)
    }

    fn is_unexpired(&self, response: &CachedResponse) -> bool {
        response.fresh_until.is_none_or(|fresh_until| self.clock.is_before(fresh_until))
    }

    /// Stale-while-revalidate during a bulk change: whether a response is stale by nothing but that change. Visitors don't
    /// wait for each of its versions.
    fn may_serve_stale(&self, response: &CachedResponse, request: &HeaderMap) -> bool {
        response.is_ok()
            && self.is_unexpired(response)
            && self.db.is_bulk_change_since(response.version.load(Ordering::Relaxed))
            && !is_from_admin(request, self.admin_cookies)
    }

    /// Builds a stale response again and compresses it as this request prefers it, unless that was done a moment ago or is
    /// being done.
    fn revalidate_in_background(
        self: &Arc<Self>,
        path: &str,
        key: &str,
        stale: &Arc<CachedResponse>,
        request: &HeaderMap,
    ) {
        if stale.built_at.elapsed() < REBUILD_INTERVAL || stale.is_being_rebuilt.swap(true, Ordering::Relaxed) {
            return;
        }
        let (cache, path, key) = (Arc::clone(self), path.to_owned(), key.to_owned());
        let (stale, coding) = (Arc::clone(stale), stale.coding_for(request, false));
        tokio::spawn(async move {
            let Some(route) = cache.route(&path) else { return };
            route.metrics.iter().for_each(|metrics| metrics.cache_build());
            // After an error, the stale response stays: a request after the bulk change reports it if it persists.
            if let Ok(response) = cache.build(route, &key, Some(Arc::clone(&stale))).await
                && response.is_ok()
                && response.compress(coding).await.is_ok()
            {
                cache.responses.insert(key, response);
            }
            stale.is_being_rebuilt.store(false, Ordering::Relaxed);
        });
    }

    /// The whole seconds for which a response stays fresh, without the current second, which has begun.
    fn seconds_left(&self, fresh_until: Option<DateTime<Utc>>) -> i64 {
        fresh_until.map_or(i64::MAX, |fresh_until| fresh_until.timestamp() - self.clock.now().timestamp() - 1)
    }

    async fn get_or_build(
        self: &Arc<Self>,
        route: &CachedRoute,
        path: &str,
        key: &str,
        request: &HeaderMap,
    ) -> Result<Arc<CachedResponse>, AppError> {
        let hit = || route.metrics.iter().for_each(|metrics| metrics.cache_hit());
        if let Some(response) = self.responses.get(key) {
            let is_fresh = self.is_fresh(&response);
            if is_fresh || self.may_serve_stale(&response, request) {
                hit();
                if !is_fresh {
                    self.revalidate_in_background(path, key, &response, request);
                }
                return Ok(response);
            }
        }
        let replace_stale = |_: &String, response: &mut Arc<CachedResponse>| {
            if self.is_fresh(response) {
                EntryAction::Retain(Arc::clone(response))
            } else {
                EntryAction::ReplaceWithGuard
            }
        };
        let (guard, stale) = match self.responses.entry_async(key, replace_stale).await {
            EntryResult::Retained(response) => {
                hit();
                return Ok(response);
            }
            EntryResult::Vacant(guard) => (guard, None),
            EntryResult::Replaced(guard, stale) => (guard, Some(stale)),
            EntryResult::Removed(..) | EntryResult::Timeout => return Err(AppError::overloaded()),
        };
        route.metrics.iter().for_each(|metrics| metrics.cache_build());
        let response = match (self.build(route, key, stale.clone()).await, stale) {
            // While the storage fails, the stale response is served; the next request tries to build it again.
            (Err(AppError::StorageUnavailable(_)), Some(stale)) => stale,
            (result, _) => result?,
        };
        if route.is_fixed(key) || response.is_ok() {
            // The cache rejects a response that is too heavy.
            let _ = guard.insert(Arc::clone(&response));
        }
        Ok(response)
    }

    /// Builds a response from one snapshot of the database, whose content version it stores. Deferred work is skipped
    /// if its input is that of the `stale` response, which then only gets the new version.
    async fn build(
        &self,
        route: &CachedRoute,
        key: &str,
        stale: Option<Arc<CachedResponse>>,
    ) -> Result<Arc<CachedResponse>, AppError> {
        if let (Some(before_build), None) = (&route.before_build, &stale) {
            before_build();
        }
        let (build, rest) = (Arc::clone(&route.build), key[route.path.len()..].to_owned());
        let (now, common) = (self.clock.now(), self.common.clone());
        let read = move |connection: &Connection| {
            let version = db::content_version(connection)?;
            Ok(match build(connection, now, &rest)? {
                RouteOutput::Ready(representation) => {
                    Built::Complete(Box::new(CachedResponse::new(representation, version, &common)))
                }
                RouteOutput::Deferred(deferred) => Built::Deferred(deferred, version, common),
            })
        };
        let is_fixed = route.is_fixed(key);
        let complete: Box<dyn FnOnce() -> Result<CachedResponse, AppError> + Send> = match self.db.read(read).await? {
            Built::Complete(response) if is_fixed => return Ok(Arc::from(response)),
            Built::Complete(response) => Box::new(|| Ok(*response)),
            Built::Deferred(deferred, version, common) => {
                let same =
                    stale.filter(|stale| stale.input_hash == Some(deferred.input_hash) && self.is_unexpired(stale));
                if let Some(same) = same {
                    same.version.store(version, Ordering::Relaxed);
                    return Ok(same);
                }
                Box::new(move || {
                    let mut response = CachedResponse::new((deferred.build)()?, version, &common);
                    response.input_hash = Some(deferred.input_hash);
                    Ok(response)
                })
            }
        };
        // Others are not stored.
        let is_evictable = move |response: &CachedResponse| !is_fixed && response.is_ok();
        let complete = move || complete().map(|it| Arc::new(if is_evictable(&it) { it.into_evictable() } else { it }));
        tokio::task::spawn_blocking(complete).await.unwrap_or_else(|error| Err(AppError::internal(error)))
    }
}

#[cfg(test)]
mod tests;
