//! Exports, and what an import makes of them.

use serde_json::{Value, json};

use super::{preview, site, table};
use crate::tests::support::{Client, in_person_event, online_event, with};

async fn export(client: &Client, format: &str, ids: &[i64]) -> crate::tests::support::TestResponse {
    client.post("/api/events/export", json!({ "format": format, "ids": ids })).await
}

/// Events of every status with every field, among them texts that look like formulas.
async fn a_season(admin: &Client, speakers: &[i64]) -> Vec<i64> {
    let mut rich = in_person_event("=Property; \"walk\", №1", speakers);
    for (pointer, value) in [
        ("/event/series", json!("+Spring, walks")),
        ("/event/description", json!("- one\n- two\r\n\r\n\"three\", four")),
        ("/event/calendarLinks", json!({ "google": "https://example.com/g", "ical": "https://example.com/i" })),
        ("/event/recordingUrl", json!("https://example.com/recording")),
        ("/event/brandliveId", json!("bl-1")),
        ("/event/status", json!("cancelled")),
        ("/location/imageUrl", json!("https://example.com/venue.jpg")),
    ] {
        rich = with(rich, pointer, value);
    }
    let online = online_event("'@Reading a rent roll", &speakers[..1]);
    let online = with(online, "/event/descriptionFormat", json!("markdown"));
    let scheduled = with(online.clone(), "/event/status", json!("scheduled"));
    let scheduled = with(scheduled, "/event/publishAt", json!("2031-01-01T15:00:00Z"));
    let scheduled = with(scheduled, "/event/title", json!("Later"));
    let hidden = with(with(online.clone(), "/event/status", json!("hidden")), "/event/title", json!("Hidden"));
    let draft = json!({ "event": { "title": "A draft", "status": "draft" }, "speakerIds": [] });
    let mut ids = Vec::new();
    for event in [rich, online, scheduled, hidden, draft] {
        ids.push(admin.post("/api/events", event).await.created_id());
    }
    ids
}

#[tokio::test]
async fn an_exported_csv_is_imported_without_a_change() {
    let (app, admin, speakers) = site().await;
    let ids = a_season(&admin, &speakers).await;
    let before = (admin.get("/api/events").await.json(), admin.get("/api/events/unpublished").await.json());

    let file = export(&admin, "csv", &ids).await;

    assert_eq!(file.status, 200, "{}", file.text());
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"events.csv\"");
    let text = file.text();
    assert!(text.contains("\"'=Property; \"\"walk\"\", №1\"") && text.contains("\"''@Reading"), "{text}");
    // As Excel saves it.
    let saved = text.trim_start_matches('\u{feff}').replace("\"\r\n", "\"\n").into_bytes();
    for file in [file.body.to_vec(), saved] {
        let shown = preview(&admin, &file, json!({ "existingEvents": "update" })).await;
        assert_eq!(shown["counts"]["unchanged"], 5, "{:#?}", shown["rows"]);
        let result = super::import(&admin, &file, json!({ "existingEvents": "update" })).await;
        assert_eq!(result.json()["updated"], json!([]));
    }
    let after = (admin.get("/api/events").await.json(), admin.get("/api/events/unpublished").await.json());
    assert_eq!(before, after);

    // An empty site gets the same events from the file.
    let (other, there, others) = site().await;
    there.delete(&format!("/api/speakers/{}", others[1])).await;
    assert_eq!(other.rows("events"), 0);
    let options = json!({ "speakers": [{ "name": "Grace Obi", "title": "Host" }] });
    let result = super::import(&there, &file.body, options.clone()).await;
    assert_eq!(result.json()["counts"]["create"], 5, "{}", result.text());
    let without = |events: Value| -> Vec<Value> {
        let mut events = events.as_array().cloned().unwrap();
        for event in &mut events {
            let event = event.as_object_mut().unwrap();
            for key in ["id", "path", "createdAt", "updatedAt", "revision"] {
                event.remove(key);
            }
            for speaker in event["speakers"].as_array_mut().unwrap() {
                *speaker = speaker["speaker"]["name"].clone();
            }
        }
        events
    };
    let imported = (there.get("/api/events").await.json(), there.get("/api/events/unpublished").await.json());
    assert_eq!(without(imported.0), without(before.0));
    assert_eq!(without(imported.1), without(before.1));
    let again = preview(&there, &file.body, options).await;
    assert_eq!(again["counts"]["unchanged"], 5);
    assert_eq!(app.rows("speakers"), 2);
}

