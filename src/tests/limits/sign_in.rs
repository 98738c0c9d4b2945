//! The limits of failed sign-ins by address and by account.

use serde_json::{Value, json};

use crate::platform::config::{Config, Network};
use crate::tests::support::{ADMIN_EMAIL, ADMIN_PASSWORD, TestApp, TestResponse};

const HOME: [u8; 4] = [203, 0, 113, 7];

fn form(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

/// A failed attempt from an address, at an unknown account.
async fn fail(app: &TestApp, ip: [u8; 4], number: usize) -> TestResponse {
    let wrong = form(&format!("nobody{number}@example.com"), "wrong password");
    app.visitor().at(ip).post("/api/auth/login", wrong).await
}

fn assert_limited(response: &TestResponse, longest: u64) {
    assert_eq!(response.status, 429, "{}", response.text());
    let wait: u64 = response.header("retry-after").parse().unwrap();
    assert!((1..=longest).contains(&wait), "{wait}");
    assert!(response.error().starts_with("Too many attempts. Please try again in "), "{}", response.error());
    assert_eq!(response.header("set-cookie"), "");
}

#[tokio::test]
async fn after_ten_failed_sign_ins_the_eleventh_waits_a_minute() {
    let app = TestApp::start();
    for number in 0..10 {
        assert_eq!(fail(&app, HOME, number).await.status, 401, "{number}");
    }
    assert_limited(&fail(&app, HOME, 10).await, 61);
    // The right password is delayed too, because an attacker could guess it.
    let right = app.visitor().post("/api/auth/login", form(ADMIN_EMAIL, ADMIN_PASSWORD)).await;
    assert_limited(&right, 61);
    // Other addresses and existing sessions are not limited.
    assert_eq!(fail(&app, [198, 51, 100, 1], 11).await.status, 401);
}

#[tokio::test]
async fn concurrent_sign_ins_do_not_exceed_the_limit() {
    let app = TestApp::start();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..30 {
        let client = app.visitor();
        tasks.spawn(async move {
            let wrong = form(&format!("nobody{number}@example.com"), "wrong password");
            client.post("/api/auth/login", wrong).await.status.as_u16()
        });
    }
    let statuses = tasks.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 10, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 20, "{statuses:?}");
}

#[tokio::test]
async fn a_successful_sign_in_does_not_count() {
    let mut config = Config::default();
    config.limits.sign_in_burst = 2;
    let app = TestApp::start_with(config);
    for _ in 0..4 {
        app.sign_in_admin().await;
    }
    // Neither does an invalid form.
    for _ in 0..4 {
        assert_eq!(app.visitor().post("/api/auth/login", json!({})).await.status, 400);
    }
    assert_eq!(fail(&app, HOME, 0).await.status, 401);
    app.sign_in_admin().await;
    assert_eq!(fail(&app, HOME, 1).await.status, 401);
    assert_limited(&fail(&app, HOME, 2).await, 61);
}

#[tokio::test]
async fn an_account_under_attack_delays_unknown_addresses_but_not_its_owner() {
    let app = TestApp::start();
    app.sign_in_admin().await;
    let guess = |ip: u8, email: &'static str| {
        let client = app.visitor().at([198, 51, 100, ip]);
        async move { client.post("/api/auth/login", form(email, "wrong password")).await }
    };
    // Each from another address, so that no address is limited, and in another case, which is the same account.
    for (ip, email) in (1..).zip(["ada@example.com", "ADA@example.com", "Ada@Example.com", "ada@EXAMPLE.com"]) {
        assert_eq!(guess(ip, email).await.status, 401);
    }
    assert_eq!(guess(5, ADMIN_EMAIL).await.status, 401);
    assert_limited(&guess(6, ADMIN_EMAIL).await, 1);
    let stranger = app.visitor().at([198, 51, 100, 7]).post("/api/auth/login", form(ADMIN_EMAIL, ADMIN_PASSWORD)).await;
    assert_limited(&stranger, 1);
    // Another account is not delayed.
    assert_eq!(guess(8, "nobody@example.com").await.status, 401);
    // The address at which the owner signed in recently is exempt, and a sign-in from there ends the delay.
    app.sign_in_admin().await;
    assert_eq!(guess(9, ADMIN_EMAIL).await.status, 401);
}

#[tokio::test]
async fn an_unknown_account_has_the_same_wait() {
    let mut config = Config::default();
    config.limits.sign_in_burst = 0;
    let app = TestApp::start_with(config);
    for _ in 0..5 {
        assert_eq!(fail(&app, HOME, 0).await.status, 401);
    }
    // Otherwise the delay would reveal which addresses have an account.
    assert_limited(&fail(&app, HOME, 0).await, 1);
}

#[tokio::test]
async fn a_burst_of_zero_turns_the_limit_off() {
    let mut config = Config::default();
    config.limits.sign_in_burst = 0;
    let app = TestApp::start_with(config);
    for number in 0..15 {
        assert_eq!(fail(&app, HOME, number).await.status, 401);
    }
}

#[tokio::test]
async fn only_a_trusted_proxy_may_set_the_client_address() {
    let mut config = Config::default();
    config.limits.sign_in_burst = 1;
    let app = TestApp::start_with(config);
    let stranger = |forwarded: &str| app.visitor().with("x-forwarded-for", forwarded);
    let wrong = |number: usize| form(&format!("nobody{number}@example.com"), "wrong password");
    assert_eq!(stranger("198.51.100.1").post("/api/auth/login", wrong(0)).await.status, 401);
    assert_eq!(stranger("198.51.100.2").post("/api/auth/login", wrong(1)).await.status, 429);

    let mut config = Config::default();
    config.limits.sign_in_burst = 1;
    config.server.trusted_proxies = vec![Network("203.0.113.0/24".parse().unwrap())];
    let app = TestApp::start_with(config);
    let visitor = |forwarded: &str| app.visitor().with("x-forwarded-for", forwarded);
    for (number, (forwarded, status)) in [
        ("198.51.100.1", 401),
        ("198.51.100.2", 401),
        ("198.51.100.1", 429),
        // Entries further left were sent by the client and are not trusted.
        ("198.51.100.77, 198.51.100.2", 429),
        ("198.51.100.3, 203.0.113.50", 401),
        ("198.51.100.3", 429),
        // A household has a whole IPv6 network.
        ("2001:db8:1:2::1", 401),
        ("2001:db8:1:2:ffff::9", 429),
        ("2001:db8:1:3::1", 401),
    ]
    .into_iter()
    .enumerate()
    {
        let response = visitor(forwarded).post("/api/auth/login", wrong(number)).await;
        assert_eq!(response.status, status, "{forwarded}");
    }
}
