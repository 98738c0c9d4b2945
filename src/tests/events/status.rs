//! The status of an event: what a draft needs, who sees which event and from when, and what the log says.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::params;
use serde_json::{Value, json};

use crate::features::events::{self, EventStatus};
use crate::platform::clock::timestamp;
use crate::tests::support::{Client, TestApp, in_person_event, online_event, with, without};

/// The response in which visitors could find an event, without its id.
const PUBLIC: [&str; 10] = [
    "/api/events",
    "/api/events?from=2000-01-01",
    "/?month=2031-03",
    "/calendar?month=2031-03",
    "/embed?month=2031-03",
    "/search?q=rent",
    "/api/search?q=rent",
    "/calendar.ics",
    "/feed.xml",
    "/sitemap.xml",
];

/// An online event with a status.
fn event(status: &str) -> Value {
    with(online_event("Reading a rent roll", &[1]), "/event/status", json!(status))
}

fn scheduled(at: DateTime<Utc>) -> Value {
    with(event("scheduled"), "/event/publishAt", json!(timestamp(at)))
}

/// The public responses that show an event, by its id and title.
async fn shown_in(visitor: &Client, id: i64) -> Vec<String> {
    let mut shown = Vec::new();
    for path in PUBLIC {
        let response = visitor.get(path).await;
        assert_eq!(response.status, 200, "{path}");
        if response.text().contains("eading-a-rent-roll") || response.text().contains("Reading a rent roll") {
            shown.push(path.to_owned());
        }
    }
    for path in [format!("/events/{id}-reading-a-rent-roll"), format!("/events/{id}-reading-a-rent-roll.ics")] {
        if visitor.get(&path).await.status == 200 {
            shown.push(path);
        }
    }
    shown
}

fn everywhere(id: i64) -> Vec<String> {
    let pages = [format!("/events/{id}-reading-a-rent-roll"), format!("/events/{id}-reading-a-rent-roll.ics")];
    PUBLIC.iter().map(|path| (*path).to_owned()).chain(pages).collect()
}

async fn unpublished(admin: &Client) -> Vec<Value> {
    admin.get("/api/events/unpublished").await.json().as_array().unwrap().clone()
}

#[tokio::test]
async fn a_published_event_looks_as_before_in_responses() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let created = {
        let speaker = app.a_speaker(&admin).await;
        admin.post("/api/events", online_event("Reading a rent roll", &[speaker])).await.json()
    };
    for key in ["status", "publishAt", "recordingUrl", "publishedAt", "hiddenAt", "previewToken"] {
        assert!(created.get(key).is_none(), "{key}");
    }
    assert_eq!(app.visitor().get("/api/events").await.json(), json!([created]));
    assert_eq!(shown_in(&app.visitor(), 1).await, everywhere(1));
}

#[tokio::test]
async fn a_draft_needs_only_a_title_and_everything_else_when_it_is_published() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let without_title = admin.post("/api/events", json!({ "event": { "status": "draft" } })).await;
    assert_eq!((without_title.status.as_u16(), without_title.fields()), (400, json!({ "title": "Title is required" })));
    let broken = json!({ "event": { "status": "draft", "title": "T", "date": "soon", "registrationUrl": "no URL" } });
    let fields = admin.post("/api/events", broken).await.fields();
    assert_eq!(fields, json!({ "date": "Date must be year-month-day", "registrationUrl": "Must be a valid URL" }));

    let draft = json!({ "event": { "title": "Reading a rent roll", "status": "draft" } });
    let created = admin.post("/api/events", draft.clone()).await;

    let id = created.created_id();
    let created = created.json();
    assert_eq!((&created["status"], &created["date"], &created["speakers"]), (&json!("draft"), &json!(""), &json!([])));
    assert_eq!(unpublished(&admin).await, [created]);
    assert!(shown_in(&app.visitor(), id).await.is_empty());

    let path = format!("/api/events/{id}");
    for status in ["published", "scheduled", "hidden", "cancelled", "postponed"] {
        let incomplete = with(draft.clone(), "/event/status", json!(status));
        let fields = admin.put(&path, incomplete).await.fields();
        for field in ["date", "time", "type", "summary", "description", "registrationUrl", "speakerIds"] {
            assert!(fields.get(field).is_some(), "{status}: {field}");
        }
        assert_eq!(fields.get("publishAt").is_some(), status == "scheduled", "{status}");
    }
    // Without a status it stays a draft.
    let kept = admin.put(&path, json!({ "event": { "title": "Another title" } })).await;
    assert_eq!((kept.status.as_u16(), &kept.json()["status"]), (200, &json!("draft")));
    assert_eq!(admin.put(&path, event("published")).await.status, 200);
    assert_eq!(shown_in(&app.visitor(), id).await, everywhere(id));
    assert!(unpublished(&admin).await.is_empty());
}

