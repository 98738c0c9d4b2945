//! The sync with the event provider, against a fake provider over HTTP.

mod activity;
mod command;
mod details;
mod incomplete_list;
mod large;
mod list_end;
mod mapping;
mod merge;
mod provider_errors;
mod requests;
mod tls;

use std::time::Duration;

use serde_json::{Value, json};

use super::support::fake_brandlive::FakeBrandlive;
use super::support::{Client, TestApp};

/// A server, its admin and a fake provider.
struct SyncTest {
    app: TestApp,
    admin: Client,
    fake: FakeBrandlive,
}

impl SyncTest {
    async fn listing(items: Vec<Value>) -> Self {
        Self::with(FakeBrandlive::listing(items), "").await
    }

    async fn with(fake: FakeBrandlive, more: &str) -> Self {
        let app = TestApp::start_with(fake.config_with(more));
        let admin = app.sign_in_admin().await;
        Self { app, admin, fake }
    }

    /// Syncs successfully and returns the message.
    async fn sync(&self) -> String {
        let response = self.admin.post("/api/sync-brandlive", json!({})).await;
        assert_eq!(response.status, 200, "{}", response.text());
        response.json()["message"].as_str().unwrap().to_owned()
    }

    /// Changes the provider's items and syncs.
    async fn sync_to(&self, items: Vec<Value>) -> String {
        self.fake.set_items(items);
        self.sync().await
    }

    /// Syncs with an error of this status and returns its message.
    async fn sync_error(&self, status: u16) -> String {
        let response = self.admin.post("/api/sync-brandlive", json!({})).await;
        assert_eq!(response.status, status, "{}", response.text());
        response.error()
    }

    /// Waits until a sync has sent a request to the provider.
    async fn wait_for_request(&self) {
        for _ in 0..6_000 {
            if !self.fake.requests().is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the sync has sent no request");
    }

    /// The public events.
    async fn events(&self) -> Vec<Value> {
        self.app.visitor().get("/api/events").await.json().as_array().unwrap().clone()
    }

    /// The only public event.
    async fn event(&self) -> Value {
        let events = self.events().await;
        assert_eq!(events.len(), 1, "{events:?}");
        events[0].clone()
    }

    /// Saves an event as an admin does, with other values for some of its fields.
    async fn edit(&self, event: &Value, changes: Value) -> Value {
        let speaker = self.app.a_speaker(&self.admin).await;
        let mut fields = event.clone();
        for (key, value) in changes.as_object().unwrap() {
            fields[key] = value.clone();
        }
        let body = json!({ "event": fields, "speakerIds": [speaker] });
        let response = self.admin.put(&format!("/api/events/{}", event["id"]), body).await;
        assert_eq!(response.status, 200, "{}", response.text());
        response.json()
    }

    /// The number of finished syncs.
    fn runs(&self) -> i64 {
        self.app.rows("sync_runs")
    }

    /// The rows of every table that a sync may write, apart from the list of syncs.
    fn stored(&self) -> Vec<String> {
        let storage = self.app.storage();
        ["events", "sync_records", "content_version", "event_interests", "event_speakers"]
            .iter()
            .flat_map(|table| {
                let mut statement = storage.prepare(&format!("SELECT * FROM {table}")).unwrap();
                let columns = statement.column_count();
                let row = |row: &rusqlite::Row<'_>| {
                    let values: Vec<rusqlite::types::Value> =
                        (0..columns).map(|column| row.get(column)).collect::<Result<_, _>>()?;
                    Ok(format!("{table}: {values:?}"))
                };
                statement.query_map([], row).unwrap().map(Result::unwrap).collect::<Vec<_>>()
            })
            .collect()
    }
}
