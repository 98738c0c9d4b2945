//! Every way in which the provider fails: each ends soon, in one clear sentence, and nothing is written.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Site;
use crate::tests::support::TestApp;
use crate::tests::support::fake_brandlive::{Act, FakeBrandlive, KEY, SECRET, items, pages};

/// Syncs against a provider that fails, and checks that it ends in this sentence.
async fn ends(fake: FakeBrandlive, more: &str, words: &str) -> Site {
    ends_at(Site::with(fake, more).await, words).await
}

/// The same with other times: for each call, and in all.
async fn ends_within(call: u32, total: u32, fake: FakeBrandlive, words: &str) -> Site {
    let mut config = fake.config();
    (config.brandlive.call_seconds, config.brandlive.total_seconds) = (call, total);
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    ends_at(Site { app, admin, fake }, words).await
}

async fn ends_at(site: Site, words: &str) -> Site {
    let before = site.stored();
    let begun = Instant::now();
    let said = site.refused(502).await;
    assert!(begun.elapsed() < Duration::from_secs(12), "{words}: {:?}", begun.elapsed());
    assert!(said.contains(words), "{words}: {said}");
    assert!(!said.contains(KEY) && !said.contains(SECRET) && !said.contains('?'), "{said}");
    assert_eq!(site.stored(), before, "{words}");
    site
}

