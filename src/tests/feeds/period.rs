//! The period of calendars and feeds: which past events they list, and which cancellations.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde_json::json;

use super::calendar::read;
use super::{BASE, hide};
use crate::platform::clock::timestamp;
use crate::platform::config::Config;
use crate::tests::support::{Client, TestApp, online_event, with};

/// Noon in New York, in summer.
const NOON: &str = "2031-06-15T16:00:00Z";

/// A site whose calendars go back some days, at noon of 15 June 2031 in New York.
fn site_at_noon(past_days: u32) -> TestApp {
    let mut config = Config::default();
    config.server.base_url = Some(BASE.parse().unwrap());
    config.feeds.past_days = past_days;
    let app = TestApp::start_with(config);
    advance_to(&app, NOON);
    app
}

fn advance_to(app: &TestApp, instant: &str) {
    let instant: DateTime<Utc> = instant.parse().unwrap();
    app.clock.advance((instant - app.clock.now()).num_seconds());
}

/// Creates an event of 60 minutes in a zone and returns its id.
async fn event(admin: &Client, date: &str, time: &str, zone: &str) -> i64 {
    let mut event = online_event("Reading a rent roll", &[1]);
    for (key, value) in [("date", date), ("time", time), ("timezone", zone), ("series", "Tax Tuesdays")] {
        event["event"][key] = json!(value);
    }
    admin.post("/api/events", event).await.created_id()
}

/// The ids of the events in a calendar.
async fn listed(visitor: &Client, path: &str) -> BTreeSet<i64> {
    read(&visitor.get(path).await).into_keys().collect()
}

/// The ids of the events in a feed.
async fn in_feed(visitor: &Client, path: &str) -> BTreeSet<i64> {
    let text = visitor.get(path).await.text();
    let ids = text.split(":event-").skip(1).map(|rest| rest.split('<').next().unwrap().parse().unwrap());
    ids.collect()
}

#[tokio::test]
async fn an_event_leaves_calendars_and_feeds_at_midnight_in_new_york() {
    let app = site_at_noon(30);
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    // The days before 16 May are over for them.
    for (date, time, zone) in [
        ("2031-05-15", "23:00", "America/New_York"),
        ("2031-05-15", "20:00", "America/Los_Angeles"),
        ("2031-05-16", "12:00", "Asia/Tokyo"),
        ("2021-06-15", "12:00", "America/New_York"),
    ] {
        event(&admin, date, time, zone).await;
    }
    let last_day = BTreeSet::from([
        event(&admin, "2031-05-15", "23:15", "America/New_York").await,
        event(&admin, "2031-05-15", "20:15", "America/Los_Angeles").await,
        event(&admin, "2031-05-16", "12:15", "Asia/Tokyo").await,
    ]);
    let others = BTreeSet::from([
        event(&admin, "2031-05-17", "12:00", "America/New_York").await,
        event(&admin, "2031-06-15", "11:45", "America/New_York").await,
        event(&admin, "2039-06-15", "11:45", "America/New_York").await,
    ]);
    let both = &last_day | &others;
    let visitor = app.visitor();
    let paths = ["/calendar.ics", "/calendar.ics?type=investor-insights&alarm=5", "/calendar.ics?series=tax-tuesdays"];
    for path in paths {
        assert_eq!(listed(&visitor, path).await, both, "{path}");
    }
    for path in ["/feed.xml", "/feed.xml?series=tax-tuesdays"] {
        assert_eq!(in_feed(&visitor, path).await, both, "{path}");
    }

    // Nothing changes until midnight, and then time alone changes it.
    let etag = visitor.get("/calendar.ics").await.header("etag");
    advance_to(&app, "2031-06-16T03:59:00Z");
    assert_eq!(visitor.get("/calendar.ics").await.header("etag"), etag);
    advance_to(&app, "2031-06-16T04:00:01Z");
    for path in paths {
        assert_eq!(listed(&visitor, path).await, others, "{path}");
    }
    assert_eq!(in_feed(&visitor, "/feed.xml").await, others);
}

