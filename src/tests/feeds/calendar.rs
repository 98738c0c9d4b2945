//! Calendar subscriptions, read with an independent parser.

use std::collections::BTreeMap;

use icalendar::parser::{Component, read_calendar, unfold};
use serde_json::json;

use super::{BASE, hide, site};
use crate::platform::clock::timestamp;
use crate::tests::pages::HOSTILE;
use crate::tests::support::{TestApp, TestResponse, in_person_event, online_event, with};

/// One VEVENT: its properties by name, and the number of its alarms.
#[derive(Debug)]
pub(super) struct CalendarEvent {
    pub(super) properties: BTreeMap<String, String>,
    pub(super) alarms: usize,
}

impl CalendarEvent {
    fn get(&self, name: &str) -> &str {
        self.properties.get(name).map(String::as_str).unwrap_or_default()
    }
}

fn properties(component: &Component<'_>) -> BTreeMap<String, String> {
    component.properties.iter().map(|one| (one.name.to_string(), one.val.to_string())).collect()
}

/// All events of a response, by id. Also checks the syntax of every line.
pub(super) fn read(response: &TestResponse) -> BTreeMap<i64, CalendarEvent> {
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(response.header("content-type"), "text/calendar; charset=utf-8");
    let text = String::from_utf8(response.body.to_vec()).unwrap();
    assert!(text.ends_with("END:VCALENDAR\r\n"));
    for line in text.split_terminator("\r\n") {
        assert!(line.len() <= 75, "{} octets: {line}", line.len());
        assert!(!line.contains(['\r', '\n']), "{line:?}");
    }
    let unfolded = unfold(&text);
    let calendar = read_calendar(&unfolded).unwrap();
    calendar
        .components
        .iter()
        .filter(|component| component.name != "VTIMEZONE")
        .map(|event| {
            assert_eq!(event.name.as_str(), "VEVENT");
            let entry = CalendarEvent { properties: properties(event), alarms: event.components.len() };
            let id = entry.get("UID").strip_prefix("event-").unwrap().split_once('@').unwrap().0.parse().unwrap();
            (id, entry)
        })
        .collect()
}

async fn calendar(app: &TestApp) -> BTreeMap<i64, CalendarEvent> {
    read(&app.visitor().get("/calendar.ics").await)
}

#[tokio::test]
async fn a_calendar_parser_reads_every_event() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let webinar = app.an_online_event(&admin).await;
    let walk = app.an_in_person_event(&admin).await;
    let response = app.visitor().get("/calendar.ics").await;
    let text = response.text();
    for line in [
        "VERSION:2.0\r\n",
        "NAME:Marlow & Reyes\\, Investing\r\n",
        "X-WR-CALNAME:Marlow & Reyes\\, Investing\r\n",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n",
        "X-PUBLISHED-TTL:PT1H\r\n",
    ] {
        assert!(text.contains(line), "{line}");
    }
    assert!(!text.contains("METHOD"), "it would require an organizer in every event (RFC 5546)");
    let events = read(&response);
    assert_eq!(events.len(), 2);
    let online = &events[&webinar];
    for (name, value) in [
        ("UID", format!("event-{webinar}@events.example.com")),
        ("STATUS", "CONFIRMED".to_owned()),
        ("SEQUENCE", "0".to_owned()),
        ("DTSTART", "20310312T230000Z".to_owned()),
        ("DTEND", "20310313T000000Z".to_owned()),
        ("SUMMARY", "Reading a rent roll".to_owned()),
        ("URL", format!("{BASE}/events/{webinar}-reading-a-rent-roll")),
        ("CATEGORIES", "Investor Insights".to_owned()),
        ("COLOR", "royalblue".to_owned()),
    ] {
        assert_eq!(online.get(name), value, "{name}");
    }
    assert_eq!(online.get("DTSTAMP"), online.get("LAST-MODIFIED"));
    assert!(online.get("DESCRIPTION").contains("Register: https://example.com/register\n"));
    assert!(!online.properties.contains_key("LOCATION"));
    assert_eq!(events[&walk].get("LOCATION"), "The Long Room, 12 Canal Street, Denver, CO");
    assert!(!events[&walk].get("DESCRIPTION").contains("Register:"));

    let again = app.visitor().with("if-none-match", &response.header("etag")).get("/calendar.ics").await;
    assert_eq!(again.status, 304);
    assert!(again.body.is_empty());
}

#[tokio::test]
async fn a_calendar_without_events_has_the_required_component() {
    let text = unfold(&site().visitor().get("/calendar.ics").await.text());
    let calendar = read_calendar(&text).unwrap();
    let names: Vec<&str> = calendar.components.iter().map(|component| component.name.as_str()).collect();
    assert_eq!(names, ["VTIMEZONE"]);
}

