//! The requests that purge shared caches after changes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::features::cache_purge;
use crate::platform::config::{Config, Secret};
use crate::tests::support::fake_cache::{FakeCache, FakeResponse, TOKEN};
use crate::tests::support::{Client, TestApp, online_event, speaker};

/// A configuration with one URL that gets the purges.
fn purging(cache: &FakeCache) -> Config {
    let mut config = Config::default();
    config.cache.purge.url.url = Some(cache.url("/purge").parse().unwrap());
    config.cache.purge.url.token = Secret::new(TOKEN);
    config
}

async fn problems(app: &TestApp) -> (String, Vec<Value>) {
    let report = app.visitor().get("/healthz").await;
    assert_eq!(report.status, 200);
    let report = report.json();
    (report["status"].as_str().unwrap().to_owned(), report["problems"].as_array().unwrap().clone())
}

/// Waits until `/healthz` has this status, for up to a minute.
async fn wait_for_status(app: &TestApp, status: &str) -> Vec<Value> {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let (now, problems) = problems(app).await;
        if now == status {
            return problems;
        }
        assert!(Instant::now() < deadline, "it is still {now}: {problems:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until no change is recorded.
async fn wait_until_deleted(app: &TestApp) {
    app.wait_until("no change is recorded", || app.rows("changed_cache_keys") == 0).await;
}

async fn an_event(admin: &Client, title: &str) -> i64 {
    admin.post("/api/events", online_event(title, &[1])).await.created_id()
}

#[tokio::test]
async fn each_kind_of_cache_is_purged_at_the_start_and_then_after_changes() {
    let [fastly, cloudflare, varnish, second_varnish, nginx, other] = [
        FakeCache::start().await,
        FakeCache::start().await,
        FakeCache::start().await,
        FakeCache::start().await,
        FakeCache::start().await,
        FakeCache::start().await,
    ];
    let mut config = purging(&other);
    let purge = &mut config.cache.purge;
    purge.fastly.service_id = Some("SU1Z".to_owned());
    purge.fastly.token = Secret::new(TOKEN);
    purge.fastly.base_url = fastly.url("/").parse().unwrap();
    purge.cloudflare.zone_id = Some("023e105f".to_owned());
    purge.cloudflare.token = Secret::new(TOKEN);
    purge.cloudflare.base_url = cloudflare.url("/client/v4").parse().unwrap();
    purge.varnish.urls = vec![varnish.url("").parse().unwrap(), second_varnish.url("/").parse().unwrap()];
    purge.nginx.urls = vec![nginx.url("/purge").parse().unwrap()];
    varnish.respond_with(FakeResponse::Status(200));
    let app = TestApp::start_with(config);
    let _task = app.purge_shared_caches();
    let caches = [&fastly, &cloudflare, &varnish, &second_varnish, &nginx, &other];
    for cache in caches {
        assert_eq!(cache.wait_for_purges(1).await.len(), 1, "once");
    }
    let admin = app.sign_in_admin().await;
    admin.post("/api/speakers", speaker("Ada")).await.created_id();

    let last = |cache: &FakeCache| cache.purges().last().unwrap().clone();
    for cache in caches {
        cache.wait_for_purges(2).await;
    }
    let (first, purge) = (fastly.purges()[0].clone(), last(&fastly));
    assert_eq!((first.method.as_str(), first.path.as_str()), ("POST", "/service/SU1Z/purge"));
    assert_eq!((first.header("fastly-key"), first.json()), (TOKEN, json!({ "surrogate_keys": ["all"] })));
    assert_eq!((purge.header("fastly-soft-purge"), purge.json()), ("", json!({ "surrogate_keys": ["speakers"] })));
    let (first, purge) = (cloudflare.purges()[0].clone(), last(&cloudflare));
    assert_eq!((first.method.as_str(), first.path.as_str()), ("POST", "/client/v4/zones/023e105f/purge_cache"));
    assert_eq!((first.header("authorization"), first.json()), ("Bearer hush-4711", json!({ "tags": ["all"] })));
    assert_eq!((purge.header("content-type"), purge.json()), ("application/json", json!({ "tags": ["speakers"] })));
    for cache in [&varnish, &second_varnish] {
        let (first, purge) = (cache.purges()[0].clone(), last(cache));
        assert_eq!((first.method.as_str(), first.path.as_str(), first.header("surrogate-key")), ("BAN", "/", "all"));
        assert_eq!((purge.method.as_str(), purge.header("surrogate-key")), ("BAN", "speakers"));
    }
    for purge in nginx.purges() {
        assert_eq!((purge.method.as_str(), purge.path.as_str(), purge.body.as_str()), ("PURGE", "/purge", ""));
    }
    let (first, purge) = (other.purges()[0].clone(), last(&other));
    assert_eq!((first.header("authorization"), first.json()), ("Bearer hush-4711", json!({ "everything": true })));
    assert_eq!(purge.json(), json!({ "keys": ["speakers"] }));
    wait_until_deleted(&app).await;
    assert_eq!(problems(&app).await.0, "ok");
}

#[tokio::test]
async fn a_cache_that_requests_what_was_purged_gets_the_new_content() {
    let cache = FakeCache::start().await;
    let app = TestApp::start_with(purging(&cache));
    cache.look_as(app.visitor());
    let _task = app.purge_shared_caches();
    cache.wait_for_purges(1).await;
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    for number in 0..5 {
        let title = format!("Event number {number}");
        let id = an_event(&admin, &title).await;
        cache.wait_for_key(&format!("event-{id}")).await;
        let purges = cache.purges();
        let purge = purges.iter().find(|purge| purge.keys().contains(&format!("event-{id}"))).unwrap();
        assert!(purge.seen.contains(&title), "{title} is not in {}", purge.seen);
    }
    // By another process, such as a cron job.
    app.write_as_another_process("UPDATE events SET title = 'By cron' WHERE title = 'Event number 0'", []);
    let count = cache.purges().len();
    let purges = cache.wait_for_purges(count + 1).await;
    assert!(purges.last().unwrap().seen.contains("By cron"));
}

#[tokio::test]
async fn changes_are_collected_to_one_request_a_second() {
    let cache = FakeCache::start().await;
    let app = TestApp::start_with(purging(&cache));
    let _task = app.purge_shared_caches();
    cache.wait_for_purges(1).await;
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let started = Instant::now();
    let mut expected = BTreeSet::new();
    while started.elapsed() < Duration::from_millis(2_500) {
        expected.insert(format!("event-{}", an_event(&admin, "One of many").await));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    wait_until_deleted(&app).await;
    let purges = cache.purges();
    for pair in purges.windows(2) {
        // They are sent at an interval of a second, and one may take longer to arrive.
        assert!(pair[1].at - pair[0].at > Duration::from_millis(500), "{:?}", pair[1].at - pair[0].at);
    }
    let seconds = usize::try_from(started.elapsed().as_secs()).unwrap();
    assert!(purges.len() <= seconds + 3, "{} requests in {seconds} seconds", purges.len());
    let keys = cache.keys();
    assert!(expected.iter().all(|key| keys.contains(key)), "{expected:?} were not all purged: {keys:?}");
}

#[tokio::test]
async fn more_changes_than_a_request_takes_purge_everything() {
    let cache = FakeCache::start().await;
    let app = TestApp::start_with(purging(&cache));
    let _task = app.purge_shared_caches();
    cache.wait_for_purges(1).await;
    app.write_as_another_process(
        "INSERT INTO speakers (name, title) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
         SELECT 'Speaker ' || i, 'Guest' FROM n",
        [],
    );
    cache.wait_for_purges(2).await;
    wait_until_deleted(&app).await;
    app.write_as_another_process("UPDATE speakers SET name = name || '!'", []);
    let last = cache.wait_for_purges(3).await.pop().unwrap();
    assert_eq!(last.json(), json!({ "everything": true }));
    wait_until_deleted(&app).await;
}

#[tokio::test]
async fn a_purge_that_fails_is_repeated_and_reported_and_does_not_delay_another_cache() {
    let [failing, hanging, working] = [FakeCache::start().await, FakeCache::start().await, FakeCache::start().await];
    let mut config = purging(&failing);
    config.cache.purge.varnish.urls = vec![hanging.url("").parse().unwrap(), working.url("").parse().unwrap()];
    let app = TestApp::start_with(config);
    let _task = app.purge_shared_caches();
    for cache in [&failing, &hanging, &working] {
        cache.wait_for_purges(1).await;
    }
    wait_until_deleted(&app).await;
    failing.respond_with(FakeResponse::Status(503));
    hanging.respond_with(FakeResponse::Hang);
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let started = Instant::now();
    let first = an_event(&admin, "First").await;
    working.wait_for_key(&format!("event-{first}")).await;
    assert!(started.elapsed() < Duration::from_secs(8), "the cache that hangs has delayed another");
    let problems = wait_for_status(&app, "degraded").await;
    let sentence = "cache.purge.url can't be purged: visitors see changes up to 120 seconds late; run 'lectern check' for the cause";
    assert_eq!(problems, [json!(sentence)]);
    assert_eq!(admin.get("/api/server-problems").await.json()["problems"], json!([sentence]));
    let second = an_event(&admin, "Second").await;
    working.wait_for_key(&format!("event-{second}")).await;
    assert!(app.rows("changed_cache_keys") > 0, "they are kept for the others");

    failing.respond_with(FakeResponse::Status(204));
    hanging.respond_with(FakeResponse::Status(200));
    for cache in [&failing, &hanging] {
        for id in [first, second] {
            cache.wait_for_key(&format!("event-{id}")).await;
        }
    }
    wait_for_status(&app, "ok").await;
    wait_until_deleted(&app).await;
}

/// Why a purge of the one configured cache fails.
async fn failure(config: &Config) -> String {
    let target = cache_purge::Target::all(&config.cache.purge, &config.network).remove(0);
    let send = move || target.send(&cache_purge::PurgeRequest::Everything).unwrap_err().to_string();
    tokio::task::spawn_blocking(send).await.unwrap()
}

#[tokio::test]
async fn a_purge_that_fails_says_what_to_check() {
    let cache = FakeCache::start().await;
    let mut varnish = Config::default();
    varnish.cache.purge.varnish.urls = vec![cache.url("/hush").replace("//", "//me:hush@").parse().unwrap()];
    let setting = "urls under [cache.purge.varnish]";
    for (response, expected) in [
        (
            FakeResponse::Redirect("https://cache.example:8443/hush?a=b"),
            format!(
                "Varnish redirects the purge to https://cache.example:8443 (301); set {setting} to the URL to which it \
                 leads"
            ),
        ),
        (
            FakeResponse::Redirect("/hush"),
            format!("Varnish redirects the purge (301); set {setting} to the URL to which it leads"),
        ),
        (
            FakeResponse::Status(403),
            "Varnish rejects the purge (403); check that its configuration allows purges from this address".to_owned(),
        ),
        (FakeResponse::Status(404), format!("Varnish does not know the purge's URL (404); check {setting}")),
        (
            FakeResponse::Status(400),
            format!("Varnish responds to the purge with the status 400; check its configuration and {setting}"),
        ),
        (FakeResponse::Status(503), "Varnish responds to the purge with the status 503; see its log".to_owned()),
    ] {
        cache.respond_with(response);
        assert_eq!(failure(&varnish).await, expected);
    }
    let mut nginx = Config::default();
    nginx.cache.purge.nginx.urls = vec![cache.url("/wrong").parse().unwrap()];
    cache.respond_with(FakeResponse::Status(404));
    let expected = "nginx does not know the purge's URL (404); check urls under [cache.purge.nginx]";
    assert_eq!(failure(&nginx).await, expected);

    // Nothing listens at port 1.
    let refused = "can't be reached (Connection refused)";
    let url = || "http://me:hush@127.0.0.1:1/hush".parse().unwrap();
    varnish.cache.purge.varnish.urls = vec![url()];
    let help = "check that the cache runs and listens at http://127.0.0.1:1, and";
    assert_eq!(failure(&varnish).await, format!("Varnish {refused}; {help} {setting}"));
    let mut other = Config::default();
    other.cache.purge.url.url = Some(url());
    let help = "check that its server runs and listens at http://127.0.0.1:1, and url under [cache.purge.url]";
    assert_eq!(failure(&other).await, format!("cache.purge.url {refused}; {help}"));
    let mut fastly = Config::default();
    fastly.cache.purge.fastly.service_id = Some("SU1Z".to_owned());
    fastly.cache.purge.fastly.base_url = url();
    let help = "check that this server and its firewall allow connections to http://127.0.0.1:1, and service_id and \
                base_url under [cache.purge.fastly]";
    assert_eq!(failure(&fastly).await, format!("Fastly {refused}; {help}"));
}

#[tokio::test]
async fn one_of_several_caches_that_fails_is_named_by_its_position_in_the_configuration() {
    let caches = [FakeCache::start().await, FakeCache::start().await, FakeCache::start().await];
    let mut config = Config::default();
    let url = |cache: &FakeCache| cache.url("").parse().unwrap();
    config.cache.purge.varnish.urls = vec![url(&caches[0]), url(&caches[1])];
    config.cache.purge.nginx.urls = vec![url(&caches[2])];
    caches[1].respond_with(FakeResponse::Status(503));
    let app = TestApp::start_with(config.clone());
    let task = app.purge_shared_caches();
    let sentence = "Varnish (urls[1]) can't be purged: visitors see changes up to 120 seconds late; run 'lectern check' for the cause";
    assert_eq!(wait_for_status(&app, "degraded").await, [json!(sentence)]);
    let stored = |app: &TestApp| cache_purge::failures(&app.storage()).unwrap();
    app.wait_until("the failure is stored", || !stored(&app).is_empty()).await;
    let failure = stored(&app).remove(0);
    assert_eq!(failure.cache, "Varnish (urls[1])");
    assert_eq!(
        failure.message,
        "Varnish (urls[1]) responds to the purge with the status 503; see its log; everything that it stores waits for a purge"
    );
    app.a_speaker(&app.sign_in_admin().await).await;
    let pending = cache_purge::pending_changes(&app.storage()).unwrap();
    assert!(pending.keys == 1 && pending.since.is_some(), "{pending:?}");

    // Only a success ends it, not a restart.
    task.end().await;
    let app = app.restart(config);
    assert_eq!(stored(&app), [failure]);
    caches[1].respond_with(FakeResponse::Status(200));
    let task = app.purge_shared_caches();
    wait_until_deleted(&app).await;
    app.wait_until("the failure is deleted", || stored(&app).is_empty()).await;
    task.end().await;

    // That of a cache which is no longer purged.
    app.write_as_another_process("INSERT INTO cache_purge_failures VALUES ('Fastly', 'is down', '2031-01-01')", []);
    let app = app.restart(Config::default());
    let _task = app.purge_shared_caches();
    app.wait_until("the failure is deleted", || stored(&app).is_empty()).await;
}

#[tokio::test]
async fn changes_wait_since_the_first_one_that_a_cache_was_not_purged_of() {
    let [working, failing] = [FakeCache::start().await, FakeCache::start().await];
    let mut config = purging(&working);
    config.cache.purge.nginx.urls = vec![failing.url("").parse().unwrap()];
    let app = TestApp::start_with(config);
    let _task = app.purge_shared_caches();
    working.wait_for_purges(1).await;
    failing.wait_for_purges(1).await;
    failing.respond_with(FakeResponse::Status(503));
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    wait_for_status(&app, "degraded").await;
    let pending = || cache_purge::pending_changes(&app.storage()).unwrap();
    let since = pending().since.unwrap();
    // The time is stored in whole seconds.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    for _ in 0..2 {
        // The second purge comes after the first one is stored.
        working.forget();
        app.a_speaker(&admin).await;
        working.wait_for_key("speakers").await;
    }
    assert_eq!((pending().keys, pending().since.as_ref()), (1, Some(&since)), "another cache was purged");

    // A key that changes again while it is purged waits since its last change only.
    failing.respond_with(FakeResponse::Status(204));
    wait_for_status(&app, "ok").await;
    wait_until_deleted(&app).await;
    app.write_as_another_process(
        "INSERT INTO changed_cache_keys (key, sequence, changed_at) VALUES ('later', 1000000, ?1)",
        [&since],
    );
    app.a_speaker(&admin).await;
    let is_later = || pending().since.is_some_and(|now| now > since);
    app.wait_until("it waits since the purge", is_later).await;
}

#[tokio::test]
async fn a_wait_that_a_cache_requests_is_kept() {
    let cache = FakeCache::start().await;
    cache.respond_with(FakeResponse::RetryAfter(3));
    let app = TestApp::start_with(purging(&cache));
    let _task = app.purge_shared_caches();
    cache.wait_for_purges(1).await;
    assert_eq!(problems(&app).await.0, "ok", "one wait is no problem");
    let purges = cache.wait_for_purges(2).await;
    assert!(purges[1].at - purges[0].at >= Duration::from_millis(2_900), "{:?}", purges[1].at - purges[0].at);
    wait_for_status(&app, "degraded").await;
}

#[tokio::test]
async fn cloudflare_fails_with_a_body_that_says_so() {
    let cache = FakeCache::start().await;
    cache.respond_with(FakeResponse::Body("{\"success\": false, \"errors\": [{ \"code\": 10000 }]}"));
    let mut config = Config::default();
    config.cache.purge.cloudflare.zone_id = Some("023e105f".to_owned());
    config.cache.purge.cloudflare.token = Secret::new(TOKEN);
    config.cache.purge.cloudflare.base_url = cache.url("").parse().unwrap();
    let app = TestApp::start_with(config);
    let _task = app.purge_shared_caches();
    let problems = wait_for_status(&app, "degraded").await;
    assert_eq!(
        problems,
        [json!(
            "Cloudflare can't be purged: visitors see changes up to 120 seconds late; run 'lectern check' for the cause"
        )]
    );
}

#[tokio::test]
async fn changes_that_were_not_purged_survive_a_restart_and_end_with_the_setting() {
    let cache = FakeCache::start().await;
    let app = TestApp::start_with(purging(&cache));
    let task = app.purge_shared_caches();
    cache.wait_for_purges(1).await;
    wait_until_deleted(&app).await;
    cache.respond_with(FakeResponse::Status(500));
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    cache.wait_for_purges(2).await;
    task.end().await;
    drop(admin);
    // While the server is not running, a command changes something.
    app.write_as_another_process("INSERT INTO speakers (name, title) VALUES ('By command', 'Guest')", []);
    assert!(app.rows("changed_cache_keys") > 0);

    cache.forget();
    cache.respond_with(FakeResponse::Status(200));
    let app = app.restart(purging(&cache));
    let task = app.purge_shared_caches();
    cache.wait_for_key("all").await;
    wait_until_deleted(&app).await;
    task.end().await;
    app.write_as_another_process("INSERT INTO speakers (name, title) VALUES ('Another', 'Guest')", []);
    assert!(app.rows("changed_cache_keys") > 0);

    let app = app.restart(Config::default());
    let _task = app.purge_shared_caches();
    wait_until_deleted(&app).await;
    app.write_as_another_process("INSERT INTO speakers (name, title) VALUES ('A third', 'Guest')", []);
    assert_eq!(app.rows("changed_cache_keys"), 0, "changes are no longer recorded");
}
