//! The details of events: when they are requested, and what does not fit into the time of one sync.

use serde_json::{Value, json};

use super::SyncTest;
use crate::tests::support::fake_brandlive::{FakeBrandlive, FakeResponse, ProviderRequest, item, items};
use crate::tests::support::{with, without};

/// The id of a request for details.
fn detail_of(request: &ProviderRequest) -> Option<String> {
    let path = request.target.split('?').next().unwrap_or_default();
    path.strip_prefix("/v1/event/").map(str::to_owned)
}

/// Lists `listed` on one page and responds to requests for details with `details`.
fn with_details(
    listed: Vec<Value>,
    details: impl Fn(&str) -> FakeResponse + Send + Sync + 'static,
) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    move |request, _| match (detail_of(request), request.parameter("page").as_str()) {
        (Some(id), _) => details(&id),
        (None, "1") => FakeResponse::Json(json!({ "data": listed })),
        (None, _) => FakeResponse::Json(json!({ "data": [] })),
    }
}

fn full(id: &str) -> FakeResponse {
    FakeResponse::Json(item(id, &format!("Details of {id}")))
}

fn details_requested(site: &SyncTest) -> Vec<String> {
    let mut ids: Vec<String> = site.fake.requests().iter().filter_map(detail_of).collect();
    ids.sort();
    ids
}

const ALWAYS: &str = "detail_path = \"/v1/event/{id}\"";

#[tokio::test]
async fn details_that_fail_are_one_failed_item_and_the_others_are_synced() {
    let permanent: [fn() -> FakeResponse; 5] = [
        || FakeResponse::Raw(404, vec![], vec![]),
        || FakeResponse::Raw(403, vec![], vec![]),
        || FakeResponse::Raw(200, vec![], b"<html>".to_vec()),
        || FakeResponse::Raw(204, vec![], vec![]),
        || FakeResponse::Raw(302, vec![("Location", "/".to_owned())], vec![]),
    ];
    for fail in permanent {
        let respond = with_details(items(3), move |id| if id == "id-1" { fail() } else { full(id) });
        let site = SyncTest::with(FakeBrandlive::new(respond), ALWAYS).await;
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        assert_eq!(result["message"], "2 created, 0 updated, 0 unchanged, 1 failed");
        assert_eq!(result["failed"][0]["id"], "id-1");
        assert!(
            result["failed"][0]["reason"].as_str().unwrap().starts_with("its details can't be fetched: "),
            "{result}"
        );
    }
}

#[tokio::test]
async fn by_default_details_are_requested_only_for_items_that_lack_fields() {
    let listed = vec![item("full", "Full"), without(item("sparse", "Sparse"), "/start_date"), item("other", "Other")];
    let site = SyncTest::with(FakeBrandlive::new(with_details(listed, full)), "").await;
    assert_eq!(site.sync().await, "3 created, 0 updated, 0 unchanged");
    assert_eq!(details_requested(&site), ["sparse"]);
    // Without details, what the list lacks is named.
    let listed = vec![item("full", "Full"), without(item("sparse", "Sparse"), "/start_date")];
    let respond = with_details(listed, |_| FakeResponse::Raw(404, vec![], vec![]));
    let site = SyncTest::with(FakeBrandlive::new(respond), "").await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    let reason = "it has no start, and its details can't be fetched: Brandlive has nothing at /v1/event/sparse (404); \
                  check the paths under [brandlive]";
    assert_eq!(result["failed"], json!([{ "id": "sparse", "reason": reason }]));
    assert_eq!(result["message"], "1 created, 0 updated, 0 unchanged, 1 failed");
}

