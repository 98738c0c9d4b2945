//! The parts of the sitemap of a site with many events.

use std::collections::{BTreeMap, BTreeSet};

use super::{BASE, hide, site};
use crate::tests::support::{TestApp, online_event};

/// The entries of a sitemap or of an index: path and time of the last change.
async fn entries(app: &TestApp, path: &str, root: &str) -> BTreeMap<String, String> {
    let response = app.visitor().get(path).await;
    assert_eq!(
        (response.status.as_u16(), response.header("content-type").as_str()),
        (200, "application/xml; charset=utf-8")
    );
    let text = response.text();
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(document.root_element().tag_name().name(), root, "{path}");
    let text_of = |entry: roxmltree::Node<'_, '_>, name: &str| {
        entry.children().find(|node| node.tag_name().name() == name).and_then(|node| node.text()).unwrap().to_owned()
    };
    let entries = document.root_element().children().filter(roxmltree::Node::is_element);
    let entries = entries.map(|entry| {
        let path = text_of(entry, "loc").strip_prefix(BASE).unwrap().to_owned();
        (path, text_of(entry, "lastmod"))
    });
    entries.collect()
}

/// A site with three events of the first part of the sitemap and two of the second; returns the ids.
async fn site_with_two_parts() -> (TestApp, [i64; 5]) {
    let app = site();
    let admin = app.sign_in_admin().await;
    app.a_speaker(&admin).await;
    let mut ids = [0; 5];
    for (at, id) in ids.iter_mut().enumerate() {
        if at == 3 {
            // The next event has the id 1000.
            app.storage().execute_batch("UPDATE sqlite_sequence SET seq = 999 WHERE name = 'events'").unwrap();
        }
        let mut event = online_event("Reading a rent roll", &[1]);
        event["event"]["series"] = serde_json::json!(if at == 4 { Some("Tax Tuesdays") } else { None });
        *id = admin.post("/api/events", event).await.created_id();
        let changed = format!("2025-01-0{}T00:00:00Z", at + 1);
        app.write_as_another_process(
            "UPDATE events SET updated_at = ?2 WHERE id = ?1",
            rusqlite::params![*id, changed],
        );
    }
    assert_eq!(ids, [1, 2, 3, 1000, 1001]);
    (app, ids)
}

#[tokio::test]
async fn the_sitemap_of_many_events_is_an_index_of_parts_with_all_pages() {
    let (app, ids) = site_with_two_parts().await;
    let index = entries(&app, "/sitemap.xml", "sitemapindex").await;
    let parts = ["/sitemap-events-0.xml", "/sitemap-events-1.xml", "/sitemap-pages.xml"];
    assert_eq!(index.keys().map(String::as_str).collect::<Vec<_>>(), parts);
    let times = ["2025-01-03T00:00:00Z", "2025-01-05T00:00:00Z", "2025-01-05T00:00:00Z"];
    assert_eq!(index.values().map(String::as_str).collect::<Vec<_>>(), times);

    let mut pages = BTreeSet::new();
    for part in parts {
        for (page, changed) in entries(&app, part, "urlset").await {
            assert!(changed <= index[part], "{page}");
            let response = app.visitor().get(&page).await;
            assert_eq!(response.status, 200, "{page}");
            assert!(response.text().contains(&format!("rel=\"canonical\" href=\"{BASE}{page}\"")), "{page}");
            assert!(pages.insert(page), "a page is in one part");
        }
    }
    let events = ids.map(|id| format!("/events/{id}-reading-a-rent-roll"));
    let others = ["/", "/calendar", "/series/tax-tuesdays"].map(str::to_owned);
    assert_eq!(pages, events.into_iter().chain(others).collect());
}

#[tokio::test]
async fn a_change_of_an_event_changes_the_time_of_its_part_only() {
    let (app, ids) = site_with_two_parts().await;
    let before = entries(&app, "/sitemap.xml", "sitemapindex").await;
    let change = "UPDATE events SET updated_at = '2026-01-01T00:00:00Z' WHERE id = ?1";
    app.write_as_another_process(change, [ids[3]]);
    let after = entries(&app, "/sitemap.xml", "sitemapindex").await;
    assert_eq!(after["/sitemap-events-0.xml"], before["/sitemap-events-0.xml"]);
    assert_eq!(after["/sitemap-events-1.xml"], "2026-01-01T00:00:00Z");
    let pages = entries(&app, "/sitemap-pages.xml", "urlset").await;
    assert_eq!((pages["/"].as_str(), pages["/calendar"].as_str()), ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"));
    assert_eq!(pages["/series/tax-tuesdays"], "2025-01-05T00:00:00Z");

    // A part that loses a page has changed, too, and one without pages is not listed.
    let admin = app.sign_in_admin().await;
    assert_eq!(admin.delete(&format!("/api/events/{}", ids[2])).await.status, 204);
    let after_deletion = entries(&app, "/sitemap.xml", "sitemapindex").await;
    assert!(after_deletion["/sitemap-events-0.xml"] > after["/sitemap-events-0.xml"]);
    for id in [ids[3], ids[4]] {
        hide(&app, id, Some("2026-02-01T00:00:00Z"));
    }
    let listed = entries(&app, "/sitemap.xml", "sitemapindex").await;
    assert_eq!(listed.keys().collect::<Vec<_>>(), ["/sitemap-events-0.xml", "/sitemap-pages.xml"]);
    assert_eq!(app.visitor().get("/sitemap-events-1.xml").await.status, 404);
}

#[tokio::test]
async fn drafts_are_not_in_the_sitemap_and_do_not_change_it() {
    let (app, _) = site_with_two_parts().await;
    let before = app.visitor().get("/sitemap.xml").await.body;
    let admin = app.sign_in_admin().await;
    admin
        .post("/api/events", serde_json::json!({ "event": { "title": "Later", "status": "draft" } }))
        .await
        .created_id();
    assert_eq!(app.visitor().get("/sitemap.xml").await.body, before);
    assert_eq!(entries(&app, "/sitemap-events-1.xml", "urlset").await.len(), 2);
}

#[tokio::test]
async fn other_urls_of_parts_are_not_found() {
    let (app, _) = site_with_two_parts().await;
    for path in [
        "/sitemap-events-2.xml",
        "/sitemap-events-01.xml",
        "/sitemap-events--1.xml",
        "/sitemap-events-+1.xml",
        "/sitemap-events-.xml",
        "/sitemap-events-99999999999999999999.xml",
        "/sitemap-events-1",
        "/sitemap-.xml",
        "/sitemap-",
        "/sitemap-series.xml",
    ] {
        let response = app.visitor().get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert!(response.text().contains("<title>Page not found"), "{path}");
    }
    assert_eq!(app.visitor().get("/sitemap-pages.xml?x=1").await.status, 200);
}
