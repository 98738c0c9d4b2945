//! The activity log of a sync, and the sync of deleted and restored events.

use serde_json::json;

use super::SyncTest;
use crate::tests::support::fake_brandlive::{item, items};
use crate::tests::support::with;

/// `who action name` of every log entry about an event, the oldest first.
fn entries(site: &SyncTest) -> Vec<String> {
    let storage = site.app.storage();
    let mut statement = storage
        .prepare("SELECT who || ' ' || action || ' ' || name FROM activity WHERE subject = 'event' ORDER BY id")
        .unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn every_change_of_a_sync_is_in_the_activity_log_under_its_name() {
    let site = SyncTest::listing(vec![item("a", "Rent roll")]).await;
    site.sync().await;
    let path = format!("/api/events/{}/activity", site.event().await["id"]);
    let moved = with(item("a", "Rent roll"), "/start_date", json!("2031-03-14T23:00:00Z"));
    site.sync_to(vec![moved.clone()]).await;
    site.sync_to(vec![with(moved.clone(), "/status", json!("cancelled"))]).await;
    site.sync_to(vec![moved]).await;

    let entries = site.admin.get(&path).await.json();
    let entries = entries.as_array().unwrap();
    assert!(entries.iter().all(|entry| entry["who"] == "Brandlive sync"), "{entries:?}");
    let actions: Vec<_> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["changed", "changed", "changed", "created"]);
    assert_eq!(entries[0]["changes"], json!([{ "field": "status", "before": "hidden", "after": "published" }]));
    assert_eq!(entries[1]["changes"], json!([{ "field": "status", "before": "published", "after": "hidden" }]));
    assert_eq!(entries[2]["changes"], json!([{ "field": "date", "before": "2031-03-12", "after": "2031-03-14" }]));
    assert_eq!(entries[3]["changes"][0], json!({ "field": "title", "before": null, "after": "Rent roll" }));
}

#[tokio::test]
async fn a_sync_without_changes_adds_no_log_entry() {
    let site = SyncTest::listing(items(4)).await;
    site.sync().await;
    let before = entries(&site);
    assert_eq!(before.len(), 4);
    site.sync().await;
    assert_eq!(entries(&site), before);
    // Missing once is not yet a change of the event.
    site.sync_to(items(3)).await;
    assert_eq!(entries(&site), before);
    site.sync().await;
    assert_eq!(entries(&site).len(), 5, "only what was hidden");
    site.sync().await;
    assert_eq!(entries(&site).len(), 5);
}

#[tokio::test]
async fn a_restored_event_follows_the_provider_again() {
    let site = SyncTest::listing(items(4)).await;
    site.sync().await;
    let event = site.events().await[0].clone();
    let path = format!("/api/events/{}", event["id"]);
    assert_eq!(site.admin.delete(&path).await.status, 204);
    let mut news = items(4);
    for item in &mut news {
        *item = with(item.clone(), "/summary", json!("Anew"));
    }
    assert_eq!(site.sync_to(news).await, "0 created, 3 updated, 1 unchanged");
    assert_eq!(site.sync().await, "0 created, 0 updated, 4 unchanged");
    assert_eq!(site.events().await.len(), 3, "deleted here, it does not come back");

    assert_eq!(site.admin.send("POST", &format!("{path}/restore"), None).await.status, 200);
    assert_eq!(site.sync().await, "0 created, 1 updated, 3 unchanged");

    assert_eq!(site.events().await.len(), 4, "and it is not doubled");
    let back = site.events().await.into_iter().find(|other| other["id"] == event["id"]).unwrap();
    assert_eq!((&back["brandliveId"], &back["summary"]), (&event["brandliveId"], &json!("Anew")));
}

#[tokio::test]
async fn an_event_cancelled_while_deleted_is_hidden_after_its_restore() {
    let site = SyncTest::listing(items(4)).await;
    site.sync().await;
    let path = format!("/api/events/{}", site.events().await[0]["id"]);
    let id = site.events().await[0]["brandliveId"].clone();
    site.admin.delete(&path).await;
    let mut news = items(4);
    for item in news.iter_mut().filter(|item| item["uuid"] == id) {
        *item = with(item.clone(), "/status", json!("cancelled"));
    }
    assert_eq!(site.sync_to(news).await, "0 created, 0 updated, 4 unchanged");
    site.admin.send("POST", &format!("{path}/restore"), None).await;
    assert_eq!(site.sync().await, "0 created, 0 updated, 3 unchanged, 1 hidden");
    assert_eq!(site.events().await.len(), 3);
}
