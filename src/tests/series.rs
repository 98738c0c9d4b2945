//! Series: their pages, feeds and calendars, and the positions of their events.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::pages::initial_data;
use super::support::{Client, TestApp, online_event, with};
use crate::platform::db;

/// Creates an event of a series on a day and returns its id.
async fn event_of(admin: &Client, series: &str, title: &str, date: &str) -> i64 {
    let mut event = online_event(title, &[1]);
    event["event"]["series"] = json!(series);
    event["event"]["date"] = json!(date);
    admin.post("/api/events", event).await.created_id()
}

/// A series of three events, created out of order.
async fn tax_tuesdays(app: &TestApp, admin: &Client) -> [i64; 3] {
    app.a_speaker(admin).await;
    let third = event_of(admin, "Tax Tuesdays", "Refunds", "2031-03-18").await;
    let first = event_of(admin, "Tax Tuesdays", "Returns", "2031-03-04").await;
    let second = event_of(admin, "tax  tuesdays", "Deductions", "2031-03-11").await;
    [first, second, third]
}

async fn position(visitor: &Client, id: i64) -> Value {
    let events = visitor.get("/api/events").await.json();
    let event = events.as_array().unwrap().iter().find(|event| event["id"] == id).unwrap().clone();
    event["seriesPosition"].clone()
}

fn structured(html: &str) -> Value {
    let start = "<script type=\"application/ld+json\">";
    serde_json::from_str(html.split_once(start).unwrap().1.split_once("</script>").unwrap().0).unwrap()
}

#[tokio::test]
async fn an_event_has_its_position_among_the_public_events_of_its_series() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let [first, second, third] = tax_tuesdays(&app, &admin).await;
    let visitor = app.visitor();
    assert_eq!(
        position(&visitor, second).await,
        json!({
            "path": "/series/tax-tuesdays", "number": 2, "count": 3,
            "previous": { "title": "Returns", "path": format!("/events/{first}-returns") },
            "next": { "title": "Refunds", "path": format!("/events/{third}-refunds") },
        })
    );
    let hidden = with(online_event("Deductions", &[1]), "/event/status", json!("hidden"));
    admin.put(&format!("/api/events/{second}"), hidden).await;
    let last = position(&visitor, third).await;
    assert_eq!(
        (&last["number"], &last["count"], &last["previous"]["title"]),
        (&json!(2), &json!(2), &json!("Returns"))
    );
    assert_eq!(last["next"], Value::Null);
    let unpublished = admin.get("/api/events/unpublished").await.json();
    assert_eq!(unpublished[0]["seriesPosition"], Value::Null);

    let other = app.an_online_event(&admin).await;
    assert_eq!(position(&visitor, other).await, Value::Null);
}

#[tokio::test]
async fn the_description_of_a_series_names_the_next_event_that_takes_place() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let [first, ..] = tax_tuesdays(&app, &admin).await;
    let changes = json!({ "events": [{ "id": first }], "changes": { "status": "cancelled" } });
    assert_eq!(admin.post("/api/events/bulk-edits", changes).await.status, 201);
    let html = app.visitor().get("/series/tax-tuesdays").await.text();
    assert!(html.contains("content=\"tax  tuesdays: 3 events. Next: Deductions, March 11, 2031\""), "{html}");
}

#[tokio::test]
async fn the_page_of_a_series_lists_its_events_for_people_and_search_engines() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    tax_tuesdays(&app, &admin).await;
    let response = app.visitor().get("/series/tax-tuesdays").await;
    assert_eq!(response.status, 200);
    let html = response.text();
    for part in [
        "<title>tax  tuesdays — ",
        "<link rel=\"canonical\" href=\"http://127.0.0.1:8080/series/tax-tuesdays\">",
        "href=\"/feed.xml?series=tax-tuesdays\"",
        "href=\"/calendar.ics?series=tax-tuesdays\"",
        "content=\"tax  tuesdays: 3 events. Next: Returns, March 4, 2031\"",
        "/share/series-1-",
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    let data = initial_data(&html);
    let titles: Vec<_> = data["series"]["events"].as_array().unwrap().iter().map(|event| &event["title"]).collect();
    assert_eq!(data["page"], "series");
    assert_eq!(titles, ["Returns", "Deductions", "Refunds"]);

    let structured = structured(&html);
    assert_eq!(structured["@type"], "EventSeries");
    assert_eq!(structured["startDate"], "2031-03-04T19:00:00-05:00");
    assert_eq!(structured["endDate"], "2031-03-18T20:00:00-04:00");
    assert_eq!(structured["subEvent"][1]["name"], "Deductions");
    assert_eq!(structured["subEvent"][1]["eventStatus"], "https://schema.org/EventScheduled");

    let etag = response.header("etag");
    let again = app.visitor().with("if-none-match", &etag).get("/series/tax-tuesdays").await;
    assert_eq!(again.status, 304);
    let image = html.split_once("/share/series-").unwrap().1.split_once('"').unwrap().0;
    let image = app.visitor().get(&format!("/share/series-{image}")).await;
    assert_eq!((image.status.as_u16(), image.header("content-type")), (200, "image/png".to_owned()));
    let sitemap = app.visitor().get("/sitemap.xml").await.text();
    assert_eq!(sitemap.matches("/series/tax-tuesdays</loc>").count(), 1);
    let [first, ..] = ["Returns", "Deductions", "Refunds"];
    let page = app.visitor().get("/events/2-returns").await.text();
    assert!(page.contains(first) && page.contains("\"superEvent\""), "the event names its series");
}