#[tokio::test]
async fn a_status_is_one_of_six_and_stays_with_a_save_without_one() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let path = format!("/api/events/{id}");
    let message = "Status must be draft, scheduled, published, hidden, cancelled or postponed";
    assert_eq!(admin.put(&path, event("paused")).await.field("status"), message);
    for at in ["", "tomorrow", "2031-03-12T09:00", "9999-12-31T23:59:00Z"] {
        let response = admin.put(&path, with(event("scheduled"), "/event/publishAt", json!(at))).await;
        assert!(!response.field("publishAt").is_empty(), "{at}");
    }
    for status in ["hidden", "cancelled", "postponed", "draft"] {
        let saved = admin.put(&path, event(status)).await;
        assert_eq!((saved.status.as_u16(), &saved.json()["status"]), (200, &json!(status)));
        let again = admin.put(&path, online_event("Another title", &[1])).await;
        assert_eq!((again.status.as_u16(), &again.json()["status"]), (200, &json!(status)));
    }
}

#[tokio::test]
async fn the_database_and_the_program_agree_which_statuses_are_public() {
    let app = TestApp::start();
    let id = app.an_online_event(&app.sign_in_admin().await).await;
    let (storage, now) = (app.storage(), Utc::now());
    let publish_at = timestamp(now + TimeDelta::hours(1));
    for status in EventStatus::ALL {
        let publish_at = Some(&publish_at).filter(|_| status == EventStatus::Scheduled);
        storage.execute("UPDATE events SET status = ?1, publish_at = ?2", params![status, publish_at]).unwrap();

        let seen = events::find_public(&storage, id, now).unwrap().is_some();

        assert_eq!(seen, status.is_public(), "{status:?}");
    }
}

#[tokio::test]
async fn visitors_see_a_cancelled_and_a_postponed_event_but_no_hidden_one() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let path = format!("/api/events/{id}");
    for status in ["cancelled", "postponed"] {
        assert_eq!(admin.put(&path, event(status)).await.status, 200);
        assert_eq!(shown_in(&app.visitor(), id).await, everywhere(id), "{status}");
        let listed = app.visitor().get("/api/events").await.json()[0].clone();
        assert_eq!(listed["status"], status);
        // Where only the title is shown, such as in search results and link previews, it has the mark.
        let html = app.visitor().get(listed["path"].as_str().unwrap()).await.text();
        let title = format!("{}{}: Reading a rent roll", status[..1].to_uppercase(), &status[1..]);
        assert!(html.contains(&format!("<title>{title} — ")), "{title}");
        assert!(html.contains(&format!("<meta property=\"og:title\" content=\"{title}\">")), "{title}");
    }
    for status in ["hidden", "draft"] {
        assert_eq!(admin.put(&path, event(status)).await.status, 200);
        // Subscribed calendars learn that it was withdrawn.
        assert_eq!(shown_in(&app.visitor(), id).await, ["/calendar.ics"], "{status}");
        assert!(app.visitor().get("/calendar.ics").await.text().contains("STATUS:CANCELLED"), "{status}");
        assert_eq!(unpublished(&admin).await.len(), 1);
    }
}

