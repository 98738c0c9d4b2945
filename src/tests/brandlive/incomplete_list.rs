//! Lists of which a part can't be read: what was read is synced, nothing is hidden, and the report gives the reason.

use serde_json::{Value, json};

use super::SyncTest;
use crate::tests::support::fake_brandlive::{FakeBrandlive, FakeResponse, ProviderRequest, item, items, pages};
use crate::tests::support::program::{run, succeed};
use crate::tests::support::with;

const UNCERTAIN: &str = "Whether the list is complete is uncertain, so no missing event is hidden";

/// Syncs, and returns the result after a check that this number of events is public.
async fn result_with_events(site: &SyncTest, events: usize) -> Value {
    let result = site.admin.post("/api/sync-brandlive", json!({})).await.json();
    assert_eq!(site.events().await.len(), events, "{result}");
    result
}

/// The page of a request, from 1.
fn page_of(request: &ProviderRequest) -> usize {
    request.parameter("page").parse().unwrap_or(1)
}

/// Lists items in pages of 10, except for page `number`.
fn with_page(
    all: Vec<Value>,
    number: usize,
    page: impl Fn() -> FakeResponse + Send + Sync + 'static,
) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    let list = pages(all, 10);
    move |request, count| if page_of(request) == number { page() } else { list(request, count) }
}

const SMALL_PAGES: &str = "[brandlive.paging]\nsize = 10";

/// The reason and the response.
type Failure = (&'static str, Box<dyn Fn() -> FakeResponse + Send + Sync>);

#[tokio::test]
async fn a_later_page_that_fails_keeps_the_pages_before_it_and_hides_nothing() {
    let raw = |status: u16, body: &str| FakeResponse::Raw(status, vec![], body.as_bytes().to_vec());
    let failures: [Failure; 9] = [
        ("Brandlive returned a server error (500); gave up after", Box::new(move || raw(500, ""))),
        ("Brandlive rejects the key (401)", Box::new(move || raw(401, "{}"))),
        ("Brandlive rejects the key (403)", Box::new(move || raw(403, "{}"))),
        ("Brandlive rejects the request to /v1/events (409)", Box::new(move || raw(409, "{}"))),
        (
            "Brandlive's response to /v1/events is not complete JSON",
            Box::new(move || raw(200, "{\"data\": [{\"uuid\":")),
        ),
        ("Brandlive responded to /v1/events with a web page", Box::new(move || raw(200, "<html>Sign in</html>"))),
        ("The connection to Brandlive was lost; gave up after", Box::new(|| FakeResponse::Close)),
        ("Brandlive's response was cut off; gave up after", Box::new(|| FakeResponse::CutOff)),
        ("Brandlive's response contains no list of events", Box::new(move || raw(200, "\"busy\""))),
    ];
    for (reason, fail) in failures {
        let site = SyncTest::with(FakeBrandlive::new(pages(items(12), 10)), SMALL_PAGES).await;
        site.sync().await;
        // Ten of the events are listed, two of them new.
        site.fake.respond_with(with_page(items(14)[4..].to_vec(), 2, fail));
        let result = result_with_events(&site, 14).await;
        assert_eq!(result["message"], "2 created, 0 updated, 8 unchanged", "{reason}");
        let problem = result["problem"].as_str().unwrap();
        assert!(problem.starts_with(reason), "{reason}: {problem}");
        assert!(problem.ends_with("; the pages before it are synced and no event is hidden"), "{problem}");
        result_with_events(&site, 14).await;
    }
}

#[test]
fn only_a_sync_that_fetches_nothing_exits_with_2() {
    let fake = FakeBrandlive::new(with_page(items(25), 2, || FakeResponse::Raw(503, vec![], vec![])));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), fake.toml(SMALL_PAGES)).unwrap();
    let ran = run(folder.path(), &["sync-brandlive"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "10 created, 0 updated, 0 unchanged\n"));
    assert!(ran.err.starts_with("lectern: Brandlive returned a server error (503); gave up after"), "{}", ran.err);
    let report: Value = serde_json::from_str(&run(folder.path(), &["sync-brandlive", "--json"]).out).unwrap();
    assert!(report["problem"].as_str().unwrap().ends_with("the pages before it are synced and no event is hidden"));
    fake.respond_with(with_page(items(25), 1, || FakeResponse::Raw(503, vec![], vec![])));
    assert_eq!(run(folder.path(), &["sync-brandlive"]).code, Some(2));
    fake.respond_with(pages(items(25), 10));
    assert_eq!(succeed(folder.path(), &["sync-brandlive"]), "15 created, 0 updated, 10 unchanged\n");
}

