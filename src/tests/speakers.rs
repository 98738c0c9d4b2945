//! Speakers: the list, changes, and rejected deletions.

use serde_json::{Value, json};

use super::support::{TestApp, in_person_event, online_event, speaker, with};

#[tokio::test]
async fn a_created_speaker_is_returned_trimmed_with_defaults() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let sent = json!({ "name": " Grace Obi ", "title": "Partner", "bio": "Line one.\n\nLine two.",
        "imageUrl": "/pictures/grace.webp", "type": "EM Team" });
    let response = admin.post("/api/speakers", sent).await;
    let id = response.created_id();
    let stored = response.json();
    assert_eq!(stored["name"], "Grace Obi");
    assert_eq!(stored["bio"], "Line one.\n\nLine two.");
    assert_eq!(stored["imageUrl"], "/pictures/grace.webp");
    assert_eq!(stored["type"], "EM Team");
    for key in ["createdAt", "updatedAt"] {
        let time = stored[key].as_str().unwrap();
        assert!(time.len() == 20 && time.ends_with('Z'), "{time}");
    }

    let least = admin.put(&format!("/api/speakers/{id}"), json!({ "name": "G", "title": "T" })).await.json();
    assert_eq!((&least["bio"], &least["imageUrl"], &least["type"]), (&Value::Null, &Value::Null, &json!("Guest")));
}

#[tokio::test]
async fn an_http_image_that_browsers_would_block_is_rejected() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let words = "Image URL must begin with https://, because browsers block http images on this site";
    let speaker = with(speaker("Grace Obi"), "/imageUrl", json!("http://example.com/a.png"));
    let rejected = admin.post("/api/speakers", speaker.clone()).await;
    assert_eq!(rejected.status, 400);
    assert_eq!(rejected.json()["fields"], json!({ "imageUrl": words }));
    let speaker = with(speaker, "/imageUrl", json!("https://example.com/a.png"));
    let id = admin.post("/api/speakers", speaker).await.created_id();
    let event = with(in_person_event("Walk", &[id]), "/location/imageUrl", json!("HTTP://example.com/a.png"));
    let rejected = admin.post("/api/events", event).await;
    assert_eq!(rejected.status, 400);
    assert_eq!(rejected.json()["fields"], json!({ "location.imageUrl": words }));
}

#[tokio::test]
async fn the_public_list_is_sorted_by_name() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    for name in ["chi", "Ada", "Ben", "ada"] {
        admin.post("/api/speakers", speaker(name)).await.created_id();
    }
    let response = app.visitor().get("/api/speakers").await;
    let names: Vec<Value> = response.json().as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["Ada", "ada", "Ben", "chi"]);
    let again = app.visitor().with("if-none-match", &response.header("etag")).get("/api/speakers").await;
    assert_eq!(again.status, 304);
}

#[tokio::test]
async fn the_only_speaker_of_an_event_cannot_be_deleted() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (grace, ben) = (app.a_speaker(&admin).await, admin.post("/api/speakers", speaker("Ben")).await.created_id());
    let event = admin.post("/api/events", online_event("Alone “quoted”", &[grace])).await.json();
    let alone = &event["id"];
    admin.post("/api/events", online_event("Together", &[grace, ben])).await.created_id();
    let before = app.everything(&admin).await;

    let rejected = admin.delete(&format!("/api/speakers/{grace}")).await;
    assert_eq!(rejected.status, 409);
    assert!(rejected.error().contains("“Alone “quoted””"), "{}", rejected.error());
    assert!(!rejected.error().contains("Together"), "{}", rejected.error());
    let named = json!([{ "id": alone, "title": "Alone “quoted”", "path": event["path"] }]);
    assert_eq!((&rejected.json()["events"], &rejected.json()["more"]), (&named, &json!(0)));
    assert_eq!(app.everything(&admin).await, before);

    // With another speaker at the event, the deletion succeeds.
    let path = format!("/api/events/{alone}");
    assert_eq!(admin.put(&path, online_event("Alone", &[grace, ben])).await.status, 200);
    assert_eq!(admin.delete(&format!("/api/speakers/{grace}")).await.status, 204);
    let list = app.visitor().get("/api/events").await.json();
    for event in list.as_array().unwrap() {
        let speakers = event["speakers"].as_array().unwrap();
        assert_eq!(speakers.iter().map(|one| one["speakerId"].as_i64().unwrap()).collect::<Vec<_>>(), [ben]);
    }
    assert_eq!(app.rows("event_speakers"), 2);
}

