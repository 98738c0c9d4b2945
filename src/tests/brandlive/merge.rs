//! The merge: events are created, updated, hidden and shown again, never duplicated; local edits stay.

use serde_json::json;

use super::SyncTest;
use crate::platform::db::{self, BusyTimeout};
use crate::tests::support::fake_brandlive::{item, items};
use crate::tests::support::{online_event, with, without};

#[tokio::test]
async fn the_first_sync_creates_events_with_the_mapped_fields() {
    let site = SyncTest::listing(vec![item("a", "Reading a rent roll")]).await;

    assert_eq!(site.sync().await, "1 created, 0 updated, 0 unchanged");

    let event = site.event().await;
    let expected = json!({
        "brandliveId": "a",
        "title": "Reading a rent roll",
        "date": "2031-03-12",
        "time": "19:00",
        "timezone": "America/New_York",
        "duration": "45 minutes",
        "summary": "One deal, read line by line.",
        "description": "Bring an offering.",
        "registrationUrl": "https://live.example.com/a",
        "type": "Investor Insights",
        "series": null,
        "location": null,
        "speakers": [],
        "startsAt": "2031-03-12T23:00:00Z",
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&event[key], value, "{key}");
    }
}

#[tokio::test]
async fn a_second_sync_without_changes_is_counted_and_writes_nothing_else() {
    let site = SyncTest::listing(items(5)).await;
    site.sync().await;
    let before = site.stored();

    assert_eq!(site.sync().await, "0 created, 0 updated, 5 unchanged");

    assert_eq!(site.stored(), before);
    assert_eq!(site.runs(), 2);
}

#[tokio::test]
async fn a_locally_edited_field_stays_and_the_others_follow_the_provider() {
    // Field, pointer, the provider's new value, its mapped form, the admin's value.
    let cases = [
        ("title", "/name", "Their title", "Their title", "Our title"),
        ("summary", "/summary", "Their summary", "Their summary", "Our summary"),
        ("description", "/description", "<p>Their text</p>", "Their text", "Our text"),
        (
            "registrationUrl",
            "/registration_url",
            "https://theirs.example/",
            "https://theirs.example/",
            "https://ours.example/",
        ),
        ("date", "/start_date", "2031-03-14T23:00:00Z", "2031-03-14", "2031-03-20"),
        ("time", "/start_date", "2031-03-12T22:00:00Z", "18:00", "20:15"),
        ("timezone", "/timezone", "America/Chicago", "America/Chicago", "America/Denver"),
    ];
    for (field, pointer, theirs, becomes, ours) in cases {
        let original = with(item("a", "Reading a rent roll"), "/duration", json!(60));
        let changed = with(original.clone(), pointer, json!(theirs));

        let site = SyncTest::listing(vec![original.clone()]).await;
        site.sync().await;
        assert_eq!(site.sync_to(vec![changed.clone()]).await, "0 created, 1 updated, 0 unchanged", "{field}");
        assert_eq!(site.event().await[field], becomes, "{field} follows");

        let site = SyncTest::listing(vec![original.clone()]).await;
        site.sync().await;
        let before = site.edit(&site.event().await, json!({ field: ours })).await;
        site.sync_to(vec![changed]).await;
        assert_eq!(site.event().await[field], ours, "{field} stays");
        assert_eq!(site.event().await["speakers"], before["speakers"], "{field}: speakers stay");
        // The provider goes back, the admin does not.
        site.sync_to(vec![original]).await;
        assert_eq!(site.event().await[field], ours, "{field} still stays");
    }
}

#[tokio::test]
async fn an_admins_time_keeps_its_zone() {
    let original = with(item("a", "Reading a rent roll"), "/duration", json!(60));
    let site = SyncTest::listing(vec![original.clone()]).await;
    site.sync().await;
    site.edit(&site.event().await, json!({ "time": "20:00" })).await;
    site.sync_to(vec![with(original, "/timezone", json!("America/Los_Angeles"))]).await;
    let event = site.event().await;
    assert_eq!((event["time"].as_str(), event["timezone"].as_str()), (Some("20:00"), Some("America/New_York")));
    assert_eq!(event["startsAt"], "2031-03-13T00:00:00Z");
}

