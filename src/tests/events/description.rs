//! Descriptions with Markdown: the page shows them formatted, and everything else as text.

use serde_json::{Value, json};

use crate::tests::support::{TestApp, online_event, with};

const MARKDOWN: &str =
    "Bring **two** things:\n\n- an offering\n- a pencil\n\n<b>No</b> [slides](https://example.com/slides).";
const TEXT: &str =
    "Bring two things:\n\n\u{2022} an offering\n\u{2022} a pencil\n\n<b>No</b> slides (https://example.com/slides).";

fn formatted(speaker: i64) -> Value {
    let event = with(online_event("Reading a rent roll", &[speaker]), "/event/description", json!(MARKDOWN));
    with(event, "/event/descriptionFormat", json!("markdown"))
}

#[tokio::test]
async fn the_server_formats_markdown_and_keeps_what_was_typed() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let event = admin.post("/api/events", formatted(speaker)).await.json();
    assert_eq!((&event["description"], &event["descriptionFormat"]), (&json!(MARKDOWN), &json!("markdown")));
    let html = event["descriptionHtml"].as_str().unwrap();
    assert!(html.starts_with("<p>Bring <strong>two</strong> things:</p><ul><li>an offering</li>"), "{html}");
    assert!(html.contains("&lt;b&gt;No&lt;/b&gt;"), "HTML is text: {html}");
    assert_eq!(app.visitor().get("/api/events").await.json()[0], event);

    // The page shows the HTML, and the rest of it the text.
    let page = app.visitor().get(event["path"].as_str().unwrap()).await.text();
    assert!(page.contains("<ul><li>an offering</li>"), "{page}");
}

#[tokio::test]
async fn a_request_without_a_format_leaves_it_and_an_unknown_one_is_rejected() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let plain = admin.post("/api/events", online_event("Plain", &[speaker])).await.json();
    assert_eq!((plain.get("descriptionFormat"), plain.get("descriptionHtml")), (None, None), "as before");

    let path = format!("/api/events/{}", admin.post("/api/events", formatted(speaker)).await.created_id());
    let saved =
        admin.put(&path, with(online_event("Again", &[speaker]), "/event/description", json!("*Soon*"))).await.json();
    assert_eq!(
        (&saved["descriptionFormat"], &saved["descriptionHtml"]),
        (&json!("markdown"), &json!("<p><em>Soon</em></p>"))
    );
    let plain = with(online_event("Again", &[speaker]), "/event/descriptionFormat", json!("plain"));
    assert_eq!(admin.put(&path, plain.clone()).await.json().get("descriptionHtml"), None);

    let unknown = with(plain, "/event/descriptionFormat", json!("html"));
    let rejected = admin.put(&path, unknown).await;
    let words = "Description format must be plain or markdown";
    assert_eq!((rejected.status.as_u16(), rejected.fields()), (400, json!({ "descriptionFormat": words })));
}

#[tokio::test]
async fn calendars_feeds_and_metadata_have_the_text_without_markdown_syntax() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let event = admin.post("/api/events", formatted(speaker)).await.json();
    // Only synced events and drafts have no summary.
    app.storage().execute("UPDATE events SET summary = NULL, revision = revision + 1", []).unwrap();

    let visitor = app.visitor();
    let escaped = TEXT.replace('\n', "\\n");
    let calendar = visitor.get("/calendar.ics").await.text().replace("\r\n ", "");
    assert!(calendar.contains(&format!("DESCRIPTION:{escaped}")), "{calendar}");
    let feed = visitor.get("/feed.xml").await.text();
    assert!(feed.contains("Bring two things:\n\n\u{2022} an offering"), "{feed}");
    let page = visitor.get(event["path"].as_str().unwrap()).await.text();
    assert!(page.contains("<meta name=\"description\" content=\"Bring two things: \u{2022} an offering"), "{page}");
    let search = visitor.get("/search?q=rent").await.text();
    assert!(!search.contains("descriptionHtml") && !search.contains("a pencil"), "{search}");
}

#[tokio::test]
async fn the_preview_of_a_form_is_formatted_for_admins_and_stored_nowhere() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let path = "/api/events/description";
    let rendered = admin.post(path, json!({ "description": "**Soon**" })).await;
    assert_eq!((rendered.status.as_u16(), rendered.json()), (200, json!({ "html": "<p><strong>Soon</strong></p>" })));
    assert_eq!(rendered.header("cache-control"), "no-store");
    assert_eq!(admin.post(path, json!({})).await.json(), json!({ "html": "" }));
    let too_long = admin.post(path, json!({ "description": "a".repeat(20_001) })).await;
    assert_eq!(too_long.fields(), json!({ "description": "Description must be 20,000 characters or less" }));
    assert_eq!(app.visitor().post(path, json!({ "description": "a" })).await.status, 401);
    assert_eq!(app.rows("events"), 0);
}