#[tokio::test]
async fn a_synced_event_keeps_what_only_its_details_have_while_they_fail() {
    let listed = |title: &str| {
        let sparse = json!({ "uuid": "sparse", "name": title, "registration_url": "https://live.example.com/new" });
        vec![sparse, item("full", "Full")]
    };
    let site = SyncTest::with(FakeBrandlive::new(with_details(listed("Title"), full)), "").await;
    site.sync().await;
    let sparse = async || site.events().await.into_iter().find(|event| event["brandliveId"] == "sparse").unwrap();
    let synced = sparse().await;
    assert_eq!(synced["description"], "Bring an offering.");

    for fail in [|| FakeResponse::Raw(404, vec![], vec![]), || FakeResponse::Raw(500, vec![], vec![])] {
        site.fake.respond_with(with_details(listed("New title"), move |_| fail()));
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        assert_eq!(result["failed"][0]["id"], "sparse");
        let reason = result["failed"][0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("its details can't be fetched: Brandlive "), "{reason}");
        let event = sparse().await;
        assert_eq!(
            (&event["title"], &event["registrationUrl"]),
            (&json!("New title"), &json!("https://live.example.com/new"))
        );
        for field in ["summary", "description", "date", "time", "timezone", "duration", "startsAt"] {
            assert_eq!(event[field], synced[field], "{field}");
        }
    }
    site.fake.respond_with(with_details(listed("New title"), full));
    assert_eq!(site.sync().await, "0 created, 1 updated, 1 unchanged");
    assert_eq!(sparse().await["title"], "Details of sparse");
}

#[tokio::test]
async fn an_event_cancelled_in_its_details_stays_hidden_while_they_fail() {
    let listed = || vec![json!({ "uuid": "a" }), item("b", "Other"), item("c", "Other")];
    let cancelled = |id: &str| FakeResponse::Json(with(item(id, "X"), "/status", json!("cancelled")));
    let site = SyncTest::with(FakeBrandlive::new(with_details(listed(), full)), "").await;
    site.sync().await;
    site.fake.respond_with(with_details(listed(), cancelled));
    assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged, 1 hidden");
    site.fake.respond_with(with_details(listed(), |_| FakeResponse::Raw(404, vec![], vec![])));
    assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged, 1 failed");
    assert_eq!(site.events().await.len(), 2);
}

#[tokio::test]
async fn with_an_update_time_details_are_requested_only_after_a_change() {
    let stamped = |count: usize, changed: Option<usize>| -> Vec<Value> {
        let stamp = |number| if changed == Some(number) { "2031-01-02T00:00:00Z" } else { "2031-01-01T00:00:00Z" };
        (0..count).map(|number| json!({ "uuid": format!("id-{number}"), "updated_at": stamp(number) })).collect()
    };
    let site = SyncTest::with(FakeBrandlive::new(with_details(stamped(3, None), full)), ALWAYS).await;
    assert_eq!(site.sync().await, "3 created, 0 updated, 0 unchanged");
    assert_eq!(details_requested(&site).len(), 3);
    site.fake.respond_with(with_details(stamped(3, None), full));
    assert_eq!(site.sync().await, "0 created, 0 updated, 3 unchanged");
    assert!(details_requested(&site).is_empty());
    let changed = |id: &str| FakeResponse::Json(item(id, "Changed"));
    site.fake.respond_with(with_details(stamped(4, Some(1)), changed));
    assert_eq!(site.sync().await, "1 created, 1 updated, 2 unchanged");
    assert_eq!(details_requested(&site), ["id-1", "id-3"]);
    // An item whose details did not change is not missing, and one that is no longer listed is.
    site.fake.respond_with(with_details(stamped(4, Some(1))[..3].to_vec(), changed));
    site.sync().await;
    assert_eq!(site.sync().await, "0 created, 0 updated, 3 unchanged, 1 hidden");
}

#[tokio::test]
async fn an_event_cancelled_in_its_details_stays_hidden_while_they_do_not_change() {
    let listed = || vec![json!({ "uuid": "a", "updated_at": "1" }), json!({ "uuid": "b", "updated_at": "1" })];
    let site = SyncTest::with(FakeBrandlive::new(with_details(listed(), full)), ALWAYS).await;
    site.sync().await;
    let cancelled = vec![json!({ "uuid": "a", "updated_at": "2" }), json!({ "uuid": "b", "updated_at": "1" })];
    let respond =
        with_details(cancelled.clone(), |id| FakeResponse::Json(with(item(id, "X"), "/status", json!("cancelled"))));
    site.fake.respond_with(respond);
    assert_eq!(site.sync().await, "0 created, 0 updated, 1 unchanged, 1 hidden");
    for _ in 0..2 {
        assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged");
    }
}

