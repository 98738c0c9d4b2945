//! Generated requests: every call of the OpenAPI document with input of every wrong kind, as a
//! visitor and as an admin. No answer is a fault of the server, and each is one that is described.

mod document;
mod inputs;

use bytes::Bytes;
use serde_json::Value;

use self::document::{Call, Document};
use crate::platform::config::Config;
use crate::tests::support::{Client, Reply, TestApp};

/// Calls that need a provider's key, which nobody has configured here: 503 is their right answer.
const NEEDS_A_PROVIDER: [&str; 2] = ["/api/sync-brandlive", "/api/places/photo/{placeId}"];

/// An app without limits that would end the game early, with one row of everything, and who plays.
struct Game {
    app: TestApp,
    admin: Client,
    visitor: Client,
    document: Document,
}

impl Game {
    async fn start() -> Self {
        let mut config = Config::default();
        (config.limits.sign_in_burst, config.limits.visitor_burst) = (0, 0);
        let app = TestApp::start_with(config);
        let admin = app.sign_in_admin().await;
        app.an_in_person_event(&admin).await;
        let visitor = app.visitor();
        Self { app, admin, visitor, document: Document::read() }
    }

    /// Sends a body as both and judges the answers.
    async fn send(&self, call: &Call, path: &str, body: Option<Bytes>) {
        let start = body.as_deref().map(|bytes| &bytes[..bytes.len().min(300)]).unwrap_or_default();
        let sent = format!("{path} {}", String::from_utf8_lossy(start));
        let reply = self.visitor.send_bytes(&call.method, path, body.clone()).await;
        assert!(!call.for_admins || reply.status == 401, "{} {sent}: {}", call.method, reply.text());
        self.judge(call, &sent, &reply);

        let reply = self.admin.send_bytes(&call.method, path, body).await;
        assert!(!call.for_admins || reply.status != 401, "the admin is still signed in: {} {sent}", call.method);
        self.judge(call, &sent, &reply);
    }

    /// Fails unless the answer is one that the document describes for this call.
    fn judge(&self, call: &Call, sent: &str, reply: &Reply) {
        let status = reply.status.as_u16();
        let what = || format!("{} {} with {sent}: {status} {}", call.method, call.path, reply.text());
        let no_key = status == 503 && NEEDS_A_PROVIDER.contains(&call.path.as_str());
        assert!(status < 500 || no_key, "a fault: {}", what());
        let Some(schema) = call.answers.get(&status) else { panic!("not described: {}", what()) };
        let Some(schema) = schema else {
            assert!(reply.body.is_empty(), "{}", what());
            return;
        };
        assert_eq!(reply.header("content-type"), "application/json", "{}", what());
        let body: Value = serde_json::from_slice(&reply.body).unwrap_or_else(|_| panic!("no JSON: {}", what()));
        if let Err(why) = self.document.conforms(schema, &body) {
            panic!("{why}: {}", what());
        }
        if status >= 400 {
            assert!(!body["error"].as_str().unwrap().is_empty(), "{}", what());
            let inside = ["SQL", "sqlite", "panicked", "struct ", "serde", "src/", "Some(", "UNIQUE", "axum"];
            assert!(!inside.iter().any(|word| reply.text().contains(word)), "the inside: {}", what());
        }
    }
}

#[tokio::test]
async fn hostile_field_values_never_cause_an_internal_error() {
    let game = Game::start().await;
    for call in game.document.calls() {
        let Some(schema) = &call.takes else { continue };
        let right = game.document.example(schema);
        for place in game.document.places(schema) {
            for value in inputs::values() {
                let mut body = right.clone();
                *body.pointer_mut(&place).unwrap() = value;
                game.send(&call, &call.filled("1"), Some(Bytes::from(body.to_string()))).await;
            }
        }
    }
}

#[tokio::test]
async fn hostile_bodies_never_cause_an_internal_error() {
    let game = Game::start().await;
    for call in game.document.calls() {
        for body in inputs::bodies() {
            game.send(&call, &call.filled("1"), Some(Bytes::from(body))).await;
        }
    }
}

#[tokio::test]
async fn hostile_content_types_never_cause_an_internal_error() {
    let game = Game::start().await;
    for call in game.document.calls() {
        for kind in ["text/plain", "application/json; charset=latin1", "multipart/form-data", "", ";;", "application"] {
            for client in [&game.admin, &game.visitor] {
                let client = client.clone().with("content-type", kind);
                let reply = client.send(&call.method, &call.filled("1"), Some("{}".to_owned())).await;
                game.judge(&call, kind, &reply);
            }
        }
    }
}

#[tokio::test]
async fn hostile_paths_and_queries_never_cause_an_internal_error() {
    let game = Game::start().await;
    for call in game.document.calls() {
        let body = call.takes.as_ref().map(|schema| Bytes::from(game.document.example(schema).to_string()));
        let parts = inputs::path_parts().into_iter().map(|part| call.filled(&part)).filter(|path| *path != call.path);
        let queries = inputs::queries().into_iter().map(|query| format!("{}{query}", call.filled("1")));
        for path in parts.chain(queries) {
            game.send(&call, &path, body.clone()).await;
        }
    }
}

#[tokio::test]
async fn random_json_never_causes_an_internal_error() {
    let game = Game::start().await;
    let mut source = inputs::Random::new();
    for call in game.document.calls() {
        let Some(schema) = &call.takes else { continue };
        let places = game.document.places(schema);
        for _ in 0..60 {
            let mut body = game.document.example(schema);
            for place in source.some_of(&places) {
                // An outer place may have been overwritten before.
                if let Some(value) = body.pointer_mut(&place) {
                    *value = source.json();
                }
            }
            game.send(&call, &call.filled("1"), Some(Bytes::from(body.to_string()))).await;
            game.send(&call, &call.filled("1"), Some(Bytes::from(source.json().to_string()))).await;
        }
    }
}

#[tokio::test]
async fn the_unmodified_examples_are_accepted() {
    let game = Game::start().await;
    let mut tried = 0;
    for call in game.document.calls() {
        let Some(schema) = &call.takes else { continue };
        if NEEDS_A_PROVIDER.contains(&call.path.as_str()) {
            continue;
        }
        let example = game.document.example(schema).to_string();
        let reply = game.admin.send(&call.method, &call.filled("1"), Some(example)).await;
        // What is to be created may be there already; nothing else is in the way.
        let expected: &[u16] = if call.method == "POST" { &[200, 201, 409] } else { &[200] };
        assert!(expected.contains(&reply.status.as_u16()), "{} {}: {}", call.method, call.path, reply.text());
        game.judge(&call, "an example", &reply);
        tried += 1;
    }
    assert!(tried >= 9, "{tried}");
    assert_eq!(game.app.rows("speakers"), 2);
}
