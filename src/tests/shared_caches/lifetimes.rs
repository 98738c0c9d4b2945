//! The headers of responses, over moved clocks.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::{at, config, go_to};
use crate::assets;
use crate::platform::clock::timestamp;
use crate::platform::config::Config;
use crate::tests::support::{Client, TestApp, TestResponse, an_asset, in_person_event, online_event, with};

/// The responses for visitors, apart from those of single events and series.
const SHARED: [&str; 19] = [
    "/",
    "/?month=2031-04",
    "/calendar",
    "/calendar?type=Special",
    "/embed",
    "/search",
    "/search?q=rent",
    "/api/search?q=rent",
    "/calendar.ics",
    "/calendar.ics?type=investor-insights&alarm=30",
    "/feed.xml",
    "/sitemap.xml",
    "/robots.txt",
    "/site.webmanifest",
    "/api/events",
    "/api/events?from=2031-03-01&to=2031-03-31",
    "/api/speakers",
    "/api/page-content/home",
    "/api/openapi.json",
];
/// Responses that shared caches must not store.
const NOT_SHARED: [&str; 12] = [
    "/admin",
    "/admin/login",
    "/auth",
    "/auth-success",
    "/login-help",
    "/nothing",
    "/events/999-nothing",
    "/series/nothing",
    "/api/events/unpublished",
    "/api/auth/user",
    "/calendar.ics?type=nothing",
    "/healthz",
];
const SHARED_HEADERS: [&str; 4] = ["cdn-cache-control", "surrogate-control", "surrogate-key", "cache-tag"];

/// The seconds for which a shared cache may send a response: while it is fresh, and while it is requested again.
fn lifetime(response: &TestResponse) -> (i64, i64) {
    let targeted = response.header("cdn-cache-control");
    let number = |name: &str| {
        let (_, rest) = targeted.split_once(name).unwrap_or_else(|| panic!("no {name} in `{targeted}`"));
        rest.split(',').next().unwrap().trim().parse::<i64>().unwrap()
    };
    let (fresh, stale) = (number("max-age="), number("stale-while-revalidate="));
    assert_eq!(targeted, format!("max-age={fresh}, stale-while-revalidate={stale}, stale-if-error=86400"));
    let expected = format!(
        "public, max-age=0, must-revalidate, s-maxage={fresh}, stale-while-revalidate={stale}, stale-if-error=86400"
    );
    assert_eq!(response.header("cache-control"), expected);
    (fresh, stale)
}

fn assert_not_stored(response: &TestResponse, what: &str) {
    for name in SHARED_HEADERS {
        assert_eq!(response.header(name), "", "{what}: {name}");
    }
    let cache_control = response.header("cache-control");
    assert!(!cache_control.contains("s-maxage") && !cache_control.contains("stale"), "{what}: {cache_control}");
}

/// A server at a time at which nothing changes soon.
fn app_at_noon(config: Config) -> TestApp {
    let app = TestApp::start_with(config);
    go_to(&app, at("2031-03-01T17:00:00Z"));
    app
}

/// Paths of an event of a series, and of an in-person event.
async fn some_events(app: &TestApp, admin: &Client) -> Vec<String> {
    app.a_speaker(admin).await;
    let one = with(online_event("Reading a rent roll", &[1]), "/event/series", json!("Rent rolls"));
    let one = admin.post("/api/events", one).await.created_id();
    let two = admin.post("/api/events", in_person_event("Property walk", &[1])).await.created_id();
    let (one, two) = (format!("/events/{one}-reading-a-rent-roll"), format!("/events/{two}-property-walk"));
    vec![format!("{one}.ics"), one, two, "/series/rent-rolls".to_owned(), "/feed.xml?series=rent-rolls".to_owned()]
}

#[tokio::test]
async fn without_a_setting_responses_are_as_they_were() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let events = some_events(&app, &admin).await;
    for path in SHARED.into_iter().chain(events.iter().map(String::as_str)) {
        let response = app.visitor().get(path).await;
        assert_eq!((response.status.as_u16(), response.header("cache-control").as_str()), (200, "no-cache"), "{path}");
        assert_not_stored(&response, path);
        assert_eq!(admin.get(path).await.header("cache-control"), "no-cache", "{path}");
    }
}

