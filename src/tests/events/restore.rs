//! Restoring a deleted event: everything that belonged to it returns with it.

use serde_json::{Value, json};

use crate::tests::support::{Client, TestApp, in_person_event, online_event, speaker, with};

/// An in-person event of three speakers with everything that an event can hold, and two who plan to attend.
async fn a_rich_event(app: &TestApp, admin: &Client) -> Value {
    let mut speakers = Vec::new();
    for name in ["Grace Obi", "Ada Bell", "Imani Cole"] {
        speakers.push(admin.post("/api/speakers", speaker(name)).await.created_id());
    }
    speakers.reverse();
    let mut event = in_person_event("Property walk", &speakers);
    event["event"]["brandliveId"] = json!("bl-7");
    event["event"]["series"] = json!("Spring walks");
    event["event"]["calendarLinks"] = json!({ "google": "https://example.com/g" });
    let event = admin.post("/api/events", event).await.json();
    for visitor in ["user_1_a", "user_1_b"] {
        let add = json!({ "action": "add", "userId": visitor });
        app.visitor().put(&format!("/api/events/{}/interest", event["id"]), add).await;
    }
    event
}

#[tokio::test]
async fn a_restored_event_is_unchanged() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let before = a_rich_event(&app, &admin).await;
    let path = format!("/api/events/{}", before["id"]);
    let storage = app.storage();
    storage
        .execute_batch("INSERT INTO brandlive_imports (brandlive_id, event_id, snapshot) VALUES ('bl-7', 1, '{}')")
        .unwrap();
    storage.execute_batch("UPDATE events SET created_at = '2020-02-03T04:05:06Z', sequence = 41").unwrap();
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));
    let sequence = || -> i64 { storage.query_row("SELECT sequence FROM events", [], |row| row.get(0)).unwrap() };
    assert_eq!(sequence(), 42, "the cancellation comes after the last change");

    let reply = admin.send("POST", &format!("{path}/restore"), None).await;

    assert_eq!(reply.status, 200, "{}", reply.text());
    let after = reply.json();
    for field in ["id", "brandliveId", "series", "title", "calendarLinks", "location", "speakers", "startsAt"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["createdAt"], "2020-02-03T04:05:06Z");
    assert!(after["revision"].as_i64() > before["revision"].as_i64());
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([after]));
    let interest = app.visitor().get(&format!("{path}/interest?userId=user_1_b")).await.json();
    assert_eq!(interest, json!({ "count": 2, "hasInterest": true }));
    assert_eq!(sequence(), 43);
    let linked: i64 = storage.query_row("SELECT event_id FROM brandlive_imports", [], |row| row.get(0)).unwrap();
    assert_eq!(linked, after["id"]);

    let again = admin.send("POST", &format!("{path}/restore"), None).await;
    assert_eq!((again.status.as_u16(), again.error()), (404, "Event not found".to_owned()));
}

#[tokio::test]
async fn deleted_speakers_are_not_restored() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let before = a_rich_event(&app, &admin).await;
    let path = format!("/api/events/{}", before["id"]);
    admin.delete(&path).await;
    assert_eq!(admin.delete("/api/speakers/2").await.status, 204);

    let after = admin.send("POST", &format!("{path}/restore"), None).await.json();

    let ids: Vec<_> = after["speakers"].as_array().unwrap().iter().map(|one| one["speakerId"].clone()).collect();
    assert_eq!(ids, [3, 1]);
}

#[tokio::test]
async fn a_speaker_of_deleted_events_alone_can_be_deleted() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    assert_eq!(admin.delete("/api/speakers/1").await.status, 409);
    admin.delete(&format!("/api/events/{id}")).await;

    assert_eq!(admin.delete("/api/speakers/1").await.status, 204);

    let restored = admin.send("POST", &format!("/api/events/{id}/restore"), None).await.json();
    assert_eq!(restored["speakers"], json!([]));
}

