//! Creating an event: stored values, rejected input, and atomicity.

use serde_json::{Value, json};

use crate::tests::support::{TestApp, in_person_event, online_event, speaker, with, without};

#[tokio::test]
async fn a_created_event_is_returned_and_listed_as_sent() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let first = app.a_speaker(&admin).await;
    let second = admin.post("/api/speakers", speaker("Ben Tal")).await.created_id();
    let mut input = in_person_event("  Property walk  ", &[second, first]);
    input = with(input, "/event/series", json!("Walks"));
    input = with(input, "/event/brandliveId", json!("bl-1"));
    input = with(input, "/event/calendarLinks", json!({ "google": "https://example.com/g", "ical": " " }));

    let response = admin.post("/api/events", input).await;

    assert_eq!(response.status, 201);
    assert_eq!(response.header("cache-control"), "no-store");
    let event = response.json();
    for (place, expected) in [
        ("/title", json!("Property walk")),
        ("/date", json!("2031-03-12")),
        ("/time", json!("19:00")),
        ("/duration", json!("60 minutes")),
        ("/type", json!("In-Person Events")),
        ("/series", json!("Walks")),
        ("/brandliveId", json!("bl-1")),
        ("/calendarLinks", json!({ "google": "https://example.com/g" })),
        ("/timezone", json!("America/New_York")),
        ("/startsAt", json!("2031-03-12T23:00:00Z")),
        ("/location/venueName", json!("The Long Room")),
        ("/location/imageUrl", Value::Null),
        ("/location/placeId", json!("place-1")),
        ("/speakers/0/speakerId", json!(second)),
        ("/speakers/0/speaker/name", json!("Ben Tal")),
        ("/speakers/1/speaker/id", json!(first)),
        ("/speakers/1/speaker/bio", json!("Reads rent rolls.")),
    ] {
        assert_eq!(event.pointer(place), Some(&expected), "{place}");
    }
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([event]));
}

#[tokio::test]
async fn omitted_fields_have_defaults() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let input = without(without(online_event("Plain", &[speaker]), "/event/duration"), "/event/timezone");
    let event = admin.post("/api/events", input).await.json();
    assert_eq!(event["duration"], "60 minutes");
    assert_eq!(event["timezone"], "America/New_York");
    assert_eq!(event["calendarLinks"], json!({}));
    for absent in ["brandliveId", "series", "location"] {
        assert_eq!(event.get(absent), Some(&Value::Null), "{absent}");
    }
}

#[tokio::test]
async fn a_venue_may_have_blanks_but_is_not_stored_for_an_event_without_one() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let mut input = in_person_event("Walk", &[speaker]);
    input["location"] = json!({ "venueName": " Roof ", "venueAddress": "", "city": " ", "state": "" });
    let event = admin.post("/api/events", input.clone()).await.json();
    let blank =
        json!({ "venueName": "Roof", "venueAddress": "", "city": "", "state": "", "imageUrl": null, "placeId": null });
    assert_eq!(event["location"], blank);

    let online = with(input, "/event/type", json!("Special"));
    assert_eq!(admin.post("/api/events", online).await.json()["location"], Value::Null);
    assert_eq!(app.rows("event_locations"), 1);
}

#[tokio::test]
async fn an_unknown_speaker_is_400_and_nothing_is_stored() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    for ids in [vec![speaker, 999], vec![-1], vec![i64::MAX], vec![0]] {
        let response = admin.post("/api/events", in_person_event("Walk", &ids)).await;
        assert_eq!(response.status, 400, "{ids:?}");
        assert_eq!(response.fields(), json!({ "speakerIds": "A selected speaker no longer exists" }));
    }
    for table in ["events", "event_locations", "event_speakers"] {
        assert_eq!(app.rows(table), 0, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_save_does_not_affect_concurrent_saves() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..40_i64 {
        let client = admin.clone();
        let ids = if number % 2 == 0 { vec![speaker] } else { vec![speaker, 999] };
        tasks.spawn(async move {
            let response = client.post("/api/events", in_person_event(&format!("Walk {number}"), &ids)).await;
            assert_eq!(response.status, if number % 2 == 0 { 201 } else { 400 }, "{}", response.text());
        });
    }
    tasks.join_all().await;
    for table in ["events", "event_locations", "event_speakers"] {
        assert_eq!(app.rows(table), 20, "{table}");
    }
}

#[tokio::test]
async fn an_event_can_have_a_hundred_speakers() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let mut ids = Vec::new();
    for number in 0..100 {
        ids.push(admin.post("/api/speakers", speaker(&format!("Speaker {number}"))).await.created_id());
    }
    let event = admin.post("/api/events", online_event("Panel", &ids)).await.json();
    let order: Vec<i64> =
        event["speakers"].as_array().unwrap().iter().map(|entry| entry["speakerId"].as_i64().unwrap()).collect();
    assert_eq!(order, ids);

    // A duplicate id is ignored.
    let twice = admin.post("/api/events", online_event("Panel", &[ids[1], ids[0], ids[1]])).await.json();
    assert_eq!(twice["speakers"].as_array().unwrap().len(), 2);
    assert_eq!(twice["speakers"][0]["speakerId"], ids[1]);
}