#[tokio::test]
async fn an_error_in_the_body_of_a_later_page_is_not_the_end_of_the_list() {
    for body in [
        json!({ "error": "temporarily unavailable" }),
        json!({ "error": { "code": 500 }, "data": null }),
        json!({ "errors": ["timeout"], "data": [] }),
        json!({ "message": "Internal error" }),
        json!({ "detail": "Try again" }),
        json!({ "success": false, "events": [] }),
        json!({ "status": "error" }),
        json!({ "status": 503, "items": [] }),
        json!({ "code": "500" }),
        json!({ "data": { "error": "timeout" } }),
        json!({ "data": { "success": false, "events": [] } }),
        json!({ "data": [], "message": "Rate limited" }),
        json!({ "data": null, "detail": "Service temporarily unavailable" }),
        json!({ "data": { "events": [], "reason": "Request TIMED OUT" } }),
        json!({ "result": "error", "data": [] }),
        json!({ "result": "error" }),
    ] {
        // The page before it is full, or not.
        for size in [10, 12] {
            let page = body.clone();
            let site =
                SyncTest::with(FakeBrandlive::listing(items(12)), &format!("[brandlive.paging]\nsize = {size}")).await;
            site.sync().await;
            site.fake.respond_with(with_page(items(14)[4..].to_vec(), 2, move || FakeResponse::Json(page.clone())));
            for _ in 0..2 {
                let result = result_with_events(&site, 14).await;
                let problem = result["problem"].as_str().unwrap_or_default();
                let reason =
                    "Brandlive responded to /v1/events with status 200, but the body reports an error; the pages";
                assert!(problem.starts_with(reason), "{body}: {result}");
            }
        }
    }
    // These are ends, with nothing that reports an error.
    for body in [
        json!({ "data": [], "message": "No more events", "error": null, "errors": [] }),
        json!({ "data": [], "status": "ok", "code": 200, "success": true }),
        json!({ "data": null, "error": false }),
        json!({ "data": null, "message": "End of the list", "meta": { "page": 2 } }),
        json!({ "events": [], "message": "OK", "result": "success" }),
        json!({ "items": [], "result": { "error": 0 } }),
    ] {
        let page = body.clone();
        let site = SyncTest::with(FakeBrandlive::listing(items(12)), "[brandlive.paging]\nsize = 12").await;
        site.sync().await;
        site.fake.respond_with(with_page(items(10), 2, move || FakeResponse::Json(page.clone())));
        site.sync().await;
        assert_eq!(site.sync().await, "0 created, 0 updated, 10 unchanged, 2 hidden", "{body}");
    }
}

/// Responds to the first page with items, and to every other page with a body.
fn then(
    count: usize,
    status: u16,
    body: &str,
) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    let body = body.as_bytes().to_vec();
    move |request, _| {
        // An offset begins at 0.
        if page_of(request) <= 1 && request.parameter("cursor").is_empty() {
            FakeResponse::Json(json!({ "data": items(count) }))
        } else {
            FakeResponse::Raw(status, vec![], body.clone())
        }
    }
}

