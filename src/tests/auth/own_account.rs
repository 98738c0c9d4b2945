//! The admin's own account: a new password, and the end of the other sessions.

use serde_json::{Value, json};

use crate::platform::config::Config;
use crate::tests::support::{ADMIN_EMAIL, ADMIN_PASSWORD, Client, TestApp};

const NEW_PASSWORD: &str = "an even finer one";

fn form(current: &str, new: &str) -> Value {
    json!({ "currentPassword": current, "newPassword": new })
}

async fn status(client: &Client) -> u16 {
    client.get("/api/user").await.status.as_u16()
}

async fn sign_in_status(app: &TestApp, password: &str) -> u16 {
    let credentials = json!({ "email": ADMIN_EMAIL, "password": password });
    app.visitor().post("/api/auth/login", credentials).await.status.as_u16()
}

/// The fields after each logged change of a user.
fn logged(app: &TestApp) -> Vec<String> {
    let storage = app.storage();
    let mut rows = storage.prepare("SELECT who || ' ' || after FROM activity ORDER BY id").unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn a_new_password_requires_the_current_one_and_ends_the_other_sessions() {
    let app = TestApp::start();
    let expired = app.sign_in_admin().await;
    app.clock.advance(13 * 3600);
    let (here, desk, phone) = (app.sign_in_admin().await, app.sign_in_admin().await, app.sign_in_admin().await);
    app.another_admin(&here, "bea@example.com").await;
    let bea = app.sign_in("bea@example.com", ADMIN_PASSWORD).await;

    let changed = here.put("/api/user/password", form(ADMIN_PASSWORD, NEW_PASSWORD)).await;

    assert_eq!((changed.status.as_u16(), changed.json()), (200, json!({ "endedSessions": 2 })), "{}", changed.text());
    assert_eq!(changed.header("cache-control"), "no-store");
    assert_eq!([status(&here).await, status(&bea).await], [200, 200]);
    assert_eq!([status(&desk).await, status(&phone).await, status(&expired).await], [401, 401, 401]);
    assert_eq!([sign_in_status(&app, ADMIN_PASSWORD).await, sign_in_status(&app, NEW_PASSWORD).await], [401, 200]);
    let log = logged(&app);
    assert_eq!(log.last().unwrap(), r#"ada@example.com {"password":"changed","sessions":"2 ended"}"#);
    assert!(!log.concat().contains(NEW_PASSWORD) && !log.concat().contains("argon2"));
    assert_eq!(app.visitor().put("/api/user/password", form(NEW_PASSWORD, ADMIN_PASSWORD)).await.status, 401);
}

#[tokio::test]
async fn the_form_for_a_new_password_is_validated() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let short = "Password must be at least 8 characters";
    let long = "Password must be 128 characters or less";
    let endless = "x".repeat(129);
    for (body, fields) in [
        (json!({}), json!({ "currentPassword": "Password is required", "newPassword": short })),
        (form(ADMIN_PASSWORD, "short"), json!({ "newPassword": short })),
        (form(ADMIN_PASSWORD, "         "), json!({ "newPassword": short })),
        (form(&endless, &endless), json!({ "currentPassword": long, "newPassword": long })),
        (form("wrong password", NEW_PASSWORD), json!({ "currentPassword": "The current password is wrong" })),
    ] {
        let response = admin.put("/api/user/password", body.clone()).await;
        assert_eq!((response.status.as_u16(), response.fields()), (400, fields), "{body}");
    }
    assert_eq!([status(&admin).await, sign_in_status(&app, ADMIN_PASSWORD).await], [200, 200]);
    assert_eq!(app.rows("activity"), 0);
}

#[tokio::test]
async fn wrong_current_passwords_count_as_failed_sign_ins() {
    let mut config = Config::default();
    config.limits.sign_in_burst = 3;
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    for _ in 0..2 {
        assert_eq!(admin.put("/api/user/password", form("wrong password", NEW_PASSWORD)).await.status, 400);
    }
    // A correct one does not count.
    assert_eq!(admin.put("/api/user/password", form(ADMIN_PASSWORD, NEW_PASSWORD)).await.status, 200);
    assert_eq!(admin.put("/api/user/password", form("wrong password", ADMIN_PASSWORD)).await.status, 400);

    let limited = admin.put("/api/user/password", form(NEW_PASSWORD, ADMIN_PASSWORD)).await;

    assert_eq!(limited.status, 429);
    assert!(!limited.header("retry-after").is_empty());
    assert!(limited.error().starts_with("Too many attempts. Please try again in "), "{}", limited.error());
    assert_eq!([sign_in_status(&app, NEW_PASSWORD).await, status(&admin).await], [429, 200]);
}

#[tokio::test]
async fn signing_out_everywhere_ends_all_other_sessions_of_the_user() {
    let app = TestApp::start();
    let (here, desk, phone) = (app.sign_in_admin().await, app.sign_in_admin().await, app.sign_in_admin().await);
    app.another_admin(&here, "bea@example.com").await;
    let bea = app.sign_in("bea@example.com", ADMIN_PASSWORD).await;
    let end = |client: &Client| {
        let client = client.clone();
        async move { client.delete("/api/user/other-sessions").await }
    };
    let forged = end(&here.clone().with("sec-fetch-site", "cross-site").with("origin", "https://evil.example")).await;
    assert_eq!([forged.status.as_u16(), end(&app.visitor()).await.status.as_u16()], [403, 401]);

    let ended = end(&here).await;

    assert_eq!((ended.status.as_u16(), ended.json()), (200, json!({ "endedSessions": 2 })));
    assert_eq!([status(&here).await, status(&bea).await], [200, 200]);
    assert_eq!([status(&desk).await, status(&phone).await], [401, 401]);
    assert_eq!(logged(&app).last().unwrap(), r#"ada@example.com {"sessions":"2 ended"}"#);
    let entries = app.rows("activity");
    assert_eq!(end(&here).await.json(), json!({ "endedSessions": 0 }));
    assert_eq!(app.rows("activity"), entries, "nothing was changed");
}
