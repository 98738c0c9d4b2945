//! The end of a list in every common form, and which events are missing for certain.

use serde_json::{Value, json};

use super::SyncTest;
use crate::tests::support::fake_brandlive::{FakeBrandlive, FakeResponse, ProviderRequest, items};
use crate::tests::support::without;

/// The page of a request, from 1.
fn page_of(request: &ProviderRequest) -> usize {
    request.parameter("page").parse().unwrap_or(1)
}

/// Lists items in pages of 10; `beyond` is the response to a later page.
fn ending(
    all: Vec<Value>,
    beyond: fn() -> FakeResponse,
) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    move |request, _| {
        let page: Vec<&Value> = all.iter().skip((page_of(request) - 1) * 10).take(10).collect();
        if page.is_empty() { beyond() } else { FakeResponse::Json(json!({ "data": page })) }
    }
}

const SMALL_PAGES: &str = "[brandlive.paging]\nsize = 10";

/// A name and the response to a page beyond the last.
type EndOfList = (&'static str, fn() -> FakeResponse);

#[tokio::test]
async fn every_common_end_completes_the_list() {
    let ends: [EndOfList; 7] = [
        ("empty", || FakeResponse::Json(json!({ "data": [] }))),
        ("null list", || FakeResponse::Json(json!({ "data": null }))),
        ("null", || FakeResponse::Json(json!(null))),
        ("204", || FakeResponse::Raw(204, vec![], vec![])),
        ("400", || FakeResponse::Raw(400, vec![], b"{}".to_vec())),
        ("404", || FakeResponse::Raw(404, vec![], b"{}".to_vec())),
        ("blank", || FakeResponse::Raw(200, vec![], vec![])),
    ];
    for (name, beyond) in ends {
        let site = SyncTest::with(FakeBrandlive::new(ending(items(25), beyond)), SMALL_PAGES).await;
        assert_eq!(site.sync().await, "25 created, 0 updated, 0 unchanged", "{name}");
        site.fake.respond_with(ending(items(24), beyond));
        assert_eq!(site.sync().await, "0 created, 0 updated, 24 unchanged", "{name}");
        assert_eq!(site.sync().await, "0 created, 0 updated, 24 unchanged, 1 hidden", "{name}");
    }
}

#[tokio::test]
async fn after_a_full_page_a_404_does_not_prove_that_an_event_is_missing() {
    let not_found: fn() -> FakeResponse = || FakeResponse::Raw(404, vec![], vec![]);
    let site = SyncTest::with(FakeBrandlive::new(ending(items(25), not_found)), SMALL_PAGES).await;
    site.sync().await;
    site.fake.respond_with(ending(items(20), not_found));
    for _ in 0..3 {
        assert_eq!(site.sync().await, "0 created, 0 updated, 20 unchanged");
    }
    assert_eq!(site.events().await.len(), 25);
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    let note = "Whether the list is complete is uncertain, so no missing event is hidden";
    assert_eq!(result["notes"], json!([note]), "the portal shows it");
}

#[tokio::test]
async fn a_repeated_last_page_ends_the_list() {
    let clamped = |all: Vec<Value>| {
        move |request: &ProviderRequest, _: usize| {
            let last = all.len().div_ceil(10);
            let page = page_of(request).min(last);
            FakeResponse::Json(json!({ "data": all.iter().skip((page - 1) * 10).take(10).collect::<Vec<_>>() }))
        }
    };
    let site = SyncTest::with(FakeBrandlive::new(clamped(items(25))), SMALL_PAGES).await;
    assert_eq!(site.sync().await, "25 created, 0 updated, 0 unchanged");
    assert_eq!(site.fake.requests().len(), 4);
    site.fake.respond_with(clamped(items(24)));
    site.sync().await;
    assert_eq!(site.sync().await, "0 created, 0 updated, 24 unchanged, 1 hidden");
}

#[tokio::test]
async fn a_reached_total_ends_the_list_without_another_request() {
    let with_total = |total: usize| {
        let all = items(25);
        move |request: &ProviderRequest, _: usize| {
            let page: Vec<&Value> = all.iter().skip((page_of(request) - 1) * 10).take(10).collect();
            FakeResponse::Json(json!({ "data": page, "meta": { "total": total } }))
        }
    };
    let site = SyncTest::with(FakeBrandlive::new(with_total(25)), SMALL_PAGES).await;
    assert_eq!(site.sync().await, "25 created, 0 updated, 0 unchanged");
    assert_eq!(site.fake.requests().len(), 3);
    // A total that is smaller than the list counts something else: the items of a page, the pages, or nothing.
    for other in [10, 3, 0] {
        site.fake.respond_with(with_total(other));
        for _ in 0..3 {
            assert_eq!(site.sync().await, "0 created, 0 updated, 25 unchanged", "{other}");
        }
    }
}

#[tokio::test]
async fn a_400_after_pages_of_one_length_does_not_prove_that_an_event_is_missing() {
    // The provider limits a page to 5 items and the list to two pages.
    let limited = |request: &ProviderRequest, _: usize| match page_of(request) {
        page @ 1..=2 => FakeResponse::Json(json!({ "data": items(15)[(page - 1) * 5..page * 5] })),
        _ => FakeResponse::Raw(400, vec![], b"{}".to_vec()),
    };
    let site = SyncTest::with(FakeBrandlive::listing(items(15)), SMALL_PAGES).await;
    site.sync().await;
    site.fake.respond_with(limited);
    for _ in 0..3 {
        assert_eq!(site.sync().await, "0 created, 0 updated, 10 unchanged");
    }
    assert_eq!(site.events().await.len(), 15);
}

#[tokio::test]
async fn a_list_that_ends_before_its_total_is_a_problem_and_hides_nothing() {
    let short = |request: &ProviderRequest, _: usize| match page_of(request) {
        1 => FakeResponse::Json(json!({ "data": items(100), "total": 250 })),
        _ => FakeResponse::Json(json!({ "data": [], "total": 250 })),
    };
    let site = SyncTest::with(FakeBrandlive::listing(items(120)), "").await;
    site.sync().await;
    site.fake.respond_with(short);
    for _ in 0..3 {
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        assert_eq!(result["message"], "0 created, 0 updated, 100 unchanged");
        let problem = result["problem"].as_str().unwrap();
        assert!(problem.starts_with("Brandlive's list ended after 100 of 250 events"), "{problem}");
    }
    assert_eq!(site.events().await.len(), 120);
}

#[tokio::test]
async fn a_next_page_that_does_not_exist_is_a_problem_and_hides_nothing() {
    for (mode, status) in [("next", 404), ("cursor", 404), ("next", 400), ("next", 410)] {
        let fake = FakeBrandlive::new(move |request, _| {
            if request.target.contains("page2") {
                FakeResponse::Raw(status, vec![], vec![])
            } else {
                FakeResponse::Json(json!({ "data": items(100), "next": "/v1/events?cursor=page2" }))
            }
        });
        let config = format!("[brandlive.paging]\nmode = \"{mode}\"\nparameter = \"cursor\"");
        let site = SyncTest::with(fake, &config).await;
        let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
        assert_eq!(result["message"], "100 created, 0 updated, 0 unchanged", "{mode} {status}");
        assert!(result["problem"].as_str().unwrap().contains("a next page that does not exist"), "{result}");
    }
}

#[tokio::test]
async fn a_page_of_known_items_or_items_without_an_id_does_not_end_the_list() {
    let all = items(30);
    let pages = move |request: &ProviderRequest, _: usize| {
        let page = match page_of(request) {
            1 => all[..10].to_vec(),
            // An event that was added moved the first ten onto the second page.
            2 => all[1..10].to_vec(),
            3 => all[10..12].iter().map(|item| without(item.clone(), "/uuid")).collect(),
            4 => all[12..30].to_vec(),
            _ => Vec::new(),
        };
        FakeResponse::Json(json!({ "data": page }))
    };
    let site = SyncTest::with(FakeBrandlive::listing(items(30)), SMALL_PAGES).await;
    site.fake.respond_with(pages.clone());
    assert_eq!(site.sync().await, "28 created, 0 updated, 0 unchanged, 2 failed");
    for _ in 0..2 {
        assert_eq!(site.sync().await, "0 created, 0 updated, 28 unchanged, 2 failed");
    }
    assert_eq!(site.events().await.len(), 28);
}

#[tokio::test]
async fn a_provider_that_ignores_the_page_but_not_the_size_hides_nothing() {
    let first = |_: &ProviderRequest, _: usize| FakeResponse::Json(json!({ "data": items(10) }));
    let site = SyncTest::with(FakeBrandlive::listing(items(14)), SMALL_PAGES).await;
    site.sync().await;
    site.fake.respond_with(first);
    for _ in 0..3 {
        assert_eq!(site.sync().await, "0 created, 0 updated, 10 unchanged");
    }
    assert_eq!(site.events().await.len(), 14);
}

#[tokio::test]
async fn a_byte_order_mark_is_no_error() {
    let fake = FakeBrandlive::new(|request, _| {
        let page = if page_of(request) == 1 { items(2) } else { Vec::new() };
        FakeResponse::Raw(200, vec![], format!("\u{feff}{}", json!({ "data": page })).into_bytes())
    });
    assert_eq!(SyncTest::with(fake, "").await.sync().await, "2 created, 0 updated, 0 unchanged");
}

/// Lists 25 items, 10 on a page, whose next URL is in this form.
fn linked(
    count: usize,
    link: fn(Option<String>) -> Value,
) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync {
    move |request, _| {
        let page = page_of(request);
        let next = (page * 10 < count).then(|| format!("/v1/events?page={}", page + 1));
        FakeResponse::Json(
            json!({ "data": items(count)[(page - 1) * 10..(page * 10).min(count)], "links": link(next) }),
        )
    }
}

#[tokio::test]
async fn a_next_url_can_be_in_an_object() {
    let forms: [fn(Option<String>) -> Value; 4] = [
        |next| json!({ "next": next.map(|next| json!({ "href": next })) }),
        |next| json!({ "next": { "href": next } }),
        |next| json!({ "next": next.map_or(json!({}), |next| json!({ "url": next, "rel": "next" })) }),
        |next| json!({ "next": next.map_or(json!(false), |next| json!({ "href": "", "url": next })) }),
    ];
    for form in forms {
        let site = SyncTest::with(FakeBrandlive::new(linked(25, form)), "[brandlive.paging]\nmode = \"next\"").await;
        assert_eq!(site.sync().await, "25 created, 0 updated, 0 unchanged");
        site.fake.respond_with(linked(24, form));
        site.sync().await;
        assert_eq!(site.sync().await, "0 created, 0 updated, 24 unchanged, 1 hidden");
    }
}

#[tokio::test]
async fn a_next_page_in_an_unknown_form_is_a_problem_and_hides_nothing() {
    let link = || json!({ "href": "/v1/events?page=2" });
    let forms = [
        ("next", json!(true)),
        ("next", json!(2)),
        ("next", json!({ "page": 2 })),
        ("next", json!({ "href": link() })),
        ("next", json!([link()])),
        ("cursor", json!(true)),
        ("cursor", link()),
    ];
    for (mode, form) in forms {
        let config = format!("[brandlive.paging]\nmode = \"{mode}\"\nparameter = \"cursor\"");
        let site = SyncTest::with(FakeBrandlive::new(|_, _| FakeResponse::Json(json!(items(12)))), &config).await;
        site.sync().await;
        let body = json!({ "data": items(10), "total": 10, "links": { "next": form } });
        site.fake.respond_with(move |_, _| FakeResponse::Json(body.clone()));
        for _ in 0..3 {
            let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
            assert_eq!(result["message"], "0 created, 0 updated, 10 unchanged", "{mode} {form}");
            let problem = result["problem"].as_str().unwrap_or_default();
            assert!(problem.starts_with("Brandlive's next page is named in a form that can't be read"), "{result}");
        }
        assert_eq!(site.events().await.len(), 12);
    }
}

#[tokio::test]
async fn a_reached_total_completes_the_list_of_a_provider_that_ignores_the_page() {
    let all = |count: usize| {
        move |_: &ProviderRequest, _: usize| FakeResponse::Json(json!({ "data": items(count), "total": count }))
    };
    let site = SyncTest::with(FakeBrandlive::new(all(101)), "").await;
    assert_eq!(site.sync().await, "101 created, 0 updated, 0 unchanged");
    site.fake.respond_with(all(100));
    site.sync().await;
    assert_eq!(site.sync().await, "0 created, 0 updated, 100 unchanged, 1 hidden");
}

#[tokio::test]
async fn one_value_that_json_parsers_reject_does_not_fail_the_list() {
    let fake = FakeBrandlive::new(|request, _| {
        let mut page = if page_of(request) == 1 { items(3) } else { Vec::new() };
        if let Some(item) = page.get_mut(1) {
            item["name"] = json!("cut TEXT");
            (item["views"], item["likes"], item["fine"]) =
                (json!("NUMBER"), json!("LONG"), json!("1e999 \\ud83d \" 1e999"));
        }
        let body = json!({ "data": page }).to_string();
        let body = body.replace("TEXT", r"\ud83d \uDC00 \ud83d\ude00 \\ud83d");
        let body = body.replace("\"NUMBER\"", "-1e999").replace("\"LONG\"", &"9".repeat(400));
        FakeResponse::Raw(200, vec![], body.into_bytes())
    });
    let site = SyncTest::with(fake, "").await;
    assert_eq!(site.sync().await, "3 created, 0 updated, 0 unchanged");
    let titles: Vec<Value> = site.events().await.iter().map(|event| event["title"].clone()).collect();
    assert!(titles.contains(&json!("cut \u{fffd} \u{fffd} \u{1f600} \\ud83d")), "{titles:?}");
}

/// The result of a sync, after which this number of events is public.
async fn result_with_events(site: &SyncTest, events: usize) -> Value {
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(site.events().await.len(), events, "{result}");
    result
}

/// Responds to every page with the same body.
fn always(body: Value) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    move |_, _| FakeResponse::Json(body.clone())
}

