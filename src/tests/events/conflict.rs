//! Concurrent edits of one event: the second save is a conflict, and nothing is lost.

use serde_json::json;

use crate::tests::support::{TestApp, online_event, with};

const CONFLICT: &str = "This event was changed while you were editing it";

#[tokio::test]
async fn the_second_save_is_a_conflict_with_the_current_event() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let created = admin.post("/api/events", online_event("A title", &[speaker])).await.json();
    let (path, revision) = (format!("/api/events/{}", created["id"]), created["revision"].clone());
    let save = |title: &str| with(online_event(title, &[speaker]), "/revision", revision.clone());

    let first = admin.put(&path, save("The first admin's title")).await;
    let second = admin.put(&path, save("The second admin's title")).await;

    assert_eq!(first.status, 200, "{}", first.text());
    assert_eq!((second.status.as_u16(), second.error()), (409, CONFLICT.to_owned()));
    assert_eq!(second.json()["current"], first.json());
    assert_eq!(app.visitor().get("/api/events").await.json()[0], first.json(), "nothing changed");
    assert_eq!(app.rows("activity"), 1 + 2, "the speaker, the event, and one change");

    let now = second.json()["current"]["revision"].clone();
    let again = with(save("Both agreed"), "/revision", now);
    assert_eq!(admin.put(&path, again).await.json()["title"], "Both agreed");
}

#[tokio::test]
async fn of_concurrent_saves_exactly_one_succeeds() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let created = admin.post("/api/events", online_event("A title", &[speaker])).await.json();
    let path = format!("/api/events/{}", created["id"]);
    let save = |title: &str| {
        let (client, path) = (admin.clone(), path.clone());
        let body = with(online_event(title, &[speaker]), "/revision", created["revision"].clone());
        async move { client.put(&path, body).await.status.as_u16() }
    };
    let (a, b, c, d) = tokio::join!(save("One"), save("Two"), save("Three"), save("Four"));
    let mut statuses = [a, b, c, d];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409]);
}

#[tokio::test]
async fn a_save_without_a_revision_always_succeeds() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let path = format!("/api/events/{id}");
    for revision in [json!(null), json!(1)] {
        let body = with(online_event("A title", &[1]), "/revision", revision.clone());
        let response = admin.put(&path, body).await;
        // A save without a revision came first.
        assert_eq!(response.status.as_u16(), if revision.is_null() { 200 } else { 409 });
    }
    // Validation comes before the conflict.
    let wrong = with(online_event("", &[1]), "/revision", json!(1));
    assert_eq!(admin.put(&path, wrong).await.status, 400);
    assert_eq!(admin.put("/api/events/999", online_event("A title", &[1])).await.status, 404);
}
