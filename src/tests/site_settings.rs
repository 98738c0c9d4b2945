//! The site settings: from the portal to every response, and the precedence of the configuration.

use std::path::PathBuf;

use image::{ImageFormat, Rgba, RgbaImage};
use serde_json::{Value, json};

use super::support::{Client, TestApp, with};
use crate::platform::config::Config;
use crate::tests::support::program::Server;

const PATH: &str = "/api/site-settings";

/// The values of the form, as the portal sends them back.
async fn values(admin: &Client) -> Value {
    admin.get(PATH).await.json()["values"].clone()
}

/// Saves some settings; the others get their default.
async fn save(admin: &Client, settings: Value) -> Value {
    let response = admin.put(PATH, settings).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

fn initial_site(html: &str) -> Value {
    let json = html.split_once("id=\"initial-data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str::<Value>(json).unwrap()["site"].clone()
}

fn style_of(html: &str) -> &str {
    html.split_once("<style>html:root{--accent").map_or("", |(_, rest)| rest.split_once("</style>").unwrap().0)
}

#[tokio::test]
async fn only_admins_read_and_change_the_settings() {
    let app = TestApp::start();
    for response in [app.visitor().get(PATH).await, app.visitor().put(PATH, json!({ "name": "Mine" })).await] {
        assert_eq!((response.status.as_u16(), response.error().as_str()), (401, "Not authenticated"));
    }
    let forged = app.sign_in_admin().await.with("origin", "https://elsewhere.example");
    assert_eq!(forged.put(PATH, json!({ "name": "Theirs" })).await.status, 403);
    assert!(app.visitor().get("/").await.text().contains("Your Company"));
}

#[tokio::test]
async fn saving_the_form_as_it_is_stores_nothing_and_changes_no_page() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let (home, manifest) = (app.visitor().get("/").await.text(), app.visitor().get("/site.webmanifest").await.text());
    let form = values(&admin).await;
    assert_eq!(form["name"], "Your Company");
    assert_eq!(form["learnMoreUrl"], "https://example.com/");
    assert_eq!(form["social"][0], json!({ "label": "LinkedIn", "url": "https://example.com/linkedin" }));

    let saved = save(&admin, form.clone()).await;

    assert_eq!((&saved["values"], &saved["locked"], &saved["revision"]), (&form, &json!({}), &json!(2)));
    let stored: String = app.storage().query_row("SELECT settings FROM site_settings", [], |row| row.get(0)).unwrap();
    assert_eq!(stored, "{}");
    assert_eq!(app.visitor().get("/").await.text(), home);
    assert_eq!(app.visitor().get("/site.webmanifest").await.text(), manifest);
    assert_eq!(app.rows("activity"), 0);
}

#[tokio::test]
async fn every_response_has_a_saved_name_at_once() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let id = app.an_online_event(&admin).await;
    let event = app.visitor().get("/api/events").await.json()[0]["path"].as_str().unwrap().to_owned();
    let paths = [
        "/",
        "/calendar",
        &event,
        "/admin/login",
        "/embed",
        "/nothing",
        "/calendar.ics",
        "/feed.xml",
        "/site.webmanifest",
    ];
    let attendance = format!("{event}/attendance");
    for path in paths {
        assert!(app.visitor().get(path).await.text().contains("Your Company"), "{path}");
    }
    let image = |html: &str| {
        let (_, rest) = html.split_once("og:image\" content=\"").unwrap();
        rest.split_once('"').unwrap().0.rsplit_once("/share/").unwrap().1.to_owned()
    };
    let images = (image(&app.visitor().get("/").await.text()), image(&app.visitor().get(&event).await.text()));

    save(&admin, json!({ "name": " Marlow  Reyes " })).await;

    for path in paths.into_iter().chain([attendance.as_str()]) {
        let text = app.visitor().get(path).await.text();
        assert!(text.contains("Marlow Reyes") && !text.contains("Your Company"), "{path}");
    }
    let page = app.visitor().get(&event).await.text();
    assert!(page.contains("\"organizer\":{\"@type\":\"Organization\",\"name\":\"Marlow Reyes\""), "structured data");
    assert!(page.contains("og:site_name\" content=\"Marlow Reyes\""));
    let renamed = (image(&app.visitor().get("/").await.text()), image(&page));
    assert!(images.0 != renamed.0 && images.1 != renamed.1, "share images show the name");
    let old = app.visitor().get(&format!("/share/{}", images.1)).await;
    assert_eq!((old.status.as_u16(), old.header("location")), (307, format!("/share/{}", renamed.1)));
    assert!(renamed.1.starts_with(&format!("{id}-")));
}

