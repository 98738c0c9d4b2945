//! The hero's content: the default, changes, and the public response.

use serde_json::{Value, json};

use super::support::TestApp;

const PATH: &str = "/api/page-content/home";

#[tokio::test]
async fn without_stored_content_the_defaults_are_sent() {
    let app = TestApp::start();
    let content = app.visitor().get(PATH).await.json();
    assert_eq!(content["heroTitle"], "Event Calendar");
    let subtitle = "Join us for insightful discussions on real estate investment opportunities and market trends";
    assert_eq!(content["heroSubtitle"], subtitle);
    assert_eq!(content["updatedAt"], Value::Null);
    assert_eq!(app.rows("page_content"), 0);
}

#[tokio::test]
async fn new_content_is_in_the_next_response_and_page() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let before = app.visitor().get(PATH).await;

    let response = admin.put(PATH, json!({ "heroTitle": "  Spring season ", "heroSubtitle": "Eight talks." })).await;
    assert_eq!(response.status, 200);
    let content = response.json();
    assert_eq!(content["page"], "home");
    assert_eq!(content["heroTitle"], "Spring season");
    assert!(content["updatedAt"].as_str().unwrap().ends_with('Z'));

    let after = app.visitor().with("if-none-match", &before.header("etag")).get(PATH).await;
    assert_eq!((after.status.as_u16(), after.json()), (200, content));
    assert!(app.visitor().get("/").await.text().contains("Spring season"));

    // A second change is a change of the same row.
    admin.put(PATH, json!({ "heroTitle": "Summer", "heroSubtitle": "Four talks." })).await;
    assert_eq!(app.rows("page_content"), 1);
    let last = app.visitor().get(PATH).await;
    assert_eq!(app.visitor().with("if-none-match", &last.header("etag")).get(PATH).await.status, 304);
}

#[tokio::test]
async fn invalid_content_changes_nothing() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    admin.put(PATH, json!({ "heroTitle": "Spring", "heroSubtitle": "Eight talks." })).await;
    let before = app.everything(&admin).await;
    let response = admin.put(PATH, json!({ "heroTitle": "Summer", "heroSubtitle": "x".repeat(241) })).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.fields(), json!({ "heroSubtitle": "Hero subtitle must be 240 characters or less" }));
    assert_eq!(app.everything(&admin).await, before);
}

#[tokio::test]
async fn only_the_home_page_has_content() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let content = json!({ "heroTitle": "Spring", "heroSubtitle": "Eight talks." });
    for path in ["/api/page-content/other", "/api/page-content", "/api/page-content/home/"] {
        assert_eq!(admin.get(path).await.status, 404, "{path}");
        assert_eq!(admin.put(path, content.clone()).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn the_second_change_of_the_content_is_a_conflict() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let save =
        |title: &str, revision: i64| json!({ "heroTitle": title, "heroSubtitle": "Eight.", "revision": revision });
    assert_eq!(app.visitor().get(PATH).await.json()["revision"], 0);
    let first = admin.put(PATH, save("One", 0)).await;
    let second = admin.put(PATH, save("Two", 0)).await;
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 409));
    assert_eq!(second.error(), "This page was changed while you were editing it");
    assert_eq!(second.json()["current"], first.json());
    assert_eq!(admin.put(PATH, save("Two", 1)).await.json()["revision"], 2);
}
