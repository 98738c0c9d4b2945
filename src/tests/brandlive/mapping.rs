//! Field mapping: texts, times, durations and status words.

use serde_json::{Value, json};

use super::SyncTest;
use crate::tests::support::fake_brandlive::{FakeBrandlive, FakeResponse, item};
use crate::tests::support::{with, without};

/// The event that one item becomes, or the message of the sync if it can't be synced.
async fn synced(item: Value, more: &str) -> Value {
    let site = SyncTest::with(FakeBrandlive::listing(vec![item]), more).await;
    match site.sync().await.as_str() {
        "1 created, 0 updated, 0 unchanged" => site.event().await,
        other => json!(other),
    }
}

/// What several items become in one sync: the event of each, or why it can't be synced.
async fn all_synced(items: impl IntoIterator<Item = Value>, more: &str) -> Vec<Value> {
    let id = |number: usize| format!("item-{number}");
    let listed: Vec<Value> =
        items.into_iter().enumerate().map(|(number, item)| with(item, "/uuid", json!(id(number)))).collect();
    let count = listed.len();
    let site = SyncTest::with(FakeBrandlive::listing(listed), more).await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    let events = site.events().await;
    let failed = result["failed"].as_array().unwrap();
    assert_eq!(events.len() + failed.len(), count, "{result}");
    let of = |number: usize| {
        let event = events.iter().find(|event| event["brandliveId"] == id(number)).cloned();
        event.or_else(|| Some(failed.iter().find(|failure| failure["id"] == id(number))?["reason"].clone())).unwrap()
    };
    (0..count).map(of).collect()
}

const FAILED: &str = "0 created, 0 updated, 0 unchanged, 1 failed";

#[tokio::test]
async fn descriptions_become_plain_text() {
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
        let event = synced(with(item("a", "Webinar"), "/description", json!(html)), "").await;
        assert_eq!(event["description"], text, "{html}");
    }
    let long = "word ".repeat(10_000);
    let event = synced(with(item("a", "Webinar"), "/description", json!(long)), "").await;
    let text = event["description"].as_str().unwrap();
    assert!(text.chars().count() <= 20_000 && text.ends_with("word…"), "{}", text.len());
}

#[tokio::test]
async fn titles_become_one_line() {
    for (title, text) in [
        ("<b>Tax</b>\n &amp; rent", "Tax & rent"),
        ("  A\u{202e}B\u{0007} ", "AB"),
        ("Re\0nt\r\nroll\u{9b}", "Rent roll"),
    ] {
        assert_eq!(synced(item("a", title), "").await["title"], text);
    }
    let event = synced(item("a", &"long ".repeat(100)), "").await;
    assert!(event["title"].as_str().unwrap().chars().count() <= 200);
    assert_eq!(synced(item("a", "<p></p>"), "").await, FAILED);
}

#[tokio::test]
async fn times_are_parsed_in_every_format() {
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
        ("auto", json!("20310310190000"), "2031-03-10 19:00"),
        ("auto", json!(203_103_101_900_i64), "2031-03-10 19:00"),
        ("seconds", json!(start), "2031-03-10 19:00"),
        ("milliseconds", json!(start * 1_000), "2031-03-10 19:00"),
        ("naive", json!("2031-03-10T19:00:00Z"), "2031-03-10 19:00"),
        ("rfc3339", json!("2031-03-10T23:00:00Z"), "2031-03-10 19:00"),
    ];
    for (format, value, wall_clock) in cases {
        let more = format!("[brandlive.times]\nformat = \"{format}\"");
        let event = synced(with(item("a", "Webinar"), "/start_date", value.clone()), &more).await;
        let found =
            format!("{} {}", event["date"].as_str().unwrap_or_default(), event["time"].as_str().unwrap_or_default());
        assert_eq!(found, wall_clock, "{format} {value}: {event}");
        assert_eq!(event["startsAt"], "2031-03-10T23:00:00Z");
    }
    for broken in [
        json!("20310310"),
        json!(20_310_310),
        json!("2031-03-10"),
        json!(0),
        json!("20311301"),
        json!("soon"),
        json!(""),
        json!({}),
        json!(1e300),
        json!("9999-12-31T23:00:00Z"),
        json!(-99_999_999_999_999_i64),
    ] {
        assert_eq!(synced(with(item("a", "Webinar"), "/start_date", broken.clone()), "").await, FAILED, "{broken}");
    }
}