#[tokio::test]
async fn an_item_that_is_listed_twice_can_replace_one_that_is_not_listed() {
    // Pages overlap where the order is not stable.
    let overlapping = |total: Option<usize>| {
        let (first, second) = (items(10), items(11)[8..].to_vec());
        move |request: &ProviderRequest, _: usize| {
            let page = match page_of(request) {
                1 => first.clone(),
                2 => second.clone(),
                _ => Vec::new(),
            };
            FakeResponse::Json(json!({ "data": page, "total": total }))
        }
    };
    let site = SyncTest::with(FakeBrandlive::listing(items(13)), SMALL_PAGES).await;
    site.sync().await;
    for total in [Some(13), None] {
        site.fake.respond_with(overlapping(total));
        for _ in 0..3 {
            let result = result_with_events(&site, 13).await;
            assert_eq!(result["message"], "0 created, 0 updated, 11 unchanged, 2 failed");
            let ends_early = "Brandlive's list ended after 11 of 13 events; they are synced and none is hidden, check \
                              [brandlive.paging]";
            assert_eq!(result["problem"], json!(total.map(|_| ends_early)));
        }
    }
    // On one page, and with a whole page of known items; accepted removals do not change it.
    let (mut one, mut two) = (items(7), items(10));
    one.push(one[3].clone());
    two.rotate_left(1);
    site.fake.respond_with(move |request, _| {
        FakeResponse::Json(json!({ "data": if page_of(request) == 1 { one.clone() } else { Vec::new() }, "total": 8 }))
    });
    let accept = json!({ "acceptRemovals": true });
    let result = site.admin.post("/api/sync-brandlive", accept.clone()).await.json();
    assert!(result["problem"].as_str().unwrap().contains("after 7 of 8 events"), "{result}");
    site.fake.respond_with(move |request, _| {
        let page = match page_of(request) {
            1 => items(10),
            2 => two.clone(),
            _ => Vec::new(),
        };
        FakeResponse::Json(json!({ "data": page }))
    });
    let result = site.admin.post("/api/sync-brandlive", accept).await.json();
    assert_eq!(result["notes"], json!(["Whether the list is complete is uncertain, so no missing event is hidden"]));
    assert_eq!(site.events().await.len(), 13);
}

