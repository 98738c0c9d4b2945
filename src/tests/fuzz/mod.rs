//! Generated requests: every endpoint of the OpenAPI document with hostile input, as a visitor and as
//! an admin. No response is an internal error, and each conforms to the document.

mod document;
mod inputs;

use bytes::Bytes;
use serde_json::Value;

use self::document::{Document, Endpoint};
use crate::platform::config::Config;
use crate::tests::support::{Client, TestApp, TestResponse};

/// Endpoints that need a provider's key, which is not configured here: 503 is their correct response.
const NEEDS_A_PROVIDER: [&str; 3] =
    ["/api/sync-brandlive", "/api/places/photo/{placeId}", "/api/places/photo/{placeId}/image"];

/// A server without rate limits, with one row of every entity, and its clients.
struct Fuzzer {
    app: TestApp,
    admin: Client,
    visitor: Client,
    document: Document,
}

impl Fuzzer {
    async fn start() -> Self {
        let mut config = Config::default();
        (config.limits.sign_in_burst, config.limits.visitor_burst) = (0, 0);
        let app = TestApp::start_with(config);
        let admin = app.sign_in_admin().await;
        app.an_in_person_event(&admin).await;
        let visitor = app.visitor();
        Self { app, admin, visitor, document: Document::read() }
    }

    /// Sends a body as visitor and as admin and checks the responses.
    async fn send(&self, endpoint: &Endpoint, path: &str, body: Option<Bytes>) {
        self.send_as_visitor(endpoint, path, body.clone()).await;
        self.send_as_admin(endpoint, path, body).await;
    }

    async fn send_as_visitor(&self, endpoint: &Endpoint, path: &str, body: Option<Bytes>) {
        let sent = excerpt(path, body.as_deref());
        let response = self.visitor.send_bytes(&endpoint.method, path, body).await;
        assert!(!endpoint.for_admins || response.status == 401, "{} {sent}: {}", endpoint.method, response.text());
        self.check(endpoint, &sent, &response);
    }

    async fn send_as_admin(&self, endpoint: &Endpoint, path: &str, body: Option<Bytes>) {
        let sent = excerpt(path, body.as_deref());
        let response = self.admin.send_bytes(&endpoint.method, path, body).await;
        assert!(
            !endpoint.for_admins || response.status != 401,
            "the admin is still signed in: {} {sent}",
            endpoint.method
        );
        self.check(endpoint, &sent, &response);
    }

    /// Fails unless the document describes the response for this endpoint.
    fn check(&self, endpoint: &Endpoint, sent: &str, response: &TestResponse) {
        let status = response.status.as_u16();
        let what = || format!("{} {} with {sent}: {status} {}", endpoint.method, endpoint.path, response.text());
        let no_key = status == 503 && NEEDS_A_PROVIDER.contains(&endpoint.path.as_str());
        assert!(status < 500 || no_key, "an internal error: {}", what());
        let Some(schema) = endpoint.responses.get(&status) else { panic!("not described: {}", what()) };
        let Some(schema) = schema else {
            assert!(response.body.is_empty(), "{}", what());
            return;
        };
        assert_eq!(response.header("content-type"), "application/json", "{}", what());
        let body: Value = serde_json::from_slice(&response.body).unwrap_or_else(|_| panic!("no JSON: {}", what()));
        if let Err(why) = self.document.conforms(schema, &body) {
            panic!("{why}: {}", what());
        }
        if status >= 400 {
            assert!(!body["error"].as_str().unwrap().is_empty(), "{}", what());
            let inside = ["SQL", "sqlite", "panicked", "struct ", "serde", "src/", "Some(", "UNIQUE", "axum"];
            assert!(!inside.iter().any(|word| response.text().contains(word)), "internals in the message: {}", what());
        }
    }
}

/// A path and the beginning of a body, for messages.
fn excerpt(path: &str, body: Option<&[u8]>) -> String {
    let start = body.map(|bytes| &bytes[..bytes.len().min(300)]).unwrap_or_default();
    format!("{path} {}", String::from_utf8_lossy(start))
}

#[tokio::test]
async fn hostile_field_values_of_events_never_cause_an_internal_error() {
    send_hostile_field_values(|endpoint| endpoint.path.starts_with("/api/events")).await;
}

#[tokio::test]
async fn hostile_field_values_of_other_endpoints_never_cause_an_internal_error() {
    send_hostile_field_values(|endpoint| !endpoint.path.starts_with("/api/events")).await;
}