#[tokio::test]
async fn the_conflict_names_the_first_five_events_and_counts_the_others() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let grace = app.a_speaker(&admin).await;
    for day in (1..=7).rev() {
        let input = online_event(&format!("Talk {day}"), &[grace]);
        admin.post("/api/events", with(input, "/event/date", json!(format!("2031-03-0{day}")))).await.created_id();
    }
    let rejected = admin.delete(&format!("/api/speakers/{grace}")).await;
    let sentence = "This speaker is the only one of “Talk 1”, “Talk 2”, “Talk 3”, “Talk 4”, “Talk 5” and 2 more. \
        Give those events another speaker first.";
    assert_eq!((rejected.status.as_u16(), rejected.error()), (409, sentence.to_owned()));
    let body = rejected.json();
    let titles: Vec<&Value> = body["events"].as_array().unwrap().iter().map(|event| &event["title"]).collect();
    assert_eq!(titles, ["Talk 1", "Talk 2", "Talk 3", "Talk 4", "Talk 5"]);
    assert_eq!(body["more"], 2);
}

#[tokio::test]
async fn a_speaker_without_events_can_be_deleted_once() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let path = format!("/api/speakers/{}", app.a_speaker(&admin).await);
    assert_eq!(admin.delete(&path).await.status, 204);
    for response in [admin.delete(&path).await, admin.put(&path, speaker("Unknown")).await] {
        assert_eq!((response.status.as_u16(), response.error()), (404, "Speaker not found".to_owned()));
    }
    for response in [admin.delete("/api/speakers/x").await, admin.put("/api/speakers/1e3", speaker("Unknown")).await] {
        assert_eq!(response.status, 400);
    }
}

#[tokio::test]
async fn an_invalid_change_changes_nothing() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let path = format!("/api/speakers/{}", app.a_speaker(&admin).await);
    let before = app.everything(&admin).await;
    let wrong = json!({ "name": "New name", "title": " ", "imageUrl": "javascript:alert(1)", "type": "Host" });
    let response = admin.put(&path, wrong).await;
    assert_eq!(response.status, 400);
    let fields = json!({ "title": "Title is required", "imageUrl": "Must be a valid URL", "type": "Must be either 'EM Team' or 'Guest'" });
    assert_eq!(response.fields(), fields);
    assert_eq!(response.error(), "Title is required");
    assert_eq!(app.everything(&admin).await, before);
}

#[tokio::test]
async fn control_characters_are_removed() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let pasted = json!({ "name": "\u{0}Grace\u{7} Obi\u{1b}", "title": "Host", "bio": "One\u{b}Two\tthree\nfour", "type": "Guest" });
    let response = admin.post("/api/speakers", pasted).await;
    assert_eq!(response.status, 201);
    let speaker = response.json();
    assert_eq!((&speaker["name"], &speaker["bio"]), (&json!("Grace Obi"), &json!("One\nTwo\tthree\nfour")));

    let nothing = json!({ "name": "\u{0}\u{1}", "title": "Host", "type": "Guest" });
    let response = admin.post("/api/speakers", nothing).await;
    assert_eq!((response.status.as_u16(), &response.json()["fields"]["name"]), (400, &json!("Name is required")));
}

#[tokio::test]
async fn the_second_change_of_a_speaker_is_a_conflict() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let created = admin.post("/api/speakers", speaker("Grace Obi")).await;
    let path = format!("/api/speakers/{}", created.created_id());
    let save = |name: &str, revision: i64| with(speaker(name), "/revision", json!(revision));
    let first = admin.put(&path, save("Grace One", 1)).await;
    let second = admin.put(&path, save("Grace Two", 1)).await;
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 409));
    assert_eq!(second.error(), "This speaker was changed while you were editing it");
    assert_eq!(second.json()["current"], first.json());
    assert_eq!(app.visitor().get("/api/speakers").await.json()[0]["name"], "Grace One", "nothing changed");
    assert_eq!(app.rows("activity"), 2, "the speaker, and one change");
    assert_eq!(admin.put(&path, save("Grace Two", 2)).await.json()["revision"], 3);
    assert_eq!(admin.put(&path, speaker("Grace Three")).await.status, 200, "without a revision");
}
