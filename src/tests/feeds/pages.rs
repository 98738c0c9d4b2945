//! The page of an event: its path and content.

use serde_json::json;

use super::{BASE, hide, page_of, site, structured};
use crate::platform::slug::slug;
use crate::tests::pages::{HOSTILE, elements, harmless, initial_data, write_everywhere};
use crate::tests::support::{TestApp, in_person_event, online_event, with};

#[tokio::test]
async fn the_page_of_an_event_is_readable_without_scripts() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let event =
        with(online_event("Reading a rent roll", &[speaker]), "/event/description", json!("One.\n\nTwo,\nthree."));
    let id = admin.post("/api/events", event).await.created_id();

    let response = page_of(&app.visitor(), id).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), "text/html; charset=utf-8");
    let html = response.text();
    for part in [
        "<title>Reading a rent roll — Marlow &amp; Reyes, Investing</title>",
        "<meta name=\"description\" content=\"One deal, read line by line.\">",
        &format!("<link rel=\"canonical\" href=\"{BASE}/events/{id}-reading-a-rent-roll\">"),
        &format!("<meta property=\"og:url\" content=\"{BASE}/events/{id}-reading-a-rent-roll\">"),
        "<meta property=\"og:title\" content=\"Reading a rent roll\">",
        "<meta property=\"og:image\" content=\"https://events.example.com/",
        "<meta name=\"twitter:card\"",
        "href=\"/feed.xml\"",
        "href=\"/calendar.ics\"",
        "href=\"/site.webmanifest\"",
        ">Reading a rent roll</h1>",
        "March 12, 2031 at 7:00 PM ET</time>",
        "4:00 PM PT",
        "One.\n\nTwo,\nthree.</p>",
        "Grace Obi",
        "href=\"https://example.com/register\"",
        "href=\"https://calendar.google.com/",
        "href=\"https://outlook.live.com/",
        &format!("href=\"/events/{id}-reading-a-rent-roll.ics\""),
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    assert!(!html.contains("noindex"));
    let data = initial_data(&html);
    assert_eq!(data["page"], "event");
    assert_eq!(data["event"]["id"], id);
    assert_eq!(data["event"]["path"], format!("/events/{id}-reading-a-rent-roll"));
    assert_eq!(data["home"], json!(null));
}

#[tokio::test]
async fn other_urls_of_an_event_redirect_permanently() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let right = format!("/events/{id}-reading-a-rent-roll");
    let visitor = app.visitor();
    for (path, expected) in [
        (format!("/events/{id}"), right.clone()),
        (format!("/events/{id}-"), right.clone()),
        (format!("/events/0{id}-reading-a-rent-roll"), right.clone()),
        (format!("/events/{id}-an-older-title"), right.clone()),
        (format!("/events/{id}-READING-A-RENT-ROLL?utm_source=mail"), right.clone()),
        (format!("/events/{id}-%3Cscript%3E"), right.clone()),
        (format!("/events/{id}.ics"), format!("{right}.ics")),
        (format!("/events/{id}-old.ics?x=1"), format!("{right}.ics")),
        (format!("{right}/"), right.clone()),
    ] {
        for method in ["GET", "HEAD"] {
            let response = visitor.send(method, &path, None).await;
            assert_eq!(
                (response.status.as_u16(), response.header("location")),
                (308, expected.clone()),
                "{method} {path}"
            );
        }
    }
    assert_eq!(visitor.get(&format!("{right}?utm_source=mail")).await.status, 200);
    assert_eq!(visitor.send("HEAD", &right, None).await.status, 200);
    assert_eq!(visitor.send("POST", &right, None).await.status, 405);

    // A new title: the old URL leads to the new one.
    let speaker = app.a_speaker(&admin).await;
    let response = admin.put(&format!("/api/events/{id}"), online_event("Ünderwriting, again!", &[speaker])).await;
    assert_eq!(response.json()["path"], format!("/events/{id}-uenderwriting-again"));
    let response = visitor.get(&right).await;
    assert_eq!(
        (response.status.as_u16(), response.header("location")),
        (308, format!("/events/{id}-uenderwriting-again"))
    );
}

#[tokio::test]
async fn an_unknown_event_is_404_with_a_page() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    hide(&app, id, Some("2026-01-01T00:00:00Z"));
    let hidden = format!("/events/{id}-reading-a-rent-roll");
    let visitor = app.visitor();
    for path in [
        "/events/0",
        "/events/999-nothing",
        "/events/999.ics",
        "/events/-1",
        "/events/+1",
        "/events/abc",
        "/events/1abc",
        "/events/1e0",
        "/events/%31",
        "/events/99999999999999999999",
        "/events/.ics",
        "/events/",
        "/events",
        "/events/1-a/b",
        &hidden,
        &format!("{hidden}.ics"),
    ] {
        let response = visitor.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert!(response.text().contains("<title>Page not found"), "{path}");
    }
    hide(&app, id, None);
    assert_eq!(visitor.get(&hidden).await.status, 200, "it is public again");
    admin.delete(&format!("/api/events/{id}")).await;
    assert_eq!(visitor.get(&hidden).await.status, 410, "it was deleted");
}

#[tokio::test]
async fn a_page_has_the_same_etag_until_it_changes() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let path = format!("/events/{id}-reading-a-rent-roll");
    let first = app.visitor().get(&path).await;
    let knowing = app.visitor().with("if-none-match", &first.header("etag"));
    assert_eq!(knowing.get(&path).await.status, 304);
    let compressed = app.visitor().with("accept-encoding", "br").get(&path).await;
    assert_eq!(compressed.header("content-encoding"), "br");

    let speaker = app.a_speaker(&admin).await;
    let event = with(online_event("Reading a rent roll", &[speaker]), "/event/summary", json!("Something else."));
    assert_eq!(admin.put(&format!("/api/events/{id}"), event).await.status, 200);
    let changed = knowing.get(&path).await;
    assert_eq!(changed.status, 200);
    assert!(changed.text().contains("Something else."));
}

