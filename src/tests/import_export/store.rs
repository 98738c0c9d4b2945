//! What an import stores: once, completely or not at all, and how it is undone.

use serde_json::{Value, json};

use super::{IMPORT, errors, import, preview, request, site, table};
use crate::tests::support::{online_event, speaker, with};

const TWO: &str = "Title,Date,Time,Type,Speakers,Summary,Description,Registration URL\n\
    A,2031-03-12,19:00,Special,Ada Bell,s,d,https://example.com\n\
    B,2031-03-13,19:00,Special,Ann Cole,s,d,https://example.com\n";

fn with_ann() -> Value {
    json!({ "speakers": [{ "name": "Ann Cole", "title": "Host" }] })
}

#[tokio::test]
async fn a_repeated_import_stores_nothing_again() {
    let (app, admin, _) = site().await;
    let keyed = admin.clone().with("idempotency-key", "0123");
    let first = keyed.post(IMPORT, request(TWO, with_ann())).await;
    assert_eq!(first.status, 201, "{}", first.text());

    let again = keyed.post(IMPORT, request(TWO, with_ann())).await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    let without_key = import(&admin, TWO, with_ann()).await.json();
    assert_eq!(without_key["created"], json!([]));
    assert_eq!((app.rows("events"), app.rows("speakers")), (2, 3));
    // The same event twice in one file.
    let twice = preview(&admin, TWO.replace("B,2031-03-13", "a,2031-03-12").replace("12,", "14,"), with_ann()).await;
    assert_eq!(table(&twice)[1], "3 skip | a | 2031-03-14 | 19:00 | America/New_York | published");
    assert_eq!(twice["rows"][1]["notes"], json!(["The same event as in line 2."]));
}

