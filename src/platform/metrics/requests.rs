//! Requests by route, method and status, with their durations. Routes are patterns such as `/api/events/{id}`, of which
//! there are few, never paths.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use http::{Method, StatusCode};

use super::{Exposition, Histogram};

/// The methods of endpoints; others are counted as `other`.
const METHODS: [Method; 5] = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE];
/// The status codes that are sent; others are counted as `other`.
const STATUSES: [u16; 26] = [
    200, 201, 204, 206, 301, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 422, 429, 431,
    500, 502, 503,
];
/// Bucket bounds in nanoseconds: from 0.1 ms, the most that a cached response takes, to 10 s.
const DURATIONS: [u64; 11] = [
    100_000,
    500_000,
    1_000_000,
    5_000_000,
    25_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000,
    10_000_000_000,
];
const NANOSECONDS_PER_SECOND: f64 = 1e9;

/// The requests of all routes.
#[derive(Debug, Default)]
pub struct RequestMetrics {
    routes: RwLock<BTreeMap<String, Arc<RouteMetrics>>>,
}

#[derive(Debug)]
pub struct RouteMetrics {
    methods: [MethodMetrics; METHODS.len() + 1],
    cache_hits: AtomicU64,
    cache_builds: AtomicU64,
}

#[derive(Debug)]
struct MethodMetrics {
    statuses: [AtomicU64; STATUSES.len() + 1],
    durations: Histogram,
}

impl RequestMetrics {
    /// The metrics of a route, which begin with 0. Allocates only for a route that is new.
    pub fn route(&self, pattern: &str) -> Arc<RouteMetrics> {
        // A panic can't leave the map in an invalid state.
        if let Some(route) = self.routes.read().unwrap_or_else(PoisonError::into_inner).get(pattern) {
            return Arc::clone(route);
        }
        let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(routes.entry(pattern.to_owned()).or_insert_with(|| {
            Arc::new(RouteMetrics {
                methods: std::array::from_fn(|_| MethodMetrics {
                    statuses: std::array::from_fn(|_| AtomicU64::new(0)),
                    durations: Histogram::new(&DURATIONS),
                }),
                cache_hits: AtomicU64::new(0),
                cache_builds: AtomicU64::new(0),
            })
        }))
    }

    /// Appends the metrics of all routes.
    pub fn write(&self, text: &mut Exposition) {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let methods = || {
            routes.iter().flat_map(|(route, metrics)| {
                metrics.methods.iter().enumerate().map(move |(index, method)| {
                    (route.as_str(), METHODS.get(index).map_or("other", Method::as_str), method)
                })
            })
        };
        let name = "lectern_http_requests_total";
        text.begin(name, "counter", "Requests by route, method and status.");
        for (route, method, metrics) in methods() {
            for (index, count) in metrics.statuses.iter().enumerate() {
                let count = count.load(Ordering::Relaxed);
                let status = STATUSES.get(index).map_or("other".to_owned(), u16::to_string);
                if count > 0 {
                    text.value(name, &[("route", route), ("method", method), ("status", &status)], count);
                }
            }
        }
        let name = "lectern_http_request_duration_seconds";
        text.begin(name, "histogram", "Time from the headers of a request until its response is ready to send.");
        for (route, method, metrics) in methods().filter(|(_, _, metrics)| metrics.durations.count() > 0) {
            text.histogram(name, &[("route", route), ("method", method)], &metrics.durations, NANOSECONDS_PER_SECOND);
        }
        let name = "lectern_cache_hits_total";
        text.begin(name, "counter", "Requests to cached routes that were served without a build.");
        for (route, metrics) in routes.iter().filter(|(_, metrics)| metrics.is_cached()) {
            text.value(name, &[("route", route)], metrics.cache_hits.load(Ordering::Relaxed));
        }
        let name = "lectern_cache_builds_total";
        text.begin(name, "counter", "Responses of cached routes that were built from the database.");
        for (route, metrics) in routes.iter().filter(|(_, metrics)| metrics.is_cached()) {
            text.value(name, &[("route", route)], metrics.cache_builds.load(Ordering::Relaxed));
        }
    }
}

impl RouteMetrics {
    /// Counts a request whose response is ready, and the time since it `started`.
    pub fn count(&self, method: &Method, status: StatusCode, started: Instant) {
        let index = METHODS.iter().position(|known| known == method).unwrap_or(METHODS.len());
        let metrics = &self.methods[index];
        let index = STATUSES.binary_search(&status.as_u16()).unwrap_or(STATUSES.len());
        metrics.statuses[index].fetch_add(1, Ordering::Relaxed);
        metrics.durations.observe(u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX));
    }

    /// Counts a response that was found in the cache.
    pub fn cache_hit(&self) {
        self.cache_hits.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a response that was built.
    pub fn cache_build(&self) {
        self.cache_builds.fetch_add(1, Ordering::Relaxed);
    }

    fn is_cached(&self) -> bool {
        self.cache_builds.load(Ordering::Relaxed) + self.cache_hits.load(Ordering::Relaxed) > 0
    }
}
