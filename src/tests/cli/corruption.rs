//! Corrupt databases: rejected or served as far as possible, and never changed.

use std::path::Path;

use tempfile::TempDir;

use super::{connect, empty_folder, everything_in};
use crate::tests::support::program::{Server, run};
use crate::tests::support::query_one;

/// A filled database as bytes.
fn demo_database() -> Vec<u8> {
    let folder = empty_folder();
    Server::start(folder.path(), &["--demo"]).stop();
    std::fs::read(folder.path().join("lectern-demo.db")).unwrap()
}

fn folder_with(bytes: &[u8]) -> TempDir {
    let folder = empty_folder();
    std::fs::write(folder.path().join("lectern.db"), bytes).unwrap();
    folder
}

fn bytes_of(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("lectern.db")).unwrap()
}

#[test]
fn a_truncated_database_is_rejected_and_left_unchanged() {
    let whole = demo_database();
    for length in [99, 101, 512, 4_095, 4_096, 8_192, whole.len() / 2, whole.len() - 4_096, whole.len() - 1] {
        let folder = folder_with(&whole[..length]);
        let before = everything_in(folder.path());
        for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"], &["backup", "copy.db"]] {
            let message = run(folder.path(), arguments).sentence(1);
            assert!(
                message.contains("is damaged") || message.contains("is not a SQLite database"),
                "{length}: {message}"
            );
            assert!(everything_in(folder.path()) == before, "{length}: {arguments:?} left something behind");
        }
    }
}

#[test]
fn a_named_pipe_is_rejected_instead_of_opened() {
    let folder = empty_folder();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("lectern.db")).status();
    assert!(made.is_ok_and(|status| status.success()));
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["check"], &["users"], &["backup", "copy.db"]] {
        let ran = run(folder.path(), arguments);
        let said = ran.out + &ran.err;
        assert!(ran.code == Some(1) && said.contains("it is not a regular file"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_header_with_an_unknown_format_is_reported_as_damage() {
    let mut bytes = demo_database();
    bytes[44..48].copy_from_slice(&[0, 0, 0, 9]);
    let folder = folder_with(&bytes);
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"]] {
        let message = run(folder.path(), arguments).sentence(1);
        assert!(message.contains("is damaged; restore a backup"), "{message}");
    }
    assert!(bytes_of(folder.path()) == bytes);
}

#[test]
fn a_flipped_bit_causes_neither_a_panic_nor_a_corrupt_backup() {
    let whole = demo_database();
    let mut rejected = 0;
    // With a prime step, bits in headers, cells and free space of every kind of page are flipped.
    for at in (16..whole.len()).step_by(3_581) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        let folder = folder_with(&bytes);
        // A backup is checked completely before it gets its name.
        let ran = run(folder.path(), &["backup", "copy.db"]);
        if ran.code == Some(0) {
            let copy = connect(&folder.path().join("copy.db"));
            assert_eq!(query_one::<String>(&copy, "PRAGMA integrity_check"), "ok", "{at}");
        } else {
            let message = ran.sentence(1);
            assert!(message.contains("lectern.db") || message.contains("copy.db"), "{at}: {message}");
            let names: Vec<String> = everything_in(folder.path()).into_keys().collect();
            assert_eq!(names, ["lectern.db"], "{at}: {message}");
            assert!(bytes_of(folder.path()) == bytes, "{at}: the damaged file was changed: {message}");
            rejected += 1;
        }
    }
    assert!(rejected > 0, "no flipped bit was detected");
}

#[test]
fn a_corrupt_page_is_an_error_without_internals_and_other_requests_succeed() {
    let whole = demo_database();
    // The first byte of a page is its type; 0 is not valid. Without a page that the schema or the start needs, the
    // server stops with a message; other damage is found when the page is read.
    let corrupt = (2..whole.len() / 4_096).find_map(|page| {
        let mut bytes = whole.clone();
        bytes[page * 4_096] = 0;
        let folder = folder_with(&bytes);
        let server = Server::try_start(folder.path(), &[])?;
        let response = server.visitor().get("/api/events");
        (response.status != 200).then_some((folder, server, response))
    });
    let (folder, server, response) = corrupt.expect("a page that the list of events needs");
    assert!(response.status == 500 || response.status == 503, "{}", response.text());
    let text = response.text();
    for inside in ["malformed", "SQL", "database", "disk image", "lectern.db"] {
        assert!(!text.contains(inside), "{text}");
    }
    assert_eq!(server.visitor().get("/api/openapi.json").status, 200);
    server.stop();
    assert!(folder.path().join("lectern.db").exists());
}
