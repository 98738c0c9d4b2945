//! Events in both nights on which clocks change, in six zones: page, calendar, structured data and links must agree on
//! the instant.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::calendar::read;
use super::{site, structured};
use crate::platform::clock::timestamp;
use crate::tests::support::{online_event, with};

#[tokio::test]
async fn page_calendar_structured_data_and_links_agree_when_clocks_change() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../rule_cases/wall_clock.json")).unwrap();
    let app = site();
    // Before both nights, because the page of a past event has no links.
    let winter: DateTime<Utc> = "2026-01-02T00:00:00Z".parse().unwrap();
    app.clock.advance((winter - app.clock.now()).num_seconds());
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let mut checked = 0;
    for case in cases.iter().filter(|case| ["2026-03-08", "2026-11-01"].contains(&case["date"].as_str().unwrap())) {
        let mut event = online_event("Night", &[speaker]);
        for (key, value) in [("date", &case["date"]), ("time", &case["time"]), ("timezone", &case["zone"])] {
            event = with(event, &format!("/event/{key}"), value.clone());
        }
        event = with(event, "/event/duration", json!("90 minutes"));
        let id = admin.post("/api/events", event).await.created_id();
        let start: DateTime<Utc> = case["utc"].as_str().unwrap().parse().unwrap();
        let end = start + chrono::TimeDelta::minutes(90);
        let basic = |at: DateTime<Utc>| at.format("%Y%m%dT%H%M%SZ").to_string();

        let html = app.visitor().get(&format!("/events/{id}-night")).await.text();
        assert!(html.contains(&start.format("<time dateTime=\"%Y-%m-%dT%H:%M:%S.000Z\">").to_string()), "{case}");
        let data = structured(&html);
        for (key, instant) in [("startDate", start), ("endDate", end)] {
            let local = data[key].as_str().unwrap();
            assert_eq!(DateTime::parse_from_rfc3339(local).unwrap(), instant, "{case}");
            assert!(!local.ends_with('Z'), "{local} has the offset of its zone");
        }
        assert!(html.contains(&format!("dates={}/{}", basic(start), basic(end))), "{case}");
        assert!(html.contains(&format!("startdt={}&amp;enddt={}", timestamp(start), timestamp(end))), "{case}");
        let calendar = read(&app.visitor().get(&format!("/events/{id}-night.ics")).await);
        assert_eq!(calendar[&id].properties["DTSTART"], basic(start), "{case}");
        assert_eq!(calendar[&id].properties["DTEND"], basic(end), "{case}");
        let feed = app.visitor().get("/feed.xml").await.text();
        assert!(feed.contains(&format!("/events/{id}-night\"")), "{case}");
        assert_eq!(admin.delete(&format!("/api/events/{id}")).await.status, 204);
        checked += 1;
    }
    assert!(checked >= 60, "{checked}");
}
