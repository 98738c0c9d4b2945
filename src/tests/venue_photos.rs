//! Venue photos: shared lookups within the quota, and failures of the provider.

use chrono::{TimeDelta, Utc};
use serde_json::json;

use super::support::fake_places::{FakePlaces, KEY, ProviderResponse, place};
use super::support::{Client, TestApp, in_person_event, with};

const PHOTO: &str = "/api/places/photo/place-1";
const IMAGE: &str = "/api/places/photo/place-1/image";

/// A server whose provider is the fake, with an event at `place-1`.
async fn server(places: &FakePlaces) -> TestApp {
    let app = TestApp::start_with(places.config());
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    app
}

fn address(at: u8) -> [u8; 4] {
    [203, 0, 113, at]
}

fn photo(uri: &str) -> ProviderResponse {
    ProviderResponse::Status(200, json!({ "photoUri": uri }).to_string())
}

#[tokio::test]
async fn a_photo_is_looked_up_once_for_both_endpoints_and_all_visitors() {
    let places = FakePlaces::start().await;
    let app = server(&places).await;

    let response = app.visitor().get(PHOTO).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let attributions = json!([{ "name": "Ada Obi", "uri": "https://maps.google.com/maps/contrib/1" }]);
    assert_eq!(response.json(), json!({ "photoUrl": IMAGE, "attributions": attributions }));
    assert_eq!(response.header("cache-control"), "no-store");
    for at in 1..20 {
        let response = app.visitor().at(address(at)).get(IMAGE).await;
        assert_eq!((response.status.as_u16(), response.header("cache-control")), (302, "no-store".to_owned()));
        assert_eq!(response.header("location"), "https://lh3.example.com/photo-1=w1600");
    }
    assert_eq!(
        places.requests(),
        ["/v1/places/place-1", "/v1/places/place-1/photos/photo-1/media?maxWidthPx=1600&skipHttpRedirect=true"]
    );
}

#[tokio::test]
async fn a_hundred_concurrent_visitors_cost_one_lookup() {
    let places = FakePlaces::start().await;
    let app = server(&places).await;
    let mut visitors = tokio::task::JoinSet::new();
    for at in 0..100 {
        let visitor = app.visitor().at(address(at));
        visitors.spawn(async move { visitor.get(if at % 2 == 0 { PHOTO } else { IMAGE }).await.status.as_u16() });
    }
    let statuses = visitors.join_all().await;
    assert!(statuses.iter().all(|status| [200, 302].contains(status)), "{statuses:?}");
    assert_eq!(places.lookups(), 1);
}

#[tokio::test]
async fn a_photo_is_looked_up_again_after_five_minutes() {
    let places = FakePlaces::start().await;
    let app = server(&places).await;
    app.visitor().get(PHOTO).await;
    app.clock.advance(4 * 60);
    app.visitor().get(IMAGE).await;
    assert_eq!(places.lookups(), 1);
    app.clock.advance(2 * 60);
    app.visitor().get(IMAGE).await;
    assert_eq!(places.lookups(), 2);
}

#[tokio::test]
async fn only_places_of_public_and_previewed_events_are_looked_up() {
    let places = FakePlaces::start().await;
    let app = server(&places).await;
    for unknown in ["place-2", "%FF", "..", "place-1%2Fphotos"] {
        for path in [format!("/api/places/photo/{unknown}"), format!("/api/places/photo/{unknown}/image")] {
            assert_eq!(app.visitor().get(&path).await.status, 404, "{path}");
        }
    }
    app.write_as_another_process("UPDATE events SET status = 'hidden'", []);
    assert_eq!(app.visitor().get(PHOTO).await.status, 404);
    assert_eq!(app.visitor().get(IMAGE).await.status, 404);
    assert_eq!(places.lookups(), 0);
    // A preview is the page as it will be.
    app.sign_in_admin().await.send("POST", "/api/events/1/preview-link", None).await;
    assert_eq!(app.visitor().get(PHOTO).await.status, 200);
}