/// Lets the limits forget the requests so far, as if an hour had passed.
pub(super) fn an_hour_later(site: &SyncTest) {
    let sql = "UPDATE brandlive_resume SET state = json_set(state, '$.sent', json('[]'))";
    site.app.write_as_another_process(sql, []);
}

#[tokio::test]
async fn details_beyond_the_request_limit_are_left_to_the_next_sync() {
    let config = format!("{ALWAYS}\nrequests_per_hour = 4");
    let site = SyncTest::with(FakeBrandlive::new(with_details(items(5), full)), &config).await;
    let message = site.sync().await;
    assert_eq!(message, "2 created, 0 updated, 0 unchanged, 3 left to the next sync");
    // Within the hour there are no more requests.
    assert_eq!(site.sync().await, "0 created, 0 updated, 0 unchanged, 3 left to the next sync");
    assert_eq!(site.fake.requests().len(), 4);
    an_hour_later(&site);
    assert_eq!(site.sync().await, "2 created, 0 updated, 2 unchanged, 1 left to the next sync");
    an_hour_later(&site);
    assert_eq!(site.sync().await, "1 created, 0 updated, 4 unchanged");
    let mut requested = details_requested(&site);
    requested.dedup();
    assert_eq!((requested.len(), details_requested(&site).len()), (5, 5), "each of them once");
    assert_eq!(site.events().await.len(), 5);
}

#[tokio::test]
async fn a_list_beyond_the_request_limit_is_continued_by_the_next_sync() {
    let pages = |count: usize| {
        let all = items(count);
        move |request: &ProviderRequest, _: usize| {
            let page: usize = request.parameter("page").parse().unwrap();
            FakeResponse::Json(json!({ "data": all.iter().skip((page - 1) * 10).take(10).collect::<Vec<_>>() }))
        }
    };
    let config = "requests_per_minute = 2\n[brandlive.paging]\nsize = 10";
    let site = SyncTest::with(FakeBrandlive::new(pages(25)), config).await;
    assert_eq!(site.sync().await, "20 created, 0 updated, 0 unchanged");
    an_hour_later(&site);
    assert_eq!(site.sync().await, "5 created, 0 updated, 0 unchanged");
    assert_eq!(site.events().await.len(), 25);
    // The ids of both parts together are the list.
    site.fake.respond_with(pages(24));
    for expected in [
        "0 created, 0 updated, 20 unchanged",
        "0 created, 0 updated, 4 unchanged",
        "0 created, 0 updated, 20 unchanged",
        "0 created, 0 updated, 4 unchanged, 1 hidden",
    ] {
        an_hour_later(&site);
        assert_eq!(site.sync().await, expected);
    }
}

/// Lists these items in pages of 2, with details.
fn in_small_pages(listed: Vec<Value>) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    move |request, _| {
        if let Some(id) = detail_of(request) {
            return full(&id);
        }
        let page: usize = request.parameter("page").parse().unwrap();
        FakeResponse::Json(json!({ "data": listed.iter().skip((page - 1) * 2).take(2).collect::<Vec<_>>() }))
    }
}

#[tokio::test]
async fn a_limit_below_the_requests_for_the_list_still_syncs_everything_in_time() {
    let stamped = |count: usize, stamp: &str| -> Vec<Value> {
        (0..count).map(|number| json!({ "uuid": format!("id-{number}"), "updated_at": stamp })).collect()
    };
    for limit in 1..=4 {
        let config = format!("{ALWAYS}\nrequests_per_hour = {limit}\n[brandlive.paging]\nsize = 2");
        let site = SyncTest::with(FakeBrandlive::new(in_small_pages(stamped(5, "1"))), &config).await;
        // The list has three pages, and each event needs one request for its details.
        let syncs_until = async |is_done: &dyn Fn(&[Value]) -> bool| {
            for syncs in 1..30 {
                site.sync().await;
                if is_done(&site.events().await) {
                    return syncs;
                }
                an_hour_later(&site);
            }
            panic!("no progress with {limit} requests in an hour");
        };
        let syncs = syncs_until(&|events| events.len() == 5).await;
        assert!(syncs * limit <= 8 + 2 * limit, "{syncs} syncs of {limit} requests");
        let requested = details_requested(&site);
        assert_eq!(requested, ["id-0", "id-1", "id-2", "id-3", "id-4"], "each of them once");

        // New and changed events arrive as well.
        let mut changed = stamped(7, "1");
        changed[4]["updated_at"] = json!("2");
        site.fake.respond_with(in_small_pages(changed));
        an_hour_later(&site);
        syncs_until(&|events| events.len() == 7).await;
        for _ in 0..8 {
            an_hour_later(&site);
            site.sync().await;
        }
        assert_eq!(details_requested(&site), ["id-4", "id-5", "id-6"]);
    }
}

