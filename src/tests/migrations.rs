//! Migration of databases of earlier releases.

use std::path::Path;

use chrono::Utc;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::features::events;
use crate::platform::clock::timestamp;
use crate::platform::db::{self, BusyTimeout};
use crate::tests::support::program::Server;
use crate::tests::support::query_one;

/// A deleted event as schema V2 stored it.
fn deleted(id: i64, title: &str, brandlive_id: Option<&str>) -> Value {
    let speakers = [2, 7, 1].map(|id| json!({ "speakerId": id, "speaker": { "id": id, "name": "N", "title": "T" } }));
    json!({
        "id": id, "path": format!("/events/{id}"), "brandliveId": brandlive_id, "series": "Spring walks",
        "title": title, "date": "2031-03-12", "time": "19:00", "duration": "90 minutes", "summary": "In short",
        "description": "At length", "registrationUrl": "https://example.com/r", "type": "In-Person Events",
        "calendarLinks": { "google": "https://example.com/g" }, "timezone": "America/Denver",
        "createdAt": "2020-02-03T04:05:06Z", "updatedAt": "2020-03-03T04:05:06Z", "startsAt": "2031-03-13T01:00:00Z",
        "revision": 4,
        "location": { "venueName": "Hall", "venueAddress": "1 Main St", "city": "Denver", "state": "CO",
            "imageUrl": "/pictures/aa.jpg", "placeId": "p-1" },
        "speakers": speakers,
        "hiddenAt": null,
    })
}

fn version_2(path: &Path, rows: &[(i64, String, bool)]) {
    let mut connection = db::connect(path, BusyTimeout::CommandLine).unwrap();
    db::apply_up_to(&mut connection, 2);
    connection
        .execute_batch(
            "INSERT INTO speakers (id, name, title) VALUES (1, 'Ada', 'Host'), (2, 'Grace', 'Guest');
             INSERT INTO events (id, brandlive_id, title, date, time, description, registration_url, type, starts_at)
             VALUES (1, 'bl-1', 'Live', '2031-01-01', '10:00', 'd', 'https://example.com', 'Special', '2031-01-01T15:00:00Z');
             INSERT INTO brandlive_imports (brandlive_id, event_id, snapshot) VALUES
                 ('bl-1', 1, '{}'), ('bl-2', NULL, '{}'), ('bl-3', NULL, '{}'), ('bl-purged', NULL, '{}');",
        )
        .unwrap();
    for (id, json, hidden) in rows {
        connection
            .execute(
                "INSERT INTO deleted_events (event_id, event, interests, was_hidden, sequence, deleted_at)
                 VALUES (?1, ?2, '[\"user_1_a\",\"user_1_b\"]', ?3, 40 + ?1, ?4)",
                rusqlite::params![id, json, hidden, timestamp(Utc::now())],
            )
            .unwrap();
    }
}