fn raw(status: u16, headers: Vec<(&'static str, String)>, body: &str) -> FakeBrandlive {
    let body = body.as_bytes().to_vec();
    FakeBrandlive::new(move |_, _| Act::Raw(status, headers.clone(), body.clone()))
}

#[tokio::test]
async fn what_is_not_tried_again() {
    let html = "<!doctype html><title>Sign in</title>";
    let cases = [
        (304, vec![], "", "with 304 (not modified)"),
        (401, vec![], "{}", "refuses the key (401)"),
        (403, vec![], "{}", "refuses the key (403)"),
        (404, vec![], "{}", "knows nothing at /v1/events (404)"),
        (422, vec![], "{}", "refuses the call to /v1/events (422)"),
        (
            302,
            vec![("Location", "https://elsewhere.example/".to_owned())],
            "",
            "with a redirect (302), which is not followed",
        ),
        (200, vec![("Content-Type", "text/html".to_owned())], html, "with a web page instead of JSON"),
        (200, vec![], "{\"data\": [{\"uuid\": \"a\"", "is not whole JSON"),
        (200, vec![], "{\"data\": []} x", "is not whole JSON"),
        (200, vec![], "", "is empty"),
        (200, vec![], "{\"data\": {}}", "holds no list of events at any of"),
        (200, vec![], "null", "holds no list of events at any of"),
    ];
    for (status, headers, body, words) in cases {
        let site = ends(raw(status, headers, body), "", words).await;
        assert_eq!(site.fake.asked().len(), 1, "{words}");
    }
}

#[tokio::test]
async fn what_is_tried_again_until_there_is_no_more_time() {
    for (status, words) in
        [(500, "has a fault (500); given up after"), (503, "(503)"), (408, "(408)"), (429, "asked too often (429)")]
    {
        let site = ends(raw(status, vec![], "{}"), "", words).await;
        assert!((2..=8).contains(&site.fake.asked().len()), "{}", site.fake.asked().len());
    }
    let site = ends(FakeBrandlive::new(|_, _| Act::Close), "", "The connection to Brandlive broke").await;
    assert!(site.fake.asked().len() >= 2);
    let site = ends(FakeBrandlive::new(|_, _| Act::BreakOff), "", "answer broke off").await;
    assert!(site.fake.asked().len() >= 2);
    for act in [Act::Hang, Act::Stall] {
        let fake = FakeBrandlive::new(move |_, _| act(Duration::from_secs(20)));
        let site = ends(fake, "", "did not answer in time; given up after").await;
        assert!(site.fake.asked().len() >= 2);
    }
}

#[tokio::test]
async fn where_the_time_for_all_is_over_that_is_said_whatever_it_cut_short() {
    const OVER: &str = "Brandlive took longer than 2 seconds in all";
    let long = Duration::from_secs(20);
    // The first page, its words; a later page before its first word, and in the middle of it.
    for (page, act) in [("1", Act::Hang as fn(Duration) -> Act), ("1", Act::Stall), ("2", Act::Hang), ("2", Act::Stall)]
    {
        let list = pages(items(150), 100);
        let fake = FakeBrandlive::new(
            move |asked, number| {
                if asked.parameter("page") == page { act(long) } else { list(asked, number) }
            },
        );
        let site = ends_within(15, 2, fake, OVER).await;
        assert_eq!(site.fake.asked().len(), page.parse::<usize>().unwrap(), "no try of which nothing can come");
    }
    // Every page in good time, and the list without an end.
    let list = pages(items(100_000), 100);
    let fake = FakeBrandlive::new(move |asked, number| {
        std::thread::sleep(Duration::from_millis(300));
        list(asked, number)
    });
    ends_within(15, 2, fake, OVER).await;
    // What was wrong before is more than that the time is over.
    let fake = FakeBrandlive::new(move |_, number| if number == 0 { Act::Close } else { Act::Stall(long) });
    ends_within(15, 2, fake, "The connection to Brandlive broke; given up after 2 tries").await;
}

#[tokio::test]
async fn a_provider_that_is_not_there() {
    let fake = FakeBrandlive::new(|_, _| Act::Close);
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut config = fake.config();
    config.brandlive.base_url = format!("http://{gone}").parse().unwrap();
    let app = TestApp::start_with(config);
    let reply = app.sign_in_admin().await.post("/api/sync-brandlive", json!({})).await;
    assert_eq!(reply.status, 502);
    assert!(reply.error().contains("the connection was refused"), "{}", reply.error());
}

#[tokio::test]
async fn a_fault_that_passes_is_no_fault() {
    for act in [
        || Act::Raw(500, vec![], vec![]),
        || Act::Raw(429, vec![("Retry-After", "1".to_owned())], vec![]),
        || Act::Raw(429, vec![("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT".to_owned())], vec![]),
        || Act::Close,
        || Act::BreakOff,
        || Act::Hang(Duration::from_millis(1_300)),
    ] {
        let list = pages(items(2), 100);
        let fake = FakeBrandlive::new(move |asked, number| if number == 0 { act() } else { list(asked, number) });
        let site = Site::with(fake, "").await;
        assert_eq!(site.sync().await, "2 created, 0 updated, 0 unchanged");
    }
}

#[tokio::test]
async fn a_wait_that_is_asked_for_and_too_long_is_not_waited_for() {
    let begun = Instant::now();
    let fake = raw(429, vec![("Retry-After", "600".to_owned())], "");
    ends(fake, "", "asks to be left alone for 600 seconds; given up after 1 try").await;
    assert!(begun.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn a_second_page_that_fails_leaves_nothing_of_the_first() {
    let list = pages(items(150), 100);
    let fake = FakeBrandlive::new(move |asked, number| {
        if asked.parameter("page") == "2" { Act::Raw(500, vec![], vec![]) } else { list(asked, number) }
    });
    ends(fake, "", "has a fault (500)").await;
}

#[tokio::test]
async fn an_answer_that_is_too_large() {
    let site = ends(FakeBrandlive::new(|_, _| Act::Endless(50_000_000)), "", "is larger than 16 MB").await;
    assert_eq!(site.fake.asked().len(), 1);
    let body = vec![b' '; 17 * 1024 * 1024];
    ends(FakeBrandlive::new(move |_, _| Act::Raw(200, vec![], body.clone())), "", "is larger than 16 MB").await;
}

#[tokio::test]
async fn a_cursor_that_repeats() {
    let fake = FakeBrandlive::new(|_, _| Act::Json(json!({ "data": items(2), "next_cursor": "abc" })));
    ends(fake, "[brandlive.paging]\nway = \"cursor\"\nparameter = \"cursor\"", "names the same next page twice").await;
}

#[tokio::test]
async fn a_next_page_on_another_host() {
    let fake =
        FakeBrandlive::new(|_, _| Act::Json(json!({ "data": items(2), "next": "http://127.0.0.2:1/v1/events" })));
    ends(fake, "[brandlive.paging]\nway = \"next\"", "is on another host, which is not asked").await;
}

#[tokio::test]
async fn two_syncs_at_once_are_one() {
    let list = pages(items(2), 100);
    let fake = FakeBrandlive::new(move |asked, number| {
        std::thread::sleep(Duration::from_millis(700));
        list(asked, number)
    });
    let site = Site::with(fake, "").await;
    let (admin, other) = (site.admin.clone(), site.admin.clone());
    let first = tokio::spawn(async move { admin.post("/api/sync-brandlive", json!({})).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let second = other.post("/api/sync-brandlive", json!({})).await;
    assert_eq!((second.status.as_u16(), second.error().as_str()), (409, "Another Brandlive sync is running"));
    assert_eq!(first.await.unwrap().status, 200);
    assert_eq!(site.sync().await, "0 created, 0 updated, 2 unchanged");
}

#[tokio::test]
async fn a_client_that_goes_away_does_not_stop_the_sync() {
    let list = pages(items(2), 100);
    let fake = FakeBrandlive::new(move |asked, number| {
        std::thread::sleep(Duration::from_millis(400));
        list(asked, number)
    });
    let site = Site::with(fake, "").await;
    let admin = site.admin.clone();
    let gone = tokio::time::timeout(Duration::from_millis(100), admin.post("/api/sync-brandlive", json!({}))).await;
    assert!(gone.is_err());
    for _ in 0..100 {
        if site.events().await.len() == 2 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the sync stopped");
}

#[tokio::test]
async fn without_a_key_it_is_not_configured() {
    let app = TestApp::start();
    let reply = app.sign_in_admin().await.post("/api/sync-brandlive", json!({})).await;
    assert_eq!((reply.status.as_u16(), reply.error().as_str()), (503, "Brandlive is not configured"));
    assert_eq!(app.visitor().post("/api/sync-brandlive", json!({})).await.status, 401);
}
