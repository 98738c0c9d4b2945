//! The response cache over HTTP; its unit tests are in `platform/response_cache`.

use std::time::Duration;

use chrono::Utc;
use serde_json::json;

use super::support::{Client, TestApp, online_event};
use crate::platform::clock::parse_timestamp;
use crate::platform::db;

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

/// Adds a speaker in another process, as a part of a bulk change or not.
fn add_speaker(app: &TestApp, is_bulk_change: bool) {
    app.change_as_another_process(|transaction| {
        if is_bulk_change {
            db::mark_bulk_change(transaction)?;
        }
        Ok(transaction.execute("INSERT INTO speakers (name, title) VALUES ('Ada', 'Host')", [])?)
    });
}

/// The number of speakers in the response.
async fn listed(client: &Client) -> usize {
    let response = client.get("/api/speakers").await;
    assert_eq!(response.status, 200);
    response.json().as_array().unwrap().len()
}

#[tokio::test]
async fn during_a_bulk_change_visitors_do_not_wait_and_admins_see_the_current_content() {
    let app = TestApp::start();
    let (admin, visitor) = (app.sign_in_admin().await, app.visitor());
    assert_eq!(listed(&visitor).await, 0);
    add_speaker(&app, true);
    add_speaker(&app, true);
    assert_eq!(listed(&visitor).await, 0, "what was current when it began");

    // An outdated response is built again in the background, at most once a second.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(listed(&visitor).await, 0);
    let rebuilt = async {
        while listed(&visitor).await != 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), rebuilt).await.expect("it is built again");

    add_speaker(&app, true);
    assert_eq!(listed(&admin).await, 3);
    add_speaker(&app, true);
    assert_eq!(listed(&visitor).await, 3);
    app.change_as_another_process(db::end_bulk_change);
    assert_eq!(listed(&visitor).await, 4, "after its end, the response is current");
    add_speaker(&app, false);
    assert_eq!(listed(&visitor).await, 5, "any other change is in the next response");
}

#[tokio::test]
async fn a_bulk_change_excuses_no_response_that_was_outdated_before_and_none_after_a_crash() {
    let app = TestApp::start();
    let visitor = app.visitor();
    assert_eq!(listed(&visitor).await, 0);
    add_speaker(&app, false);
    add_speaker(&app, true);
    assert_eq!(listed(&visitor).await, 2);

    add_speaker(&app, true);
    let past = Utc::now().timestamp_millis() - 1;
    app.write_as_another_process("UPDATE content_version SET bulk_change_until = ?1", [past]);
    assert_eq!(listed(&visitor).await, 3);
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