#[tokio::test]
async fn a_next_page_that_the_mode_does_not_follow_is_a_problem_and_hides_nothing() {
    let cases = [
        ("page", 5, json!({ "next_cursor": "abc" })),
        ("page", 5, json!({ "links": { "next": "/v1/events?cursor=abc" } })),
        ("page", 5, json!({ "next_cursor": "abc", "total": 5 })),
        ("page", 10, json!({ "links": { "next": { "href": "/v1/events?cursor=abc" } } })),
        ("offset", 5, json!({ "next": 2 })),
        ("none", 5, json!({ "next": "abc" })),
    ];
    for (mode, count, mut body) in cases {
        let config = format!("[brandlive.paging]\nsize = 10\nmode = \"{mode}\"");
        let site = SyncTest::with(FakeBrandlive::new(always(json!(items(12)))), &config).await;
        site.sync().await;
        body["data"] = json!(items(count));
        site.fake.respond_with(always(body.clone()));
        for _ in 0..3 {
            let result = result_with_events(&site, 12).await;
            assert_eq!(result["message"], format!("0 created, 0 updated, {count} unchanged"));
            let problem = result["problem"].as_str().unwrap_or_default();
            assert!(problem.starts_with("Brandlive's list ended, but it names a next page"), "{mode} {body} {result}");
        }
    }
}