#[tokio::test]
async fn a_field_saved_with_its_synced_value_follows_the_provider_again() {
    let original = with(item("a", "Theirs"), "/duration", json!(60));
    let site = SyncTest::listing(vec![original.clone()]).await;
    site.sync().await;
    let event = site.event().await;
    let path = format!("/api/events/{}/sync", event["id"]);
    assert_eq!(site.app.visitor().get(&path).await.status, 401);

    site.edit(&event, json!({ "title": "Ours" })).await;
    let synced = site.admin.get(&path).await.json();
    assert_eq!(synced["hiddenSince"], json!(null));
    assert_eq!(synced["fields"][0], json!({ "field": "title", "synced": "Theirs", "isLocal": true }));
    let local = synced["fields"].as_array().unwrap().iter().filter(|field| field["isLocal"] == true).count();
    assert_eq!((local, synced["fields"].as_array().unwrap().len()), (1, 8));

    site.edit(&event, json!({ "title": "Theirs" })).await;
    assert_eq!(site.admin.get(&path).await.json()["fields"][0]["isLocal"], false);
    site.sync_to(vec![with(original, "/name", json!("Theirs anew"))]).await;
    assert_eq!(site.event().await["title"], "Theirs anew");

    let own = site.app.an_online_event(&site.admin).await;
    assert_eq!(site.admin.get(&format!("/api/events/{own}/sync")).await.status, 404);
    assert_eq!(site.admin.get("/api/events/999/sync").await.status, 404);
}

#[tokio::test]
async fn type_and_series_are_synced_only_at_creation() {
    let mut listed = with(item("a", "Walk"), "/duration", json!(60));
    listed["type"] = json!("special");
    listed["series"] = json!("Spring");
    let site = SyncTest::listing(vec![listed.clone()]).await;
    site.sync().await;
    assert_eq!((&site.event().await["type"], &site.event().await["series"]), (&json!("Special"), &json!("Spring")));
    listed["type"] = json!("Physician on FIRE");
    listed["series"] = json!("Autumn");
    assert_eq!(site.sync_to(vec![listed]).await, "0 created, 0 updated, 1 unchanged");
}

#[tokio::test]
async fn a_deleted_event_is_not_synced_again() {
    let site = SyncTest::listing(items(4)).await;
    site.sync().await;
    let event = site.events().await[0].clone();
    assert_eq!(site.admin.delete(&format!("/api/events/{}", event["id"])).await.status, 204);
    let changed = items(4).into_iter().map(|item| with(item, "/summary", json!("Anew"))).collect();
    assert_eq!(site.sync_to(changed).await, "0 created, 3 updated, 1 unchanged");
    assert_eq!(site.events().await.len(), 3);
}

#[tokio::test]
async fn an_event_created_by_an_admin_with_the_id_keeps_its_values() {
    let site = SyncTest::listing(vec![item("a", "Theirs")]).await;
    let speaker = site.app.a_speaker(&site.admin).await;
    let own = with(online_event("Ours", &[speaker]), "/event/brandliveId", json!("a"));
    site.admin.post("/api/events", own).await.created_id();
    assert_eq!(site.sync().await, "0 created, 0 updated, 1 unchanged");
    assert_eq!(site.event().await["title"], "Ours");
    // Under another id it is another event's, and what stood under the first is not doubled.
    site.edit(&site.event().await, json!({ "brandliveId": "b" })).await;
    assert_eq!(site.sync_to(vec![item("a", "Theirs"), item("b", "Second")]).await, "0 created, 0 updated, 2 unchanged");
    assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged");
}

#[tokio::test]
async fn an_event_missing_from_two_listings_is_hidden_until_it_is_listed_again() {
    let site = SyncTest::listing(items(4)).await;
    site.sync().await;
    assert_eq!(site.sync_to(items(3)).await, "0 created, 0 updated, 3 unchanged");
    assert_eq!(site.events().await.len(), 4);
    assert_eq!(site.sync().await, "0 created, 0 updated, 3 unchanged, 1 hidden");
    assert_eq!(site.events().await.len(), 3);
    let before = site.stored();
    assert_eq!(site.sync().await, "0 created, 0 updated, 3 unchanged");
    assert_eq!(site.stored(), before);
    assert_eq!(site.app.rows("events"), 4, "nothing is deleted");
    assert_eq!(site.sync_to(items(4)).await, "0 created, 1 updated, 3 unchanged");
    assert_eq!(site.events().await.len(), 4);
}

