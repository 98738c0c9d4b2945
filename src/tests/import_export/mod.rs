//! Import and export of events as files.

mod csv;
mod export;
mod ics;
mod store;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::tests::support::{Client, TestApp, TestResponse, speaker};

/// The path of the preview.
const PREVIEW: &str = "/api/events/import/preview";
/// The path of the import.
const IMPORT: &str = "/api/events/import";

/// A request with a file.
fn request(file: impl AsRef<[u8]>, options: Value) -> Value {
    json!({ "file": STANDARD.encode(file), "options": options })
}

/// The preview of a file.
async fn preview(client: &Client, file: impl AsRef<[u8]>, options: Value) -> Value {
    let response = client.post(PREVIEW, request(file, options)).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

/// Imports a file.
async fn import(client: &Client, file: impl AsRef<[u8]>, options: Value) -> TestResponse {
    client.post(IMPORT, request(file, options)).await
}

/// A site with the speakers Ada Bell and Grace Obi.
async fn site() -> (TestApp, Client, [i64; 2]) {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let ada = admin.post("/api/speakers", speaker("Ada Bell")).await.created_id();
    let grace = admin.post("/api/speakers", speaker("Grace Obi")).await.created_id();
    (app, admin, [ada, grace])
}

/// Line, action, title, date, time, zone and status of each row.
fn table(preview: &Value) -> Vec<String> {
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let names = ["action", "title", "date", "time", "timezone", "status"];
    let line = |row: &Value| {
        let cells: Vec<String> = names.iter().map(|name| text(row, name)).collect();
        format!("{} {}", row["line"], cells.join(" | "))
    };
    preview["rows"].as_array().unwrap().iter().map(line).collect()
}

/// `line column: message` of every error.
fn errors(preview: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    for row in preview["rows"].as_array().unwrap() {
        for error in row["errors"].as_array().unwrap() {
            let column = error["column"].as_str().unwrap_or("-");
            errors.push(format!("{} {column}: {}", row["line"], error["message"].as_str().unwrap()));
        }
    }
    errors
}
