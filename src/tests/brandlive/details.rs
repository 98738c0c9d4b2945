//! The details of events: when they are requested, and what does not fit into the time of one sync.

use serde_json::{Value, json};

use super::Site;
use crate::tests::support::fake_brandlive::{FakeBrandlive, ProviderRequest, Reply, item, items};
use crate::tests::support::{with, without};

/// The id of a request for details.
fn detail_of(request: &ProviderRequest) -> Option<String> {
    let path = request.target.split('?').next().unwrap_or_default();
    path.strip_prefix("/v1/event/").map(str::to_owned)
}

/// Lists `listed` on one page and responds to requests for details with `details`.
fn with_details(
    listed: Vec<Value>,
    details: impl Fn(&str) -> Reply + Send + Sync + 'static,
) -> impl Fn(&ProviderRequest, usize) -> Reply + Send + Sync + 'static {
    move |request, _| match (detail_of(request), request.parameter("page").as_str()) {
        (Some(id), _) => details(&id),
        (None, "1") => Reply::Json(json!({ "data": listed })),
        (None, _) => Reply::Json(json!({ "data": [] })),
    }
}

fn full(id: &str) -> Reply {
    Reply::Json(item(id, &format!("Details of {id}")))
}

fn details_requested(site: &Site) -> Vec<String> {
    let mut ids: Vec<String> = site.fake.requests().iter().filter_map(detail_of).collect();
    ids.sort();
    ids
}

const ALWAYS: &str = "detail_path = \"/v1/event/{id}\"";

#[tokio::test]
async fn details_that_fail_are_one_failed_item_and_the_others_are_imported() {
    let permanent: [fn() -> Reply; 5] = [
        || Reply::Raw(404, vec![], vec![]),
        || Reply::Raw(403, vec![], vec![]),
        || Reply::Raw(200, vec![], b"<html>".to_vec()),
        || Reply::Raw(204, vec![], vec![]),
        || Reply::Raw(302, vec![("Location", "/".to_owned())], vec![]),
    ];
    for fail in permanent {
        let respond = with_details(items(3), move |id| if id == "id-1" { fail() } else { full(id) });
        let site = Site::with(FakeBrandlive::new(respond), ALWAYS).await;
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
    let site = Site::with(FakeBrandlive::new(with_details(listed, full)), "").await;
    assert_eq!(site.sync().await, "3 created, 0 updated, 0 unchanged");
    assert_eq!(details_requested(&site), ["sparse"]);
    // Without details, what the list lacks is named.
    let listed = vec![item("full", "Full"), without(item("sparse", "Sparse"), "/start_date")];
    let respond = with_details(listed, |_| Reply::Raw(404, vec![], vec![]));
    let site = Site::with(FakeBrandlive::new(respond), "").await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["failed"], json!([{ "id": "sparse", "reason": "it has no start" }]));
}

#[tokio::test]
async fn with_an_update_time_details_are_requested_only_after_a_change() {
    let stamped = |count: usize, changed: Option<usize>| -> Vec<Value> {
        let stamp = |number| if changed == Some(number) { "2031-01-02T00:00:00Z" } else { "2031-01-01T00:00:00Z" };
        (0..count).map(|number| json!({ "uuid": format!("id-{number}"), "updated_at": stamp(number) })).collect()
    };
    let site = Site::with(FakeBrandlive::new(with_details(stamped(3, None), full)), ALWAYS).await;
    assert_eq!(site.sync().await, "3 created, 0 updated, 0 unchanged");
    assert_eq!(details_requested(&site).len(), 3);
    site.fake.respond_with(with_details(stamped(3, None), full));
    assert_eq!(site.sync().await, "0 created, 0 updated, 3 unchanged");
    assert!(details_requested(&site).is_empty());
    let changed = |id: &str| Reply::Json(item(id, "Changed"));
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
    let site = Site::with(FakeBrandlive::new(with_details(listed(), full)), ALWAYS).await;
    site.sync().await;
    let cancelled = vec![json!({ "uuid": "a", "updated_at": "2" }), json!({ "uuid": "b", "updated_at": "1" })];
    let respond = with_details(cancelled.clone(), |id| Reply::Json(with(item(id, "X"), "/status", json!("cancelled"))));
    site.fake.respond_with(respond);
    assert_eq!(site.sync().await, "0 created, 0 updated, 1 unchanged, 1 hidden");
    for _ in 0..2 {
        assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged");
    }
}

/// Lets the limits forget the requests so far, as if an hour had passed.
fn an_hour_later(site: &Site) {
    let sql = "UPDATE brandlive_resume SET state = json_set(state, '$.sent', json('[]'))";
    site.app.write_as_another_process(sql, []);
}

#[tokio::test]
async fn details_beyond_the_limit_of_requests_are_left_to_the_next_sync() {
    let config = format!("{ALWAYS}\nrequests_per_hour = 4");
    let site = Site::with(FakeBrandlive::new(with_details(items(5), full)), &config).await;
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
async fn a_list_beyond_the_limit_of_requests_is_continued_by_the_next_sync() {
    let pages = |count: usize| {
        let all = items(count);
        move |request: &ProviderRequest, _: usize| {
            let page: usize = request.parameter("page").parse().unwrap();
            Reply::Json(json!({ "data": all.iter().skip((page - 1) * 10).take(10).collect::<Vec<_>>() }))
        }
    };
    let config = "requests_per_minute = 2\n[brandlive.paging]\nsize = 10";
    let site = Site::with(FakeBrandlive::new(pages(25)), config).await;
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

#[tokio::test]
async fn a_short_limit_is_waited_for() {
    let config = "requests_per_minute = 100\nrequests_per_hour = 100";
    let site = Site::with(FakeBrandlive::listing(items(2)), config).await;
    assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
}

#[tokio::test]
async fn a_retry_after_beyond_the_time_ends_the_details_and_what_was_fetched_is_imported() {
    let respond = with_details(items(3), |id| match id {
        "id-0" => full(id),
        _ => Reply::Raw(429, vec![("Retry-After", "600".to_owned())], vec![]),
    });
    let site = Site::with(FakeBrandlive::new(respond), ALWAYS).await;
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(result["message"], "1 created, 0 updated, 0 unchanged, 2 left to the next sync");
    assert!(result["problem"].as_str().unwrap().contains("asks to wait 600 seconds"), "{result}");
    assert_eq!(details_requested(&site).len(), 2);
}