#[tokio::test]
async fn a_brandlive_id_belongs_to_one_event() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let synced = with(online_event("One", &[speaker]), "/event/brandliveId", json!("bl-1"));
    admin.post("/api/events", synced.clone()).await.created_id();
    let other = admin.post("/api/events", online_event("Two", &[speaker])).await.created_id();
    let before = app.everything(&admin).await;

    for response in
        [admin.post("/api/events", synced.clone()).await, admin.put(&format!("/api/events/{other}"), synced).await]
    {
        assert_eq!(response.status, 409);
        assert_eq!(response.fields(), json!({ "brandliveId": "An event with this Brandlive id already exists" }));
    }
    assert_eq!(app.everything(&admin).await, before);

    // Any number of events may have no id, blank or missing.
    let blank = with(online_event("Three", &[speaker]), "/event/brandliveId", json!("  "));
    assert_eq!(admin.post("/api/events", blank).await.json()["brandliveId"], Value::Null);
}

#[tokio::test]
async fn a_value_of_the_wrong_type_is_named_by_its_field() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    for (place, value, field) in [
        ("/event/title", json!(5), "event.title"),
        ("/event/calendarLinks", json!("https://example.com"), "event.calendarLinks"),
        ("/event/calendarLinks", json!({ "google": 1 }), "event.calendarLinks.google"),
        ("/location/city", json!({}), "location.city"),
        ("/speakerIds", json!("1"), "speakerIds"),
        ("/speakerIds", json!([1.5]), "speakerIds[0]"),
        ("/speakerIds", json!([1, null]), "speakerIds[1]"),
        ("/event", json!("An event"), "event"),
    ] {
        let response = admin.post("/api/events", with(in_person_event("Walk", &[speaker]), place, value)).await;
        assert_eq!(response.status, 400, "{place}");
        assert_eq!(response.fields(), json!({ field: format!("{field} has the wrong type") }));
    }
    assert_eq!(app.rows("events"), 0);
}

#[tokio::test]
async fn control_characters_are_removed_and_all_other_characters_are_stored() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let event = with(online_event("a\0b\u{7}\u{fffe}", &[speaker]), "/event/summary", json!("\0 \u{7f}"));
    let response = admin.post("/api/events", event).await;
    assert_eq!(response.fields(), json!({ "summary": "Summary is required" }));

    let text = "one\ttwo\r\nthree, \u{200f}שלום\u{200d}👩\u{200d}💻";
    let event = with(online_event("a\0b\u{7}\u{fffe}", &[speaker]), "/event/description", json!(text));
    let event = admin.post("/api/events", event).await.json();
    assert_eq!((&event["title"], &event["description"]), (&json!("ab"), &json!(text)));
}

#[tokio::test]
async fn times_skipped_or_repeated_by_a_clock_change_have_an_instant() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    // Clocks in New York jump from 02:00 to 03:00 on 9 March 2031 and back on 2 November.
    for (date, time, instant) in [
        ("2031-03-09", "02:30", "2031-03-09T07:30:00Z"),
        ("2031-11-02", "01:30", "2031-11-02T05:30:00Z"),
        ("2031-11-02", "02:30", "2031-11-02T07:30:00Z"),
    ] {
        let input = with(online_event("Night", &[speaker]), "/event/date", json!(date));
        let event = admin.post("/api/events", with(input, "/event/time", json!(time))).await.json();
        assert_eq!(event["startsAt"], instant, "{date} {time}");
        assert_eq!(event["time"], time);
    }
}