async fn send_hostile_field_values(is_tested: impl Fn(&Endpoint) -> bool) {
    let fuzzer = Fuzzer::start().await;
    let values = inputs::values();
    for endpoint in fuzzer.document.endpoints().into_iter().filter(is_tested) {
        let Some(schema) = &endpoint.request_schema else { continue };
        let right = fuzzer.document.example(schema);
        for pointer in fuzzer.document.pointers(schema) {
            let mut body = right.clone();
            for value in &values {
                body.pointer_mut(&pointer).unwrap().clone_from(value);
                let (path, sent) = (endpoint.filled("1"), Some(Bytes::from(body.to_string())));
                // Whether a visitor is rejected before the body is read shows in the response to any invalid value, and an
                // object is one in every field.
                if !endpoint.for_admins || value.is_object() {
                    fuzzer.send_as_visitor(&endpoint, &path, sent.clone()).await;
                }
                fuzzer.send_as_admin(&endpoint, &path, sent).await;
            }
        }
    }
}

#[tokio::test]
async fn hostile_bodies_never_cause_an_internal_error() {
    let fuzzer = Fuzzer::start().await;
    for endpoint in fuzzer.document.endpoints() {
        for body in inputs::bodies() {
            fuzzer.send(&endpoint, &endpoint.filled("1"), Some(Bytes::from(body))).await;
        }
    }
}

#[tokio::test]
async fn hostile_content_types_never_cause_an_internal_error() {
    let fuzzer = Fuzzer::start().await;
    for endpoint in fuzzer.document.endpoints() {
        for kind in ["text/plain", "application/json; charset=latin1", "multipart/form-data", "", ";;", "application"] {
            for client in [&fuzzer.admin, &fuzzer.visitor] {
                let client = client.clone().with("content-type", kind);
                let response = client.send(&endpoint.method, &endpoint.filled("1"), Some("{}".to_owned())).await;
                fuzzer.check(&endpoint, kind, &response);
            }
        }
    }
}

#[tokio::test]
async fn hostile_paths_and_queries_never_cause_an_internal_error() {
    let fuzzer = Fuzzer::start().await;
    for endpoint in fuzzer.document.endpoints() {
        let body =
            endpoint.request_schema.as_ref().map(|schema| Bytes::from(fuzzer.document.example(schema).to_string()));
        let parts =
            inputs::path_parts().into_iter().map(|part| endpoint.filled(&part)).filter(|path| *path != endpoint.path);
        let queries = inputs::queries().into_iter().map(|query| format!("{}{query}", endpoint.filled("1")));
        for path in parts.chain(queries) {
            fuzzer.send(&endpoint, &path, body.clone()).await;
        }
    }
}

#[tokio::test]
async fn random_json_never_causes_an_internal_error() {
    let fuzzer = Fuzzer::start().await;
    let mut source = inputs::Random::new();
    for endpoint in fuzzer.document.endpoints() {
        let Some(schema) = &endpoint.request_schema else { continue };
        let pointers = fuzzer.document.pointers(schema);
        for _ in 0..60 {
            let mut body = fuzzer.document.example(schema);
            for pointer in source.some_of(&pointers) {
                // An outer value may have been overwritten before.
                if let Some(value) = body.pointer_mut(&pointer) {
                    *value = source.json();
                }
            }
            fuzzer.send(&endpoint, &endpoint.filled("1"), Some(Bytes::from(body.to_string()))).await;
            fuzzer.send(&endpoint, &endpoint.filled("1"), Some(Bytes::from(source.json().to_string()))).await;
        }
    }
}

#[tokio::test]
async fn the_unmodified_examples_are_accepted() {
    let fuzzer = Fuzzer::start().await;
    let mut tried = 0;
    for endpoint in fuzzer.document.endpoints() {
        let Some(schema) = &endpoint.request_schema else { continue };
        if NEEDS_A_PROVIDER.contains(&endpoint.path.as_str()) {
            continue;
        }
        let example = fuzzer.document.example(schema).to_string();
        let response = fuzzer.admin.send(&endpoint.method, &endpoint.filled("1"), Some(example)).await;
        // The entity may exist already.
        let expected: &[u16] = if endpoint.method == "POST" { &[200, 201, 409] } else { &[200] };
        assert!(
            expected.contains(&response.status.as_u16()),
            "{} {}: {}",
            endpoint.method,
            endpoint.path,
            response.text()
        );
        fuzzer.check(&endpoint, "an example", &response);
        tried += 1;
    }
    assert!(tried >= 9, "{tried}");
    assert_eq!(fuzzer.app.rows("speakers"), 2);
}
