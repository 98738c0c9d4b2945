//! The HTML of the public routes: escaping of hostile text, directives for search engines, and the 404 page.

use chrono::Utc;
use serde_json::{Value, json};

use super::support::{Client, TestApp, in_person_event, online_event, with};
use crate::platform::config::{Config, Link, Network};

/// Text with characters that have a meaning in HTML, scripts, JSON or bidirectional text.
pub(super) const HOSTILE: [&str; 9] = [
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "<!--<script>",
    "]]>&lt;b&gt; & &amp;",
    "👩‍👩‍👧 \u{1F1FA}\u{1F1F8} café",
    "a\u{2028}b\u{2029}c",
    "مرحبا بالعالم \u{202E}txet\u{202C} שלום",
    "\\u003c/script\\u003e \\\" {{7*7}} ${x} %3Cscript%3E",
];
const HOSTILE_URL: &str = "https://example.com/?a=\"><script>alert(1)</script>&b='c'";

/// The initial data of a page, as a browser reads it.
pub(super) fn initial_data(html: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"initial-data\">";
    let rest = html.split_once(start).expect("the page has initial data").1;
    let json = rest.split_once("</script>").expect("the script ends").0;
    for raw in ['<', '>', '&', '\u{2028}', '\u{2029}'] {
        assert!(!json.contains(raw), "{raw:?} is in the data unescaped");
    }
    serde_json::from_str(json).unwrap()
}

/// The number of start tags, to detect text that became markup.
pub(super) fn elements(html: &str) -> usize {
    let begins = |pair: &[u8]| pair[0] == b'<' && (pair[1].is_ascii_alphabetic() || b"/!?".contains(&pair[1]));
    html.as_bytes().windows(2).filter(|pair| begins(pair)).count()
}

/// Text with words of the same lengths, because truncated names and names with long words have additional elements.
pub(super) fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() || "-/".contains(c) { c } else { 'x' }).collect()
}

/// Writes one text to every text field of every entity.
pub(super) async fn write_everywhere(admin: &Client, text: &str, url: &str) {
    let speaker = json!({ "name": text, "title": text, "bio": text, "imageUrl": url, "type": "Guest" });
    assert_eq!(admin.put("/api/speakers/1", speaker).await.status, 200);
    let mut event = in_person_event(text, &[1]);
    let in_an_hour = (Utc::now() + chrono::TimeDelta::hours(1)).format("%Y-%m-%d %H:%M").to_string();
    let (date, time) = in_an_hour.split_once(' ').unwrap();
    for (place, value) in [("/event/date", date), ("/event/time", time), ("/event/timezone", "Etc/UTC")] {
        event = with(event, place, json!(value));
    }
    for key in ["summary", "description", "series", "brandliveId"] {
        event = with(event, &format!("/event/{key}"), json!(text));
    }
    for key in ["venueName", "venueAddress", "city", "state", "placeId"] {
        event = with(event, &format!("/location/{key}"), json!(text));
    }
    event = with(event, "/location/imageUrl", json!(url));
    event = with(event, "/event/registrationUrl", json!(url));
    let links = json!({ "google": url, "outlook": url, "ical": url });
    event = with(event, "/event/calendarLinks", links);
    assert_eq!(admin.put("/api/events/1", event).await.status, 200);
    let content = json!({ "heroTitle": text, "heroSubtitle": text });
    assert_eq!(admin.put("/api/page-content/home", content).await.status, 200);
}

#[tokio::test]
async fn hostile_content_is_escaped() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    for text in HOSTILE {
        write_everywhere(&admin, &harmless(text), "https://example.com/").await;
        let mut plain = Vec::new();
        for path in ["/", "/calendar"] {
            plain.push((path, elements(&app.visitor().get(path).await.text())));
        }
        write_everywhere(&admin, text, HOSTILE_URL).await;
        for (path, count) in &plain {
            let html = app.visitor().get(path).await.text();
            assert_eq!(elements(&html), *count, "{path} has other elements with {text}");
            assert!(!html.contains("<script>alert") && !html.contains("<img src=x"), "{path}: {text}");
            let outside = html.split_once("id=\"initial-data\">").unwrap().0;
            assert!(!html.contains("\"><img src=x") && !outside.contains("' onmouseover='"), "{path}: {text}");
            let home = &initial_data(&html)["home"];
            assert_eq!(home["content"]["heroTitle"], text, "{path}");
            for event in [&home["nextEvent"], &home["events"][0]] {
                assert_eq!(event["title"], text, "{path}");
                assert_eq!(event["description"], text, "{path}");
                assert_eq!(event["registrationUrl"], HOSTILE_URL, "{path}");
                assert_eq!(event["location"]["venueName"], text, "{path}");
                assert_eq!(event["speakers"][0]["speaker"]["bio"], text, "{path}");
            }
        }
        let listed = app.visitor().get("/api/events").await.json();
        assert_eq!(listed[0]["summary"], text);
        assert_eq!(listed[0]["location"]["city"], text);
    }
}

