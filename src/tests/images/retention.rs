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
async fn an_unreferenced_image_is_removed_after_a_month() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let mut images = Vec::new();
    for width in 31..=35 {
        images.push(another(&admin, width).await);
    }
    let [portrait, venue, deleted, replaced, lost] = &images[..] else { panic!("five images") };
    let form = with(speaker("Grace Obi"), "/imageUrl", json!(portrait));
    let speaker = admin.post("/api/speakers", form).await.created_id();
    let mut ids = Vec::new();
    for url in [venue, deleted, replaced] {
        let event = in_person_event("Property walk", &[speaker]);
        ids.push(admin.post("/api/events", with(event, "/location/imageUrl", json!(url))).await.created_id());
    }

    app.clock.advance(30 * 24 * 3600);
    let admin = app.sign_in_admin().await;
    another(&admin, 36).await;
    assert_eq!(app.visitor().get(lost).await.status, 200, "browsers keep the input of a form for 30 days");
    assert_eq!(admin.delete(&format!("/api/events/{}", ids[1])).await.status, 204);

    app.clock.advance(23 * 3600);
    let admin = app.sign_in_admin().await;
    let kind = json!({
        "events": [{ "id": ids[2], "revision": 1 }],
        "changes": { "type": "Special", "registrationUrl": "https://example.com/r" },
    });
    let edited = admin.post("/api/events/bulk-edits", kind).await;
    assert_eq!(edited.status, 201, "{}", edited.text());

    app.clock.advance(2 * 3600);
    let admin = app.sign_in_admin().await;
    another(&admin, 37).await;
    assert_eq!(app.visitor().get(lost).await.status, 404);
    for url in [portrait, venue, deleted, replaced] {
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