#[tokio::test]
async fn contact_links_and_buttons_are_on_the_next_page_and_blank_ones_are_omitted() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let settings = json!({
        "addressLines": ["1 Harbor Way", " ", "Portland, ME"], "phone": "(207) 555-0101", "email": "",
        "whoWeAre": [{ "label": "Our  story", "url": "https://example.org/it's;here" }, { "label": "", "url": " " }],
        "social": [], "scheduleCallUrl": " ", "learnMoreUrl": "https://example.org/more", "disclaimer": "Small print.",
    });
    save(&admin, settings).await;
    let site = initial_site(&app.visitor().get("/").await.text());
    assert_eq!(
        site["contact"],
        json!({ "addressLines": ["1 Harbor Way", "Portland, ME"], "phone": "(207) 555-0101", "email": "" })
    );
    assert_eq!(
        site["columns"][0]["links"],
        json!([{ "label": "Our story", "url": "https://example.org/it%27s%3Bhere" }])
    );
    assert_eq!(site["columns"][1]["links"].as_array().unwrap().len(), 2, "the default of the others");
    assert_eq!(site["social"], json!([]));
    assert_eq!(site["scheduleCallUrl"], Value::Null);
    assert_eq!(site["investorResourcesUrl"], "https://example.com/investor-resources");
    assert_eq!(
        (&site["learnMoreUrl"], &site["disclaimer"]),
        (&json!("https://example.org/more"), &json!("Small print."))
    );
    // A null resets a setting.
    save(&admin, json!({ "social": null })).await;
    assert_eq!(initial_site(&app.visitor().get("/").await.text())["social"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn colors_are_a_style_sheet_that_the_policy_allows_and_no_page_has_one_without_them() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let pages = ["/", "/calendar", "/embed", "/admin", "/admin/login", "/nothing"];
    for path in pages {
        assert_eq!(style_of(&app.visitor().get(path).await.text()), "", "{path}");
    }

    let saved = save(&admin, json!({ "accentLight": "F80", "accentDark": "#00CCFF" })).await;

    assert_eq!(
        (&saved["values"]["accentLight"], &saved["values"]["accentDark"]),
        (&json!("#ff8800"), &json!("#00ccff"))
    );
    for path in pages {
        let response = app.visitor().get(path).await;
        let html = response.text();
        let style = style_of(&html);
        assert!(
            style.starts_with(":#ff8800;--on-accent:#062229}@media (prefers-color-scheme:dark)"),
            "{path}: {style}"
        );
        assert!(style.contains("--primary:#00ccff;--primary-hover:#33d6ff;--on-primary:#011b21"), "{path}: {style}");
        assert!(html.find(style).unwrap() < html.find("</head>").unwrap(), "{path}");
        let hash = {
            use base64::Engine as _;
            use sha2::Digest as _;
            let css = format!("html:root{{--accent{style}");
            base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(css))
        };
        let policy = response.header("content-security-policy");
        let styles = policy.split(';').find(|part| part.trim().starts_with("style-src")).unwrap();
        assert!(styles.contains(&format!("'sha256-{hash}'")) && !styles.contains("unsafe"), "{path}: {policy}");
    }

    save(&admin, json!({ "accentDark": "#00ccff" })).await;
    let html = app.visitor().get("/").await.text();
    assert!(!html.contains("<style>html:root{--accent") && html.contains("<style>@media (prefers-color-scheme:dark)"));
}

#[tokio::test]
async fn the_portals_policy_allows_its_styles_with_a_key_for_maps_too() {
    let mut config = Config::default();
    config.places.browser_key = Some("key".to_owned());
    let app = TestApp::start_with(config);
    let admin = app.sign_in_admin().await;
    save(&admin, json!({ "accentLight": "#ff8800" })).await;
    let response = app.visitor().get("/admin").await;
    assert_ne!(style_of(&response.text()), "");
    let policy = response.header("content-security-policy");
    assert!(policy.contains("style-src 'self' 'unsafe-inline' https://fonts.googleapis.com;"), "{policy}");
}

