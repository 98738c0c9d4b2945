//! Which responses are purged by which changes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{at, config, go_to};
use crate::tests::support::{Client, TestApp, in_person_event, online_event, query_one, speaker, with};

/// What a shared cache has stored: the body and the keys by path.
type Stored = BTreeMap<String, (String, BTreeSet<String>)>;

const PATHS: [&str; 24] = [
    "/",
    "/?month=2031-04",
    "/calendar",
    "/calendar?type=Special",
    "/embed?theme=dark",
    "/search",
    "/search?q=rent",
    "/api/search?q=rent",
    "/calendar.ics",
    "/calendar.ics?type=investor-insights",
    "/calendar.ics?series=rent-rolls",
    "/feed.xml",
    "/feed.xml?series=rent-rolls",
    "/feed.xml?series=walks",
    "/sitemap.xml",
    "/robots.txt",
    "/site.webmanifest",
    "/api/events",
    "/api/events?from=2031-03-01&to=2031-03-31",
    "/api/speakers",
    "/api/page-content/home",
    "/api/openapi.json",
    "/series/rent-rolls",
    "/series/walks",
];

struct Site {
    app: TestApp,
    admin: Client,
    /// The paths of events by their titles.
    events: BTreeMap<&'static str, (i64, String)>,
}

impl Site {
    async fn start() -> Self {
        let app = TestApp::start_with(config(60));
        go_to(&app, at("2031-02-20T17:00:00Z"));
        app.write_as_another_process("UPDATE cache_purge SET is_enabled = 1", []);
        let admin = app.sign_in_admin().await;
        for name in ["Ada Obi", "Grace Obi", "Zoe Unused"] {
            admin.post("/api/speakers", speaker(name)).await.created_id();
        }
        let in_series = |event: Value, series: &str| with(event, "/event/series", json!(series));
        let mut events = BTreeMap::new();
        for (title, slug, event) in [
            ("Alone", "alone", online_event("Alone", &[1])),
            ("Other", "other", in_person_event("Other", &[2])),
            ("First rent", "first-rent", in_series(online_event("First rent", &[1]), "Rent rolls")),
            ("Second rent", "second-rent", in_series(online_event("Second rent", &[2, 1]), "Rent rolls")),
            ("Walk", "walk", in_series(in_person_event("Walk", &[2]), "Walks")),
        ] {
            let id = admin.post("/api/events", event).await.created_id();
            events.insert(title, (id, format!("/events/{id}-{slug}")));
        }
        Self { app, admin, events }
    }

    fn id(&self, title: &str) -> i64 {
        self.events[title].0
    }

