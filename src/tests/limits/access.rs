//! Access control: signed-out, forged and misdirected requests are rejected before any other check.

use http::header::ALLOW;
use serde_json::{Value, json};

use crate::openapi;
use crate::platform::config::Config;
use crate::tests::support::{TestApp, speaker};

/// Every endpoint of the document: method, path with an id in it, whether it requires an admin.
fn endpoints() -> Vec<(String, String, bool)> {
    let document: Value = serde_json::from_str(&openapi::document()).unwrap();
    let mut endpoints = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let path = path.replace("{id}", "1").replace("{placeId}", "place-1");
        for (method, call) in methods.as_object().unwrap() {
            endpoints.push((method.to_uppercase(), path.clone(), call.get("security").is_some()));
        }
    }
    endpoints
}

#[tokio::test]
async fn admin_endpoints_reject_signed_out_requests_before_reading_them() {
    let app = TestApp::start();
    let mut seen = 0;
    for (method, path, for_admins) in endpoints() {
        if !for_admins {
            continue;
        }
        seen += 1;
        let broken = path.replace("/1", "/no-number");
        let (plain, strange) = (app.visitor(), app.visitor().with("content-type", "text/plain"));
        let stale = app.visitor().with_cookie("lectern_session", &"C".repeat(43));
        for response in [
            plain.send(&method, &path, None).await,
            plain.send(&method, &broken, Some("{not json".to_owned())).await,
            plain.send(&method, &path, Some("x".repeat(300 * 1024))).await,
            strange.send(&method, &path, Some("{}".to_owned())).await,
            stale.send(&method, &path, Some("{}".to_owned())).await,
        ] {
            assert_eq!(response.status, 401, "{method} {path}");
            assert_eq!(response.json(), json!({ "error": "Not authenticated" }), "{method} {path}");
            assert_eq!(response.header("cache-control"), "no-store");
        }
    }
    // Thirteen admin endpoints and GET /api/user; more when more are described.
    assert!(seen >= 14, "{seen}");
}

#[tokio::test]
async fn only_sign_in_sign_out_and_interest_write_without_an_admin() {
    let open: Vec<String> = endpoints()
        .into_iter()
        .filter(|(method, _, for_admins)| method != "GET" && !for_admins)
        .map(|(method, path, _)| format!("{method} {path}"))
        .collect();
    let mut sorted = open.clone();
    sorted.sort();
    let expected =
        ["POST /api/auth/login", "POST /api/auth/logout", "POST /api/events/1/interest", "PUT /api/events/1/interest"];
    assert_eq!(sorted, expected);
}

#[tokio::test]
async fn cross_site_writes_are_rejected_first() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let own = "http://127.0.0.1:8080";
    let rejected: [&[(&str, &str)]; 8] = [
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://127.0.0.1:8081")],
        &[("origin", "http://127.0.0.1:8080.evil.example")],
        &[("origin", "ftp://127.0.0.1:8080")],
    ];
    for headers in rejected {
        for (method, path, _) in endpoints() {
            if method == "GET" {
                continue;
            }
            let mut forged = admin.clone();
            for (name, value) in headers {
                forged = forged.with(name, value);
            }
            let response = forged.send(&method, &path, Some("{not json".to_owned())).await;
            assert_eq!(response.status, 403, "{method} {path} {headers:?}");
            assert_eq!(response.error(), "This request did not come from this site");
        }
    }
    let passes: [&[(&str, &str)]; 5] = [
        &[],
        &[("sec-fetch-site", "same-origin"), ("origin", own)],
        &[("sec-fetch-site", "none")],
        &[("origin", own)],
        // A proxy terminates https.
        &[("sec-fetch-site", "cross-site"), ("origin", "https://127.0.0.1:8080")],
    ];
    for headers in passes {
        let mut client = admin.clone();
        for (name, value) in headers {
            client = client.with(name, value);
        }
        assert_eq!(client.post("/api/speakers", speaker("Grace")).await.status, 201, "{headers:?}");
    }
    assert_eq!(app.rows("speakers"), 5);
}