#[tokio::test]
async fn a_limit_below_the_requests_for_the_list_delays_changes_and_removals_only() {
    let listed =
        |count: usize| -> Vec<Value> { (0..count).map(|number| json!({ "uuid": format!("id-{number}") })).collect() };
    for limit in 1..=3 {
        let config = format!("{ALWAYS}\nrequests_per_hour = {limit}\n[brandlive.paging]\nsize = 2");
        let site = SyncTest::with(FakeBrandlive::new(in_small_pages(listed(5))), &config).await;
        let sync_until = async |is_done: &dyn Fn(&[Value]) -> bool| {
            for _ in 0..40 {
                an_hour_later(&site);
                site.sync().await;
                if is_done(&site.events().await) {
                    return;
                }
            }
            panic!("no progress with {limit} requests in an hour: {:?}", site.events().await);
        };
        sync_until(&|events| events.len() == 5).await;
        let pages = in_small_pages(listed(5));
        site.fake.respond_with(move |request, number| match detail_of(request) {
            Some(id) => FakeResponse::Json(item(&id, &format!("Changed {id}"))),
            None => pages(request, number),
        });
        // Without an update time, all details are requested in turn.
        sync_until(&|events| events.iter().all(|event| event["title"].as_str().unwrap().starts_with("Changed"))).await;
        site.fake.respond_with(in_small_pages(listed(4)));
        sync_until(&|events| events.len() == 4).await;
    }
}

#[tokio::test]
async fn a_limit_that_leaves_no_request_after_the_token_is_an_error() {
    let config = "requests_per_hour = 1\n[brandlive.credentials]\nmode = \"token\"";
    let site = SyncTest::with(FakeBrandlive::listing(items(2)), config).await;
    assert!(site.sync_error(502).await.contains("permit one request in a sync, for the token; allow at least two"));
}

#[tokio::test]
async fn a_retry_after_beyond_the_time_on_a_later_page_syncs_the_pages_before_it() {
    let list = crate::tests::support::fake_brandlive::pages(items(150), 100);
    let fake = FakeBrandlive::new(move |request, number| match (request.parameter("page").as_str(), number) {
        ("2", 0..2) => FakeResponse::Raw(429, vec![("Retry-After", "3600".to_owned())], vec![]),
        _ => list(request, number),
    });
    let site = SyncTest::with(fake, "").await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["message"], "100 created, 0 updated, 0 unchanged");
    assert_eq!(
        result["problem"],
        "Brandlive reports too many requests (429) and requests a wait of 3600 seconds; gave up after 1 attempt; what was fetched \
         before is synced, and the next sync continues"
    );
    assert!(site.sync_error(502).await.contains("permits no request before"));
    assert_eq!(site.fake.requests().len(), 2);
    let sql = "UPDATE brandlive_resume SET state = json_set(state, '$.pause.until', 1)";
    site.app.write_as_another_process(sql, []);
    assert_eq!(site.sync().await, "50 created, 0 updated, 0 unchanged");
    assert_eq!(site.events().await.len(), 150);
}

#[tokio::test]
async fn a_short_limit_is_waited_for() {
    let config = "requests_per_minute = 100\nrequests_per_hour = 100";
    let site = SyncTest::with(FakeBrandlive::listing(items(2)), config).await;
    assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
}