#[tokio::test]
async fn date_and_time_may_be_separate_fields() {
    let more = "[brandlive.mapping]\nstarts_at = []\ndate = [\"/when/day\"]\ntime = [\"/when/clock\"]\ntimezone = []\n\
                [brandlive.defaults]\ntimezone = \"America/Denver\"";
    let mut listed = item("a", "Webinar");
    listed["when"] = json!({ "day": "2031-07-01", "clock": "7:30 PM" });
    let event = synced(listed, more).await;
    assert_eq!((&event["time"], &event["timezone"]), (&json!("19:30"), &json!("America/Denver")));
    assert_eq!(event["startsAt"], "2031-07-02T01:30:00Z");
    // The time can have an offset of its own.
    for (clock, starts_at) in [
        ("19:00:00Z", "2031-07-01T19:00:00Z"),
        ("19:00:00+00:00", "2031-07-01T19:00:00Z"),
        ("T190000-0600", "2031-07-02T01:00:00Z"),
        ("T19:00", "2031-07-02T01:00:00Z"),
        ("24:00", "2031-07-02T06:00:00Z"),
    ] {
        let listed = with(item("a", "Webinar"), "/when", json!({ "day": "2031-07-01", "clock": clock }));
        assert_eq!(synced(listed, more).await["startsAt"], starts_at, "{clock}");
    }
    // A start that is a date alone takes the time beside it.
    for date in ["20310310", "2031-03-10"] {
        let item = with(with(item("a", "Webinar"), "/start_date", json!(date)), "/start_time", json!("19:00"));
        let event = synced(item, "[brandlive.mapping]\nstarts_at = [\"/start_date\"]\ntime = [\"/start_time\"]").await;
        assert_eq!((&event["date"], &event["time"]), (&json!("2031-03-10"), &json!("19:00")), "{event}");
    }
}

#[tokio::test]
async fn an_unknown_zone_fails_only_a_wall_clock_time() {
    let unknown = with(item("a", "Webinar"), "/timezone", json!("Mars/Base"));
    assert_eq!(synced(unknown.clone(), "").await["timezone"], "America/New_York");
    assert_eq!(synced(with(unknown, "/start_date", json!("2031-03-10 19:00")), "").await, FAILED);
}

#[tokio::test]
async fn durations_are_parsed_in_every_format() {
    let seconds = "[brandlive.times]\nduration_unit = \"seconds\"";
    let cases = [
        (json!(50), "", "50 minutes"),
        (json!(62.0), "", "62 minutes"),
        (json!("75"), "", "75 minutes"),
        (json!("75 minutes"), "", "75 minutes"),
        (json!("2 hours"), "", "120 minutes"),
        (json!("1.5 hours"), "", "90 minutes"),
        (json!("0.5 h"), "", "30 minutes"),
        (json!("5400 s"), "", "90 minutes"),
        (json!("1:30:00"), "", "90 minutes"),
        (json!(3_000), seconds, "50 minutes"),
    ];
    for (length, more, text) in cases {
        assert_eq!(
            synced(with(item("a", "Webinar"), "/duration", length.clone()), more).await["duration"],
            text,
            "{length}"
        );
    }
    let mut ends = without(item("a", "Webinar"), "/duration");
    assert_eq!(synced(ends.clone(), "").await["duration"], "60 minutes");
    ends["end_date"] = json!("2031-03-13T00:10:00Z");
    assert_eq!(synced(ends.clone(), "").await["duration"], "70 minutes");
    ends["end_date"] = json!("2031-03-12T22:00:00Z");
    assert_eq!(synced(ends, "").await, FAILED);
    for broken in [json!(0), json!(-5), json!("long"), json!("1.5.3 h"), json!("1,500 s"), json!(1e300)] {
        assert_eq!(synced(with(item("a", "Webinar"), "/duration", broken.clone()), "").await, FAILED, "{broken}");
    }
}

