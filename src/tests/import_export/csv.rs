//! CSV files as spreadsheets write them.

use serde_json::{Value, json};

use super::{errors, import, preview, site, table};

const SEASON: &str = include_str!("files/season.csv");
const ERRORS: &str = include_str!("files/errors.csv");
const HOSTILE: &str = include_str!("files/hostile.csv");

#[tokio::test]
async fn a_season_as_people_write_dates_and_times_is_recognized_and_imported() {
    let (app, admin, [ada, grace]) = site().await;

    let shown = preview(&admin, SEASON, json!({})).await;

    assert_eq!(errors(&shown), Vec::<String>::new());
    assert_eq!(
        table(&shown),
        [
            "2 create | Reading a rent roll, line by line | 2031-03-12 | 19:00 | America/New_York | published",
            "5 create | Property walk | 2031-03-25 | 10:30 | America/Los_Angeles | published",
            "6 create | Taxes for physicians | 2031-04-02 | 19:00 | America/Chicago | published",
            "7 create | Open question hour | 2031-04-09 | 19:00 | America/New_York | draft",
            "8 create | IRA basics | 2031-04-16 | 19:00 | America/New_York | draft",
        ]
    );
    assert_eq!(
        shown["counts"],
        json!({ "create": 5, "drafts": 2, "update": 0, "skip": 0, "unchanged": 0, "leftOut": 0, "error": 0 })
    );
    assert_eq!(shown["rows"][2]["notes"], json!(["Matched Dr. Grace Obi, MD to the speaker Grace Obi."]));
    assert_eq!(shown["rows"][3]["notes"], json!(["Becomes a draft: it has no speaker."]));
    assert_eq!(shown["rows"][4]["notes"], json!(["Becomes a draft: it has no type."]));
    assert_eq!((&shown["encoding"], &shown["delimiter"]), (&json!("UTF-8"), &json!(",")));
    assert_eq!(app.rows("events"), 0, "a preview stores nothing");

    let result = import(&admin, SEASON, json!({})).await;

    assert_eq!(result.status, 201, "{}", result.text());
    let events = admin.get("/api/events").await.json();
    assert_eq!(events.as_array().unwrap().len(), 3);
    let first = &events[0];
    assert_eq!(first["description"], "Bring an offering.\n\nIt can be \"live\" or closed.");
    assert_eq!((&first["type"], &first["duration"]), (&json!("Investor Insights"), &json!("60 minutes")));
    let ids: Vec<&Value> = first["speakers"].as_array().unwrap().iter().map(|entry| &entry["speakerId"]).collect();
    assert_eq!(ids, [&json!(ada), &json!(grace)]);
    assert_eq!(events[1]["location"]["venueName"], "The Long Room");
    assert_eq!(events[1]["registrationUrl"], "http://127.0.0.1:8080", "as the form fills it in");
    assert_eq!(admin.get("/api/events/unpublished").await.json().as_array().unwrap().len(), 2);
    assert_eq!(app.rows("activity"), 2 + 5, "two speakers and five events");
}

#[tokio::test]
async fn a_start_beside_a_date_is_a_time_and_names_joined_by_and_are_several() {
    let (_app, admin, _) = site().await;
    let file = "Name,Date,Start,End,Speakers\nRent rolls,12/13/2031,7:00 PM,8:30 PM,Ada Bell & Grace Obi\n\
                Leases,12/14/2031,19:00,,Ada Bell and Grace Obi\n";
    let shown = preview(&admin, file, json!({})).await;
    assert_eq!(errors(&shown), Vec::<String>::new());
    let fields: Vec<_> = shown["columns"].as_array().unwrap().iter().map(|column| column["field"].clone()).collect();
    assert_eq!(fields, ["title", "date", "time", "endTime", "speakers"]);
    let table = table(&shown);
    assert!(table[0].starts_with("2 create | Rent rolls | 2031-12-13 | 19:00"), "{table:?}");

    let with_dates = "Name,Date,Start\nRent rolls,,12/13/2031 7:00 PM\n";
    let shown = preview(&admin, with_dates, json!({})).await;
    assert_eq!(shown["columns"][2]["field"], "start");
}

