//! kill -9 at any moment: no acknowledged write is lost.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{an_event, assert_sound, connect, folder, interest_of, sign_in};
use crate::platform::db;
use crate::tests::support::program::{Server, all_migrations_applied, command, succeed};
use crate::tests::support::raw_client::RawClient;
use crate::tests::support::{online_event, query_one};

#[test]
fn ten_kills_during_writes_lose_no_acknowledged_write() {
    survive(10);
}

#[test]
#[ignore = "the suite has ten"]
fn a_hundred_kills_during_writes_lose_no_acknowledged_write() {
    survive(100);
}

/// The writes that the server acknowledged.
#[derive(Default)]
struct Acknowledged {
    visitors: HashSet<String>,
    titles: HashSet<String>,
}

fn survive(kills: usize) {
    let folder = folder();
    let path = folder.path().join("lectern.db");
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let event = an_event(&mut admin);
    let speaker = admin.get("/api/speakers").json()[0]["id"].as_i64().unwrap();
    server.stop();

    let acknowledged = Mutex::new(Acknowledged::default());
    for round in 0..kills {
        let server = Server::start(folder.path(), &[]);
        // The session outlives the kill too.
        let admin = admin.clone().at(server.address);
        let so_far = acknowledged.lock().unwrap().visitors.len();
        std::thread::scope(|scope| {
            for lane in 0..3 {
                let (visitor, acknowledged) = (server.visitor(), &acknowledged);
                scope.spawn(move || show_interest(visitor, event, &format!("{round}_{lane}"), acknowledged));
            }
            let (admin, acknowledged) = (&admin, &acknowledged);
            scope.spawn(move || add_events(admin.clone(), speaker, round, acknowledged));
            // Each round is killed after a different number of writes.
            let enough = so_far + [1, 7, 40, 90, 3, 150, 20, 60, 2, 110][round % 10];
            wait_for_acknowledged(acknowledged, enough);
            server.kill();
        });
        assert_all_there(&path, &acknowledged.lock().unwrap());
    }
    let server = Server::start(folder.path(), &[]);
    let listed = server.visitor().get("/api/events").json();
    let listed: HashSet<&str> =
        listed.as_array().unwrap().iter().map(|event| event["title"].as_str().unwrap()).collect();
    let acknowledged = acknowledged.lock().unwrap();
    assert!(acknowledged.titles.iter().all(|title| listed.contains(title.as_str())));
    assert!(acknowledged.visitors.len() >= kills && !acknowledged.titles.is_empty());
    server.stop();
}

fn show_interest(mut visitor: RawClient, event: i64, lane: &str, acknowledged: &Mutex<Acknowledged>) {
    for number in 0..100_000 {
        let id = format!("user_{number}_{lane}");
        let body = interest_of(&id).to_string();
        // The server was killed.
        let Ok(response) = visitor.send("PUT", &format!("/api/events/{event}/interest"), Some(&body)) else { return };
        assert_eq!(response.status, 200, "{}", response.text());
        acknowledged.lock().unwrap().visitors.insert(id);
    }
}

fn add_events(mut admin: RawClient, speaker: i64, round: usize, acknowledged: &Mutex<Acknowledged>) {
    for number in 0..10_000 {
        let title = format!("Event {round}.{number}");
        let body = online_event(&title, &[speaker]).to_string();
        let Ok(response) = admin.send("POST", "/api/events", Some(&body)) else { return };
        assert_eq!(response.status, 201, "{}", response.text());
        acknowledged.lock().unwrap().titles.insert(title);
    }
}

fn wait_for_acknowledged(acknowledged: &Mutex<Acknowledged>, enough: usize) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while acknowledged.lock().unwrap().visitors.len() < enough {
        assert!(Instant::now() < deadline, "writes are too slow");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn assert_all_there(path: &Path, acknowledged: &Acknowledged) {
    assert_sound(path);
    let connection = connect(path);
    let column = |query: &str| -> HashSet<String> {
        let mut statement = connection.prepare(query).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let visitors = column("SELECT user_id FROM user_event_interests");
    let lost: Vec<_> = acknowledged.visitors.difference(&visitors).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    let titles = column("SELECT title FROM events");
    let lost: Vec<_> = acknowledged.titles.difference(&titles).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
}

#[test]
fn a_kill_during_migration_leaves_a_file_that_the_next_run_completes() {
    let size = |path: &Path| path.metadata().map_or(-1, |meta| i64::try_from(meta.len()).unwrap());
    for wal_bytes in [-1, 0, 32, 4_000, 9_000, 20_000, 40_000, 80_000, 120_000, 140_000] {
        let folder = tempfile::tempdir().unwrap();
        let (file, log) = (folder.path().join("lectern.db"), folder.path().join("lectern.db-wal"));
        let mut child = command(folder.path(), &["migrate"]).stdout(std::process::Stdio::null()).spawn().unwrap();
        // Kills it when the file has this size; in some rounds the migration ends first.
        while child.try_wait().unwrap().is_none() && !(file.exists() && size(&log) >= wal_bytes) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let output = succeed(folder.path(), &["migrate"]);
        let up_to_date = format!("The database is up to date (V{}).\n", db::newest_version());
        assert!(output == all_migrations_applied() || output == up_to_date, "{output}");
        assert_sound(&file);
        assert_eq!(
            query_one::<u32>(&connect(&file), "SELECT max(version) FROM refinery_schema_history"),
            db::newest_version()
        );
    }
}

#[test]
fn a_file_with_an_empty_migration_history_is_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lectern.db");
    let whole = tempfile::tempdir().unwrap();
    succeed(whole.path(), &["migrate"]);
    let list: String = query_one(
        &connect(&whole.path().join("lectern.db")),
        "SELECT sql FROM sqlite_schema WHERE name = 'refinery_schema_history'",
    );
    // The file after the migration history was created and before the first migration.
    let half = rusqlite::Connection::open(&path).unwrap();
    half.execute_batch(&list).unwrap();
    drop(half);
    assert_eq!(succeed(folder.path(), &["migrate"]), all_migrations_applied());
}

#[test]
fn a_session_survives_a_kill() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let words = json!({ "heroTitle": "Stored", "heroSubtitle": "Stored too" });
    assert_eq!(admin.put("/api/page-content/home", &words).status, 200);
    server.kill();
    let server = Server::start(folder.path(), &[]);
    let mut admin = admin.at(server.address);
    assert_eq!(admin.get("/api/user").status, 200);
    assert_eq!(admin.get("/api/page-content/home").json()["heroTitle"], "Stored");
}