#[tokio::test]
async fn a_later_page_without_a_list_is_a_problem_and_hides_nothing() {
    let bodies = [
        "{}",
        "{\"status\": \"maintenance\"}",
        "{\"data\": {\"a\": 1}}",
        "{\"data\": \"busy\"}",
        "{\"data\": {\"a\": 1}, \"total\": 10}",
        "{\"meta\": {}}",
    ];
    for (mode, body) in bodies.into_iter().flat_map(|body| [("page", body), ("offset", body)]) {
        // The page before it is full, or not.
        for size in [10, 12] {
            let config = format!("[brandlive.paging]\nmode = \"{mode}\"\nsize = {size}");
            let site = SyncTest::with(FakeBrandlive::new(then(12, 200, "[]")), &config).await;
            site.sync().await;
            site.fake.respond_with(then(10, 200, body));
            for _ in 0..2 {
                let result = result_with_events(&site, 12).await;
                let problem = "Brandlive's next page /v1/events contains no list; what was listed before it is synced";
                assert_eq!(result["problem"], problem, "{mode} {size} {body}");
            }
        }
    }
    let fake = FakeBrandlive::new(then(3, 200, "{\"status\": \"maintenance\"}"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), fake.toml("[brandlive.paging]\nsize = 3")).unwrap();
    let ran = run(folder.path(), &["sync-brandlive"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "3 created, 0 updated, 0 unchanged\n"));
    assert!(ran.err.contains("contains no list"), "{}", ran.err);
}

/// The same as [`then`] with a first page that names the next one.
fn named_then(status: u16, body: &str) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    let rest = then(10, status, body);
    move |request, count| match rest(request, count) {
        FakeResponse::Json(mut page) => {
            page["next"] = json!("/v1/events?cursor=two");
            FakeResponse::Json(page)
        }
        other => other,
    }
}

#[tokio::test]
async fn a_named_page_without_a_list_is_a_problem_and_hides_nothing() {
    for mode in ["next", "cursor"] {
        let config = format!("[brandlive.paging]\nmode = \"{mode}\"\nparameter = \"cursor\"\nsize = 10");
        for (status, body) in [(200, ""), (200, " \n"), (200, "null"), (204, ""), (200, "{}")] {
            let site = SyncTest::with(FakeBrandlive::new(one_page(12, json!({}))), &config).await;
            site.sync().await;
            site.fake.respond_with(named_then(status, body));
            for _ in 0..2 {
                let result = result_with_events(&site, 12).await;
                let problem = result["problem"].as_str().unwrap_or_default();
                assert!(problem.contains("next page /v1/events contains no list"), "{mode} {status} {body:?} {result}");
            }
        }
        // An empty list is an end.
        let site = SyncTest::with(FakeBrandlive::new(one_page(12, json!({}))), &config).await;
        site.sync().await;
        site.fake.respond_with(named_then(200, "{\"data\": []}"));
        site.sync().await;
        assert_eq!(site.sync().await, "0 created, 0 updated, 10 unchanged, 2 hidden", "{mode}");
    }
}

#[tokio::test]
async fn an_end_that_is_no_clear_statement_makes_the_list_uncertain() {
    let ends = [
        // An empty body, with status 200 and after a full page.
        "",
        "{\"events\": null, \"info\": \"rate\"}",
        "{\"data\": [], \"message\": \"Come back later\"}",
        "{\"data\": null, \"reason\": \"Quota\"}",
    ];
    for (mode, body) in ends.into_iter().flat_map(|body| [("page", body), ("offset", body)]) {
        let config = format!("[brandlive.paging]\nmode = \"{mode}\"\nsize = 10");
        let site = SyncTest::with(FakeBrandlive::new(one_page(12, json!({}))), &config).await;
        site.sync().await;
        site.fake.respond_with(then(10, 200, body));
        for _ in 0..3 {
            let result = result_with_events(&site, 12).await;
            assert_eq!((&result["notes"], &result["problem"]), (&json!([UNCERTAIN]), &Value::Null), "{mode} {body}");
        }
    }
}