#[tokio::test]
async fn what_is_the_same_for_every_visitor_may_be_stored_and_nothing_else() {
    let app = app_at_noon(config(60));
    let admin = app.sign_in_admin().await;
    let events = some_events(&app, &admin).await;
    for path in SHARED.into_iter().chain(events.iter().map(String::as_str)) {
        // Built, and then from the cache.
        for _ in 0..2 {
            let response = app.visitor().get(path).await;
            assert_eq!(response.status, 200, "{path}");
            assert_eq!(lifetime(&response), (60, 60), "{path}");
            assert!(response.header("surrogate-key").starts_with("all"), "{path}");
            assert_eq!(response.header("cache-tag") + &response.header("surrogate-control"), "", "{path}");
        }
        let full = app.visitor().get(path).await;
        let not_modified = app.visitor().with("if-none-match", &full.header("etag")).get(path).await;
        assert_eq!((not_modified.status.as_u16(), lifetime(&not_modified)), (304, (60, 60)), "{path}");
        let head = app.visitor().send("HEAD", path, None).await;
        assert_eq!(lifetime(&head), (60, 60), "{path}");
    }
    for path in NOT_SHARED {
        for client in [app.visitor(), admin.clone()] {
            assert_not_stored(&client.get(path).await, path);
        }
    }
    let moved = app.visitor().get(&events[1].replace("reading", "writing")).await;
    assert_eq!((moved.status.as_u16(), moved.header("cache-control").as_str()), (308, "no-cache"));
    let image = app.visitor().get("/share/home-0000000000000000.png").await;
    assert!(image.header("cache-control").starts_with("public, max-age="));
    assert_not_stored(&image, "an image");
}

#[tokio::test]
async fn what_changes_with_the_release_only_can_be_purged_and_is_the_same_for_everyone() {
    let hour = "public, max-age=3600, stale-if-error=86400";
    let mut expected = vec![("/embed.js", 200, hour), ("/calendar/", 308, hour), ("/events/12-a-walk/", 308, hour)];
    // A binary that was built without the web bundle has no files.
    if assets::template().is_some() {
        let file = "public, max-age=3600, stale-while-revalidate=2592000";
        expected.extend([("/favicon.ico", 200, file), ("/icons/icon-192.png", 200, file)]);
    }
    let mut both = config(60);
    both.cache.purge.cloudflare.zone_id = Some("z1".to_owned());
    for (config, keys) in [(both, "all"), (Config::default(), "")] {
        let app = TestApp::start_with(config);
        let clients = [
            app.visitor(),
            app.sign_in_admin().await,
            app.visitor().with("referer", "https://other.example/").with("sec-fetch-site", "cross-site"),
        ];
        for (path, status, cache_control) in &expected {
            for client in &clients {
                let response = client.get(path).await;
                assert_eq!(
                    (response.status.as_u16(), response.header("cache-control").as_str()),
                    (*status, *cache_control)
                );
                let [surrogate, tag] = ["surrogate-key", "cache-tag"].map(|name| response.header(name));
                assert_eq!((surrogate.as_str(), tag.as_str()), (keys, keys), "{path}");
                for name in ["cdn-cache-control", "surrogate-control", "set-cookie", "vary"] {
                    let is_coding = name == "vary" && response.header(name) == "accept-encoding";
                    assert!(response.header(name).is_empty() || is_coding, "{path}: {name}");
                }
            }
        }
        // Pages of an earlier release load it by its hash.
        if let Some(path) = an_asset() {
            assert_eq!(app.visitor().get(&path).await.header("surrogate-key"), "");
        }
    }
}

#[tokio::test]
async fn admins_and_cross_site_requests_get_the_same_content_for_themselves() {
    let app = app_at_noon(config(60));
    let admin = app.sign_in_admin().await;
    let events = some_events(&app, &admin).await;
    let marked = app.visitor().with_cookie("visitor", "a").with_cookie("lectern_signed_in", "1");
    let forged = app.visitor().with_cookie("__Host-lectern_session", "expired");
    let elsewhere = app.visitor().with("accept-encoding", "gzip, br").with("referer", "https://other.example/");
    for path in SHARED.into_iter().chain(events.iter().map(String::as_str)) {
        let for_visitors = app.visitor().get(path).await;
        for client in [&admin, &marked, &forged, &elsewhere] {
            let response = client.get(path).await;
            assert_eq!(response.header("cache-control"), "private, no-cache", "{path}");
            assert_not_stored(&response, path);
            assert_eq!(
                (&response.body, response.header("etag")),
                (&for_visitors.body, for_visitors.header("etag")),
                "{path}"
            );
        }
        assert_eq!(lifetime(&app.visitor().get(path).await), (60, 60), "{path}: what visitors get has not changed");
    }
}

#[tokio::test]
async fn fastly_and_cloudflare_get_their_own_headers() {
    let mut config = Config::default();
    config.cache.purge.fastly.service_id = Some("s1".to_owned());
    config.cache.purge.cloudflare.zone_id = Some("z1".to_owned());
    let app = app_at_noon(config);
    let response = app.visitor().get("/").await;
    // 60 seconds, because a cache is purged.
    assert_eq!(lifetime(&response), (60, 60));
    assert_eq!(response.header("surrogate-control"), response.header("cdn-cache-control"));
    assert_eq!(response.header("surrogate-key"), "all site page-content events speakers");
    assert_eq!(response.header("cache-tag"), "all,site,page-content,events,speakers");
}

