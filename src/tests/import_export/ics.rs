//! iCalendar files.

use serde_json::json;

use super::{errors, import, preview, site, table};

const GOOGLE: &str = include_str!("files/google.ics");
const REPEATED: &str = include_str!("files/repeated.ics");

#[tokio::test]
async fn a_calendar_of_google_is_read_with_its_zones() {
    let (app, admin, _) = site().await;
    let crlf = GOOGLE.replace('\n', "\r\n");

    let shown = preview(&admin, &crlf, json!({})).await;

    assert_eq!(
        table(&shown),
        [
            "16 create | Reading a rent roll, live | 2031-03-12 | 18:00 | America/Chicago | draft",
            "32 create | Property walk | 2031-03-20 | 10:30 | America/Denver | draft",
            "40 create | Open house | 2031-03-25 |  | America/Chicago | draft",
            "46 error | Taxes | 2031-04-01 | 19:00 | America/New_York | draft",
        ]
    );
    assert_eq!(errors(&shown), ["46 DURATION: Duration must be between 15 and 180 minutes in increments of 15."]);
    assert_eq!(
        (&shown["withoutTime"], &shown["unroundedDurations"], &shown["format"]),
        (&json!(1), &json!(1), &json!("ics"))
    );
    assert_eq!(
        shown["rows"][2]["notes"],
        json!(["All-day event without a time.", "Becomes a draft: it has no speaker and no type and no time."])
    );

    let options = json!({ "roundDurations": true, "time": "09:00" });
    let imported = import(&admin, &crlf, options.clone()).await;
    assert_eq!(imported.status, 201, "{}", imported.text());
    let drafts = admin.get("/api/events/unpublished").await.json();
    assert_eq!(drafts[0]["description"], "One deal, read line by line.\n\nBring questions; all are welcome.");
    assert_eq!(drafts[0]["registrationUrl"], "https://zoom.example/j/1");
    assert_eq!(drafts[0]["type"], "Investor Insights");
    assert_eq!((&drafts[1]["type"], &drafts[1]["duration"]), (&json!("In-Person Events"), &json!("90 minutes")));
    assert_eq!(drafts[1]["location"]["venueName"], "The Long Room, Denver");
    assert_eq!(drafts[2]["startsAt"], "2031-03-25T14:00:00Z");
    assert_eq!(drafts[3]["duration"], "60 minutes");

    // The same file again: the UIDs are known.
    let again = preview(&admin, &crlf, options.clone()).await;
    assert_eq!(
        again["counts"],
        json!({ "create": 0, "drafts": 0, "update": 0, "skip": 1, "unchanged": 3, "leftOut": 0, "error": 0 })
    );
    let moved = crlf.replace("20310320T103000", "20310321T110000").replace("Property walk", "Long walk");
    let shown =
        preview(&admin, &moved, json!({ "roundDurations": true, "time": "09:00", "existingEvents": "update" })).await;
    assert_eq!(shown["rows"][1]["action"], "update");
    assert_eq!(
        shown["rows"][1]["changes"],
        json!([
            { "field": "Title", "before": "Property walk", "after": "Long walk" },
            { "field": "Date", "before": "2031-03-20", "after": "2031-03-21" },
            { "field": "Time", "before": "10:30", "after": "11:00" },
        ])
    );
    assert_eq!(app.rows("events"), 4);
}