#[tokio::test]
async fn the_brandlive_id_of_a_deleted_event_stays_reserved_and_the_refusal_names_the_trash() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let before = a_rich_event(&app, &admin).await;
    let path = format!("/api/events/{}", before["id"]);
    admin.delete(&path).await;
    let same_id = with(online_event("Another", &[1]), "/event/brandliveId", json!("bl-7"));

    let refused = admin.post("/api/events", same_id.clone()).await;

    let sentence = "An event in the trash has this Brandlive id. Restore that event, or use another id";
    assert_eq!((refused.status.as_u16(), refused.error().as_str()), (409, sentence));
    assert_eq!(refused.field("brandliveId"), sentence);
    let other = admin.post("/api/events", online_event("Another", &[1])).await.created_id();
    assert_eq!(admin.put(&format!("/api/events/{other}"), same_id.clone()).await.error(), sentence);

    assert_eq!(admin.send("POST", &format!("{path}/restore"), None).await.json()["brandliveId"], "bl-7");
    let taken = admin.post("/api/events", same_id).await;
    assert_eq!(taken.error(), "An event with this Brandlive id already exists");
}

#[tokio::test]
async fn no_endpoint_shows_or_changes_a_deleted_event() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let event = a_rich_event(&app, &admin).await;
    let path = format!("/api/events/{}", event["id"]);
    admin.delete(&path).await;

    for list in ["/api/events", "/api/events/hidden", "/api/events?from=2000-01-01&to=9000-01-01"] {
        assert_eq!(admin.get(list).await.json(), json!([]), "{list}");
    }
    let page = event["path"].as_str().unwrap();
    for missing in [page, &format!("{page}.ics"), &format!("{path}/interest"), &format!("{path}/import")] {
        assert_eq!(admin.get(missing).await.status, 404, "{missing}");
    }
    assert_eq!(admin.put(&path, online_event("Another title", &[1])).await.status, 404);
    let add = json!({ "action": "add", "userId": "user_1_c" });
    assert_eq!(app.visitor().put(&format!("{path}/interest"), add).await.status, 404);
    for public in ["/", "/feed.xml", "/sitemap.xml"] {
        assert!(!app.visitor().get(public).await.text().contains("Property walk"), "{public}");
    }
}

#[tokio::test]
async fn a_restored_hidden_event_stays_hidden() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    app.write_as_another_process("UPDATE events SET hidden_at = '2026-01-02T03:04:05Z'", []);
    admin.delete(&format!("/api/events/{id}")).await;
    assert_eq!(admin.send("POST", &format!("/api/events/{id}/restore"), None).await.status, 200);
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));
    let since: String = app.storage().query_row("SELECT hidden_at FROM events", [], |row| row.get(0)).unwrap();
    assert_eq!(since, "2026-01-02T03:04:05Z");
}

#[tokio::test]
async fn a_deleted_event_can_be_restored_for_30_days() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (early, late, other) =
        (app.an_online_event(&admin).await, app.an_online_event(&admin).await, app.an_online_event(&admin).await);
    admin.delete(&format!("/api/events/{early}")).await;
    app.clock.advance(2 * 24 * 3600);
    let admin = app.sign_in_admin().await;
    admin.delete(&format!("/api/events/{late}")).await;
    app.clock.advance(29 * 24 * 3600);
    let admin = app.sign_in_admin().await;
    assert_eq!(admin.send("POST", &format!("/api/events/{early}/restore"), None).await.status, 404);
    assert_eq!(app.rows("events"), 3);
    admin.delete(&format!("/api/events/{other}")).await;
    assert_eq!(app.rows("events"), 2, "a deletion purges what was deleted more than 30 days ago");
    assert_eq!(admin.send("POST", &format!("/api/events/{late}/restore"), None).await.status, 200);
    assert_eq!(app.visitor().send("POST", "/api/events/1/restore", None).await.status, 401);
}
