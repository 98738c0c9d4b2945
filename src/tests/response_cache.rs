//! Answers that every visitor gets alike.

use serde_json::json;

use super::support::{TestApp, online_event};

#[tokio::test]
async fn a_change_is_in_the_very_next_answer() {
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
async fn who_has_the_answer_already_is_told_so_until_it_changes() {
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
async fn every_encoding_holds_the_same_list() {
    use std::io::Read as _;

    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    let plain = app.visitor().get("/api/events").await;

    let gzip = app.visitor().with("accept-encoding", "gzip").get("/api/events").await;
    assert_eq!(gzip.header("content-encoding"), "gzip");
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(gzip.body.as_ref()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);

    let brotli = app.visitor().with("accept-encoding", "gzip, br").get("/api/events").await;
    assert_eq!(brotli.header("content-encoding"), "br");
    let mut unpacked = Vec::new();
    brotli::Decompressor::new(brotli.body.as_ref(), 4096).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);

    let refused = app.visitor().with("accept-encoding", "br;q=0").get("/api/events").await;
    assert_eq!(refused.header("content-encoding"), "");
}
