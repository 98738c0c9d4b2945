//! Provider errors: each ends the sync soon with one clear sentence, and nothing is written.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;

use super::SyncTest;
use crate::features::brandlive::probe;
use crate::platform::error::ErrorChain;
use crate::tests::support::fake_brandlive::{FakeBrandlive, FakeResponse, KEY, SECRET, items, pages};
use crate::tests::support::program::{EMAIL, PASSWORD, Server, create_admin};
use crate::tests::support::{ClosedPort, TestApp};

/// Syncs against a failing provider and expects this text in the error.
async fn fails_with(fake: FakeBrandlive, more: &str, text: &str) -> SyncTest {
    site_fails_with(SyncTest::with(fake, more).await, text).await
}

/// The same with other timeouts: of each request, and in total.
async fn fails_within(request: u32, total: u32, fake: FakeBrandlive, text: &str) -> SyncTest {
    let mut config = fake.config();
    (config.brandlive.request_seconds, config.brandlive.total_seconds) = (request, total);
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    site_fails_with(SyncTest { app, admin, fake }, text).await
}

async fn site_fails_with(site: SyncTest, text: &str) -> SyncTest {
    let before = (site.stored(), site.runs());
    let started = Instant::now();
    let message = site.sync_error(502).await;
    assert!(started.elapsed() < Duration::from_secs(12), "{text}: {:?}", started.elapsed());
    assert!(message.contains(text), "{text}: {message}");
    assert!(!message.contains(KEY) && !message.contains(SECRET) && !message.contains('?'), "{message}");
    assert_eq!((site.stored(), site.runs()), before, "{text}");
    site
}