#[tokio::test]
async fn an_import_that_differs_from_its_preview_stores_nothing() {
    let (app, admin, _) = site().await;
    let plan = preview(&admin, TWO, with_ann()).await["plan"].clone();
    let body = |plan: &Value| {
        let mut body = request(TWO, with_ann());
        body["plan"] = plan.clone();
        body
    };
    // Another admin creates the speaker and the event.
    admin.post("/api/speakers", speaker("Ann Cole")).await.created_id();
    import(&admin, TWO.lines().take(2).collect::<Vec<_>>().join("\n"), json!({})).await.json();

    let conflict = admin.post(IMPORT, body(&plan)).await;

    assert_eq!(conflict.status, 409);
    assert_eq!(
        conflict.error(),
        "The events or speakers have changed since the preview, so nothing was imported. Look at the preview again."
    );
    assert_eq!(app.rows("events"), 1);
    let plan = preview(&admin, TWO, with_ann()).await["plan"].clone();
    assert_eq!(admin.post(IMPORT, body(&plan)).await.json()["created"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_error_in_the_last_row_stores_nothing_of_the_others() {
    let (app, admin, _) = site().await;
    let taken = admin.post("/api/events", {
        let event = crate::tests::support::online_event("Deleted", &[1]);
        crate::tests::support::with(event, "/event/brandliveId", json!("bl-1"))
    });
    let id = taken.await.created_id();
    admin.delete(&format!("/api/events/{id}")).await;
    let file = "Title,Brandlive id\nA,\nB,bl-1\n";

    let failed = import(&admin, file, json!({})).await;

    assert_eq!(failed.status, 409);
    assert_eq!(
        failed.error(),
        "Line 3: A recently deleted event has this Brandlive id. Restore that event, or use another id."
    );
    assert_eq!(app.rows("events"), 1, "only the deleted one");
}

#[tokio::test]
async fn an_undo_reverts_updates_unless_one_of_the_events_was_changed_since() {
    let (app, admin, speakers) = site().await;
    let event =
        with(online_event("Reading a rent roll", &speakers[..1]), "/event/descriptionFormat", json!("markdown"));
    let event = with(event, "/event/calendarLinks", json!({ "google": "https://example.com/g" }));
    let id = admin.post("/api/events", event).await.created_id();
    let stored = async || {
        let mut event = admin.get("/api/events").await.json()[0].clone();
        event.as_object_mut().unwrap().retain(|key, _| key != "revision" && key != "updatedAt");
        event
    };
    let before = stored().await;
    let columns = "UID,Title,Date,Time,Duration,Time zone,Type,Series,Summary,Description,Description format,Speakers,Status,\
                   Recording URL,Google Calendar link,Brandlive id";
    let uid = export_uid(&admin, id).await;
    let row = format!(
        "{uid},New title,2031-04-01,18:00,90,America/Denver,Special,Tax Tuesdays,New summary,New text,plain,New Person,hidden,\
         https://example.com/r,https://example.com/h,bl-9"
    );
    let file = format!("{columns}\n{row}\nUID-2,Another,2031-05-01,18:00,60,,Special,,Short,Long,,Ada Bell,,,,");
    let options = json!({
        "existingEvents": "update", "incompleteAsDrafts": true,
        "speakers": [{ "name": "New Person", "title": "Host" }],
    });

    let result = super::import(&admin, &file, options.clone()).await;
    assert_eq!(result.status, 201, "{}", result.text());
    let result = result.json();
    assert_eq!(result["updated"], json!([id]));
    assert_eq!(admin.get("/api/events/bulk-edits").await.json()[0]["id"], result["bulkEdit"]);
    let undo = json!({
        "created": result["created"], "speakers": result["speakers"], "bulkEdit": result["bulkEdit"],
    });
    let undone = admin.post("/api/events/import/undo", undo.clone()).await;
    assert_eq!(undone.json(), json!({ "events": 1, "updates": 1, "speakers": 1 }), "{}", undone.text());
    assert_eq!(stored().await, before);
    assert_eq!(app.rows("speakers"), 2);
    let again = admin.post("/api/events/import/undo", undo).await;
    assert_eq!(again.json(), json!({ "events": 0, "updates": 0, "speakers": 0 }));

    let result = super::import(&admin, &file, options).await.json();
    let changes = json!({ "events": [{ "id": id }], "changes": { "time": "10:00" } });
    assert_eq!(admin.post("/api/events/bulk-edits", changes).await.status, 201);
    let events = app.rows("events");
    let undo = json!({
        "created": result["created"], "speakers": result["speakers"], "bulkEdit": result["bulkEdit"],
    });
    let refused = admin.post("/api/events/import/undo", undo).await;
    assert_eq!(refused.status, 409);
    assert!(refused.error().starts_with("“New title” was changed since then"), "{}", refused.error());
    assert_eq!(app.rows("events"), events);
}

/// The UID of an event in exported files.
async fn export_uid(admin: &crate::tests::support::Client, id: i64) -> String {
    let file = admin.post("/api/events/export", json!({ "format": "csv", "ids": [id] })).await.text();
    file.lines().nth(1).unwrap().split(',').next().unwrap().trim_matches('"').to_owned()
}

#[tokio::test]
async fn rows_that_the_admin_leaves_out_need_no_choices_and_store_nothing() {
    let (app, admin, _) = site().await;
    let file = "Title,Date,Time,Type,Speakers\n\
                One,2031-03-12,19:00,Special,Ada Bell\n\
                Two,nonsense,19:00,Meetup,Somebody Unknown\n\
                Three,2031-03-14,19:00,Special,Ada Bell";
    let options = json!({ "leaveOutRows": [2, 3], "incompleteAsDrafts": true });

    let shown = preview(&admin, file, options.clone()).await;
    let actions: Vec<_> = shown["rows"].as_array().unwrap().iter().map(|row| row["action"].clone()).collect();
    assert_eq!(actions, ["create", "leftOut", "leftOut"]);
    assert_eq!((&shown["counts"]["leftOut"], &shown["counts"]["error"]), (&json!(2), &json!(0)));
    assert_eq!((&shown["unknownSpeakers"], &shown["unknownTypes"]), (&json!([]), &json!([])));
    let result = super::import(&admin, file, options).await;
    assert_eq!(result.status, 201, "{}", result.text());
    assert_eq!(app.rows("events"), 1);
}

#[tokio::test]
async fn an_undo_removes_what_the_import_created() {
    let (app, admin, _) = site().await;
    let before = app.everything(&admin).await;
    let result = import(&admin, TWO, with_ann()).await.json();
    assert_eq!(admin.get("/api/events").await.json().as_array().unwrap().len(), 2);

    let undo = json!({ "created": result["created"], "speakers": result["speakers"] });
    let undone = admin.post("/api/events/import/undo", undo.clone()).await;

    assert_eq!(undone.json(), json!({ "events": 2, "updates": 0, "speakers": 1 }));
    assert_eq!(app.everything(&admin).await, before);
    assert_eq!(admin.get("/api/events/deleted").await.json().as_array().unwrap().len(), 2, "they can be restored");
    assert_eq!(
        admin.post("/api/events/import/undo", undo).await.json(),
        json!({ "events": 0, "updates": 0, "speakers": 0 })
    );
    // Deleted events are no duplicates.
    assert_eq!(import(&admin, TWO, with_ann()).await.json()["created"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_speaker_of_the_file_can_be_created_left_out_or_another_one() {
    let (app, admin, [ada, _]) = site().await;
    assert_eq!(preview(&admin, TWO, json!({})).await["unknownSpeakers"], json!([{ "name": "Ann Cole", "rows": 1 }]));

    let left_out = preview(&admin, TWO, json!({ "speakers": [{ "name": "Ann Cole" }] })).await;
    assert_eq!(left_out["rows"][1]["status"], "draft");
    assert_eq!(
        left_out["rows"][1]["notes"],
        json!(["Speaker Ann Cole left out.", "Becomes a draft: it has no speaker."])
    );
    let untitled = preview(&admin, TWO, json!({ "speakers": [{ "name": "Ann Cole", "title": " " }] })).await;
    assert_eq!(errors(&untitled), ["3 Speakers: The speaker Ann Cole can't be created: Title is required."]);
    let gone = preview(&admin, TWO, json!({ "speakers": [{ "name": "Ann Cole", "speakerId": 99 }] })).await;
    assert_eq!(errors(&gone), ["3 Speakers: The speaker for Ann Cole no longer exists."]);

    admin.post("/api/speakers", speaker("ann cole")).await.created_id();
    let second = admin.post("/api/speakers", speaker("Ann Cole")).await.created_id();
    let ambiguous = preview(&admin, TWO, json!({})).await;
    assert_eq!(errors(&ambiguous), ["3 Speakers: There are 2 speakers named Ann Cole. Choose one of them."]);
    assert_eq!(ambiguous["unknownSpeakers"][0]["candidates"].as_array().unwrap().len(), 2);
    let options = json!({ "speakers": [{ "name": "Ann Cole", "speakerId": second }] });
    assert_eq!(import(&admin, TWO, options).await.status, 201);
    let events = admin.get("/api/events").await.json();
    assert_eq!(events[0]["speakers"][0]["speakerId"], ada);
    assert_eq!(events[1]["speakers"][0]["speakerId"], second);
    assert_eq!(app.rows("speakers"), 4);
}

#[tokio::test]
async fn only_admins_import_and_export() {
    let (app, _, _) = site().await;
    for path in ["/api/events/import/preview", IMPORT, "/api/events/import/undo", "/api/events/export"] {
        assert_eq!(app.visitor().post(path, json!({})).await.status, 401, "{path}");
    }
}

#[tokio::test]
async fn five_thousand_rows_are_imported_in_one_transaction() {
    let (app, admin, _) = site().await;
    let mut file = TWO.lines().next().unwrap().to_owned();
    for index in 0..5_000 {
        let (day, hour) = (index % 28 + 1, index / 28 % 24);
        let line = format!("\nEvent {index},2031-03-{day:02},{hour:02}:00,Special,Ada Bell,s,d,https://example.com");
        file.push_str(&line);
    }
    let shown = preview(&admin, &file, json!({})).await;
    assert_eq!(shown["counts"]["create"], 5_000);
    let result = import(&admin, &file, json!({})).await;
    assert_eq!(result.status, 201, "{}", result.text());
    assert_eq!(app.rows("events"), 5_000);
}

#[tokio::test]
async fn events_at_different_venues_at_the_same_time_are_different_events() {
    let (app, admin, _) = site().await;
    let file = "Title,Date,Time,Type,Speakers,Summary,Description,Venue name,City,State\n\
                Investor dinner,2031-03-12,19:00,In-Person Events,Ada Bell,s,d,The Long Room,Boise,ID\n\
                Investor dinner,2031-03-12,19:00,In-Person Events,Grace Obi,s,d,Harbor House,Tampa,FL\n\
                Investor dinner,2031-03-12,19:00,In-Person Events,Grace Obi,s,d,Harbor house,Tampa,FL";
    let update = json!({ "existingEvents": "update" });
    let actions = |shown: &Value| -> Vec<Value> {
        shown["rows"].as_array().unwrap().iter().map(|row| row["action"].clone()).collect()
    };

    let shown = preview(&admin, file, json!({})).await;
    assert_eq!(actions(&shown), ["create", "create", "skip"], "{shown:#}");
    assert_eq!(shown["rows"][2]["notes"], json!(["The same event as in line 3."]));
    assert_eq!(super::import(&admin, file, json!({})).await.status, 201);
    assert_eq!(app.rows("events"), 2);

    let again = preview(&admin, file, update.clone()).await;
    assert_eq!(actions(&again), ["unchanged", "unchanged", "skip"], "{again:#}");
    // The other event with the same title and start keeps its venue.
    let moved = preview(&admin, file.replace("The Long Room", "The Short Room"), update).await;
    assert_eq!(actions(&moved), ["update", "unchanged", "skip"], "{moved:#}");
}

#[tokio::test]
async fn events_with_different_uids_are_different_events() {
    let (_app, admin, speakers) = site().await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(admin.post("/api/events", online_event("Reading a rent roll", &speakers)).await.created_id());
    }
    let file = admin.post("/api/events/export", json!({ "format": "csv", "ids": ids })).await.text();
    let update = json!({ "existingEvents": "update" });
    let shown = preview(&admin, &file, update.clone()).await;
    assert_eq!(shown["counts"]["unchanged"], 2, "{shown:#}");

    let mut lines: Vec<String> = file.lines().map(str::to_owned).collect();
    lines[2] = lines[2].replace("One deal, read line by line.", "Another deal.");
    let result = super::import(&admin, lines.join("\n"), update).await.json();
    assert_eq!(result["updated"].as_array().unwrap().len(), 1, "{result:#}");
}

#[tokio::test]
async fn a_row_with_an_error_does_not_stand_for_a_later_one_without_it() {
    let (app, admin, _) = site().await;
    let correct = "A,2031-03-12,19:00,Special,Ada Bell,s,d,https://example.com";
    let wrong = correct.replace("https://example.com", "example");
    let heading = TWO.lines().next().unwrap();
    let file = format!("{heading}\n{wrong}\n{correct}\n");

    let shown = preview(&admin, &file, json!({})).await;
    let actions: Vec<_> = shown["rows"].as_array().unwrap().iter().map(|row| row["action"].clone()).collect();
    assert_eq!(actions, ["error", "create"]);
    assert_eq!(super::import(&admin, &file, json!({ "leaveOutRows": [1] })).await.status, 201);
    assert_eq!(app.rows("events"), 1);
}