#[tokio::test]
async fn an_unknown_series_and_one_without_public_events_are_the_404_page() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let [first, second, third] = tax_tuesdays(&app, &admin).await;
    let visitor = app.visitor();
    for path in ["/series/nothing", "/series/", "/series/a/b", "/series/%22", "/series/tax-tuesdays-2"] {
        let response = visitor.get(path).await;
        assert_eq!(
            (response.status.as_u16(), response.header("content-type").as_str()),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
    }
    assert_eq!(visitor.get("/series/tax-tuesdays/").await.header("location"), "/series/tax-tuesdays");
    assert_eq!(visitor.get("/series/Tax-Tuesdays").await.header("location"), "/series/tax-tuesdays");
    for id in [first, second, third] {
        assert_eq!(visitor.get("/series/tax-tuesdays").await.status, 200);
        assert_eq!(admin.delete(&format!("/api/events/{id}")).await.status, 204);
    }
    assert_eq!(visitor.get("/series/tax-tuesdays").await.status, 404);
    // A subscription stays valid and cancels its events.
    let calendar = visitor.get("/calendar.ics?series=tax-tuesdays").await;
    assert_eq!((calendar.status.as_u16(), calendar.text().matches("STATUS:CANCELLED").count()), (200, 3));
    assert_eq!(visitor.get("/feed.xml?series=tax-tuesdays").await.status, 200);
    admin.send("POST", &format!("/api/events/{second}/restore"), None).await;
    assert_eq!(visitor.get("/series/tax-tuesdays").await.status, 200);
}

#[tokio::test]
async fn a_series_has_its_own_calendar_and_feed() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    tax_tuesdays(&app, &admin).await;
    app.an_online_event(&admin).await;
    let visitor = app.visitor();
    let calendar = visitor.get("/calendar.ics?series=tax-tuesdays").await.text();
    assert_eq!(calendar.matches("BEGIN:VEVENT").count(), 3);
    assert!(calendar.contains("SOURCE;VALUE=URI:http://127.0.0.1:8080/calendar.ics?series=tax-tuesdays"), "{calendar}");
    assert_eq!(visitor.get("/calendar.ics").await.text().matches("BEGIN:VEVENT").count(), 4);
    let both = visitor.get("/calendar.ics?alarm=30&series=TAX-Tuesdays&type=special").await;
    assert_eq!((both.status.as_u16(), both.text().matches("BEGIN:VEVENT").count()), (200, 0));
    for (query, text) in
        [("series=nothing", "There is no such series.\n"), ("series=../x", "There is no such series.\n")]
    {
        let response = visitor.get(&format!("/calendar.ics?{query}")).await;
        assert_eq!((response.status.as_u16(), response.text().as_str()), (404, text), "{query}");
        assert_eq!(visitor.get(&format!("/feed.xml?{query}")).await.status, 404);
    }
    let feed = visitor.get("/feed.xml?series=tax-tuesdays&utm=1").await.text();
    assert_eq!(feed.matches("<entry>").count(), 3);
    assert!(feed.contains("href=\"http://127.0.0.1:8080/series/tax-tuesdays\""), "{feed}");
    assert_eq!(visitor.get("/feed.xml?utm=1").await.text().matches("<entry>").count(), 4);
}