#[tokio::test]
async fn hostile_configuration_is_escaped() {
    let mut config = Config::default();
    config.site.name = HOSTILE[0].to_owned();
    config.site.disclaimer = HOSTILE[1].to_owned();
    config.site.contact.phone = HOSTILE[2].to_owned();
    config.site.social = vec![Link { label: HOSTILE[0].to_owned(), url: "https://example.com/<b>".parse().unwrap() }];
    let app = TestApp::start_with(config);
    let plain = TestApp::start();
    for path in ["/", "/calendar", "/admin/login", "/nothing"] {
        let html = app.visitor().get(path).await.text();
        let social = plain.visitor().get(path).await.text();
        assert!(elements(&html) <= elements(&social), "{path}");
        assert!(!html.contains("<script>alert") && !html.contains("<img src=x"), "{path}");
        let site = &initial_data(&html)["site"];
        assert_eq!(site["name"], HOSTILE[0], "{path}");
        assert_eq!(site["social"][0]["url"], "https://example.com/<b>", "{path}");
    }
}

#[tokio::test]
async fn every_route_has_a_page_of_its_own_kind() {
    let app = TestApp::start();
    for (path, kind, has_events) in [
        ("/", "home", true),
        ("/calendar", "calendar", true),
        ("/calendar?type=Special", "calendar", true),
        ("/search", "search", false),
        ("/search?q=rent&page=2", "search", false),
        ("/auth", "sign-in", false),
        ("/auth-success", "sign-in", false),
        ("/login-help", "sign-in", false),
        ("/admin/login", "sign-in", false),
        ("/admin", "other", false),
        ("/admin?tab=users", "other", false),
    ] {
        let response = app.visitor().get(path).await;
        assert_eq!(response.status, 200, "{path}");
        assert_eq!(response.header("content-type"), "text/html; charset=utf-8", "{path}");
        let data = initial_data(&response.text());
        assert_eq!(data["page"], kind, "{path}");
        assert_eq!(data["home"].is_object(), has_events, "{path}");
    }
}

