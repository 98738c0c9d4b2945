//! The headers of every kind of response, and the response to an internal error.

use http::Method;
use serde_json::{Value, json};

use crate::assets;
use crate::platform::config::{Config, Network};
use crate::tests::support::{Client, TestApp, TestResponse, an_asset, speaker};

const EVERYWHERE: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"),
    ("x-frame-options", "DENY"),
];

/// One response of every kind, with a name.
async fn every_kind(app: &TestApp, admin: &Client) -> Vec<(&'static str, TestResponse)> {
    let visitor = app.visitor();
    let tag = visitor.get("/api/events").await.header("etag");
    let page_tag = visitor.get("/").await.header("etag");
    let method = |name: Method| name.to_string();
    let mut all = vec![
        ("cached list", visitor.get("/api/events").await),
        ("cached list in brotli", visitor.clone().with("accept-encoding", "br").get("/api/openapi.json").await),
        ("304 of a list", visitor.clone().with("if-none-match", &tag).get("/api/events").await),
        ("filtered list", visitor.get("/api/events?from=2031-01-01").await),
        ("HEAD of a list", visitor.send(&method(Method::HEAD), "/api/events", None).await),
        ("page", visitor.get("/").await),
        ("304 of a page", visitor.clone().with("if-none-match", &page_tag).get("/").await),
        ("page of the portal", visitor.get("/admin?tab=users").await),
        ("calendar", visitor.get("/calendar.ics").await),
        ("calendar of one type", visitor.get("/calendar.ics?type=special").await),
        ("calendar of no type", visitor.get("/calendar.ics?type=opera").await),
        ("feed", visitor.get("/feed.xml").await),
        ("sitemap", visitor.get("/sitemap.xml").await),
        ("no event", visitor.get("/events/999").await),
        ("404 page", visitor.get("/nothing").await),
        ("404 endpoint", visitor.get("/api/nothing").await),
        ("405", visitor.send("DELETE", "/api/events", None).await),
        ("405 of a page", visitor.send("POST", "/", None).await),
        ("created", admin.post("/api/speakers", speaker("Grace")).await),
        ("204", admin.delete("/api/speakers/1").await),
        ("400 validation", admin.post("/api/speakers", json!({})).await),
        ("400 malformed", admin.send("POST", "/api/speakers", Some("{".to_owned())).await),
        ("400 host", visitor.clone().with("host", "second.example").get("/").await),
        ("401", visitor.get("/api/users").await),
        ("403", visitor.clone().with("origin", "https://evil.example").post("/api/auth/logout", json!({})).await),
        ("413", admin.send("POST", "/api/speakers", Some(" ".repeat(300 * 1024))).await),
        ("415", admin.clone().with("content-type", "text/plain").post("/api/speakers", json!({})).await),
        ("who is signed in", admin.get("/api/user").await),
        ("health", visitor.get("/healthz").await),
    ];
    if let Some(path) = an_asset() {
        all.push(("asset", visitor.get(&path).await));
    }
    all
}

#[tokio::test]
async fn every_kind_of_response_carries_the_headers_that_protect_it() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    for (kind, response) in every_kind(&app, &admin).await {
        for (name, value) in EVERYWHERE {
            assert_eq!(response.header(name), value, "{kind}: {name}");
            assert_eq!(response.headers.get_all(name).iter().count(), 1, "{kind}: {name}");
        }
        let policy = response.header("content-security-policy");
        for part in ["default-src 'none'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{kind}: {policy}");
        }
        // The portal has a separate policy for maps.
        assert!(!policy.contains("unsafe") || kind == "page of the portal", "{kind}: {policy}");
        assert_eq!(response.headers.get_all("content-security-policy").iter().count(), 1, "{kind}");
        assert_eq!(response.header("strict-transport-security"), "", "{kind}: the site uses http");
        let has_cache_control = !response.header("cache-control").is_empty();
        assert!(has_cache_control || response.status == 204, "{kind}: Cache-Control is missing");
        assert_eq!(response.header("server") + &response.header("x-powered-by"), "", "{kind}");
    }
}

#[tokio::test]
async fn over_https_every_kind_of_response_has_hsts() {
    let mut config = Config::default();
    config.server.base_url = Some("https://events.example.com".parse().unwrap());
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    for (kind, response) in every_kind(&app, &admin).await {
        assert!(response.header("strict-transport-security").starts_with("max-age=31536000"), "{kind}");
    }
}

#[tokio::test]
async fn private_responses_are_not_cached_and_public_ones_are_revalidated() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    for path in ["/api/user", "/api/users", "/api/users/1", "/healthz", "/api/nothing"] {
        assert_eq!(admin.get(path).await.header("cache-control"), "no-store", "{path}");
    }
    for path in [
        "/",
        "/calendar",
        "/admin",
        "/api/events",
        "/api/speakers",
        "/api/page-content/home",
        "/api/openapi.json",
        "/calendar.ics",
        "/calendar.ics?alarm=30",
        "/feed.xml",
        "/sitemap.xml",
    ] {
        let response = app.visitor().get(path).await;
        assert_eq!(response.header("cache-control"), "no-cache", "{path}");
        assert!(response.header("etag").starts_with("W/\""), "{path}");
        assert_eq!(response.header("vary"), "accept-encoding", "{path}");
        // An admin reads the same bytes: nothing in them depends on the client.
        assert_eq!(admin.get(path).await.body, response.body, "{path}");
    }
    if let Some(path) = an_asset() {
        assert_eq!(app.visitor().get(&path).await.header("cache-control"), "public, max-age=31536000, immutable");
    }
}

