//! Bulk edits of events.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::tests::support::{Client, TestApp, TestResponse, in_person_event, online_event, speaker, with};

const BULK_EDITS: &str = "/api/events/bulk-edits";
const PREVIEW: &str = "/api/events/bulk-edits/preview";

/// Three events: an online one, an in-person one and a draft without speakers. Returns their ids and two speakers.
async fn three_events(app: &TestApp, admin: &Client) -> (Vec<i64>, i64, i64) {
    let ada = admin.post("/api/speakers", speaker("Ada Bell")).await.created_id();
    let ben = admin.post("/api/speakers", speaker("Ben Tal")).await.created_id();
    let mut ids = Vec::new();
    let walk = with(in_person_event("Property walk", &[ada, ben]), "/event/date", json!("2031-03-13"));
    let draft = json!({ "event": { "title": "An idea", "status": "draft" } });
    for body in [online_event("Reading a rent roll", &[ada]), walk, draft] {
        ids.push(admin.post("/api/events", body).await.created_id());
    }
    assert_eq!(app.rows("events"), 3);
    (ids, ada, ben)
}

fn body(ids: &[i64], changes: &Value) -> Value {
    json!({ "events": ids.iter().map(|id| json!({ "id": id })).collect::<Vec<_>>(), "changes": changes })
}

async fn edit(admin: &Client, ids: &[i64], changes: Value) -> TestResponse {
    admin.post(BULK_EDITS, body(ids, &changes)).await
}

async fn undo(admin: &Client, bulk_edit: &Value) -> TestResponse {
    admin.send("POST", &format!("{BULK_EDITS}/{}/undo", bulk_edit["id"]), None).await
}

/// All events with everything that an admin sees of them, without what every save changes.
async fn all(admin: &Client) -> Vec<Value> {
    let mut events = Vec::new();
    for path in ["/api/events", "/api/events/unpublished"] {
        events.extend(admin.get(path).await.json().as_array().unwrap().clone());
    }
    for event in &mut events {
        let event = event.as_object_mut().unwrap();
        event.remove("revision");
        event.remove("updatedAt");
    }
    events
}