#[tokio::test]
async fn an_unknown_status_is_a_failure_and_no_status_is_live() {
    assert_eq!(synced(with(item("a", "Webinar"), "/status", json!("zombie")), "").await, FAILED);
    assert_eq!(synced(without(item("a", "Webinar"), "/status"), "").await["brandliveId"], "a");
}

#[tokio::test]
async fn a_blank_value_is_no_value() {
    let mut listed = item("", "Webinar");
    (listed["id"], listed["title"], listed["duration"]) = (json!("a"), json!(" "), json!(""));
    listed["end_date"] = json!("2031-03-13T00:10:00Z");
    let event = synced(listed, "").await;
    assert_eq!(
        (&event["brandliveId"], &event["title"], &event["duration"]),
        (&json!("a"), &json!("Webinar"), &json!("70 minutes"))
    );
    let site = SyncTest::listing(vec![item("a", "Webinar")]).await;
    site.sync().await;
    let cancelled = with(with(item("a", "Webinar"), "/status", json!("")), "/state", json!("cancelled"));
    assert_eq!(site.sync_to(vec![cancelled]).await, "0 created, 0 updated, 0 unchanged, 1 hidden");
}

#[tokio::test]
async fn a_status_that_is_no_word_is_a_failure() {
    for status in [json!({ "code": "cancelled" }), json!(["cancelled"])] {
        assert_eq!(synced(with(item("a", "Webinar"), "/status", status), "").await, FAILED);
    }
}

#[tokio::test]
async fn an_unknown_zone_beside_an_instant_is_a_note_and_an_object_fails_a_wall_clock_time() {
    for zone in [json!("Foo/Bar"), json!({ "name": "America/Denver" }), json!(["UTC"]), json!(5)] {
        let site =
            SyncTest::listing(vec![with(item("a", "Webinar"), "/timezone", zone.clone()), item("b", "Other")]).await;
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        let note = "The time zone of a can't be read, so their times are shown in the zone of [brandlive.defaults]; see \
                    timezone under [brandlive.mapping]";
        assert_eq!((&result["notes"], &result["problem"]), (&json!([note]), &Value::Null), "{zone}");
        let wall_clock = with(item("a", "Webinar"), "/start_date", json!("2031-03-10T19:00:00"));
        assert_eq!(synced(with(wall_clock, "/timezone", zone.clone()), "").await, FAILED, "{zone}");
    }
}

#[tokio::test]
async fn a_zone_is_known_in_any_case() {
    let listed = |zone: &str| {
        with(with(item("a", "Webinar"), "/start_date", json!("2031-03-10 19:00")), "/timezone", json!(zone))
    };
    assert_eq!(synced(listed("utc"), "").await["timezone"], "UTC");
    assert_eq!(synced(listed("america/denver"), "").await["timezone"], "America/Denver");
    let utc = synced(listed("UTC"), "[brandlive.times]\nzone = \"utc\"").await;
    assert_eq!(utc["startsAt"], "2031-03-10T19:00:00Z");
}

#[tokio::test]
async fn defaults_fill_absent_fields() {
    let bare = json!({ "id": 17, "name": "Webinar", "start": "2031-03-12T23:00:00Z" });
    assert_eq!(synced(bare.clone(), "").await, FAILED, "a registration URL has to come from somewhere");
    let more = "detail_path = \"\"\n[brandlive.defaults]\nregistration_url = \"https://live.example.com/{id}\"\n\
                type = \"Special\"";
    let event = synced(bare, more).await;
    assert_eq!(event["brandliveId"], "17");
    assert_eq!(event["registrationUrl"], "https://live.example.com/17");
    assert_eq!((&event["summary"], &event["type"]), (&json!(null), &json!("Special")));
}

