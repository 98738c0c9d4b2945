//! Events that are hidden from the public: only admins can list them.

use serde_json::json;

use crate::tests::support::TestApp;

#[tokio::test]
async fn only_admins_can_list_hidden_events() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (hidden, seen) = (app.an_in_person_event(&admin).await, app.an_in_person_event(&admin).await);
    assert_eq!(admin.get("/api/events/hidden").await.json(), json!([]));
    app.write_as_another_process("UPDATE events SET hidden_at = '2026-01-02T03:04:05Z' WHERE id = ?1", [hidden]);

    let list = admin.get("/api/events/hidden").await;

    assert_eq!(list.header("cache-control"), "no-store");
    let list = list.json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!((&list[0]["id"], &list[0]["location"]["city"]), (&json!(hidden), &json!("Denver")));
    assert_eq!(list[0]["speakers"].as_array().unwrap().len(), 1);
    assert_eq!(app.visitor().get("/api/events/hidden").await.status, 401);
    for path in ["/api/events", "/api/events?type=In-Person%20Events"] {
        for client in [&admin, &app.visitor()] {
            let public = client.get(path).await.json();
            assert_eq!((public.as_array().unwrap().len(), &public[0]["id"]), (1, &json!(seen)), "{path}");
        }
    }
    assert_eq!(app.visitor().get(&format!("/api/events/{hidden}/interest")).await.status, 404);
    assert_eq!(app.visitor().get(&format!("/api/events/{seen}/interest")).await.status, 200);
}