    /// The ids of all events.
    fn ids(&self) -> Vec<i64> {
        let storage = self.app.storage();
        let mut statement = storage.prepare("SELECT id FROM events WHERE deleted_at IS NULL").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    /// Those of all events.
    async fn create_and_delete_preview_links(&self) {
        for id in self.ids() {
            let path = format!("/api/events/{id}/preview-link");
            assert_eq!(self.admin.send("POST", &path, None).await.status, 200);
            assert_eq!(self.admin.delete(&path).await.status, 204);
        }
    }

    async fn attend(&self, title: &str) {
        let path = format!("/api/events/{}/interest", self.id(title));
        let response = self.app.visitor().send("POST", &path, None).await;
        assert!(response.status.is_success(), "{}", response.text());
    }

    async fn stored(&self) -> Stored {
        let mut stored = Stored::new();
        let pages = self.events.values().flat_map(|(_, path)| [path.clone(), format!("{path}.ics")]);
        for path in PATHS.iter().map(|path| (*path).to_owned()).chain(pages) {
            let response = self.app.visitor().get(&path).await;
            // Others are not stored.
            if response.status == 200 {
                let keys = response.header("surrogate-key").split(' ').map(str::to_owned).collect();
                stored.insert(path, (response.text(), keys));
            }
        }
        stored
    }

    /// The recorded keys, which are then deleted.
    fn take_changed_keys(&self) -> BTreeSet<String> {
        let storage = self.app.storage();
        let mut statement = storage.prepare("SELECT key FROM changed_cache_keys").unwrap();
        let keys = statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        storage.execute("DELETE FROM changed_cache_keys", []).unwrap();
        keys
    }

    async fn put(&self, title: &str, event: Value) {
        let response = self.admin.put(&format!("/api/events/{}", self.id(title)), event).await;
        assert_eq!(response.status, 200, "{}", response.text());
    }

    fn sql(&self, sql: &str) {
        self.app.write_as_another_process(sql, []);
    }

    /// Makes a change and checks that each response whose content changed is purged. Returns the paths that are purged.
    /// `stored` is what was stored before, and then what is stored after the change.
    async fn purged_by(&self, change: &str, stored: &mut Stored) -> BTreeSet<String> {
        self.take_changed_keys();
        self.make(change).await;
        let changed = self.take_changed_keys();
        let after = self.stored().await;
        let before = std::mem::replace(stored, after);
        let is_purged = |keys: &BTreeSet<String>| keys.intersection(&changed).next().is_some();
        for (path, (body, keys)) in &before {
            let is_same = stored.get(path).is_some_and(|(now, _)| now == body);
            assert!(is_same || is_purged(keys), "{change}: {path} ({keys:?}) is not purged by {changed:?}");
        }
        before.into_iter().filter(|(_, (_, keys))| is_purged(keys)).map(|(path, _)| path).collect()
    }

    async fn make(&self, change: &str) {
        let admin = &self.admin;
        let rent = |event: Value| with(event, "/event/series", json!("Rent rolls"));
        match change {
            "a text" => self.put("Alone", with(online_event("Alone", &[1]), "/event/summary", json!("New"))).await,
            "a title" => self.put("Alone", online_event("Renamed", &[1])).await,
            "a time" => self.put("Alone", with(online_event("Alone", &[1]), "/event/time", json!("18:00"))).await,
            "the speakers" => self.put("Alone", online_event("Alone", &[2, 1])).await,
            "a venue" => {
                self.put("Other", with(in_person_event("Other", &[2]), "/location/city", json!("Boulder"))).await;
            }
            "a venue by another process" => {
                self.sql(
                    "UPDATE event_locations SET image_url = 'https://example.com/a.jpg'
                     WHERE event_id = (SELECT id FROM events WHERE title = 'Walk')",
                );
            }
            "a speaker of an event by another process" => {
                self.sql(
                    "DELETE FROM event_speakers
                     WHERE speaker_id = 1 AND event_id = (SELECT id FROM events WHERE title = 'Second rent')",
                );
            }
            "a title in a series" => self.put("First rent", rent(online_event("First rent, renamed", &[1]))).await,
            "leaving a series" => {
                self.put("Second rent", with(online_event("Second rent", &[2]), "/event/series", json!(""))).await;
            }
            "joining a series" => self.put("Alone", rent(online_event("Alone", &[1]))).await,
            "moving the last event of a series" => self.put("Walk", rent(in_person_event("Walk", &[2]))).await,
            "another spelling of a series" => {
                let event = with(online_event("First rent", &[1]), "/event/series", json!("RENT rolls"));
                self.put("First rent", event).await;
            }
            "a draft with another spelling of a series" => {
                let draft = json!({ "event": { "title": "Draft", "status": "draft", "series": "rent ROLLS" } });
                admin.post("/api/events", draft).await.created_id();
            }
            "a new event" => drop(admin.post("/api/events", online_event("New", &[1])).await.created_id()),
            "a new event of a series" => {
                admin.post("/api/events", rent(online_event("New rent", &[1]))).await.created_id();
            }
            "a scheduled event" => {
                let event = with(rent(online_event("Later", &[1])), "/event/status", json!("scheduled"));
                let event = with(event, "/event/publishAt", json!("2031-02-25T00:00:00Z"));
                admin.post("/api/events", event).await.created_id();
            }
            "cancelled" | "hidden" | "postponed" | "published" => {
                self.put("Alone", with(online_event("Alone", &[1]), "/event/status", json!(change))).await;
            }
            "a draft of a published event" => {
                self.put("Alone", with(online_event("Alone", &[1]), "/event/status", json!("draft"))).await;
            }
            "a text of a draft that was published" => {
                let event = with(online_event("Alone, again", &[1]), "/event/status", json!("draft"));
                self.put("Alone", event).await;
            }
            "a new draft" => {
                admin.post("/api/events", json!({ "event": { "title": "D", "status": "draft" } })).await.created_id();
            }
            "a text of a draft" => {
                let drafts = admin.get("/api/events/unpublished").await.json();
                let id = drafts.as_array().unwrap().iter().find(|event| event["title"] == "D").unwrap()["id"].clone();
                let draft = with(in_person_event("D", &[1]), "/event/status", json!("draft"));
                assert_eq!(admin.put(&format!("/api/events/{id}"), draft).await.status, 200);
            }
            "a deletion" => {
                assert_eq!(admin.delete(&format!("/api/events/{}", self.id("First rent"))).await.status, 204);
            }
            "a restoration" => {
                let path = format!("/api/events/{}/restore", self.id("First rent"));
                assert_eq!(admin.send("POST", &path, None).await.status, 200);
            }
            "a purge from the database" => self.sql("DELETE FROM events WHERE title = 'Other'"),
            "a bulk change by another process" => {
                self.sql("UPDATE events SET registration_url = 'https://example.com/2'");
            }
            "a speaker" => {
                assert_eq!(admin.put("/api/speakers/1", speaker("Ada Obi-Lee")).await.status, 200);
            }
            "a speaker without events" => {
                assert_eq!(admin.put("/api/speakers/3", speaker("Zoe")).await.status, 200);
            }
            "a new speaker" => drop(admin.post("/api/speakers", speaker("New")).await.created_id()),
            "a deleted speaker" => assert_eq!(admin.delete("/api/speakers/3").await.status, 204),
            "the texts of the home page" => {
                let texts = json!({ "heroTitle": "Hello", "heroSubtitle": "All of you" });
                assert_eq!(admin.put("/api/page-content/home", texts).await.status, 200);
            }
            "the site settings" => {
                assert_eq!(admin.put("/api/site-settings", json!({ "name": "Ours" })).await.status, 200);
            }
            "a preview link" => self.create_and_delete_preview_links().await,
            "attendance" => self.attend("Other").await,
            "a password" => self.sql("UPDATE users SET revision = revision + 1"),
            other => panic!("unknown change: {other}"),
        }
    }
}

#[tokio::test]
async fn what_shows_a_change_is_purged_by_it_and_the_pages_of_other_events_are_not() {
    let site = Site::start().await;
    let mut stored = site.stored().await;
    let page = |title: &str| site.events[title].1.clone();
    // The events whose pages must stay.
    for (change, unrelated) in [
        ("a text", vec!["Other", "First rent", "Walk"]),
        ("a title", vec!["Other", "First rent", "Walk"]),
        ("a time", vec!["Other", "First rent", "Walk"]),
        ("the speakers", vec!["Other", "First rent", "Walk"]),
        ("a venue", vec!["Alone", "First rent", "Walk"]),
        ("a venue by another process", vec!["Alone", "Other", "First rent"]),
        ("a speaker of an event by another process", vec!["Alone", "Other", "Walk"]),
        ("a title in a series", vec!["Alone", "Other", "Walk"]),
        ("another spelling of a series", vec!["Alone", "Other", "Walk"]),
        ("leaving a series", vec!["Alone", "Other", "Walk"]),
        ("a draft with another spelling of a series", vec!["Alone", "Other", "Walk"]),
        ("joining a series", vec!["Other", "Walk"]),
        ("moving the last event of a series", vec!["Other"]),
        ("a new event", vec!["Alone", "Other", "First rent"]),
        ("a new event of a series", vec!["Other"]),
        ("a scheduled event", vec!["Other"]),
        ("cancelled", vec!["Other"]),
        ("postponed", vec!["Other"]),
        ("hidden", vec!["Other"]),
        ("published", vec!["Other"]),
        ("a draft of a published event", vec!["Other"]),
        ("a text of a draft that was published", vec!["Other"]),
        ("a deletion", vec!["Other"]),
        ("a restoration", vec!["Other"]),
        ("a speaker", vec!["Other"]),
        ("a speaker without events", vec!["Other", "First rent"]),
        ("a new speaker", vec!["Other", "First rent"]),
        ("a deleted speaker", vec!["Other", "First rent"]),
        ("the texts of the home page", vec!["Other", "First rent"]),
        ("the site settings", vec![]),
        ("a bulk change by another process", vec![]),
        ("a purge from the database", vec!["First rent"]),
    ] {
        let purged = site.purged_by(change, &mut stored).await;
        assert!(!purged.is_empty(), "{change}");
        for title in unrelated {
            for path in [page(title), format!("{}.ics", page(title))] {
                assert!(!purged.contains(&path), "{change}: {path} is purged");
            }
        }
    }
}

#[tokio::test]
async fn what_visitors_do_not_see_purges_nothing() {
    let site = Site::start().await;
    let mut stored = site.stored().await;
    for change in ["a new draft", "a text of a draft", "a preview link", "attendance", "a password"] {
        assert_eq!(site.purged_by(change, &mut stored).await, BTreeSet::new(), "{change}");
    }
    // Nor those of events that visitors see, will see or saw.
    for status in ["a scheduled event", "hidden", "a draft of a published event"] {
        site.make(status).await;
        site.take_changed_keys();
        site.make("a preview link").await;
        assert_eq!(site.take_changed_keys(), BTreeSet::new(), "{status}");
    }
}

#[test]
fn a_change_of_any_column_of_an_event_but_that_of_its_preview_link_is_recorded() {
    let app = TestApp::start();
    let storage = app.storage();
    let trigger: String = query_one(&storage, "SELECT sql FROM sqlite_schema WHERE name = 'events_updated_keys'");
    let (_, listed) = trigger.split_once("AFTER UPDATE OF").unwrap();
    let listed: BTreeSet<&str> = listed.split_once("ON events").unwrap().0.split(',').map(str::trim).collect();
    let columns: String = query_one(&storage, "SELECT group_concat(name) FROM pragma_table_info('events')");
    let mut expected: BTreeSet<&str> = columns.split(',').collect();
    assert!(expected.remove("preview_token"));
    // Changes with the title.
    assert!(expected.remove("title_key"));
    assert_eq!(listed, expected, "a migration has added a column: add it to the trigger");
}

#[tokio::test]
async fn nothing_is_recorded_while_no_cache_is_purged() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    app.an_in_person_event(&admin).await;
    assert_eq!(app.rows("changed_cache_keys"), 0);
}