#[tokio::test]
async fn files_without_a_hash_in_their_name_are_cached_for_an_hour() {
    // A binary that was built without the web bundle has none of them.
    if assets::template().is_none() {
        return;
    }
    let app = TestApp::start();
    for path in [
        "/art/hero-skyline-day.svg",
        "/art/hero-stay-tuned-750.avif",
        "/pictures/demo/imani-wetherell.svg",
        "/icons/icon-192.png",
        "/favicon.svg",
        "/favicon.ico",
    ] {
        let response = app.visitor().get(path).await;
        let hour = "public, max-age=3600, stale-while-revalidate=2592000";
        assert_eq!((response.status.as_u16(), response.header("cache-control").as_str()), (200, hour), "{path}");
        let again = app.visitor().with("if-none-match", &response.header("etag")).get(path).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
        assert_eq!((again.header("cache-control").as_str(), again.header("etag")), (hour, response.header("etag")));
    }
}

#[tokio::test]
async fn a_matching_etag_is_recognized_in_every_notation() {
    let app = TestApp::start();
    let full = app.visitor().get("/api/events").await;
    let tag = full.header("etag");
    let strong = tag.trim_start_matches("W/").to_owned();
    for tags in [tag.clone(), strong, format!("\"other\", {tag}"), "*".to_owned()] {
        let response = app.visitor().with("if-none-match", &tags).get("/api/events").await;
        assert_eq!((response.status.as_u16(), response.body.len()), (304, 0), "{tags}");
        assert_eq!(response.header("etag"), tag);
        assert_eq!(response.header("cache-control"), "no-cache");
    }
    for other in ["\"other\"", "W/\"\"", ""] {
        assert_eq!(app.visitor().with("if-none-match", other).get("/api/events").await.status, 200, "{other}");
    }
}

#[tokio::test]
async fn a_head_request_has_the_headers_of_a_get_and_no_body() {
    let app = TestApp::start();
    for path in ["/", "/calendar", "/api/events", "/api/speakers", "/nothing"] {
        let (get, head) = (app.visitor().get(path).await, app.visitor().send("HEAD", path, None).await);
        assert_eq!(head.status, get.status, "{path}");
        assert!(head.body.is_empty(), "{path}");
        for name in ["content-type", "etag", "cache-control", "content-security-policy"] {
            assert_eq!(head.header(name), get.header(name), "{path}: {name}");
        }
    }
}

#[tokio::test]
async fn an_internal_error_is_sent_without_its_cause() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.write_as_another_process("ALTER TABLE speakers RENAME TO hidden_away", []);

    for response in [admin.post("/api/speakers", speaker("Grace")).await, app.visitor().get("/api/speakers").await] {
        assert_eq!(response.status, 500);
        let expected: Value = json!({ "error": "Something went wrong on our side. Please try again." });
        assert_eq!(response.json(), expected);
        assert_eq!(response.header("x-content-type-options"), "nosniff");
    }

    // After a repair, requests succeed without a restart.
    app.write_as_another_process("ALTER TABLE hidden_away RENAME TO speakers", []);
    admin.post("/api/speakers", speaker("Grace")).await.created_id();
    assert_eq!(app.visitor().get("/api/speakers").await.json()[0]["name"], "Grace");
}

#[tokio::test]
async fn a_response_carries_a_request_id_which_only_a_trusted_proxy_may_choose() {
    let app = TestApp::start();
    let plain = app.visitor().get("/api/user").await.header("x-request-id");
    assert_eq!(plain.len(), 16, "{plain}");
    assert_ne!(app.visitor().get("/api/user").await.header("x-request-id"), plain);
    let chosen = app.visitor().with("x-request-id", "chosen-by-a-client").get("/api/user").await;
    assert_ne!(chosen.header("x-request-id"), "chosen-by-a-client");
    // The second response comes from the cache.
    let [first, second] =
        [app.visitor().get("/").await, app.visitor().get("/").await].map(|page| page.header("x-request-id"));
    assert!(first.len() == 16 && second.len() == 16 && first != second, "{first} {second}");

    let mut config = Config::default();
    config.server.trusted_proxies = vec![Network("203.0.113.0/24".parse().unwrap())];
    let app = TestApp::start_with(config);
    for (sent, is_accepted) in [("0f-9.A_z", true), ("two words", false), ("", false), (&"a".repeat(65), false)] {
        let received = app.visitor().with("x-request-id", sent).get("/api/user").await.header("x-request-id");
        assert_eq!(received == sent, is_accepted, "{sent}: {received}");
        app.visitor().get("/").await;
        let cached = app.visitor().with("x-request-id", sent).get("/").await.header("x-request-id");
        assert_eq!(cached == sent, is_accepted, "{sent}: {cached}");
    }
}
