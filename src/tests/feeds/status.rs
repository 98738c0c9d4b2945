//! Cancelled and postponed events in calendars, feeds, structured data and share images; recordings.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::calendar::read;
use super::{page_of, site, structured};
use crate::platform::clock::timestamp;
use crate::tests::support::{TestApp, in_person_event, online_event, with};

async fn save(app: &TestApp, id: i64, status: &str) {
    let body = with(online_event("Reading a rent roll", &[1]), "/event/status", json!(status));
    let response = app.sign_in_admin().await.put(&format!("/api/events/{id}"), body).await;
    assert_eq!(response.status, 200, "{}", response.text());
}

#[tokio::test]
async fn calendars_and_feeds_say_that_an_event_is_cancelled_or_postponed() {
    let app = site();
    let id = app.an_online_event(&app.sign_in_admin().await).await;
    let visitor = app.visitor();
    let mut sequence = -1;
    for (status, word) in [("cancelled", "Cancelled"), ("postponed", "Postponed")] {
        save(&app, id, status).await;
        for path in ["/calendar.ics?alarm=30", &format!("/events/{id}-reading-a-rent-roll.ics")] {
            let events = read(&visitor.get(path).await);
            let event = &events[&id];
            assert_eq!(event.properties["STATUS"], "CANCELLED", "{path}");
            assert_eq!(event.properties["SUMMARY"], format!("{word}: Reading a rent roll"), "{path}");
            assert!(event.properties.contains_key("URL"), "it has a page: {path}");
            assert!(!event.properties["DESCRIPTION"].contains("Register:"), "{path}");
            assert_eq!(event.alarms, 0, "{path}");
            assert!(event.properties["SEQUENCE"].parse::<i64>().unwrap() > sequence, "calendars accept the change");
        }
        sequence = read(&visitor.get("/calendar.ics").await)[&id].properties["SEQUENCE"].parse().unwrap();
        let feed = visitor.get("/feed.xml").await.text();
        assert!(feed.contains(&format!(">{word}: Reading a rent roll</title>")), "{feed}");
    }
    save(&app, id, "published").await;
    assert_eq!(read(&visitor.get("/calendar.ics").await)[&id].properties["STATUS"], "CONFIRMED");
}

#[tokio::test]
async fn calendars_accept_the_publication_of_an_event_that_was_withdrawn() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let (visitor, path) = (app.visitor(), format!("/api/events/{id}"));
    let entry = async || {
        let event = read(&visitor.get("/calendar.ics").await).remove(&id).unwrap();
        (event.properties["STATUS"].clone(), event.properties["SEQUENCE"].parse::<i64>().unwrap())
    };
    let later = app.clock.now() + TimeDelta::minutes(10);
    let scheduled = with(online_event("Reading a rent roll", &[1]), "/event/status", json!("scheduled"));
    let scheduled = with(scheduled, "/event/publishAt", json!(timestamp(later)));
    assert_eq!(admin.put(&path, scheduled).await.status, 200);
    let (status, withdrawn) = entry().await;
    assert_eq!(status, "CANCELLED");

    app.clock.advance(11 * 60);
    let (status, published) = entry().await;
    assert_eq!(status, "CONFIRMED");
    assert!(published > withdrawn, "{published} after {withdrawn}");
    let file = read(&visitor.get(&format!("/events/{id}-reading-a-rent-roll.ics")).await);
    assert_eq!(file[&id].properties["SEQUENCE"], published.to_string());
    assert_eq!(admin.put(&path, online_event("Reading a rent roll", &[1])).await.status, 200);
    assert_eq!(entry().await, ("CONFIRMED".to_owned(), published), "the save stores what time decided");
}

#[tokio::test]
async fn an_event_that_lost_its_date_leaves_the_calendar() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let draft = json!({ "event": { "title": "Another idea", "status": "draft" } });
    assert_eq!(admin.put(&format!("/api/events/{id}"), draft).await.status, 200);
    assert!(read(&app.visitor().get("/calendar.ics").await).is_empty());
}

#[tokio::test]
async fn structured_data_has_the_status_and_no_offer_of_a_closed_event() {
    let app = site();
    let id = app.an_online_event(&app.sign_in_admin().await).await;
    for (status, state) in
        [("published", "EventScheduled"), ("cancelled", "EventCancelled"), ("postponed", "EventPostponed")]
    {
        save(&app, id, status).await;
        let data = structured(&page_of(&app.visitor(), id).await.text());
        assert_eq!(data["eventStatus"], format!("https://schema.org/{state}"));
        assert_eq!(data.get("offers").is_some(), status == "published", "{status}");
        assert!(data.get("startDate").is_some());
    }
}

#[tokio::test]
async fn structured_data_has_the_recording_after_the_event() {
    let app = site();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let recorded = |date: &str| {
        let body = with(in_person_event("Property walk", &[1]), "/event/date", json!(date));
        with(body, "/event/recordingUrl", json!("https://video.example.com/1"))
    };
    let past = admin.post("/api/events", recorded("2021-03-12")).await.created_id();
    let upcoming = admin.post("/api/events", recorded("2031-03-12")).await.created_id();
    let of = async |id| structured(&page_of(&app.visitor(), id).await.text())["recordedIn"].clone();
    let video = json!({ "@type": "VideoObject", "name": "Property walk", "url": "https://video.example.com/1" });
    assert_eq!(of(past).await, video);
    assert_eq!(of(upcoming).await, Value::Null);
}

#[tokio::test]
async fn the_share_image_of_a_closed_event_has_another_url_and_other_pixels() {
    let app = site();
    let id = app.an_online_event(&app.sign_in_admin().await).await;
    let visitor = app.visitor();
    let mut seen: Vec<(String, bytes::Bytes)> = Vec::new();
    for status in ["published", "cancelled", "postponed"] {
        save(&app, id, status).await;
        let html = page_of(&visitor, id).await.text();
        let url = html.split_once("property=\"og:image\" content=\"").unwrap().1.split_once('"').unwrap().0;
        let path = url.strip_prefix(super::BASE).unwrap().to_owned();
        let image = visitor.get(&path).await;
        assert_eq!(image.status, 200, "{status}");
        assert!(seen.iter().all(|(other, pixels)| *other != path && *pixels != image.body), "{status}");
        seen.push((path, image.body));
    }
}