#[tokio::test]
async fn times_are_parsed_in_every_form_of_rfc_3339_and_iso_8601() {
    let zone = |value: &str| with(item("a", "Webinar"), "/start_date", json!(value));
    // Each of them is 23:00 UTC.
    let values = [
        "2031-03-10T23:00Z",
        "2031-03-10T23Z",
        "2031-03-10t23:00:00z",
        "2031-03-10 23:00:00Z",
        "2031-03-10_23:00:00Z",
        "2031-03-10T23:00:00.123456789Z",
        "2031-03-10T23:00:00,5Z",
        "20310310T230000Z",
        "20310310T2300Z",
        "20310310T230000.000Z",
        "2031-03-10T19:00:00-0400",
        "2031-03-10T19:00-04",
        "2031-03-10T19:00:00-04:00",
        "2031-03-10T23:00:00+0000",
        "2031-03-10T23:00:00+00",
        "2031-03-10T23:00:00 +0000",
        "2031-03-10 23:00:00 UTC",
        "2031-03-11T04:30:00+05:30",
        "2031-03-10T19:00:00-04:00[America/New_York]",
        "2031-03-10T19:00[America/New_York]",
        "2031-03-10T23:00:00-00:00",
        "2031-03-10T19:00:00-04:00[GMT-04:00]",
        "2031-03-10T17:00:00-06:00[America/Denver][u-ca=iso8601]",
        "2031-03-10T19:00[!America/New_York][u-ca=iso8601]",
        "\u{feff}2031-03-10T23:00:00Z ",
    ];
    for (value, event) in values.iter().zip(all_synced(values.map(zone), "").await) {
        assert_eq!(event["startsAt"], "2031-03-10T23:00:00Z", "{value}");
    }
    // Without an offset: in the zone beside it, or in the one that the configuration names.
    let values =
        ["2031-03-10T19:00:00", "2031-03-10T19:00", "20310310T190000", "2031-03-10 19:00:00.000", "20310310 1900"];
    for (value, event) in values.iter().zip(all_synced(values.map(zone), "").await) {
        assert_eq!(event["startsAt"], "2031-03-10T23:00:00Z", "{value}");
    }
    let in_utc = all_synced(values.map(zone), "[brandlive.times]\nzone = \"UTC\"").await;
    for (value, utc) in values.iter().zip(in_utc) {
        assert_eq!(utc["startsAt"], "2031-03-10T19:00:00Z", "{value}");
        assert_eq!((&utc["time"], &utc["timezone"]), (&json!("15:00"), &json!("America/New_York")), "{value}");
    }
    let without_zone = without(zone("2031-03-10T19:00:00"), "/timezone");
    let event = synced(without_zone, "[brandlive.defaults]\ntimezone = \"UTC\"").await;
    assert_eq!((&event["startsAt"], &event["timezone"]), (&json!("2031-03-10T19:00:00Z"), &json!("UTC")));
    assert_eq!(synced(zone("2031-03-10T24:00:00"), "").await["date"], "2031-03-11");
    // A fraction of an hour is not left out.
    assert_eq!(synced(zone("2031-03-10T19.5Z"), "").await["startsAt"], "2031-03-10T19:30:00Z");
    assert_eq!(synced(zone("2031-03-10T19,25Z"), "").await["startsAt"], "2031-03-10T19:15:00Z");
    for broken in
        ["2031-03-10T23:00:00+", "2031-03-10T25:00", "2031-13-10T10:00", "2031-03-10T10:00:00+99:00", "2031-03-10"]
    {
        assert_eq!(synced(zone(broken), "").await, FAILED, "{broken}");
    }
}

#[tokio::test]
async fn a_flag_and_a_status_word_can_both_mean_cancelled() {
    let listed = |pointer: &str, value: Value| {
        let mut item = item("a", "Webinar");
        item[pointer] = value;
        item
    };
    for cancelled in [
        listed("cancelled", json!(true)),
        listed("is_canceled", json!(1)),
        listed("isCancelled", json!("yes")),
        listed("status", json!("CANCELED")),
    ] {
        let site = SyncTest::listing(vec![item("a", "Webinar")]).await;
        site.sync().await;
        assert_eq!(
            site.sync_to(vec![cancelled.clone()]).await,
            "0 created, 0 updated, 0 unchanged, 1 hidden",
            "{cancelled}"
        );
    }
    for live in [listed("cancelled", json!(false)), listed("cancelled", json!("0")), listed("cancelled", json!(null))] {
        assert_eq!(synced(live.clone(), "").await["brandliveId"], "a", "{live}");
    }
}

