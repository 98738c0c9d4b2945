//! How a session ends: sign-out, expiry, a deleted user, a new password.

use serde_json::json;

use crate::platform::config::Config;
use crate::tests::support::{ADMIN_EMAIL, ADMIN_PASSWORD, Client, TestApp};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

async fn is_signed_in(client: &Client) -> bool {
    match client.get("/api/user").await.status.as_u16() {
        200 => true,
        401 => false,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_signed_out_cookie_is_rejected() {
    let app = TestApp::start();
    let mut client = app.sign_in_admin().await;
    let copy = client.clone();

    let response = client.send("POST", "/api/auth/logout", None).await;
    assert_eq!((response.status.as_u16(), response.json()), (200, json!({ "message": "Logged out" })));
    for name in ["lectern_session", "lectern_signed_in"] {
        let cookie = response.set_cookie(name);
        assert!(cookie.contains("Max-Age=0"), "{cookie}");
    }
    client.keep_cookies(&response);

    assert!(!is_signed_in(&client).await);
    assert!(!is_signed_in(&copy).await);
    assert_eq!(app.rows("sessions"), 0);
}

#[tokio::test]
async fn signing_out_without_a_session_succeeds() {
    let app = TestApp::start();
    for client in [
        app.visitor(),
        app.visitor().with_cookie("lectern_session", "nonsense"),
        app.visitor().with_cookie("lectern_session", &"B".repeat(43)),
    ] {
        let response = client.send("POST", "/api/auth/logout", None).await;
        assert_eq!((response.status.as_u16(), response.json()), (200, json!({ "message": "Logged out" })));
    }
}

#[tokio::test]
async fn signing_out_leaves_other_devices_signed_in() {
    let app = TestApp::start();
    let (desk, phone) = (app.sign_in_admin().await, app.sign_in_admin().await);
    desk.send("POST", "/api/auth/logout", None).await;
    assert!(!is_signed_in(&desk).await);
    assert!(is_signed_in(&phone).await);
}

#[tokio::test]
async fn a_session_ends_after_twelve_idle_hours() {
    let app = TestApp::start();
    let client = app.sign_in_admin().await;
    // Requests at intervals of eleven hours keep it alive.
    for _ in 0..5 {
        app.clock.advance(11 * HOUR);
        assert!(is_signed_in(&client).await);
    }
    app.clock.advance(12 * HOUR + 60);
    assert!(!is_signed_in(&client).await);
    assert_eq!(app.rows("sessions"), 0);
}

#[tokio::test]
async fn an_active_session_ends_after_a_week() {
    let app = TestApp::start();
    let client = app.sign_in_admin().await;
    for _ in 0..7 * 3 {
        app.clock.advance(8 * HOUR - 60);
        assert!(is_signed_in(&client).await);
    }
    app.clock.advance(HOUR);
    assert!(!is_signed_in(&client).await);
}

#[tokio::test]
async fn session_lifetimes_are_configurable() {
    let mut config = Config::default();
    (config.auth.session_idle_hours, config.auth.session_max_days) = (48, 2);
    let app = TestApp::start_with(config);
    let client = app.sign_in_admin().await;
    app.clock.advance(2 * DAY - 60);
    assert!(is_signed_in(&client).await);
    app.clock.advance(120);
    assert!(!is_signed_in(&client).await);
}

#[tokio::test]
async fn a_clock_set_back_revives_no_session() {
    let app = TestApp::start();
    app.clock.advance(30 * DAY);
    let client = app.sign_in_admin().await;
    app.clock.advance(-30 * DAY);
    assert!(!is_signed_in(&client).await);
}

#[tokio::test]
async fn last_use_of_a_session_is_not_written_at_every_request() {
    let app = TestApp::start();
    let client = app.sign_in_admin().await;
    let seen =
        || -> String { app.storage().query_row("SELECT last_seen_at FROM sessions", [], |row| row.get(0)).unwrap() };
    let first = seen();
    app.clock.advance(4 * 60);
    assert!(is_signed_in(&client).await);
    assert_eq!(seen(), first);
    app.clock.advance(2 * 60);
    assert!(is_signed_in(&client).await);
    assert_ne!(seen(), first);
}

#[tokio::test]
async fn deleting_a_user_ends_all_of_its_sessions_immediately() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.another_admin(&admin, "bea@example.com").await;
    let desk = app.sign_in("bea@example.com", ADMIN_PASSWORD).await;
    let phone = app.sign_in("bea@example.com", ADMIN_PASSWORD).await;

    assert_eq!(admin.delete(&format!("/api/users/{id}")).await.status, 204);

    assert!(!is_signed_in(&desk).await && !is_signed_in(&phone).await);
    assert!(is_signed_in(&admin).await);
    assert_eq!(app.rows("sessions"), 1);
    let again = json!({ "email": "bea@example.com", "password": ADMIN_PASSWORD });
    assert_eq!(app.visitor().post("/api/auth/login", again).await.status, 401);
}

#[tokio::test]
async fn a_password_changed_by_another_admin_ends_all_sessions_of_the_user() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.another_admin(&admin, "bea@example.com").await;
    let bea = app.sign_in("bea@example.com", ADMIN_PASSWORD).await;
    let path = format!("/api/users/{id}");

    // A new address alone ends nothing.
    assert_eq!(admin.put(&path, json!({ "email": "beate@example.com" })).await.status, 200);
    assert!(is_signed_in(&bea).await);

    let changed = json!({ "email": "beate@example.com", "password": "another password" });
    assert_eq!(admin.put(&path, changed.clone()).await.status, 200);
    assert!(!is_signed_in(&bea).await);
    assert!(is_signed_in(&admin).await);
    let old = json!({ "email": "beate@example.com", "password": ADMIN_PASSWORD });
    assert_eq!(app.visitor().post("/api/auth/login", old).await.status, 401);
    assert_eq!(app.visitor().post("/api/auth/login", changed).await.status, 200);
}

#[tokio::test]
async fn changing_the_own_password_ends_all_other_sessions() {
    let app = TestApp::start();
    let (here, elsewhere) = (app.sign_in_admin().await, app.sign_in_admin().await);
    let id = here.get("/api/user").await.json()["id"].clone();
    let changed = json!({ "email": ADMIN_EMAIL, "password": "another password" });
    assert_eq!(here.put(&format!("/api/users/{id}"), changed).await.status, 200);
    assert!(is_signed_in(&here).await);
    assert!(!is_signed_in(&elsewhere).await);
}
