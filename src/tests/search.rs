//! The search: what visitors find, in which order, and what they never find.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::features::events;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::{self, BusyTimeout};
use crate::tests::support::{Client, TestApp, in_person_event, online_event, query_one, speaker, with};

fn at(text: &str) -> DateTime<Utc> {
    parse_timestamp(text).unwrap()
}

/// A server on 1 June 2026, with an admin and the speaker Dr. Ada Okafor.
async fn start() -> (TestApp, Client) {
    let app = TestApp::start();
    app.clock.advance((at("2026-06-01T12:00:00Z") - app.clock.now()).num_seconds());
    let admin = app.sign_in_admin().await;
    admin.post("/api/speakers", speaker("Dr. Ada Okafor")).await.created_id();
    (app, admin)
}

async fn add(admin: &Client, event: Value, date: &str) -> i64 {
    admin.post("/api/events", with(event, "/event/date", json!(date))).await.created_id()
}

fn encoded(query: &str) -> String {
    url::form_urlencoded::Serializer::new(String::new()).append_pair("q", query).finish()
}

async fn found(app: &TestApp, query: &str) -> Value {
    let response = app.visitor().get(&format!("/api/search?{}", encoded(query))).await;
    assert_eq!(response.status, 200, "{query}: {}", response.text());
    response.json()
}

async fn titles(app: &TestApp, query: &str) -> Vec<String> {
    let titles = titles_of_page(app, query).await;
    assert_eq!(found(app, query).await["count"], titles.len(), "{query}");
    titles
}

async fn titles_of_page(app: &TestApp, query: &str) -> Vec<String> {
    let found = found(app, query).await;
    found["events"].as_array().unwrap().iter().map(|one| one["event"]["title"].as_str().unwrap().to_owned()).collect()
}

/// Three events in the winter.
async fn some_events(admin: &Client) {
    let special = |title: &str| with(online_event(title, &[1]), "/event/type", json!("Special"));
    let walk = with(special("Walk with Pilar"), "/event/series", json!("García evenings"));
    add(admin, walk, "2026-12-01").await;
    add(admin, special("The second pillar"), "2026-12-11").await;
    add(admin, special("Kubernetes for landlords"), "2027-01-20").await;
}