#[tokio::test]
async fn repetitions_are_expanded_or_reported() {
    let (_app, admin, _) = site().await;

    let shown = preview(&admin, REPEATED, json!({})).await;

    let rows: Vec<String> = table(&shown)
        .iter()
        .map(|row| row.replace(" | America/New_York | draft", "").replace(" | America/New_York | published", ""))
        .collect();
    assert_eq!(
        rows,
        [
            "4 create | Office hour | 2031-03-04 | 19:00",
            "4 create | Office hour | 2031-03-13 | 19:00",
            "4 create | Office hour | 2031-03-18 | 19:00",
            "12 create | Office hour with guests | 2031-03-11 | 20:00",
            "19 create | Second Tuesday | 2031-01-14 | 12:00",
            "19 create | Second Tuesday | 2031-02-11 | 12:00",
            "19 create | Second Tuesday | 2031-03-11 | 12:00",
            "19 create | Second Tuesday | 2031-04-20 | 12:00",
            "26 create | Last day of the month | 2031-01-31 | 12:00",
            "26 create | Last day of the month | 2031-02-28 | 12:00",
            "26 create | Last day of the month | 2031-03-31 | 12:00",
            "32 error | Strange rule | 2031-01-31 | 12:00",
            "38 error | Every hour | 2031-01-31 | 12:00",
            "44 error | Every day | 2020-01-01 | 12:00",
            "50 create | Anniversary | 2031-05-20 | 12:00",
            "50 create | Anniversary | 2032-05-20 | 12:00",
            "56 error | On Mars |  | ",
            "61 error | Backwards | 2031-01-31 | 07:00",
            "67 error | Without a start |  | ",
        ],
        "{rows:#?}"
    );
    assert_eq!(
        errors(&shown),
        [
            "32 RRULE: The repetition FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1 can't be read: BYSETPOS is not supported. Export its \
             dates one by one.",
            "38 RRULE: The repetition FREQ=HOURLY can't be read: it repeats hourly. Export its dates one by one.",
            "44 RRULE: The event repeats more than 366 times. Give its repetition an end, or export a shorter period.",
            "56 DTSTART: The time zone “Mars Standard Time” is not known. Replace it in the file by a name such as \
             America/New_York.",
            "61 DTEND: The event ends before it starts.",
            "67 DTSTART: The event has no start (DTSTART).",
        ]
    );
    assert_eq!(shown["rows"][1]["notes"][0], "Occurrence 3 of 4.");

    // Every date keeps an id of its own.
    let options = json!({ "leaveOutErrors": true });
    let imported = import(&admin, REPEATED, options.clone()).await;
    assert_eq!(imported.json()["created"].as_array().unwrap().len(), 13);
    let again = preview(&admin, REPEATED.replace("Office hour", "Clinic"), options).await;
    assert_eq!((&again["counts"]["create"], &again["counts"]["skip"]), (&json!(0), &json!(4)));
}

#[tokio::test]
async fn the_start_counts_as_the_first_date_even_if_the_rule_does_not_include_it() {
    let (_app, admin, _) = site().await;
    // March 5, 2031 is a Wednesday.
    for (rule, expected) in [("COUNT=3;BYDAY=SU", 3), ("COUNT=3;BYDAY=WE", 3), ("COUNT=1;BYDAY=SU", 1)] {
        let text = format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:w\nSUMMARY:W\nDTSTART;TZID=America/New_York:20310305T190000\n\
             RRULE:FREQ=WEEKLY;{rule}\nEND:VEVENT\nEND:VCALENDAR"
        );
        assert_eq!(preview(&admin, text, json!({})).await["counts"]["create"], json!(expected), "{rule}");
    }
}

#[tokio::test]
async fn times_keep_their_wall_clock_over_both_clock_changes() {
    let (_app, admin, _) = site().await;
    let weekly = |start: &str| {
        format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:w\nSUMMARY:W\nDTSTART;TZID=America/New_York:{start}\n\
             RRULE:FREQ=WEEKLY;COUNT=2\nEND:VEVENT\nEND:VCALENDAR"
        )
    };
    for (start, starts) in [
        // March 9 and November 2, 2031.
        ("20310305T190000", ["2031-03-06T00:00:00Z", "2031-03-12T23:00:00Z"]),
        ("20311029T190000", ["2031-10-29T23:00:00Z", "2031-11-06T00:00:00Z"]),
    ] {
        let result = import(&admin, weekly(start), json!({})).await.json();
        let drafts = admin.get("/api/events/unpublished").await.json();
        let found: Vec<&str> = drafts
            .as_array()
            .unwrap()
            .iter()
            .filter(|event| result["created"].as_array().unwrap().contains(&event["id"]))
            .map(|event| event["startsAt"].as_str().unwrap())
            .collect();
        assert_eq!(found, starts);
    }
}

#[tokio::test]
async fn the_html_of_a_description_becomes_text() {
    let (_app, admin, _) = site().await;
    let calendar = |description: &str| {
        format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:h\nSUMMARY:H\nDTSTART;TZID=America/New_York:20310312T190000\n\
             DESCRIPTION:{description}\nEND:VEVENT\nEND:VCALENDAR"
        )
    };
    let html = "<p>Hello&nbsp\\;<b>there</b></p><ul><li>one</li><li>two</li></ul>\
                <a href=\"https://example.com/z\">https://example.com/z</a>";
    let shown = preview(&admin, calendar(html), json!({})).await;
    let notes = shown["rows"][0]["notes"].as_array().unwrap();
    assert!(notes.contains(&json!("The HTML of “DESCRIPTION” has become text.")), "{shown:#}");
    import(&admin, calendar(html), json!({})).await;
    let description = async || admin.get("/api/events/unpublished").await.json()[0]["description"].clone();
    assert_eq!(description().await, "Hello there\n\n• one\n• two\n\nhttps://example.com/z");

    // Other programs write addresses between these characters.
    let plain = "Write to <ada@example.com> or join at <https://example.com/z>.";
    import(&admin, calendar(plain), json!({ "existingEvents": "update" })).await;
    assert_eq!(description().await, plain);
}
