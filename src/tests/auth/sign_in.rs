//! Signing in: the cookie, what is stored, and the response to wrong credentials.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::platform::config::Config;
use crate::tests::support::{ADMIN_EMAIL, ADMIN_PASSWORD, TestApp};

const COOKIE: &str = "lectern_session";

fn form(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

#[tokio::test]
async fn signing_in_returns_the_user() {
    let app = TestApp::start();
    let mut client = app.visitor();
    assert_eq!(client.get("/api/user").await.error(), "Not authenticated");

    let response = client.post("/api/auth/login", form(" ADA@example.com ", ADMIN_PASSWORD)).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.json()["email"], ADMIN_EMAIL);
    assert_eq!(response.header("cache-control"), "no-store");

    client.keep_cookies(&response);
    let user = client.get("/api/user?t=1700000000").await;
    assert_eq!((user.status.as_u16(), user.json()), (200, response.json()));
    assert_eq!(user.header("cache-control"), "no-store");
    assert_eq!(user.header("etag"), "");
}

#[tokio::test]
async fn the_cookie_is_http_only_and_same_site() {
    let app = TestApp::start();
    let response = app.visitor().post("/api/auth/login", form(ADMIN_EMAIL, ADMIN_PASSWORD)).await;
    let cookie = response.set_cookie(COOKIE);
    let (pair, flags) = cookie.split_once("; ").unwrap();
    let (name, secret) = pair.split_once('=').unwrap();
    assert_eq!((name, secret.len()), (COOKIE, 43));
    let mut flags: Vec<&str> = flags.split("; ").collect();
    flags.sort_unstable();
    assert_eq!(flags, ["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Strict"]);
    // The cookie for scripts contains only that there is a session.
    assert!(response.set_cookie("lectern_signed_in").starts_with("lectern_signed_in=1;"));
}

#[tokio::test]
async fn over_https_the_cookie_has_the_host_prefix() {
    let mut config = Config::default();
    config.server.base_url = Some("https://events.example.com".parse().unwrap());
    let app = TestApp::start_with(config);
    let client = app.sign_in_admin().await;
    let response = client.post("/api/auth/login", form(ADMIN_EMAIL, ADMIN_PASSWORD)).await;
    let cookie = response.set_cookie("__Host-lectern_session");
    assert!(cookie.starts_with("__Host-lectern_session="), "{cookie}");
    assert!(cookie.contains("Secure") && cookie.contains("Path=/") && !cookie.contains("Domain"), "{cookie}");

    // A cookie with the name for http, which a subdomain could have set, is ignored.
    let secret = client.cookie("__Host-lectern_session");
    assert_eq!(app.visitor().with_cookie(COOKIE, &secret).get("/api/user").await.status, 401);
    let gone = client.send("POST", "/api/auth/logout", None).await.set_cookie("__Host-lectern_session");
    assert!(gone.contains("Secure") && gone.contains("Max-Age=0"), "{gone}");
}

#[tokio::test]
async fn only_a_hash_of_the_session_token_is_stored() {
    let app = TestApp::start();
    let client = app.sign_in_admin().await;
    let secret = client.cookie(COOKIE);
    let stored: Vec<u8> = app.storage().query_row("SELECT token_hash FROM sessions", [], |row| row.get(0)).unwrap();
    assert_eq!(stored, Sha256::digest(secret.as_bytes()).as_slice());

    // Neither the database nor its write-ahead log contains the token or a password.
    let files = std::fs::read_dir(app.database().parent().unwrap()).unwrap();
    let mut checked_bytes = 0;
    for file in files {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        checked_bytes += bytes.len();
        for needle in [secret.as_bytes(), ADMIN_PASSWORD.as_bytes()] {
            assert!(!bytes.windows(needle.len()).any(|part| part == needle));
        }
    }
    assert!(checked_bytes > 0);

    // The stored value is not a valid token.
    let guess = URL_SAFE_NO_PAD.encode(&stored);
    assert_eq!(guess.len(), secret.len());
    assert_eq!(app.visitor().with_cookie(COOKIE, &guess).get("/api/user").await.status, 401);
}

#[tokio::test]
async fn a_session_token_set_by_an_attacker_is_replaced_at_sign_in() {
    let app = TestApp::start();
    let planted = "A".repeat(43);
    let mut victim = app.visitor().with_cookie(COOKIE, &planted);
    let first = victim.post("/api/auth/login", form(ADMIN_EMAIL, ADMIN_PASSWORD)).await;
    victim.keep_cookies(&first);
    assert_ne!(victim.cookie(COOKIE), planted);
    assert_eq!(app.visitor().with_cookie(COOKIE, &planted).get("/api/user").await.status, 401);

    // Signing in again creates a new token and invalidates the old one.
    let old = victim.clone();
    let second = victim.post("/api/auth/login", form(ADMIN_EMAIL, ADMIN_PASSWORD)).await;
    victim.keep_cookies(&second);
    assert_ne!(victim.cookie(COOKIE), old.cookie(COOKIE));
    assert_eq!(old.get("/api/user").await.status, 401);
    assert_eq!(victim.get("/api/user").await.status, 200);
    assert_eq!(app.rows("sessions"), 1);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_email_get_the_same_response() {
    let app = TestApp::start();
    let wrong = app.visitor().post("/api/auth/login", form(ADMIN_EMAIL, "not the password")).await;
    let unknown = app.visitor().post("/api/auth/login", form("nobody@example.com", "not the password")).await;
    assert_eq!((wrong.status.as_u16(), unknown.status.as_u16()), (401, 401));
    assert_eq!(wrong.error(), "Invalid email or password");
    assert_eq!(wrong.body, unknown.body);
    let without_request_id = |mut headers: http::HeaderMap| {
        headers.remove("x-request-id");
        headers
    };
    assert_eq!(without_request_id(wrong.headers.clone()), without_request_id(unknown.headers));
    assert_eq!(wrong.header("set-cookie"), "");
    assert_eq!(app.rows("sessions"), 0);
}

#[tokio::test]
async fn an_unknown_email_takes_as_long_as_a_wrong_password() {
    let app = TestApp::start();
    app.store_password_at_full_cost();
    let (mut wrong, mut unknown) = (Duration::MAX, Duration::MAX);
    for round in 0..4 {
        let start = Instant::now();
        app.visitor().post("/api/auth/login", form(ADMIN_EMAIL, "not the password")).await;
        wrong = wrong.min(start.elapsed());
        let start = Instant::now();
        app.visitor().post("/api/auth/login", form(&format!("nobody{round}@example.com"), "not the password")).await;
        unknown = unknown.min(start.elapsed());
    }
    // The minimum of four on a machine that may be busy; without the dummy hash, an unknown email would be a hundred times
    // faster.
    assert!(unknown < wrong * 20 && wrong < unknown * 20, "{wrong:?} and {unknown:?}");
}

#[tokio::test]
async fn a_password_is_neither_trimmed_nor_truncated() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let password = format!(" {} ", "😀".repeat(126));
    admin.post("/api/users", form("bea@example.com", &password)).await.created_id();

    app.sign_in("bea@example.com", &password).await;
    let mut shorter = password.clone();
    shorter.pop();
    for other in [shorter.as_str(), password.trim(), &password.replace("😀 ", "😁 ")] {
        assert_eq!(app.visitor().post("/api/auth/login", form("bea@example.com", other)).await.status, 401);
    }
}
