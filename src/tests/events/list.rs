//! The public list: its order, filters and ETags; and the admins' list of hidden events.

use serde_json::{Value, json};

use crate::tests::support::{Client, TestApp, in_person_event, online_event, with};

fn titles(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap()).collect()
}

async fn an_event_at(admin: &Client, speaker: i64, title: &str, date: &str, time: &str, zone: &str) {
    let mut input = online_event(title, &[speaker]);
    for (pointer, value) in [("/event/date", date), ("/event/time", time), ("/event/timezone", zone)] {
        input = with(input, pointer, json!(value));
    }
    admin.post("/api/events", input).await.created_id();
}

#[tokio::test]
async fn events_are_sorted_by_the_instant_of_their_start() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    for (title, date, time, zone) in [
        ("6 Honolulu, 05:00 UTC", "2031-03-12", "19:00", "Pacific/Honolulu"),
        ("1 Berlin, 18:00 UTC", "2031-03-12", "19:00", "Europe/Berlin"),
        ("5 Los Angeles, 02:00 UTC", "2031-03-12", "19:00", "America/Los_Angeles"),
        ("2 New York, 23:00 UTC", "2031-03-12", "19:00", "America/New_York"),
        ("0 Auckland, 06:00 UTC, on the next day there", "2031-03-12", "19:00", "Pacific/Auckland"),
        ("4 Kathmandu, 00:15 UTC, on the next day there", "2031-03-13", "06:00", "Asia/Kathmandu"),
        ("3 New York again, 23:01 UTC", "2031-03-12", "19:01", "America/New_York"),
    ] {
        an_event_at(&admin, speaker, title, date, time, zone).await;
    }

    let list = app.visitor().get("/api/events").await.json();

    let order: String = titles(&list).iter().map(|title| &title[..1]).collect();
    assert_eq!(order, "0123456");
    assert_eq!(list[0]["startsAt"], "2031-03-12T06:00:00Z");
    assert_eq!(list[6]["startsAt"], "2031-03-13T05:00:00Z");
}

#[tokio::test]
async fn events_with_the_same_start_are_sorted_by_creation() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    an_event_at(&admin, speaker, "b", "2031-03-12", "19:00", "America/New_York").await;
    an_event_at(&admin, speaker, "a", "2031-03-12", "16:00", "America/Los_Angeles").await;
    assert_eq!(titles(&app.visitor().get("/api/events").await.json()), ["b", "a"]);
}

#[tokio::test]
async fn the_last_year_is_sorted_after_the_first() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    an_event_at(&admin, speaker, "late", "9998-12-31", "23:59", "Pacific/Honolulu").await;
    an_event_at(&admin, speaker, "early", "1900-01-01", "00:00", "Asia/Tokyo").await;
    an_event_at(&admin, speaker, "soon", "2031-03-12", "19:00", "America/New_York").await;
    let list = app.visitor().get("/api/events").await.json();
    assert_eq!(titles(&list), ["early", "soon", "late"]);
    assert_eq!(list[2]["startsAt"], "9999-01-01T09:59:00Z");

    let beyond = with(online_event("beyond", &[speaker]), "/event/date", json!("9999-12-31"));
    assert_eq!(admin.post("/api/events", beyond).await.field("date"), "Date must be from 1900-01-01 to 9999-12-30");
}

#[tokio::test]
async fn the_list_can_be_narrowed_to_an_event_a_series_or_the_first_events() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    an_event_at(&admin, speaker, "second", "2031-05-02", "09:00", "America/New_York").await;
    an_event_at(&admin, speaker, "first", "2031-05-01", "09:00", "America/New_York").await;
    let of_series = with(online_event("third", &[speaker]), "/event/series", json!("Tax Tuesdays"));
    let id = admin.post("/api/events", with(of_series, "/event/date", json!("2031-05-03"))).await.created_id();
    let hidden = with(online_event("hidden", &[speaker]), "/event/status", json!("hidden"));
    let hidden = admin.post("/api/events", hidden).await.created_id();
    let visitor = app.visitor();
    for (query, expected) in [
        (format!("id={id}"), &["third"][..]),
        (format!("id={hidden}"), &[]),
        ("id=99".to_owned(), &[]),
        ("series=tax-tuesdays".to_owned(), &["third"]),
        ("series=nothing".to_owned(), &[]),
        ("limit=2".to_owned(), &["first", "second"]),
        ("from=2031-05-02&limit=1".to_owned(), &["second"]),
        ("limit=0".to_owned(), &[]),
        ("last=2".to_owned(), &["second", "third"]),
        ("to=2031-05-02&last=1".to_owned(), &["second"]),
        ("last=0".to_owned(), &[]),
        ("limit=4294967295".to_owned(), &["first", "second", "third"]),
    ] {
        let list = visitor.get(&format!("/api/events?{query}")).await.json();
        assert_eq!(titles(&list), expected, "{query}");
    }
    for query in ["id=x", "limit=-1", "limit=1.5", "last=-1", "id=99999999999999999999"] {
        assert_eq!(visitor.get(&format!("/api/events?{query}")).await.status, 400, "{query}");
    }
}