#[tokio::test]
async fn a_calendar_can_be_filtered_by_type_and_have_alarms() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let webinar = app.an_online_event(&admin).await;
    let walk = app.an_in_person_event(&admin).await;
    let visitor = app.visitor();
    let of = async |query: &str| read(&visitor.get(&format!("/calendar.ics?{query}")).await);

    assert_eq!(of("type=in-person-events").await.keys().copied().collect::<Vec<_>>(), [walk]);
    assert_eq!(of("type=investor-insights&alarm=").await.keys().copied().collect::<Vec<_>>(), [webinar]);
    assert!(of("type=special").await.is_empty());
    assert_eq!(of("utm_source=mail&type=").await.len(), 2);
    for query in ["alarm=30&type=in-person-events", "type=in-person-events&alarm=30"] {
        assert_eq!(of(query).await[&walk].alarms, 1);
        assert!(visitor.get(&format!("/calendar.ics?{query}")).await.text().contains("TRIGGER:-PT30M\r\n"));
    }
    assert_eq!(of("alarm=0").await[&walk].alarms, 1);
    assert_eq!(of("alarm=10080").await[&walk].alarms, 1);

    for (query, status, words) in [
        ("type=opera", 404, "There is no such event type. The types are investor-insights, "),
        ("type=In-Person%20Events", 404, "There is no such event type."),
        ("alarm=10081", 400, "alarm must be a number of minutes from 0 to 10080."),
        ("alarm=-1", 400, "alarm must be"),
        ("alarm=soon", 400, "alarm must be"),
        ("alarm=99999999999", 400, "alarm must be"),
    ] {
        let response = visitor.get(&format!("/calendar.ics?{query}")).await;
        assert_eq!(response.status, status, "{query}");
        assert_eq!(response.header("content-type"), "text/plain; charset=utf-8");
        assert!(response.text().starts_with(words), "{query}: {}", response.text());
    }
}

#[tokio::test]
async fn an_event_has_a_calendar_of_its_own() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    app.an_in_person_event(&admin).await;
    let response = app.visitor().get(&format!("/events/{id}-reading-a-rent-roll.ics")).await;
    assert_eq!(response.header("content-disposition"), format!("inline; filename=\"{id}-reading-a-rent-roll.ics\""));
    let alone = read(&response);
    let whole = calendar(&app).await;
    assert_eq!(alone.len(), 1);
    assert_eq!(alone[&id].properties, whole[&id].properties);
}

#[tokio::test]
async fn only_a_change_of_time_place_or_state_raises_the_sequence() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let event = in_person_event("Property walk", &[speaker]);
    let id = admin.post("/api/events", event.clone()).await.created_id();
    let sequence = async || calendar(&app).await[&id].get("SEQUENCE").parse::<i64>().unwrap();
    let save = async |event| assert_eq!(admin.put(&format!("/api/events/{id}"), event).await.status, 200);
    let first = sequence().await;

    save(with(event.clone(), "/event/title", json!("Another title"))).await;
    assert_eq!(sequence().await, first, "a title");
    let moved = with(event.clone(), "/event/time", json!("20:00"));
    save(moved.clone()).await;
    let second = sequence().await;
    assert!(second > first, "a time");
    save(with(moved.clone(), "/location/city", json!("Boulder"))).await;
    assert!(sequence().await > second, "a place");
}

#[tokio::test]
async fn a_hidden_event_is_cancelled_for_thirty_days_and_can_be_shown_again() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let before: i64 = calendar(&app).await[&id].get("SEQUENCE").parse().unwrap();
    hide(&app, id, Some(&timestamp(app.clock.now())));

    let cancelled = calendar(&app).await;
    let entry = &cancelled[&id];
    assert_eq!(entry.get("STATUS"), "CANCELLED");
    assert!(entry.get("SEQUENCE").parse::<i64>().unwrap() > before);
    assert!(!entry.properties.contains_key("URL"), "it has no page");
    assert_eq!(read(&app.visitor().get("/calendar.ics?alarm=5").await)[&id].alarms, 0);

    hide(&app, id, None);
    let back = calendar(&app).await;
    assert_eq!(back[&id].get("STATUS"), "CONFIRMED");
    assert!(back[&id].get("SEQUENCE").parse::<i64>().unwrap() > before + 1);

    hide(&app, id, Some(&timestamp(app.clock.now())));
    assert_eq!(calendar(&app).await.len(), 1);
    app.clock.advance(30 * 86_400 - 60);
    assert_eq!(calendar(&app).await.len(), 1);
    app.clock.advance(120);
    assert_eq!(calendar(&app).await.len(), 0, "only time has passed");
}

#[tokio::test]
async fn a_deleted_event_is_cancelled_for_thirty_days() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    app.write_as_another_process("UPDATE events SET sequence = 6", []);
    assert_eq!(admin.delete(&format!("/api/events/{id}")).await.status, 204);
    let entries = calendar(&app).await;
    assert_eq!(entries[&id].get("STATUS"), "CANCELLED");
    assert_eq!(entries[&id].get("SEQUENCE"), "7");
    assert_eq!(entries[&id].get("DTSTART"), "20310312T230000Z");
    app.clock.advance(30 * 86_400 + 60);
    assert!(calendar(&app).await.is_empty());
}

#[tokio::test]
async fn the_same_version_has_the_same_bytes() {
    let app = site();
    let admin = app.sign_in_admin().await;
    app.an_online_event(&admin).await;
    let first = app.visitor().get("/calendar.ics").await.body;
    app.clock.advance(3_600);
    // A new content version without a change of the calendar.
    admin.put("/api/page-content/home", json!({ "heroTitle": "Hello", "heroSubtitle": "You" })).await;
    assert_eq!(app.visitor().get("/calendar.ics").await.body, first);
}

#[tokio::test]
async fn hostile_text_is_unchanged() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let long = "Ünïcödé 👩‍👩‍👧 مرحبا, ".repeat(8);
    let breaks = "One; two, three\\n four \"five\"\nsix\n\nseven: eight \\";
    let titles = HOSTILE.iter().copied().chain([long.trim(), breaks, "BEGIN:VEVENT\nEND:VCALENDAR"]);
    for title in titles {
        let event = with(online_event(title, &[speaker]), "/event/description", json!(title));
        let id = admin.post("/api/events", event).await.created_id();
        let entries = calendar(&app).await;
        assert_eq!(entries[&id].get("SUMMARY"), title);
        assert!(entries[&id].get("DESCRIPTION").starts_with(title), "{title}");
    }
}
