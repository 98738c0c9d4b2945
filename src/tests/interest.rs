//! Interest in events: once per visitor, with a count that equals the number of rows.

use chrono::{TimeZone as _, Utc};
use serde_json::{Value, json};

use super::pages::initial_data;
use super::support::{Client, TestApp, TestResponse};
use crate::platform::config::Config;

fn interest(action: &str, visitor: &str) -> Value {
    json!({ "action": action, "userId": visitor })
}

/// An app with one in-person event, and the path of its interest.
async fn an_app() -> (TestApp, String) {
    let mut config = Config::default();
    config.limits.visitor_burst = 0;
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    (app, format!("/api/events/{id}/interest"))
}

fn stored(app: &TestApp) -> (i64, i64) {
    let sql =
        "SELECT (SELECT coalesce(sum(count), 0) FROM event_interests), (SELECT count(*) FROM user_event_interests)";
    app.storage().query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

#[tokio::test]
async fn a_visitor_adds_and_removes_interest() {
    let (app, path) = an_app().await;
    let visitor = app.visitor();
    assert_eq!(visitor.get(&path).await.json(), json!({ "count": 0, "hasInterest": false }));

    let added = visitor.put(&path, interest("add", "user_1_abc")).await;
    assert_eq!(added.status, 200);
    assert_eq!(added.json(), json!({ "count": 1, "hasInterest": true }));
    assert_eq!(added.header("cache-control"), "no-store");
    let mine = visitor.get(&format!("{path}?userId=user_1_abc")).await.json();
    assert_eq!(mine, json!({ "count": 1, "hasInterest": true }));
    let theirs = visitor.get(&format!("{path}?userId=user_2_def")).await.json();
    assert_eq!(theirs, json!({ "count": 1, "hasInterest": false }));

    let removed = visitor.put(&path, interest("remove", "user_1_abc")).await;
    assert_eq!(removed.json(), json!({ "count": 0, "hasInterest": false }));
    assert_eq!(stored(&app), (0, 0));
}

#[tokio::test]
async fn repeating_an_action_changes_nothing() {
    let (app, path) = an_app().await;
    for _ in 0..3 {
        let response = app.visitor().put(&path, interest("add", "user_1_abc")).await;
        assert_eq!(response.json(), json!({ "count": 1, "hasInterest": true }));
    }
    assert_eq!(app.visitor().put(&path, interest("add", "  user_1_abc ")).await.json()["count"], 1);
    for _ in 0..3 {
        let response = app.visitor().put(&path, interest("remove", "user_1_abc")).await;
        assert_eq!(response.json(), json!({ "count": 0, "hasInterest": false }));
    }
    assert_eq!(app.visitor().put(&path, interest("remove", "user_9_never")).await.json()["count"], 0);
    assert_eq!(stored(&app), (0, 0));
}

#[tokio::test]
async fn a_browser_is_counted_once_by_its_cookie() {
    let (app, path) = an_app().await;
    let mut browser = app.visitor();

    let first = browser.send("POST", &path, None).await;
    assert_eq!(first.status, 200);
    assert_eq!(first.json(), json!({ "count": 1, "hasInterest": true }));
    let cookie = first.header("set-cookie");
    assert!(cookie.starts_with("visitor=user_"), "{cookie}");
    for part in ["Path=/", "SameSite=Lax", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    // The page reads and writes it, and this site uses http.
    assert!(!cookie.contains("HttpOnly") && !cookie.contains("Secure"), "{cookie}");

    browser.keep_cookies(&first);
    let again = browser.send("POST", &path, None).await;
    assert_eq!(again.json()["count"], 1);
    assert_eq!(again.header("set-cookie"), "");
    assert_eq!(browser.get(&path).await.json(), json!({ "count": 1, "hasInterest": true }));

    // The home page sends the same id in the body, so it is the same visitor.
    let id = browser.cookie("visitor");
    assert_eq!(app.visitor().put(&path, interest("add", &id)).await.json()["count"], 1);
    assert_eq!(app.visitor().put(&path, interest("remove", &id)).await.json()["count"], 0);
    // Another browser is another visitor.
    assert_eq!(app.visitor().send("POST", &path, None).await.json()["count"], 1);
}

#[tokio::test]
async fn an_invalid_visitor_cookie_is_replaced() {
    let (app, path) = an_app().await;
    for broken in ["", "a b", "<script>", "%00", &"x".repeat(129)] {
        let response = app.visitor().with_cookie("visitor", broken).send("POST", &path, None).await;
        assert_eq!(response.status, 200, "{broken}");
        assert!(response.header("set-cookie").starts_with("visitor=user_"), "{broken}");
    }
    let longest = "x".repeat(128);
    let response = app.visitor().with_cookie("visitor", &longest).send("POST", &path, None).await;
    assert_eq!(response.header("set-cookie"), "");
    assert_eq!(stored(&app), (6, 6));
}

#[tokio::test]
async fn over_https_the_visitor_cookie_is_secure() {
    let mut config = Config::default();
    config.server.base_url = Some("https://events.example.com".parse().unwrap());
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    let response = app.visitor().send("POST", &format!("/api/events/{id}/interest"), None).await;
    assert!(response.header("set-cookie").contains("Secure"));
}

#[tokio::test]
async fn missing_and_too_long_fields_are_named() {
    let (app, path) = an_app().await;
    let action = "Action must be 'add' or 'remove'";
    let (missing, too_long) = ("A visitor id is required", "The visitor id must be 128 characters or less");
    for (body, fields) in [
        (json!({}), json!({ "action": action, "userId": missing })),
        (json!({ "action": "ADD", "userId": "u" }), json!({ "action": action })),
        (json!({ "action": null, "userId": "u" }), json!({ "action": action })),
        (interest("add", "  "), json!({ "userId": missing })),
        (interest("remove", &"😀".repeat(129)), json!({ "userId": too_long })),
    ] {
        let response = app.visitor().put(&path, body.clone()).await;
        assert_eq!((response.status.as_u16(), response.fields()), (400, fields), "{body}");
    }
    assert_eq!(app.visitor().put(&path, interest("add", &"😀".repeat(128))).await.status, 200);
    let response = app.visitor().get(&format!("{path}?userId={}", "x".repeat(129))).await;
    assert_eq!(response.field("userId"), too_long);
    assert_eq!(stored(&app), (1, 1));
}

#[tokio::test]
async fn only_existing_in_person_events_have_interest() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let online = app.an_online_event(&admin).await;
    for (event, status, error) in [
        (online.to_string(), 400, "Interest can be shown in in-person events only"),
        ("999".to_owned(), 404, "Event not found"),
        ("abc".to_owned(), 400, "The id in the URL must be a whole number"),
    ] {
        let path = format!("/api/events/{event}/interest");
        let visitor = app.visitor();
        for response in [
            visitor.get(&path).await,
            visitor.put(&path, interest("add", "user_1_abc")).await,
            visitor.put(&path, interest("remove", "user_1_abc")).await,
            visitor.send("POST", &path, None).await,
        ] {
            assert_eq!((response.status.as_u16(), response.error().as_str()), (status, error));
            assert_eq!(response.header("set-cookie"), "");
        }
    }
    assert_eq!(stored(&app), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_concurrent_requests_the_count_is_the_number_of_visitors() {
    let (app, path) = an_app().await;
    let mut tasks = Vec::new();
    for task in 0..50 {
        let (visitor, path): (Client, String) = (app.visitor(), path.clone());
        tasks.push(tokio::spawn(async move {
            // Fifteen visitors, whom several tasks add and remove concurrently.
            for step in 0..6 {
                let action = if (task + step) % 3 == 0 { "remove" } else { "add" };
                let response: TestResponse =
                    visitor.put(&path, interest(action, &format!("user_{}", (task * 7 + step) % 15))).await;
                assert_eq!(response.status, 200, "{}", response.text());
                assert_eq!(response.json()["hasInterest"], action == "add");
            }
            // And a separate one, who stays.
            visitor.put(&path, interest("add", &format!("own_{task}"))).await;
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }

    let (count, rows) = stored(&app);
    assert_eq!(count, rows);
    assert!((50..=65).contains(&rows), "{rows}");
    assert_eq!(app.visitor().get(&path).await.json()["count"], rows);
}

#[tokio::test]
async fn after_the_event_visitors_can_be_removed_but_not_added() {
    let (app, path) = an_app().await;
    let visitor = app.visitor().with_cookie("visitor", "user_1_abc");
    assert_eq!(visitor.put(&path, interest("add", "user_1_abc")).await.status, 200);
    let end = Utc.with_ymd_and_hms(2031, 3, 13, 0, 0, 0).unwrap();
    app.clock.advance((end - app.clock.now()).num_seconds() - 60);
    assert_eq!(visitor.put(&path, interest("add", "user_2_def")).await.status, 200);
    app.clock.advance(61);

    for response in [
        visitor.put(&path, interest("add", "user_3_ghi")).await,
        app.visitor().send("POST", &path, None).await,
        submit(&app.visitor(), &attendance_path(&app).await, "action=add").await,
    ] {
        assert_eq!(response.status, 409);
        assert!(response.text().contains("This event is over"), "{}", response.text());
        assert_eq!(response.header("set-cookie"), "");
    }
    let removed = visitor.put(&path, interest("remove", "user_2_def")).await;
    assert_eq!(removed.json(), json!({ "count": 1, "hasInterest": false }));
    assert_eq!(submit(&visitor, &attendance_path(&app).await, "action=remove").await.status, 303);
    assert_eq!(stored(&app), (0, 0));
}

/// The path of the attendance page of the first event.
async fn attendance_path(app: &TestApp) -> String {
    let events = app.visitor().get("/api/events").await.json();
    format!("{}/attendance", events[0]["path"].as_str().unwrap())
}

/// Submits a form as a browser does.
async fn submit(visitor: &Client, path: &str, form: &str) -> TestResponse {
    let form_client = visitor.clone().with("content-type", "application/x-www-form-urlencoded");
    form_client.send("POST", path, Some(form.to_owned())).await
}

#[tokio::test]
async fn without_scripts_a_visitor_attends_by_a_form_and_changes_their_mind() {
    let (app, api) = an_app().await;
    let path = attendance_path(&app).await;
    let mut browser = app.visitor().with("sec-fetch-site", "same-origin").with("origin", "http://127.0.0.1:8080");

    let added = submit(&browser, &path, "action=add").await;
    assert_eq!((added.status.as_u16(), added.header("location")), (303, path.clone()));
    let cookie = added.header("set-cookie");
    assert!(cookie.starts_with("visitor=user_") && cookie.contains("SameSite=Lax"), "{cookie}");
    browser.keep_cookies(&added);

    let page = browser.get(&path).await;
    assert_eq!((page.status.as_u16(), page.header("cache-control").as_str()), (200, "private, no-store"));
    let html = page.text();
    assert!(html.contains("<b class=\"attending-count__number\">1</b> investor attending"), "{html}");
    assert!(html.contains("value=\"remove\" name=\"action\">Can&#x27;t Attend</button>"), "{html}");
    assert!(html.contains("name=\"robots\" content=\"noindex\""), "{html}");
    let data = initial_data(&html);
    assert_eq!(data["interest"], json!({ "count": 1, "hasInterest": true, "problem": null }));
    // A script that adopts the cookie's id sees the same.
    let id = browser.cookie("visitor");
    assert_eq!(app.visitor().get(&format!("{api}?userId={id}")).await.json()["hasInterest"], true);
    // The cached page is the same for every visitor.
    let event_page = browser.get(path.trim_end_matches("/attendance")).await.text();
    assert!(event_page.contains("value=\"add\" name=\"action\">Planning to Attend</button>"), "{event_page}");
    assert!(event_page.contains(&format!("action=\"{path}\" method=\"post\"")), "{event_page}");

    let again = submit(&browser, &path, "action=add").await;
    assert_eq!((again.status.as_u16(), again.header("set-cookie").as_str()), (303, ""));
    assert_eq!(submit(&browser, &path, "action=remove").await.status, 303);
    let html = browser.get(&path).await.text();
    assert!(html.contains("<b class=\"attending-count__number\">0</b> investors attending"), "{html}");
    assert!(html.contains("value=\"add\" name=\"action\">Planning to Attend</button>"), "{html}");
    assert_eq!(stored(&app), (0, 0));
}

#[tokio::test]
async fn the_attendance_page_says_why_a_form_was_rejected() {
    let mut config = Config::default();
    config.limits.visitor_burst = 1;
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    let path = attendance_path(&app).await;
    assert_eq!(submit(&app.visitor(), &path, "action=add").await.status, 303);

    let limited = submit(&app.visitor(), &path, "action=add").await;
    assert_eq!(limited.status, 429);
    assert!(!limited.header("retry-after").is_empty());
    assert_eq!(limited.header("cache-control"), "private, no-store");
    assert!(limited.text().contains("role=\"alert\">Too many attempts. Please try again in "), "{}", limited.text());
    for form in ["", "action=ADD", "other=add"] {
        let response = submit(&app.visitor(), &path, form).await;
        assert_eq!(response.status, 400, "{form}");
        assert!(
            response.text().contains("Action must be &#x27;add&#x27; or &#x27;remove&#x27;"),
            "{}",
            response.text()
        );
    }
    assert_eq!(stored(&app), (1, 1));

    // Neither a request of another site nor another content type.
    let forged = app.visitor().with("sec-fetch-site", "cross-site").with("origin", "https://evil.example");
    assert_eq!(submit(&forged, &path, "action=add").await.status, 403);
    assert_eq!(app.visitor().post(&path, json!({ "action": "add" })).await.status, 415);
    assert_eq!(submit(&app.visitor(), &path, &"x".repeat(5000)).await.status, 413);
    assert_eq!(app.visitor().delete(&path).await.status, 405);
}

#[tokio::test]
async fn an_attendance_page_has_the_canonical_url_of_a_public_in_person_event() {
    let (app, _) = an_app().await;
    let path = attendance_path(&app).await;
    let id = path.trim_start_matches("/events/").split('-').next().unwrap().to_owned();
    let short = app.visitor().get(&format!("/events/{id}/attendance")).await;
    assert_eq!((short.status.as_u16(), short.header("location")), (308, path));
    let added = submit(&app.visitor(), &format!("/events/{id}-old-title/attendance"), "action=add").await;
    assert_eq!((added.status.as_u16(), stored(&app)), (303, (1, 1)));
    for unknown in ["/events/999/attendance", "/events/x/attendance", "/events/%FF/attendance"] {
        for response in [app.visitor().get(unknown).await, submit(&app.visitor(), unknown, "action=add").await] {
            assert_eq!(response.status, 404, "{unknown}");
            assert!(response.text().contains("Page not found"), "{unknown}");
        }
    }

    let admin = app.sign_in_admin().await;
    let online = app.an_online_event(&admin).await;
    let events = app.visitor().get("/api/events").await.json();
    let event = events.as_array().unwrap().iter().find(|event| event["id"] == online).unwrap();
    let path = format!("{}/attendance", event["path"].as_str().unwrap());
    for response in [app.visitor().get(&path).await, submit(&app.visitor(), &path, "action=add").await] {
        assert_eq!(response.status, 400);
        assert!(response.text().contains("Interest can be shown in in-person events only"), "{}", response.text());
    }
}

#[tokio::test]
async fn admins_read_the_counts_of_all_events_and_the_history_of_one() {
    let (app, path) = an_app().await;
    let admin = app.sign_in_admin().await;
    let days = path.replace("/interest", "/attendance");
    assert_eq!(admin.get("/api/attendance").await.json(), json!([]));
    assert_eq!(admin.get(&days).await.json(), json!([]));
    for visitor in ["user_1_a", "user_1_b", "user_1_c"] {
        app.visitor().put(&path, interest("add", visitor)).await;
    }
    // As if that had been earlier.
    let earlier = |day: &str| {
        app.write_as_another_process("UPDATE event_interests SET updated_at = ?1", [format!("{day}T23:59:59Z")]);
    };
    earlier("2026-01-02");
    app.visitor().put(&path, interest("add", "user_1_d")).await;
    app.visitor().put(&path, interest("add", "user_1_d")).await;
    earlier("2026-01-05");
    app.visitor().put(&path, interest("remove", "user_1_b")).await;
    app.visitor().put(&path, interest("remove", "user_1_a")).await;

    let today = Utc::now().format("%Y-%m-%d").to_string();
    assert_eq!(admin.get("/api/attendance").await.json(), json!([{ "eventId": 1, "count": 2 }]));
    let day = |day: &str, count: i64| json!({ "day": day, "count": count });
    let history = json!([day("2026-01-02", 3), day("2026-01-05", 4), day(&today, 2)]);
    assert_eq!(admin.get(&days).await.json(), history);
    assert_eq!(app.rows("attendance_days"), 2, "only the first change of a day writes a row");
    for path in ["/api/attendance", &days] {
        assert_eq!(app.visitor().get(path).await.status, 401);
    }
    assert_eq!(admin.get("/api/events/99/attendance").await.status, 404);
    admin.delete("/api/events/1").await;
    earlier("2026-01-08");
    app.write_as_another_process("DELETE FROM events", []);
    assert_eq!(app.rows("attendance_days"), 0);
}