#[tokio::test]
async fn a_retry_after_beyond_the_time_ends_the_details_and_what_was_fetched_is_synced() {
    let respond = with_details(items(3), |id| match id {
        "id-0" => full(id),
        _ => FakeResponse::Raw(429, vec![("Retry-After", "600".to_owned())], vec![]),
    });
    let site = SyncTest::with(FakeBrandlive::new(respond), ALWAYS).await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["message"], "1 created, 0 updated, 0 unchanged, 2 left to the next sync");
    assert!(result["problem"].as_str().unwrap().contains("requests a wait of 600 seconds"), "{result}");
    assert_eq!(details_requested(&site).len(), 2);
}

#[tokio::test]
async fn a_list_beyond_the_time_of_one_sync_is_continued_by_the_next() {
    sync_a_slow_list(false).await;
}

#[tokio::test]
async fn a_list_with_details_beyond_the_time_of_one_sync_is_continued_by_the_next() {
    sync_a_slow_list(true).await;
}

/// Syncs a list whose pages take longer together than one sync may, with or without a request for each event.
async fn sync_a_slow_list(needs_details: bool) {
    let slow = |count: usize| {
        let all = items(count);
        move |request: &ProviderRequest, _: usize| {
            if let Some(id) = detail_of(request) {
                return full(&id);
            }
            std::thread::sleep(std::time::Duration::from_millis(600));
            let page: usize = request.parameter("page").parse().unwrap();
            let page = all.iter().skip((page - 1) * 10).take(10).cloned();
            let sparse = page.map(|item| if needs_details { without(item, "/description") } else { item });
            FakeResponse::Json(json!({ "data": sparse.collect::<Vec<_>>() }))
        }
    };
    let fake = FakeBrandlive::new(slow(55));
    let mut config = fake.config_with("[brandlive.paging]\nsize = 10");
    config.brandlive.request_seconds = 15;
    let app = crate::tests::support::TestApp::start_with(config);
    let site = SyncTest { admin: app.sign_in_admin().await, app, fake };
    let sync_until = async |count: usize| {
        for syncs in 1..30 {
            let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
            assert!(result["problem"].is_null() && result["failed"].as_array().is_none_or(Vec::is_empty), "{result}");
            if site.events().await.len() == count {
                return syncs;
            }
        }
        panic!("{} events", site.events().await.len());
    };
    assert!(sync_until(55).await > 1);
    site.fake.respond_with(slow(54));
    sync_until(54).await;
}

#[tokio::test]
async fn a_page_that_never_responds_in_time_is_an_error() {
    let list = crate::tests::support::fake_brandlive::pages(items(150), 100);
    let fake = FakeBrandlive::new(move |request, number| match request.parameter("page").as_str() {
        "2" => FakeResponse::Hang(std::time::Duration::from_secs(20)),
        _ => list(request, number),
    });
    let mut config = fake.config();
    (config.brandlive.request_seconds, config.brandlive.total_seconds) = (15, 2);
    let app = crate::tests::support::TestApp::start_with(config);
    let site = SyncTest { admin: app.sign_in_admin().await, app, fake };
    assert_eq!(site.sync().await, "100 created, 0 updated, 0 unchanged");
    assert_eq!(site.sync_error(502).await, "Brandlive took longer than 2 seconds in total");
}

#[tokio::test]
async fn details_that_always_fail_do_not_delay_the_others_under_a_request_limit() {
    for limit in 1..=4 {
        let config = format!("{ALWAYS}\nrequests_per_hour = {limit}");
        let respond =
            with_details(items(4), |id| if id == "id-1" { FakeResponse::Raw(500, vec![], vec![]) } else { full(id) });
        let site = SyncTest::with(FakeBrandlive::new(respond), &config).await;
        let mut named = 0;
        for _ in 0..12 {
            let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
            for failed in result["failed"].as_array().unwrap() {
                assert_eq!(failed["id"], "id-1");
                assert!(failed["reason"].as_str().unwrap().contains("returned a server error (500)"), "{result}");
                named += 1;
            }
            an_hour_later(&site);
        }
        assert_eq!(site.events().await.len(), 3, "{limit} requests in an hour");
        assert!(named >= 2, "{named} with {limit} requests in an hour");
        site.fake.respond_with(with_details(items(4), full));
        for _ in 0..12 {
            an_hour_later(&site);
            site.sync().await;
        }
        assert_eq!(site.events().await.len(), 4);
    }
}

