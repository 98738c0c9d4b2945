//! Other processes on the same file: a cron job, the command line.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rusqlite::params;
use serde_json::json;

use super::{PASSWORD, an_event, assert_sound, connect, folder, interest_of, sign_in};
use crate::platform::db::{Db, DbOptions};
use crate::tests::support::program::{Server, WhenDone, command, finish, succeed};
use crate::tests::support::query_one;

/// The file's header is polled once a millisecond (`platform/db/content_version.rs`); an older write of another process
/// must be detected.
fn wait_for_the_next_poll(since: Instant) {
    while since.elapsed() < Duration::from_millis(2) {
        std::hint::spin_loop();
    }
}

#[test]
fn a_write_of_another_process_is_in_the_next_response() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let event = an_event(&mut sign_in(&server));
    let other_process = connect(&folder.path().join("lectern.db"));
    let mut visitor = server.visitor();
    for round in 0..100 {
        let title = format!("Renamed for the {round}th time");
        other_process.execute("UPDATE events SET title = ?1 WHERE id = ?2", params![title, event]).unwrap();
        wait_for_the_next_poll(Instant::now());
        assert_eq!(visitor.get("/api/events").json()[0]["title"], title);
        // The page is rendered from the same content.
        if round % 20 == 0 {
            assert!(visitor.get("/").text().contains(&title));
        }
    }
    server.stop();
}

#[test]
fn only_a_write_of_another_process_raises_the_content_version() {
    let folder = folder();
    let path = folder.path().join("lectern.db");
    let db = Db::serve(&path, DbOptions::default()).unwrap();
    let other_process = connect(&path);
    for _ in 0..50 {
        let before = db.version();
        other_process.execute("INSERT INTO speakers (name, title) VALUES ('A', 'B')", []).unwrap();
        wait_for_the_next_poll(Instant::now());
        assert_eq!(db.version(), before + 1);
        // Sessions are not public content.
        other_process.execute("DELETE FROM sessions", []).unwrap();
        wait_for_the_next_poll(Instant::now());
        assert_eq!(db.version(), before + 1);
    }
    db.close();
}

#[test]
fn two_processes_that_write_continuously_fail_no_request() {
    let folder = folder();
    let path = folder.path().join("lectern.db");
    let server = Server::start(folder.path(), &[]);
    let event = an_event(&mut sign_in(&server));
    let (done, written, requested) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let _ends = WhenDone(&done);
        // A sync that reads, then writes, in one transaction after another.
        for _ in 0..2 {
            scope.spawn(|| {
                let other_process = connect(&path);
                while !done.load(Ordering::Relaxed) {
                    other_process.execute_batch("BEGIN IMMEDIATE").unwrap();
                    let speakers: i64 = query_one(&other_process, "SELECT count(*) FROM speakers");
                    let add = "INSERT INTO speakers (name, title) VALUES (?1, 'Imported')";
                    other_process.execute(add, [format!("Speaker {speakers}")]).unwrap();
                    other_process.execute_batch("COMMIT").unwrap();
                    written.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for lane in 0..2 {
            let (server, done, requested) = (&server, &done, &requested);
            scope.spawn(move || {
                let mut visitor = server.visitor();
                for number in 0..100_000 {
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                    let body = interest_of(&format!("user_{number}_{lane}"));
                    let response = visitor.put(&format!("/api/events/{event}/interest"), &body);
                    assert_eq!(response.status, 200, "{}", response.text());
                    assert_eq!(visitor.get("/api/speakers").status, 200);
                    requested.fetch_add(2, Ordering::Relaxed);
                }
            });
        }
        // The command line writes as well.
        for number in 0..4 {
            let email = format!("admin{number}@example.com");
            let arguments = ["create-admin", "--email", &email, "--password-stdin"];
            finish(command(folder.path(), &arguments), PASSWORD).succeeded();
            server.visitor().sign_in(&email, PASSWORD);
            succeed(folder.path(), &["backup", &format!("copy{number}.db")]);
        }
    });
    assert!(written.into_inner() > 10 && requested.into_inner() > 10);
    server.stop();
    assert_sound(&path);
}

#[test]
fn an_exclusive_lock_of_another_process_delays_only_writes_and_they_time_out() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let event = an_event(&mut admin);
    let other_process = connect(&folder.path().join("lectern.db"));
    other_process.execute_batch("BEGIN IMMEDIATE").unwrap();

    let started = Instant::now();
    let waiting = std::thread::scope(|scope| {
        let write = scope
            .spawn(|| server.visitor().put(&format!("/api/events/{event}/interest"), &interest_of("user_1_waiting")));
        while !write.is_finished() {
            assert_eq!(server.visitor().get("/api/events").status, 200);
            assert_eq!(admin.get("/api/user").status, 200);
            assert_eq!(server.visitor().get("/healthz").status, 200);
            std::thread::sleep(Duration::from_millis(20));
        }
        write.join().unwrap()
    });
    assert_eq!(waiting.status, 503, "{}", waiting.text());
    assert_eq!(waiting.json()["error"], "The server is busy. Please try again in a moment.");
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());

    other_process.execute_batch("ROLLBACK").unwrap();
    let now = server.visitor().put(&format!("/api/events/{event}/interest"), &interest_of("user_1_waiting"));
    assert_eq!(now.json(), json!({ "count": 1, "hasInterest": true }));
    server.stop();
}

#[test]
fn a_write_gets_the_lock_that_another_process_frees_for_microseconds() {
    let folder = folder();
    let path = folder.path().join("lectern.db");
    let db = Db::serve(&path, DbOptions::default()).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _ends = WhenDone(&done);
        scope.spawn(|| {
            let other = connect(&path);
            while !done.load(Ordering::Relaxed) {
                // It has to wait, too, if the disk is slow.
                if other.execute_batch("BEGIN IMMEDIATE").is_err() {
                    continue;
                }
                std::thread::sleep(Duration::from_millis(50));
                other.execute_batch("ROLLBACK").unwrap();
                let freed = Instant::now();
                while freed.elapsed() < Duration::from_micros(30) {
                    std::hint::spin_loop();
                }
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for _ in 0..5 {
            let insert = "INSERT INTO speakers (name, title) VALUES ('A', 'B')";
            runtime.block_on(db.write(|transaction| Ok(transaction.execute(insert, [])?))).unwrap();
        }
    });
    db.close();
}
