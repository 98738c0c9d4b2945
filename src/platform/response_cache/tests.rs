//! Freshness, single builds and eviction.
#![expect(clippy::unwrap_used, reason = "a failed step must stop the test")]

use std::io::Read as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use tokio::sync::mpsc;

use super::*;
use crate::platform::content_coding::{ContentCoding, decompress_brotli};
use crate::platform::db::DbOptions;

const ADMIN_COOKIES: &[&str] = &["session"];

fn cache(routes: Vec<CachedRoute>) -> (Arc<ResponseCache>, Clock, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    db::migrate_file(&path).unwrap();
    let (db, clock) = (Db::serve(&path, DbOptions::default()).unwrap(), Clock::default());
    let cache = ResponseCache::new(routes, HeaderMap::new(), ADMIN_COOKIES, db, clock.clone());
    (Arc::new(cache), clock, folder)
}

fn text(length: usize) -> Representation {
    Representation::new("text/plain", vec![b'x'; length])
}

/// A route that counts how often it is built.
fn counting(path: &'static str) -> (CachedRoute, Arc<AtomicUsize>) {
    let builds = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&builds);
    let route = CachedRoute::new(path, move |_, now, rest| {
        counter.fetch_add(1, Ordering::Relaxed);
        let fresh_until = Some(now + chrono::TimeDelta::seconds(60));
        let status = if rest.ends_with("missing") { http::StatusCode::NOT_FOUND } else { http::StatusCode::OK };
        Ok(Representation { status, fresh_until, ..text(600) })
    });
    (route, builds)
}

#[tokio::test]
async fn concurrent_requests_for_one_key_build_it_once() {
    let (route, builds) = counting("/page");
    let (cache, clock, _folder) = cache(vec![route.ignore_query()]);
    let headers = HeaderMap::new();
    let requests: Vec<_> = (0..20).map(|_| cache.respond("/page", &headers)).collect();
    for response in futures_util::future::join_all(requests).await {
        assert_eq!(response.unwrap().status(), 200);
    }
    assert_eq!(builds.load(Ordering::Relaxed), 1);

    clock.advance(59);
    cache.respond("/page?query", &headers).await.unwrap();
    assert_eq!(builds.load(Ordering::Relaxed), 1);
    clock.advance(2);
    cache.respond("/page", &headers).await.unwrap();
    assert_eq!(builds.load(Ordering::Relaxed), 2, "it is rebuilt when it is no longer fresh");
}

#[tokio::test]
async fn a_deferred_response_with_the_same_input_is_not_built_again() {
    let (input, builds) = (Arc::new(AtomicUsize::new(1)), Arc::new(AtomicUsize::new(0)));
    let (route_input, counter) = (Arc::clone(&input), Arc::clone(&builds));
    let route = CachedRoute::new("/page", move |_, now, _| {
        let (input, counter) = (route_input.load(Ordering::Relaxed), Arc::clone(&counter));
        let complete = move || {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(Representation { fresh_until: Some(now + chrono::TimeDelta::seconds(60)), ..text(input) })
        };
        let input_hash = [u8::try_from(input).unwrap(); 32];
        Ok(RouteOutput::Deferred(DeferredResponse { input_hash, build: Box::new(complete) }))
    });
    let (cache, clock, _folder) = cache(vec![route]);
    let headers = HeaderMap::new();
    // Simulates a change of the content.
    let change_content = || cache.responses.get("/page").unwrap().version.store(-1, Ordering::Relaxed);
    let respond = async || {
        cache.respond("/page", &headers).await.unwrap();
        builds.load(Ordering::Relaxed)
    };

    assert_eq!(respond().await, 1);
    change_content();
    assert_eq!(respond().await, 1, "the page is the same");
    input.store(2, Ordering::Relaxed);
    assert_eq!(respond().await, 1, "nothing has changed in the database");
    change_content();
    assert_eq!(respond().await, 2);
    clock.advance(61);
    assert_eq!(respond().await, 3, "an expired response is built again");
}

#[tokio::test]
async fn a_slow_page_does_not_delay_another_page_of_the_same_route() {
    let (release, gate) = std::sync::mpsc::channel::<()>();
    let gate = std::sync::Mutex::new(gate);
    let (started, mut has_started) = mpsc::unbounded_channel();
    let route = CachedRoute::new("/pages/", move |_, _, rest| {
        if rest == "slow" {
            started.send(()).unwrap();
            gate.lock().unwrap().recv().unwrap();
        }
        Ok(text(10))
    });
    let (cache, _clock, _folder) = cache(vec![route.with_subpaths().ignore_query()]);
    let headers = HeaderMap::new();
    let slow = tokio::spawn({
        let cache = Arc::clone(&cache);
        async move { cache.respond("/pages/slow", &HeaderMap::new()).await.unwrap().status() }
    });
    has_started.recv().await.unwrap();
    let quick = tokio::time::timeout(Duration::from_secs(20), cache.respond("/pages/quick", &headers)).await;
    assert_eq!(quick.expect("the quick page does not wait").unwrap().status(), 200);
    release.send(()).unwrap();
    assert_eq!(slow.await.unwrap(), 200);
}

