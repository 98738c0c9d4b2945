//! Preview links: the page of an event that visitors do not see yet, for people with the secret.

use serde_json::json;

use crate::tests::pages::initial_data;
use crate::tests::support::{Client, TestApp, in_person_event, online_event, with};

async fn link_to(admin: &Client, id: i64) -> String {
    let response = admin.send("POST", &format!("/api/events/{id}/preview-link"), None).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()["path"].as_str().unwrap().to_owned()
}

async fn a_draft(app: &TestApp, admin: &Client) -> i64 {
    let speaker = app.a_speaker(admin).await;
    let draft = with(online_event("Reading a rent roll", &[speaker]), "/event/status", json!("draft"));
    admin.post("/api/events", draft).await.created_id()
}

#[tokio::test]
async fn the_preview_of_a_draft_is_its_page_for_those_with_the_link_and_for_no_search_engine() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = a_draft(&app, &admin).await;
    let link = link_to(&admin, id).await;
    assert_eq!(link_to(&admin, id).await, link, "the same link again");
    let (page, token) = link.split_once("?preview=").unwrap();
    assert_eq!((page, token.len()), (format!("/events/{id}-reading-a-rent-roll").as_str(), 32));

    let response = app.visitor().get(&link).await;

    assert_eq!(response.status, 200);
    let html = response.text();
    assert!(html.contains("<meta name=\"robots\" content=\"noindex\">"), "{html}");
    assert!(
        !html.contains("application/ld+json")
            && !html.contains("rel=\"canonical\"")
            && !html.contains("property=\"og:")
    );
    assert_eq!(response.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(response.header("cache-control"), "private, no-store");
    assert_eq!(response.header("referrer-policy"), "no-referrer");
    let data = initial_data(&html);
    assert_eq!(data["event"]["title"], "Reading a rent roll");
    assert!(data["event"].get("status").is_none(), "as it will be");
    // Neither the link nor a guess opens anything else.
    for wrong in [page.to_owned(), format!("{page}?preview="), format!("{page}?preview={}", "0".repeat(32))] {
        assert_eq!(app.visitor().get(&wrong).await.status, 404, "{wrong}");
    }
    assert_eq!(app.visitor().get(&format!("{page}.ics?preview={token}")).await.status, 404);
}

#[tokio::test]
async fn the_link_leads_to_the_page_once_the_event_is_public_and_can_be_revoked() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = a_draft(&app, &admin).await;
    let (link, path) = (link_to(&admin, id).await, format!("/api/events/{id}"));
    assert_eq!(app.visitor().delete(&format!("{path}/preview-link")).await.status, 401);
    assert_eq!(admin.delete(&format!("{path}/preview-link")).await.status, 204);
    assert_eq!(app.visitor().get(&link).await.status, 404);
    let link = link_to(&admin, id).await;
    assert_eq!(app.visitor().get(&link).await.status, 200);

    let published = with(online_event("Reading a rent roll", &[1]), "/event/status", json!("published"));
    assert_eq!(admin.put(&path, published).await.status, 200);
    let page = app.visitor().get(&link).await;
    assert_eq!((page.status.as_u16(), page.header("x-robots-tag")), (200, String::new()));
    assert!(page.text().contains("application/ld+json"));

    let hidden = with(online_event("Reading a rent roll", &[1]), "/event/status", json!("hidden"));
    assert_eq!(admin.put(&path, hidden).await.status, 200);
    assert_eq!(app.visitor().get(&link).await.header("x-robots-tag"), "noindex, nofollow");
    admin.delete(&path).await;
    assert_eq!(app.visitor().get(&link).await.status, 404);
    assert_eq!(admin.send("POST", &format!("{path}/preview-link"), None).await.status, 404);
}

#[tokio::test]
async fn a_draft_without_a_date_has_a_preview() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let draft = json!({ "event": { "title": "Only a title", "status": "draft" } });
    let id = admin.post("/api/events", draft).await.created_id();
    let response = app.visitor().get(&link_to(&admin, id).await).await;
    assert_eq!(response.status, 200);
    assert!(response.text().contains(">Only a title</h1>"), "the server renders it: {}", response.text());
}

#[tokio::test]
async fn the_preview_of_an_in_person_event_has_its_attendance_but_not_the_secret() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    let interest = format!("/api/events/{id}/interest");
    app.visitor().put(&interest, json!({ "action": "add", "userId": "user_1_a" })).await;
    let hidden = with(in_person_event("Property walk", &[1]), "/event/status", json!("hidden"));
    assert_eq!(admin.put(&format!("/api/events/{id}"), hidden).await.status, 200);
    assert_eq!(app.visitor().get(&interest).await.status, 404, "the page can't fetch it");

    let link = link_to(&admin, id).await;
    let html = app.visitor().get(&link).await.text();

    let data = initial_data(&html);
    assert_eq!(data["interest"]["count"], 1);
    assert_eq!(data["query"], "?preview", "the browser hydrates the URL that the server rendered");
    assert!(!html.contains(link.split_once('=').unwrap().1), "what the page logs or sends does not contain the secret");
}
