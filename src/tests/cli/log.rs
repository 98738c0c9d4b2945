//! `lectern log`

use serde_json::{Value, json};

use super::{EMAIL, PASSWORD, connect, create_admin, empty_folder, everything_in, folder_with_admin};
use crate::tests::support::online_event;
use crate::tests::support::program::{Server, run, succeed};

#[test]
fn changes_are_listed_one_per_line_while_the_server_runs() {
    let folder = folder_with_admin();
    let server = Server::start(folder.path(), &[]);
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    let content = |subtitle: &str| json!({ "heroTitle": "Hello", "heroSubtitle": subtitle });
    for subtitle in ["One", "One", "Two"] {
        assert_eq!(admin.put("/api/page-content/home", &content(subtitle)).status, 200);
    }
    let speaker = json!({ "name": "Grace Obi", "title": "Host", "type": "Guest" });
    assert_eq!(admin.post("/api/speakers", &speaker).status, 201);
    assert_eq!(admin.post("/api/events", &online_event("Rent rolls", &[1])).status, 201);
    for (method, path) in [("DELETE", "/api/events/1"), ("POST", "/api/events/1/restore")] {
        assert!(admin.send(method, path, None).unwrap().status < 300, "{path}");
    }
    // Endpoints remove control characters; older rows may contain some.
    connect(&folder.path().join("lectern.db"))
        .execute("UPDATE activity SET name = 'Grace ' || char(27) || '[31mObi' WHERE subject = 'speaker'", [])
        .unwrap();

    let log = succeed(folder.path(), &["log"]);

    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 7, "{log}");
    let (at, rest) = lines[0].split_at(19);
    assert!(at.starts_with("20") && at.as_bytes()[10] == b' ', "{at}");
    assert_eq!(rest, "  command line  created user 1 “ada@example.com”");
    assert!(lines[1].ends_with("  ada@example.com  changed page content “home”: heroTitle, heroSubtitle"), "{log}");
    assert!(lines[2].ends_with("  ada@example.com  changed page content “home”: heroSubtitle"), "{log}");
    assert!(lines[3].ends_with("  created speaker 1 “Grace  [31mObi”"), "control characters are removed: {log}");
    assert!(lines[5].ends_with("  ada@example.com  deleted event 1 “Rent rolls”"), "{log}");
    assert!(lines[6].ends_with("  ada@example.com  restored event 1 “Rent rolls”"), "{log}");
    assert_eq!(succeed(folder.path(), &["log", "--limit", "1"]).trim_end(), lines[6], "the latest");
    server.stop();
}

#[test]
fn the_log_can_be_read_by_a_program() {
    let folder = folder_with_admin();
    let log: Value = serde_json::from_str(&succeed(folder.path(), &["log", "--json"])).unwrap();
    let entry = &log[0];
    assert_eq!((&entry["who"], &entry["action"]), (&json!("command line"), &json!("created")));
    assert_eq!((&entry["subject"], &entry["subjectId"], &entry["name"]), (&json!("user"), &json!(1), &json!(EMAIL)));
    assert_eq!(entry["changes"][0], json!({ "field": "email", "before": null, "after": EMAIL }));
    assert_eq!(succeed(folder.path(), &["log", "--json", "--event", "1"]), "[]\n");
}

#[test]
fn a_log_without_entries_says_so() {
    let folder = folder_with_admin();
    let path = folder.path().join("lectern.db");
    connect(&path)
        .execute_batch(
            "DELETE FROM activity;
             INSERT INTO activity (at, who, action, subject, subject_id, name, before, after) VALUES
                 ('2026-03-04T05:06:07Z', 'a@b.c', 'changed', 'event', 12, 'Walk', '{\"date\":null}', '{\"date\":\"x\"}');",
        )
        .unwrap();
    let output = |arguments: &[&str]| succeed(folder.path(), &[&["log"], arguments].concat());
    let line = "2026-03-04 05:06:07  a@b.c  changed event 12 “Walk”: date\n";
    assert_eq!(output(&[]), line);
    assert_eq!(output(&["--event", "12", "--since", "2026-03-04"]), line);
    assert_eq!(output(&["--event", "13"]), "No changes of event 13 are recorded.\n");
    assert_eq!(output(&["--since", "2026-03-05"]), "No changes are recorded since 2026-03-05.\n");
    connect(&path)
        .execute_batch(
            "INSERT INTO activity (at, who, action, subject, subject_id, name, before, after) VALUES
                 ('2026-03-05T05:06:07Z', 'a', 'changed', 'event', 14, 'Walk', '{}', '{\"hidden\":\"yes\"}'),
                 ('2026-03-06T05:06:07Z', 'a', 'changed', 'event', 14, 'Walk', '{\"hidden\":\"yes\"}', '{}');",
        )
        .unwrap();
    let hidden = output(&["--event", "14"]);
    let content: Vec<&str> = hidden.lines().map(|line| line.split(": ").last().unwrap()).collect();
    assert_eq!(content, ["hidden", "shown again"]);
    let before = everything_in(folder.path());
    output(&["--event", "12"]);
    assert_eq!(everything_in(folder.path())["lectern.db"], before["lectern.db"], "reading changes nothing");
}

#[test]
fn invalid_options_and_a_missing_database_are_reported() {
    let folder = empty_folder();
    assert!(run(folder.path(), &["log"]).sentence(1).starts_with("There is no database at lectern.db;"));
    assert!(everything_in(folder.path()).is_empty());
    create_admin(folder.path(), EMAIL, PASSWORD);
    for arguments in [["log", "--since", "yesterday"], ["log", "--limit", "0"], ["log", "--event", "x"]] {
        assert!(run(folder.path(), &arguments).sentence(2).ends_with("see 'lectern log --help'."), "{arguments:?}");
    }
}