#[tokio::test]
async fn semicolons_tabs_and_the_encodings_of_excel_give_the_same_preview() {
    let (_app, admin, _) = site().await;
    let rows = ["Title{}Date{}Type", "Café — review{}2031-03-12{}Special"];
    let mut files: Vec<Vec<u8>> = Vec::new();
    for delimiter in [",", ";", "\t"] {
        let text = rows.map(|row| row.replace("{}", delimiter)).join("\r\n");
        files.push(text.clone().into_bytes());
        files.push(format!("\u{feff}{text}").into_bytes());
        files.push(text.chars().map(|c| if c == '—' { 0x97 } else { u8::try_from(u32::from(c)).unwrap() }).collect());
        files.push([0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect());
    }
    files.push(format!("sep=;\r\n{}", rows.map(|row| row.replace("{}", ";")).join("\n")).into_bytes());

    for (index, file) in files.iter().enumerate() {
        let shown = preview(&admin, file, json!({})).await;
        let row = &shown["rows"][0];
        assert_eq!((&row["title"], &row["date"]), (&json!("Café — review"), &json!("2031-03-12")), "file {index}");
    }
}

#[tokio::test]
async fn every_error_names_its_line_and_column_and_what_to_do() {
    let (app, admin, _) = site().await;

    let shown = preview(&admin, ERRORS, json!({})).await;

    assert_eq!(
        errors(&shown),
        [
            "2 Title: Title is required.",
            "3 Date: “2031-02-30” is not a valid date. Use 2031-03-12 or March 12, 2031.",
            "4 Time: “25:99” is not a valid time. Use 7:00 PM or 19:00.",
            "5 Duration: Duration must be between 15 and 180 minutes in increments of 15.",
            "6 Registration URL: Must be a valid URL.",
            "7 Speakers: There is no speaker named Ann Unknown. Create or leave out this speaker.",
            "8 Type: “Meetup” is not an event type. Choose the right one.",
            "9 Summary: Summary is required.",
            "10 -: The row has 10 cells, but there are 9 headings; “https://example.com” has none. Put a text with the \
             separator of the columns in quotation marks.",
        ]
    );
    let rejected = import(&admin, ERRORS, json!({})).await;
    assert_eq!(rejected.status, 400);
    assert_eq!(
        rejected.error(),
        "Some rows have errors, so nothing was imported. Correct the file, or choose to leave out these rows."
    );
    assert_eq!(app.rows("events"), 0);

    let options = json!({
        "leaveOutErrors": true,
        "incompleteAsDrafts": true,
        "roundDurations": true,
        "speakers": [{ "name": "Ann Unknown", "title": "Host" }],
        "types": [{ "name": "Meetup", "type": "Special" }],
    });
    let shown = preview(&admin, ERRORS, options.clone()).await;
    assert_eq!(
        shown["counts"],
        json!({ "create": 5, "drafts": 1, "update": 0, "skip": 0, "unchanged": 0, "leftOut": 0, "error": 5 })
    );
    let imported = import(&admin, ERRORS, options).await.json();
    assert_eq!((imported["created"].as_array().unwrap().len(), app.rows("events"), app.rows("speakers")), (5, 5, 3));
}

#[tokio::test]
async fn an_ambiguous_date_needs_a_choice() {
    let (_app, admin, _) = site().await;
    let file = "Title,Date\nA,03/04/2031\nB,05/06/2031";

    let shown = preview(&admin, file, json!({})).await;
    assert_eq!((&shown["ambiguousDate"], &shown["dateOrder"]), (&json!("03/04/2031"), &Value::Null));
    assert_eq!(errors(&shown)[0], "2 Date: “03/04/2031” is ambiguous. Choose the order of day and month.");

    for (order, day) in [("monthFirst", "2031-03-04"), ("dayFirst", "2031-04-03")] {
        let shown = preview(&admin, file, json!({ "dateOrder": order, "time": "19:00" })).await;
        assert_eq!((&shown["rows"][0]["date"], &shown["rows"][0]["time"]), (&json!(day), &json!("19:00")));
    }
    // One date that is right in one order only decides.
    let shown = preview(&admin, format!("{file}\nC,25/12/2031"), json!({})).await;
    assert_eq!((&shown["dateOrder"], &shown["rows"][0]["date"]), (&json!("dayFirst"), &json!("2031-04-03")));
}

#[tokio::test]
async fn columns_can_be_chosen_and_no_field_twice() {
    let (_app, admin, _) = site().await;
    let file = "What,Day\nA,2031-03-12";

    let shown = preview(&admin, file, json!({})).await;
    assert_eq!(shown["columns"][0], json!({ "heading": "What", "samples": ["A"], "field": null }));
    assert_eq!(errors(&shown), ["2 Title: Title is required."]);

    let shown = preview(&admin, file, json!({ "columns": ["title", "date"] })).await;
    assert_eq!(table(&shown), ["2 create | A | 2031-03-12 |  | America/New_York | draft"]);

    let twice = super::import(&admin, file, json!({ "columns": ["title", "title"] })).await;
    assert_eq!((twice.status.as_u16(), twice.error().as_str()), (400, "Two columns are “Title”. Choose one of them."));
}

#[tokio::test]
async fn formulas_scripts_and_control_characters_are_text() {
    let (app, admin, _) = site().await;
    let shown = preview(&admin, HOSTILE, json!({})).await;
    assert_eq!(errors(&shown), ["4 Registration URL: Must be a valid URL."]);
    let file = format!("{HOSTILE}Bell\u{7}\u{0}s,2031-03-15,19:00,Special,Ada Bell,s,d,https://example.com");
    assert_eq!(import(&admin, file, json!({ "leaveOutErrors": true })).await.status, 201);

    let events = admin.get("/api/events").await.json();

    let titles: Vec<&str> = events.as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["=HYPERLINK(\"https://evil.example\")", "=1+1", "Bells"]);
    assert_eq!(events[1]["description"], "'; DROP TABLE events; --");
    assert_eq!(app.rows("events"), 3);
}

