//! Size limits and content types of request bodies, and the responses to malformed ones.

use axum::response::IntoResponse as _;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use crate::platform::error::AppError;
use crate::tests::support::{Client, TestApp, in_person_event, speaker};

const LARGE: usize = 256 * 1024;
const SMALL: usize = 4 * 1024;

/// The same JSON, padded with spaces to this number of bytes.
fn padded(json: &Value, bytes: usize) -> String {
    let mut text = json.to_string();
    text.push_str(&" ".repeat(bytes - text.len()));
    text
}

#[tokio::test]
async fn a_body_may_have_exactly_its_limit() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    let person = speaker("Grace Obi");
    let event = in_person_event("Walk", &[1]);
    let hero = json!({ "heroTitle": "Spring", "heroSubtitle": "Eight talks." });
    let user = json!({ "email": "ada@example.com" });
    let interest = json!({ "action": "add", "userId": "user_1_a" });
    let login = json!({ "email": "ada@example.com", "password": "a fine password" });
    for (method, path, body, limit) in [
        ("POST", "/api/speakers", &person, LARGE),
        ("PUT", "/api/speakers/1", &person, LARGE),
        ("POST", "/api/events", &event, LARGE),
        ("PUT", &format!("/api/events/{id}"), &event, LARGE),
        ("PUT", "/api/page-content/home", &hero, LARGE),
        ("PUT", "/api/users/1", &user, LARGE),
        ("PUT", &format!("/api/events/{id}/interest"), &interest, SMALL),
        ("POST", "/api/auth/login", &login, SMALL),
    ] {
        let fits = admin.send(method, path, Some(padded(body, limit))).await;
        assert!(fits.status.is_success(), "{method} {path}: {}", fits.text());
        let too_large = admin.send(method, path, Some(padded(body, limit + 1))).await;
        assert_eq!(too_large.status, 413, "{method} {path}");
        assert_eq!(too_large.json(), json!({ "error": "The request is too large for this endpoint" }));
    }
}

#[tokio::test]
async fn an_endpoint_without_a_body_ignores_a_small_one_and_rejects_a_large_one() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    for path in ["/api/auth/logout", &format!("/api/events/{id}/interest")] {
        assert_eq!(app.visitor().send("POST", path, Some("x".repeat(SMALL))).await.status, 200, "{path}");
        assert_eq!(app.visitor().send("POST", path, Some("x".repeat(SMALL + 1))).await.status, 413, "{path}");
    }
}

async fn statuses_of_types(client: &Client, kinds: &[&str]) -> Vec<u16> {
    let mut statuses = Vec::new();
    for kind in kinds {
        let client = client.clone().with("content-type", kind);
        statuses.push(client.post("/api/speakers", speaker("Grace")).await.status.as_u16());
    }
    statuses
}

#[tokio::test]
async fn a_body_must_have_the_content_type_json() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let json_types = ["application/json", "application/json; charset=utf-8", "Application/JSON"];
    assert_eq!(statuses_of_types(&admin, &json_types).await, [201; 3]);
    // Content types that a form of another site can send without a preflight request, and others that are not JSON.
    let other = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/json",
        "application/jsonp",
        "",
        "json",
    ];
    assert_eq!(statuses_of_types(&admin, &other).await, [415; 7]);

    let nothing = admin.send("POST", "/api/speakers", None).await;
    assert_eq!(nothing.status, 415);
    assert_eq!(nothing.error(), "The body must be JSON, sent with Content-Type: application/json");
    assert_eq!(app.rows("speakers"), 3);
}

#[tokio::test]
async fn a_malformed_body_is_400_without_internals_in_the_message() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(10_000), close.repeat(10_000));
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"{".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"5".to_vec(),
        b"\"text\"".to_vec(),
        b"{\"name\":\"a\"".to_vec(),
        b"{\"name\":\"a\"}}".to_vec(),
        b"{\"name\":\"Grace\",\"title\":\"T\"} {}".to_vec(),
        b"{'name':'a'}".to_vec(),
        b"{\"name\":\"a\",\"name\":\"b\",\"title\":\"T\"}".to_vec(),
        b"{\"name\":\"\\ud800\",\"title\":\"T\"}".to_vec(),
        b"{\"name\":\"\xff\xfe\",\"title\":\"T\"}".to_vec(),
        b"\xef\xbb\xbf{\"name\":\"a\",\"title\":\"T\"}".to_vec(),
        b"{\"name\":\"a\x00b\",\"title\":\"T\"}".to_vec(),
        b"{\"name\":1e999,\"title\":\"T\"}".to_vec(),
        deep("[", "]").into_bytes(),
        deep("{\"name\":", "}").into_bytes(),
        format!("{{\"name\":{},\"title\":\"T\"}}", deep("[", "]")).into_bytes(),
        format!("{{\"bio\":\"{}\"}}", "x".repeat(65 * 1024)).into_bytes(),
    ];
    for body in bodies {
        let start = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        let response = admin.send_bytes("POST", "/api/speakers", Some(Bytes::from(body))).await;
        assert_eq!(response.status, 400, "{start}");
        let text = response.text();
        assert!(text.len() < 400, "{start}: {text}");
        for inside in ["struct", "column", "line 1", "serde", "SaveSpeaker", "expected", "EOF"] {
            assert!(!text.contains(inside), "{start}: {text}");
        }
    }
    assert_eq!(app.rows("speakers"), 0);
}

#[tokio::test]
async fn unknown_fields_are_ignored_at_any_depth() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let body = format!("{{\"name\":\"Grace\",\"title\":\"T\",\"id\":77,\"extra\":{deep}}}");
    let response = admin.send("POST", "/api/speakers", Some(body)).await;
    // Whether it is accepted or rejected, it causes no internal error, and no client chooses an id.
    assert!([201, 400].contains(&response.status.as_u16()), "{}", response.text());
    if response.status == 201 {
        assert_ne!(response.json()["id"], 77);
    }
}

#[tokio::test]
async fn a_write_that_times_out_is_503_and_may_have_been_saved() {
    for (is_safe, message) in [
        (true, "The request took too long. Please try again."),
        (false, "The request took too long. The change may have been saved: please check before you repeat it."),
    ] {
        let response = AppError::timed_out(is_safe).into_response();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["cache-control"]),
            (503, &"no-store".parse().unwrap())
        );
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), json!({ "error": message }));
    }
}