#[tokio::test]
async fn the_list_can_be_filtered_by_days_and_type() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    // The day counts in the event's own zone: the second is on the 2nd there and on the 3rd in UTC.
    an_event_at(&admin, speaker, "first", "2031-05-01", "09:00", "America/New_York").await;
    an_event_at(&admin, speaker, "second", "2031-05-02", "23:30", "Pacific/Honolulu").await;
    an_event_at(&admin, speaker, "third", "2031-05-03", "09:00", "Europe/Berlin").await;
    let mut special = with(in_person_event("walk", &[speaker]), "/event/date", json!("2031-05-03"));
    special = with(special, "/event/timezone", json!("Pacific/Honolulu"));
    admin.post("/api/events", special).await.created_id();

    let visitor = app.visitor();
    for (query, expected) in [
        ("", vec!["first", "third", "second", "walk"]),
        ("?from=2031-05-02", vec!["third", "second", "walk"]),
        ("?to=2031-05-02", vec!["first", "second"]),
        ("?from=2031-05-02&to=2031-05-02", vec!["second"]),
        ("?from=2031-05-03&to=2031-05-01", vec![]),
        ("?type=In-Person%20Events", vec!["walk"]),
        ("?type=In-Person+Events&to=2031-05-02", vec![]),
        ("?type=Investor%20Insights&from=2031-05-03", vec!["third"]),
        ("?from=&to=&type=", vec!["first", "third", "second", "walk"]),
        ("?unknown=1", vec!["first", "third", "second", "walk"]),
    ] {
        let response = visitor.get(&format!("/api/events{query}")).await;
        assert_eq!(response.status, 200, "{query}");
        assert_eq!(titles(&response.json()), expected, "{query}");
    }
}

#[tokio::test]
async fn an_invalid_filter_is_named() {
    let app = TestApp::start();
    for (query, field, message) in [
        ("from=2031-13-01", "from", "Date must be year-month-day"),
        ("from=tomorrow", "from", "Date must be year-month-day"),
        ("to=2031-02-29", "to", "Date must be year-month-day"),
        ("to=2031-2-9", "to", "Date must be year-month-day"),
        ("type=Webinar", "type", "Invalid event type selected"),
        ("type=%27%20OR%201%3D1", "type", "Invalid event type selected"),
    ] {
        let response = app.visitor().get(&format!("/api/events?{query}")).await;
        assert_eq!(response.status, 400, "{query}");
        assert_eq!(response.fields(), json!({ field: message }), "{query}");
    }
    assert_eq!(app.visitor().get("/api/events?from=2031-01-01&from=2031-01-02").await.status, 400);
}

#[tokio::test]
async fn a_filtered_list_has_its_own_etag() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_online_event(&admin).await;
    let path = "/api/events?from=2031-01-01";
    let first = app.visitor().get(path).await;
    assert_eq!(first.header("cache-control"), "no-cache");

    let again = app.visitor().with("if-none-match", &first.header("etag")).get(path).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    let other = app.visitor().with("if-none-match", &first.header("etag")).get("/api/events?to=2030-01-01").await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn a_changed_speaker_changes_the_list() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_online_event(&admin).await;
    let before = app.visitor().get("/api/events").await;
    let speaker = before.json()[0]["speakers"][0]["speakerId"].clone();

    let renamed = json!({ "name": "Grace Obi-Lund", "title": "Partner" });
    assert_eq!(admin.put(&format!("/api/speakers/{speaker}"), renamed).await.status, 200);

    let after = app.visitor().with("if-none-match", &before.header("etag")).get("/api/events").await;
    assert_eq!(after.json()[0]["speakers"][0]["speaker"]["name"], "Grace Obi-Lund");
}

#[tokio::test]
async fn only_admins_can_list_hidden_events() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (hidden, seen) = (app.an_in_person_event(&admin).await, app.an_in_person_event(&admin).await);
    assert_eq!(admin.get("/api/events/unpublished").await.json(), json!([]));
    app.write_as_another_process(
        "UPDATE events SET status = 'hidden', hidden_at = '2026-01-02T03:04:05Z' WHERE id = ?1",
        [hidden],
    );

    let list = admin.get("/api/events/unpublished").await;

    assert_eq!(list.header("cache-control"), "no-store");
    let list = list.json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!((&list[0]["id"], &list[0]["location"]["city"]), (&json!(hidden), &json!("Denver")));
    assert_eq!(list[0]["speakers"].as_array().unwrap().len(), 1);
    assert_eq!(app.visitor().get("/api/events/unpublished").await.status, 401);
    for path in ["/api/events", "/api/events?type=In-Person%20Events"] {
        for client in [&admin, &app.visitor()] {
            let public = client.get(path).await.json();
            assert_eq!((public.as_array().unwrap().len(), &public[0]["id"]), (1, &json!(seen)), "{path}");
        }
    }
    assert_eq!(app.visitor().get(&format!("/api/events/{hidden}/interest")).await.status, 404);
    assert_eq!(app.visitor().get(&format!("/api/events/{seen}/interest")).await.status, 200);
}