#[tokio::test]
async fn details_of_another_event_are_a_failed_item() {
    let other = |id: &str| if id == "id-1" { full("id-2") } else { full(&id.to_uppercase()) };
    let site = SyncTest::with(FakeBrandlive::new(with_details(items(3), other)), ALWAYS).await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["message"], "2 created, 0 updated, 0 unchanged, 1 failed");
    assert_eq!(result["failed"], json!([{ "id": "id-1", "reason": "its details are those of another event (id-2)" }]));
}

#[test]
fn a_provider_without_details_is_reported_once() {
    use crate::tests::support::program::{run, succeed};
    let titled = |count: usize, title: &str| -> Vec<Value> {
        items(count).into_iter().map(|item| with(item, "/name", json!(title))).collect()
    };
    let sparse = |count: usize, title: &str| -> Vec<Value> {
        titled(count, title).into_iter().map(|item| without(item, "/description")).collect()
    };
    let note = "The provider has no details at /v1/event/{id}; set brandlive.detail_path = \"\".\n";
    let fake = FakeBrandlive::listing(titled(3, "Title"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), fake.toml("")).unwrap();
    // The list itself had the descriptions.
    succeed(folder.path(), &["sync-brandlive"]);
    // Two are too few to conclude that, and one with details refutes it.
    fake.respond_with(with_details(sparse(2, "X"), |_| FakeResponse::Raw(404, vec![], vec![])));
    assert_eq!(run(folder.path(), &["sync-brandlive", "--dry-run"]).code, Some(1));
    fake.respond_with(with_details(sparse(4, "X"), |id| {
        if id == "id-3" { full(id) } else { FakeResponse::Raw(404, vec![], vec![]) }
    }));
    assert_eq!(run(folder.path(), &["sync-brandlive", "--dry-run"]).code, Some(1));
    for status in [404, 405, 410, 501] {
        fake.respond_with(with_details(sparse(4, "Details of id-0"), move |_| {
            FakeResponse::Raw(status, vec![], vec![])
        }));
        let text = succeed(folder.path(), &["sync-brandlive"]);
        assert!(text.starts_with(note), "{text}");
    }
    let database = rusqlite::Connection::open(folder.path().join("lectern.db")).unwrap();
    let sql = "SELECT count(*) FROM events WHERE description = 'Bring an offering.'";
    assert_eq!(database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap(), 3);
}

/// Items without a description, whose details are requested.
fn sparse(count: usize) -> Vec<Value> {
    items(count).into_iter().map(|item| without(item, "/description")).collect()
}

#[tokio::test]
async fn failing_details_do_not_stop_the_items_that_need_none() {
    let mut listed = items(15);
    for item in &mut listed[..5] {
        *item = without(without(item.clone(), "/description"), "/registration_url");
    }
    let fake = FakeBrandlive::new(with_details(listed, |_| FakeResponse::Raw(500, vec![], vec![])));
    let mut config = fake.config();
    config.brandlive.total_seconds = 60;
    let app = crate::tests::support::TestApp::start_with(config);
    let site = SyncTest { admin: app.sign_in_admin().await, app, fake };
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["message"], "10 created, 0 updated, 0 unchanged, 5 failed");
    let failed: Vec<&str> =
        result["failed"].as_array().unwrap().iter().map(|failed| failed["id"].as_str().unwrap()).collect();
    assert_eq!(failed, ["id-0", "id-1", "id-2", "id-3", "id-4"]);
    assert_eq!(result["problem"], Value::Null);
    // If all details fail, only the first of them are requested.
    site.fake.respond_with(with_details(sparse(12), |_| FakeResponse::Raw(500, vec![], vec![])));
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["failed"].as_array().unwrap().len(), 5);
    assert!(result["message"].as_str().unwrap().ends_with("left to the next sync"), "{result}");
    assert!(details_requested(&site).len() <= 10, "{result}");
}

