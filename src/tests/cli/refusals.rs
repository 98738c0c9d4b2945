//! Files that are not ours to touch: each is refused by every command, and left byte for byte.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;

use super::{connect, empty_folder, everything_in, folder_with_admin};
use crate::platform::db;
use crate::tests::support::program::{command, finish};

const COMMANDS: [&[&str]; 5] = [
    &["serve", "--listen", "127.0.0.1:0"],
    &["migrate"],
    &["migrate", "--status"],
    &["create-admin", "--email", "a@b.co", "--password-stdin"],
    &["backup", "copy-of-it"],
];

/// Tries every command on the folder's `lectern.db`; each must say the words and change nothing.
fn refused_by_all(folder: &Path, words: &str) {
    let before = everything_in(folder);
    for arguments in COMMANDS {
        let message = finish(command(folder, arguments), "long enough\n").sentence(1);
        assert!(message.contains(words) && message.contains("lectern.db"), "{arguments:?}: {message}");
        assert!(everything_in(folder) == before, "{arguments:?} left something behind");
    }
}

fn folder_with(bytes: impl AsRef<[u8]>) -> TempDir {
    let folder = empty_folder();
    std::fs::write(folder.path().join("lectern.db"), bytes).unwrap();
    folder
}

#[test]
fn a_file_that_is_no_sqlite_database() {
    for bytes in [&b"hello\n"[..], b"\0", b"SQLite format 3", &[0xff; 4096], b"SQLite format 4\0 and so on"] {
        refused_by_all(folder_with(bytes).path(), "is not a SQLite database and was left as it is");
    }
}

#[test]
fn a_header_with_nothing_behind_it() {
    let mut bytes = b"SQLite format 3\0".to_vec();
    refused_by_all(folder_with(&bytes).path(), "lectern.db");
    bytes.resize(100, 0);
    refused_by_all(folder_with(&bytes).path(), "lectern.db");
}

#[test]
fn the_database_of_another_program() {
    for journal in ["delete", "wal"] {
        let folder = empty_folder();
        let other = Connection::open(folder.path().join("lectern.db")).unwrap();
        other.pragma_update(None, "journal_mode", journal).unwrap();
        other.execute_batch("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('Bob')").unwrap();
        drop(other);
        refused_by_all(folder.path(), "is a SQLite database, but not one of lectern's");
    }
}

#[test]
fn the_database_of_another_program_that_is_using_it() {
    let folder = empty_folder();
    let other = Connection::open(folder.path().join("lectern.db")).unwrap();
    other.pragma_update(None, "journal_mode", "wal").unwrap();
    other.execute_batch("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('Bob')").unwrap();
    assert!(folder.path().join("lectern.db-wal").exists());
    let names: Vec<String> = everything_in(folder.path()).into_keys().collect();
    for arguments in COMMANDS {
        let message = finish(command(folder.path(), arguments), "long enough\n").sentence(1);
        assert!(message.contains("not one of lectern's"), "{message}");
    }
    assert_eq!(everything_in(folder.path()).into_keys().collect::<Vec<_>>(), names);
    other.execute_batch("INSERT INTO users VALUES ('Eve')").unwrap();
}

const NEWER: &str = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
    VALUES (99, 'from_the_future', '2040-01-01T00:00:00Z', '1')";

#[test]
fn every_command_rejects_a_newer_schema() {
    let folder = folder_with_admin();
    connect(&folder.path().join("lectern.db")).execute_batch(NEWER).unwrap();
    let newest = db::newest_version();
    refused_by_all(
        folder.path(),
        &format!("has schema version 99, but this lectern supports only versions up to {newest};"),
    );
}