#[tokio::test]
async fn a_listing_with_the_event_resets_the_missing_status() {
    let site = SyncTest::listing(items(4)).await;
    site.sync().await;
    site.sync_to(items(3)).await;
    site.sync_to(items(4)).await;
    site.sync_to(items(3)).await;
    assert_eq!(site.events().await.len(), 4);
}

#[tokio::test]
async fn a_cancelled_event_is_hidden_at_once_if_it_is_upcoming() {
    let cancelled = |id: &str| with(item(id, "Webinar"), "/status", json!("Canceled"));
    let site = SyncTest::listing(vec![item("a", "Webinar")]).await;
    site.sync().await;
    assert_eq!(site.sync_to(vec![cancelled("a"), cancelled("b")]).await, "0 created, 0 updated, 1 unchanged, 1 hidden");
    assert!(site.events().await.is_empty());
    assert_eq!(site.sync_to(vec![item("a", "Webinar")]).await, "0 created, 1 updated, 0 unchanged");

    let past = |item| with(item, "/start_date", json!("2021-03-12T23:00:00Z"));
    let site = SyncTest::listing(vec![past(item("a", "Webinar"))]).await;
    site.sync().await;
    assert_eq!(site.sync_to(vec![past(cancelled("a"))]).await, "0 created, 0 updated, 1 unchanged");
    site.event().await;
}

#[tokio::test]
async fn removals_of_more_than_a_third_wait_for_an_admin_and_everything_else_is_synced() {
    let site = SyncTest::listing(items(6)).await;
    site.sync().await;
    site.sync_to(items(3)).await;
    let mut news = items(3);
    news[0] = with(news[0].clone(), "/name", json!("Renamed"));
    news.push(item("new", "New"));
    site.fake.set_items(news);
    for message in [
        "1 created, 1 updated, 2 unchanged, 3 to be confirmed before they are hidden",
        "0 created, 0 updated, 4 unchanged, 3 to be confirmed before they are hidden",
    ] {
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        assert_eq!(result["message"], message);
        assert_eq!(result["pendingRemovals"][0], json!({ "id": "id-3", "title": "Webinar 3" }));
        assert_eq!(result["pendingRemovals"].as_array().unwrap().len(), 3);
        assert_eq!(site.events().await.len(), 7, "nothing is hidden");
    }
    let result = site.admin.post("/api/sync-brandlive", json!({ "acceptRemovals": true })).await.json();
    assert_eq!(
        (&result["message"], &result["pendingRemovals"]),
        (&json!("0 created, 0 updated, 4 unchanged, 3 hidden"), &json!([]))
    );
    assert_eq!(site.events().await.len(), 4);
    assert_eq!(site.sync().await, "0 created, 0 updated, 4 unchanged");
}

#[tokio::test]
async fn the_last_two_events_that_shrink_to_one_do_not_stop_later_syncs() {
    let site = SyncTest::listing(items(2)).await;
    site.sync().await;
    assert_eq!(site.sync_to(items(1)).await, "0 created, 0 updated, 1 unchanged");
    let unconfirmed = "0 created, 0 updated, 1 unchanged, 1 to be confirmed before they are hidden";
    assert_eq!(site.sync().await, unconfirmed);
    let renamed = with(items(1)[0].clone(), "/name", json!("Renamed"));
    assert_eq!(
        site.sync_to(vec![renamed]).await,
        "0 created, 1 updated, 0 unchanged, 1 to be confirmed before they are hidden"
    );
    assert_eq!(site.events().await.len(), 2);
}

#[tokio::test]
async fn an_accepted_empty_list_hides_every_upcoming_event() {
    let site = SyncTest::listing(items(2)).await;
    site.sync().await;
    site.fake.set_items(Vec::new());
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(
        result["pendingRemovals"],
        json!([{ "id": "id-0", "title": "Webinar 0" }, { "id": "id-1", "title": "Webinar 1" }])
    );
    let result = site.admin.post("/api/sync-brandlive", json!({ "acceptRemovals": true })).await.json();
    assert_eq!(result["message"], "0 created, 0 updated, 0 unchanged, 2 hidden");
    assert!(site.events().await.is_empty());
}

#[tokio::test]
async fn an_empty_listing_changes_nothing() {
    let site = SyncTest::listing(items(1)).await;
    site.sync().await;
    let before = (site.stored(), site.runs());
    site.fake.set_items(Vec::new());
    for _ in 0..3 {
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        assert_eq!(result["message"], "0 created, 0 updated, 0 unchanged, 1 to be confirmed before they are hidden");
        let problem = result["problem"].as_str().unwrap();
        assert!(problem.contains("lists no events at all") && problem.contains("nothing was changed"), "{problem}");
    }
    assert_eq!((site.stored(), site.runs()), before);
}