#[tokio::test]
async fn the_url_of_a_renamed_series_leads_to_its_new_one() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let ids = tax_tuesdays(&app, &admin).await;
    let visitor = app.visitor();
    let rename = |ids: &[i64], series: Value| {
        let events: Vec<_> = ids.iter().map(|id| json!({ "id": id })).collect();
        json!({ "events": events, "changes": { "series": series } })
    };
    // One of three moves: both series have pages.
    assert_eq!(admin.post("/api/events/bulk-edits", rename(&ids[..1], json!("Tax Talks"))).await.status, 201);
    for path in ["/series/tax-tuesdays", "/series/tax-talks"] {
        assert_eq!(visitor.get(path).await.status, 200, "{path}");
    }
    assert_eq!(admin.post("/api/events/bulk-edits", rename(&ids[1..], json!("Tax Talks"))).await.status, 201);
    let old = visitor.get("/series/tax-tuesdays").await;
    assert_eq!((old.status.as_u16(), old.header("location")), (308, "/series/tax-talks".to_owned()));
    let calendar = visitor.get("/calendar.ics?series=tax-tuesdays").await;
    assert_eq!(calendar.text().matches("BEGIN:VEVENT").count(), 3);
    assert_eq!(visitor.get("/series/tax-talks").await.status, 200);

    // Once more, and back: the URLs never lead in a circle.
    assert_eq!(admin.post("/api/events/bulk-edits", rename(&ids, json!("Ledger Nights"))).await.status, 201);
    for path in ["/series/tax-tuesdays", "/series/tax-talks"] {
        assert_eq!(visitor.get(path).await.header("location"), "/series/ledger-nights", "{path}");
    }
    assert_eq!(admin.post("/api/events/bulk-edits", rename(&ids, json!("TAX TUESDAYS"))).await.status, 201);
    assert_eq!(visitor.get("/series/tax-tuesdays").await.status, 200);
    for path in ["/series/ledger-nights", "/series/tax-talks"] {
        assert_eq!(visitor.get(path).await.header("location"), "/series/tax-tuesdays", "{path}");
    }
    assert_eq!(admin.post("/api/events/bulk-edits", rename(&ids, Value::Null)).await.status, 201);
    assert_eq!(visitor.get("/series/tax-tuesdays").await.status, 404);
    assert_eq!(position(&visitor, ids[0]).await, Value::Null);
}

#[tokio::test]
async fn names_without_latin_letters_and_names_with_one_slug_have_different_urls() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    for (series, slug) in [
        ("税金", "series"),
        ("投資", "series-2"),
        ("Q & A", "q-a"),
        ("Q/A", "q-a-2"),
        ("q & a", "q-a"),
        ("Café", "cafe"),
    ] {
        let id = event_of(&admin, series, "One", "2031-03-04").await;
        let path = format!("/series/{slug}");
        assert_eq!(position(&app.visitor(), id).await["path"], path, "{series}");
        assert_eq!(app.visitor().get(&path).await.status, 200, "{series}");
    }
}

#[tokio::test]
async fn a_scheduled_event_joins_its_series_at_its_minute() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let [first, ..] = tax_tuesdays(&app, &admin).await;
    let mut scheduled = online_event("Extensions", &[1]);
    let at = app.clock.now() + TimeDelta::minutes(10);
    scheduled["event"]["series"] = json!("Tax Tuesdays");
    scheduled["event"]["status"] = json!("scheduled");
    scheduled["event"]["publishAt"] = json!(at.to_rfc3339());
    let id = admin.post("/api/events", scheduled).await.created_id();
    let link = admin.send("POST", &format!("/api/events/{id}/preview-link"), None).await.json();
    let preview = app.visitor().get(link["path"].as_str().unwrap()).await.text();
    let position = &initial_data(&preview)["event"]["seriesPosition"];
    assert_eq!((&position["number"], &position["count"]), (&json!(3), &json!(4)), "as it will be");

    let page = |html: String| initial_data(&html)["event"]["seriesPosition"]["count"].clone();
    let path = format!("/events/{first}-returns");
    assert_eq!(page(app.visitor().get(&path).await.text()), 3);
    app.clock.advance(11 * 60);
    assert_eq!(page(app.visitor().get(&path).await.text()), 4);
    let listed = initial_data(&app.visitor().get("/series/tax-tuesdays").await.text());
    assert_eq!(listed["series"]["events"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn events_of_an_earlier_release_get_their_series_at_the_start() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    tax_tuesdays(&app, &admin).await;
    app.storage().execute_batch("UPDATE events SET series_id = NULL; DELETE FROM series").unwrap();
    let connection = db::connect(&app.database(), db::BusyTimeout::CommandLine).unwrap();
    db::in_transaction(&connection, crate::features::events::link_series).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2));
    assert_eq!(app.visitor().get("/series/tax-tuesdays").await.status, 200);
}