#[test]
fn a_schema_that_is_newer_and_still_in_the_log() {
    let folder = folder_with_admin();
    let open = connect(&folder.path().join("lectern.db"));
    open.execute_batch(NEWER).unwrap();
    // What a crash of the newer program leaves: the file and its log.
    let crashed = empty_folder();
    for name in ["lectern.db", "lectern.db-wal"] {
        std::fs::copy(folder.path().join(name), crashed.path().join(name)).unwrap();
    }
    let before = everything_in(crashed.path());
    for arguments in COMMANDS {
        let message = finish(command(crashed.path(), arguments), "long enough\n").sentence(1);
        assert!(message.contains("has schema version 99"), "{message}");
        let mut after = everything_in(crashed.path());
        // An index of the log that SQLite makes for reading it; it holds no data.
        after.remove("lectern.db-shm");
        assert!(after == before, "{arguments:?} changed something");
    }
}

#[test]
fn a_folder_and_a_folder_that_is_not_there() {
    let folder = empty_folder();
    std::fs::create_dir(folder.path().join("lectern.db")).unwrap();
    refused_by_all(folder.path(), "can't be used: it is a folder, not a file.");
    let folder = empty_folder();
    for arguments in [COMMANDS[0], COMMANDS[1], COMMANDS[3]] {
        let mut command = command(folder.path(), arguments);
        command.env("LECTERN_DATABASE", "no/such/lectern.db");
        let message = finish(command, "long enough\n").sentence(1);
        assert!(message.contains("the folder no/such does not exist; create it, or name another"), "{message}");
    }
    assert!(everything_in(folder.path()).is_empty());
}

/// A command that may not write what belongs to root, also where the tests run as root.
fn unprivileged(folder: &Path, arguments: &[&str]) -> std::process::Command {
    let mut command = command(folder, arguments);
    if rustix::process::geteuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    command
}

#[test]
fn a_file_or_a_folder_that_may_not_be_written() {
    let folder = folder_with_admin();
    let file = folder.path().join("lectern.db");
    let set = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    set(folder.path(), 0o755);
    if unprivileged(folder.path(), &["--version"]).output().is_err() {
        eprintln!("skipped: nobody else can start the program where it lies");
        return;
    }
    let before = everything_in(folder.path());
    for (of_file, of_folder, words) in [
        (0o444, 0o555, "check the permissions of the file and its folder"),
        (0o000, 0o555, "check the permissions of the file and its folder"),
    ] {
        set(&file, of_file);
        set(folder.path(), of_folder);
        for arguments in COMMANDS {
            let message = finish(unprivileged(folder.path(), arguments), "long enough\n").sentence(1);
            assert!(message.contains(words), "{of_file:o} {of_folder:o} {arguments:?}: {message}");
        }
        let mut elsewhere = unprivileged(folder.path(), &["migrate"]);
        elsewhere.env("LECTERN_DATABASE", "new.db");
        assert!(finish(elsewhere, "").sentence(1).contains("new.db can't be used: it can't be opened; check the"));
        set(folder.path(), 0o755);
        set(&file, 0o600);
        assert!(everything_in(folder.path()) == before);
    }
}

#[test]
fn a_copy_into_a_folder_that_may_not_be_written() {
    let folder = folder_with_admin();
    let closed = empty_folder();
    let set = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    set(closed.path(), 0o555);
    if rustix::process::geteuid().is_root() {
        // Root may write anywhere, so the database goes to somebody else, and the folder does not.
        for path in [folder.path(), &folder.path().join("lectern.db")] {
            std::os::unix::fs::chown(path, Some(65_534), Some(65_534)).unwrap();
        }
    }
    let dest = closed.path().join("copy.db");
    let arguments = ["backup", dest.to_str().unwrap()];
    if unprivileged(folder.path(), &arguments).output().is_err() {
        eprintln!("skipped: nobody else can start the program where it lies");
        return;
    }
    let message = finish(unprivileged(folder.path(), &arguments), "").sentence(1);
    assert_eq!(message, format!("The copy to {} could not be made: Permission denied.", dest.display()));
    assert!(everything_in(closed.path()).is_empty());
}
