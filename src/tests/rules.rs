//! Validation of the forms. The web client runs the same cases.
//!
//! A case is an input and the `fields` of the response, empty if the input is valid. Long text is written as
//! `{"text": "begins so", "repeat": "x", "times": 200}`. The speakers 1 to 3 exist.

use serde_json::{Map, Value, json};

use super::support::{Client, TestApp, speaker};
use crate::features::events::presentation;
use crate::platform::config::Config;

struct Case {
    name: String,
    input: Value,
    fields: Value,
}

fn cases(table: &str) -> Vec<Case> {
    let rows: Vec<Map<String, Value>> = serde_json::from_str(table).unwrap();
    rows.into_iter()
        .map(|mut row| Case {
            name: row["name"].as_str().unwrap().to_owned(),
            input: expanded(row.remove("input").unwrap()),
            fields: row.remove("fields").unwrap(),
        })
        .collect()
}

/// Expands long texts.
fn expanded(value: Value) -> Value {
    match value {
        Value::Object(map) => match (map.get("repeat"), map.get("times")) {
            (Some(part), Some(times)) => {
                let start = map.get("text").and_then(Value::as_str).unwrap_or_default();
                let times = usize::try_from(times.as_u64().unwrap()).unwrap();
                json!(format!("{start}{}", part.as_str().unwrap().repeat(times)))
            }
            _ => map.into_iter().map(|(key, value)| (key, expanded(value))).collect::<Map<_, _>>().into(),
        },
        Value::Array(items) => items.into_iter().map(expanded).collect(),
        other => other,
    }
}

/// Sends every case and reports all that differ.
async fn run(client: &Client, method: &str, path: &str, table: &str, right: &[u16]) {
    let mut wrong = Vec::new();
    for case in cases(table) {
        let response = client.send(method, path, Some(case.input.to_string())).await;
        let is_right = case.fields == json!({});
        let expected = if is_right { right } else { &[400][..] };
        if response.fields() != case.fields || !expected.contains(&response.status.as_u16()) {
            wrong.push(format!("{}: {} {}", case.name, response.status, response.fields()));
        } else if !is_right {
            let messages: Vec<&Value> = case.fields.as_object().unwrap().values().collect();
            assert!(messages.contains(&&json!(response.error())), "{}: the error is one of the fields'", case.name);
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn unlimited() -> TestApp {
    let mut config = Config::default();
    config.limits.sign_in_burst = 0;
    TestApp::start_with(config)
}

#[tokio::test]
async fn an_event_is_accepted_or_rejected_as_the_table_says() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    for name in ["Grace Obi", "Ben Tal", "Chi Roy"] {
        admin.post("/api/speakers", speaker(name)).await.created_id();
    }
    run(&admin, "POST", "/api/events", include_str!("rule_cases/event.json"), &[201]).await;
}

#[tokio::test]
async fn an_update_accepts_the_stored_duration_as_the_table_says() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    admin.post("/api/speakers", speaker("Grace Obi")).await.created_id();
    let event = app.an_online_event(&admin).await;
    let rows: Vec<Value> = serde_json::from_str(include_str!("rule_cases/event_update.json")).unwrap();
    for row in rows {
        app.write_as_another_process("UPDATE events SET duration = ?1", [row["stored"].as_str().unwrap()]);
        let response = admin.put(&format!("/api/events/{event}"), row["input"].clone()).await;
        assert_eq!(response.fields(), row["fields"], "{}", row["name"]);
        assert_eq!(response.status == 200, row["fields"] == json!({}), "{}", row["name"]);
    }
}

#[tokio::test]
async fn a_speaker_is_accepted_or_rejected_as_the_table_says() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    run(&admin, "POST", "/api/speakers", include_str!("rule_cases/speaker.json"), &[201]).await;
}

#[tokio::test]
async fn a_user_is_accepted_or_rejected_as_the_table_says() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    run(&admin, "POST", "/api/users", include_str!("rule_cases/user.json"), &[201]).await;
}

#[tokio::test]
async fn page_content_is_accepted_or_rejected_as_the_table_says() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    run(&admin, "PUT", "/api/page-content/home", include_str!("rule_cases/page_content.json"), &[200]).await;
}

#[tokio::test]
async fn site_settings_are_accepted_or_rejected_as_the_table_says() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    run(&admin, "PUT", "/api/site-settings", include_str!("rule_cases/site_settings.json"), &[200]).await;
}

#[tokio::test]
async fn the_sign_in_form_is_accepted_or_rejected_as_the_table_says() {
    let app = unlimited();
    // Valid input gets a 401, because the account does not exist.
    run(&app.visitor(), "POST", "/api/auth/login", include_str!("rule_cases/login.json"), &[401]).await;
}

#[test]
fn initials_omit_titles_and_what_follows_a_comma() {
    let cases: Vec<Map<String, Value>> = serde_json::from_str(include_str!("rule_cases/initials.json")).unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        assert_eq!(json!(presentation::initials(case["name"].as_str().unwrap())), case["initials"], "{}", case["name"]);
    }
}