#[tokio::test]
async fn cross_site_reads_are_allowed() {
    let app = TestApp::start();
    let from_afar = app.visitor().with("sec-fetch-site", "cross-site").with("origin", "https://evil.example");
    for path in ["/", "/calendar", "/api/events"] {
        let response = from_afar.get(path).await;
        assert_eq!(response.status, 200, "{path}");
        // Scripts of other sites may not read it.
        assert_eq!(response.header("access-control-allow-origin"), "");
        assert_eq!(response.header("cross-origin-resource-policy"), "same-origin");
    }
}

#[tokio::test]
async fn reads_do_not_write() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    let storage = app.storage();
    // SQLite increases it with commits of other connections.
    let writes = || -> i64 { storage.query_row("PRAGMA data_version", [], |row| row.get(0)).unwrap() };
    let before = writes();

    let reads = endpoints().into_iter().filter(|(method, _, _)| method == "GET").map(|(_, path, _)| path);
    for path in reads.chain(["/", "/calendar", "/admin", "/nothing", "/healthz"].map(str::to_owned)) {
        for client in [&admin, &app.visitor()] {
            let response = client.get(&format!("{path}?userId=user_1_new")).await;
            assert_eq!(response.header("set-cookie"), "", "{path}");
        }
    }

    assert_eq!(writes(), before);
}

#[tokio::test]
async fn the_configured_base_url_is_same_origin_whatever_host_the_proxy_sends() {
    let mut config = Config::default();
    config.server.base_url = Some("https://events.example.com".parse().unwrap());
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await.with("sec-fetch-site", "cross-site");
    let from = |origin: &str| admin.clone().with("origin", origin);
    assert_eq!(from("https://events.example.com").post("/api/speakers", speaker("Grace")).await.status, 201);
    assert_eq!(from("https://events.example.com.evil.example").post("/api/speakers", speaker("Eve")).await.status, 403);
    assert_eq!(from("http://events.example.com").post("/api/speakers", speaker("Eve")).await.status, 403);
}

#[tokio::test]
async fn a_request_must_name_one_host() {
    let app = TestApp::start();
    for path in ["/", "/api/events", "/api/user", "/nothing"] {
        let response = app.visitor().with("host", "other.example").get(path).await;
        assert_eq!(response.status, 400, "{path}");
        assert_eq!(response.error(), "The request must name exactly one host");
    }
}

#[tokio::test]
async fn an_unsupported_method_is_405() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let described = endpoints();
    for (_, path, _) in &described {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            if described.iter().any(|(supported, at, _)| supported == method && at == path) {
                continue;
            }
            let response = admin.send(method, path, Some("{}".to_owned())).await;
            assert_eq!(response.status, 405, "{method} {path}");
            assert_eq!(response.json(), json!({ "error": "This URL does not support this method" }), "{method} {path}");
            // RFC 9110 §15.5.6: Allow lists the supported methods.
            let allowed =
                response.headers.get(ALLOW).and_then(|list| list.to_str().ok()).unwrap_or_default().to_owned();
            for (supported, _, _) in described.iter().filter(|(_, at, _)| at == path) {
                assert!(allowed.contains(supported.as_str()), "{method} {path}: {allowed}");
            }
        }
    }
    for path in ["/", "/calendar", "/api/openapi.json", "/healthz", "/favicon.ico", "/no-such-page"] {
        let response = admin.post(path, json!({})).await;
        assert_eq!(response.status, 405, "{path}");
        assert_eq!(response.headers[ALLOW], "GET,HEAD", "{path}");
    }
}

#[tokio::test]
async fn an_unknown_endpoint_is_404_in_json_for_every_method() {
    let app = TestApp::start();
    for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
        for path in ["/api/nothing", "/api/", "/api/events/1/other", "/api/events/"] {
            let response = app.visitor().send(method, path, None).await;
            assert_eq!(response.status, 404, "{method} {path}");
            assert_eq!(response.json(), json!({ "error": "Endpoint not found" }), "{method} {path}");
        }
    }
}
