//! The portal's list: pages of all events, with search, filters and orders.

use serde_json::{Value, json};

use crate::tests::support::{Client, TestApp, in_person_event, online_event, with};

struct Portal {
    app: TestApp,
    admin: Client,
}

impl Portal {
    async fn start() -> Self {
        let app = TestApp::start();
        let admin = app.sign_in_admin().await;
        Self { app, admin }
    }

    /// Creates an online event with changes of its fields.
    async fn event(&self, title: &str, fields: &[(&str, Value)]) -> i64 {
        let speaker = self.app.a_speaker(&self.admin).await;
        let input = fields.iter().fold(online_event(title, &[speaker]), |input, (field, value)| {
            with(input, &format!("/event/{field}"), value.clone())
        });
        self.admin.post("/api/events", input).await.created_id()
    }

    async fn page(&self, query: &str) -> Value {
        let response = self.admin.get(&format!("/api/events/portal?{query}")).await;
        assert_eq!(response.header("cache-control"), "no-store");
        response.json()
    }

    async fn titles(&self, query: &str) -> Vec<String> {
        titles(&self.page(query).await["events"])
    }
}

fn titles(events: &Value) -> Vec<String> {
    events.as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap().to_owned()).collect()
}

fn on(date: &str) -> [(&'static str, Value); 1] {
    [("date", json!(date))]
}

#[tokio::test]
async fn the_list_has_six_events_a_page_and_ends_with_the_past() {
    let portal = Portal::start().await;
    for (title, date) in [
        ("last year", "2025-03-01"),
        ("yesterday", "2026-01-01"),
        ("fourth", "2031-04-01"),
        ("first", "2031-01-01"),
        ("second", "2031-02-01"),
        ("third", "2031-03-01"),
    ] {
        portal.event(title, &on(date)).await;
    }
    let draft = json!({ "event": { "title": "undated", "status": "draft" } });
    portal.admin.post("/api/events", draft).await.created_id();

    let first = portal.page("").await;

    assert_eq!((&first["count"], &first["page"], &first["hasEvents"]), (&json!(7), &json!(1), &json!(true)));
    assert_eq!(titles(&first["events"]), ["undated", "first", "second", "third", "fourth", "yesterday"]);
    let months = portal.admin.get("/api/events/months").await.json();
    assert_eq!(months, json!(["2025-03", "2026-01", "2031-01", "2031-02", "2031-03", "2031-04"]));
    assert_eq!(first["statuses"], json!(["draft"]));
    assert_eq!(first.get("isFound"), None);
    assert_eq!(portal.titles("page=2").await, ["last year"]);
    assert_eq!(portal.titles("page=2&size=5").await, ["yesterday", "last year"]);
    let beyond = portal.page("page=99").await;
    assert_eq!((&beyond["page"], titles(&beyond["events"])), (&json!(2), vec!["last year".to_owned()]));
}

#[tokio::test]
async fn the_count_follows_deletions_and_restorations() {
    let portal = Portal::start().await;
    assert_eq!(portal.page("").await["hasEvents"], json!(false));
    let (one, other) = (portal.event("one", &[]).await, portal.event("other", &[]).await);
    portal.admin.delete(&format!("/api/events/{one}")).await;
    assert_eq!(portal.page("").await["count"], 1);
    assert_eq!(portal.titles("").await, ["other"]);
    portal.admin.delete(&format!("/api/events/{other}")).await;
    assert_eq!(portal.page("").await["hasEvents"], json!(false));
    portal.admin.post(&format!("/api/events/{one}/restore"), Value::Null).await;
    assert_eq!(portal.page("").await["count"], 1);
    portal.app.write_as_another_process("DELETE FROM events WHERE id = ?1", [one]);
    assert_eq!(portal.page("").await["count"], 0);
}

#[tokio::test]
async fn the_list_is_filtered_by_type_status_and_month() {
    let portal = Portal::start().await;
    portal.event("special", &[("type", json!("Special")), ("date", json!("2031-05-31"))]).await;
    portal.event("hidden", &[("status", json!("hidden")), ("date", json!("2031-06-01"))]).await;
    let soon = [("status", json!("scheduled")), ("publishAt", json!("2030-01-01T12:00:00Z"))];
    portal.event("scheduled", &soon).await;
    portal.event("cancelled", &[("status", json!("cancelled"))]).await;
    portal.event("past", &on("2020-01-01")).await;
    portal.event("Auckland", &[("date", json!("2031-06-01")), ("timezone", json!("Pacific/Auckland"))]).await;

    let undated = json!({ "event": { "title": "undated", "status": "draft" } });
    portal.admin.post("/api/events", undated).await.created_id();

    assert_eq!(portal.page("").await["statuses"], json!(["draft", "scheduled", "hidden", "cancelled"]));
    for (query, expected) in [
        ("type=Special", vec!["special"]),
        ("when=hidden", vec!["hidden"]),
        ("when=scheduled", vec!["scheduled"]),
        ("when=cancelled", vec!["cancelled"]),
        ("when=draft", vec!["undated"]),
        ("when=past", vec!["past"]),
        ("when=past&sort=earliest", vec!["past"]),
        ("month=2031-05", vec!["special"]),
        ("month=2031-06", vec!["Auckland", "hidden"]),
        ("month=2031-06&when=hidden", vec!["hidden"]),
        ("month=2031-06&q=auckland", vec!["Auckland"]),
        ("month=2031-05&q=auckland", vec![]),
        ("month=2031-06&q=hiden", vec!["hidden"]),
        ("month=2031-06&q=special", vec![]),
        ("month=1970-01&q=undated", vec![]),
    ] {
        assert_eq!(portal.titles(query).await, expected, "{query}");
    }
    for month in ["2031-6", "-262143-01", "%2B262142-12", "2031-13", "june"] {
        let wrong = portal.admin.get(&format!("/api/events/portal?month={month}&q=a")).await;
        assert_eq!((wrong.status.as_u16(), wrong.field("month").as_str()), (400, "Month must be year-month"));
    }
    let upcoming = portal.page("when=upcoming").await;
    assert_eq!(upcoming["count"], 6);
    assert_eq!(upcoming["hasInPerson"], json!(false));
    portal.app.an_in_person_event(&portal.admin).await;
    assert_eq!(portal.page("when=upcoming").await["hasInPerson"], json!(true));
    assert_eq!(portal.page("when=past").await["hasInPerson"], json!(false));
}

#[tokio::test]
async fn a_search_finds_similar_words_when_only_a_deleted_event_has_the_words_themselves() {
    let portal = Portal::start().await;
    let (pillar, pine) = (portal.event("Pillar", &[]).await, portal.event("Pine", &[]).await);
    portal.event("Pilar", &[]).await;
    portal.event("Pint", &[]).await;
    assert_eq!(portal.titles("q=pillar").await, ["Pillar"]);
    assert_eq!(portal.titles("q=pine").await, ["Pine"]);
    for id in [pillar, pine] {
        portal.admin.delete(&format!("/api/events/{id}")).await;
    }
    assert_eq!(portal.titles("q=pillar").await, ["Pilar"]);
    assert_eq!(portal.titles("q=pine").await, ["Pint"]);
}

#[tokio::test]
async fn a_scheduled_event_is_listed_as_published_from_its_time_on() {
    let portal = Portal::start().await;
    let id = portal.event("due", &[("status", json!("scheduled")), ("publishAt", json!("2030-01-01T12:00:00Z"))]).await;
    portal.app.write_as_another_process("UPDATE events SET publish_at = '2026-01-01T00:00:00Z' WHERE id = ?1", [id]);
    assert_eq!(portal.page("").await["statuses"], json!([]));
    assert_eq!(portal.titles("when=scheduled").await, Vec::<String>::new());
    assert_eq!(portal.page("").await["events"][0].get("status"), None);
}

#[tokio::test]
async fn the_list_is_searched_as_the_public_site_is() {
    let portal = Portal::start().await;
    portal.event("Rent rolls", &on("2031-12-01")).await;
    portal.event("Später lernen", &[("status", json!("hidden")), ("series", json!("Tax Tuesdays"))]).await;
    let speaker = portal.app.a_speaker(&portal.admin).await;
    portal.admin.post("/api/events", in_person_event("River walk", &[speaker])).await.created_id();

    for (query, expected) in [
        ("q=RENT", vec!["Rent rolls"]),
        ("q=rolls+rent", vec!["Rent rolls"]),
        ("q=olls", vec!["Rent rolls"]),
        ("q=dec+1", vec!["Rent rolls"]),
        ("q=2031-12", vec!["Rent rolls"]),
        ("q=spater", vec!["Später lernen"]),
        ("q=tuesdays", vec!["Später lernen"]),
        ("q=denver", vec!["River walk"]),
        ("q=denvre", vec!["River walk"]),
        ("q=rent+denver", vec![]),
        ("q=spater&when=hidden", vec!["Später lernen"]),
        ("q=spater&when=past", vec![]),
        ("q=%22", vec!["Später lernen", "River walk", "Rent rolls"]),
    ] {
        let mut found = portal.titles(query).await;
        let mut expected = expected;
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{query}");
    }
}

#[tokio::test]
async fn the_list_is_sorted() {
    let portal = Portal::start().await;
    let second = portal.event("Session 10", &on("2031-02-01")).await;
    portal.event("session 2", &on("2031-01-01")).await;
    portal.event("Past", &on("2020-01-01")).await;
    portal
        .app
        .write_as_another_process("UPDATE events SET updated_at = '2030-01-01T00:00:00Z' WHERE id = ?1", [second]);
    for (sort, expected) in [
        ("upcoming", ["session 2", "Session 10", "Past"]),
        ("earliest", ["Past", "session 2", "Session 10"]),
        ("latest", ["Session 10", "session 2", "Past"]),
        ("title", ["Past", "session 2", "Session 10"]),
    ] {
        assert_eq!(portal.titles(&format!("sort={sort}")).await, expected, "{sort}");
        let pages = [
            portal.titles(&format!("sort={sort}&size=2")).await,
            portal.titles(&format!("sort={sort}&size=2&page=2")).await,
        ];
        assert_eq!(pages.concat(), expected, "{sort}, by page");
    }
    assert_eq!(portal.titles("sort=changed&size=1").await, ["Session 10"]);
    assert_eq!(portal.titles("sort=title&when=past").await, ["Past"]);
    assert_eq!(portal.titles("sort=title&when=upcoming").await, ["session 2", "Session 10"]);
    let speaker = portal.app.a_speaker(&portal.admin).await;
    assert_eq!(
        portal.admin.put(&format!("/api/events/{second}"), online_event("Évening", &[speaker])).await.status,
        200
    );
    assert_eq!(portal.titles("sort=title").await, ["Évening", "Past", "session 2"]);
}

#[tokio::test]
async fn an_event_is_found_on_its_page() {
    let portal = Portal::start().await;
    let mut ids = Vec::new();
    for month in 1..=9 {
        ids.push(portal.event(&format!("Month {month}"), &on(&format!("2031-{month:02}-01"))).await);
    }
    for (query, page) in [("", 2), ("sort=latest&", 1), ("size=3&", 3), ("when=upcoming&", 2)] {
        let found = portal.page(&format!("{query}event={}", ids[8])).await;
        assert_eq!((&found["page"], &found["isFound"]), (&json!(page), &json!(true)), "{query}");
        assert!(titles(&found["events"]).contains(&"Month 9".to_owned()), "{query}");
    }
    for query in [format!("when=past&event={}", ids[8]), "event=99".to_owned()] {
        assert_eq!(portal.page(&query).await["isFound"], json!(false), "{query}");
    }
}

#[tokio::test]
async fn matches_and_events_by_id_are_of_every_status() {
    let portal = Portal::start().await;
    let series = [("series", json!("Tax Tuesdays")), ("status", json!("hidden"))];
    let (hidden, public) = (portal.event("hidden", &series).await, portal.event("public", &on("2031-05-01")).await);
    let deleted = portal.event("deleted", &[]).await;
    portal.admin.delete(&format!("/api/events/{deleted}")).await;

    let mut matches = portal.admin.get("/api/events/portal/matches").await.json();
    let matches = matches.as_array_mut().unwrap();
    matches.sort_by_key(|one| one["id"].as_i64());
    assert_eq!(matches.len(), 2);
    assert_eq!((&matches[0]["id"], &matches[0]["series"]), (&json!(hidden), &json!("Tax Tuesdays")));
    assert_eq!(matches[1], json!({ "id": public, "date": "2031-05-01", "series": null }));
    assert_eq!(portal.admin.get("/api/events/portal/matches?when=hidden").await.json().as_array().unwrap().len(), 1);

    let path = format!("/api/events/portal/events?ids={public},{deleted},{hidden},99");
    assert_eq!(titles(&portal.admin.get(&path).await.json()), ["public", "hidden"]);
    assert_eq!(portal.admin.get("/api/events/portal/events?ids=").await.json(), json!([]));
    let error = portal.admin.get("/api/events/portal/events?ids=1,x").await;
    assert_eq!(error.field("ids"), "Ids must be numbers with commas between them, at most 200");
    assert_eq!(portal.admin.get("/api/events/series").await.json(), json!(["Tax Tuesdays"]));
}

#[tokio::test]
async fn overlaps_are_events_of_the_same_speakers_at_the_same_time() {
    let portal = Portal::start().await;
    let [ada, ben] = [portal.app.a_speaker(&portal.admin).await, portal.app.a_speaker(&portal.admin).await];
    let at = |title: &str, speaker: i64, time: &str, status: &str| {
        let input = with(online_event(title, &[speaker]), "/event/time", json!(time));
        let input = with(input, "/event/date", json!("2031-03-12"));
        with(with(input, "/event/timezone", json!("Etc/UTC")), "/event/status", json!(status))
    };
    for input in [
        at("before", ada, "18:00", "published"),
        at("same time", ada, "19:30", "published"),
        at("draft", ada, "19:00", "draft"),
        at("hidden", ada, "19:00", "hidden"),
        at("cancelled", ada, "19:00", "cancelled"),
        at("other speaker", ben, "19:00", "published"),
        at("after", ada, "20:00", "published"),
    ] {
        portal.admin.post("/api/events", input).await.created_id();
    }

    let path = format!("/api/events/overlaps?startsAt=2031-03-12T19:00:00Z&minutes=60&speakers={ada}");

    assert_eq!(titles(&portal.admin.get(&path).await.json()), ["draft", "same time"]);
    let wrong = portal.admin.get("/api/events/overlaps?startsAt=soon&minutes=9999&speakers=1").await;
    assert_eq!(wrong.field("startsAt"), "Start must be a time such as 2031-03-12T23:00:00Z");
    assert_eq!(wrong.field("minutes"), "Minutes must be at most 2880");
}

#[tokio::test]
async fn visitors_cannot_read_the_list() {
    let portal = Portal::start().await;
    for path in ["portal", "portal/matches", "portal/events?ids=1", "overlaps", "months", "series"] {
        assert_eq!(portal.app.visitor().get(&format!("/api/events/{path}")).await.status, 401, "{path}");
    }
    let wrong = portal.admin.get("/api/events/portal?type=Party&month=soon").await;
    assert_eq!(wrong.status, 400);
    assert_eq!(wrong.field("month"), "Month must be year-month");
    assert!(!wrong.field("type").is_empty());
    assert_eq!(portal.admin.get("/api/events/portal?sort=color").await.status, 400);
}
