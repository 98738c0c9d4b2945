//! The feed, the sitemap, files for browsers and crawlers, and the embedded calendar.

use atom_syndication::Feed;
use serde_json::json;

use super::{BASE, hide, site};
use crate::platform::config::Config;
use crate::tests::pages::{HOSTILE, initial_data};
use crate::tests::support::{TestApp, online_event, with};

#[tokio::test]
async fn the_feed_lists_new_events_first() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let empty: Feed = app.visitor().get("/feed.xml").await.text().parse().unwrap();
    assert!(empty.entries().is_empty());

    let speaker = app.a_speaker(&admin).await;
    let mut titles: Vec<String> = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
    titles.push("Two\nlines".to_owned());
    for title in &titles {
        let event = with(online_event(title, &[speaker]), "/event/summary", json!(title));
        admin.post("/api/events", event).await.created_id();
    }
    let response = app.visitor().get("/feed.xml").await;
    assert_eq!(response.header("content-type"), "application/atom+xml; charset=utf-8");
    let document = response.text();
    roxmltree::Document::parse(&document).unwrap();
    let feed: Feed = document.parse().unwrap();
    assert_eq!(feed.title().as_str(), "Marlow & Reyes, Investing");
    assert_eq!(feed.id(), format!("{BASE}/feed.xml"));
    assert_eq!(feed.entries().len(), titles.len());
    for (entry, title) in feed.entries().iter().zip(titles.iter().rev()) {
        assert_eq!(entry.title().as_str(), title);
        assert!(entry.summary().unwrap().as_str().ends_with(title), "{title}");
        assert!(entry.summary().unwrap().as_str().starts_with("March 12, 2031, 7:00 PM ET"));
        assert!(entry.links()[0].href().starts_with(&format!("{BASE}/events/")));
        assert!(entry.id().starts_with("tag:events.example.com,2"), "{}", entry.id());
        assert!(entry.updated() >= entry.published().unwrap());
    }
    let knowing = app.visitor().with("if-none-match", &response.header("etag"));
    assert_eq!(knowing.get("/feed.xml").await.status, 304);
}

#[tokio::test]
async fn the_sitemap_lists_every_public_event_and_no_empty_month() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let shown = app.an_online_event(&admin).await;
    let hidden = app.an_in_person_event(&admin).await;
    hide(&app, hidden, Some("2026-01-01T00:00:00Z"));
    let response = app.visitor().get("/sitemap.xml").await;
    assert_eq!(response.header("content-type"), "application/xml; charset=utf-8");
    let text = response.text();
    let document = roxmltree::Document::parse(&text).unwrap();
    let urls: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.sitemaps.org/schemas/sitemap/0.9", "loc")))
        .filter_map(|node| node.text())
        .collect();
    let event = format!("{BASE}/events/{shown}-reading-a-rent-roll");
    assert_eq!(urls, [format!("{BASE}/"), format!("{BASE}/calendar"), event]);
    let dates = document.descendants().filter(|node| node.tag_name().name() == "lastmod");
    assert_eq!(dates.filter_map(|node| chrono::DateTime::parse_from_rfc3339(node.text()?).ok()).count(), 3);
    for url in urls {
        let response = app.visitor().get(url.strip_prefix(BASE).unwrap()).await;
        assert_eq!(response.status, 200, "{url}");
        assert!(!response.text().contains("noindex"), "{url}");
        assert!(response.text().contains(&format!("rel=\"canonical\" href=\"{url}\"")), "{url}");
    }

    let robots = app.visitor().get("/robots.txt").await;
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(robots.text(), format!("User-agent: *\nDisallow: /api/\n\nSitemap: {BASE}/sitemap.xml\n"));
}

#[tokio::test]
async fn the_web_manifest_names_the_site_and_its_icons() {
    let app = site();
    let response = app.visitor().get("/site.webmanifest").await;
    assert_eq!(response.header("content-type"), "application/manifest+json");
    let manifest = response.json();
    assert_eq!(manifest["name"], "Marlow & Reyes, Investing");
    for icon in manifest["icons"].as_array().unwrap() {
        let path = format!("{}/web/public{}", env!("CARGO_MANIFEST_DIR"), icon["src"].as_str().unwrap());
        let bytes = std::fs::read(&path).unwrap();
        // A PNG has its width and height in the header.
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(format!("{}x{}", number(16), number(20)), icon["sizes"], "{path}");
    }
}

