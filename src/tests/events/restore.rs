//! Restoring a deleted event with all its data.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::platform::clock::{parse_timestamp, timestamp};
use crate::tests::support::{
    ADMIN_EMAIL, ADMIN_PASSWORD, Client, TestApp, in_person_event, online_event, speaker, with,
};

/// An in-person event with all fields, three speakers and two visitors who plan to attend.
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
    storage.execute_batch("INSERT INTO sync_records (brandlive_id, event_id, base) VALUES ('bl-7', 1, '{}')").unwrap();
    storage.execute_batch("UPDATE events SET created_at = '2020-02-03T04:05:06Z', sequence = 41").unwrap();
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));
    let sequence = || -> i64 { storage.query_row("SELECT sequence FROM events", [], |row| row.get(0)).unwrap() };
    assert_eq!(sequence(), 42, "the cancellation comes after the last change");

    let response = admin.send("POST", &format!("{path}/restore"), None).await;

    assert_eq!(response.status, 200, "{}", response.text());
    let after = response.json();
    for field in ["id", "brandliveId", "series", "title", "calendarLinks", "location", "speakers", "startsAt"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["createdAt"], "2020-02-03T04:05:06Z");
    assert!(after["revision"].as_i64() > before["revision"].as_i64());
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([after]));
    let interest = app.visitor().get(&format!("{path}/interest?userId=user_1_b")).await.json();
    assert_eq!(interest, json!({ "count": 2, "hasInterest": true }));
    assert_eq!(sequence(), 43);
    let linked: i64 = storage.query_row("SELECT event_id FROM sync_records", [], |row| row.get(0)).unwrap();
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
async fn the_brandlive_id_of_a_deleted_event_stays_reserved_and_the_rejection_says_so() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let before = a_rich_event(&app, &admin).await;
    let path = format!("/api/events/{}", before["id"]);
    admin.delete(&path).await;
    let same_id = with(online_event("Another", &[1]), "/event/brandliveId", json!("bl-7"));

    let rejected = admin.post("/api/events", same_id.clone()).await;

    let sentence = "A recently deleted event has this Brandlive id. Restore that event, or use another id";
    assert_eq!((rejected.status.as_u16(), rejected.error().as_str()), (409, sentence));
    assert_eq!(rejected.field("brandliveId"), sentence);
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

    for list in ["/api/events", "/api/events/unpublished", "/api/events?from=2000-01-01&to=9000-01-01"] {
        assert_eq!(admin.get(list).await.json(), json!([]), "{list}");
    }
    let page = event["path"].as_str().unwrap();
    for missing in [format!("{path}/interest"), format!("{path}/sync")] {
        assert_eq!(admin.get(&missing).await.status, 404, "{missing}");
    }
    for gone in [page.to_owned(), format!("{page}.ics"), format!("{page}/attendance")] {
        assert_eq!(admin.get(&gone).await.status, 410, "{gone}");
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
    app.write_as_another_process("UPDATE events SET status = 'hidden', hidden_at = '2026-01-02T03:04:05Z'", []);
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

#[tokio::test]
async fn deleted_events_are_listed_for_30_days_with_who_and_when() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let rich = a_rich_event(&app, &admin).await;
    let (own, old) = (app.an_online_event(&admin).await, app.an_online_event(&admin).await);
    app.another_admin(&admin, "bea@example.com").await;
    let bea = app.sign_in("bea@example.com", ADMIN_PASSWORD).await;
    let start = app.clock.now();
    admin.delete(&format!("/api/events/{own}")).await;
    admin.send("POST", &format!("/api/events/{own}/restore"), None).await;
    assert_eq!(admin.get("/api/events/deleted").await.json(), json!([]), "a restored event is not deleted");
    app.clock.advance(3600);
    bea.delete(&format!("/api/events/{own}")).await;
    app.clock.advance(60);
    admin.delete(&format!("/api/events/{}", rich["id"])).await;
    admin.delete(&format!("/api/events/{old}")).await;
    // Deleted 31 days ago.
    let long_ago = timestamp(start - TimeDelta::days(31));
    app.write_as_another_process("UPDATE events SET deleted_at = ?1 WHERE id = ?2", (long_ago, old));

    let list = admin.get("/api/events/deleted").await.json();

    let row = |entry: &Value| json!([entry["event"]["id"], entry["deletedBy"]]);
    assert_eq!(
        list.as_array().unwrap().iter().map(row).collect::<Vec<_>>(),
        [json!([rich["id"], ADMIN_EMAIL]), json!([own, "bea@example.com"])]
    );
    for (entry, minutes) in list.as_array().unwrap().iter().zip([61, 60]) {
        let at = |key: &str| parse_timestamp(entry[key].as_str().unwrap()).unwrap();
        // The clock also goes on while the requests are sent.
        let since = (at("deletedAt") - start).num_seconds() - minutes * 60;
        assert!((-1..60).contains(&since), "{entry}");
        assert_eq!(at("purgedAt"), at("deletedAt") + TimeDelta::days(30), "{entry}");
    }
    let mut as_deleted = rich.clone();
    as_deleted.as_object_mut().unwrap().remove("seriesPosition");
    assert_eq!(list[0]["event"], as_deleted, "with its venue and speakers");
    app.write_as_another_process("DELETE FROM activity", []);
    assert_eq!(admin.get("/api/events/deleted").await.json()[0]["deletedBy"], Value::Null);
    assert_eq!(app.visitor().get("/api/events/deleted").await.status, 401);
}

#[tokio::test]
async fn a_link_to_a_deleted_event_says_so_until_it_is_restored_or_purged() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let event = a_rich_event(&app, &admin).await;
    let (page, path) = (event["path"].as_str().unwrap(), format!("/api/events/{}", event["id"]));
    let paths = [page.to_owned(), "/events/1".to_owned(), format!("{page}.ics"), format!("{page}/attendance")];
    let visitor = app.visitor();
    assert_eq!(visitor.get(page).await.status, 200);
    admin.delete(&path).await;

    for path in &paths {
        let gone = visitor.get(path).await;
        assert_eq!(gone.status, 410, "{path}");
        assert_eq!(gone.header("content-type"), "text/html; charset=utf-8", "{path}");
        let html = gone.text();
        assert!(html.contains("<title>This event was deleted — "), "{path}: {html}");
        assert!(html.contains(">This event was deleted</h1>"), "{path}: {html}");
        assert!(!html.contains("Property walk") && html.contains("content=\"noindex\""), "{path}: {html}");
    }
    let form = visitor.with("content-type", "application/x-www-form-urlencoded");
    let attend = form.send("POST", &format!("{page}/attendance"), Some("action=add".to_owned())).await;
    assert_eq!((attend.status.as_u16(), attend.text().contains("This event was deleted")), (410, true));

    admin.send("POST", &format!("{path}/restore"), None).await;
    assert_eq!(app.visitor().get(page).await.status, 200);

    app.write_as_another_process("UPDATE events SET status = 'hidden', hidden_at = '2026-01-02T03:04:05Z'", []);
    admin.delete(&path).await;
    assert_eq!(app.visitor().get(page).await.status, 404, "visitors did not see it before");
    app.write_as_another_process("DELETE FROM events", []);
    assert_eq!(app.visitor().get(page).await.status, 404);
}