#[tokio::test]
async fn too_many_requests_for_details_leave_the_rest_to_the_next_sync() {
    let respond = with_details(sparse(20), |id| match id {
        "id-0" | "id-1" | "id-2" => full(id),
        _ => FakeResponse::Raw(429, vec![], vec![]),
    });
    let site = SyncTest::with(FakeBrandlive::new(respond), "").await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["message"], "3 created, 0 updated, 0 unchanged, 17 left to the next sync");
    assert!(result["problem"].as_str().unwrap().starts_with("Brandlive reports too many requests (429)"), "{result}");
    assert!(details_requested(&site).len() <= 6, "{:?}", details_requested(&site));
}

#[tokio::test]
async fn a_provider_that_had_details_still_has_them() {
    let missing = |id: &str| match id {
        "id-0" | "id-1" | "id-2" | "id-3" => full(id),
        _ => FakeResponse::Raw(404, vec![], vec![]),
    };
    let stamped = |count: usize, stamp: &str| -> Vec<Value> {
        sparse(count).into_iter().map(|item| with(item, "/updated_at", json!(stamp))).collect()
    };
    let site = SyncTest::with(FakeBrandlive::new(with_details(stamped(4, "1"), missing)), "").await;
    assert_eq!(site.sync().await, "4 created, 0 updated, 0 unchanged");
    let names_only = async |ids: &[&str]| {
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        let failed: Vec<&Value> = result["failed"].as_array().unwrap().iter().map(|failed| &failed["id"]).collect();
        assert_eq!((json!(failed), &result["notes"]), (json!(ids), &json!([])));
    };
    // New items, and changed ones.
    site.fake.respond_with(with_details(stamped(7, "1"), missing));
    names_only(&["id-4", "id-5", "id-6"]).await;
    site.fake.respond_with(with_details(stamped(4, "2"), |_| FakeResponse::Raw(404, vec![], vec![])));
    names_only(&["id-0", "id-1", "id-2", "id-3"]).await;
}

#[tokio::test]
async fn a_provider_without_details_receives_only_a_few_requests_for_them() {
    let none = || with_details(sparse(30), |_| FakeResponse::Raw(404, vec![], vec![]));
    let site = SyncTest::with(FakeBrandlive::new(none()), "").await;
    assert_eq!(site.sync().await, "30 created, 0 updated, 0 unchanged");
    assert_eq!(details_requested(&site).len(), 30);
    site.fake.respond_with(none());
    assert_eq!(site.sync().await, "0 created, 0 updated, 30 unchanged");
    assert_eq!(details_requested(&site).len(), 3);
    // Once it has details, all of them are requested.
    site.fake.respond_with(with_details(sparse(30), full));
    assert_eq!(site.sync().await, "0 created, 30 updated, 0 unchanged");
    assert_eq!(details_requested(&site).len(), 30);
}

/// The stored texts of the event with this id.
async fn texts(site: &SyncTest, id: &str) -> Value {
    let events = site.events().await;
    let event = events.iter().find(|event| event["brandliveId"] == id).unwrap();
    json!({ "summary": event["summary"], "description": event["description"], "startsAt": event["startsAt"] })
}