#[tokio::test]
async fn any_site_may_frame_the_embedded_calendar_and_no_other_page() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let first = app.visitor().get("/embed?type=special&view=week").await;
    let knowing =
        app.visitor().with("if-none-match", &first.header("etag")).get("/embed?view=week&x=1&type=special").await;
    assert_eq!((first.status.as_u16(), knowing.status.as_u16()), (200, 304));
    for response in [&first, &knowing] {
        assert!(!response.headers.contains_key("x-frame-options"));
        assert!(response.header("content-security-policy").contains("frame-ancestors *"));
        assert_eq!(response.header("cross-origin-resource-policy"), "cross-origin");
        assert_eq!(response.header("set-cookie"), "");
    }
    let html = first.text();
    assert!(html.contains("<meta name=\"robots\" content=\"noindex\">"));
    let data = initial_data(&html);
    assert_eq!(data["page"], "embed");
    assert!(data["home"]["events"].is_array());

    for path in [
        "/",
        "/calendar",
        "/nothing",
        "/admin",
        "/calendar.ics",
        "/feed.xml",
        "/embed.js",
        &format!("/events/{id}-reading-a-rent-roll"),
    ] {
        let response = app.visitor().get(path).await;
        assert_eq!(response.header("x-frame-options"), "DENY", "{path}");
        assert!(response.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
    }
}

#[tokio::test]
async fn the_embedded_calendar_has_its_theme_before_any_script_runs() {
    let app = site();
    let page = async |query: &str| app.visitor().get(&format!("/embed{query}")).await;
    let own = page("").await;
    assert!(own.text().contains("<html lang=\"en\">"), "the visitor's own theme");
    for theme in ["light", "dark"] {
        let themed = page(&format!("?theme={theme}")).await;
        let html = themed.text();
        assert!(html.contains(&format!("<html lang=\"en\" data-theme=\"{theme}\">")), "{theme}");
        // Only a binary with the web bundle has this attribute.
        for scheme in html.match_indices("name=\"color-scheme\" ").map(|(at, _)| &html[at..]) {
            assert!(scheme.starts_with(&format!("name=\"color-scheme\" content=\"{theme}\"")), "{theme}");
        }
        assert_eq!(themed.header("content-security-policy"), own.header("content-security-policy"));
        assert!(!themed.headers.contains_key("x-frame-options"));
        let mut data = initial_data(&html);
        assert_eq!(data["query"].take(), format!("?theme={theme}"));
        data["query"] = json!("");
        assert_eq!(data, initial_data(&own.text()));
        assert_ne!(themed.header("etag"), own.header("etag"));
        // One response per theme, regardless of other parameters and of the cache.
        for more in ["&type=party&view=year", "&theme=neon", "&", "&x=%ff"] {
            let same = page(&format!("?theme={theme}{more}")).await;
            assert_eq!((same.status.as_u16(), same.header("etag")), (200, themed.header("etag")), "{theme}{more}");
        }
        let knowing = app.visitor().with("if-none-match", &themed.header("etag"));
        assert_eq!(knowing.get(&format!("/embed?x=list&theme={theme}")).await.status, 304);
    }
}

#[tokio::test]
async fn unknown_parameters_of_the_embedded_calendar_are_ignored() {
    let app = site();
    let own = app.visitor().get("/embed").await;
    for query in [
        "?",
        "?theme",
        "?theme=",
        "?theme=neon",
        "?theme=DARK",
        "?theme=dark%20",
        "?theme=neon&theme=dark",
        "?themes=dark",
        "?type=party&view=year",
        "?%ff=%00&&&=",
        "?theme=%22%3E%3Cscript%3E",
    ] {
        let response = app.visitor().get(&format!("/embed{query}")).await;
        assert_eq!((response.status.as_u16(), response.header("etag")), (200, own.header("etag")), "{query}");
        assert_eq!(response.body, own.body, "{query}");
    }
    // The name of the file inside the bundle is not a path.
    assert_eq!(app.visitor().get("/embed%3Ftheme=dark").await.status, 404);
}

#[tokio::test]
async fn only_configured_sites_may_frame_the_calendar() {
    let mut config = Config::default();
    config.embed.allowed_hosts =
        vec!["https://www.example.com/events".parse().unwrap(), "https://intranet.example.com:8443".parse().unwrap()];
    let app = TestApp::start_with(config);
    let policy = app.visitor().get("/embed").await.header("content-security-policy");
    assert!(
        policy.ends_with("frame-ancestors 'self' https://www.example.com https://intranet.example.com:8443"),
        "{policy}"
    );
}

#[tokio::test]
async fn other_sites_may_load_the_embed_script() {
    let app = site();
    let response = app.visitor().get("/embed.js").await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(response.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(response.header("cache-control"), "public, max-age=3600, stale-if-error=86400");
    let script = response.text();
    assert!(!script.contains("cookie =") && !script.contains("innerHTML"));
    let count = |c: char| script.matches(c).count();
    assert_eq!((count('{'), count('('), count('[')), (count('}'), count(')'), count(']')));
}
