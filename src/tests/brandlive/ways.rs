//! The ways of sending credentials, of paging, and of asking for details.

use serde_json::{Value, json};

use super::Site;
use crate::tests::support::fake_brandlive::{Act, Asked, FakeBrandlive, KEY, SECRET, items, pages};

/// Syncs with these lines of settings and returns what the provider was asked.
async fn asked_with(more: &str) -> Vec<Asked> {
    let list = pages(items(2), 100);
    let fake = FakeBrandlive::new(move |asked, number| match asked.method.as_str() {
        "POST" => Act::Json(json!({ "access_token": "a-token" })),
        _ => list(asked, number),
    });
    let site = Site::with(fake, more).await;
    assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
    site.fake.asked()
}

#[tokio::test]
async fn credentials_are_sent_as_configured() {
    let way =
        |way: &str| format!("[brandlive.credentials]\nway = \"{way}\"\nkey_name = \"X-K\"\nsecret_name = \"X-S\"");
    for asked in asked_with(&way("headers")).await {
        assert_eq!((asked.header("x-k"), asked.header("x-s")), (KEY.to_owned(), SECRET.to_owned()));
    }
    for asked in asked_with(&way("bearer")).await {
        assert_eq!(asked.header("authorization"), format!("Bearer {KEY}"));
    }
    for asked in asked_with(&way("query")).await {
        assert_eq!((asked.parameter("X-K"), asked.parameter("X-S")), (KEY.to_owned(), SECRET.to_owned()));
        assert_eq!(asked.target.matches(KEY).count(), 1);
    }
    for asked in asked_with(&way("basic")).await {
        assert_eq!(asked.header("authorization"), "Basic aHVzaC1rZXktNDcxMTpodXNoLXNlY3JldC0wODE1");
    }
    let asked = asked_with(&way("token")).await;
    assert_eq!((asked[0].method.as_str(), asked[0].target.as_str()), ("POST", "/v1/token"));
    let body: Value = serde_json::from_str(&asked[0].body).unwrap();
    assert_eq!(body, json!({ "api_key": KEY, "api_secret": SECRET }));
    assert!(asked[1..].iter().all(|asked| asked.header("authorization") == "Bearer a-token"));
    let form = way("token") + "\ntoken_body = \"id={key}&secret={secret}\"";
    assert_eq!(asked_with(&form).await[0].body, format!("id={KEY}&secret={SECRET}"));
}

/// Lists 25 items in pages of 10 in this way and returns how often it was asked.
async fn paged(way: &str, behave: impl Fn(&Asked, &[Value]) -> Value + Send + Sync + 'static) -> usize {
    let all = items(25);
    let fake = FakeBrandlive::new(move |asked, _| Act::Json(behave(asked, &all)));
    let more = format!("[brandlive.paging]\nway = \"{way}\"\nparameter = \"from\"\nfirst = 0\nsize = 10");
    let site = Site::with(fake, &more).await;
    assert_eq!(site.sync().await, "25 created, 0 updated, 0 unchanged", "{way}");
    site.fake.asked().len()
}

fn ten_from(all: &[Value], start: usize) -> Vec<Value> {
    all.iter().skip(start).take(10).cloned().collect()
}

#[tokio::test]
async fn long_lists_are_fetched_whole_in_every_way() {
    let from = |asked: &Asked| asked.parameter("from").parse::<usize>().unwrap_or(0);
    assert_eq!(paged("none", |_, all| json!(all)).await, 1);
    assert_eq!(paged("page", move |asked, all| json!({ "events": ten_from(all, from(asked) * 10) })).await, 4);
    assert_eq!(paged("offset", move |asked, all| json!({ "items": ten_from(all, from(asked)) })).await, 4);
    // A provider that knows nothing of pages says the same again.
    assert_eq!(paged("page", |_, all| json!({ "data": all })).await, 2);
    let cursor = move |asked: &Asked, all: &[Value]| {
        let start = from(asked);
        let next = (start + 10 < all.len()).then_some(start + 10);
        json!({ "meta": { "next_cursor": next }, "data": { "items": ten_from(all, start) } })
    };
    assert_eq!(paged("cursor", cursor).await, 3);
    let next = move |asked: &Asked, all: &[Value]| {
        let start = from(asked);
        let next = if start + 10 < all.len() { format!("/v1/events?from={}", start + 10) } else { String::new() };
        json!({ "links": { "next": next }, "results": ten_from(all, start) })
    };
    assert_eq!(paged("next", next).await, 3);
}

#[tokio::test]
async fn a_page_beyond_the_last_may_be_unknown() {
    let list = pages(items(2), 100);
    let fake = FakeBrandlive::new(move |asked, number| match asked.parameter("page").as_str() {
        "1" => list(asked, number),
        _ => Act::Raw(404, vec![], vec![]),
    });
    assert_eq!(Site::with(fake, "").await.sync().await, "2 created, 0 updated, 0 unchanged");
}

#[tokio::test]
async fn details_are_asked_for_where_the_list_says_too_little() {
    let fake = FakeBrandlive::new(|asked, _| {
        let id = asked.target.strip_prefix("/v1/events/").map(|id| id.split('?').next().unwrap_or_default().to_owned());
        Act::Json(match (id, asked.parameter("page").as_str()) {
            (Some(id), _) => {
                json!({ "data": { "start_date": "2031-03-12T23:00:00Z", "url": format!("https://x.example/{id}") } })
            }
            (None, "1") => json!([{ "uuid": "a b", "name": "One" }, { "uuid": "b", "name": "Two" }]),
            _ => json!([]),
        })
    });
    let site = Site::with(fake, "detail_path = \"/v1/events/{id}\"").await;
    assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
    assert_eq!(site.events().await[0]["registrationUrl"], "https://x.example/a%20b");
}
