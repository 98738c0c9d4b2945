//! Changing an event: atomically, and omitted fields keep their values.

use serde_json::{Value, json};

use crate::tests::support::{TestApp, in_person_event, online_event, speaker, with};

#[tokio::test]
async fn a_change_replaces_venue_speakers_and_start() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    let ben = admin.post("/api/speakers", speaker("Ben Tal")).await.created_id();
    let mut input = in_person_event("Second walk", &[ben]);
    input = with(input, "/location/venueName", json!("The Annex"));
    input = with(input, "/location/placeId", Value::Null);
    input = with(input, "/event/timezone", json!("America/Denver"));

    let response = admin.put(&format!("/api/events/{id}"), input).await;

    assert_eq!(response.status, 200);
    let event = response.json();
    assert_eq!(event["id"], id);
    assert_eq!(event["title"], "Second walk");
    assert_eq!(event["startsAt"], "2031-03-13T01:00:00Z");
    assert_eq!(event["location"]["venueName"], "The Annex");
    assert_eq!(event["location"]["placeId"], Value::Null);
    assert_eq!(event["speakers"].as_array().unwrap().len(), 1);
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([event]));
    assert_eq!((app.rows("event_locations"), app.rows("event_speakers")), (1, 1));
}

#[tokio::test]
async fn an_unknown_speaker_changes_nothing() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    let ben = admin.post("/api/speakers", speaker("Ben Tal")).await.created_id();
    let before = app.everything(&admin).await;
    let version = app.visitor().get("/api/events").await.header("etag");

    let mut input = in_person_event("Other title", &[ben, 999]);
    input = with(input, "/event/date", json!("2032-01-01"));
    input = with(input, "/event/series", json!("Other series"));
    input = with(input, "/location/venueName", json!("Other room"));
    let response = admin.put(&format!("/api/events/{id}"), input).await;

    assert_eq!(response.status, 400);
    assert_eq!(response.field("speakerIds"), "A selected speaker no longer exists");
    assert_eq!(app.everything(&admin).await, before);
    assert_eq!(app.visitor().get("/api/events").await.header("etag"), version);
}

#[tokio::test]
async fn omitted_fields_keep_their_values_and_null_clears_them() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let links = json!({ "google": "https://example.com/g", "outlook": "https://example.com/o" });
    let mut full = online_event("Synced", &[speaker]);
    full = with(full, "/event/brandliveId", json!("bl-1"));
    full = with(full, "/event/series", json!("Deals"));
    full = with(full, "/event/calendarLinks", links.clone());
    let id = admin.post("/api/events", full).await.created_id();
    let path = format!("/api/events/{id}");

    let renamed = admin.put(&path, online_event("Renamed", &[speaker])).await.json();
    assert_eq!(renamed["title"], "Renamed");
    assert_eq!(renamed["brandliveId"], "bl-1");
    assert_eq!(renamed["series"], "Deals");
    assert_eq!(renamed["calendarLinks"], links);

    let one = with(online_event("Renamed", &[speaker]), "/event/series", Value::Null);
    let partly = admin.put(&path, one).await.json();
    assert_eq!((&partly["series"], &partly["brandliveId"]), (&Value::Null, &json!("bl-1")));
    assert_eq!(partly["calendarLinks"], links);

    let mut none = online_event("Renamed", &[speaker]);
    for place in ["/event/brandliveId", "/event/calendarLinks"] {
        none = with(none, place, Value::Null);
    }
    let cleared = admin.put(&path, none).await.json();
    assert_eq!(cleared["brandliveId"], Value::Null);
    assert_eq!(cleared["calendarLinks"], json!({}));

    // Sent links replace all stored ones.
    let fewer = with(online_event("Renamed", &[speaker]), "/event/calendarLinks", json!({ "ical": "https://e.com/i" }));
    assert_eq!(admin.put(&path, fewer).await.json()["calendarLinks"], json!({ "ical": "https://e.com/i" }));
}

#[tokio::test]
async fn an_event_that_becomes_online_loses_its_venue_and_keeps_its_interest() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    let speaker = admin.get("/api/speakers").await.json()[0]["id"].as_i64().unwrap();
    let (path, interest) = (format!("/api/events/{id}"), format!("/api/events/{id}/interest"));
    let add = json!({ "action": "add", "userId": "user_1_abc" });
    assert_eq!(app.visitor().put(&interest, add).await.json()["count"], 1);

    let moved = with(in_person_event("Walk", &[speaker]), "/event/type", json!("Special"));
    assert_eq!(admin.put(&path, moved).await.json()["location"], Value::Null);
    assert_eq!(app.rows("event_locations"), 0);
    assert_eq!(app.rows("user_event_interests"), 1);
    assert_eq!(app.visitor().get(&interest).await.status, 400);

    let back = admin.put(&path, in_person_event("Walk", &[speaker])).await.json();
    assert_eq!(back["location"]["venueName"], "The Long Room");
    let seen = app.visitor().get(&format!("{interest}?userId=user_1_abc")).await.json();
    assert_eq!(seen, json!({ "count": 1, "hasInterest": true }));
}

#[tokio::test]
async fn an_invalid_change_changes_nothing() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let before = app.everything(&admin).await;
    let response =
        admin.put(&format!("/api/events/{id}"), with(online_event("", &[1]), "/event/time", json!("25:00"))).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.fields(), json!({ "title": "Title is required", "time": "Time must be hour:minute" }));
    assert_eq!(app.everything(&admin).await, before);
}

#[tokio::test]
async fn an_unknown_event_cannot_be_changed() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let response = admin.put("/api/events/999", online_event("Nothing", &[speaker])).await;
    assert_eq!((response.status.as_u16(), response.error()), (404, "Event not found".to_owned()));
    for id in ["abc", "1.5", "9223372036854775808", "%FF", "1%20OR%201=1"] {
        let response = admin.put(&format!("/api/events/{id}"), online_event("Nothing", &[speaker])).await;
        assert_eq!(response.status, 400, "{id}");
    }
    assert_eq!(app.rows("events"), 0);
}
