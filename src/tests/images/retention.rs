//! How long an image is retained, and that it is stored once.

use image::ImageFormat;
use serde_json::json;

use super::samples::{encoded, halves};
use super::{upload, upload_url};
use crate::app;
use crate::platform::clock::Clock;
use crate::platform::db::{Db, DbOptions};
use crate::tests::support::{Client, TestApp, in_person_event, speaker, with};

async fn another(admin: &Client, width: u32) -> String {
    upload_url(admin, "image/png", encoded(&halves(width, 20), ImageFormat::Png)).await
}

#[tokio::test]
async fn the_same_image_is_stored_once() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let bytes = encoded(&halves(30, 30), ImageFormat::Png);
    let (first, second) =
        tokio::join!(upload(&admin, "image/png", bytes.clone()), upload(&admin, "image/png", bytes.clone()));
    let third = upload(&admin, "image/png", bytes).await;
    assert_eq!((first.status.as_u16(), second.status.as_u16(), third.status.as_u16()), (201, 201, 201));
    assert_eq!((first.json(), first.json()), (second.json(), third.json()));
    assert_eq!((app.rows("images"), app.rows("activity")), (1, 1));
}

#[tokio::test]
async fn an_unreferenced_image_is_removed_after_a_day() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (portrait, venue, deleted, lost) =
        (another(&admin, 31).await, another(&admin, 32).await, another(&admin, 33).await, another(&admin, 34).await);
    let form = with(speaker("Grace Obi"), "/imageUrl", json!(portrait));
    let speaker = admin.post("/api/speakers", form).await.created_id();
    let mut gone = 0;
    for url in [&venue, &deleted] {
        let event = in_person_event("Property walk", &[speaker]);
        gone = admin.post("/api/events", with(event, "/location/imageUrl", json!(url))).await.created_id();
    }
    assert_eq!(admin.delete(&format!("/api/events/{gone}")).await.status, 204);

    app.clock.advance(23 * 3600);
    let admin = app.sign_in_admin().await;
    another(&admin, 35).await;
    assert_eq!(app.visitor().get(&lost).await.status, 200, "a form may be open for a day");

    app.clock.advance(2 * 3600);
    another(&app.sign_in_admin().await, 36).await;
    assert_eq!(app.visitor().get(&lost).await.status, 404);
    for url in [&portrait, &venue, &deleted] {
        assert_eq!(app.visitor().get(url).await.status, 200, "{url}");
    }
}

#[tokio::test]
async fn unreferenced_images_are_removed_at_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    let db = Db::serve(&path, DbOptions::default()).unwrap();
    let storage = rusqlite::Connection::open(&path).unwrap();
    storage
        .execute_batch(
            "INSERT INTO events (id, title, date, time, description, registration_url, type, starts_at, deleted_at)
                 VALUES (1, '', '', '', '', '', '', '', '2020-01-01T00:00:00Z'),
                 (2, '', '', '', '', '', '', '', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'));
             INSERT INTO event_locations (event_id, venue_name, venue_address, city, state, image_url) VALUES
                 (1, '', '', '', '', '/pictures/aa.jpg'), (2, '', '', '', '', '/pictures/bb.jpg');
             INSERT INTO images (id, created_at) VALUES
                 ('aa', '2020-01-01T00:00:00Z'), ('bb', '2020-01-01T00:00:00Z'),
                 ('cc', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'));",
        )
        .unwrap();

    app::delete_expired(&db, &Clock::default()).await.unwrap();

    let left = |sql| -> String { storage.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(left("SELECT group_concat(id) FROM events"), "2");
    assert_eq!(left("SELECT group_concat(id, ',' ORDER BY id) FROM images"), "bb,cc");
    db.close();
}