#[tokio::test]
async fn a_numbered_list_may_name_the_next_page_as_well() {
    // Until the last page, or on every page with items.
    for is_always in [false, true] {
        let listed = |count: usize| {
            move |request: &ProviderRequest, _: usize| {
                let page = page_of(request);
                let data: Vec<Value> = items(count).into_iter().skip((page - 1) * 10).take(10).collect();
                let has_next = if is_always { !data.is_empty() } else { page * 10 < count };
                let next = has_next.then(|| format!("/v1/events?page={}", page + 1));
                FakeResponse::Json(json!({ "data": data, "total": count, "next": next }))
            }
        };
        let site = SyncTest::with(FakeBrandlive::new(listed(25)), SMALL_PAGES).await;
        assert_eq!(site.sync().await, "25 created, 0 updated, 0 unchanged");
        site.fake.respond_with(listed(24));
        site.sync().await;
        assert_eq!(site.sync().await, "0 created, 0 updated, 24 unchanged, 1 hidden");
    }
}

/// Lists 30 items in pages of 10 under cursors; `next` is the cursor after a page.
fn by_cursor(next: fn(usize) -> Value) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    move |request, _| {
        let start: usize = request.parameter("cursor").parse().unwrap_or(0);
        FakeResponse::Json(json!({ "data": items(30)[start..start + 10], "next_cursor": next(start) }))
    }
}

