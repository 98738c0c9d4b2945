//! Share images: their content, their immutable paths, and unusual text.

use std::io::Cursor;

use image::{DynamicImage, GenericImageView as _, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::json;

use super::support::{Client, TestApp, TestResponse, in_person_event, online_event, speaker, with};
use crate::features::events::Event;
use crate::features::share_images::path;
use crate::features::site_settings::ConfiguredSettings;
use crate::platform::config::Config;

/// The path of the image of an event.
async fn path_of_image(visitor: &Client, id: i64) -> String {
    let events: Vec<Event> = serde_json::from_value(visitor.get("/api/events").await.json()).unwrap();
    path(
        events.iter().find(|event| event.id == id).unwrap(),
        &ConfiguredSettings::new(&Config::default()).without_stored(),
    )
}

fn decode(response: &TestResponse) -> DynamicImage {
    assert_eq!(response.status, 200, "{}", response.text());
    let image = image::load_from_memory_with_format(&response.body, ImageFormat::Png).unwrap();
    assert_eq!(image.dimensions(), (1200, 630));
    image
}

/// The image of an event with this title.
async fn rendered(app: &TestApp, admin: &Client, title: &str) -> TestResponse {
    let speaker = app.a_speaker(admin).await;
    let id = admin.post("/api/events", online_event(title, &[speaker])).await.created_id();
    admin.get(&path_of_image(admin, id).await).await
}

#[tokio::test]
async fn the_image_of_an_event_is_immutable_and_may_be_shown_by_other_sites() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let response = app.visitor().get(&path_of_image(&admin, id).await).await;
    decode(&response);
    assert_eq!(response.header("content-type"), "image/png");
    assert_eq!(response.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(response.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(response.header("set-cookie"), "");
    assert!(response.body.len() < 200_000, "{} bytes", response.body.len());
}

#[tokio::test]
async fn the_path_changes_with_the_content_of_the_image_only() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let event = in_person_event("Property walk", &[speaker]);
    let id = admin.post("/api/events", event.clone()).await.created_id();
    let event_path = format!("/api/events/{id}");
    let first = path_of_image(&admin, id).await;
    let old = admin.get(&first).await;

    let other_text = with(event.clone(), "/event/description", json!("Not on the image."));
    assert_eq!(admin.put(&event_path, other_text).await.status, 200);
    assert_eq!(path_of_image(&admin, id).await, first);

    for (place, value) in [
        ("/event/title", "Another walk"),
        ("/event/date", "2031-03-13"),
        ("/event/time", "18:00"),
        ("/event/timezone", "America/Denver"),
        ("/event/type", "Special"),
        ("/location/city", "Boulder"),
    ] {
        assert_eq!(admin.put(&event_path, with(event.clone(), place, json!(value))).await.status, 200);
        assert_ne!(path_of_image(&admin, id).await, first, "{place}");
    }
    let present = path_of_image(&admin, id).await;
    let stale = app.visitor().get(&first).await;
    assert_eq!((stale.status.as_u16(), stale.header("location")), (307, present.clone()));
    assert_eq!(stale.header("cache-control"), "public, max-age=60");
    assert_ne!(app.visitor().get(&present).await.body, old.body);

    let mut renamed = ConfiguredSettings::new(&Config::default()).without_stored();
    renamed.name = "Another Company".to_owned();
    let events: Vec<Event> = serde_json::from_value(admin.get("/api/events").await.json()).unwrap();
    assert_ne!(path(&events[0], &renamed), present);
}

#[tokio::test]
async fn a_hidden_or_unknown_event_has_no_image() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let there = path_of_image(&admin, id).await;
    assert_eq!(app.visitor().get(&there).await.status, 200);
    app.write_as_another_process("UPDATE events SET status = 'hidden'", []);
    for path in [
        there.as_str(),
        "/share/99-0123456789abcdef.png",
        "/share/1.png",
        "/share/-.png",
        "/share/x-0123456789abcdef.png",
        "/share/99999999999999999999-0123456789abcdef.png",
        "/share/%FF",
        "/share/",
    ] {
        assert_eq!(app.visitor().get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn an_image_is_rendered_for_any_title() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let titles = [
        "🎉🏡 👩‍👩‍👧",
        "مرحبا بالعالم",
        "世界不动产投资",
        "Zoom: שלום and 世界 in one",
        "e\u{301}\u{302}\u{303}\u{304} Nguyễn Ångström ſtraße",
        "a\u{202E}b\u{2028}c\u{200B}\u{FEFF}\u{AD}",
        "</svg><script>alert(1)</script> \" ' & <",
        &"W".repeat(200),
        &"i ".repeat(100),
        "…",
    ];
    for title in titles {
        decode(&rendered(&app, &admin, title).await);
    }
}

#[tokio::test]
async fn a_title_without_glyphs_is_replaced_by_the_type() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let named_after_type = rendered(&app, &admin, "Investor Insights").await;
    assert_eq!(rendered(&app, &admin, "世界").await.body, named_after_type.body);
    let plain = rendered(&app, &admin, "Open house").await;
    assert_eq!(rendered(&app, &admin, "Open 🎉 house").await.body, plain.body, "an emoji leaves no gap");
}

#[tokio::test]
async fn only_portraits_of_this_server_are_shown() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let grace = admin.post("/api/speakers", speaker("Grace Obi")).await.created_id();
    let id = admin.post("/api/events", online_event("Reading a rent roll", &[grace])).await.created_id();
    let image_with = async |image_url: &str| {
        app.write_as_another_process("UPDATE speakers SET image_url = ?1", [image_url]);
        admin.get(&path_of_image(&admin, id).await).await
    };
    let initials = image_with("").await;
    assert_eq!(image_with("https://example.com/grace.jpg").await.body, initials.body, "nothing is fetched");
    assert_eq!(image_with("/pictures/none.jpg").await.body, initials.body);

    let green = Rgb([10, 200, 30]);
    let mut file = Cursor::new(Vec::new());
    DynamicImage::from(RgbImage::from_pixel(400, 500, green)).write_to(&mut file, ImageFormat::Jpeg).unwrap();
    let storage = app.storage();
    for (name, bytes) in [("a".repeat(32), file.into_inner()), ("b".repeat(32), b"not an image".to_vec())] {
        storage.execute("INSERT INTO images VALUES (?1, '2030-01-01T00:00:00Z')", [&name]).unwrap();
        storage.execute("INSERT INTO image_variants VALUES (?1, 400, 500, 'image/jpeg', ?2)", (name, bytes)).unwrap();
    }
    assert_eq!(image_with(&format!("/pictures/{}.jpg", "b".repeat(32))).await.body, initials.body);
    let shown = decode(&image_with(&format!("/pictures/{}.jpg", "a".repeat(32))).await);
    let near = |pixel: [u8; 4]| pixel.iter().zip(green.0).all(|(one, other)| one.abs_diff(other) < 12);
    let count = shown.pixels().filter(|(_, _, pixel)| near(pixel.0)).count();
    assert!(count > 50_000, "the portrait fills an arch: {count} pixels");

    // The transparent parts of a portrait show the color behind it, as on the page.
    let cut_out = RgbaImage::from_fn(400, 500, |x, _| Rgba(if x < 200 { [10, 200, 30, 255] } else { [0; 4] }));
    let mut file = Cursor::new(Vec::new());
    cut_out.write_to(&mut file, ImageFormat::Png).unwrap();
    let name = "c".repeat(32);
    storage.execute("INSERT INTO images VALUES (?1, '2030-01-01T00:00:00Z')", [&name]).unwrap();
    let insert = "INSERT INTO image_variants VALUES (?1, 400, 500, 'image/png', ?2)";
    storage.execute(insert, (&name, file.into_inner())).unwrap();
    let shown = decode(&image_with(&format!("/pictures/{name}.png")).await);
    let count = |expected: fn([u8; 4]) -> bool| shown.pixels().filter(|(_, _, pixel)| expected(pixel.0)).count();
    let (green, black) = (count(|pixel| pixel == [10, 200, 30, 255]), count(|pixel| pixel[..3] == [0; 3]));
    assert!(green > 25_000 && black < 100, "{green} green and {black} black pixels");
}

