//! Repeated creates with an `Idempotency-Key`.

use serde_json::{Value, json};

use crate::app;
use crate::platform::clock::Clock;
use crate::platform::db::{Db, DbOptions};
use crate::tests::support::{ADMIN_PASSWORD, Client, TestApp, in_person_event, speaker};

const KEY: &str = "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"";

fn keyed(client: &Client, key: &str) -> Client {
    client.clone().with("idempotency-key", key)
}

fn user(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

#[tokio::test]
async fn a_repeated_create_gets_the_first_response_and_creates_nothing() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker_id = app.a_speaker(&admin).await;
    let requests = [
        ("/api/speakers", speaker("Grace Obi"), "speakers"),
        ("/api/events", in_person_event("Property walk", &[speaker_id]), "events"),
        ("/api/users", user("bob@example.com", ADMIN_PASSWORD), "users"),
    ];
    for (path, body, table) in requests {
        let first = keyed(&admin, KEY).post(path, body.clone()).await;
        let rows = (app.rows(table), app.rows("activity"));
        let again = keyed(&admin, KEY).post(path, body.clone()).await;
        // The same key without quotes.
        let bare = keyed(&admin, KEY.trim_matches('"')).post(path, body.clone()).await;

        assert_eq!(first.status, 201, "{path}: {}", first.text());
        for response in [again, bare] {
            assert_eq!((response.status, &response.body), (first.status, &first.body), "{path}");
            for header in ["content-type", "cache-control"] {
                assert_eq!(response.header(header), first.header(header), "{path}");
            }
        }
        assert_eq!((app.rows(table), app.rows("activity")), rows, "{path}");
    }
}

#[tokio::test]
async fn a_key_that_was_used_for_another_body_is_422() {
    let app = TestApp::start();
    let admin = keyed(&app.sign_in_admin().await, KEY);
    admin.post("/api/speakers", speaker("Grace Obi")).await.created_id();

    let other = admin.post("/api/speakers", speaker("Ada Lind")).await;

    assert_eq!(other.status, 422);
    assert_eq!(other.error(), "This Idempotency-Key was used for another request");
    assert_eq!(app.rows("speakers"), 1);
}

#[tokio::test]
async fn a_key_applies_to_one_user_and_one_endpoint() {
    let app = TestApp::start();
    let ada = app.sign_in_admin().await;
    app.another_admin(&ada, "bob@example.com").await;
    let bob = app.sign_in("bob@example.com", ADMIN_PASSWORD).await;
    for client in [&ada, &bob] {
        keyed(client, KEY).post("/api/speakers", speaker("Grace Obi")).await.created_id();
    }
    assert_eq!(app.rows("speakers"), 2);
    keyed(&ada, KEY).post("/api/users", user("eve@example.com", ADMIN_PASSWORD)).await.created_id();
}

#[tokio::test]
async fn concurrent_requests_with_one_key_create_once() {
    let app = TestApp::start();
    let admin = keyed(&app.sign_in_admin().await, KEY);
    let mut requests = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let admin = admin.clone();
        requests.spawn(async move { admin.post("/api/speakers", speaker("Grace Obi")).await.created_id() });
    }
    let ids = requests.join_all().await;
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(app.rows("speakers"), 1);
}

#[tokio::test]
async fn a_rejected_create_can_be_repeated_with_the_same_key() {
    let app = TestApp::start();
    let admin = keyed(&app.sign_in_admin().await, KEY);
    assert_eq!(admin.post("/api/speakers", json!({})).await.status, 400);
    assert_eq!(admin.post("/api/users", user("ada@example.com", ADMIN_PASSWORD)).await.status, 409);
    assert_eq!(app.rows("idempotency_keys"), 0);
    admin.post("/api/speakers", speaker("Grace Obi")).await.created_id();
}

#[tokio::test]
async fn a_malformed_key_is_400() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    for key in ["", "\"\"", "two words", &"k".repeat(256)] {
        assert_eq!(keyed(&admin, key).post("/api/speakers", speaker("Grace Obi")).await.status, 400, "{key}");
    }
    assert_eq!(app.rows("speakers"), 0);
}

#[tokio::test]
async fn no_password_is_stored_with_a_key_not_even_in_the_fingerprint() {
    let app = TestApp::start();
    let admin = keyed(&app.sign_in_admin().await, KEY);
    let first = admin.post("/api/users", user("bob@example.com", ADMIN_PASSWORD)).await.created_id();
    // The fingerprint does not depend on the password, so it does not help to guess one.
    let again = admin.post("/api/users", user("bob@example.com", "another password")).await.created_id();
    assert_eq!(first, again);
    let body: String = app.storage().query_row("SELECT body FROM idempotency_keys", [], |row| row.get(0)).unwrap();
    assert!(!body.contains(ADMIN_PASSWORD) && !body.contains("argon2"), "{body}");
}

#[tokio::test]
async fn keys_expire_after_24_hours_and_are_purged_by_the_next_create() {
    let app = TestApp::start();
    let admin = keyed(&app.sign_in_admin().await, KEY);
    admin.post("/api/speakers", speaker("Grace Obi")).await.created_id();
    app.clock.advance(25 * 3600);
    let admin = keyed(&app.sign_in_admin().await, KEY);
    admin.post("/api/speakers", speaker("Ada Lind")).await.created_id();
    assert_eq!((app.rows("speakers"), app.rows("idempotency_keys")), (2, 1));
}

#[tokio::test]
async fn a_server_that_starts_purges_expired_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    let db = Db::serve(&path, DbOptions::default()).unwrap();
    let storage = rusqlite::Connection::open(&path).unwrap();
    storage
        .execute_batch(
            "INSERT INTO users (id, email, password, role) VALUES (1, 'a@example.com', '', 'admin');
             INSERT INTO idempotency_keys (user_id, endpoint, key, fingerprint, status, body, created_at) VALUES
                 (1, '/api/events', 'old', x'00', 201, '{}', '2020-01-01T00:00:00Z'),
                 (1, '/api/events', 'new', x'00', 201, '{}', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'));",
        )
        .unwrap();

    app::delete_expired(&db, &Clock::default()).await.unwrap();

    let left: String =
        storage.query_row("SELECT group_concat(key) FROM idempotency_keys", [], |row| row.get(0)).unwrap();
    assert_eq!(left, "new");
    db.close();
}