#[tokio::test]
async fn only_pages_with_events_are_indexed() {
    let mut config = Config::default();
    config.server.base_url = Some("https://events.example.com".parse().unwrap());
    let app = TestApp::start_with(config);
    for path in ["/", "/calendar"] {
        let html = app.visitor().get(path).await.text();
        assert!(!html.contains("noindex"), "{path}");
        assert!(
            html.contains(&format!("<link rel=\"canonical\" href=\"https://events.example.com{path}\">")),
            "{path}"
        );
    }
    for path in ["/auth", "/auth-success", "/login-help", "/admin/login", "/admin", "/admin/users", "/nothing"] {
        let html = app.visitor().get(path).await.text();
        assert!(html.contains("<meta name=\"robots\" content=\"noindex\">"), "{path}");
        assert!(!html.contains("rel=\"canonical\""), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_path_is_404_with_a_page() {
    let app = TestApp::start();
    for path in [
        "/nothing",
        "/404",
        "/calendar/2031",
        "/calendar/2031/",
        "/administrator",
        "/admin/speakers",
        "/index.html",
        "/assets/",
        "/assets/none.js",
        "/assets/../../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2fCargo.toml",
        "/.env",
        "/lectern.db",
        "/%FF",
        "/%00",
        "//evil.example/",
    ] {
        let response = app.visitor().get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(response.header("content-type"), "text/html; charset=utf-8", "{path}");
        let html = response.text();
        assert!(html.contains("<title>Page not found"), "{path}");
        assert!(!html.contains("evil.example") && !html.contains("root:x:0"), "{path}");
        // A matching ETag is a 404 as well.
        let again = app.visitor().with("if-none-match", &response.header("etag")).get(path).await;
        assert_eq!(again.status, 404, "{path}");
    }
}

#[tokio::test]
async fn the_next_event_changes_when_the_current_one_has_started() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let start = Utc::now() + chrono::TimeDelta::minutes(10);
    let at = |title: &str, minutes: i64| {
        let wall = (start + chrono::TimeDelta::minutes(minutes)).format("%Y-%m-%d %H:%M").to_string();
        let (date, time) = wall.split_once(' ').unwrap();
        let event = with(in_person_event(title, &[speaker]), "/event/date", json!(date));
        with(with(event, "/event/time", json!(time)), "/event/timezone", json!("Etc/UTC"))
    };
    admin.post("/api/events", at("Soon", 0)).await.created_id();
    admin.post("/api/events", at("Afterwards", 60)).await.created_id();
    let visitor = app.visitor();
    let next = async || initial_data(&visitor.get("/").await.text())["home"]["nextEvent"]["title"].clone();

    assert_eq!(next().await, "Soon");
    app.clock.advance(11 * 60);
    assert_eq!(next().await, "Afterwards");
    app.clock.advance(60 * 60);
    assert_eq!(next().await, Value::Null);
}

#[tokio::test]
async fn without_scripts_an_empty_month_says_so_and_leads_to_the_next_event() {
    let app = TestApp::start();
    for path in ["/", "/calendar", "/embed"] {
        let html = app.visitor().get(path).await.text();
        assert!(html.contains("No events scheduled this month") && !html.contains("href=\"/events/"), "{path}: {html}");
    }
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    // Years ahead, outside the days in the initial data, and without a venue.
    let event = with(in_person_event("Walk", &[speaker]), "/location", Value::Null);
    assert_eq!(admin.post("/api/events", event).await.status, 201);
    for path in ["/", "/calendar", "/embed"] {
        let html = app.visitor().get(path).await.text();
        let body = html.split_once("<div id=\"root\">").unwrap().1.split_once("<script").unwrap().0;
        assert!(body.contains("Walk") && body.contains("2031-03"), "{path}: {body}");
        assert!(!body.contains("Register Now"), "in-person events have no registration: {path}");
    }
}

#[tokio::test]
async fn without_scripts_each_empty_month_leads_to_the_next_or_last_event_of_the_type_shown() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    for (title, date, kind) in [
        ("First", "2030-09-09", "Special"),
        ("Second", "2031-03-22", "Physician on FIRE"),
        ("Last", "2031-03-23", "Special"),
    ] {
        let event = with(online_event(title, &[speaker]), "/event/date", json!(date));
        let event = with(event, "/event/type", json!(kind));
        assert_eq!(admin.post("/api/events", event).await.status, 201);
    }
    let body = async |path: &str| {
        let html = app.visitor().get(path).await.text();
        html.split_once("<div id=\"root\">").unwrap().1.split_once("<script").unwrap().0.to_owned()
    };
    for (path, next) in [
        ("/calendar?month=2030-05", Some(("First", "month=2030-09"))),
        ("/?month=2001-01", Some(("First", "month=2030-09"))),
        ("/calendar?month=2030-08", Some(("First", "month=2030-09"))),
        ("/calendar?month=2030-10", Some(("Second", "month=2031-03"))),
        (
            "/calendar?type=Physician+on+FIRE&month=2029-01",
            Some(("Second", "type=Physician+on+FIRE&amp;month=2031-03")),
        ),
        (
            "/calendar?type=Physician+on+FIRE&month=2030-09",
            Some(("Second", "type=Physician+on+FIRE&amp;month=2031-03")),
        ),
        ("/embed?type=physician-on-fire&month=2029-01", Some(("Second", "type=physician-on-fire&amp;month=2031-03"))),
        // The home page has no filter.
        ("/?type=Physician+on+FIRE&month=2029-01", Some(("First", "month=2030-09"))),
        ("/calendar?month=2031-04", None),
        ("/calendar?type=IRA-Related+Webinars&month=2029-01", None),
    ] {
        let body = body(path).await;
        assert!(body.contains("No events scheduled this month"), "{path}: {body}");
        assert_eq!(body.contains("Next event: "), next.is_some(), "{path}: {body}");
        let Some((title, url)) = next else { continue };
        let link = body.split("<a ").find(|link| link.contains("Next event: ")).unwrap();
        assert!(link.contains(title) && link.contains(url), "{path}: {link}");
    }

    // After the last one, it leads back to that.
    for (path, last) in [
        ("/calendar?month=2031-04", Some(("Last", "month=2031-03"))),
        ("/?month=2040-01", Some(("Last", "month=2031-03"))),
        (
            "/calendar?type=Physician+on+FIRE&month=2040-01",
            Some(("Second", "type=Physician+on+FIRE&amp;month=2031-03")),
        ),
        ("/embed?type=physician-on-fire&month=2040-01", Some(("Second", "type=physician-on-fire&amp;month=2031-03"))),
        ("/calendar?month=2030-10", None),
        ("/calendar?type=IRA-Related+Webinars&month=2040-01", None),
    ] {
        let body = body(path).await;
        assert_eq!(body.contains("Last event: "), last.is_some(), "{path}: {body}");
        let Some((title, url)) = last else { continue };
        assert!(!body.contains("Next event: "), "{path}: {body}");
        let link = body.split("<a ").find(|link| link.contains("Last event: ")).unwrap();
        assert!(link.contains(title) && link.contains(url), "{path}: {link}");
    }

    let data = async |path: &str| initial_data(&app.visitor().get(path).await.text())["home"]["nearestEvent"].clone();
    assert_eq!(data("/calendar?month=2030-09").await, Value::Null, "a month with events leads nowhere");
    assert_eq!(data("/calendar?month=2030-08").await, Value::Null, "the next month is in the page");
    assert_eq!(data("/calendar?month=2030-05").await["event"]["title"], "First");
    // Each content has one response: an edit changes the link.
    admin.delete("/api/events/1").await;
    assert_eq!(data("/calendar?month=2030-05").await["event"]["title"], "Second");
}

#[tokio::test]
async fn an_empty_month_of_the_past_leads_to_the_next_event_from_now_on() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let soon = Utc::now() + chrono::TimeDelta::hours(2);
    let later = soon + chrono::TimeDelta::days(90);
    let in_utc =
        |start: chrono::DateTime<Utc>| (start.format("%Y-%m-%d").to_string(), start.format("%H:%M").to_string());
    for (title, (date, time), kind) in [
        ("Over", ("2020-05-05".to_owned(), "12:00".to_owned()), "Special"),
        ("Soon", in_utc(soon), "Special"),
        ("Later", in_utc(later), "Physician on FIRE"),
    ] {
        let event = with(online_event(title, &[speaker]), "/event/date", json!(date));
        let event = with(with(event, "/event/time", json!(time)), "/event/timezone", json!("UTC"));
        assert_eq!(admin.post("/api/events", with(event, "/event/type", json!(kind))).await.status, 201);
    }
    let link = async |path: &str| {
        let html = app.visitor().get(path).await.text();
        let body = html.split_once("<div id=\"root\">").unwrap().1.split_once("<script").unwrap().0;
        let link = body.split("<a ").find(|link| link.contains(" event: ")).unwrap_or_default();
        link.split_once('>').unwrap_or_default().1.split_once(',').unwrap_or_default().0.to_owned()
    };
    for path in ["/?month=2000-01", "/calendar?month=2020-04", "/calendar?month=2020-06", "/embed?month=2021-01"] {
        assert_eq!(link(path).await, "Next event: Soon", "{path}");
    }
    assert_eq!(link("/calendar?type=Physician+on+FIRE&month=2020-05").await, "Next event: Later");

    app.clock.advance(3 * 60 * 60);
    assert_eq!(link("/calendar?month=2020-04").await, "Next event: Later");
    assert_eq!(link("/calendar?type=Special&month=2019-05").await, "Last event: Soon");
    app.clock.advance(100 * 24 * 60 * 60);
    assert_eq!(link("/calendar?month=2020-04").await, "Last event: Later");
}