const CURSOR: &str = "[brandlive.paging]\nmode = \"cursor\"\nparameter = \"cursor\"";

#[tokio::test]
async fn pages_that_loop_are_a_problem_and_what_was_listed_is_synced() {
    let loops: [fn(usize) -> Value; 3] = [
        // The last page names itself, or the first one, or the one before it.
        |start| json!((start + 10).min(20)),
        |start| json!(if start < 20 { start + 10 } else { 0 }),
        |start| json!(if start < 20 { start + 10 } else { 10 }),
    ];
    for next in loops {
        let site = SyncTest::with(FakeBrandlive::new(by_cursor(next)), CURSOR).await;
        let result = result_with_events(&site, 30).await;
        assert!(result["problem"].as_str().unwrap().starts_with("Brandlive's paging loops"), "{result}");
        assert!(site.fake.requests().len() <= 6, "{}", site.fake.requests().len());
    }
    // The same items under ever new cursors.
    let site = SyncTest::with(FakeBrandlive::new(always(json!(items(12)))), CURSOR).await;
    site.sync().await;
    site.fake.respond_with(|_, number| FakeResponse::Json(json!({ "data": items(10), "next": format!("c{number}") })));
    let result = result_with_events(&site, 12).await;
    assert!(result["problem"].as_str().unwrap().starts_with("Brandlive's paging loops"), "{result}");
    assert!(site.fake.requests().len() <= 30, "{}", site.fake.requests().len());
}