#[tokio::test]
async fn only_successful_responses_of_a_prefix_are_stored() {
    let (route, builds) = counting("/pages/");
    let (cache, _clock, _folder) = cache(vec![route.with_subpaths().ignore_query()]);
    let headers = HeaderMap::new();
    for _ in 0..2 {
        assert_eq!(cache.respond("/pages/missing", &headers).await.unwrap().status(), 404);
        assert_eq!(cache.respond("/pages/found", &headers).await.unwrap().status(), 200);
    }
    assert_eq!(builds.load(Ordering::Relaxed), 3);
    assert_eq!(cache.responses.len(), 1);
}

#[tokio::test]
async fn the_cache_stays_within_its_capacity_and_keeps_fixed_routes() {
    let body = incompressible(1024 * 1024);
    let large = CachedRoute::new("/pages/", move |_, _, _| Ok(Representation::new("text/plain", body.clone())));
    let huge = CachedRoute::new("/huge", |_, _, _| Ok(text(40 * 1024 * 1024)));
    let (cache, _clock, _folder) = cache(vec![large.with_subpaths().ignore_query(), huge]);
    let headers = HeaderMap::new();
    cache.respond("/huge", &headers).await.unwrap();
    for number in 0..40 {
        cache.respond(&format!("/pages/{number}"), &headers).await.unwrap();
        assert!(cache.responses.weight() <= CAPACITY);
    }
    assert!(cache.responses.len() < 20);
    assert!(cache.responses.get("/huge").is_some());
}

/// Bytes that look random (xorshift).
fn incompressible(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[tokio::test]
async fn hundreds_of_pages_fit_compressed_and_every_coding_has_the_same_content() {
    // As long as the page of an event, and as compressible.
    let page = [&b"<li>An evening with the numbers of a deal</li>".repeat(1_500)[..], &incompressible(16_000)].concat();
    let body = page.clone();
    let pages = CachedRoute::new("/pages/", move |_, _, _| Ok(Representation::new("text/html", body.clone())));
    let (cache, _clock, _folder) = cache(vec![pages.with_subpaths().ignore_query()]);
    let request =
        |coding| HeaderMap::from_iter([(http::header::ACCEPT_ENCODING, http::HeaderValue::from_static(coding))]);
    let body = async |coding: ContentCoding, accepted| {
        let response = cache.respond("/pages/0", &request(accepted)).await.unwrap();
        assert_eq!(response.headers().get(http::header::CONTENT_ENCODING).cloned(), coding.header());
        axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap()
    };
    let uncompressed = body(ContentCoding::Identity, "").await;
    assert!(uncompressed == page, "the uncompressed body differs");
    assert_eq!(decompress_brotli(&body(ContentCoding::Brotli, "br").await).unwrap(), uncompressed);
    let mut from_gzip = Vec::new();
    flate2::read::GzDecoder::new(&*body(ContentCoding::Gzip, "gzip").await).read_to_end(&mut from_gzip).unwrap();
    assert_eq!(from_gzip, uncompressed);

    for number in 0..700 {
        cache.respond(&format!("/pages/{number}"), &request("br")).await.unwrap();
    }
    assert!(cache.responses.len() > 600, "{} of 700 pages fit", cache.responses.len());
}

#[tokio::test]
async fn clients_without_compression_share_one_body_and_can_not_fill_the_memory() {
    const MIB: usize = 1024 * 1024;
    let route = CachedRoute::new("/lists/", |_, _, _| Ok(text(22 * MIB)));
    let (cache, _clock, _folder) = cache(vec![route.with_subpaths().ignore_query()]);
    let headers = HeaderMap::new();
    let body = async |path| match cache.respond(path, &headers).await {
        Ok(response) => axum::body::to_bytes(response.into_body(), usize::MAX).await.map_err(AppError::internal),
        Err(error) => Err(error),
    };
    let (first, again) = (body("/lists/1").await.unwrap(), body("/lists/1").await.unwrap());
    assert_eq!((first.len(), first.as_ptr()), (22 * MIB, again.as_ptr()));
    let second = body("/lists/2").await.unwrap();
    // A third would be more than 64 MiB.
    assert_eq!(body("/lists/3").await.unwrap_err().status(), 503);
    // One that is sent at the moment costs no memory.
    assert_eq!(body("/lists/2").await.unwrap().as_ptr(), second.as_ptr());
    drop((first, again));
    assert_eq!(body("/lists/3").await.unwrap().len(), 22 * MIB);
}

#[tokio::test]
async fn concurrent_requests_compress_a_response_once() {
    let (route, _) = counting("/page");
    let (cache, _clock, _folder) = cache(vec![route]);
    let mut headers = HeaderMap::new();
    headers.insert(http::header::ACCEPT_ENCODING, http::HeaderValue::from_static("br"));
    let requests: Vec<_> = (0..20).map(|_| cache.respond("/page", &headers)).collect();
    for response in futures_util::future::join_all(requests).await {
        assert_eq!(response.unwrap().headers()["content-encoding"], "br");
    }
    let request = Request::get("/page").header("host", "x").header("accept-encoding", "br").body(Body::empty());
    let response = cache.respond_if_cached(&request.unwrap()).expect("it is cached and compressed");
    assert_eq!(response.headers()["content-encoding"], "br");
}