#[tokio::test]
async fn deeply_nested_html_fails_one_item_within_a_second() {
    let nested = |open: &str, close: &str| format!("{}deep{}", open.repeat(60_000), close.repeat(60_000));
    let many_attributes = (0..100_000).fold("<p".to_owned(), |tag, number| tag + " a" + &number.to_string());
    for html in [
        nested("<div>", "</div>"),
        nested("<b>", ""),
        nested("<div></b>", ""),
        nested("<ul><li>", "</li></ul>"),
        nested("<table><tr><td>", ""),
        nested("<a href=x><div>", "</div>"),
        many_attributes + ">x",
        // The parser does not end the outer element where a text seems to.
        nested("<div><textarea></div></textarea>", ""),
        "<svg><style>".to_owned() + &nested("<g>", "</g>"),
        "<script><!--</script>".to_owned() + &nested("<div>", ""),
        "<script><!--<script></script><style></script>".to_owned() + &nested("<div>", ""),
    ] {
        let items = vec![with(item("a", "Webinar"), "/description", json!(html)), item("b", "Other")];
        let mut measured = Vec::new();
        // Repeated, because other programs may use the processor meanwhile.
        while measured.len() < 5 && !measured.iter().any(|time| *time < std::time::Duration::from_secs(1)) {
            let site = SyncTest::listing(items.clone()).await;
            let started = std::time::Instant::now();
            let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
            measured.push(started.elapsed());
            assert_eq!(result["message"], "1 created, 0 updated, 0 unchanged, 1 failed", "{}", &html[..20]);
            assert_eq!(result["failed"][0]["id"], "a");
            assert!(result["failed"][0]["reason"].as_str().unwrap().starts_with("its description is HTML"), "{result}");
        }
        let fastest = measured.iter().min().unwrap();
        assert!(*fastest < std::time::Duration::from_secs(1), "{}: {measured:?}", &html[..20]);
    }
    // Tags that close each other are not nested.
    let paragraphs = with(item("a", "Webinar"), "/description", json!("<p>One<br><li>two".repeat(1_000)));
    assert_eq!(synced(paragraphs, "").await["brandliveId"], "a");
}

#[tokio::test]
async fn scripts_and_styles_are_not_markup() {
    let scripts = "<script>if(a<b){x}</script><style>a<b{}</style>".repeat(600) + "<p>Bring an offering.</p>";
    let event = synced(with(item("a", "Webinar"), "/description", json!(scripts)), "").await;
    assert_eq!(event["description"], "Bring an offering.");
}

/// The time that a sync with this description takes, and its event, or its result without one.
async fn timed_sync(description: &str) -> (std::time::Duration, Value) {
    let site = SyncTest::listing(vec![with(item("a", "Webinar"), "/description", json!(description))]).await;
    let started = std::time::Instant::now();
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    let elapsed = started.elapsed();
    (elapsed, site.events().await.first().cloned().unwrap_or(result))
}

/// Fails if the sync of a long text takes much longer than that of a short one, and returns what [`timed_sync`] does.
async fn assert_takes_about_as_long(long: &str, short: &str) -> Value {
    let mut measured = Vec::new();
    // Repeated, because other programs may use the processor during one of the measurements.
    loop {
        let (of_long, result) = timed_sync(long).await;
        if of_long < std::time::Duration::from_millis(500) {
            return result;
        }
        let (of_short, _) = timed_sync(short).await;
        measured.push((of_short, of_long));
        if of_long < of_short * 8 {
            return result;
        }
        assert!(measured.len() < 12, "{long:.20}: {measured:?}");
    }
}

#[tokio::test]
async fn texts_full_of_markup_are_cleaned_in_linear_time() {
    for unit in ["&", "<!", "</", "<!--", "<![CDATA[", "&nbsp;", "&amp;", "°&", "a < b & c "] {
        let of_length = |length: usize| unit.repeat(length / unit.len());
        let event = assert_takes_about_as_long(&of_length(240_000), &of_length(60_000)).await;
        assert_eq!(event["brandliveId"], "a", "{unit}: {event}");
    }
    // In HTML, the parser's output can't be split: the item is named.
    let html = format!("<p>{}</p>", "&".repeat(240_000));
    let result = assert_takes_about_as_long(&html, &"a".repeat(240_000)).await;
    assert_eq!(result["failed"][0]["reason"], "its description is HTML with too many special characters");
}