#[tokio::test]
async fn without_scripts_a_day_in_the_url_of_a_month_is_ignored() {
    let app = TestApp::start();
    let this_month = app.visitor().get("/calendar").await.text();
    for query in ["day=2030-12-09", "view=list&day=2030-12-09", "view=week&month=2030-12"] {
        let html = app.visitor().get(&format!("/calendar?{query}")).await.text();
        assert!(html.contains("No events scheduled this month") && !html.contains("Loading events"), "{query}");
        assert_eq!(initial_data(&html)["home"]["window"], initial_data(&this_month)["home"]["window"], "{query}");
    }
}

#[tokio::test]
async fn concurrent_searches_are_served_or_rejected_with_503() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_online_event(&admin).await;
    let search = async |at: usize| app.visitor().get(&format!("/search?q=rent+{at}")).await;
    for response in futures_util::future::join_all((0..40).map(search)).await {
        match response.status.as_u16() {
            200 => assert_eq!(initial_data(&response.text())["page"], "search"),
            503 => assert!(response.text().contains("The server is busy")),
            other => panic!("{other}"),
        }
    }
    assert_eq!(search(99).await.status, 200);
}

#[tokio::test]
async fn without_scripts_no_page_is_blank() {
    let app = TestApp::start();
    for (path, text) in [
        ("/nothing", ">Page not found</h1>"),
        ("/events/9", ">Page not found</h1>"),
        ("/admin/login", "<h1>Admin Login</h1><p>Signing in requires JavaScript"),
        ("/admin", "<h1>Admin Portal</h1><p>Signing in requires JavaScript"),
    ] {
        let html = app.visitor().get(path).await.text();
        assert!(html.contains(text) && html.contains("href=\"/\">Back to Events</a>"), "{path}: {html}");
    }
}