#[tokio::test]
async fn a_total_that_cannot_be_read_hides_nothing() {
    for total in [json!("many"), json!("1,000"), json!({ "value": 10 }), json!(10.5)] {
        let site = SyncTest::with(FakeBrandlive::new(one_page(12, json!({}))), "").await;
        site.sync().await;
        site.fake.respond_with(one_page(10, json!({ "total": total })));
        for _ in 0..3 {
            assert_eq!(result_with_events(&site, 12).await["message"], "0 created, 0 updated, 10 unchanged", "{total}");
        }
    }
}

#[tokio::test]
async fn a_resumed_list_whose_next_page_fails_is_read_from_its_beginning() {
    let config = format!("requests_per_hour = 2\n{SMALL_PAGES}");
    let site = SyncTest::with(FakeBrandlive::new(pages(items(25), 10)), &config).await;
    assert_eq!(site.sync().await, "20 created, 0 updated, 0 unchanged");
    site.fake.respond_with(with_page(items(25), 3, || FakeResponse::Raw(200, vec![], b"{".to_vec())));
    super::details::an_hour_later(&site);
    assert!(site.sync_error(502).await.contains("is not complete JSON"));
    super::details::an_hour_later(&site);
    assert_eq!(site.sync().await, "0 created, 0 updated, 20 unchanged");
}

/// Responds to every page with the same items, total and so on, and no further items.
fn one_page(count: usize, more: Value) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    move |request, _| {
        let mut body = more.clone();
        // An offset begins at 0.
        body["data"] = json!(if page_of(request) <= 1 { items(count) } else { Vec::new() });
        FakeResponse::Json(body)
    }
}

#[tokio::test]
async fn a_total_that_cannot_be_read_is_a_note() {
    for total in [json!("many"), json!("1,250"), json!(-5), json!({ "value": 2 }), json!([2]), json!(true), json!(2.5)]
    {
        let site = SyncTest::with(FakeBrandlive::new(one_page(2, json!({ "total": total }))), "").await;
        let result = result_with_events(&site, 2).await;
        let note = "The value of total at /total can't be read, so whether the list is complete is uncertain and no missing \
                    event is hidden; check total under [brandlive.paging]";
        assert_eq!((&result["notes"], &result["problem"]), (&json!([note]), &Value::Null), "{total}");
    }
    for total in [json!(-1), json!("-1"), json!(null), json!(""), json!("2"), json!(" 2 "), json!(2.0)] {
        let site = SyncTest::with(FakeBrandlive::new(one_page(2, json!({ "total": total }))), "").await;
        let result = result_with_events(&site, 2).await;
        assert_eq!((&result["notes"], &result["problem"]), (&json!([]), &Value::Null), "{total}");
    }
    // Another pointer with a number is enough, and is read.
    let body = json!({ "total": { "value": 5 }, "meta": { "total": "5" } });
    let site = SyncTest::with(FakeBrandlive::new(one_page(2, body)), "").await;
    let result = result_with_events(&site, 2).await;
    assert!(result["problem"].as_str().unwrap().contains("ended after 2 of 5 events"), "{result}");
    assert_eq!(result["notes"], json!([]));
}

#[tokio::test]
async fn a_number_beyond_every_format_is_no_total_and_fails_no_list() {
    for total in ["1e999", "NaN", "-Infinity", "Infinity"] {
        let body = json!({ "data": items(2), "total": "NUMBER" }).to_string().replace("\"NUMBER\"", total);
        let fake = FakeBrandlive::new(move |_, _| FakeResponse::Raw(200, vec![], body.clone().into_bytes()));
        let result = result_with_events(&SyncTest::with(fake, "").await, 2).await;
        assert_eq!((result["notes"].as_array().unwrap().len(), &result["problem"]), (1, &Value::Null), "{total}");
    }
}