#[tokio::test]
async fn a_broken_item_is_reported_and_the_others_are_synced() {
    let mut listed = items(3);
    listed[1] = with(listed[1].clone(), "/registration_url", json!("javascript:alert(1)"));
    listed[2] = without(listed[2].clone(), "/uuid");
    let site = SyncTest::listing(listed).await;
    assert_eq!(site.sync().await, "1 created, 0 updated, 0 unchanged, 2 failed");
    assert_eq!(site.event().await["brandliveId"], "id-0");
}

#[tokio::test]
async fn a_broken_item_is_not_missing_and_an_item_without_an_id_hides_no_event() {
    let site = SyncTest::listing(items(4)).await;
    site.sync().await;
    let mut broken = items(4);
    broken[0] = with(broken[0].clone(), "/name", json!(""));
    broken[1] = without(broken[1].clone(), "/uuid");
    for _ in 0..3 {
        assert_eq!(site.sync_to(broken.clone()).await, "0 created, 0 updated, 2 unchanged, 2 failed");
    }
    assert_eq!(site.events().await.len(), 4);
}

#[tokio::test]
async fn the_first_of_two_items_with_the_same_id_is_synced() {
    let site = SyncTest::listing(vec![item("a", "First"), item("a", "Second"), item("b", "Other")]).await;
    assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged, 1 failed");
    assert!(site.events().await.iter().any(|event| event["title"] == "First"));
    assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged, 1 failed");
}

#[tokio::test]
async fn a_draft_counts_as_not_listed() {
    let draft = with(item("a", "Draft"), "/status", json!("draft"));
    let site = SyncTest::listing(vec![draft, item("b", "Live")]).await;
    assert_eq!(site.sync().await, "1 created, 0 updated, 0 unchanged");
    assert_eq!(site.event().await["brandliveId"], "b");
}

#[test]
fn the_migration_names_the_former_status_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    let mut connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
    db::apply_up_to(&mut connection, 3);
    connection
        .execute_batch(
            "INSERT INTO brandlive_imports (brandlive_id, snapshot, missed)
             VALUES ('a', '{}', 0), ('b', '{}', 1), ('c', '{}', 2), ('d', '{}', 3)",
        )
        .unwrap();
    drop(connection);
    db::migrate_file(&path).unwrap();
    let connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
    let mut statement = connection.prepare("SELECT status FROM sync_records ORDER BY brandlive_id").unwrap();
    let statuses: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(statuses, ["listed", "missing", "removed", "cancelled"]);
    assert!(connection.execute("UPDATE sync_records SET status = 'gone'", []).is_err());
}

#[tokio::test]
async fn the_status_that_an_admin_chose_stays_like_any_other_field() {
    let cancelled = |id: &str| with(item(id, "Webinar"), "/status", json!("Canceled"));
    let site = SyncTest::listing(vec![item("a", "Webinar")]).await;
    site.sync().await;
    let event = site.event().await;
    for status in ["cancelled", "postponed"] {
        site.edit(&event, json!({ "status": status })).await;
        site.sync_to(vec![cancelled("a")]).await;
        assert_eq!(site.event().await["status"], status, "the provider's cancellation does not hide it");
        site.sync_to(vec![item("a", "Webinar")]).await;
        assert_eq!(site.event().await["status"], status);
    }
    site.edit(&event, json!({ "status": "hidden" })).await;
    site.sync_to(vec![cancelled("a")]).await;
    site.sync_to(vec![with(item("a", "Webinar"), "/name", json!("Renamed"))]).await;
    assert!(site.events().await.is_empty(), "what an admin hid is not shown again");
    let renamed = site.admin.get("/api/events/unpublished").await.json();
    assert_eq!(renamed[0]["title"], "Renamed", "its other fields follow the provider");

    site.edit(&event, json!({ "status": "published" })).await;
    site.sync_to(vec![cancelled("a")]).await;
    assert!(site.events().await.is_empty(), "a published event follows the provider");
    site.edit(&event, json!({ "status": "published" })).await;
    site.sync().await;
    assert_eq!(site.events().await.len(), 1, "shown by an admin, it is not hidden twice");
}
