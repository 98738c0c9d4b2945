//! Deleting an event: it disappears at once, and its rows are removed after 30 days.

use serde_json::json;

use crate::tests::support::TestApp;

#[tokio::test]
async fn the_rows_of_a_deleted_event_are_purged_after_30_days() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let gone = app.an_in_person_event(&admin).await;
    let stays = app.an_in_person_event(&admin).await;
    for event in [gone, stays] {
        for visitor in ["user_1_a", "user_1_b"] {
            let add = json!({ "action": "add", "userId": visitor });
            app.visitor().put(&format!("/api/events/{event}/interest"), add).await;
        }
    }
    let rows = |event: i64| -> Vec<i64> {
        ["event_locations", "event_speakers", "event_interests", "user_event_interests"]
            .map(|table| {
                let sql = format!("SELECT count(*) FROM {table} WHERE event_id = ?1");
                app.storage().query_row(&sql, [event], |row| row.get(0)).unwrap()
            })
            .to_vec()
    };

    let response = admin.delete(&format!("/api/events/{gone}")).await;

    assert_eq!((response.status.as_u16(), response.body.len()), (204, 0));
    assert_eq!(rows(gone), [1, 1, 1, 2]);
    let list = app.visitor().get("/api/events").await.json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["id"], stays);

    app.clock.advance(31 * 24 * 3600);
    let admin = app.sign_in_admin().await;
    let another = app.an_online_event(&admin).await;
    assert_eq!(admin.delete(&format!("/api/events/{another}")).await.status, 204);
    assert_eq!((rows(gone), rows(stays)), (vec![0; 4], vec![1, 1, 1, 2]));
    assert_eq!(app.rows("speakers"), 3);
}

#[tokio::test]
async fn an_event_can_be_deleted_once() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let path = format!("/api/events/{id}");
    assert_eq!(admin.delete(&path).await.status, 204);
    let again = admin.delete(&path).await;
    assert_eq!((again.status.as_u16(), again.error()), (404, "Event not found".to_owned()));
    assert_eq!(admin.delete("/api/events/abc").await.status, 400);
}

#[tokio::test]
async fn the_id_of_a_purged_event_is_not_used_again() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let first = app.an_online_event(&admin).await;
    app.storage().execute_batch("PRAGMA foreign_keys = ON; DELETE FROM events").unwrap();
    // A link to the old event must not lead to another one.
    assert!(app.an_online_event(&admin).await > first);
}