#[tokio::test]
async fn a_search_lists_upcoming_events_first_then_past_events_from_the_latest() {
    let (app, admin) = start().await;
    add(&admin, online_event("Café of yore", &[1]), "2025-02-01").await;
    add(&admin, online_event("Café of old", &[1]), "2026-02-01").await;
    add(&admin, in_person_event("Property walk", &[1]), "2026-06-02").await;
    add(&admin, online_event("Später Café", &[1]), "2026-07-02").await;
    add(&admin, online_event("Café soon", &[1]), "2026-06-20").await;

    let cafes = found(&app, "cafe").await;
    let listed: Vec<_> =
        cafes["events"].as_array().unwrap().iter().map(|one| (&one["event"]["title"], &one["isPast"])).collect();
    let expected = [("Café soon", false), ("Später Café", false), ("Café of old", true), ("Café of yore", true)];
    let expected = expected.map(|(title, is_past)| (json!(title), json!(is_past)));
    assert_eq!(listed, expected.iter().map(|(title, is_past)| (title, is_past)).collect::<Vec<_>>());
    assert_eq!((&cafes["count"], &cafes["marked"]), (&json!(4), &json!(["cafe"])));
    assert_eq!(cafes["events"][0]["event"]["description"], "", "results are short");

    for (query, expected) in [
        ("spater", vec!["Später Café"]),
        ("Spa\u{308}ter", vec!["Später Café"]),
        ("pater cafe", vec!["Später Café"]),
        ("long room", vec!["Property walk"]),
        ("in-person", vec!["Property walk"]),
        ("walk  denver ", vec!["Property walk"]),
        ("OKAFOR prop", vec!["Property walk"]),
        ("cafe walk", vec![]),
        ("  ", vec![]),
        ("&", vec![]),
    ] {
        assert_eq!(titles(&app, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn a_search_forgives_typos_and_does_not_guess_more() {
    let (app, admin) = start().await;
    some_events(&admin).await;
    for (query, expected) in [
        ("kubernets", vec!["Kubernetes for landlords"]),
        ("kuberntes", vec!["Kubernetes for landlords"]),
        ("kuebrnets", vec!["Kubernetes for landlords"]),
        ("kubrn", vec!["Kubernetes for landlords"]),
        ("lanldords", vec!["Kubernetes for landlords"]),
        ("garcya", vec!["Walk with Pilar"]),
        ("decmber garcía", vec!["Walk with Pilar"]),
        ("wlak", vec!["Walk with Pilar"]),
        // Exact matches are before similar words.
        ("pilar", vec!["Walk with Pilar", "The second pillar"]),
        ("pillar", vec!["The second pillar", "Walk with Pilar"]),
        ("xubornetis", vec![]),
        ("tie", vec![]),
        ("walc on", vec![]),
    ] {
        assert_eq!(titles(&app, query).await, expected, "{query}");
    }
    assert_eq!(found(&app, "pilar").await["marked"], json!(["pilar", "pillar"]));
}

#[tokio::test]
async fn a_search_knows_months_and_days() {
    let (app, admin) = start().await;
    some_events(&admin).await;
    let (walk, pillar, landlords) = ("Walk with Pilar", "The second pillar", "Kubernetes for landlords");
    for (query, expected) in [
        ("december", vec![walk, pillar]),
        ("DEC", vec![walk, pillar]),
        ("dec 1", vec![walk]),
        ("Dec. 1st", vec![walk]),
        ("december 1, 2026", vec![walk]),
        ("1 dec", vec![walk]),
        ("12/1", vec![walk]),
        ("12/01/2026", vec![walk]),
        ("2026-12", vec![walk, pillar]),
        ("2026-12-1", vec![walk]),
        ("2026-12-11", vec![pillar]),
        ("dec 11 pillar", vec![pillar]),
        ("dec 2", vec![]),
        ("2027", vec![landlords]),
        ("december 2027", vec![]),
    ] {
        assert_eq!(titles(&app, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn visitors_find_no_event_that_they_do_not_see_and_learn_none_of_its_words() {
    let (app, admin) = start().await;
    let soon = timestamp(app.clock.now() + TimeDelta::hours(1));
    add(&admin, online_event("Rosemary", &[1]), "2026-12-01").await;
    let status = |title: &str, status: &str| with(online_event(title, &[1]), "/event/status", json!(status));
    add(&admin, status("Rosemarie drafted", "draft"), "2026-12-02").await;
    add(&admin, status("Rosemarie hidden", "hidden"), "2026-12-03").await;
    let scheduled = with(status("Rosemarie scheduled", "scheduled"), "/event/publishAt", json!(soon));
    add(&admin, scheduled, "2026-12-04").await;
    let deleted = add(&admin, online_event("Rosemarie deleted", &[1]), "2026-12-05").await;
    assert_eq!(admin.delete(&format!("/api/events/{deleted}")).await.status, 204);

    for query in ["rosemarie", "rosemarie hidden", "rosemary"] {
        let found = found(&app, query).await;
        let is_hidden = query.ends_with("hidden");
        assert_eq!(found["count"], i32::from(!is_hidden), "{query}: {found}");
        assert!(!found["events"].to_string().contains("osemarie"), "{query}: {found}");
        let known = [query.split(' ').collect(), vec!["rosemary"]].concat();
        let marked = found["marked"].as_array().unwrap();
        assert!(marked.iter().all(|word| known.contains(&word.as_str().unwrap())), "{query}: {found}");
    }
    assert_eq!(titles(&app, "draf").await, Vec::<String>::new());
    // A response is not cached beyond the publication.
    app.clock.advance(3_600);
    assert_eq!(titles(&app, "rosemarie").await, ["Rosemarie scheduled", "Rosemary"]);
    admin.post(&format!("/api/events/{deleted}/restore"), Value::Null).await;
    assert_eq!(titles(&app, "rosemarie deleted").await, ["Rosemarie deleted"]);
}

#[tokio::test]
async fn a_result_is_past_from_the_minute_in_which_the_event_ends() {
    let (app, admin) = start().await;
    // 23:00 to 24:00 UTC.
    add(&admin, online_event("Rent rolls", &[1]), "2026-06-02").await;
    add(&admin, online_event("Rent later", &[1]), "2026-07-02").await;
    let first = async || found(&app, "rent").await["events"][0].clone();
    app.clock.advance((at("2026-06-02T23:59:30Z") - app.clock.now()).num_seconds());
    assert_eq!((&first().await["event"]["title"], &first().await["isPast"]), (&json!("Rent rolls"), &json!(false)));
    app.clock.advance(31);
    assert_eq!(first().await["event"]["title"], "Rent later");
    assert_eq!(found(&app, "rent").await["events"][1]["isPast"], true);
}

#[tokio::test]
async fn results_have_pages_and_every_page_says_how_many_there_are() {
    let (app, admin) = start().await;
    for number in 1..=7 {
        add(&admin, online_event(&format!("Talk {number}"), &[1]), &format!("2026-08-{number:02}")).await;
    }
    let page = async |query: &str| {
        let found = app.visitor().get(&format!("/api/search?{query}")).await.json();
        assert_eq!(found["count"], 7, "{query}");
        let events = found["events"].as_array().unwrap().clone();
        events.iter().map(|one| one["event"]["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(page("q=talk&limit=3").await, ["Talk 1", "Talk 2", "Talk 3"]);
    assert_eq!(page("q=talk&limit=3&page=3").await, ["Talk 7"]);
    assert_eq!(page("q=talk&limit=3&page=99").await, Vec::<String>::new());
    assert_eq!(page("q=talk").await.len(), 7);
    assert_eq!(page("q=talk&limit=0").await, ["Talk 1"]);
    let html = app.visitor().get("/search?q=talk").await.text();
    assert!(html.contains("\"count\":7"), "{html}");
    // A browser replaces NUL, and React would find another text than it rendered.
    let html = app.visitor().get("/search?q=talk%00%1b").await.text();
    assert!(html.contains("\"count\":7") && !html.contains(['\0', '\u{1b}']), "{html}");
}

#[tokio::test]
async fn no_query_is_an_error_of_the_index() {
    let (app, admin) = start().await;
    some_events(&admin).await;
    let long = "ab".repeat(5_000);
    let many = "a b c d ".repeat(200);
    let quotes = "\"pilar\" AND NOT \"\" NEAR(";
    for query in
        [quotes, "text : pilar", "-pilar*", "^", "\u{0}", "'; DROP TABLE events --", "👩‍💻", "한국 дом", &long, &many]
    {
        found(&app, query).await;
    }
    assert_eq!(titles(&app, "(pilar*)").await.len(), 2);
    let bad = app.visitor().get("/api/search?q=a&limit=x").await;
    assert_eq!(bad.status, 400);
    assert_eq!(app.visitor().get("/api/search").await.json(), json!({ "count": 0, "marked": [], "events": [] }));
}

/// The index has the current text of every event, and no other.
fn assert_index_is_complete(app: &TestApp, after: &str) {
    let storage = db::connect(&app.database(), BusyTimeout::CommandLine).unwrap();
    for (one, other) in [
        ("event_id, text, date FROM search_texts", "event_id, text, date FROM search_documents"),
        ("event_id, text, date FROM search_documents", "event_id, text, date FROM search_texts"),
    ] {
        let different: i64 = query_one(&storage, &format!("SELECT count(*) FROM (SELECT {one} EXCEPT SELECT {other})"));
        assert_eq!(different, 0, "{after}: {one}");
    }
    assert_eq!(query_one::<i64>(&storage, "SELECT count(*) FROM search_pending"), 0, "{after}");
    storage.execute("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 1)", []).unwrap();
}

#[tokio::test]
async fn every_change_of_an_event_is_found_at_once() {
    let (app, admin) = start().await;
    admin.post("/api/speakers", speaker("Grace Obi")).await.created_id();
    let id = add(&admin, in_person_event("Rent rolls", &[1]), "2026-08-01").await;
    let other = add(&admin, online_event("Leases", &[1, 2]), "2026-08-02").await;
    assert_index_is_complete(&app, "new events");

    let path = format!("/api/events/{id}");
    let edited = with(in_person_event("Mortgages", &[2]), "/location/city", json!("Tucson"));
    assert_eq!(admin.put(&path, edited.clone()).await.status, 200);
    assert_eq!(titles(&app, "mortgages tucson obi").await, ["Mortgages"]);
    assert_eq!(titles(&app, "rolls").await, Vec::<String>::new());
    assert_index_is_complete(&app, "an edit");
    assert_eq!(admin.put(&path, edited).await.status, 200);
    assert_index_is_complete(&app, "an edit of nothing");

    assert_eq!(admin.put("/api/speakers/2", speaker("Grace Hopper")).await.status, 200);
    assert_eq!(titles(&app, "hopper").await.len(), 2);
    assert_eq!(titles(&app, "obi").await, Vec::<String>::new());
    assert_index_is_complete(&app, "a new name of a speaker");

    let events = json!([{ "id": id }, { "id": other }]);
    let changed =
        admin.post("/api/events/bulk-edits", json!({ "events": events, "changes": { "series": "Evenings" } })).await;
    assert_eq!(titles(&app, "evenings").await.len(), 2);
    assert_index_is_complete(&app, "a bulk edit");
    let undo = format!("/api/events/bulk-edits/{}/undo", changed.json()["id"]);
    assert_eq!(admin.post(&undo, Value::Null).await.status, 200);
    assert_eq!(titles(&app, "evenings").await, Vec::<String>::new());
    assert_index_is_complete(&app, "the undo of a bulk edit");

    assert_eq!(admin.put(&path, in_person_event("Mortgages", &[1, 2])).await.status, 200);
    assert_eq!(admin.delete("/api/speakers/2").await.status, 204);
    assert_index_is_complete(&app, "the deletion of a speaker");
    assert_eq!(titles(&app, "hopper").await, Vec::<String>::new());
    assert_eq!(admin.delete(&path).await.status, 204);

    app.clock.advance(31 * 24 * 3_600);
    let admin = app.sign_in_admin().await;
    assert_eq!(admin.delete(&format!("/api/events/{other}")).await.status, 204);
    assert_index_is_complete(&app, "the purge of a deleted event");
    assert_eq!(app.rows("search_documents"), 1);
}

#[tokio::test]
async fn results_follow_every_change_of_time_and_visibility() {
    let (app, admin) = start().await;
    let first = add(&admin, online_event("Talk 1", &[1]), "2026-07-01").await;
    let second = add(&admin, online_event("Talk 2", &[1]), "2026-07-02").await;
    let path = format!("/api/events/{second}");
    assert_eq!(titles(&app, "talk").await, ["Talk 1", "Talk 2"]);

    let earlier = with(online_event("Talk 2", &[1]), "/event/date", json!("2026-06-20"));
    assert_eq!(admin.put(&path, earlier.clone()).await.status, 200);
    assert_eq!(titles(&app, "talk").await, ["Talk 2", "Talk 1"]);

    let scheduled = with(earlier.clone(), "/event/status", json!("scheduled"));
    let scheduled = with(scheduled, "/event/publishAt", json!(timestamp(app.clock.now() + TimeDelta::minutes(10))));
    assert_eq!(admin.put(&path, scheduled).await.status, 200);
    assert_eq!(titles(&app, "talk").await, ["Talk 1"]);
    app.clock.advance(600);
    assert_eq!(titles(&app, "talk").await, ["Talk 2", "Talk 1"]);

    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(titles(&app, "talk").await, ["Talk 1"]);
    assert_eq!(admin.post(&format!("{path}/restore"), Value::Null).await.status, 200);
    assert_eq!(titles(&app, "talk").await, ["Talk 2", "Talk 1"]);

    app.write_as_another_process("UPDATE events SET status = 'hidden' WHERE id = ?1", [first]);
    assert_eq!(titles(&app, "talk").await, ["Talk 2"]);
    app.write_as_another_process(
        "UPDATE events SET status = 'published', starts_at = '2026-06-10T12:00:00Z' WHERE id = ?1",
        [first],
    );
    assert_eq!(titles(&app, "talk").await, ["Talk 1", "Talk 2"]);
}

#[tokio::test]
async fn a_word_of_many_events_finds_what_has_changed_since_the_last_search() {
    let (app, admin) = start().await;
    app.write_as_another_process(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
         INSERT INTO events (title, date, time, description, registration_url, type, starts_at)
         SELECT 'Evening ' || i, '2031-01-01', '10:00', 'd', 'https://example.com', 'Special', '2031-01-01T15:00:00Z'
         FROM n",
        [],
    );
    let count = async |query: &str| found(&app, query).await["count"].as_u64().unwrap();
    // The first save indexes all.
    let talk = add(&admin, online_event("Talk", &[1]), "2026-07-01").await;
    assert_eq!((count("evening").await, count("evening special").await), (600, 600));
    let path = format!("/api/events/{talk}");

    for (date, first) in [("2026-07-01", "An evening"), ("2032-01-01", "Evening 1")] {
        let edited = with(online_event("An evening", &[1]), "/event/date", json!(date));
        assert_eq!(admin.put(&path, edited).await.status, 200);
        assert_eq!((count("evening").await, titles_of_page(&app, "evening").await[0].as_str()), (601, first));
    }
    assert_eq!(admin.put(&path, online_event("Talk", &[1])).await.status, 200);
    assert_eq!(count("evening").await, 600);

    assert_eq!(admin.put("/api/speakers/1", speaker("Eve Evening")).await.status, 200);
    assert_eq!((count("evening").await, count("evening special").await), (601, 600));
    // Another word with the same beginning.
    let mornings = add(&admin, online_event("Evenings and mornings", &[1]), "2026-07-02").await;
    assert_eq!(count("evening").await, 602);
    assert_eq!(admin.delete(&format!("/api/events/{mornings}")).await.status, 204);
    assert_eq!(count("evening").await, 601);

    let ids: Vec<i64> = (1..=20).collect();
    let events: Vec<Value> = ids.iter().map(|id| json!({ "id": id })).collect();
    let changes = json!({ "events": events, "changes": { "status": "hidden" } });
    assert_eq!(admin.post("/api/events/bulk-edits", changes).await.status, 201);
    assert_eq!(
        (count("evening").await, titles_of_page(&app, "evening special").await[0].as_str()),
        (581, "Evening 21")
    );
    // A token of the index that is not a word of Unicode.
    assert_eq!(admin.put(&path, online_event("An evening🥂", &[1])).await.status, 200);
    assert_eq!(count("evening").await, 581);
    app.write_as_another_process("DELETE FROM events WHERE id BETWEEN 21 AND 25", []);
    assert_eq!(
        (count("evening").await, titles_of_page(&app, "evening special").await[0].as_str()),
        (576, "Evening 26")
    );
}

#[tokio::test]
async fn an_event_is_found_by_a_part_of_a_word_that_many_other_words_have() {
    let (app, admin) = start().await;
    app.write_as_another_process(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
         INSERT INTO events (title, date, time, description, registration_url, type, starts_at, status)
         SELECT printf('A%dzyqx', i), '2031-01-01', '10:00', 'd', 'https://example.com', 'Special',
             '2031-01-01T15:00:00Z', 'hidden'
         FROM n",
        [],
    );
    add(&admin, online_event("Zzyqx", &[1]), "2026-07-01").await;
    assert_eq!(titles(&app, "zyqx").await, ["Zzyqx"]);
}

#[tokio::test]
async fn an_index_that_does_not_match_its_events_is_rebuilt() {
    let (app, admin) = start().await;
    let talk = add(&admin, online_event("Talk", &[1]), "2026-07-01").await;
    app.write_as_another_process(
        "INSERT INTO search_index (search_index, rowid, text, date)
         SELECT 'delete', event_id, text, date FROM search_documents WHERE event_id = ?1",
        [talk],
    );
    assert_eq!(titles(&app, "talk").await, Vec::<String>::new());

    app.change_as_another_process(|transaction| {
        assert!(events::rebuild_index_if_wrong(transaction)?, "the index is wrong");
        assert!(!events::rebuild_index_if_wrong(transaction)?, "the index is right");
        Ok(())
    });

    assert_eq!(titles(&app, "talk").await, ["Talk"]);
    assert_index_is_complete(&app, "the rebuild");
}

#[tokio::test]
async fn an_event_of_another_program_can_be_deleted_before_it_is_indexed() {
    let (app, admin) = start().await;
    let talk = add(&admin, online_event("Talk", &[1]), "2026-07-01").await;
    for statement in [
        "INSERT INTO events (id, title, date, time, description, registration_url, type, starts_at)
         VALUES (5000, 'Talk', '2031-01-01', '10:00', 'd', 'https://example.com', 'Special', '2031-01-01T15:00:00Z')",
        "UPDATE events SET deleted_at = '2026-01-01T00:00:00Z' WHERE id = 5000",
    ] {
        app.write_as_another_process(statement, []);
    }
    assert_eq!(admin.delete(&format!("/api/events/{talk}")).await.status, 204, "purges the other as well");
    assert_eq!(app.rows("events"), 1);
}

#[test]
fn events_of_earlier_releases_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    {
        let mut connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
        db::apply_up_to(&mut connection, 16);
        connection
            .execute_batch(
                "INSERT INTO speakers (id, name, title) VALUES (1, 'Ada', 'Host');
                 INSERT INTO events (id, title, date, time, description, registration_url, type, starts_at)
                 VALUES (7, 'Café', '2031-01-01', '10:00', 'd', 'https://example.com', 'Special', '2031-01-01T15:00:00Z');
                 INSERT INTO event_speakers (event_id, speaker_id, position) VALUES (7, 1, 0);",
            )
            .unwrap();
    }
    db::migrate_file(&path).unwrap();
    let connection = db::connect(&path, BusyTimeout::CommandLine).unwrap();
    let id: i64 = query_one(
        &connection,
        "SELECT event_id FROM search_documents d JOIN search_index i ON i.rowid = d.event_id WHERE search_index MATCH 'cafe ada january'",
    );
    assert_eq!(id, 7);
}