#[tokio::test]
async fn a_trailing_slash_redirects_to_the_page() {
    let app = TestApp::start();
    for page in ["/calendar", "/admin", "/admin/login"] {
        let response = app.visitor().get(&format!("{page}/")).await;
        assert_eq!((response.status.as_u16(), response.header("location")), (308, page.to_owned()));
    }
    assert_eq!(app.visitor().get("//example.com/").await.status, 404);
}

#[tokio::test]
async fn the_policy_allows_the_maps_script_only_in_the_portal_and_with_a_key() {
    let mut config = Config::default();
    let policy = async |app: &TestApp, path: &str| app.visitor().get(path).await.header("content-security-policy");
    let without = TestApp::start_with(config.clone());
    assert!(!policy(&without, "/admin").await.contains("googleapis"));

    config.places.browser_key = Some("browser-key".to_owned());
    let app = TestApp::start_with(config);
    for path in ["/admin", "/admin?tab=users"] {
        let policy = policy(&app, path).await;
        for part in [
            "script-src 'self' https://maps.googleapis.com https://maps.gstatic.com;",
            "style-src 'self' 'unsafe-inline' https://fonts.googleapis.com;",
            "font-src 'self' https://fonts.gstatic.com;",
            "connect-src 'self' https://maps.googleapis.com https://places.googleapis.com https://maps.gstatic.com;",
            "form-action 'self';",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe-eval") && !policy.contains("sha256"), "{policy}");
        assert_eq!(initial_data(&app.visitor().get(path).await.text())["site"]["mapsBrowserKey"], "browser-key");
    }
    for path in ["/", "/calendar", "/admin/login", "/login-help", "/nowhere"] {
        let policy = policy(&app, path).await;
        assert!(!policy.contains("googleapis") && !policy.contains("unsafe-inline"), "{path}: {policy}");
    }
}

#[tokio::test]
async fn a_server_error_is_a_page_with_the_request_id_for_browsers_and_json_for_others() {
    let mut config = Config::default();
    config.server.trusted_proxies = vec![Network("203.0.113.0/24".parse().unwrap())];
    let app = TestApp::start_with(config);
    let path = "/events/1-reading";
    let browser = app.visitor().with("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let not_found = browser.get(path).await;
    assert_eq!((not_found.status.as_u16(), not_found.text().contains("Request id")), (404, false));
    app.write_as_another_process("DROP VIEW publishable_events", []);

    let failed = browser.clone().with("x-request-id", "proxy-42").get(path).await;

    assert_eq!((failed.status.as_u16(), failed.header("x-request-id").as_str()), (500, "proxy-42"));
    assert_eq!(failed.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(failed.header("cache-control"), "no-store");
    let html = failed.text();
    assert!(html.contains("<title>This page can’t be shown — "), "{html}");
    assert!(html.contains("<p>Something went wrong on our side. Please try again.</p>"), "{html}");
    assert!(html.contains(">Request id: proxy-42</p>") && !html.contains("publishable_events"), "{html}");
    // Without a proxy the server generates the id.
    let own = browser.get(path).await;
    assert!(own.text().contains(&format!(">Request id: {}</p>", own.header("x-request-id"))), "{}", own.text());

    for response in [app.visitor().get(path).await, browser.get("/api/events/1/interest").await] {
        assert_eq!((response.status.as_u16(), response.header("content-type").as_str()), (500, "application/json"));
        assert_eq!(response.error(), "Something went wrong on our side. Please try again.");
    }
}
