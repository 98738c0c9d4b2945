//! The end of a list in every common dialect, and what is missing for certain.

use serde_json::{Value, json};

use super::Site;
use crate::tests::support::fake_brandlive::{FakeBrandlive, ProviderRequest, Reply, items};
use crate::tests::support::without;

/// The page of a request, from 1.
fn page_of(request: &ProviderRequest) -> usize {
    request.parameter("page").parse().unwrap_or(1)
}

/// Lists items in pages of 10; `beyond` is the response to a later page.
fn ending(all: Vec<Value>, beyond: fn() -> Reply) -> impl Fn(&ProviderRequest, usize) -> Reply + Send + Sync + 'static {
    move |request, _| {
        let page: Vec<&Value> = all.iter().skip((page_of(request) - 1) * 10).take(10).collect();
        if page.is_empty() { beyond() } else { Reply::Json(json!({ "data": page })) }
    }
}

const SMALL_PAGES: &str = "[brandlive.paging]\nsize = 10";

/// A name and the response to a page beyond the last.
type Dialect = (&'static str, fn() -> Reply);

#[tokio::test]
async fn every_dialect_of_an_end_completes_the_list() {
    let dialects: [Dialect; 7] = [
        ("empty", || Reply::Json(json!({ "data": [] }))),
        ("null list", || Reply::Json(json!({ "data": null }))),
        ("null", || Reply::Json(json!(null))),
        ("204", || Reply::Raw(204, vec![], vec![])),
        ("400", || Reply::Raw(400, vec![], b"{}".to_vec())),
        ("404", || Reply::Raw(404, vec![], b"{}".to_vec())),
        ("blank", || Reply::Raw(200, vec![], vec![])),
    ];
    for (name, beyond) in dialects {
        let site = Site::with(FakeBrandlive::new(ending(items(25), beyond)), SMALL_PAGES).await;
        assert_eq!(site.sync().await, "25 created, 0 updated, 0 unchanged", "{name}");
        site.fake.respond_with(ending(items(24), beyond));
        assert_eq!(site.sync().await, "0 created, 0 updated, 24 unchanged", "{name}");
        assert_eq!(site.sync().await, "0 created, 0 updated, 24 unchanged, 1 hidden", "{name}");
    }
}

#[tokio::test]
async fn after_a_full_page_a_404_does_not_prove_that_an_event_is_missing() {
    let not_found: fn() -> Reply = || Reply::Raw(404, vec![], vec![]);
    let site = Site::with(FakeBrandlive::new(ending(items(25), not_found)), SMALL_PAGES).await;
    site.sync().await;
    site.fake.respond_with(ending(items(20), not_found));
    for _ in 0..3 {
        assert_eq!(site.sync().await, "0 created, 0 updated, 20 unchanged");
    }
    assert_eq!(site.events().await.len(), 25);
}

#[tokio::test]
async fn a_repeated_last_page_ends_the_list() {
    let clamped = |all: Vec<Value>| {
        move |request: &ProviderRequest, _: usize| {
            let last = all.len().div_ceil(10);
            let page = page_of(request).min(last);
            Reply::Json(json!({ "data": all.iter().skip((page - 1) * 10).take(10).collect::<Vec<_>>() }))
        }
    };
    let site = Site::with(FakeBrandlive::new(clamped(items(25))), SMALL_PAGES).await;
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
            Reply::Json(json!({ "data": page, "meta": { "total": total } }))
        }
    };
    let site = Site::with(FakeBrandlive::new(with_total(25)), SMALL_PAGES).await;
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
        page @ 1..=2 => Reply::Json(json!({ "data": items(15)[(page - 1) * 5..page * 5] })),
        _ => Reply::Raw(400, vec![], b"{}".to_vec()),
    };
    let site = Site::with(FakeBrandlive::listing(items(15)), SMALL_PAGES).await;
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
        1 => Reply::Json(json!({ "data": items(100), "total": 250 })),
        _ => Reply::Json(json!({ "data": [], "total": 250 })),
    };
    let site = Site::with(FakeBrandlive::listing(items(120)), "").await;
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
                Reply::Raw(status, vec![], vec![])
            } else {
                Reply::Json(json!({ "data": items(100), "next": "/v1/events?cursor=page2" }))
            }
        });
        let config = format!("[brandlive.paging]\nmode = \"{mode}\"\nparameter = \"cursor\"");
        let site = Site::with(fake, &config).await;
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
        Reply::Json(json!({ "data": page }))
    };
    let site = Site::with(FakeBrandlive::listing(items(30)), SMALL_PAGES).await;
    site.fake.respond_with(pages.clone());
    assert_eq!(site.sync().await, "28 created, 0 updated, 0 unchanged, 2 failed");
    for _ in 0..2 {
        assert_eq!(site.sync().await, "0 created, 0 updated, 28 unchanged, 2 failed");
    }
    assert_eq!(site.events().await.len(), 28);
}