#[tokio::test]
async fn a_long_text_is_decoded_as_a_short_one() {
    // At every offset, so that some entity is where the text is split.
    for offset in 0..12 {
        let text = format!("{}Q&amp;A &eacute;&#176;C 1 < 2 &copy 3 R&D <b", "x".repeat(4_085 + offset));
        let (_, event) = timed_sync(&text).await;
        let description = event["description"].as_str().unwrap();
        assert!(description.ends_with("xQ&A é°C 1 < 2 © 3 R&D <b"), "{}", &description[4_000..]);
    }
}

#[tokio::test]
async fn the_attributes_of_a_tag_are_counted_as_the_parser_does() {
    let numbered = |count: usize, attribute: fn(usize) -> String| {
        (0..count).fold("<p".to_owned(), |tag, number| tag + " " + &attribute(number)) + ">Text</p>"
    };
    // A style has many separators; a link has slashes.
    let style =
        format!("<p style=\"{}\" title='a = b / c'><a href=/a/b=c/d>Text</a></p>", "margin: 0 / 1 = 2; ".repeat(500));
    for html in [
        style,
        numbered(499, |number| format!("a{number} = \"b c d\"")),
        numbered(499, |number| format!("a{number}=b/c")),
    ] {
        let event = synced(with(item("a", "Webinar"), "/description", json!(html)), "").await;
        assert_eq!(event["description"], "Text", "{}", &html[..40]);
    }
    for html in [
        numbered(501, |number| format!("a{number}")),
        numbered(501, |number| format!("a{number}\"b")),
        format!("<!--><p{}>", "/a".repeat(501)),
    ] {
        let site = SyncTest::listing(vec![with(item("a", "Webinar"), "/description", json!(html))]).await;
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        assert_eq!(
            result["failed"][0]["reason"],
            "its description is HTML with too many attributes",
            "{}",
            &html[..20]
        );
    }
}

#[tokio::test]
async fn a_synced_duration_off_the_grid_can_be_saved_unchanged() {
    for minutes in [37, 240, 500] {
        let listed = with(item("a", "Webinar"), "/duration", json!(minutes));
        let site = SyncTest::listing(vec![listed]).await;
        site.sync().await;
        let event = site.event().await;
        let saved = site.edit(&event, json!({ "title": "Ours" })).await;
        assert_eq!((&saved["title"], &saved["duration"]), (&json!("Ours"), &json!(format!("{minutes} minutes"))));
        let speaker = site.app.a_speaker(&site.admin).await;
        let mut other = saved.clone();
        other["duration"] = json!("38 minutes");
        let body = json!({ "event": other, "speakerIds": [speaker] });
        let response = site.admin.put(&format!("/api/events/{}", event["id"]), body).await;
        assert_eq!(response.status, 400);
        assert!(response.fields()["duration"].is_string(), "{}", response.text());
    }
}

#[tokio::test]
async fn a_cancellation_that_is_no_flag_fails_the_item_and_never_hides_the_event() {
    let listed = |value: &Value| {
        let mut item = item("a", "New title");
        item["cancelled"] = value.clone();
        vec![item]
    };
    let unreadable = [
        json!({}),
        json!({ "value": false }),
        json!([]),
        json!([true]),
        json!("maybe"),
        json!("not cancelled"),
        json!(-1),
    ];
    for value in unreadable {
        let site = SyncTest::listing(vec![item("a", "Webinar")]).await;
        site.sync().await;
        site.fake.set_items(listed(&value));
        for _ in 0..3 {
            let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
            let reason =
                "its value at /cancelled is neither a flag nor a time; see cancelled under [brandlive.mapping]";
            assert_eq!(result["failed"], json!([{ "id": "a", "reason": reason }]), "{value}");
        }
        assert_eq!(site.event().await["title"], "Webinar", "{value}");
        // A status word or another flag still cancels it.
        let mut cancelled = listed(&value);
        cancelled[0]["status"] = json!("cancelled");
        assert_eq!(site.sync_to(cancelled).await, "0 created, 0 updated, 0 unchanged, 1 hidden", "{value}");
    }
    let set = [
        json!("2031-01-01T00:00:00Z"),
        json!("2031-01-01"),
        json!("2031-01-01 10:00:00"),
        json!(1_930_950_000),
        json!("Yes"),
        json!("on"),
    ];
    for value in set {
        let site = SyncTest::listing(vec![item("a", "Webinar")]).await;
        site.sync().await;
        assert_eq!(site.sync_to(listed(&value)).await, "0 created, 0 updated, 0 unchanged, 1 hidden", "{value}");
    }
    // The zero of a database or of a programming language is not a time.
    for value in [json!("0000-00-00 00:00:00"), json!("0001-01-01T00:00:00Z"), json!(0.0), json!("off"), json!("None")]
    {
        assert_eq!(synced(listed(&value)[0].clone(), "").await["brandliveId"], "a", "{value}");
    }
}