fn names(event: &Value) -> Vec<&str> {
    let speakers = event["speakers"].as_array().unwrap();
    speakers.iter().map(|one| one["speaker"]["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_preview_shows_each_field_before_and_after_and_saves_nothing() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (ids, ada, ben) = three_events(&app, &admin).await;
    let before = all(&admin).await;
    let changes = json!({
        "speakers": { "replace": { "from": ada, "to": ben } },
        "time": "18:30",
        "type": "Special",
        "status": "cancelled",
    });

    let response = admin.post(PREVIEW, body(&ids, &changes)).await;

    assert_eq!(response.status, 200, "{}", response.text());
    let preview = response.json();
    let of = |title: &str| {
        let events = preview["events"].as_array().unwrap();
        events.iter().find(|event| event["title"] == title).unwrap().clone()
    };
    let online = of("Reading a rent roll");
    assert_eq!(online["errors"], json!([]));
    assert_eq!(
        online["changes"],
        json!([
            { "field": "time", "before": "19:00", "after": "18:30" },
            { "field": "type", "before": "Investor Insights", "after": "Special" },
            { "field": "speakers", "before": "Ada Bell", "after": "Ben Tal" },
            { "field": "status", "before": "published", "after": "cancelled" },
        ])
    );
    let walk = of("Property walk");
    let venue = json!({ "field": "location.venueName", "before": "The Long Room", "after": null });
    assert!(walk["changes"].as_array().unwrap().contains(&venue), "the loss of the venue is shown");
    let speakers = json!({ "field": "speakers", "before": "Ada Bell, Ben Tal", "after": "Ben Tal" });
    assert!(walk["changes"].as_array().unwrap().contains(&speakers), "no speaker is listed twice");
    let draft = of("An idea");
    assert!(draft["errors"].as_array().unwrap().contains(&json!("Date is required")), "{draft}");
    assert_eq!(all(&admin).await, before);
    assert_eq!(app.rows("bulk_edits"), 0);
}

#[tokio::test]
async fn events_are_changed_in_one_step_and_undone_in_one_step() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (ids, ada, ben) = three_events(&app, &admin).await;
    let before = all(&admin).await;
    let changes = json!({
        "speakers": { "add": [ben], "remove": [ada] },
        "time": "18:30",
        "registrationUrl": "https://example.com/new",
        "type": "Special",
        "status": "hidden",
        "series": "Tax Tuesdays",
    });

    let response = edit(&admin, &ids[..2], changes).await;

    assert_eq!(response.status, 201, "{}", response.text());
    let applied = response.json();
    assert_eq!(applied["count"], 2);
    let events = admin.get("/api/events/unpublished").await.json();
    let events = events.as_array().unwrap();
    for event in events.iter().filter(|event| event["title"] != "An idea") {
        assert_eq!(names(event), ["Ben Tal"]);
        let facts = ["time", "registrationUrl", "type", "status", "series"].map(|field| &event[field]);
        assert_eq!(facts, ["18:30", "https://example.com/new", "Special", "hidden", "Tax Tuesdays"]);
        assert_eq!(event["location"], Value::Null);
    }
    assert_eq!(events[1]["startsAt"], "2031-03-12T22:30:00Z");
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));
    let activity = admin.get(&format!("/api/events/{}/activity", ids[0])).await.json();
    assert_eq!((&activity[0]["action"], &activity[0]["who"]), (&json!("changed"), &json!("ada@example.com")));
    assert_eq!(activity[0]["changes"][0], json!({ "field": "time", "before": "19:00", "after": "18:30" }));
    let recent = admin.get(BULK_EDITS).await.json();
    assert_eq!(recent[0]["id"], applied["id"]);
    assert_eq!((&recent[0]["count"], &recent[0]["firstTitle"]), (&json!(2), &json!("Reading a rent roll")));

    let undone = undo(&admin, &applied).await;
    assert_eq!((undone.status.as_u16(), &undone.json()["count"]), (200, &json!(2)), "{}", undone.text());
    assert_eq!(all(&admin).await, before);
    assert_eq!(admin.get(BULK_EDITS).await.json(), json!([]));
    let activity = admin.get(&format!("/api/events/{}/activity", ids[0])).await.json();
    assert_eq!(activity[0]["changes"][0], json!({ "field": "time", "before": "18:30", "after": "19:00" }));
}

#[tokio::test]
async fn nothing_is_saved_when_one_event_is_invalid_unless_it_is_left_out() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (ids, ada, _) = three_events(&app, &admin).await;
    let before = all(&admin).await;

    let response = edit(&admin, &ids, json!({ "speakers": { "remove": [ada] } })).await;
    assert_eq!(response.status, 400);
    let message = "“Reading a rent roll”: At least one speaker must be assigned";
    assert_eq!(response.fields(), json!({ format!("events.{}", ids[0]): message }));
    assert_eq!(all(&admin).await, before);

    let without = edit(&admin, &ids[1..], json!({ "speakers": { "remove": [ada] } })).await;
    assert_eq!((without.status.as_u16(), &without.json()["count"]), (201, &json!(1)), "the draft has no speaker");
}

#[tokio::test]
async fn what_an_import_lacks_does_not_prevent_hiding_it() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    app.write_as_another_process("UPDATE events SET summary = NULL WHERE id = ?1", [id]);
    app.write_as_another_process("DELETE FROM event_speakers", []);
    assert_eq!(edit(&admin, &[id], json!({ "status": "hidden" })).await.status, 201);
    let wrong = edit(&admin, &[id], json!({ "time": "25:00" })).await;
    assert_eq!(wrong.fields(), json!({ "changes.time": "Time must be hour:minute" }));
}

