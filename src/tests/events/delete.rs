//! Deleting an event: its location, speakers and interests go with it, and nothing else.

use serde_json::json;

use crate::tests::support::TestApp;

#[tokio::test]
async fn all_that_belongs_to_an_event_goes_with_it() {
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

    let reply = admin.delete(&format!("/api/events/{gone}")).await;

    assert_eq!((reply.status.as_u16(), reply.body.len()), (204, 0));
    let storage = app.storage();
    for table in ["event_locations", "event_speakers", "event_interests", "user_event_interests"] {
        let count = |event: i64| -> i64 {
            let sql = format!("SELECT count(*) FROM {table} WHERE event_id = ?1");
            storage.query_row(&sql, [event], |row| row.get(0)).unwrap()
        };
        assert_eq!(count(gone), 0, "{table}");
        assert!(count(stays) > 0, "{table}");
    }
    assert_eq!(app.rows("speakers"), 2);
    let list = app.visitor().get("/api/events").await.json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["id"], stays);
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
async fn a_number_is_not_given_out_again() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let first = app.an_online_event(&admin).await;
    admin.delete(&format!("/api/events/{first}")).await;
    // A link to the old event must not lead to another one.
    assert!(app.an_online_event(&admin).await > first);
}
