//! Events that repeat by a rule.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::tests::support::{TestApp, online_event, with};

#[derive(Deserialize)]
struct Case {
    name: String,
    rule: Value,
    #[serde(default)]
    dates: Vec<String>,
    #[serde(default)]
    skipped: Vec<String>,
    #[serde(default)]
    fields: Value,
}

const DATES: &str = "/api/events/repeats/dates";
const REPEATS: &str = "/api/events/repeats";

fn dates_in(response: &Value) -> Vec<String> {
    response["dates"].as_array().unwrap().iter().map(|date| date["date"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_rule_of_the_table_has_the_listed_dates() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let cases: Vec<Case> = serde_json::from_str(include_str!("../rule_cases/repeat.json")).unwrap();
    for Case { name, mut rule, dates, skipped, fields } in cases {
        rule["time"] = json!("19:00");
        let response = admin.post(DATES, rule).await;
        if fields.is_null() {
            assert_eq!(response.status, 200, "{name}: {}", response.text());
            let found = response.json();
            assert_eq!((dates_in(&found), &found["skipped"]), (dates, &json!(skipped)), "{name}");
            assert_eq!(found["isLimited"], false, "{name}");
        } else {
            assert_eq!((response.status.as_u16(), response.fields()), (400, fields), "{name}");
        }
    }
}

#[tokio::test]
async fn the_wall_clock_stays_across_clock_changes() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    // Clocks change on March 9 and November 2, 2031.
    let rule = json!({ "date": "2031-03-02", "time": "02:30", "every": "week", "count": 3 });
    assert_eq!(
        admin.post(DATES, rule).await.json()["dates"],
        json!([
            { "date": "2031-03-02", "startsAt": "2031-03-02T07:30:00Z", "isShifted": false },
            { "date": "2031-03-09", "startsAt": "2031-03-09T07:30:00Z", "isShifted": true },
            { "date": "2031-03-16", "startsAt": "2031-03-16T06:30:00Z", "isShifted": false },
        ])
    );
    let rule =
        json!({ "date": "2031-10-30", "time": "20:00", "timezone": "America/Denver", "every": "week", "count": 2 });
    let starts = admin.post(DATES, rule).await.json();
    assert_eq!(starts["dates"][0]["startsAt"], "2031-10-31T02:00:00Z");
    assert_eq!(starts["dates"][1]["startsAt"], "2031-11-07T03:00:00Z");
}

#[tokio::test]
async fn a_rule_has_at_most_a_hundred_dates_and_says_so() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let rule = json!({ "date": "2031-03-04", "time": "19:00", "every": "week", "until": "2099-01-01" });
    let found = admin.post(DATES, rule).await.json();
    assert_eq!((dates_in(&found).len(), &found["isLimited"]), (100, &json!(true)));
    let exactly = json!({ "date": "2031-03-04", "time": "19:00", "every": "week", "count": 100 });
    let found = admin.post(DATES, exactly).await.json();
    assert_eq!((dates_in(&found).len(), &found["isLimited"]), (100, &json!(false)));
    let end = json!({ "date": "9999-12-20", "time": "19:00", "every": "week", "count": 5 });
    assert_eq!(dates_in(&admin.post(DATES, end).await.json()), ["9999-12-20", "9999-12-27"]);
    assert_eq!(app.visitor().post(DATES, json!({})).await.status, 401);
}

fn repeated(speaker: i64, dates: &[&str]) -> Value {
    let mut body = with(online_event("Tax Tuesday", &[speaker]), "/event/series", json!("Tax Tuesdays"));
    body["event"]["calendarLinks"] = json!({ "google": "https://example.com/g" });
    body["dates"] = json!(dates);
    body
}

#[tokio::test]
async fn all_dates_are_created_together_and_undone_together() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let keyed = admin.clone().with("idempotency-key", "\"repeat-1\"");
    let body = repeated(speaker, &["2031-03-18", "2031-03-04", "2031-03-11"]);

    let response = keyed.post(REPEATS, body.clone()).await;
    assert_eq!(response.status, 201, "{}", response.text());
    let again = keyed.post(REPEATS, body).await;
    assert_eq!((again.status, again.json()), (response.status, response.json()));
    assert_eq!(app.rows("events"), 3);

    let created = response.json();
    let events = created["events"].as_array().unwrap();
    let facts: Vec<_> = events.iter().map(|event| (&event["startsAt"], &event["seriesPosition"]["number"])).collect();
    assert_eq!(
        facts,
        [
            (&json!("2031-03-05T00:00:00Z"), &json!(1)),
            (&json!("2031-03-11T23:00:00Z"), &json!(2)),
            (&json!("2031-03-18T23:00:00Z"), &json!(3)),
        ]
    );
    assert_eq!(events[0]["calendarLinks"]["google"], "https://example.com/g");
    assert_eq!(events[1]["calendarLinks"], json!({}));
    let activity = admin.get(&format!("/api/events/{}/activity", events[2]["id"])).await.json();
    assert_eq!(activity[0]["action"], "created");
    let recent = admin.get("/api/events/bulk-edits").await.json();
    assert_eq!((&recent[0]["action"], &recent[0]["count"]), (&json!("created"), &json!(3)));

    let undo = format!("/api/events/bulk-edits/{}/undo", created["id"]);
    let undone = admin.send("POST", &undo, None).await;
    assert_eq!((undone.status.as_u16(), undone.json()), (200, json!({ "count": 3 })));
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([]));
    assert_eq!(admin.get("/api/events/deleted").await.json().as_array().unwrap().len(), 3);
    let twice = admin.send("POST", &undo, None).await;
    assert_eq!((twice.status.as_u16(), twice.error()), (409, "This change was undone already".to_owned()));
}

#[tokio::test]
async fn one_wrong_date_or_field_creates_nothing() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let wrong = [
        (repeated(speaker, &[]), json!({ "dates": "Choose at least one date" })),
        (repeated(speaker, &["2031-03-04", "2031-02-30"]), json!({ "dates.1": "Date must be year-month-day" })),
        (
            repeated(speaker, &["2031-03-04", "2031-03-11", "2031-03-04"]),
            json!({ "dates.2": "This date is in the list twice" }),
        ),
        (with(repeated(speaker, &["2031-03-04"]), "/event/title", json!("")), json!({ "title": "Title is required" })),
        (repeated(999, &["2031-03-04", "2031-03-11"]), json!({ "speakerIds": "A selected speaker no longer exists" })),
    ];
    for (body, fields) in wrong {
        let response = admin.post(REPEATS, body).await;
        assert_eq!((response.status.as_u16(), response.fields()), (400, fields));
    }
    let many: Vec<String> = (0..101).map(|day| format!("2031-{:02}-{:02}", day / 28 + 1, day % 28 + 1)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let response = admin.post(REPEATS, repeated(speaker, &many)).await;
    assert_eq!(response.field("dates"), "An event can have at most 100 dates");
    assert_eq!((app.rows("events"), app.rows("bulk_edits")), (0, 0));
    assert_eq!(app.visitor().post(REPEATS, repeated(speaker, &["2031-03-04"])).await.status, 401);
}
