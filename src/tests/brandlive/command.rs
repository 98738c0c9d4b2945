//! `lectern sync-brandlive`, run as the real program.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::Sender;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::platform::db::{self, BusyTimeout};
use crate::tests::support::fake_brandlive::{FakeBrandlive, FakeResponse, KEY, SECRET, item, items, pages};
use crate::tests::support::program::{Server, command, run, succeed};
use crate::tests::support::terminal::on_a_terminal;
use crate::tests::support::with;

fn folder_for(fake: &FakeBrandlive) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), fake.toml("")).unwrap();
    folder
}

fn rows(folder: &Path, table: &str) -> i64 {
    let connection = db::connect(&folder.join("lectern.db"), BusyTimeout::CommandLine).unwrap();
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

#[test]
fn a_sync_creates_events_and_prints_the_counts() {
    let fake = FakeBrandlive::listing(items(3));
    let folder = folder_for(&fake);
    assert_eq!(succeed(folder.path(), &["sync-brandlive"]), "3 created, 0 updated, 0 unchanged\n");
    assert_eq!(succeed(folder.path(), &["sync-brandlive"]), "0 created, 0 updated, 3 unchanged\n");
    assert_eq!(rows(folder.path(), "events"), 3);
    let mut news = items(3);
    news[0] = with(news[0].clone(), "/name", json!("New title"));
    fake.set_items(news);
    let report: Value = serde_json::from_str(&succeed(folder.path(), &["sync-brandlive", "--json"])).unwrap();
    assert_eq!(report["message"], "0 created, 1 updated, 2 unchanged");
    let expected = json!([{ "action": "updated", "id": "id-0", "title": "New title",
        "fields": [{ "field": "title", "before": "Webinar 0", "after": "New title" }] }]);
    assert_eq!(report["changes"], expected);
}

#[test]
fn an_error_names_its_cause() {
    let fake = FakeBrandlive::listing(items(1));
    let folder = folder_for(&fake);
    succeed(folder.path(), &["sync-brandlive"]);
    let connection = db::connect(&folder.path().join("lectern.db"), BusyTimeout::CommandLine).unwrap();
    connection.execute_batch("ALTER TABLE sync_records RENAME TO renamed").unwrap();
    drop(connection);
    let failed = run(folder.path(), &["sync-brandlive"]);
    assert_ne!(failed.code, Some(0));
    assert!(failed.err.contains("no such table"), "{}", failed.err);
}

/// The lines that stay visible of what was written to a terminal.
fn visible_lines(written: &str) -> String {
    let lines = written.split("\r\n").map(|line| line.rsplit("\r\x1b[K").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_terminal_shows_the_progress_and_finally_only_the_message() {
    let fake = FakeBrandlive::new(pages(items(150), 100));
    let folder = folder_for(&fake);
    let (code, written) = on_a_terminal(command(folder.path(), &["sync-brandlive"]), None);
    assert_eq!(code, Some(0), "{written}");
    let steps: Vec<&str> = written.split("\r\x1b[K").skip(1).collect();
    assert_eq!(steps[..2], ["Fetching: 100 events", "Fetching: 150 events"], "{written:?}");
    let (message, storing) = steps[2..].split_last().unwrap();
    assert_eq!(storing.last(), Some(&"Storing [==============================] 150 of 150"), "{written:?}");
    assert!(storing.iter().all(|step| step.starts_with("Storing [") && step.len() < 80), "{written:?}");
    assert_eq!(*message, "150 created, 0 updated, 0 unchanged\r\n");
    assert_eq!(visible_lines(&written), "150 created, 0 updated, 0 unchanged\n");

    fake.respond_with(move |request, number| match request.parameter("page").as_str() {
        "2" => FakeResponse::Raw(401, vec![], vec![]),
        _ => pages(items(150), 100)(request, number),
    });
    let (code, written) = on_a_terminal(command(folder.path(), &["sync-brandlive"]), None);
    assert!(written.contains("Fetching: 100 events"), "{written:?}");
    let sentence = "lectern: Brandlive rejects the key (401); check api_key, api_secret and [brandlive.credentials]; the \
                    pages before it are synced and no event is hidden.\n0 created, 0 updated, 100 unchanged\n";
    assert_eq!((code, visible_lines(&written).as_str()), (Some(1), sentence));
    fake.respond_with(|_, _| FakeResponse::Raw(401, vec![], vec![]));
    let (code, written) = on_a_terminal(command(folder.path(), &["sync-brandlive"]), None);
    let sentence = "lectern: Brandlive rejects the key (401); check api_key, api_secret and [brandlive.credentials].\n";
    assert_eq!((code, visible_lines(&written).as_str()), (Some(2), sentence));
}

#[test]
fn without_a_terminal_or_with_json_no_progress_is_printed() {
    let fake = FakeBrandlive::listing(items(3));
    let folder = folder_for(&fake);
    // As in `lectern sync-brandlive 2>sync.log`.
    let log = folder.path().join("sync.log");
    let stderr = std::fs::File::create(&log).unwrap();
    let (code, written) = on_a_terminal(command(folder.path(), &["sync-brandlive"]), Some(stderr));
    assert_eq!((code, written.as_str()), (Some(0), "3 created, 0 updated, 0 unchanged\r\n"));
    assert_eq!(std::fs::read_to_string(log).unwrap(), "");
    // As from cron.
    let ran = run(folder.path(), &["sync-brandlive"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("0 created, 0 updated, 3 unchanged\n", ""));
    let (code, written) = on_a_terminal(command(folder.path(), &["sync-brandlive", "--json"]), None);
    let report: Value = serde_json::from_str(&written).unwrap();
    assert_eq!((code, &report["message"]), (Some(0), &json!("0 created, 0 updated, 3 unchanged")));
}

#[test]
fn a_dry_run_prints_the_changes_and_writes_nothing() {
    let fake = FakeBrandlive::listing(items(2));
    let folder = folder_for(&fake);
    let without_database = succeed(folder.path(), &["sync-brandlive", "--dry-run"]);
    assert!(!folder.path().join("lectern.db").exists(), "nothing is written");
    // An empty file is a database that does not exist yet.
    std::fs::write(folder.path().join("lectern.db"), "").unwrap();
    assert_eq!(succeed(folder.path(), &["sync-brandlive", "--dry-run"]), without_database);
    assert_eq!(std::fs::metadata(folder.path().join("lectern.db")).unwrap().len(), 0, "nothing is written");
    succeed(folder.path(), &["migrate"]);
    let text = succeed(folder.path(), &["sync-brandlive", "--dry-run"]);
    assert!(
        text.contains("id-0 would be created: Webinar 0\n    title: \"Webinar 0\"\n    date: \"2031-03-12\"\n"),
        "{text}"
    );
    assert!(text.ends_with("2 created, 0 updated, 0 unchanged (nothing was written)\n"), "{text}");
    assert_eq!(without_database, text);
    assert_eq!((rows(folder.path(), "events"), rows(folder.path(), "sync_runs")), (0, 0));
    succeed(folder.path(), &["sync-brandlive"]);
    fake.set_items(vec![item("id-0", "Other"), item("id-1", "Webinar 1")]);
    let text = succeed(folder.path(), &["sync-brandlive", "--dry-run"]);
    assert!(text.contains("id-0 would be updated: Other\n    title: \"Webinar 0\" -> \"Other\"\n"), "{text}");
}

#[test]
fn a_probe_shows_keys_and_types_but_no_secret() {
    let mut listed = item("a", "A title that is far too long to be shown whole");
    listed["stream_key"] = json!("very-hidden");
    listed["note"] = json!(format!("sent with {KEY}"));
    listed["link"] = json!("https://x.example/?token=very-hidden");
    listed["hosts"] = json!([{ "name": "Ada" }]);
    let fake = FakeBrandlive::listing(vec![listed]);
    let folder = folder_for(&fake);
    let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
    assert!(text.contains("The list is at \"/data\"; the 1 items of its first page contain"), "{text}");
    assert!(text.lines().any(|line| line.contains("/uuid") && line.ends_with("a   <- id")), "{text}");
    assert!(text.contains("/hosts/*/name") && text.contains("/meta/page") && text.contains("number"), "{text}");
    assert!(
        !text.contains("whole") && !text.contains("very-hidden") && !text.contains(KEY) && !text.contains(SECRET),
        "{text}"
    );
    assert!(!folder.path().join("lectern.db").exists(), "nothing is written");
    let probe: Value = serde_json::from_str(&succeed(folder.path(), &["sync-brandlive", "--probe", "--json"])).unwrap();
    assert_eq!((&probe["list"], &probe["items"]), (&json!("/data"), &json!(1)));
    let beside: Vec<_> = probe["outside"].as_array().unwrap().iter().map(|key| &key["pointer"]).collect();
    assert_eq!(beside, ["/meta/page"], "the list is not beside itself");
    let id = probe["inside"].as_array().unwrap().iter().find(|key| key["pointer"] == "/uuid").unwrap();
    assert_eq!(id["readAs"], "id");
}

/// The credentials in every form in which a request contains them, and what is left of those that are cut off.
fn sent_forms() -> Vec<String> {
    let forms = [KEY, SECRET, &format!("{KEY}:{SECRET}")].map(|text| [text.to_owned(), STANDARD.encode(text)]);
    let forms = forms.into_iter().flatten();
    forms.flat_map(|form| [form[..8].to_owned(), form]).collect()
}

#[test]
fn no_output_shows_credentials_that_the_provider_repeats() {
    let fake = FakeBrandlive::new(|request, _| {
        let sent = request.header("authorization");
        let mut list: Vec<Value> = items(12);
        list[0]["tok"] = json!(sent);
        list[1]["cut"] = json!(format!("a word or two before {KEY}:{SECRET}"));
        list[2]["alone"] = json!(STANDARD.encode(SECRET));
        list[3][format!("x-{KEY}")] = json!(1);
        list[4]["status"] = json!(sent);
        list[5]["status"] = json!(format!("a status of almost 40 letters {KEY}:{SECRET}"));
        list[6]["uuid"] = json!(null);
        list[6]["name"] = json!(format!("A title that is shortened after sixty letters at most {KEY}:{SECRET}"));
        list[7]["uuid"] = json!(format!("{}{KEY}{}", "i".repeat(32), "d".repeat(300)));
        list[8]["name"] = json!(format!("A title with {sent}"));
        list[8]["description"] = json!(format!("{}{SECRET}", "text ".repeat(13)));
        list[9]["timezone"] = json!(sent);
        let list = if request.parameter("page") == "1" { list } else { Vec::new() };
        FakeResponse::Json(json!({ "data": list, "echo": sent, "total": sent }))
    });
    let folder = tempfile::tempdir().unwrap();
    for mode in ["basic", "basic_plain"] {
        let config = fake.toml(&format!("[brandlive.credentials]\nmode = \"{mode}\""));
        std::fs::write(folder.path().join("config.toml"), config).unwrap();
        let commands: [&[&str]; 6] = [
            &["sync-brandlive", "--probe"],
            &["sync-brandlive", "--probe", "--json"],
            &["sync-brandlive", "--dry-run"],
            &["sync-brandlive", "--dry-run", "--json"],
            &["sync-brandlive"],
            &["sync-brandlive", "--json"],
        ];
        for arguments in commands {
            let ran = run(folder.path(), arguments);
            assert!(ran.out.contains("[hidden]") || ran.err.contains("[hidden]"), "{arguments:?}: {ran:?}");
            for form in sent_forms() {
                assert!(!ran.out.contains(&form) && !ran.err.contains(&form), "{form} in {arguments:?}: {ran:?}");
            }
        }
        let failed = run(folder.path(), &["sync-brandlive"]).err;
        assert!(failed.contains("id-4: its status \"Basic [hidden]"), "{failed}");
    }
}

#[test]
fn a_token_is_not_shown_either() {
    let fake = FakeBrandlive::new(|request, _| {
        if request.method == "POST" {
            return FakeResponse::Json(json!({ "access_token": "t0ken-of-the-day" }));
        }
        let mut list = items(2);
        list[0]["echo"] = json!(request.header("authorization"));
        list[1]["status"] = json!(request.header("authorization"));
        FakeResponse::Json(json!({ "data": list }))
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), fake.toml("[brandlive.credentials]\nmode = \"token\"")).unwrap();
    for arguments in [&["sync-brandlive"][..], &["sync-brandlive", "--probe"]] {
        let ran = run(folder.path(), arguments);
        let shown = format!("{}{}", ran.out, ran.err);
        assert!(shown.contains("[hidden]") && !shown.contains("t0ken-of"), "{shown}");
    }
}

#[test]
fn a_probe_tries_the_other_basic_mode_if_the_body_reports_an_error() {
    let refusals = [
        json!({ "success": false, "error": "unauthorized" }),
        json!({ "message": "Invalid key" }),
        json!({ "data": [], "error": { "code": 401 } }),
    ];
    for (accepted, refusal) in
        ["basic", "basic_plain"].into_iter().flat_map(|mode| refusals.iter().map(move |body| (mode, body.clone())))
    {
        let pair = format!("{KEY}:{SECRET}");
        let sent = if accepted == "basic" { STANDARD.encode(&pair) } else { pair };
        let body = refusal.clone();
        let fake = FakeBrandlive::new(move |request, _| {
            let is_accepted = request.header("authorization") == format!("Basic {sent}");
            FakeResponse::Json(if is_accepted { json!({ "data": items(1) }) } else { body.clone() })
        });
        let folder = tempfile::tempdir().unwrap();
        for configured in ["basic", "basic_plain"] {
            let config = fake.toml(&format!("[brandlive.credentials]\nmode = \"{configured}\""));
            std::fs::write(folder.path().join("config.toml"), config).unwrap();
            let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
            let first = format!("Brandlive accepted the key with mode = \"{accepted}\" under");
            assert!(text.starts_with(&first) && text.contains("<- title"), "{configured} {refusal}: {text}");
        }
        // With an error in both modes, none was accepted, and its structure is shown.
        fake.respond_with(move |_, _| FakeResponse::Json(refusal.clone()));
        let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
        assert!(text.starts_with("Outside of the list the response contains"), "{text}");
        assert_eq!(fake.requests().len(), 2);
    }
}

#[test]
fn a_probe_points_at_paging_in_headers() {
    let fake = FakeBrandlive::new(|_, _| {
        let headers = vec![
            ("Link", "</v1/events?page=2&signature=very-hidden>; rel=\"next\"".to_owned()),
            ("X-Total-Count", "25".to_owned()),
        ];
        FakeResponse::Raw(200, headers, json!(items(1)).to_string().into_bytes())
    });
    let folder = folder_for(&fake);
    let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
    let has =
        |begin: &str, end: &str| text.lines().any(|line| line.trim_start().starts_with(begin) && line.ends_with(end));
    assert!(has("header Link, rel=\"next\"", "/v1/events   <- paging.next, if mode is \"next\""), "{text}");
    assert!(has("header X-Total-Count", "25   <- paging.total"), "{text}");
    assert!(!text.contains("very-hidden"), "{text}");
    let config = fake.toml("[brandlive.paging]\nmode = \"next\"\ntotal = []");
    std::fs::write(folder.path().join("config.toml"), config).unwrap();
    let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
    assert!(text.lines().any(|line| line.contains("header Link") && line.ends_with("<- paging.next")), "{text}");
    assert!(text.lines().any(|line| line.contains("header X-Total-Count") && line.ends_with("25")), "{text}");
}

#[test]
fn the_exit_code_tells_success_failed_items_and_provider_errors_apart() {
    let empty = tempfile::tempdir().unwrap();
    let text = run(empty.path(), &["sync-brandlive"]).sentence(2);
    assert!(text.starts_with("Brandlive is not configured: set api_key"), "{text}");

    let fake = FakeBrandlive::listing(vec![item("a", "One"), with(item("b", "Two"), "/start_date", json!("soon"))]);
    let folder = folder_for(&fake);
    let ran = run(folder.path(), &["sync-brandlive"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "1 created, 0 updated, 0 unchanged, 1 failed\n"));
    assert_eq!(ran.err, "lectern: b: its start can't be read; see [brandlive.times].\n");

    fake.respond_with(|_, _| FakeResponse::Raw(401, vec![], vec![]));
    for arguments in [&["sync-brandlive"][..], &["sync-brandlive", "--dry-run"], &["sync-brandlive", "--probe"]] {
        let text = run(folder.path(), arguments).sentence(2);
        assert_eq!(text, "Brandlive rejects the key (401); check api_key, api_secret and [brandlive.credentials].");
    }
    fake.set_items(Vec::new());
    assert!(run(folder.path(), &["sync-brandlive"]).sentence(2).contains("lists no events at all"));
}

/// A folder in which a sync is running, whose provider responds as soon as the sender is dropped.
fn with_running_sync() -> (FakeBrandlive, Sender<()>, TempDir, Child) {
    let (fake, hold) = FakeBrandlive::listing_later(items(2));
    let folder = folder_for(&fake);
    succeed(folder.path(), &["migrate"]);
    let sync = command(folder.path(), &["sync-brandlive"]).spawn().unwrap();
    while fake.requests().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    (fake, hold, folder, sync)
}

#[test]
fn a_sync_in_another_process_has_the_lock_until_it_ends_or_is_killed() {
    let (_fake, hold, folder, mut first) = with_running_sync();
    assert_eq!(run(folder.path(), &["sync-brandlive"]).sentence(75), "Another Brandlive sync is running.");
    first.kill().unwrap();
    first.wait().unwrap();
    drop(hold);
    assert_eq!(succeed(folder.path(), &["sync-brandlive"]), "2 created, 0 updated, 0 unchanged\n");
}

#[test]
fn a_failure_is_json_too() {
    let json_of = |folder: &Path, arguments: &[&str], code: i32| -> Value {
        let ran = run(folder, arguments);
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(json["exitCode"], code);
        assert!(ran.err.contains(json["error"].as_str().unwrap().trim_end_matches('.')), "{}", ran.err);
        json
    };
    let empty = tempfile::tempdir().unwrap();
    json_of(empty.path(), &["sync-brandlive", "--json"], 2);
    let fake = FakeBrandlive::new(|_, _| FakeResponse::Raw(401, vec![], vec![]));
    let folder = folder_for(&fake);
    for arguments in [&["sync-brandlive", "--json"][..], &["sync-brandlive", "--probe", "--json"]] {
        let json = json_of(folder.path(), arguments, 2);
        assert!(json["error"].as_str().unwrap().starts_with("Brandlive rejects the key (401)"), "{json}");
    }
    assert!(!folder.path().join("lectern.db.sync.lock").exists() || rows(folder.path(), "events") == 0);
    // Before the command runs: on the command line and in the configuration.
    json_of(folder.path(), &["sync-brandlive", "--json", "--no-such-flag"], 2);
    json_of(folder.path(), &["--config", "missing.toml", "sync-brandlive", "--json"], 2);
    std::fs::write(folder.path().join("config.toml"), "[brandlive]\nsecret = 1\n").unwrap();
    let json = json_of(folder.path(), &["sync-brandlive", "--json"], 2);
    assert!(json["error"].as_str().unwrap().contains("line 2: brandlive.secret: unknown setting"), "{json}");
    assert_eq!(run(folder.path(), &["log", "--json"]).out, "", "other commands print errors on stderr only");
}

#[test]
fn notes_are_printed_on_stderr_only_if_something_is_wrong() {
    // A full page and a 404: the list may have another page.
    let fake = FakeBrandlive::new(|request, _| match request.parameter("page").as_str() {
        "1" => FakeResponse::Json(json!({ "data": items(2) })),
        _ => FakeResponse::Raw(404, vec![], vec![]),
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), fake.toml("[brandlive.paging]\nsize = 2")).unwrap();
    let ran = run(folder.path(), &["sync-brandlive"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let note = "Whether the list is complete is uncertain, so no missing event is hidden.\n";
    assert_eq!(ran.out, format!("{note}2 created, 0 updated, 0 unchanged\n"));
}

#[test]
fn pending_removals_exit_with_1_until_they_are_accepted() {
    let fake = FakeBrandlive::listing(items(2));
    let folder = folder_for(&fake);
    succeed(folder.path(), &["sync-brandlive"]);
    fake.set_items(items(1));
    succeed(folder.path(), &["sync-brandlive"]);
    let ran = run(folder.path(), &["sync-brandlive"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("(id-1: Webinar 1); confirm it in the portal or with --accept-removals"), "{}", ran.err);
    let accepted = succeed(folder.path(), &["sync-brandlive", "--accept-removals"]);
    assert_eq!(accepted, "0 created, 0 updated, 1 unchanged, 1 hidden\n");
}

#[test]
fn the_message_about_pending_removals_names_some_of_them() {
    let fake = FakeBrandlive::listing(items(10));
    let folder = folder_for(&fake);
    succeed(folder.path(), &["sync-brandlive"]);
    fake.set_items(items(1));
    succeed(folder.path(), &["sync-brandlive"]);
    let ran = run(folder.path(), &["sync-brandlive"]);
    let named = "(id-1: Webinar 1; id-2: Webinar 2; id-3: Webinar 3; id-4: Webinar 4; id-5: Webinar 5; and 4 more)";
    assert!(ran.err.contains(named), "{}", ran.err);
}

#[test]
fn a_symbolic_link_to_the_database_has_the_same_locks() {
    let (_fake, hold, folder, mut first) = with_running_sync();
    symlink("lectern.db", folder.path().join("link.db")).unwrap();
    let second = run(folder.path(), &["sync-brandlive", "--database", "link.db"]);
    assert_eq!(second.sentence(75), "Another Brandlive sync is running.");
    drop(hold);
    first.wait().unwrap();
    let server = Server::start(folder.path(), &[]);
    let second = run(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--database", "link.db"]);
    assert_ne!(second.code, Some(0));
    assert!(second.err.contains("link.db"), "{}", second.err);
    drop(server);
}

#[test]
fn a_symbolic_link_to_a_database_that_does_not_exist_creates_it() {
    let fake = FakeBrandlive::listing(items(2));
    let folder = folder_for(&fake);
    std::fs::create_dir(folder.path().join("data")).unwrap();
    symlink("data/second.db", folder.path().join("first.db")).unwrap();
    symlink("first.db", folder.path().join("lectern.db")).unwrap();
    assert_eq!(succeed(folder.path(), &["sync-brandlive"]), "2 created, 0 updated, 0 unchanged\n");
    let database = folder.path().join("data/second.db");
    assert_eq!(std::fs::symlink_metadata(&database).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(folder.path().join("data/second.db.sync.lock").exists());
    let server = Server::start(folder.path(), &["--database", "data/second.db"]);
    assert!(!run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).err.is_empty(), "it is served already");
    drop(server);

    symlink("nowhere/lectern.db", folder.path().join("broken.db")).unwrap();
    let sentence = run(folder.path(), &["migrate", "--database", "broken.db"]).sentence(1);
    assert!(sentence.contains("nowhere does not exist"), "{sentence}");
    symlink("loop.db", folder.path().join("loop.db")).unwrap();
    run(folder.path(), &["migrate", "--database", "loop.db"]).sentence(1);
}

#[test]
fn a_probe_points_at_paging_and_names_the_accepted_basic_mode() {
    let plain = format!("Basic {KEY}:{SECRET}");
    let fake = FakeBrandlive::new(move |request, _| {
        if request.header("authorization") != plain {
            return FakeResponse::Raw(401, vec![], vec![]);
        }
        FakeResponse::Json(
            json!({ "data": items(1), "meta": { "total": 7 }, "links": { "next": "/v1/events?page=2" } }),
        )
    });
    let folder = folder_for(&fake);
    let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
    assert!(text.starts_with("Brandlive accepted the key with mode = \"basic_plain\""), "{text}");
    let line = |pointer: &str| text.lines().find(|line| line.trim_start().starts_with(pointer)).unwrap().to_owned();
    assert!(line("/links/next").ends_with("<- paging.next, if mode is \"next\" or \"cursor\""), "{text}");
    assert!(line("/meta/total").ends_with("<- paging.total"), "{text}");
    let config = fake.toml("[brandlive.paging]\nmode = \"next\"");
    std::fs::write(folder.path().join("config.toml"), config).unwrap();
    let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
    assert!(text.lines().any(|line| line.contains("/links/next") && line.ends_with("<- paging.next")), "{text}");
    let page = json!({ "data": items(1), "links": { "next": { "href": "/v1/events?page=2" } } });
    fake.respond_with(move |_, _| FakeResponse::Json(page.clone()));
    let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
    assert!(text.lines().any(|line| line.contains("/links/next/href") && line.ends_with("<- paging.next")), "{text}");
    fake.respond_with(|_, _| FakeResponse::Raw(401, vec![], vec![]));
    run(folder.path(), &["sync-brandlive", "--probe"]).sentence(2);
    assert_eq!(fake.requests().len(), 2, "both forms were tried");
    // Some providers reject the other form with another status.
    for status in [400, 302, 501] {
        let plain = format!("Basic {KEY}:{SECRET}");
        fake.respond_with(move |request, _| {
            if request.header("authorization") == plain {
                FakeResponse::Json(json!({ "data": items(1) }))
            } else {
                FakeResponse::Raw(status, vec![("Location", "/login".to_owned())], vec![])
            }
        });
        let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
        assert!(text.starts_with("Brandlive accepted the key with mode = \"basic_plain\""), "{status}: {text}");
    }
    fake.set_items(Vec::new());
    let text = succeed(folder.path(), &["sync-brandlive", "--probe"]);
    assert!(text.contains("The list is at \"/data\", but its first page is empty"), "{text}");
}