#[tokio::test]
async fn the_page_of_a_past_event_remains_and_says_that_it_is_over() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let before = page_of(&app.visitor(), id).await.text();
    assert!(before.contains("Register Now") && !before.contains("This event is over") && !before.contains("Live now"));
    let end: chrono::DateTime<chrono::Utc> = "2031-03-13T00:00:00Z".parse().unwrap();
    app.clock.advance((end - app.clock.now()).num_seconds() - 60 * 60 + 2);
    assert!(page_of(&app.visitor(), id).await.text().contains("Live now"));
    app.clock.advance(60 * 60 - 7);
    let live = page_of(&app.visitor(), id).await.text();
    assert!(live.contains("Live now") && live.contains("Register Now"));
    app.clock.advance(6);
    let over = page_of(&app.visitor(), id).await.text();
    // The link may lead to a recording.
    assert!(over.contains("This event is over.") && over.contains("Register Now") && !over.contains("Live now"));
    assert!(over.contains("application/ld+json") && !over.contains("noindex"));
    assert_eq!(structured(&over)["offers"], json!(null));
}

#[tokio::test]
async fn the_structured_data_of_an_event_follows_schema_org() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let online = app.an_online_event(&admin).await;
    let html = page_of(&app.visitor(), online).await.text();
    let data = structured(&html);
    assert_eq!(data["@context"], "https://schema.org");
    assert_eq!(data["@type"], "Event");
    assert_eq!(data["name"], "Reading a rent roll");
    assert_eq!(data["startDate"], "2031-03-12T19:00:00-04:00");
    assert_eq!(data["endDate"], "2031-03-12T20:00:00-04:00");
    assert_eq!(data["eventStatus"], "https://schema.org/EventScheduled");
    assert_eq!(data["eventAttendanceMode"], "https://schema.org/OnlineEventAttendanceMode");
    assert_eq!(data["location"], json!({ "@type": "VirtualLocation", "url": "https://example.com/register" }));
    assert_eq!(data["organizer"]["name"], "Marlow & Reyes, Investing");
    assert_eq!(data["performer"][0]["name"], "Grace Obi");
    assert_eq!(data["offers"]["url"], "https://example.com/register");

    let walk = app.an_in_person_event(&admin).await;
    let data = structured(&page_of(&app.visitor(), walk).await.text());
    assert_eq!(data["eventAttendanceMode"], "https://schema.org/OfflineEventAttendanceMode");
    assert_eq!(data["offers"], json!(null));
    let address = json!({ "@type": "PostalAddress", "streetAddress": "12 Canal Street", "addressLocality": "Denver",
        "addressRegion": "CO", "addressCountry": "US" });
    assert_eq!(data["location"], json!({ "@type": "Place", "name": "The Long Room", "address": address }));
}

#[tokio::test]
async fn hostile_text_is_escaped_on_the_page_of_an_event() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    for text in HOSTILE {
        write_everywhere(&admin, &harmless(text), "https://example.com/").await;
        let plain = elements(&page_of(&app.visitor(), 1).await.text());
        write_everywhere(&admin, text, "https://example.com/?a=\"><script>alert(1)</script>&b='c'").await;
        let html = page_of(&app.visitor(), 1).await.text();
        assert_eq!(elements(&html), plain, "other elements with {text}");
        assert!(!html.contains("<script>alert") && !html.contains("<img src=x"), "{text}");
        let data = structured(&html);
        assert_eq!(data["name"], text);
        assert_eq!(data["location"]["name"], text);
        assert_eq!(initial_data(&html)["event"]["title"], text);
    }
}

#[tokio::test]
async fn a_line_break_in_a_title_is_harmless() {
    let app = site();
    let admin = app.sign_in_admin().await;
    let speaker = app.a_speaker(&admin).await;
    let title = "Two\r\nlines: a, b; c \"d\" \\ e";
    let id = admin.post("/api/events", in_person_event(title, &[speaker])).await.created_id();
    let response = page_of(&app.visitor(), id).await;
    assert_eq!(structured(&response.text())["name"], title);
    assert!(response.text().contains("events/1-two-lines-a-b-c-d-e"));
}

#[test]
fn slugs_are_plain_and_short() {
    for (text, expected) in [
        ("Reading an Operating Agreement", "reading-an-operating-agreement"),
        ("  Rent & risk -- 100 %!  ", "rent-risk-100"),
        ("What they don’t say, and won't", "what-they-dont-say-and-wont"),
        ("Crème brûlée à Zürich, Łódź, Ørsted & Straße", "creme-brulee-a-zuerich-lodz-orsted-strasse"),
        ("Cafe\u{301} nai\u{308}ve", "cafe-naive"),
        ("</script><script>", "script-script"),
        ("مرحبا بالعالم", ""),
        ("👩‍👩‍👧 🇺🇸", ""),
        ("日本 2026", "2026"),
        ("", ""),
        (
            "A title that goes on and on until nobody would put it into an address",
            "a-title-that-goes-on-and-on-until-nobody-would-put-it-into",
        ),
        (
            "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
            "donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt",
        ),
    ] {
        let made = slug(text, 60);
        assert_eq!(made, expected, "{text}");
        assert!(made.len() <= 60);
    }
}