#[tokio::test]
async fn a_scheduled_event_appears_everywhere_at_its_minute_without_a_restart() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let start = app.clock.now();
    let response = admin.post("/api/events", scheduled(start + TimeDelta::minutes(40))).await;
    let id = response.created_id();
    let at: DateTime<Utc> = response.json()["publishAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(at.timestamp() % 60, 0, "a whole minute");
    // All responses are cached now, and the cache knows nothing of a later write.
    assert!(shown_in(&app.visitor(), id).await.is_empty());
    assert_eq!(unpublished(&admin).await.len(), 1);

    app.clock.advance((at - start).num_seconds() - 60);
    assert!(shown_in(&app.visitor(), id).await.is_empty(), "a minute before");
    app.clock.advance(61);

    assert_eq!(shown_in(&app.visitor(), id).await, everywhere(id));
    let admin = app.sign_in_admin().await;
    assert!(unpublished(&admin).await.is_empty());
    let listed = app.visitor().get("/api/events").await.json()[0].clone();
    assert!(listed.get("status").is_none() && listed.get("publishAt").is_none(), "{listed}");
    assert!(app.visitor().get("/feed.xml").await.text().contains(&format!("<published>{}</published>", timestamp(at))));
    // A save without a status leaves it published.
    let saved = admin.put(&format!("/api/events/{id}"), online_event("Reading a rent roll", &[1])).await.json();
    assert!(saved.get("status").is_none(), "{saved}");
    assert_eq!(shown_in(&app.visitor(), id).await, everywhere(id));
}

#[tokio::test]
async fn the_next_publication_ends_a_response_that_another_schedule_does_not_change() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_online_event(&admin).await;
    assert_eq!(app.visitor().get("/?month=2031-03").await.status, 200);
    // The page has the same content as before, but must end earlier.
    let at = app.clock.now() + TimeDelta::minutes(10);
    let second = with(scheduled(at), "/event/title", json!("The second one"));
    admin.post("/api/events", second).await.created_id();
    assert!(!app.visitor().get("/?month=2031-03").await.text().contains("The second one"));
    app.clock.advance(11 * 60);
    assert!(app.visitor().get("/?month=2031-03").await.text().contains("The second one"));
}

#[tokio::test]
async fn a_new_draft_that_is_deleted_was_never_public() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let later = app.clock.now() + TimeDelta::minutes(10);
    for body in [event("draft"), scheduled(later), event("hidden")] {
        let id = admin.post("/api/events", body).await.created_id();
        assert_eq!(admin.delete(&format!("/api/events/{id}")).await.status, 204);
        assert_eq!(app.visitor().get(&format!("/events/{id}-reading-a-rent-roll")).await.status, 404);
    }
    app.clock.advance(3600);
    assert!(!app.visitor().get("/calendar.ics").await.text().contains("VEVENT"));
    assert_eq!(app.visitor().get("/events/2-reading-a-rent-roll").await.status, 404, "it was deleted before its time");
}

#[tokio::test]
async fn only_admins_read_what_is_not_published() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let id = admin.post("/api/events", event("draft")).await.created_id();
    assert_eq!(admin.get("/api/events").await.json(), json!([]), "the public list is the same for everyone");
    assert_eq!(app.visitor().get("/api/events/unpublished").await.status, 401);
    assert_eq!(app.visitor().get(&format!("/api/events/{id}/interest")).await.status, 404);
    assert_eq!(app.visitor().get(&format!("/share/{id}-0123456789abcdef.png")).await.status, 404);
}

#[tokio::test]
async fn of_two_admins_who_change_the_status_the_second_gets_a_conflict() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let path = format!("/api/events/{id}");
    let save = |status: &str| with(event(status), "/revision", json!(1));
    assert_eq!(admin.put(&path, save("cancelled")).await.status, 200);
    let second = admin.put(&path, save("postponed")).await;
    assert_eq!((second.status.as_u16(), &second.json()["current"]["status"]), (409, &json!("cancelled")));
}