#[tokio::test]
async fn a_draft_is_published_only_when_it_is_complete() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let complete = with(online_event("Complete", &[speaker]), "/event/status", json!("draft"));
    let id = admin.post("/api/events", complete).await.created_id();
    let idea =
        admin.post("/api/events", json!({ "event": { "title": "An idea", "status": "draft" } })).await.created_id();
    assert_eq!(edit(&admin, &[id, idea], json!({ "status": "published" })).await.status, 400);
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));
    assert_eq!(edit(&admin, &[id], json!({ "status": "published" })).await.status, 201);
    assert_eq!(app.visitor().get("/api/events").await.json()[0]["title"], "Complete");
}

#[tokio::test]
async fn deleted_events_come_back_together() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (ids, ..) = three_events(&app, &admin).await;
    let before = all(&admin).await;
    let add = json!({ "action": "add", "userId": "user_1_abc" });
    app.visitor().put(&format!("/api/events/{}/interest", ids[1]), add).await;

    let response = edit(&admin, &ids, json!({ "delete": true })).await;
    assert_eq!((response.status.as_u16(), &response.json()["count"]), (201, &json!(3)), "{}", response.text());
    assert_eq!(all(&admin).await, Vec::<Value>::new());
    assert_eq!(admin.get(BULK_EDITS).await.json()[0]["action"], "deleted");

    assert_eq!(undo(&admin, &response.json()).await.status, 200);
    assert_eq!(all(&admin).await, before);
    assert_eq!(app.rows("user_event_interests"), 1);
}

#[tokio::test]
async fn a_bulk_edit_is_not_undone_after_a_later_change_or_a_day() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (ids, ada, ben) = three_events(&app, &admin).await;
    let first = edit(&admin, &ids[..2], json!({ "time": "18:30" })).await.json();
    let second = edit(&admin, &ids[..1], json!({ "time": "18:45" })).await.json();
    let refused = undo(&admin, &first).await;
    assert_eq!(refused.status, 409);
    assert_eq!(
        refused.error(),
        "“Reading a rent roll” was changed since then, so nothing was undone. Change the events one by one."
    );
    let listed = admin.get(BULK_EDITS).await.json();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["id"]), (1, &second["id"]));
    assert_eq!(undo(&admin, &second).await.status, 200);

    // A speaker who is gone can't return.
    let replaced = edit(&admin, &ids[..1], json!({ "speakers": { "replace": { "from": ada, "to": ben } } })).await;
    let only_ben = edit(&admin, &ids[1..2], json!({ "speakers": { "remove": [ada] } })).await;
    assert_eq!((replaced.status.as_u16(), only_ben.status.as_u16()), (201, 201));
    assert_eq!(admin.delete(&format!("/api/speakers/{ada}")).await.status, 204);
    let refused = undo(&admin, &replaced.json()).await;
    assert_eq!(refused.status, 409);
    assert!(refused.error().starts_with("A speaker of these events was deleted since then"), "{}", refused.error());

    let last = edit(&admin, &ids[..2], json!({ "time": "20:00" })).await.json();
    app.clock.advance(TimeDelta::hours(24).num_seconds());
    let admin = app.sign_in_admin().await;
    let late = undo(&admin, &last).await;
    assert_eq!(late.error(), "A change can be undone for 24 hours, which are over");
    assert_eq!(undo(&admin, &json!({ "id": 999 })).await.status, 404);
}

#[tokio::test]
async fn a_bulk_edit_based_on_an_old_version_or_a_deleted_event_is_rejected() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (ids, ..) = three_events(&app, &admin).await;
    let preview = admin.post(PREVIEW, body(&ids[..2], &json!({ "time": "18:30" }))).await.json();
    let events: Vec<Value> = preview["events"].as_array().unwrap().clone();
    let based = |changes: Value| {
        let events: Vec<_> =
            events.iter().map(|event| json!({ "id": event["id"], "revision": event["revision"] })).collect();
        json!({ "events": events, "changes": changes })
    };
    assert_eq!(edit(&admin, &ids[..1], json!({ "time": "18:45" })).await.status, 201);
    let response = admin.post(BULK_EDITS, based(json!({ "time": "18:30" }))).await;
    assert_eq!(response.status, 409);
    assert!(response.error().starts_with("“Reading a rent roll” was changed by somebody else"), "{}", response.error());
    assert_eq!(admin.delete(&format!("/api/events/{}", ids[0])).await.status, 204);
    let gone = admin.post(BULK_EDITS, based(json!({ "time": "18:30" }))).await;
    assert_eq!(gone.status, 409);
    assert!(gone.error().starts_with("One of these events was deleted"), "{}", gone.error());
}

