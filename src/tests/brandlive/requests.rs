//! The requests to the provider: credentials, paging and details.

use serde_json::{Value, json};

use super::SyncTest;
use crate::tests::support::fake_brandlive::{FakeBrandlive, FakeResponse, KEY, ProviderRequest, SECRET, items, pages};

/// Syncs with these lines of configuration and returns the requests.
async fn requests_with(more: &str) -> Vec<ProviderRequest> {
    let list = pages(items(2), 100);
    let fake = FakeBrandlive::new(move |request, number| match request.method.as_str() {
        "POST" => FakeResponse::Json(json!({ "access_token": "a-token" })),
        _ => list(request, number),
    });
    let site = SyncTest::with(fake, more).await;
    assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
    site.fake.requests()
}

#[tokio::test]
async fn credentials_are_sent_as_configured() {
    let mode =
        |mode: &str| format!("[brandlive.credentials]\nmode = \"{mode}\"\nkey_name = \"X-K\"\nsecret_name = \"X-S\"");
    for request in requests_with(&mode("headers")).await {
        assert_eq!((request.header("x-k"), request.header("x-s")), (KEY.to_owned(), SECRET.to_owned()));
    }
    for request in requests_with(&mode("bearer")).await {
        assert_eq!(request.header("authorization"), format!("Bearer {KEY}"));
    }
    for request in requests_with(&mode("query")).await {
        assert_eq!((request.parameter("X-K"), request.parameter("X-S")), (KEY.to_owned(), SECRET.to_owned()));
        assert_eq!(request.target.matches(KEY).count(), 1);
    }
    for request in requests_with(&mode("basic")).await {
        assert_eq!(request.header("authorization"), "Basic aHVzaC1rZXktNDcxMTpodXNoLXNlY3JldC0wODE1");
    }
    let requests = requests_with(&mode("token")).await;
    assert_eq!((requests[0].method.as_str(), requests[0].target.as_str()), ("POST", "/v1/token"));
    let body: Value = serde_json::from_str(&requests[0].body).unwrap();
    assert_eq!(body, json!({ "api_key": KEY, "api_secret": SECRET }));
    assert!(requests[1..].iter().all(|request| request.header("authorization") == "Bearer a-token"));
    let form = mode("token") + "\ntoken_body = \"id={key}&secret={secret}\"";
    assert_eq!(requests_with(&form).await[0].body, format!("id={KEY}&secret={SECRET}"));
}

/// Syncs 25 items in pages of 10 and returns the number of requests.
async fn paged(mode: &str, respond: impl Fn(&ProviderRequest, &[Value]) -> Value + Send + Sync + 'static) -> usize {
    let all = items(25);
    let fake = FakeBrandlive::new(move |request, _| FakeResponse::Json(respond(request, &all)));
    let config = format!("[brandlive.paging]\nmode = \"{mode}\"\nparameter = \"from\"\nfirst = 0\nsize = 10");
    let site = SyncTest::with(fake, &config).await;
    assert_eq!(site.sync().await, "25 created, 0 updated, 0 unchanged", "{mode}");
    site.fake.requests().len()
}

fn ten_from(all: &[Value], start: usize) -> Vec<Value> {
    all.iter().skip(start).take(10).cloned().collect()
}

#[tokio::test]
async fn long_lists_are_fetched_completely_in_every_paging_mode() {
    let from = |request: &ProviderRequest| request.parameter("from").parse::<usize>().unwrap_or(0);
    assert_eq!(paged("none", |_, all| json!(all)).await, 1);
    assert_eq!(paged("page", move |request, all| json!({ "events": ten_from(all, from(request) * 10) })).await, 4);
    assert_eq!(paged("offset", move |request, all| json!({ "items": ten_from(all, from(request)) })).await, 4);
    // A provider without paging repeats the list.
    assert_eq!(paged("page", |_, all| json!({ "data": all })).await, 2);
    let cursor = move |request: &ProviderRequest, all: &[Value]| {
        let start = from(request);
        let next = (start + 10 < all.len()).then_some(start + 10);
        json!({ "meta": { "next_cursor": next }, "data": { "items": ten_from(all, start) } })
    };
    assert_eq!(paged("cursor", cursor).await, 3);
    let next = move |request: &ProviderRequest, all: &[Value]| {
        let start = from(request);
        let next = if start + 10 < all.len() { format!("/v1/events?from={}", start + 10) } else { String::new() };
        json!({ "links": { "next": next }, "results": ten_from(all, start) })
    };
    assert_eq!(paged("next", next).await, 3);
}

#[tokio::test]
async fn the_plain_basic_mode_sends_the_pair_without_base64() {
    for request in requests_with("[brandlive.credentials]\nmode = \"basic_plain\"").await {
        assert_eq!(request.header("authorization"), format!("Basic {KEY}:{SECRET}"));
    }
    // The default is the form of RFC 7617.
    for request in requests_with("").await {
        assert_eq!(request.header("authorization"), "Basic aHVzaC1rZXktNDcxMTpodXNoLXNlY3JldC0wODE1");
    }
}

#[tokio::test]
async fn a_404_after_the_last_page_ends_the_list() {
    let list = pages(items(2), 100);
    let fake = FakeBrandlive::new(move |request, number| match request.parameter("page").as_str() {
        "1" => list(request, number),
        _ => FakeResponse::Raw(404, vec![], vec![]),
    });
    assert_eq!(SyncTest::with(fake, "").await.sync().await, "2 created, 0 updated, 0 unchanged");
}

#[tokio::test]
async fn details_are_requested_if_the_list_lacks_fields() {
    let fake = FakeBrandlive::new(|request, _| {
        let id =
            request.target.strip_prefix("/v1/events/").map(|id| id.split('?').next().unwrap_or_default().to_owned());
        FakeResponse::Json(match (id, request.parameter("page").as_str()) {
            (Some(id), _) => {
                json!({ "data": { "start_date": "2031-03-12T23:00:00Z", "url": format!("https://x.example/{id}") } })
            }
            (None, "1") => json!([{ "uuid": "a b", "name": "One" }, { "uuid": "b", "name": "Two" }]),
            _ => json!([]),
        })
    });
    let site = SyncTest::with(fake, "detail_path = \"/v1/events/{id}\"").await;
    assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
    assert_eq!(site.events().await[0]["registrationUrl"], "https://x.example/a%20b");
}

#[tokio::test]
async fn the_body_of_the_endpoint_is_optional() {
    let site = SyncTest::listing(items(2)).await;
    for body in [None, Some(""), Some("null"), Some("{}"), Some("{\"acceptRemovals\":true}")] {
        let response = site.admin.send("POST", "/api/sync-brandlive", body.map(str::to_owned)).await;
        assert_eq!(response.status, 200, "{body:?}: {}", response.text());
    }
    let response = site.admin.post("/api/sync-brandlive", json!({ "acceptRemovals": "yes" })).await;
    assert_eq!(response.status, 400);
}