fn raw(status: u16, headers: Vec<(&'static str, String)>, body: &str) -> FakeBrandlive {
    let body = body.as_bytes().to_vec();
    FakeBrandlive::new(move |_, _| FakeResponse::Raw(status, headers.clone(), body.clone()))
}

#[tokio::test]
async fn permanent_errors_are_not_retried() {
    let html = "<!doctype html><title>Sign in</title>";
    let cases = [
        (304, vec![], "", "with 304 (not modified)"),
        (401, vec![], "{}", "rejects the key (401)"),
        (403, vec![], "{}", "rejects the key (403)"),
        (404, vec![], "{}", "has nothing at /v1/events (404)"),
        (422, vec![], "{}", "rejects the request to /v1/events (422)"),
        (
            302,
            vec![("Location", "https://elsewhere.example/".to_owned())],
            "",
            "with a redirect (302), which is not followed",
        ),
        (200, vec![("Content-Type", "text/html".to_owned())], html, "with a web page instead of JSON"),
        (200, vec![], "{\"data\": [{\"uuid\": \"a\"", "is not complete JSON"),
        (200, vec![], "{\"data\": []} x", "is not complete JSON"),
        (200, vec![], "", "is empty"),
        (200, vec![], "{\"data\": {}}", "contains no list of events at any of"),
        (200, vec![], "null", "contains no list of events at any of"),
        (200, vec![], "{\"error\": \"down\"}", "to /v1/events with status 200, but the body reports an error"),
        (200, vec![], "{\"message\": \"Try again\"}", "but the body reports an error"),
        (200, vec![], "{\"data\": null, \"errors\": [{}]}", "but the body reports an error"),
        (200, vec![], "{\"data\": [], \"success\": false}", "but the body reports an error"),
    ];
    for (status, headers, body, text) in cases {
        let site = fails_with(raw(status, headers, body), "", text).await;
        assert_eq!(site.fake.requests().len(), 1, "{text}");
    }
}

#[tokio::test]
async fn transient_errors_are_retried_until_the_time_limit_is_reached() {
    let (lost, cut_off) = ("The connection to Brandlive was lost", "response was cut off");
    let late = "did not respond in time; gave up after";
    let long = Duration::from_secs(20);
    let cases = [
        (raw(500, vec![], "{}"), "returned a server error (500); gave up after", 8),
        (raw(503, vec![], "{}"), "(503)", 8),
        (raw(408, vec![], "{}"), "(408)", 8),
        (raw(429, vec![], "{}"), "too many requests (429)", 8),
        (FakeBrandlive::new(|_, _| FakeResponse::Close), lost, usize::MAX),
        (FakeBrandlive::new(|_, _| FakeResponse::CutOff), cut_off, usize::MAX),
        (FakeBrandlive::new(move |_, _| FakeResponse::Hang(long)), late, usize::MAX),
        (FakeBrandlive::new(move |_, _| FakeResponse::Stall(long)), late, usize::MAX),
    ];
    // Side by side, because each waits for the time limit.
    let all = cases.map(async |(fake, text, most)| {
        let requests = fails_with(fake, "", text).await.fake.requests().len();
        assert!((2..=most).contains(&requests), "{text}: {requests}");
    });
    join_all(all).await;
}

#[tokio::test]
async fn the_total_timeout_is_reported_whichever_request_it_cuts_short() {
    const OVER: &str = "Brandlive took longer than 2 seconds in total";
    let long = Duration::from_secs(20);
    // Before the first page, and within it.
    for respond in [FakeResponse::Hang as fn(Duration) -> FakeResponse, FakeResponse::Stall] {
        let list = pages(items(150), 100);
        let fake =
            FakeBrandlive::new(
                move |request, number| {
                    if request.parameter("page") == "1" { respond(long) } else { list(request, number) }
                },
            );
        let site = fails_within(15, 2, fake, OVER).await;
        assert_eq!(site.fake.requests().len(), 1, "no attempt without time left");
    }
    // An earlier error is reported rather than the timeout.
    let fake =
        FakeBrandlive::new(move |_, number| if number == 0 { FakeResponse::Close } else { FakeResponse::Stall(long) });
    fails_within(15, 2, fake, "The connection to Brandlive was lost; gave up after 2 attempts").await;
}

#[tokio::test]
async fn a_refused_connection_is_reported() {
    let fake = FakeBrandlive::new(|_, _| FakeResponse::Close);
    let closed = ClosedPort::new();
    let mut config = fake.config();
    config.brandlive.base_url = format!("http://{}", closed.address).parse().unwrap();
    let app = TestApp::start_with(config);
    let response = app.sign_in_admin().await.post("/api/sync-brandlive", json!({})).await;
    assert_eq!(response.status, 502);
    assert!(response.error().contains("the connection was refused"), "{}", response.error());
}

#[tokio::test]
async fn a_transient_error_followed_by_a_response_is_no_error() {
    for respond in [
        || FakeResponse::Raw(500, vec![], vec![]),
        || FakeResponse::Raw(429, vec![("Retry-After", "1".to_owned())], vec![]),
        || FakeResponse::Raw(429, vec![("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT".to_owned())], vec![]),
        || FakeResponse::Close,
        || FakeResponse::CutOff,
        || FakeResponse::Hang(Duration::from_millis(1_300)),
    ] {
        let list = pages(items(2), 100);
        let fake =
            FakeBrandlive::new(move |request, number| if number == 0 { respond() } else { list(request, number) });
        let site = SyncTest::with(fake, "").await;
        assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
    }
}

#[tokio::test]
async fn a_retry_after_beyond_the_total_timeout_ends_the_sync() {
    // With a total timeout that is longer than the test may take.
    let fake = raw(429, vec![("Retry-After", "600".to_owned())], "");
    let site = fails_within(15, 90, fake, "requests a wait of 600 seconds; gave up after 1 attempt").await;
    assert_eq!(site.fake.requests().len(), 1);
}

#[tokio::test]
async fn a_retry_after_of_zero_does_not_shorten_the_back_off() {
    let date = "Wed, 21 Oct 2015 07:28:00 GMT";
    // Side by side, because each waits for the time limit.
    let all = [("0", 429), ("0", 503), (date, 429), (date, 503)].map(async |(wait, status)| {
        let fake = raw(status, vec![("Retry-After", wait.to_owned())], "");
        let site = fails_with(fake, "", "; gave up after").await;
        assert!((2..=8).contains(&site.fake.requests().len()), "{}", site.fake.requests().len());
    });
    join_all(all).await;
}

#[tokio::test]
async fn a_long_retry_after_applies_to_the_next_syncs() {
    let in_an_hour = (chrono::Utc::now() + chrono::TimeDelta::hours(1)).to_rfc2822();
    for wait in ["3600".to_owned(), u64::MAX.to_string(), "9".repeat(40), in_an_hour] {
        for more in ["", "[brandlive.credentials]\nmode = \"token\""] {
            let site = fails_with(raw(429, vec![("Retry-After", wait.clone())], ""), more, "requests a wait of").await;
            site.fake.set_items(items(2));
            let site = site_fails_with(site, "Brandlive permits no request before 20").await;
            assert!(site.fake.requests().is_empty());
            let sql = "UPDATE brandlive_resume SET state = json_set(state, '$.pause.until', 1)";
            site.app.write_as_another_process(sql, []);
            site.fake.respond_with(|request, _| {
                let page = if request.parameter("page") == "1" { items(2) } else { Vec::new() };
                FakeResponse::Json(json!({ "access_token": "a-token", "data": page }))
            });
            assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
        }
    }
}

#[tokio::test]
async fn a_request_limit_does_not_conceal_a_failing_provider() {
    let token = "requests_per_hour = 2\n[brandlive.credentials]\nmode = \"token\"";
    for more in ["requests_per_hour = 1", "requests_per_minute = 2", token] {
        let site = fails_with(raw(500, vec![], ""), more, "returned a server error (500); gave up after").await;
        assert!((1..=2).contains(&site.fake.requests().len()));
    }
    let list = pages(items(150), 100);
    let fake =
        FakeBrandlive::new(
            move |request, number| {
                if request.parameter("page") == "2" { FakeResponse::Close } else { list(request, number) }
            },
        );
    let site = SyncTest::with(fake, "requests_per_hour = 2").await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    let problem = result["problem"].as_str().unwrap();
    assert!(
        problem.starts_with("The connection to Brandlive was lost; gave up after 1 attempt; the pages"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_host_that_does_not_resolve_has_its_own_sentence() {
    let mut config = FakeBrandlive::new(|_, _| FakeResponse::Close).config();
    config.brandlive.base_url = format!("http://{}.invalid", "a".repeat(64)).parse().unwrap();
    let app = TestApp::start_with(config);
    let response = app.sign_in_admin().await.post("/api/sync-brandlive", json!({})).await;
    assert!(
        response.error().starts_with("Brandlive's host could not be found; check base_url"),
        "{}",
        response.error()
    );
}

#[tokio::test]
async fn a_response_that_is_too_large_is_an_error() {
    let site =
        fails_with(FakeBrandlive::new(|_, _| FakeResponse::Endless(50_000_000)), "", "is larger than 16 MB").await;
    assert_eq!(site.fake.requests().len(), 1);
    let body = vec![b' '; 17 * 1024 * 1024];
    fails_with(
        FakeBrandlive::new(move |_, _| FakeResponse::Raw(200, vec![], body.clone())),
        "",
        "is larger than 16 MB",
    )
    .await;
}

#[tokio::test]
async fn a_second_sync_at_the_same_time_is_a_conflict() {
    let (fake, hold) = FakeBrandlive::listing_later(items(2));
    let site = SyncTest::with(fake, "").await;
    let (admin, other) = (site.admin.clone(), site.admin.clone());
    let first = tokio::spawn(async move { admin.post("/api/sync-brandlive", json!({})).await });
    site.wait_for_request().await;
    let second = other.post("/api/sync-brandlive", json!({})).await;
    drop(hold);
    assert_eq!((second.status.as_u16(), second.error().as_str()), (409, "Another Brandlive sync is running"));
    assert_eq!(first.await.unwrap().status, 200);
    assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged");
}

#[tokio::test]
async fn a_client_that_disconnects_does_not_stop_the_sync() {
    let (fake, hold) = FakeBrandlive::listing_later(items(2));
    let site = SyncTest::with(fake, "").await;
    let admin = site.admin.clone();
    let client = tokio::spawn(async move { admin.post("/api/sync-brandlive", json!({})).await });
    site.wait_for_request().await;
    client.abort();
    assert!(client.await.unwrap_err().is_cancelled());
    drop(hold);
    for _ in 0..600 {
        if site.events().await.len() == 2 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the sync stopped");
}

#[tokio::test]
async fn without_a_key_the_sync_is_not_configured() {
    let app = TestApp::start();
    let response = app.sign_in_admin().await.post("/api/sync-brandlive", json!({})).await;
    assert_eq!(response.status, 503);
    assert_eq!(
        response.error(),
        "Brandlive is not configured; whoever runs this server can set api_key and api_secret under [brandlive]"
    );
    assert_eq!(app.visitor().post("/api/sync-brandlive", json!({})).await.status, 401);
}

#[test]
fn errors_keep_their_causes_for_the_log() {
    let closed = ClosedPort::new();
    for (base_url, cause) in [
        (format!("http://{}", closed.address), "Connection refused"),
        ("http://brandlive.invalid".to_owned(), "the host could not be found"),
    ] {
        let mut config = FakeBrandlive::new(|_, _| FakeResponse::Close).config();
        config.brandlive.base_url = base_url.parse().unwrap();
        let error = probe(&config.brandlive, &config.network).unwrap_err();
        let logged = ErrorChain(&error).to_string();
        assert!(logged.starts_with(&format!("{error}: ")) && logged.contains(cause), "{logged}");
        let mut last: &dyn std::error::Error = &error;
        while let Some(source) = last.source() {
            last = source;
        }
        assert!(last.is::<ureq::Error>(), "{last:?}");
    }
    let fake = raw(200, vec![], "{\"data\": [1,");
    let config = fake.config();
    let error = probe(&config.brandlive, &config.network).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().is::<serde_json::Error>(), "{error:?}");
}

#[test]
fn a_failed_sync_is_one_line_of_the_log_with_its_causes_and_its_request() {
    let closed = ClosedPort::new();
    let folder = tempfile::tempdir().unwrap();
    create_admin(folder.path());
    let config = format!(
        "[brandlive]\nbase_url = \"http://{}\"\napi_key = \"{KEY}\"\napi_secret = \"{SECRET}\"\n\
         request_seconds = 1\ntotal_seconds = 3\n",
        closed.address
    );
    std::fs::write(folder.path().join("config.toml"), config).unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);

    let response = admin.post("/api/sync-brandlive", &json!({}));

    assert_eq!(response.status, 502, "{}", response.text());
    let log = server.log();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("the connection was refused")).collect();
    let [line] = lines[..] else { panic!("not one line: {log}") };
    let id = format!("id={:?}", response.header("x-request-id"));
    let request = "method=\"POST\" path=\"/api/sync-brandlive\"";
    for part in ["WARN", "a provider failed", "os error 111", &id, request] {
        assert!(line.contains(part), "{part}: {line}");
    }
}
