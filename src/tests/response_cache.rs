//! The response cache over HTTP; its unit tests are in `platform/response_cache`.

use chrono::Utc;
use serde_json::json;

use super::support::{TestApp, online_event};
use crate::platform::clock::parse_timestamp;

#[tokio::test]
async fn a_change_is_visible_in_the_next_response() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));

    let id = app.an_online_event(&admin).await;
    assert_eq!(app.visitor().get("/api/events").await.json()[0]["id"], id);
    assert!(app.visitor().get("/").await.text().contains("Reading a rent roll"));

    assert_eq!(admin.delete(&format!("/api/events/{id}")).await.status, 204);
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));
}

#[tokio::test]
async fn a_matching_etag_gets_304_until_the_content_changes() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let first = app.visitor().get("/api/events").await;
    let again = app.visitor().with("if-none-match", &first.header("etag")).get("/api/events").await;
    assert_eq!(again.status, 304);
    assert!(again.body.is_empty());

    let speaker = app.a_speaker(&admin).await;
    admin.post("/api/events", online_event("New", &[speaker])).await.created_id();
    let changed = app.visitor().with("if-none-match", &first.header("etag")).get("/api/events").await;
    assert_eq!(changed.status, 200);
}

#[tokio::test]
async fn every_content_coding_has_the_same_body() {
    use std::io::Read as _;

    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    // The second one is a file of the page, where this program was built with the page.
    let file = crate::assets::template().map(|_| "/art/hero-skyline-day.svg");
    for path in ["/api/events"].into_iter().chain(file) {
        let plain = app.visitor().get(path).await;
        assert_eq!(plain.header("content-encoding"), "", "{path}");

        // The second request finds what the first one made.
        for _ in 0..2 {
            let gzip = app.visitor().with("accept-encoding", "gzip").get(path).await;
            assert_eq!(gzip.header("content-encoding"), "gzip", "{path}");
            let mut decompressed = Vec::new();
            flate2::read::GzDecoder::new(gzip.body.as_ref()).read_to_end(&mut decompressed).unwrap();
            assert_eq!(decompressed, plain.body, "{path}");
        }

        let brotli = app.visitor().with("accept-encoding", "gzip, br").get(path).await;
        assert_eq!(brotli.header("content-encoding"), "br", "{path}");
        let mut decompressed = Vec::new();
        brotli::Decompressor::new(brotli.body.as_ref(), 4096).read_to_end(&mut decompressed).unwrap();
        assert_eq!(decompressed, plain.body, "{path}");

        let uncompressed = app.visitor().with("accept-encoding", "br;q=0").get(path).await;
        assert_eq!((uncompressed.header("content-encoding").as_str(), &uncompressed.body), ("", &plain.body), "{path}");
    }
}

#[tokio::test]
async fn what_a_page_of_another_site_requests_is_not_compressed() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    let visitor = || app.visitor().with("accept-encoding", "gzip, br").with("referer", "https://other.example/");
    // Also after the compressed response was cached.
    for _ in 0..2 {
        assert_eq!(visitor().get("/api/events").await.header("content-encoding"), "");
        let link = visitor().with("sec-fetch-site", "cross-site").with("sec-fetch-mode", "navigate");
        assert_eq!(link.get("/api/events").await.header("content-encoding"), "br");
    }
}

#[tokio::test]
async fn the_year_of_the_footer_changes_at_midnight_in_new_york() {
    let app = TestApp::start();
    let midnight = parse_timestamp("2031-01-01T05:00:00Z").unwrap();
    app.clock.advance((midnight - Utc::now()).num_seconds() - 60);
    for path in ["/", "/calendar", "/nothing"] {
        assert!(app.visitor().get(path).await.text().contains("© 2030 "), "{path}");
    }
    app.clock.advance(120);
    for path in ["/", "/calendar", "/nothing"] {
        assert!(app.visitor().get(path).await.text().contains("© 2031 "), "{path}: the cached page is stale");
    }
}