#[tokio::test]
async fn events_that_left_the_calendar_keep_their_pages_and_files() {
    let app = site_at_noon(30);
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let id = event(&admin, "2021-06-15", "12:00", "America/New_York").await;
    let visitor = app.visitor();
    let path = format!("/events/{id}-reading-a-rent-roll");
    assert_eq!(visitor.get(&path).await.status, 200);
    assert_eq!(listed(&visitor, &format!("{path}.ics")).await, BTreeSet::from([id]));
    assert!(visitor.get("/sitemap.xml").await.text().contains(&path));
    // The calendar of a series that is over stays valid and keeps its name.
    let calendar = visitor.get("/calendar.ics?series=tax-tuesdays").await;
    assert!(read(&calendar).is_empty());
    assert!(calendar.text().contains("NAME:Your Company: Tax Tuesdays\r\n"), "{}", calendar.text());
    assert!(visitor.get("/feed.xml?series=tax-tuesdays").await.text().contains("Your Company: Tax Tuesdays</title>"));
}

#[tokio::test]
async fn an_event_that_was_in_the_calendar_is_cancelled_for_thirty_days_whenever_it_was() {
    let app = site_at_noon(30);
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let zone = "America/New_York";
    let recent = event(&admin, "2031-05-17", "12:00", zone).await;
    let hidden = event(&admin, "2031-05-17", "12:00", zone).await;
    let older = event(&admin, "2031-05-01", "12:00", zone).await;
    let upcoming = event(&admin, "2031-07-01", "12:00", zone).await;
    for id in [recent, older, upcoming] {
        assert_eq!(admin.delete(&format!("/api/events/{id}")).await.status, 204);
    }
    hide(&app, hidden, Some(&timestamp(app.clock.now())));

    let visitor = app.visitor();
    let cancelled = async || {
        let entries = read(&visitor.get("/calendar.ics").await);
        entries
            .iter()
            .filter(|(_, entry)| entry.properties["STATUS"] == "CANCELLED")
            .map(|(id, _)| *id)
            .collect::<BTreeSet<i64>>()
    };
    let all: BTreeSet<i64> = BTreeSet::from([recent, hidden, upcoming]);
    assert_eq!(cancelled().await, all, "no calendar has the event that had left before");
    // Without the deletion, two of them would have left by now.
    app.clock.advance(29 * 86_400);
    assert_eq!(cancelled().await, all);
    app.clock.advance(86_400 + 60);
    assert_eq!(cancelled().await, BTreeSet::new());
}

#[tokio::test]
async fn a_calendar_of_zero_past_days_has_the_events_of_today_and_later() {
    let app = site_at_noon(0);
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let zone = "America/New_York";
    event(&admin, "2031-06-14", "22:00", zone).await;
    let expected = BTreeSet::from([
        event(&admin, "2031-06-14", "23:30", zone).await,
        event(&admin, "2031-06-15", "09:00", zone).await,
        event(&admin, "2031-06-15", "22:00", zone).await,
    ]);
    assert_eq!(listed(&app.visitor(), "/calendar.ics").await, expected);
}

#[tokio::test]
async fn an_imported_event_of_weeks_is_in_the_calendar_until_it_is_over() {
    let app = site_at_noon(0);
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let id = event(&admin, "2031-05-20", "12:00", "America/New_York").await;
    assert!(listed(&app.visitor(), "/calendar.ics").await.is_empty());
    app.write_as_another_process("UPDATE events SET duration = '40320 minutes'", []);
    assert_eq!(listed(&app.visitor(), "/calendar.ics").await, BTreeSet::from([id]));
    advance_to(&app, "2031-06-18T04:00:01Z");
    assert!(listed(&app.visitor(), "/calendar.ics").await.is_empty());
}

#[tokio::test]
async fn a_year_of_past_events_is_the_default() {
    let app = site_at_noon(Config::default().feeds.past_days);
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    event(&admin, "2030-06-14", "12:00", "America/New_York").await;
    let expected = BTreeSet::from([event(&admin, "2030-06-15", "12:00", "America/New_York").await]);
    assert_eq!(listed(&app.visitor(), "/calendar.ics").await, expected);
    let event = with(online_event("Reading a rent roll", &[1]), "/event/status", json!("cancelled"));
    assert_eq!(admin.put(&format!("/api/events/{}", expected.first().unwrap()), event).await.status, 200);
    assert_eq!(listed(&app.visitor(), "/calendar.ics").await, expected);
}