#[tokio::test]
async fn the_newsletter_form_is_on_the_page_and_only_its_hosts_are_in_the_policy() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let before = app.visitor().get("/").await.header("content-security-policy");
    let form = json!({
        "subscribeScriptUrl": "https://forms.example.com/embed.js", "subscribeContainerId": "newsletter",
        "subscribeAttributes": { "data-form": "12" }, "subscribeAllowedHosts": ["https://api.example.com/path"],
    });
    save(&admin, form).await;
    let response = app.visitor().get("/").await;
    let expected = json!({
        "scriptUrl": "https://forms.example.com/embed.js", "containerId": "newsletter", "attributes": { "data-form": "12" },
    });
    assert_eq!(initial_site(&response.text())["subscribe"], expected);
    let policy = response.header("content-security-policy");
    for directive in ["script-src 'self'", "connect-src 'self'", "form-action 'self'"] {
        let directive = format!("{directive} https://api.example.com https://forms.example.com");
        assert!(policy.contains(&directive), "{directive}: {policy}");
    }
    // A change of the hosts alone is a change of the page.
    save(&admin, json!({ "subscribeScriptUrl": "https://forms.example.com/embed.js" })).await;
    assert!(!app.visitor().get("/").await.header("content-security-policy").contains("api.example.com"));
    save(&admin, json!({})).await;
    assert_eq!(app.visitor().get("/").await.header("content-security-policy"), before);
}

#[tokio::test]
async fn a_notice_is_on_every_public_page_until_it_ends() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_online_event(&admin).await;
    let event = app.visitor().get("/api/events").await.json()[0]["path"].as_str().unwrap().to_owned();
    let end = crate::platform::clock::timestamp(app.clock.now() + chrono::TimeDelta::hours(1));
    let notice = json!({
        "noticeText": "We <b>moved</b>.", "noticeLinkLabel": "See where", "noticeLinkUrl": "https://example.com/where",
        "noticeEndsAt": end,
    });
    save(&admin, notice.clone()).await;
    let pages = ["/", "/calendar", "/search", &event, "/nothing"];
    let mut ids = Vec::new();
    for path in pages {
        let shown = initial_site(&app.visitor().get(path).await.text())["notice"].clone();
        assert_eq!(shown["text"], "We <b>moved</b>.", "{path}");
        assert_eq!(shown["link"], json!({ "label": "See where", "url": "https://example.com/where" }), "{path}");
        ids.push(shown["id"].clone());
    }
    assert!(ids.iter().all(|id| *id == ids[0]));

    app.clock.advance(3600);
    for path in pages {
        assert_eq!(initial_site(&app.visitor().get(path).await.text())["notice"], Value::Null, "{path}");
    }
    let admin = app.sign_in_admin().await;
    save(&admin, with(with(notice, "/noticeEndsAt", json!("")), "/noticeText", json!("Another"))).await;
    let shown = initial_site(&app.visitor().get("/").await.text())["notice"].clone();
    assert_eq!(shown["text"], "Another");
    assert_ne!(shown["id"], ids[0], "who dismissed the first one sees this one");
}

#[tokio::test]
async fn keys_of_the_configuration_have_precedence_and_the_portal_names_them() {
    let mut config = Config::default();
    config.site.name = "Configured".to_owned();
    config.site.contact.phone = "555 0100".to_owned();
    config.site.social = Vec::new();
    config.subscribe.container_id = "form".to_owned();
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    save(&admin, json!({ "name": "Stored", "phone": "555 0199", "email": "stored@example.com" })).await;

    drop(admin);
    let app = app.restart(config);
    let admin = app.sign_in_admin().await;
    let settings = admin.get(PATH).await.json();
    let locked = json!({
        "name": "site.name", "phone": "site.contact.phone", "social": "site.social", "subscribeContainerId": "subscribe.container_id",
    });
    assert_eq!(settings["locked"], locked);
    assert_eq!((&settings["values"]["name"], &settings["values"]["phone"]), (&json!("Configured"), &json!("555 0100")));
    assert_eq!(settings["values"]["email"], "stored@example.com");

    // What is sent for them is ignored, even if it is wrong.
    let saved = save(&admin, json!({ "name": "", "phone": "x".repeat(60), "social": [{ "label": "X", "url": "y" }], "email": "new@example.com" })).await;
    assert_eq!((&saved["values"]["name"], &saved["values"]["social"]), (&json!("Configured"), &json!([])));
    assert_eq!(saved["values"]["email"], "new@example.com");
    let home = app.visitor().get("/").await.text();
    assert!(home.contains("Configured") && !home.contains("Stored"));

    // Without the keys, the stored values are back.
    drop(admin);
    let app = app.restart(Config::default());
    let admin = app.sign_in_admin().await;
    let settings = values(&admin).await;
    assert_eq!((&settings["name"], &settings["phone"]), (&json!("Stored"), &json!("555 0199")));
    assert_eq!((&settings["email"], settings["social"].as_array().unwrap().len()), (&json!("new@example.com"), 4));
}

