//! Addresses that add an event to a calendar, over the cases that the page runs too.

use serde_json::{Value, json};

use crate::features::events::Event;
use crate::features::feeds::calendar_links;
use crate::platform::clock::timestamp;
use crate::platform::zone;

/// An event of the cases, with what they leave out.
fn event_of(case: &Value) -> Event {
    let mut event = json!({ "id": 12, "brandliveId": null, "series": null, "createdAt": "2026-01-01T00:00:00Z",
        "updatedAt": "2026-01-01T00:00:00Z", "revision": 1, "speakers": [] });
    for (key, value) in case.as_object().unwrap() {
        event[key] = value.clone();
    }
    serde_json::from_value(event).unwrap()
}

#[test]
fn addresses_that_add_an_event_are_those_of_the_table() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../rule_cases/calendar_links.json")).unwrap();
    assert!(cases.len() > 60);
    for case in cases {
        let event = event_of(&case["event"]);
        let wall = format!("{}T{}:00", event.date, event.time).parse().unwrap();
        let instant = zone::instant_of(zone::find(&event.timezone).unwrap(), wall);
        assert_eq!(timestamp(instant), event.starts_at, "{}: the case itself", case["note"]);

        let links = calendar_links(&event, case["baseUrl"].as_str().unwrap());
        assert_eq!(links.google, case["google"], "{}", case["note"]);
        assert_eq!(links.outlook, case["outlook"], "{}", case["note"]);
        assert_eq!(links.ical, case["ical"], "{}", case["note"]);
        for address in [&links.google, &links.outlook] {
            assert!(url::Url::parse(address).is_ok() && address.is_ascii(), "{address}");
        }
    }
}