#[tokio::test]
async fn a_place_id_with_special_characters_is_encoded_as_one_path_segment() {
    let places = FakePlaces::start().await;
    let app = TestApp::start_with(places.config());
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let event = with(in_person_event("Walk", &[speaker]), "/location/placeId", json!("../a/b?c#d e"));
    admin.post("/api/events", event).await.created_id();
    let response = app.visitor().get("/api/places/photo/..%2Fa%2Fb%3Fc%23d%20e").await;
    assert_eq!(response.json()["photoUrl"], "/api/places/photo/..%2Fa%2Fb%3Fc%23d%20e/image");
    assert_eq!(places.requests()[0], "/v1/places/..%2Fa%2Fb%3Fc%23d%20e");
    let image = app.visitor().get(response.json()["photoUrl"].as_str().unwrap()).await;
    assert_eq!(image.status, 302);
}

#[tokio::test]
async fn without_a_key_there_are_no_photos() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    for path in [PHOTO, IMAGE] {
        let response = app.visitor().get(path).await;
        assert_eq!((response.status.as_u16(), response.error().as_str()), (503, "Venue photos are not configured"));
    }
    assert_eq!(app.rows("place_lookups"), 0);
}

#[tokio::test]
async fn requests_per_address_and_minute_are_limited() {
    let places = FakePlaces::start().await;
    let mut config = places.config();
    config.limits.photo_per_minute = 2;
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    for path in [PHOTO, IMAGE] {
        let request = async |visitor: Client| visitor.get(path).await;
        assert_eq!(request(app.visitor()).await.status.as_u16() / 100, if path == PHOTO { 2 } else { 3 });
        request(app.visitor()).await;
        let third = request(app.visitor()).await;
        assert_eq!(third.status, 429);
        assert!(third.header("retry-after").parse::<u64>().unwrap() <= 31);
        assert_ne!(request(app.visitor().at([198, 51, 100, 9])).await.status, 429, "another address is not limited");
    }
}

#[tokio::test]
async fn a_limit_of_zero_is_off() {
    let places = FakePlaces::start().await;
    let mut config = places.config();
    config.limits.photo_per_minute = 0;
    config.limits.photo_per_day = 0;
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    for _ in 0..50 {
        assert_eq!(app.visitor().get(PHOTO).await.status, 200);
    }
    app.clock.advance(600);
    assert_eq!(app.visitor().get(PHOTO).await.status, 200);
    assert_eq!(places.lookups(), 2);
}

#[tokio::test]
async fn the_daily_quota_survives_a_restart_and_is_reset_at_midnight() {
    let places = FakePlaces::start().await;
    let mut config = places.config();
    config.limits.photo_per_day = 2;
    let app = TestApp::start_with(config.clone());
    // Noon of tomorrow, so that the day does not end while the test runs.
    let noon = (Utc::now().date_naive() + TimeDelta::days(1)).and_hms_opt(12, 0, 0).unwrap().and_utc();
    app.clock.advance((noon - Utc::now()).num_seconds());
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    assert_eq!(app.visitor().get(PHOTO).await.status, 200);
    app.clock.advance(600);
    assert_eq!(app.visitor().get(PHOTO).await.status, 200);

    drop(admin);
    let app = app.restart(config);
    app.clock.advance((noon - Utc::now()).num_seconds() + 1200);
    let spent = app.visitor().get(PHOTO).await;
    assert_eq!((spent.status.as_u16(), spent.error().as_str()), (503, "No more venue photos are looked up today"));
    let wait: i64 = spent.header("retry-after").parse().unwrap();
    assert!((11 * 3600..12 * 3600).contains(&wait), "{wait}");
    assert_eq!(app.visitor().get(IMAGE).await.status, 503);
    assert_eq!(places.lookups(), 2);

    app.clock.advance(wait);
    assert_eq!(app.visitor().get(PHOTO).await.status, 200);
    assert_eq!(app.rows("place_lookups"), 2);
}