#[tokio::test]
async fn a_changed_cell_of_an_export_updates_only_that_field() {
    let (_app, admin, speakers) = site().await;
    let ids = a_season(&admin, &speakers).await;
    let text = export(&admin, "csv", &ids[1..2]).await.text().replace("One deal, read line by line.", "A new summary.");
    let rows = ["Title,Date,Time,Speakers,Duration", "'@Reading a rent roll,2031-03-12,7:00 PM,Grace Obi,90"];

    let skipped = preview(&admin, &text, json!({})).await;
    assert_eq!(table(&skipped), ["2 skip | '@Reading a rent roll | 2031-03-12 | 19:00 | America/New_York | published"]);
    assert_eq!(skipped["rows"][0]["eventId"], ids[1]);

    let result = super::import(&admin, &text, json!({ "existingEvents": "update" })).await.json();
    assert_eq!(result["updated"], json!([ids[1]]));
    // A title and a start are enough to recognize an event; blank cells and other columns stay.
    let file = rows.join("\n").replace("'@", "''@");
    let result = super::import(&admin, file, json!({ "existingEvents": "update" })).await;
    assert_eq!(result.json()["updated"], json!([ids[1]]), "{}", result.text());

    let events = admin.get("/api/events").await.json();
    let event = events.as_array().unwrap().iter().find(|event| event["id"] == ids[1]).unwrap();
    assert_eq!((&event["summary"], &event["duration"]), (&json!("A new summary."), &json!("90 minutes")));
    assert_eq!(event["speakers"].as_array().unwrap().len(), 1);
    assert_eq!(event["speakers"][0]["speaker"]["name"], "Grace Obi");
    assert_eq!(event["registrationUrl"], "https://example.com/register");
}

#[tokio::test]
async fn a_description_stays_markdown_in_another_site_and_its_format_can_be_changed() {
    let (_app, admin, speakers) = site().await;
    let event = online_event("Reading a rent roll", &speakers[..1]);
    let event = with(event, "/event/descriptionFormat", json!("markdown"));
    let event = with(event, "/event/description", json!("Bring **an offering**."));
    let id = admin.post("/api/events", event).await.created_id();

    let file = export(&admin, "csv", &[id]).await.text();

    let (_other, there, _) = site().await;
    let shown = preview(&there, &file, json!({})).await;
    let columns = shown["columns"].as_array().unwrap();
    assert!(
        columns
            .iter()
            .any(|column| column["heading"] == "Description format" && column["field"] == "descriptionFormat")
    );
    assert_eq!(super::import(&there, &file, json!({})).await.status, 201);
    let imported = there.get("/api/events").await.json()[0].clone();
    assert_eq!(imported["descriptionFormat"], "markdown");
    assert!(imported["descriptionHtml"].as_str().unwrap().contains("<strong>an offering</strong>"), "{imported}");

    // A file without the column changes no format; a cell with another format does, and a typing error is one.
    let rows = "Title,Date,Time,Description\nReading a rent roll,2031-03-12,19:00,Bring *one*.";
    super::import(&there, rows, json!({ "existingEvents": "update" })).await;
    assert_eq!(there.get("/api/events").await.json()[0]["descriptionFormat"], "markdown");
    let plain = "Title,Date,Time,Text format\nReading a rent roll,2031-03-12,19:00,Plain text";
    let shown = preview(&there, plain, json!({ "existingEvents": "update" })).await;
    let change = json!([{ "field": "Description format", "before": "markdown", "after": "plain" }]);
    assert_eq!(shown["rows"][0]["changes"], change);
    super::import(&there, plain, json!({ "existingEvents": "update" })).await;
    assert!(there.get("/api/events").await.json()[0].get("descriptionFormat").is_none());
    let wrong = "Title,Date,Time,Description format\nReading a rent roll,2031-03-12,19:00,Word";
    let shown = preview(&there, wrong, json!({ "existingEvents": "update" })).await;
    let message = "“Word” is not a valid description format. Use plain or markdown.";
    assert_eq!(shown["rows"][0]["errors"], json!([{ "column": "Description format", "message": message }]));
}