#[tokio::test]
async fn details_without_an_event_are_a_failed_item_and_keep_the_texts() {
    let no_event =
        "its details can't be fetched: Brandlive's response to /v1/event/a contains no event; check detail_path";
    let error = "its details can't be fetched: Brandlive responded to /v1/event/a with status 200, but the body reports an \
                 error";
    let cases = [
        (json!({}), no_event),
        (json!(null), no_event),
        (json!([]), no_event),
        (json!("gone"), no_event),
        (json!({ "data": null }), no_event),
        (json!({ "data": {} }), no_event),
        (json!({ "event": {}, "meta": { "page": 1 } }), no_event),
        (json!({ "uuid": "a" }), no_event),
        (json!({ "data": { "uuid": "a", "updated_at": "2031-01-01T00:00:00Z" } }), no_event),
        (json!({ "uuid": "a", "status": "published", "title": null, "description": "" }), no_event),
        (json!({ "message": "Not found" }), no_event),
        (json!({ "error": "Not found" }), error),
        (json!({ "error": { "title": "Not found" }, "data": {} }), error),
        (json!({ "errors": ["x"], "data": null }), error),
        (json!({ "success": false }), error),
        // The texts of an error are not those of the event.
        (json!({ "type": "about:blank", "title": "Not Found", "status": 404, "detail": "No such event" }), error),
        (json!({ "code": 500, "description": "Internal error" }), error),
        (json!({ "status": "error", "message": "Try again", "description": "Internal error" }), error),
        (json!({ "message": "Not found", "title": "Error" }), error),
    ];
    let listed = |title: &str| {
        vec![
            json!({ "uuid": "a", "name": title, "timezone": "America/New_York" }),
            item("b", "Other"),
            item("c", "Other"),
        ]
    };
    for detail_path in ["", ALWAYS] {
        let site = SyncTest::with(FakeBrandlive::new(with_details(listed("Title"), full)), detail_path).await;
        site.sync().await;
        let synced = texts(&site, "a").await;
        assert_eq!(synced["description"], "Bring an offering.");
        for (number, (body, reason)) in cases.clone().into_iter().enumerate() {
            // The list's own title is synced.
            let title = format!("Title {number}");
            let respond = with_details(listed(&title), {
                let body = body.clone();
                move |id| if id == "a" { FakeResponse::Json(body.clone()) } else { full(id) }
            });
            site.fake.respond_with(respond);
            let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
            assert_eq!(result["failed"].as_array().unwrap().len(), 1, "{body}: {result}");
            assert_eq!(result["failed"][0]["id"], "a", "{body}");
            let found = result["failed"][0]["reason"].as_str().unwrap();
            assert!(found.starts_with(reason), "{body}: {found}");
            assert_eq!(texts(&site, "a").await, synced, "{body}");
            assert!(site.events().await.iter().any(|event| event["title"] == json!(title)), "{body}");
        }
        site.fake.respond_with(with_details(listed("Title"), full));
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        assert_eq!(result["failed"], json!([]));
    }
}

#[test]
fn details_without_an_event_exit_with_1() {
    use crate::tests::support::program::run;
    let fake = FakeBrandlive::new(with_details(sparse(1), |_| FakeResponse::Json(json!({ "data": null }))));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), fake.toml("")).unwrap();
    let ran = run(folder.path(), &["sync-brandlive"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "1 created, 0 updated, 0 unchanged, 1 failed\n"));
    assert!(ran.err.starts_with("lectern: id-0: its details can't be fetched: Brandlive's response to"), "{}", ran.err);
}

#[tokio::test]
async fn details_that_hold_only_a_cancellation_hide_the_event() {
    let site = SyncTest::with(FakeBrandlive::new(with_details(sparse(3), full)), "").await;
    site.sync().await;
    let respond = with_details(sparse(3), |id| match id {
        "id-0" => FakeResponse::Json(json!({ "uuid": "id-0", "status": "cancelled" })),
        _ => full(id),
    });
    site.fake.respond_with(respond);
    assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged, 1 hidden");
}

#[tokio::test]
async fn while_the_details_of_every_event_fail_the_texts_of_the_list_replace_none() {
    let listed = |title: &str| {
        vec![with(
            with(item("a", title), "/description", json!("A teaser")),
            "/start_date",
            json!("2031-04-01T22:00:00Z"),
        )]
    };
    let site = SyncTest::with(FakeBrandlive::new(with_details(listed("Title"), full)), ALWAYS).await;
    site.sync().await;
    assert_eq!(site.event().await["description"], "Bring an offering.");
    site.fake.respond_with(with_details(listed("New title"), |_| FakeResponse::Raw(500, vec![], vec![])));
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["failed"].as_array().unwrap().len(), 1, "{result}");
    let event = site.event().await;
    assert_eq!((&event["title"], &event["startsAt"]), (&json!("New title"), &json!("2031-04-01T22:00:00Z")));
    assert_eq!(event["description"], "Bring an offering.");
}

#[tokio::test]
async fn a_key_that_is_rejected_for_details_keeps_the_list() {
    let listed = vec![item("full", "Full"), without(item("sparse", "Sparse"), "/description")];
    let site =
        SyncTest::with(FakeBrandlive::new(with_details(listed, |_| FakeResponse::Raw(401, vec![], vec![]))), "").await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["message"], "1 created, 0 updated, 0 unchanged, 1 left to the next sync");
    assert!(result["problem"].as_str().unwrap().starts_with("Brandlive rejects the key (401)"), "{result}");
}
