//! `/healthz` of a site under load.

use std::time::Duration;

use super::support::TestApp;
use crate::platform::db;

#[tokio::test]
async fn health_is_reported_while_all_readers_are_busy() {
    let app = TestApp::start();
    assert_eq!(app.visitor().get("/").await.status, 200);
    let busy = app.occupy_readers().await;
    let health = tokio::time::timeout(Duration::from_secs(5), app.visitor().get("/healthz")).await;
    drop(busy);
    let health = health.expect("it does not wait for the readers");
    assert_eq!(health.status, 200, "{}", health.text());
    assert_eq!(health.json()["schemaVersion"], db::newest_version());
}