#[tokio::test]
async fn drafts_are_published_together_and_each_is_refused_for_what_it_lacks_by_its_type() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let ada = admin.post("/api/speakers", speaker("Ada Bell")).await.created_id();
    let draft = |body: Value, title: &str| {
        let body = with(with(body, "/event/status", json!("draft")), "/event/title", json!(title));
        with(body, "/event/registrationUrl", json!(""))
    };
    let walk = draft(in_person_event("", &[ada]), "Property walk");
    let webinar = draft(online_event("", &[ada]), "Reading a rent roll");
    let bare = with(draft(in_person_event("", &[]), "A bare walk"), "/event/summary", json!(""));
    let mut ids = Vec::new();
    for body in [walk, webinar, bare] {
        ids.push(admin.post("/api/events", body).await.created_id());
    }
    let publish = json!({ "status": "published" });

    let preview = admin.post(PREVIEW, body(&ids, &publish)).await.json();
    let errors = |title: &str| {
        let events = preview["events"].as_array().unwrap();
        events.iter().find(|event| event["title"] == title).unwrap()["errors"].clone()
    };
    assert_eq!(errors("Property walk"), json!([]));
    assert_eq!(errors("Reading a rent roll"), json!(["Registration URL is required"]));
    assert_eq!(errors("A bare walk"), json!(["Summary is required", "At least one speaker must be assigned"]));
    let refused = edit(&admin, &ids, publish.clone()).await;
    assert_eq!(refused.status, 400);
    let message = refused.field(&format!("events.{}", ids[1]));
    assert_eq!(message, "“Reading a rent roll”: Registration URL is required");

    let response = edit(&admin, &ids[..1], publish).await;
    assert_eq!(response.status, 201, "{}", response.text());
    let shown = app.visitor().get("/api/events").await.json();
    assert_eq!(shown[0]["title"], "Property walk");
    assert!(shown[0]["registrationUrl"].as_str().unwrap().starts_with("http"), "the site's own URL: {shown}");
    // As a webinar it would have no link to register.
    let preview = admin.post(PREVIEW, body(&ids[..1], &json!({ "type": "Special" }))).await.json();
    assert_eq!(preview["events"][0]["errors"], json!(["Registration URL is required"]));
}

