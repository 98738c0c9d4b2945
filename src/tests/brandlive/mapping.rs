//! What is made of what the provider writes: texts, times, lengths, states.

use serde_json::{Value, json};

use super::Site;
use crate::tests::support::fake_brandlive::{FakeBrandlive, item};
use crate::tests::support::{with, without};

/// What becomes of one item, or the message where it can't be imported.
async fn becomes(item: Value, more: &str) -> Value {
    let site = Site::with(FakeBrandlive::listing(vec![item]), more).await;
    match site.sync().await.as_str() {
        "1 created, 0 updated, 0 unchanged" => site.event().await,
        other => json!(other),
    }
}

const FAILED: &str = "0 created, 0 updated, 0 unchanged, 1 failed";

#[tokio::test]
async fn descriptions_are_clean_text() {
    let cases = [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<div>One<br>Two<br/>Three</div>", "One\nTwo\nThree"),
        (
            "<p>You learn</p><ul><li>rents</li><li>taxes &amp; fees</li></ul><p>Bye</p>",
            "You learn\n\n• rents\n• taxes & fees\n\nBye",
        ),
        ("<p>Fish &lt;b&gt; chips &#8212; 5&nbsp;%</p>", "Fish <b> chips — 5 %"),
        ("One<script>alert('x')</script><style>p{}</style>", "One"),
        ("<p onclick=\"x()\">One <b>two</b> <a href=\"javascript:x\">three</a></p>", "One two three"),
        ("<p>One\n   two</p>\n\n<p>three", "One two\n\nthree"),
        ("Plain\ntext\r\n\r\n\r\nwith 5 < 6 & more", "Plain\ntext\n\nwith 5 < 6 & more"),
        ("Q&amp;A", "Q&A"),
        ("<img src=x onerror=alert(1)>Hello<iframe src=x>in</iframe>", "Hello"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"),
        ("One\0\u{1b}[31m\r\n\r\ntwo\tthree", "One[31m\n\ntwo three"),
        ("", ""),
    ];
    for (html, text) in cases {
        let event = becomes(with(item("a", "Webinar"), "/description", json!(html)), "").await;
        assert_eq!(event["description"], text, "{html}");
    }
    let long = "word ".repeat(10_000);
    let event = becomes(with(item("a", "Webinar"), "/description", json!(long)), "").await;
    let text = event["description"].as_str().unwrap();
    assert!(text.chars().count() <= 20_000 && text.ends_with("word…"), "{}", text.len());
}

#[tokio::test]
async fn titles_are_one_line() {
    for (title, text) in [
        ("<b>Tax</b>\n &amp; rent", "Tax & rent"),
        ("  A\u{202e}B\u{0007} ", "AB"),
        ("Re\0nt\r\nroll\u{9b}", "Rent roll"),
    ] {
        assert_eq!(becomes(item("a", title), "").await["title"], text);
    }
    let event = becomes(item("a", &"long ".repeat(100)), "").await;
    assert!(event["title"].as_str().unwrap().chars().count() <= 200);
    assert_eq!(becomes(item("a", "<p></p>"), "").await, FAILED);
}

#[tokio::test]
async fn times_are_read_however_they_are_written() {
    let start = 1_930_950_000_i64;
    assert_eq!(chrono::DateTime::from_timestamp(start, 0).unwrap().to_rfc3339(), "2031-03-10T23:00:00+00:00");
    let cases = [
        ("auto", json!("2031-03-10T23:00:00Z"), "2031-03-10 19:00"),
        ("auto", json!("2031-03-10T23:00:00.000+0000"), "2031-03-10 19:00"),
        ("auto", json!("2031-03-10T18:00:00-05:00"), "2031-03-10 19:00"),
        ("auto", json!(start), "2031-03-10 19:00"),
        ("auto", json!(start * 1_000), "2031-03-10 19:00"),
        ("auto", json!(start.to_string()), "2031-03-10 19:00"),
        ("auto", json!("2031-03-10 19:00"), "2031-03-10 19:00"),
        ("auto", json!("2031-03-10T19:00:30"), "2031-03-10 19:00"),
        ("seconds", json!(start), "2031-03-10 19:00"),
        ("milliseconds", json!(start * 1_000), "2031-03-10 19:00"),
        ("naive", json!("2031-03-10T19:00:00Z"), "2031-03-10 19:00"),
        ("rfc3339", json!("2031-03-10T23:00:00Z"), "2031-03-10 19:00"),
    ];
    for (form, written, wall) in cases {
        let more = format!("[brandlive.times]\nform = \"{form}\"");
        let event = becomes(with(item("a", "Webinar"), "/start_date", written.clone()), &more).await;
        let found =
            format!("{} {}", event["date"].as_str().unwrap_or_default(), event["time"].as_str().unwrap_or_default());
        assert_eq!(found, wall, "{form} {written}: {event}");
        assert_eq!(event["startsAt"], "2031-03-10T23:00:00Z");
    }
    for broken in [
        json!("soon"),
        json!(""),
        json!({}),
        json!(1e300),
        json!("9999-12-31T23:00:00Z"),
        json!(-99_999_999_999_999_i64),
    ] {
        assert_eq!(becomes(with(item("a", "Webinar"), "/start_date", broken.clone()), "").await, FAILED, "{broken}");
    }
}

#[tokio::test]
async fn day_and_time_may_be_apart() {
    let more = "[brandlive.mapping]\nstarts_at = []\ndate = [\"/when/day\"]\ntime = [\"/when/clock\"]\ntimezone = []\n\
                [brandlive.defaults]\ntimezone = \"America/Denver\"";
    let mut listed = item("a", "Webinar");
    listed["when"] = json!({ "day": "2031-07-01", "clock": "7:30 PM" });
    let event = becomes(listed, more).await;
    assert_eq!((&event["time"], &event["timezone"]), (&json!("19:30"), &json!("America/Denver")));
    assert_eq!(event["startsAt"], "2031-07-02T01:30:00Z");
}

#[tokio::test]
async fn a_zone_that_is_not_known_matters_to_a_wall_clock_only() {
    let unknown = with(item("a", "Webinar"), "/timezone", json!("Mars/Base"));
    assert_eq!(becomes(unknown.clone(), "").await["timezone"], "America/New_York");
    assert_eq!(becomes(with(unknown, "/start_date", json!("2031-03-10 19:00")), "").await, FAILED);
}

#[tokio::test]
async fn lengths_are_kept_as_they_are() {
    let seconds = "[brandlive.times]\nduration_unit = \"seconds\"";
    let cases = [
        (json!(50), "", "50 minutes"),
        (json!(62.0), "", "62 minutes"),
        (json!("75"), "", "75 minutes"),
        (json!("75 minutes"), "", "75 minutes"),
        (json!("2 hours"), "", "120 minutes"),
        (json!("1:30:00"), "", "90 minutes"),
        (json!(3_000), seconds, "50 minutes"),
    ];
    for (length, more, text) in cases {
        assert_eq!(
            becomes(with(item("a", "Webinar"), "/duration", length.clone()), more).await["duration"],
            text,
            "{length}"
        );
    }
    let mut ends = without(item("a", "Webinar"), "/duration");
    assert_eq!(becomes(ends.clone(), "").await["duration"], "60 minutes");
    ends["end_date"] = json!("2031-03-13T00:10:00Z");
    assert_eq!(becomes(ends.clone(), "").await["duration"], "70 minutes");
    ends["end_date"] = json!("2031-03-12T22:00:00Z");
    assert_eq!(becomes(ends, "").await, FAILED);
    for broken in [json!(0), json!(-5), json!("long"), json!(1e300)] {
        assert_eq!(becomes(with(item("a", "Webinar"), "/duration", broken.clone()), "").await, FAILED, "{broken}");
    }
}

#[tokio::test]
async fn an_unknown_state_is_reported_and_none_is_live() {
    assert_eq!(becomes(with(item("a", "Webinar"), "/status", json!("zombie")), "").await, FAILED);
    assert_eq!(becomes(without(item("a", "Webinar"), "/status"), "").await["brandliveId"], "a");
}

#[tokio::test]
async fn what_may_be_missing() {
    let bare = json!({ "id": 17, "name": "Webinar", "start": "2031-03-12T23:00:00Z" });
    assert_eq!(becomes(bare.clone(), "").await, FAILED, "a registration address has to come from somewhere");
    let more = "[brandlive.defaults]\nregistration_url = \"https://live.example.com/{id}\"\ntype = \"Special\"";
    let event = becomes(bare, more).await;
    assert_eq!(event["brandliveId"], "17");
    assert_eq!(event["registrationUrl"], "https://live.example.com/17");
    assert_eq!((&event["summary"], &event["type"]), (&json!(null), &json!("Special")));
}