#[tokio::test]
async fn a_calendar_and_json_have_the_chosen_events_of_every_status() {
    let (_app, admin, speakers) = site().await;
    let ids = a_season(&admin, &speakers).await;

    let calendar = export(&admin, "ics", &ids).await;
    let text = calendar.text().replace("\r\n ", "");
    assert_eq!(calendar.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!(text.matches("BEGIN:VEVENT").count(), 4, "a draft without a start has no place in a calendar");
    assert!(
        text.contains(&format!("UID:event-{}@127.0.0.1\r\n", ids[0])) && text.contains("STATUS:CANCELLED"),
        "{text}"
    );
    let shown = preview(&admin, &calendar.body, json!({})).await;
    assert_eq!((&shown["counts"]["create"], &shown["counts"]["error"]), (&json!(0), &json!(0)), "{:#?}", shown["rows"]);

    let list = export(&admin, "json", &ids[1..4]).await.json();
    let mut expected = admin.get("/api/events").await.json().as_array().cloned().unwrap();
    expected.extend(admin.get("/api/events/unpublished").await.json().as_array().cloned().unwrap());
    expected.retain(|event| ids[1..4].contains(&event["id"].as_i64().unwrap()));
    expected.sort_by_key(|event| (event["startsAt"].as_str().unwrap().to_owned(), event["id"].as_i64()));
    assert_eq!(list, Value::Array(expected));

    let empty = export(&admin, "ics", &[]).await.text();
    assert!(empty.contains("BEGIN:VTIMEZONE"), "{empty}");
}

#[tokio::test]
async fn an_exported_calendar_changes_no_venue() {
    let (_app, admin, speakers) = site().await;
    let id = admin.post("/api/events", in_person_event("Property walk", &speakers)).await.created_id();
    let file = export(&admin, "ics", &[id]).await.text();
    let shown = preview(&admin, &file, json!({ "existingEvents": "update" })).await;
    let changes = shown["rows"][0]["changes"].as_array().unwrap();
    assert!(changes.iter().all(|change| change["field"] != "Venue name"), "{shown:#}");
}

#[tokio::test]
async fn an_exported_calendar_replaces_no_registration_and_appends_nothing_to_descriptions() {
    let (_app, admin, speakers) = site().await;
    let online = online_event("Reading a rent roll", &speakers);
    let cancelled =
        with(with(online.clone(), "/event/title", json!("Called off")), "/event/status", json!("cancelled"));
    let marked =
        with(with(online.clone(), "/event/title", json!("Marked")), "/event/descriptionFormat", json!("markdown"));
    let marked = with(marked, "/event/description", json!("**Bring** an offering.\n\n- one\n- two"));
    let mut ids = Vec::new();
    for event in [online, cancelled, marked] {
        ids.push(admin.post("/api/events", event).await.created_id());
    }
    let before = admin.get("/api/events").await.json();
    let file = export(&admin, "ics", &ids).await.text();
    let update = json!({ "existingEvents": "update" });

    let shown = preview(&admin, &file, update.clone()).await;
    assert!(file.contains("Register: ") && file.contains("Speakers: "), "{file}");
    for row in shown["rows"].as_array().unwrap() {
        let fields: Vec<&Value> = row["changes"].as_array().unwrap().iter().map(|change| &change["field"]).collect();
        for field in ["Title", "Description", "Registration URL"] {
            assert!(!fields.contains(&&json!(field)), "{row:#}");
        }
    }

    // What was written into the calendar is imported, without what the export appended.
    let description = before[0]["description"].as_str().unwrap();
    assert!(file.contains(description), "{file}");
    let edited = file.replace(description, "Bring your own deal.");
    let result = super::import(&admin, &edited, update).await;
    assert_eq!(result.status, 201, "{}", result.text());
    let events = admin.get("/api/events").await.json();
    let after = events.as_array().unwrap().iter().find(|event| event["id"] == json!(ids[0])).unwrap();
    assert_eq!(after["description"], "Bring your own deal.");
    assert_eq!(after["registrationUrl"], before[0]["registrationUrl"]);
}
