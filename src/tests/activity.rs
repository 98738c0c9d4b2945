//! The activity log: every change by an admin with the values before and after, and never a password.

use serde_json::{Value, json};

use crate::tests::support::{ADMIN_EMAIL, ADMIN_PASSWORD, TestApp, in_person_event, online_event, speaker, with};

async fn activity_of(app: &TestApp, event: i64) -> Vec<Value> {
    let admin = app.sign_in_admin().await;
    let response = admin.get(&format!("/api/events/{event}/activity")).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json().as_array().unwrap().clone()
}

/// `who action subject name before after` of every entry.
fn all(app: &TestApp) -> Vec<String> {
    let storage = app.storage();
    let mut statement = storage
        .prepare("SELECT concat_ws(' ', who, action, subject, name, before, after) FROM activity ORDER BY id")
        .unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn the_activity_of_an_event_goes_from_its_creation_to_its_restoration() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    let second = admin.post("/api/speakers", speaker("Ada Bell")).await.created_id();
    let path = format!("/api/events/{id}");
    let mut change = in_person_event("Property walk, again", &[second, 1]);
    change["event"]["time"] = json!("18:30");
    change["location"]["city"] = json!("Boulder");
    assert_eq!(admin.put(&path, change.clone()).await.status, 200);
    assert_eq!(admin.put(&path, change).await.status, 200, "saved again without a change");
    admin.delete(&path).await;
    admin.send("POST", &format!("{path}/restore"), None).await;

    let entries = activity_of(&app, id).await;

    let actions: Vec<_> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["restored", "deleted", "changed", "created"]);
    assert!(entries.iter().all(|entry| entry["who"] == ADMIN_EMAIL));
    assert!(entries[0]["id"].as_i64() > entries[1]["id"].as_i64());
    let at = entries[0]["at"].as_str().unwrap();
    assert!(at.len() == 20 && at.ends_with('Z'), "{at}");
    assert_eq!(
        entries[2]["changes"],
        json!([
            { "field": "title", "before": "Property walk", "after": "Property walk, again" },
            { "field": "time", "before": "19:00", "after": "18:30" },
            { "field": "location.city", "before": "Denver", "after": "Boulder" },
            { "field": "speakers", "before": "Grace Obi", "after": "Ada Bell, Grace Obi" },
        ])
    );
    let created = entries[3]["changes"].as_array().unwrap();
    assert_eq!(created[0], json!({ "field": "title", "before": null, "after": "Property walk" }));
    assert!(!created.iter().any(|change| change["field"] == "series"), "blank fields are omitted");
    assert_eq!(entries[1]["changes"][1], json!({ "field": "date", "before": "2031-03-12", "after": null }));
}

#[tokio::test]
async fn the_activity_of_an_event_is_for_admins_and_is_limited() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let path = format!("/api/events/{id}");
    for number in 0..101 {
        let event = online_event(&format!("Title {number}"), &[1]);
        assert_eq!(admin.put(&path, event).await.status, 200);
    }
    let entries = activity_of(&app, id).await;
    assert_eq!(entries.len(), 100);
    assert_eq!(entries[0]["changes"][0]["after"], "Title 100");
    assert_eq!(app.visitor().get(&format!("{path}/activity")).await.status, 401);
    assert_eq!(admin.get("/api/events/999/activity").await.status, 404);
    // An event that is older than the log.
    app.write_as_another_process("DELETE FROM activity", []);
    assert_eq!(admin.get(&format!("{path}/activity")).await.json(), json!([]));
    admin.delete(&path).await;
    assert_eq!(activity_of(&app, id).await.len(), 1, "a deleted event still has its activity");
}

#[tokio::test]
async fn changes_of_other_entities_are_logged_too() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.a_speaker(&admin).await;
    let renamed = with(speaker("Grace Obi"), "/bio", json!(""));
    admin.put(&format!("/api/speakers/{id}"), renamed).await;
    admin.delete(&format!("/api/speakers/{id}")).await;
    admin.put("/api/page-content/home", json!({ "heroTitle": "Hello", "heroSubtitle": "There" })).await;
    admin.put("/api/page-content/home", json!({ "heroTitle": "Hello", "heroSubtitle": "There" })).await;
    admin.put("/api/page-content/home", json!({ "heroTitle": "Hello", "heroSubtitle": "You" })).await;

    let entries = all(&app);

    assert_eq!(entries.len(), 5, "{entries:#?}");
    assert!(
        entries[0].starts_with("ada@example.com created speaker Grace Obi {\"name\":\"Grace Obi\""),
        "{}",
        entries[0]
    );
    let bio = r#"ada@example.com changed speaker Grace Obi {"bio":"Reads rent rolls."} {"bio":null}"#;
    assert_eq!(entries[1], bio);
    assert!(entries[2].starts_with("ada@example.com deleted speaker Grace Obi {"), "{}", entries[2]);
    assert!(entries[3].contains(r#"{"heroTitle":"Event Calendar","#), "from the default content: {}", entries[3]);
    assert_eq!(
        entries[4],
        r#"ada@example.com changed page content home {"heroSubtitle":"There"} {"heroSubtitle":"You"}"#
    );
}

#[tokio::test]
async fn a_password_is_logged_only_as_changed() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.another_admin(&admin, "grace@example.com").await;
    let path = format!("/api/users/{id}");
    admin.put(&path, json!({ "email": "grace@example.com", "password": "" })).await;
    admin.put(&path, json!({ "email": "grace@example.com", "password": "another fine one" })).await;
    admin.put(&path, json!({ "email": "obi@example.com" })).await;
    admin.delete(&path).await;

    let entries = all(&app);

    let start = "ada@example.com";
    assert_eq!(
        entries,
        [
            format!(r#"{start} created user grace@example.com {{"email":"grace@example.com","role":"admin"}}"#),
            format!(r#"{start} changed user grace@example.com {{"password":null}} {{"password":"changed"}}"#),
            format!(
                r#"{start} changed user obi@example.com {{"email":"grace@example.com"}} {{"email":"obi@example.com"}}"#
            ),
            format!(r#"{start} deleted user obi@example.com {{"email":"obi@example.com","role":"admin"}}"#),
        ]
    );
    let text = entries.concat();
    assert!(!text.contains(ADMIN_PASSWORD) && !text.contains("another fine") && !text.contains("argon2"));
}

#[tokio::test]
async fn a_rejected_change_is_not_logged() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let before = app.rows("activity");
    assert_eq!(admin.delete("/api/speakers/1").await.status, 409);
    assert_eq!(admin.delete("/api/users/1").await.status, 403);
    assert_eq!(admin.put(&format!("/api/events/{id}"), online_event("A title", &[99])).await.status, 400);
    assert_eq!(admin.delete("/api/events/99").await.status, 404);
    assert_eq!(admin.delete("/api/speakers/99").await.status, 404);
    assert_eq!(app.rows("activity"), before);
}