#[tokio::test]
async fn events_are_scheduled_together_for_one_instant_and_back() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (ids, _, _) = three_events(&app, &admin).await;
    let schedule = |at: &str| json!({ "status": "scheduled", "publishAt": at });

    let late = admin.post(PREVIEW, body(&ids[..2], &schedule("2031-03-13T00:00:00Z"))).await.json();
    let too_late = json!(["Publication time must be before the end of the event"]);
    assert_eq!((&late["events"][0]["errors"], &late["events"][1]["errors"]), (&too_late, &json!([])));

    let response = edit(&admin, &ids[..2], schedule("2031-03-01T09:00:30-05:00")).await;
    assert_eq!((response.status.as_u16(), &response.json()["count"]), (201, &json!(2)), "{}", response.text());
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));
    let again = edit(&admin, &ids[..2], schedule("2031-03-02T14:00:00Z")).await;
    assert_eq!(again.status, 201, "another instant is a change");
    let times = async || -> Vec<Value> {
        let events = admin.get("/api/events/unpublished").await.json();
        let scheduled = events.as_array().unwrap().iter().filter(|one| one["status"] == "scheduled");
        scheduled.map(|one| one["publishAt"].clone()).collect()
    };
    assert_eq!(times().await, ["2031-03-02T14:00:00Z", "2031-03-02T14:00:00Z"]);
    assert_eq!(undo(&admin, &again.json()).await.status, 200);
    assert_eq!(times().await, ["2031-03-01T14:00:00Z", "2031-03-01T14:00:00Z"]);
    assert_eq!(edit(&admin, &ids[..2], json!({ "status": "published" })).await.status, 201);
    assert_eq!(app.visitor().get("/api/events").await.json().as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn bulk_edits_that_make_no_sense_are_rejected_with_what_to_do() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (ids, ada, _) = three_events(&app, &admin).await;
    for (changes, field, message) in [
        (json!({}), "changes", "Choose what to change"),
        (json!({ "delete": true, "time": "18:00" }), "changes", "Events can't be changed and deleted at once"),
        (json!({ "type": "Party" }), "changes.type", "Invalid event type selected"),
        (json!({ "registrationUrl": "nowhere" }), "changes.registrationUrl", "Must be a valid URL"),
        (json!({ "status": "scheduled" }), "changes.publishAt", "Publication date and time are required"),
        (
            json!({ "status": "scheduled", "publishAt": "tomorrow" }),
            "changes.publishAt",
            "Publication time must be a date and time such as 2026-11-24T14:00:00Z",
        ),
        (json!({ "speakers": { "add": [999] } }), "changes.speakers", "A selected speaker no longer exists"),
        (
            json!({ "speakers": { "replace": { "from": ada, "to": ada } } }),
            "changes.speakers",
            "Choose two different speakers",
        ),
        (json!({ "time": "19:00" }), "changes", "Nothing was saved, because all of these events are already like this"),
    ] {
        let response = edit(&admin, &ids[..2], changes).await;
        assert_eq!((response.status.as_u16(), response.field(field)), (400, message.to_owned()), "{}", response.text());
    }
    let none = edit(&admin, &[], json!({ "time": "18:00" })).await;
    assert_eq!(none.field("events"), "Choose at least one event");
    let many: Vec<i64> = (1..=2_001).collect();
    let many = edit(&admin, &many, json!({ "time": "18:00" })).await;
    assert_eq!(many.field("events"), "At most 2,000 events can be changed at once");
    for path in [BULK_EDITS, PREVIEW, "/api/events/bulk-edits/1/undo"] {
        assert_eq!(app.visitor().post(path, json!({})).await.status, 401, "{path}");
    }
    assert_eq!(app.visitor().get(BULK_EDITS).await.status, 401);
}

#[tokio::test]
async fn fifty_of_two_thousand_events_are_changed_in_less_than_a_second() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let ben = admin.post("/api/speakers", speaker("Ben Tal")).await.created_id();
    app.storage()
        .execute_batch(
            "INSERT INTO events (title, date, time, description, registration_url, type, starts_at, series, summary)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1999)
             SELECT 'Evening ' || i, date('2031-01-01', i || ' days'), '19:00', 'A text.', 'https://example.com/r',
                 'Special', date('2031-01-01', i || ' days') || 'T23:00:00Z', 'Series ' || (i % 40), 'A line.' FROM n;
             INSERT INTO event_speakers (event_id, speaker_id, position) SELECT id, 1, 0 FROM events WHERE id <> 1;",
        )
        .unwrap();
    let ids: Vec<i64> = (id..id + 50).collect();
    let changes =
        json!({ "speakers": { "replace": { "from": 1, "to": ben } }, "time": "18:00", "status": "cancelled" });
    let started = Instant::now();
    let response = edit(&admin, &ids, changes).await;
    let changing = started.elapsed();
    assert_eq!((response.status.as_u16(), &response.json()["count"]), (201, &json!(50)), "{}", response.text());
    let started = Instant::now();
    assert_eq!(undo(&admin, &response.json()).await.status, 200);
    let undoing = started.elapsed();
    println!("changing took {changing:?}, undoing {undoing:?}");
    assert!(changing < Duration::from_secs(1) && undoing < Duration::from_secs(1), "{changing:?}, {undoing:?}");
}