#[tokio::test]
async fn a_list_that_ends_although_it_states_that_there_is_more_is_a_problem_and_hides_nothing() {
    let more = "Brandlive's list ended, but its last page states that there are more";
    let pages_left = "Brandlive's list ended after 1 of 3 pages";
    let cases = [
        ("none", json!({ "has_more": true }), more),
        ("page", json!({ "hasMore": "true" }), more),
        ("page", json!({ "meta": { "has_more": 1 } }), more),
        ("offset", json!({ "pagination": { "has_more": true } }), more),
        ("cursor", json!({ "has_more": true, "next_cursor": null }), more),
        ("next", json!({ "has_more": true, "links": { "next": null } }), more),
        ("none", json!({ "pageInfo": { "hasNextPage": true } }), more),
        ("none", json!({ "page": { "totalPages": 3 } }), pages_left),
        ("none", json!({ "total_pages": 3 }), pages_left),
        ("page", json!({ "totalPages": "3" }), pages_left),
        ("page", json!({ "last_page": 3, "total": 10 }), pages_left),
        ("offset", json!({ "meta": { "total_pages": 3 } }), pages_left),
        ("cursor", json!({ "total_pages": 3, "next_cursor": "" }), pages_left),
    ];
    for (mode, body, reason) in cases {
        let config = format!("[brandlive.paging]\nsize = 10\nmode = \"{mode}\"");
        let site = SyncTest::with(FakeBrandlive::new(one_page(12, json!({}))), &config).await;
        site.sync().await;
        site.fake.respond_with(one_page(10, body.clone()));
        for _ in 0..3 {
            let result = result_with_events(&site, 12).await;
            assert_eq!(result["message"], "0 created, 0 updated, 10 unchanged", "{mode} {body}");
            assert!(result["problem"].as_str().unwrap_or_default().starts_with(reason), "{mode} {body} {result}");
        }
    }
    // Without the pointers, what they lead to is not compared.
    let config = "[brandlive.paging]\nmore = []\ntotal_pages = []";
    let body = json!({ "has_more": true, "total_pages": 9 });
    let site = SyncTest::with(FakeBrandlive::new(one_page(10, body)), config).await;
    assert_eq!(result_with_events(&site, 10).await["problem"], Value::Null);
}

#[tokio::test]
async fn what_a_complete_list_states_about_its_pages_is_no_problem() {
    let listed = |count: usize| {
        move |request: &ProviderRequest, _: usize| {
            let page = page_of(request);
            let data: Vec<Value> = items(count).into_iter().skip((page - 1) * 10).take(10).collect();
            FakeResponse::Json(
                json!({ "data": data, "has_more": page * 10 < count, "total_pages": count.div_ceil(10) }),
            )
        }
    };
    let site = SyncTest::with(FakeBrandlive::new(listed(30)), SMALL_PAGES).await;
    assert_eq!(site.sync().await, "30 created, 0 updated, 0 unchanged");
    site.fake.respond_with(listed(29));
    site.sync().await;
    assert_eq!(site.sync().await, "0 created, 0 updated, 29 unchanged, 1 hidden");
    // A provider that ignores the size of a page computes the number of pages from it all the same.
    let all = one_page(25, json!({ "total": 25, "total_pages": 3 }));
    let site = SyncTest::with(FakeBrandlive::new(all), SMALL_PAGES).await;
    assert_eq!(result_with_events(&site, 25).await["problem"], Value::Null);
    // A flag in an unknown form is a note.
    let site = SyncTest::with(FakeBrandlive::new(one_page(2, json!({ "has_more": {} }))), "").await;
    let notes = &result_with_events(&site, 2).await["notes"];
    assert!(notes[0].as_str().unwrap().starts_with("The value of more at /has_more can't be read"), "{notes}");
}