#[tokio::test]
async fn a_loop_is_found_over_several_syncs() {
    for (limit, after_a) in [(1, "A"), (2, "B")] {
        let config = format!("requests_per_hour = {limit}\n{CURSOR}");
        let fake = FakeBrandlive::new(move |request, _| {
            let next = if request.parameter("cursor") == "A" { after_a } else { "A" };
            FakeResponse::Json(json!({ "data": items(10), "next": next }))
        });
        let site = SyncTest::with(fake, &config).await;
        let mut problems = 0;
        for _ in 0..3 {
            problems += usize::from(!result_with_events(&site, 10).await["problem"].is_null());
            super::details::an_hour_later(&site);
        }
        assert!(problems > 0, "{limit} requests in an hour");
    }
}

#[tokio::test]
async fn a_next_page_on_another_host_is_not_requested() {
    let body = json!({ "data": items(2), "next": "http://127.0.0.2:1/v1/events" });
    let site = SyncTest::with(FakeBrandlive::new(always(body)), "[brandlive.paging]\nway = \"next\"").await;
    let result = result_with_events(&site, 2).await;
    assert!(result["problem"].as_str().unwrap().contains("is on another host, which is not requested"), "{result}");
}

#[tokio::test]
async fn without_a_key_of_the_next_page_a_full_page_does_not_complete_the_list() {
    let rels = json!([{ "rel": "next", "href": "/v1/events?page=2" }]);
    let config = "[brandlive.paging]\nmode = \"next\"\nsize = 10";
    let site = SyncTest::with(FakeBrandlive::new(always(json!(items(12)))), config).await;
    site.sync().await;
    site.fake.respond_with(always(json!({ "data": items(10), "links": rels })));
    for _ in 0..3 {
        let result = result_with_events(&site, 12).await;
        assert_eq!(result["notes"].as_array().unwrap().len(), 1, "{result}");
    }
    // With the key, or a page that is not full, it does.
    site.fake.respond_with(always(json!({ "data": items(11), "next": null })));
    site.sync().await;
    result_with_events(&site, 11).await;
}

#[tokio::test]
async fn a_total_may_be_written_as_a_decimal() {
    let site = SyncTest::with(FakeBrandlive::listing(items(12)), "").await;
    site.sync().await;
    for total in [json!(12.0), json!("12"), json!("12.0")] {
        site.fake.respond_with(move |request, _| {
            let page = if page_of(request) == 1 { items(10) } else { Vec::new() };
            FakeResponse::Json(json!({ "data": page, "total": total }))
        });
        let result = result_with_events(&site, 12).await;
        assert!(result["problem"].as_str().unwrap().contains("after 10 of 12 events"), "{result}");
    }
}