#[test]
fn events_deleted_under_schema_2_can_be_restored_under_schema_3() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    let mut hidden = deleted(3, "Hidden", Some("bl-3"));
    hidden["hiddenAt"] = json!("2026-01-02T03:04:05Z");
    let mut bare = deleted(6, "Bare", None);
    bare["location"] = Value::Null;
    version_2(
        &path,
        &[
            (2, deleted(2, "Walk", Some("bl-2")).to_string(), false),
            (3, hidden.to_string(), true),
            (4, deleted(4, "Its id is in use", Some("bl-1")).to_string(), false),
            (5, deleted(5, "Its id is also that of 2", Some("bl-2")).to_string(), false),
            (6, bare.to_string(), false),
            (7, "not JSON".to_owned(), false),
            (8, "{}".to_owned(), false),
        ],
    );
    let before: i64 = query_one(&Connection::open(&path).unwrap(), "SELECT version FROM content_version");

    let applied = db::migrate_file(&path).unwrap();

    assert_eq!(applied[0].name, "deleted_at");
    assert!(applied[0].backup.as_ref().is_some_and(|backup| backup.exists()), "a backup was made before the migration");
    let connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
    assert!(query_one::<i64>(&connection, "SELECT version FROM content_version") > before);
    assert_eq!(query_one::<i64>(&connection, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_eq!(query_one::<String>(&connection, "SELECT group_concat(id ORDER BY id) FROM events"), "1,2,3,4,5,6");
    let all = events::all_public(&connection, Utc::now(), &events::Filter::default()).unwrap();
    assert_eq!(all.iter().map(|event| event.title.as_str()).collect::<Vec<_>>(), ["Live"]);
    let ids = "SELECT group_concat(coalesce(brandlive_id, '-') ORDER BY id) FROM events";
    assert_eq!(query_one::<String>(&connection, ids), "bl-1,-,bl-3,-,bl-2,-");
    let records = "SELECT group_concat(brandlive_id || '=' || coalesce(event_id, '-') ORDER BY 1) FROM sync_records";
    assert_eq!(query_one::<String>(&connection, records), "bl-1=1,bl-2=5,bl-3=3,bl-purged=-");
    let sequences = "SELECT group_concat(sequence ORDER BY id) FROM events";
    assert_eq!(query_one::<String>(&connection, sequences), "0,42,43,44,45,46");

    let restored = db::in_transaction(&connection, |tx| events::restore(tx, 3, Utc::now())).unwrap().unwrap();

    assert_eq!(query_one::<String>(&connection, "SELECT hidden_at FROM events WHERE id = 3"), "2026-01-02T03:04:05Z");
    assert_eq!(query_one::<i64>(&connection, "SELECT sequence FROM events WHERE id = 3"), 44);
    assert_eq!(query_one::<i64>(&connection, "SELECT count FROM event_interests WHERE event_id = 3"), 2);
    let (mut expected, mut found) = (hidden, serde_json::to_value(&restored).unwrap());
    expected["speakers"] = json!([2, 1]);
    found["speakers"] = restored.speakers.iter().map(|speaker| speaker.speaker_id).collect();
    expected["revision"] = json!(5);
    expected["status"] = json!("hidden");
    for generated in ["path", "updatedAt"] {
        expected[generated] = found[generated].clone();
    }
    // Only the copy in `deleted_events` had it.
    expected.as_object_mut().unwrap().remove("hiddenAt");
    assert_eq!(found, expected);
    let bare = db::in_transaction(&connection, |tx| events::restore(tx, 6, Utc::now())).unwrap().unwrap();
    assert_eq!(bare.location, None);
}

#[test]
fn images_uploaded_under_schema_3_are_served_at_the_same_urls_under_schema_4() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    let id = "a".repeat(32);
    let mut connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
    db::apply_up_to(&mut connection, 3);
    connection.execute("INSERT INTO pictures VALUES (?1, '2030-01-02T03:04:05Z')", [&id]).unwrap();
    for (width, bytes) in [(320, "small"), (900, "large")] {
        connection
            .execute(
                "INSERT INTO picture_files VALUES (?1, ?2, 1200, 'image/jpeg', ?3)",
                rusqlite::params![id, width, bytes.as_bytes()],
            )
            .unwrap();
    }
    connection
        .execute(
            "INSERT INTO speakers (id, name, title, image_url) VALUES (1, 'Ada', 'Host', ?1)",
            [format!("/pictures/{id}.jpg")],
        )
        .unwrap();
    drop(connection);

    let server = Server::start(folder.path(), &[]);

    let image = server.visitor().get(&format!("/pictures/{id}.jpg"));
    assert_eq!((image.status, image.text()), (200, "large".to_owned()));
    server.stop();
    let connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
    assert_eq!(
        query_one::<String>(&connection, "SELECT id || created_at FROM images"),
        format!("{id}2030-01-02T03:04:05Z")
    );
    let variants = "SELECT group_concat(width || '=' || cast(bytes AS TEXT) ORDER BY width) FROM image_variants";
    assert_eq!(query_one::<String>(&connection, variants), "320=small,900=large");
    assert_eq!(query_one::<i64>(&connection, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    let deleted = connection.execute("DELETE FROM images", []).unwrap();
    assert_eq!((deleted, query_one::<i64>(&connection, "SELECT count(*) FROM image_variants")), (1, 0));
}

#[test]
fn events_and_attendance_of_schema_6_keep_who_sees_them_under_schema_8() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    let mut connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
    db::apply_up_to(&mut connection, 6);
    connection
        .execute_batch(
            "INSERT INTO events (id, title, date, time, description, registration_url, type, starts_at, hidden_at) VALUES
                 (1, 'Seen', '2031-01-01', '10:00', 'd', 'https://example.com', 'Special', '2031-01-01T15:00:00Z', NULL),
                 (2, 'Hidden', '2031-01-01', '10:00', 'd', 'https://example.com', 'Special', '2031-01-01T15:00:00Z',
                     '2026-01-02T03:04:05Z');
             INSERT INTO user_event_interests (event_id, user_id) VALUES (1, 'user_1_a'), (1, 'user_1_b');",
        )
        .unwrap();
    drop(connection);

    db::migrate_file(&path).unwrap();

    let connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
    let all = events::all_public(&connection, Utc::now(), &events::Filter::default()).unwrap();
    assert_eq!(all.iter().map(|event| event.title.as_str()).collect::<Vec<_>>(), ["Seen"]);
    let statuses =
        "SELECT group_concat(status || ' ' || sequence || ' ' || coalesce(hidden_at, '') ORDER BY id) FROM events";
    assert_eq!(query_one::<String>(&connection, statuses), "published 0 ,hidden 0 2026-01-02T03:04:05Z");
    assert_eq!(query_one::<i64>(&connection, "SELECT count FROM event_interests WHERE event_id = 1"), 2);
    assert_eq!(query_one::<Vec<u8>>(&connection, "SELECT title_key FROM events WHERE id = 1"), b"seen");
}