#[tokio::test]
async fn an_empty_page_before_the_stated_end_does_not_end_a_list_of_numbered_pages() {
    for stated in [json!({ "has_more": true }), json!({ "total_pages": 3 })] {
        let fake = FakeBrandlive::new(move |request, _| {
            let all = items(15);
            let (page, mut body) = (page_of(request), stated.clone());
            body["data"] = match page {
                1 => json!(all[..10]),
                3 => json!(all[10..]),
                _ => json!([]),
            };
            if page >= 3 && body["has_more"] == true {
                body["has_more"] = json!(false);
            }
            FakeResponse::Json(body)
        });
        let site = SyncTest::with(fake, SMALL_PAGES).await;
        assert_eq!(site.sync().await, "15 created, 0 updated, 0 unchanged");
        let result = result_with_events(&site, 15).await;
        assert_eq!((&result["problem"], &result["notes"]), (&Value::Null, &json!([])));
    }
}

/// The header of a page of a list with this number of events.
type PageHeader = fn(usize, usize) -> (&'static str, String);

/// Lists items in pages of 10 with this header.
fn with_header(
    count: usize,
    header: PageHeader,
) -> impl Fn(&ProviderRequest, usize) -> FakeResponse + Send + Sync + 'static {
    move |request, _| {
        let page = page_of(request);
        let data: Vec<Value> = items(count).into_iter().skip((page - 1) * 10).take(10).collect();
        FakeResponse::Raw(200, vec![header(page, count)], json!(data).to_string().into_bytes())
    }
}

fn link(page: usize, count: usize) -> (&'static str, String) {
    let last = "</v1/events?page=3>; title=\"a, b\"; rel=\"last\"";
    let next = format!("</v1/events?page={}&x=1,2>; rel=\"prefetch Next\", {last}", page + 1);
    ("Link", if page * 10 < count { next } else { last.to_owned() })
}

#[tokio::test]
async fn the_link_header_names_the_next_page() {
    let next = "[brandlive.paging]\nmode = \"next\"\nsize = 10";
    let site = SyncTest::with(FakeBrandlive::new(with_header(30, link)), next).await;
    assert_eq!(site.sync().await, "30 created, 0 updated, 0 unchanged");
    site.fake.respond_with(with_header(29, link));
    site.sync().await;
    assert_eq!(site.sync().await, "0 created, 0 updated, 29 unchanged, 1 hidden");
    // In the other modes it is compared with the end of the list.
    let site = SyncTest::with(FakeBrandlive::new(with_header(30, link)), SMALL_PAGES).await;
    assert_eq!(site.sync().await, "30 created, 0 updated, 0 unchanged");
    for mode in ["none", "cursor"] {
        let config = format!("[brandlive.paging]\nmode = \"{mode}\"\nsize = 20");
        let site = SyncTest::with(FakeBrandlive::new(with_header(30, link)), &config).await;
        let result = result_with_events(&site, 10).await;
        let problem = result["problem"].as_str().unwrap_or_default();
        assert!(problem.starts_with("Brandlive's list ended, but it names a next page"), "{mode} {result}");
    }
}