#[tokio::test]
async fn files_that_cannot_be_read_are_rejected_with_a_sentence() {
    let (_app, admin, _) = site().await;
    let long = format!("Title\n{}", "x\n".repeat(5_001));
    for (file, status, message) in [
        ("", 400, "The file is empty."),
        ("Title,Date", 400, "The file has no rows below its headings."),
        ("PK\u{3}\u{4}", 400, "This is an Excel workbook."),
        ("Title\nA\n\"B", 400, "Line 3: a quotation mark is opened and never closed"),
        (long.as_str(), 400, "The file has more than 5000 rows."),
        ("BEGIN:VCALENDAR\nEND:VCALENDAR", 400, "The calendar has no events."),
    ] {
        let response = admin.post(super::PREVIEW, super::request(file, json!({}))).await;
        assert_eq!(response.status.as_u16(), status, "{}", response.text());
        assert!(response.error().starts_with(message), "{}", response.error());
    }
    let large = admin.post(super::PREVIEW, super::request("x".repeat(5 * 1024 * 1024 + 1), json!({}))).await;
    assert_eq!(
        (large.status.as_u16(), large.error().as_str()),
        (413, "The file is larger than 5 MB. Split it into several files.")
    );
    let too_large = admin.post(super::PREVIEW, json!({ "file": "x".repeat(8_000_000) })).await;
    assert_eq!(too_large.status, 413);
    let no_base64 = admin.post(super::IMPORT, json!({ "file": "?" })).await;
    assert_eq!((no_base64.status.as_u16(), no_base64.error().as_str()), (400, "The file must be sent as base64"));
    // One cell of almost the largest size.
    let huge = format!("Title,Date\n{},{}", "x".repeat(2_000_000), "9".repeat(2_000_000));
    let shown = preview(&admin, huge, json!({})).await;
    assert!(shown.to_string().len() < 3_000, "messages and values are shortened");
}