#[tokio::test]
async fn the_second_of_two_admins_gets_a_conflict_with_the_current_settings() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let revision = admin.get(PATH).await.json()["revision"].clone();
    let first = save(&admin, json!({ "name": "First", "revision": revision })).await;
    let second = admin.put(PATH, json!({ "name": "Second", "revision": revision })).await;
    let message = "These settings were changed while you were editing them";
    assert_eq!((second.status.as_u16(), second.error().as_str()), (409, message));
    assert_eq!(second.json()["current"], first);
    assert_eq!(values(&admin).await["name"], "First");
    assert_eq!(
        save(&admin, json!({ "name": "Second", "revision": first["revision"] })).await["values"]["name"],
        "Second"
    );
    assert_eq!(save(&admin, json!({ "name": "Third" })).await["values"]["name"], "Third", "a save without a revision");
}

#[tokio::test]
async fn a_change_is_in_the_activity_log_with_what_differs() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    save(&admin, json!({ "name": "Marlow", "social": [{ "label": "Forum", "url": "https://example.com/forum" }] }))
        .await;
    let row =
        "SELECT who || ' ' || action || ' ' || subject || ' ' || name || ' ' || before || ' ' || after FROM activity";
    let entry: String = app.storage().query_row(row, [], |row| row.get(0)).unwrap();
    assert!(entry.starts_with("ada@example.com changed site settings Marlow {\"name\":\"Your Company\","), "{entry}");
    assert!(entry.ends_with(r#"{"name":"Marlow","social":"Forum https://example.com/forum"}"#), "{entry}");
}

#[tokio::test]
async fn a_change_by_another_process_is_in_the_next_response() {
    let app = TestApp::start();
    assert!(app.visitor().get("/").await.text().contains("Your Company"));
    app.write_as_another_process("UPDATE site_settings SET company_name = 'Harbor', revision = revision + 1", []);
    assert!(app.visitor().get("/").await.text().contains("Harbor"));
    assert!(app.visitor().get("/feed.xml").await.text().contains("<title>Harbor</title>"));
    app.write_as_another_process("DELETE FROM site_settings", []);
    assert!(app.visitor().get("/").await.text().contains("Your Company"));
    let admin = app.sign_in_admin().await;
    assert_eq!(save(&admin, json!({ "name": "Vale", "revision": 0 })).await["values"]["name"], "Vale");
}

#[tokio::test]
async fn an_uploaded_logo_is_on_the_pages_and_in_the_share_image_and_is_not_purged() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let mut png = Vec::new();
    let logo = RgbaImage::from_fn(300, 100, |x, _| if x < 150 { Rgba([200, 0, 0, 255]) } else { Rgba([0, 0, 0, 0]) });
    logo.write_to(&mut std::io::Cursor::new(&mut png), ImageFormat::Png).unwrap();
    let upload =
        admin.clone().with("content-type", "image/png").send_bytes("POST", "/api/pictures", Some(png.into())).await;
    let url = upload.json()["url"].as_str().unwrap().to_owned();
    save(&admin, json!({ "logoUrl": url })).await;
    let home = app.visitor().get("/").await.text();
    assert_eq!(initial_site(&home)["logoUrl"], url.as_str());
    let (_, rest) = home.split_once("og:image\" content=\"").unwrap();
    let share = rest.split_once('"').unwrap().0.split_once("8080").unwrap().1.to_owned();
    let image = image::load_from_memory(&app.visitor().get(&share).await.body).unwrap().into_rgb8();
    assert_eq!(image.get_pixel(60, 54).0, [200, 0, 0], "the logo is left of the name");
    assert_eq!(image.get_pixel(180, 30).0, image.get_pixel(700, 5).0, "its transparent part shows the sky");

    app.clock.advance(25 * 3600);
    let admin = app.sign_in_admin().await;
    let mut other = Vec::new();
    RgbaImage::new(9, 9).write_to(&mut std::io::Cursor::new(&mut other), ImageFormat::Png).unwrap();
    let other =
        admin.clone().with("content-type", "image/png").send_bytes("POST", "/api/pictures", Some(other.into())).await;
    assert_eq!(other.status, 201);
    assert_eq!(app.visitor().get(&url).await.status, 200);
}

#[test]
fn the_command_setup_and_the_portal_change_the_same_name_of_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let database: PathBuf = folder.path().join("lectern.db");
    assert!(server.visitor().get("/").text().contains("Your Company"));
    let connection = crate::platform::db::connect(&database, crate::platform::db::BusyTimeout::CommandLine).unwrap();
    crate::platform::db::in_transaction(&connection, |transaction| {
        crate::features::site_settings::set_company_name(transaction, "Harbor & Vale")
    })
    .unwrap();
    let mut home = String::new();
    for _ in 0..100 {
        home = server.visitor().get("/").text();
        if home.contains("Harbor &amp; Vale") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(home.contains("Harbor &amp; Vale"), "without a restart");
    server.stop();
}
