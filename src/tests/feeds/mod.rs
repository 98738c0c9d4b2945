//! Calendar files, feeds, sitemap and embedding, read by independent parsers.

mod calendar;
mod clock_changes;
mod embed_and_feeds;
mod pages;
mod period;
mod sitemap;
mod status;

use serde_json::Value;

use crate::platform::config::Config;
use crate::tests::support::{Client, TestApp, TestResponse};

/// The base URL of the site in these tests.
const BASE: &str = "https://events.example.com";

/// A site with a base URL.
fn site() -> TestApp {
    let mut config = Config::default();
    config.server.base_url = Some(BASE.parse().unwrap());
    config.site.name = "Marlow & Reyes, Investing".to_owned();
    TestApp::start_with(config)
}

/// The page of an event, by its id.
async fn page_of(visitor: &Client, id: i64) -> TestResponse {
    let response = visitor.get(&format!("/events/{id}")).await;
    assert_eq!(response.status, 308, "{}", response.text());
    visitor.get(&response.header("location")).await
}

/// The structured data of a page.
fn structured(html: &str) -> Value {
    let start = "<script type=\"application/ld+json\">";
    let json = html.split_once(start).unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(json).unwrap()
}

/// Hides an event from the public at an instant, as the sync does.
fn hide(app: &TestApp, id: i64, at: Option<&str>) {
    let sql = "UPDATE events SET status = iif(?2 IS NULL, 'published', 'hidden'), hidden_at = ?2 WHERE id = ?1";
    app.write_as_another_process(sql, rusqlite::params![id, at]);
}