#[tokio::test]
async fn the_activity_names_changes_of_the_status() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let id = admin.post("/api/events", event("draft")).await.created_id();
    let path = format!("/api/events/{id}");
    let at = format!("{}:00Z", &timestamp(app.clock.now() + TimeDelta::days(1))[..16]);
    for body in [with(event("scheduled"), "/event/publishAt", json!(at)), event("published"), event("cancelled")] {
        assert_eq!(admin.put(&path, body).await.status, 200);
    }
    let entries = admin.get(&format!("{path}/activity")).await.json();
    let change = |before: &str, after: &str| json!({ "field": "status", "before": before, "after": after });
    assert_eq!(entries[0]["changes"], json!([change("published", "cancelled")]));
    let due = json!({ "field": "publishAt", "before": at, "after": null });
    assert_eq!(entries[1]["changes"], json!([change("scheduled", "published"), due]));
    assert_eq!(entries[2]["changes"][0], change("draft", "scheduled"));
}

#[tokio::test]
async fn a_recording_can_be_added_kept_and_removed() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let path = format!("/api/events/{id}");
    let url = "https://video.example.com/watch?v=1";
    let wrong = with(online_event("Reading a rent roll", &[1]), "/event/recordingUrl", json!("javascript:alert(1)"));
    assert_eq!(admin.put(&path, wrong).await.field("recordingUrl"), "Must be a valid URL");
    let recorded = with(online_event("Reading a rent roll", &[1]), "/event/recordingUrl", json!(url));
    assert_eq!(admin.put(&path, recorded.clone()).await.json()["recordingUrl"], url);
    assert_eq!(admin.put(&path, without(recorded.clone(), "/event/recordingUrl")).await.json()["recordingUrl"], url);
    assert!(
        app.visitor().get("/calendar.ics").await.text().replace("\r\n ", "").contains(&format!("Recording: {url}"))
    );
    let removed = admin.put(&path, with(recorded, "/event/recordingUrl", Value::Null)).await.json();
    assert!(removed.get("recordingUrl").is_none());
}

#[tokio::test]
async fn a_closed_event_takes_no_attendance_but_lets_visitors_leave() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_in_person_event(&admin).await;
    let interest = format!("/api/events/{id}/interest");
    let body = |action: &str, user: &str| json!({ "action": action, "userId": user });
    assert_eq!(app.visitor().put(&interest, body("add", "user_1_a")).await.status, 200);
    for (status, message) in [("cancelled", "This event is cancelled"), ("postponed", "This event is postponed")] {
        let saved = with(in_person_event("Property walk", &[1]), "/event/status", json!(status));
        assert_eq!(admin.put(&format!("/api/events/{id}"), saved).await.status, 200);
        let response = app.visitor().put(&interest, body("add", "user_2_b")).await;
        assert_eq!((response.status.as_u16(), response.error()), (409, message.to_owned()));
        assert_eq!(app.visitor().get(&interest).await.json()["count"], 1);
    }
    assert_eq!(app.visitor().put(&interest, body("remove", "user_1_a")).await.json()["count"], 0);
    let hidden = with(in_person_event("Property walk", &[1]), "/event/status", json!("hidden"));
    assert_eq!(admin.put(&format!("/api/events/{id}"), hidden).await.status, 200);
    assert_eq!(app.visitor().put(&interest, body("add", "user_2_b")).await.status, 404);
}

#[tokio::test]
async fn a_speaker_of_a_draft_alone_can_be_deleted() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    admin.post("/api/events", event("draft")).await.created_id();
    assert_eq!(admin.delete("/api/speakers/1").await.status, 204);
    assert_eq!(unpublished(&admin).await[0]["speakers"], json!([]));
}