#[tokio::test]
async fn a_place_without_a_photo_is_not_looked_up_again_for_hours() {
    let places = FakePlaces::start().await;
    let app = server(&places).await;
    for none in [ProviderResponse::Status(200, "{}".to_owned()), ProviderResponse::Status(404, "{}".to_owned())] {
        places.respond_with(none);
        let before = places.lookups();
        for path in [PHOTO, IMAGE, PHOTO] {
            let response = app.visitor().get(path).await;
            assert_eq!((response.status.as_u16(), response.error().as_str()), (404, "Photo not found"));
        }
        app.clock.advance(5 * 3600);
        assert_eq!(app.visitor().get(PHOTO).await.status, 404);
        assert_eq!(places.lookups(), before + 1);
        app.clock.advance(2 * 3600);
    }
}

#[tokio::test]
async fn an_invalid_provider_response_is_502_with_a_message() {
    let places = FakePlaces::start().await;
    let app = server(&places).await;
    let sends = |status: u16, body: &str| ProviderResponse::Status(status, body.to_owned());
    let good = || sends(200, &place().to_string());
    let named = |name: &str| sends(200, &json!({ "photos": [{ "name": name }] }).to_string());
    let cases = [
        (sends(500, "{}"), photo("https://a.example/")),
        (sends(403, &format!("the key {KEY} is not allowed")), photo("https://a.example/")),
        (sends(429, "{}"), photo("https://a.example/")),
        (sends(200, "{\"photos\": [{\"na"), photo("https://a.example/")),
        (sends(200, "<html>sign in to the Wi-Fi</html>"), photo("https://a.example/")),
        (sends(200, &format!("{{\"photos\": [], \"x\": \"{}\"}}", "x".repeat(3_000_000))), photo("https://a.example/")),
        (ProviderResponse::Redirect("http://169.254.169.254/".to_owned()), photo("https://a.example/")),
        (named("places/../photos/x"), photo("https://a.example/")),
        (named("https://evil.example/places/a/photos/x"), photo("https://a.example/")),
        (good(), sends(500, "{}")),
        (good(), sends(200, "{}")),
        (good(), ProviderResponse::Redirect("https://a.example/".to_owned())),
        (good(), photo("http://a.example/")),
        (good(), photo("javascript:alert(1)")),
        (good(), photo("//a.example/")),
        (good(), photo("https://user:password@a.example/")),
        (good(), photo(&format!("https://a.example/{}", "x".repeat(5_000)))),
    ];
    let mut wrong = Vec::new();
    for (number, (details, media)) in cases.into_iter().enumerate() {
        places.respond_with(details);
        places.respond_to_photo_with(media);
        // Results are cached, failures too.
        app.clock.advance(600);
        let response = app.visitor().at([198, 51, 100, u8::try_from(number).unwrap()]).get(PHOTO).await;
        let text = response.text();
        let fine = response.status == 502 && text.contains("can't be looked up at the moment") && !text.contains(KEY);
        if !fine {
            wrong.push((number, response.status, text));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");

    places.respond_with(good());
    places.respond_to_photo_with(photo("https://a.example/1\r\nset-cookie:2"));
    app.clock.advance(600);
    let good_again = app.visitor().get(IMAGE).await;
    // Line breaks are removed from URLs, as browsers do.
    assert_eq!(good_again.header("location"), "https://a.example/1set-cookie:2");
    assert_eq!(good_again.header("set-cookie"), "");
}

#[tokio::test]
async fn a_hanging_provider_times_out_and_is_requested_once() {
    let places = FakePlaces::start().await;
    let app = server(&places).await;
    places.respond_with(ProviderResponse::Hang);
    let waiting = (app.visitor(), app.visitor());
    let (first, second) = tokio::join!(waiting.0.get(PHOTO), waiting.1.get(IMAGE));
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (502, 502));
    assert_eq!(places.lookups(), 1);
}
