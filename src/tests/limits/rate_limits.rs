//! The limit of new visitors per address.

use serde_json::json;

use crate::platform::config::Config;
use crate::tests::support::{TestApp, TestResponse};

async fn add(app: &TestApp, path: &str, visitor: &str) -> TestResponse {
    app.visitor().put(path, json!({ "action": "add", "userId": visitor })).await
}

async fn an_app(burst: u32) -> (TestApp, String, String) {
    let mut config = Config::default();
    config.limits.visitor_burst = burst;
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    let (one, other) = (app.an_in_person_event(&admin).await, app.an_in_person_event(&admin).await);
    (app, format!("/api/events/{one}/interest"), format!("/api/events/{other}/interest"))
}

#[tokio::test]
async fn a_hundred_visitors_may_share_an_address() {
    let (app, path, _) = an_app(Config::default().limits.visitor_burst).await;
    let mut limited = None;
    // More than a hundred, because a token is refilled every second.
    for number in 0..140 {
        let response = add(&app, &path, &format!("user_{number}")).await;
        if response.status == 429 {
            limited = Some((number, response));
            break;
        }
        assert_eq!(response.status, 200, "{number}: {}", response.text());
    }
    let (number, response) = limited.expect("the limit was reached");
    assert!(number >= 100, "{number}");
    assert!((1..=2).contains(&response.header("retry-after").parse::<u64>().unwrap()));
    assert!(response.error().contains("try again"), "{}", response.error());
    assert_eq!(app.rows("user_event_interests"), number);

    // Other addresses are not limited.
    let elsewhere = app.visitor().at([198, 51, 100, 1]);
    assert_eq!(elsewhere.send("POST", &path, None).await.status, 200);
}

#[tokio::test]
async fn a_known_visitor_is_not_limited() {
    let (app, path, other) = an_app(1).await;
    assert_eq!(add(&app, &path, "user_known").await.status, 200);
    assert_eq!(add(&app, &path, "user_new").await.status, 429);
    let cookie = app.visitor().send("POST", &path, None).await;
    assert_eq!((cookie.status.as_u16(), cookie.header("set-cookie")), (429, String::new()));

    // The same visitor again, for another event, and by the cookie.
    for path in [&path, &other] {
        assert_eq!(add(&app, path, "user_known").await.status, 200);
        let browser = app.visitor().with_cookie("visitor", "user_known");
        assert_eq!(browser.send("POST", path, None).await.status, 200);
        assert_eq!(browser.get(path).await.json()["hasInterest"], true);
    }
}

#[tokio::test]
async fn a_visitor_may_add_and_remove_interest_any_number_of_times() {
    let (app, path, _) = an_app(1).await;
    for round in 0..5 {
        assert_eq!(add(&app, &path, "user_known").await.status, 200, "{round}");
        let back = json!({ "action": "remove", "userId": "user_known" });
        assert_eq!(app.visitor().put(&path, back).await.json()["count"], 0, "{round}");
    }
}

#[tokio::test]
async fn removing_interest_is_not_limited() {
    let (app, path, _) = an_app(1).await;
    add(&app, &path, "user_known").await;
    for number in 0..5 {
        let back = json!({ "action": "remove", "userId": format!("user_{number}") });
        assert_eq!(app.visitor().put(&path, back).await.status, 200);
    }
}

#[tokio::test]
async fn a_burst_of_zero_turns_the_limit_off() {
    let (app, path, _) = an_app(0).await;
    for number in 0..120 {
        assert_eq!(add(&app, &path, &format!("user_{number}")).await.status, 200, "{number}");
    }
}

#[tokio::test]
async fn a_rejected_request_uses_no_token() {
    let (app, path, _) = an_app(1).await;
    assert_eq!(add(&app, "/api/events/4711/interest", "user_first").await.status, 404);
    assert_eq!(add(&app, &path, "user_second").await.status, 200);
}