#[tokio::test]
async fn a_total_in_a_header_is_compared_with_the_list() {
    let headers: [PageHeader; 3] = [
        |page, _| ("Content-Range", format!("events {}-{}/250", page * 10 - 10, page * 10 - 1)),
        |_, _| ("Content-Range", "items */250".to_owned()),
        |_, _| ("X-Total-Count", "250".to_owned()),
    ];
    for header in headers {
        let site = SyncTest::with(FakeBrandlive::new(with_header(15, header)), SMALL_PAGES).await;
        let result = result_with_events(&site, 15).await;
        assert!(result["problem"].as_str().unwrap_or_default().contains("after 15 of 250 events"), "{result}");
    }
    let site = SyncTest::with(FakeBrandlive::new(with_header(15, headers[0])), "[brandlive.paging]\ntotal = []").await;
    assert_eq!(result_with_events(&site, 15).await["problem"], Value::Null);
    let unreadable = |_, _| ("X-Total-Count", "abc".to_owned());
    let site = SyncTest::with(FakeBrandlive::listing(items(16)), SMALL_PAGES).await;
    site.sync().await;
    site.fake.respond_with(with_header(15, unreadable));
    for _ in 0..3 {
        let notes = &result_with_events(&site, 16).await["notes"];
        let note = "The value of total in the header X-Total-Count can't be read, so whether the list is complete is";
        assert!(notes[0].as_str().unwrap_or_default().starts_with(note), "{notes}");
    }
    let unknown = |_, _| ("Content-Range", "items 0-9/*".to_owned());
    let site = SyncTest::with(FakeBrandlive::new(with_header(15, unknown)), SMALL_PAGES).await;
    assert_eq!(result_with_events(&site, 15).await["problem"], Value::Null);
}

#[tokio::test]
async fn a_list_beyond_the_limits_is_synced_as_far_as_they_reach_and_hides_nothing() {
    let fake = FakeBrandlive::listing(items(2));
    let mut config = fake.config_with("[brandlive.paging]\nsize = 1");
    (config.brandlive.request_seconds, config.brandlive.total_seconds) = (15, 90);
    let app = crate::tests::support::TestApp::start_with(config);
    let site = SyncTest { admin: app.sign_in_admin().await, app, fake };
    site.sync().await;
    // One event on each of too many pages.
    site.fake.respond_with(|request, _| {
        let id = format!("on-page-{}", page_of(request));
        FakeResponse::Json(json!({ "data": [item(&id, "Webinar")] }))
    });
    let result = result_with_events(&site, 1_002).await;
    let problem = result["problem"].as_str().unwrap_or_default();
    assert!(problem.starts_with("Brandlive's list does not end after 1000 pages; what was listed is"), "{result}");
    // Too many events on a few pages. Those that were cancelled before they were synced are not stored.
    site.fake.respond_with(|request, _| {
        let first = 5_100 * page_of(request);
        let text = with(item("", "Webinar"), "/description", json!("Text without tags"));
        let cancelled = with(text, "/status", json!("cancelled"));
        let listed: Vec<Value> = (first..first + 5_099)
            .map(|number| with(cancelled.clone(), "/uuid", json!(number)))
            .chain([item(&format!("last-{first}"), "Last")])
            .collect();
        FakeResponse::Json(json!({ "data": listed }))
    });
    // The last of them is on the page that exceeds the limit.
    let result = result_with_events(&site, 1_002 + 4).await;
    assert_eq!(result["message"], "4 created, 0 updated, 20396 unchanged");
    let problem = result["problem"].as_str().unwrap_or_default();
    assert!(problem.starts_with("Brandlive lists more than 20000 events; what was listed is synced"), "{result}");
}

#[tokio::test]
async fn a_page_with_items_and_an_error_makes_the_list_uncertain() {
    let site = SyncTest::with(FakeBrandlive::listing(items(12)), SMALL_PAGES).await;
    site.sync().await;
    let errors = |request: &ProviderRequest, _: usize| match page_of(request) {
        1 => FakeResponse::Json(json!({ "data": items(10), "errors": ["2 events could not be loaded"] })),
        _ => FakeResponse::Json(json!({ "data": [] })),
    };
    site.fake.respond_with(errors);
    for _ in 0..3 {
        assert_eq!(result_with_events(&site, 12).await["notes"], json!([UNCERTAIN]));
    }
}

#[tokio::test]
async fn an_uncertain_end_is_a_note() {
    let site = SyncTest::with(
        FakeBrandlive::new(with_page(items(10), 2, || FakeResponse::Raw(404, vec![], vec![]))),
        SMALL_PAGES,
    );
    let site = site.await;
    assert_eq!(result_with_events(&site, 10).await["notes"], json!([UNCERTAIN]));
}
