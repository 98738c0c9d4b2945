//! `lectern serve --demo`

use std::collections::BTreeSet;

use chrono::{Days, Months, NaiveDate, Utc};
use serde_json::Value;

use super::{EMAIL, PASSWORD, connect, count, empty_folder, folder_with_admin};
use crate::platform::messages::EVENT_TYPES;
use crate::tests::support::program::{Server, run};
use crate::tests::support::{online_event, speaker};

fn events(server: &Server) -> Vec<Value> {
    server.visitor().get("/api/events").json().as_array().unwrap().clone()
}

/// The address and the password that are printed.
fn sign_in_of(server: &Server) -> (String, String) {
    assert!(server.startup_lines.is_empty(), "scripts wait for the first line: {:?}", server.startup_lines);
    let message = server.next_line();
    let rest = message.split(" as ").nth(1).unwrap_or_else(|| panic!("{message}"));
    let (email, password) = rest.split_once(" with the password ").unwrap();
    (email.to_owned(), password.to_owned())
}

#[test]
fn the_demo_has_past_and_upcoming_events_of_all_types() {
    let folder = empty_folder();
    let server = Server::start(folder.path(), &["--demo"]);
    assert!(folder.path().join("lectern-demo.db").exists(), "without --database it uses a separate file");
    assert!(!folder.path().join("lectern.db").exists());

    let events = events(&server);
    assert_eq!(events.len(), 24);
    let types: BTreeSet<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, BTreeSet::from(EVENT_TYPES));
    let today = Utc::now().date_naive();
    let dates: Vec<NaiveDate> = events.iter().map(|event| event["date"].as_str().unwrap().parse().unwrap()).collect();
    assert!(dates.iter().all(|date| *date >= today - Months::new(2) - Days::new(7)), "{dates:?}");
    assert!(dates.iter().all(|date| *date <= today + Months::new(4) + Days::new(7)), "{dates:?}");
    assert!(dates.iter().any(|date| *date < today - Days::new(30)) && dates.iter().any(|date| *date < today));
    assert!(dates.iter().any(|date| *date > today + Days::new(90)));
    for event in &events {
        let in_person = event["type"] == "In-Person Events";
        assert_eq!(event["location"].is_object(), in_person, "{event}");
        assert!(!event["speakers"].as_array().unwrap().is_empty(), "{event}");
    }

    let speakers = server.visitor().get("/api/speakers").json();
    let kinds: BTreeSet<&str> = speakers.as_array().unwrap().iter().map(|one| one["type"].as_str().unwrap()).collect();
    assert_eq!((speakers.as_array().unwrap().len(), kinds.len()), (8, 2));
    assert!(!server.visitor().get("/api/page-content/home").json()["heroTitle"].as_str().unwrap().is_empty());

    let (email, password) = sign_in_of(&server);
    assert_eq!(server.visitor().sign_in(&email, &password).get("/api/users").status, 200);
    server.stop();
}

#[test]
fn a_command_without_a_database_names_that_of_the_demo() {
    let folder = empty_folder();
    std::fs::write(folder.path().join("lectern-demo.db"), "").unwrap();
    for arguments in [&["check"][..], &["backup", "copy.db"]] {
        let finished = run(folder.path(), arguments);
        let printed = format!("{}{}", finished.out, finished.err);
        let help =
            "database at lectern.db; that of the demo is lectern-demo.db: name it with --database lectern-demo.db";
        assert!(printed.contains(help), "{printed}");
    }
}

#[test]
fn a_second_start_does_not_fill_it_again() {
    let folder = empty_folder();
    let server = Server::start(folder.path(), &["--demo"]);
    let (email, password) = sign_in_of(&server);
    let mut admin = server.visitor().sign_in(&email, &password);
    let gone = events(&server)[0]["id"].as_i64().unwrap();
    assert_eq!(admin.send("DELETE", &format!("/api/events/{gone}"), None).unwrap().status, 204);
    server.stop();

    let server = Server::start(folder.path(), &["--demo"]);
    assert_eq!(events(&server).len(), 23);
    assert_eq!(sign_in_of(&server), (email, password), "the sign-in is printed again");
    let speakers = server.visitor().get("/api/speakers").json();
    assert_eq!(speakers.as_array().unwrap().len(), 8);
}

#[test]
fn a_database_with_events_is_never_changed() {
    let folder = folder_with_admin();
    let server = Server::start(folder.path(), &[]);
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    let grace = admin.post("/api/speakers", &speaker("Grace Obi")).created_id();
    admin.post("/api/events", &online_event("Our own", &[grace])).created_id();
    server.stop();

    let server = Server::start(folder.path(), &["--demo", "--database", "lectern.db"]);
    assert_eq!(server.next_line(), "The database already has events, so no demo data was added.");
    assert_eq!(events(&server).len(), 1);
    server.stop();
    let path = folder.path().join("lectern.db");
    assert_eq!((count(&path, "speakers"), count(&path, "users"), count(&path, "page_content")), (1, 1, 0));

    // Visitors see neither a deleted event nor a hidden one. One that was deleted long ago would be purged.
    let now = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
    for column in ["deleted_at", "hidden_at"] {
        let status = if column == "hidden_at" { "hidden" } else { "published" };
        let sql =
            format!("UPDATE events SET status = '{status}', deleted_at = NULL, hidden_at = NULL, {column} = {now}");
        connect(&path).execute(&sql, []).unwrap();
        let server = Server::start(folder.path(), &["--demo", "--database", "lectern.db"]);
        assert_eq!(server.next_line(), "The database already has events, so no demo data was added.", "{column}");
        assert_eq!(events(&server).len(), 0, "{column}");
        server.stop();
    }
}

#[test]
fn a_named_database_without_events_is_filled() {
    let folder = folder_with_admin();
    let server = Server::start(folder.path(), &["--demo", "--database", "lectern.db"]);
    assert_eq!(events(&server).len(), 24);
    server.visitor().sign_in(EMAIL, PASSWORD);
    assert!(!folder.path().join("lectern-demo.db").exists());
}