#[tokio::test]
async fn no_response_may_be_sent_after_the_moment_at_which_it_becomes_false() {
    let app = app_at_noon(config(60));
    let admin = app.sign_in_admin().await;
    let [_, online, ..] = &some_events(&app, &admin).await[..] else { panic!("no events") };
    // The event starts on 12 March 2031 at 19:00 in New York and takes an hour; it is still the next one in that second.
    let (begins, ends) = (at("2031-03-12T23:00:01Z"), at("2031-03-13T00:00:00Z"));
    let new_year = at("2032-01-01T05:00:00Z");
    for (moment, paths) in [
        (begins, vec!["/", "/calendar", "/embed", "/search?q=rent", online.as_str(), "/series/rent-rolls"]),
        (ends, vec!["/", "/calendar", "/search?q=rent", "/api/search?q=rent", online.as_str(), "/series/rent-rolls"]),
        // Midnight in New York, of a month and of a year.
        (at("2031-03-14T04:00:00Z"), vec!["/", "/calendar", "/embed"]),
        (new_year, vec!["/", "/search", online.as_str(), "/series/rent-rolls"]),
    ] {
        for path in paths {
            for seconds in [500, 90, 40] {
                let (fresh, stale, [least, most]) = lifetime_before(&app, path, moment, seconds).await;
                let total = fresh + stale;
                assert!(
                    (least.min(120)..=most.min(120)).contains(&total) && fresh == total.min(60),
                    "{path}, {least} to {most} seconds before {moment}: {fresh} + {stale}"
                );
            }
        }
    }
    let (fresh, stale, [least, most]) = lifetime_before(&app, "/calendar.ics", new_year, 40).await;
    assert!((least..=most).contains(&fresh) && stale == 0, "events leave calendars at midnight: {fresh} + {stale}");
}

/// The lifetime of a page these seconds before a moment, and the least and the most time that was left while it was
/// requested: a second less, for caches that count whole seconds.
async fn lifetime_before(app: &TestApp, path: &str, moment: DateTime<Utc>, seconds: i64) -> (i64, i64, [i64; 2]) {
    let left = || (moment - app.clock.now()).num_seconds() - 1;
    go_to(app, moment - TimeDelta::seconds(seconds));
    let most = left();
    let (fresh, stale) = lifetime(&app.visitor().get(path).await);
    (fresh, stale, [left(), most])
}

#[tokio::test]
async fn within_the_time_that_a_cache_may_send_it_a_response_would_be_built_the_same() {
    let app = TestApp::start_with(config(86_400));
    go_to(&app, at("2031-03-10T12:00:00Z"));
    let admin = app.sign_in_admin().await;
    let events = some_events(&app, &admin).await;
    let soon = timestamp(at("2031-03-11T09:00:00Z"));
    let scheduled = with(online_event("Scheduled", &[1]), "/event/series", json!("Rent rolls"));
    let scheduled = with(with(scheduled, "/event/status", json!("scheduled")), "/event/publishAt", json!(soon));
    admin.post("/api/events", scheduled).await.created_id();
    let deleted = admin.post("/api/events", online_event("Deleted", &[1])).await.created_id();
    assert_eq!(admin.delete(&format!("/api/events/{deleted}")).await.status, 204);
    let notice = json!({ "name": "Ours", "noticeText": "Snow", "noticeEndsAt": "2031-03-10T20:30:00Z" });
    assert_eq!(admin.put("/api/site-settings", notice).await.status, 200);
    let paths: Vec<&str> = SHARED.into_iter().chain(events.iter().map(String::as_str)).collect();

    let mut kept = 0;
    for _ in 0..14 {
        let mut before = Vec::new();
        for path in &paths {
            let response = app.visitor().get(path).await;
            let now = app.clock.now();
            let (fresh, stale) =
                if response.header("cdn-cache-control").is_empty() { (0, 0) } else { lifetime(&response) };
            before.push((*path, now + TimeDelta::seconds(fresh + stale), response));
        }
        let first = before.iter().map(|(_, until, _)| *until).min().unwrap();
        // Shortly before the first of them ends.
        go_to(&app, first.max(app.clock.now() + TimeDelta::seconds(6)) - TimeDelta::seconds(5));
        // Builds all of them again.
        app.write_as_another_process("UPDATE content_version SET version = version + 1", []);
        for (path, until, response) in &before {
            let again = app.visitor().get(path).await;
            if app.clock.now() < *until {
                assert_eq!(again.text(), response.text(), "{path} at {}, fresh until {until}", app.clock.now());
                kept += 1;
            }
        }
        go_to(&app, app.clock.now() + TimeDelta::seconds(7));
    }
    assert!(kept > 14 * 10, "{kept} responses were compared");
}