/// Why the only item failed.
async fn failure(item: Value) -> String {
    let site = SyncTest::listing(vec![item]).await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["message"], FAILED, "{result}");
    assert_eq!(result["failed"][0]["id"], "a");
    result["failed"][0]["reason"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn durations_are_parsed_in_every_form_of_iso_8601_and_with_several_units() {
    let cases = [
        (json!("PT1H30M"), 90),
        (json!("pt1h30m"), 90),
        (json!("PT90M"), 90),
        (json!("PT5400S"), 90),
        (json!("PT1.5H"), 90),
        (json!("PT1,5H"), 90),
        (json!("PT1H29M59.9S"), 89),
        (json!("P1D"), 1_440),
        (json!("P1DT2H"), 1_560),
        (json!("P2W"), 20_160),
        (json!("P28D"), 40_320),
        (json!("90"), 90),
        (json!(90.0), 90),
        (json!("90.0"), 90),
        (json!("+90"), 90),
        (json!("1:30"), 90),
        (json!("01:30:59"), 90),
        (json!("1h30m"), 90),
        (json!("1 hour 30 minutes"), 90),
        (json!("1 H 30 Min"), 90),
        (json!("2 days"), 2_880),
    ];
    let lasting = |value: &Value| with(item("a", "Webinar"), "/duration", value.clone());
    let events = all_synced(cases.iter().map(|(value, _)| lasting(value)), "").await;
    for ((value, minutes), event) in cases.iter().zip(events) {
        assert_eq!(event["duration"], format!("{minutes} minutes"), "{value}");
    }
    let none = [
        json!(0),
        json!(-5),
        json!("0"),
        json!("-90"),
        json!("PT0S"),
        json!("-PT1H"),
        json!("\u{2212}1:30"),
        json!("30 s"),
    ];
    for (value, reason) in none.iter().zip(all_synced(none.iter().map(lasting), "").await) {
        assert_eq!(reason, "its duration is not positive", "{value}");
    }
    let long = [
        json!("P29D"),
        json!(40_321),
        json!(1e300),
        json!("9".repeat(400)),
        json!("P1D".replace('1', &"9".repeat(40))),
    ];
    for (value, reason) in long.iter().zip(all_synced(long.iter().map(lasting), "").await) {
        assert_eq!(reason, "it is longer than four weeks", "{value}");
    }
    let unreadable = [
        "P", "PT", "P1M", "P1Y", "PT1X", "P1H", "NaN", "inf", "1:75", "1:30:60", "1:-5", "1:", "--5", "1h 30", "1e3",
        "1h,", "½ h",
    ];
    let unreadable: Vec<Value> =
        unreadable.map(|text| json!(text)).into_iter().chain([json!(true), json!({}), json!([])]).collect();
    for (value, reason) in unreadable.iter().zip(all_synced(unreadable.iter().map(lasting), "").await) {
        assert_eq!(reason, "its duration can't be read", "{value}");
    }
}

#[tokio::test]
async fn a_value_that_is_not_a_number_fails_its_item_only() {
    for (field, reason) in [
        ("duration", "its duration can't be read"),
        ("start_date", "its start can't be read; see [brandlive.times]"),
        ("uuid", "an item (\"Webinar\") has no id"),
        ("name", "it has no title"),
    ] {
        for number in ["NaN", "Infinity", "-Infinity", "1e999"] {
            let broken = with(item("a", "Webinar"), &format!("/{field}"), json!("NUMBER"));
            let body = json!({ "data": [broken, item("b", "Other")] }).to_string().replace("\"NUMBER\"", number);
            let fake = FakeBrandlive::new(move |_, _| FakeResponse::Raw(200, vec![], body.clone().into_bytes()));
            let site = SyncTest::with(fake, "[brandlive.paging]\nmode = \"none\"").await;
            let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
            assert_eq!(result["message"], "1 created, 0 updated, 0 unchanged, 1 failed", "{field} {number}");
            assert_eq!(result["failed"][0]["reason"], reason, "{field} {number}");
        }
    }
}

#[tokio::test]
async fn odd_offsets_and_times_out_of_range() {
    let start = |value: &Value| with(item("a", "Webinar"), "/start_date", value.clone());
    let cases = [
        ("2031-03-10t23:00:00z", "2031-03-10T23:00:00Z"),
        ("2031-03-10 23:00:00,250+00", "2031-03-10T23:00:00Z"),
        ("2031-03-10T19:00:00\u{2212}04:00", "2031-03-10T23:00:00Z"),
        ("2031-03-10T19:00:00\u{2212}0400", "2031-03-10T23:00:00Z"),
        ("2031-03-11T04:45:00+05:45", "2031-03-10T23:00:00Z"),
        ("2031-03-11T13:00:00+14:00", "2031-03-10T23:00:00Z"),
        ("2031-03-10T24:00Z", "2031-03-11T00:00:00Z"),
        ("2031-03-10T240000Z", "2031-03-11T00:00:00Z"),
        ("2031-12-31T24:00:00.000-05:00", "2032-01-01T05:00:00Z"),
        ("1930950000.75", "2031-03-10T23:00:00Z"),
    ];
    let events = all_synced(cases.iter().map(|(value, _)| start(&json!(value))), "").await;
    for ((value, starts_at), event) in cases.iter().zip(events) {
        assert_eq!(event["startsAt"], *starts_at, "{value}");
    }
    let unreadable = [
        json!("2031-03-10T24:01:00Z"),
        json!("2031-03-10T23:60:00Z"),
        json!("2031-02-30T10:00:00Z"),
        json!("2031-03-10T10:00:00+24:00"),
        json!("2031-03-10T10:00:00+00:60"),
        json!("2031-03-10T10:00:00+0"),
        json!("+262142-12-31T23:59:59Z"),
        json!("-0001-01-01T00:00:00Z"),
        json!("12031-03-10T23:00:00Z"),
        json!(1e18),
        json!(-1),
        json!(true),
    ];
    for (value, reason) in unreadable.iter().zip(all_synced(unreadable.iter().map(start), "").await) {
        assert_eq!(reason, "its start can't be read; see [brandlive.times]", "{value}");
    }
    for value in ["1899-12-31T23:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:00:00Z"] {
        let reason = failure(with(start(&json!(value)), "/timezone", json!("UTC"))).await;
        assert_eq!(reason, "its start is outside of the range 1900-01-01 to 9999-12-30", "{value}");
    }
    // The last instants that the calendar's library knows are not converted to a zone.
    for (format, value) in
        [("seconds", 8_210_266_876_799_i64), ("milliseconds", 8_210_266_876_799_000), ("seconds", i64::MAX)]
    {
        let more = format!("[brandlive.times]\nformat = \"{format}\"");
        assert_eq!(synced(with(start(&json!(value)), "/timezone", json!("Asia/Tokyo")), &more).await, FAILED);
    }
    let mut ends = without(item("a", "Webinar"), "/duration");
    ends["end_date"] = json!("2031-03-12T22:00:00Z");
    assert_eq!(failure(ends.clone()).await, "its end is not after its start");
    ends["end_date"] = json!("+262142-12-31T23:59:59Z");
    assert_eq!(failure(ends).await, "its end can't be read; see [brandlive.times]");
}
