//! Real Varnish in front of the server, with the shipped configuration (docs/caching-varnish-nginx.md).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use rustix::process::Signal;
use serde_json::json;

use super::{at, go_to};
use crate::platform::config::Config;
use crate::tests::support::program::{EMAIL, PASSWORD, Server, command, create_admin};
use crate::tests::support::raw_client::{RawClient, Response};
use crate::tests::support::varnish::{Varnish, free_port};
use crate::tests::support::{TestApp, online_event, speaker, with};

/// The page of both caches.
const UNAVAILABLE: &str = include_str!("../../../packaging/caches/unavailable.html");

/// The title on the card of the next event.
fn next_event(page: &str) -> &str {
    let card = page.split_once(">Next Event</h2>").expect("the card").1;
    let title = card.split_once("<h3").and_then(|(_, rest)| rest.split_once('>')).expect("a title").1;
    title.split_once("</h3>").expect("a title").0
}

/// Requests a page until Varnish has it.
fn cached(visitor: &mut RawClient, path: &str) -> Response {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let response = visitor.get(path);
        if response.header("x-cache") == "HIT" {
            return response;
        }
        assert!(Instant::now() < deadline, "{path} is never cached: {}", response.head);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn varnish_shows_no_event_as_the_next_one_after_it_has_begun() {
    let mut config = Config::default();
    config.cache.seconds = Some(60);
    let app = TestApp::start_with(config);
    let Some(varnish) = Varnish::start(free_port(), app.listen().await) else { return };
    let admin = app.sign_in_admin().await;
    let speakers = [app.a_speaker(&admin).await];
    admin.post("/api/events", online_event("First", &speakers)).await.created_id();
    let second = with(online_event("Second", &speakers), "/event/date", json!("2031-03-13"));
    admin.post("/api/events", second).await.created_id();

    // 19:00 in New York.
    let begins = at("2031-03-12T23:00:00Z");
    go_to(&app, begins - TimeDelta::seconds(8));
    let clock = app.clock.clone();
    let read = move || {
        let mut visitor = varnish.visitor();
        let mut was_cached = false;
        // In its first second it is still the next one.
        let ends = begins + TimeDelta::seconds(1);
        loop {
            let requested_at = clock.now();
            let page = visitor.get("/");
            assert_eq!(page.status, 200);
            if requested_at > ends {
                assert_eq!(next_event(&page.text()), "Second", "{}", requested_at - begins);
            }
            if requested_at > ends + TimeDelta::seconds(2) {
                return was_cached;
            }
            was_cached |= page.header("x-cache") == "HIT";
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    assert!(tokio::task::spawn_blocking(read).await.unwrap(), "the page was never in the cache");
}

#[test]
fn admins_see_their_changes_at_once_visitors_after_the_purge_and_also_while_the_server_is_gone_and_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let address = free_port();
    // Without the purge, visitors would see the change after a day.
    let settings = format!(
        "[server]\ntrusted_proxies = [\"127.0.0.1\"]\n[log]\nrequests = true\n[cache]\nseconds = 86400\n\
         [cache.purge.varnish]\nurls = [\"http://{address}\"]\n"
    );
    std::fs::write(folder.path().join("config.toml"), settings).unwrap();
    create_admin(folder.path());
    let server = Server::start(folder.path(), &[]);
    let Some(varnish) = Varnish::start(address, server.address) else { return };
    let mut admin = varnish.visitor().sign_in(EMAIL, PASSWORD);
    let speaker = admin.post("/api/speakers", &speaker("Grace Obi")).created_id();
    let event = online_event("Reading a rent roll", &[speaker]);
    let created = admin.post("/api/events", &event);
    let (id, path) = (created.created_id(), created.json()["path"].as_str().unwrap().to_owned());

    let mut visitor = varnish.visitor();
    let before = cached(&mut visitor, &path);
    assert!(before.text().contains("One deal, read line by line."));
    assert_eq!(before.header("cache-control"), "no-cache");
    for name in ["cdn-cache-control", "surrogate-key", "x-request-id"] {
        assert_eq!(before.header(name), "", "{name}");
    }

    let changed = with(event, "/event/summary", json!("Two deals."));
    assert_eq!(admin.put(&format!("/api/events/{id}"), &changed).status, 200);
    let own = admin.get(&path);
    assert_eq!(own.header("x-cache"), "BYPASS");
    assert!(own.text().contains("Two deals."));

    server.wait_for("the purge", || visitor.get(&path).text().contains("Two deals.").then_some(()));
    cached(&mut visitor, &path);
    let server_address = server.address;
    server.kill();
    for _ in 0..3 {
        let stale = visitor.get(&path);
        assert_eq!((stale.status, stale.text().contains("Two deals.")), (200, true), "{}", stale.head);
    }
    assert_eq!(visitor.put("/api/events/1/interest", &json!({})).status, 503);
    let missing = visitor.get("/search?q=what+was+not+requested");
    assert_eq!((missing.status, missing.text().as_str()), (503, UNAVAILABLE), "{}", missing.head);
    assert_eq!((missing.header("cache-control"), missing.header("retry-after")), ("no-store", "30"));

    // Varnish has just been refused a connection, and the server purges everything when it is back.
    let is_back = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut other = varnish.visitor();
            let deadline = Instant::now() + Duration::from_mins(1);
            while !is_back.load(Ordering::Relaxed) && Instant::now() < deadline {
                other.get("/search?q=what+was+not+requested");
            }
        });
        let _server = Server::spawn(command(folder.path(), &["serve", "--listen", &server_address.to_string()]));
        is_back.store(true, Ordering::Relaxed);
        let deadline = Instant::now() + Duration::from_secs(2);
        let mut fetched = 0;
        while Instant::now() < deadline {
            let page = visitor.get(&path);
            assert_eq!(page.status, 200, "{}", page.head);
            fetched += usize::from(page.header("x-cache") == "MISS");
        }
        assert!(fetched > 0, "nothing was purged");
    });
}