#[tokio::test]
async fn a_provider_that_ignores_the_page_but_not_the_size_hides_nothing() {
    let first = |_: &ProviderRequest, _: usize| Reply::Json(json!({ "data": items(10) }));
    let site = Site::with(FakeBrandlive::listing(items(14)), SMALL_PAGES).await;
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
        Reply::Raw(200, vec![], format!("\u{feff}{}", json!({ "data": page })).into_bytes())
    });
    assert_eq!(Site::with(fake, "").await.sync().await, "2 created, 0 updated, 0 unchanged");
}

/// Lists 25 items, 10 on a page, whose next address is in this form.
fn linked(count: usize, link: fn(Option<String>) -> Value) -> impl Fn(&ProviderRequest, usize) -> Reply + Send + Sync {
    move |request, _| {
        let page = page_of(request);
        let next = (page * 10 < count).then(|| format!("/v1/events?page={}", page + 1));
        Reply::Json(json!({ "data": items(count)[(page - 1) * 10..(page * 10).min(count)], "links": link(next) }))
    }
}

#[tokio::test]
async fn a_next_address_can_be_in_an_object() {
    let forms: [fn(Option<String>) -> Value; 4] = [
        |next| json!({ "next": next.map(|next| json!({ "href": next })) }),
        |next| json!({ "next": { "href": next } }),
        |next| json!({ "next": next.map_or(json!({}), |next| json!({ "url": next, "rel": "next" })) }),
        |next| json!({ "next": next.map_or(json!(false), |next| json!({ "href": "", "url": next })) }),
    ];
    for form in forms {
        let site = Site::with(FakeBrandlive::new(linked(25, form)), "[brandlive.paging]\nmode = \"next\"").await;
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
        let site = Site::with(FakeBrandlive::new(|_, _| Reply::Json(json!(items(12)))), &config).await;
        site.sync().await;
        let body = json!({ "data": items(10), "total": 10, "links": { "next": form } });
        site.fake.respond_with(move |_, _| Reply::Json(body.clone()));
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
        move |_: &ProviderRequest, _: usize| Reply::Json(json!({ "data": items(count), "total": count }))
    };
    let site = Site::with(FakeBrandlive::new(all(101)), "").await;
    assert_eq!(site.sync().await, "101 created, 0 updated, 0 unchanged");
    site.fake.respond_with(all(100));
    site.sync().await;
    assert_eq!(site.sync().await, "0 created, 0 updated, 100 unchanged, 1 hidden");
}

#[tokio::test]
async fn one_value_that_json_parsers_refuse_does_not_fail_the_list() {
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
        Reply::Raw(200, vec![], body.into_bytes())
    });
    let site = Site::with(fake, "").await;
    assert_eq!(site.sync().await, "3 created, 0 updated, 0 unchanged");
    let titles: Vec<Value> = site.events().await.iter().map(|event| event["title"].clone()).collect();
    assert!(titles.contains(&json!("cut \u{fffd} \u{fffd} \u{1f600} \\ud83d")), "{titles:?}");
}