#[tokio::test]
async fn images_with_different_numbers_of_speakers_differ() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let mut speakers = Vec::new();
    let mut seen = Vec::new();
    for number in 1..=9 {
        let name = format!("Speaker Number{number} With-A-Rather-Long Name");
        speakers.push(admin.post("/api/speakers", speaker(&name)).await.created_id());
        let id = admin.post("/api/events", online_event("Round table", &speakers)).await.created_id();
        let response = admin.get(&path_of_image(&admin, id).await).await;
        decode(&response);
        assert!(!seen.contains(&response.body), "{number} speakers look like fewer");
        seen.push(response.body);
    }
}

#[tokio::test]
async fn concurrent_requests_get_the_same_image() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let there = path_of_image(&admin, id).await;
    let mut requests = tokio::task::JoinSet::new();
    for _ in 0..30 {
        let (visitor, there) = (app.visitor(), there.clone());
        requests.spawn(async move { visitor.get(&there).await.body });
    }
    let bodies = requests.join_all().await;
    assert!(bodies.iter().all(|body| *body == bodies[0] && !body.is_empty()));
}

#[tokio::test]
async fn the_home_page_has_an_image_with_its_title_and_the_next_event() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let image_of_home = async || {
        let html = app.visitor().get("/").await.text();
        let (_, rest) = html.split_once("<meta property=\"og:image\" content=\"").unwrap();
        let url = rest.split_once('"').unwrap().0;
        assert!(html.contains("<meta name=\"twitter:card\" content=\"summary_large_image\">"));
        url[url.find("/share/home-").unwrap()..].to_owned()
    };
    let empty = image_of_home().await;
    let first = decode(&app.visitor().get(&empty).await);

    app.an_online_event(&admin).await;
    let with_event = image_of_home().await;
    assert_ne!(with_event, empty);
    assert_ne!(decode(&app.visitor().get(&with_event).await), first);
    let stale = app.visitor().get(&empty).await;
    assert_eq!((stale.status.as_u16(), stale.header("location")), (307, with_event.clone()));

    let content = json!({ "heroTitle": "Another title", "heroSubtitle": "Words." });
    assert_eq!(admin.put("/api/page-content/home", content).await.status, 200);
    assert_ne!(image_of_home().await, with_event);
}