#[test]
fn while_the_server_hangs_visitors_of_an_old_page_wait_3_seconds_together() {
    let folder = tempfile::tempdir().unwrap();
    // Without purges: the first one is a second after the start.
    std::fs::write(folder.path().join("config.toml"), "[cache]\nseconds = 1\n").unwrap();
    create_admin(folder.path());
    let server = Server::start(folder.path(), &[]);
    let Some(varnish) = Varnish::start(free_port(), server.address) else { return };
    cached(&mut varnish.visitor(), "/");
    // Too old for `stale-while-revalidate`, which is as long as `max-age`.
    std::thread::sleep(Duration::from_secs(3));

    server.hang();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut visitor = varnish.visitor();
                let requested_at = Instant::now();
                let page = visitor.get("/");
                let waited = requested_at.elapsed();
                assert_eq!((page.status, page.header("x-cache")), (200, "HIT"), "{}", page.head);
                // One after the other would take 12 s.
                assert!(waited < Duration::from_secs(7), "{waited:?}");
            });
        }
    });
    server.signal(Signal::CONT);
    server.stop();
}

#[test]
fn both_configurations_show_the_same_page_while_the_server_is_gone() {
    assert!(
        include_str!("../../../packaging/caches/varnish.vcl").contains(&format!("synthetic({{\"{UNAVAILABLE}\"}});"))
    );
    // Varnish has no file, and nothing that the page would load can be reached.
    assert!(!UNAVAILABLE.contains("\"}") && !UNAVAILABLE.contains("src=") && !UNAVAILABLE.contains("href="));
    let nginx = include_str!("../../../packaging/caches/nginx.conf");
    assert!(nginx.contains("alias /etc/nginx/lectern-unavailable.html;"));
}
