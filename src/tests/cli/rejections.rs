//! Files of other programs or newer releases: every command rejects them and leaves them unchanged.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;

use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;

use super::{EMAIL, PASSWORD, connect, empty_folder, everything_in, folder_with_admin};
use crate::platform::db;
use crate::tests::support::program::{Server, command, finish};

const COMMANDS: [&[&str]; 5] = [
    &["serve", "--listen", "127.0.0.1:0"],
    &["migrate"],
    &["migrate", "--status"],
    &["create-admin", "--email", "a@b.co", "--password-stdin"],
    &["backup", "copy-of-it"],
];

/// Runs every command on the folder's `lectern.db`; each must fail with this message and change nothing.
fn assert_all_reject(folder: &Path, expected: &str) {
    let before = everything_in(folder);
    for arguments in COMMANDS {
        let message = finish(command(folder, arguments), "long enough\n").sentence(1);
        assert!(message.contains(expected) && message.contains("lectern.db"), "{arguments:?}: {message}");
        assert!(everything_in(folder) == before, "{arguments:?} left something behind");
    }
}

fn folder_with(bytes: impl AsRef<[u8]>) -> TempDir {
    let folder = empty_folder();
    std::fs::write(folder.path().join("lectern.db"), bytes).unwrap();
    folder
}

#[test]
fn a_file_of_another_format_is_rejected() {
    for bytes in [&b"hello\n"[..], b"\0", b"SQLite format 3", &[0xff; 4096], b"SQLite format 4\0 and so on"] {
        assert_all_reject(folder_with(bytes).path(), "is not a SQLite database and was left as it is");
    }
}

#[test]
fn a_file_with_only_a_header_is_rejected() {
    let mut bytes = b"SQLite format 3\0".to_vec();
    assert_all_reject(folder_with(&bytes).path(), "lectern.db");
    bytes.resize(100, 0);
    assert_all_reject(folder_with(&bytes).path(), "lectern.db");
}

#[test]
fn the_database_of_another_program_is_rejected() {
    for journal in ["delete", "wal"] {
        let folder = empty_folder();
        let other = Connection::open(folder.path().join("lectern.db")).unwrap();
        other.pragma_update(None, "journal_mode", journal).unwrap();
        other.execute_batch("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('Bob')").unwrap();
        drop(other);
        assert_all_reject(folder.path(), "is a SQLite database, but not a lectern database");
    }
}

#[test]
fn a_database_in_use_by_another_program_is_rejected() {
    let folder = empty_folder();
    let other = Connection::open(folder.path().join("lectern.db")).unwrap();
    other.pragma_update(None, "journal_mode", "wal").unwrap();
    other.execute_batch("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('Bob')").unwrap();
    assert!(folder.path().join("lectern.db-wal").exists());
    let names: Vec<String> = everything_in(folder.path()).into_keys().collect();
    for arguments in COMMANDS {
        let message = finish(command(folder.path(), arguments), "long enough\n").sentence(1);
        assert!(message.contains("not a lectern database"), "{message}");
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
    assert_all_reject(
        folder.path(),
        &format!("has schema version 99, but this lectern supports only versions up to {newest};"),
    );
}

#[test]
fn a_newer_schema_in_the_write_ahead_log_is_rejected() {
    let folder = folder_with_admin();
    let open = connect(&folder.path().join("lectern.db"));
    open.execute_batch(NEWER).unwrap();
    // A crash of the newer program leaves the file and its write-ahead log.
    let crashed = empty_folder();
    for name in ["lectern.db", "lectern.db-wal"] {
        std::fs::copy(folder.path().join(name), crashed.path().join(name)).unwrap();
    }
    let before = everything_in(crashed.path());
    for arguments in COMMANDS {
        let message = finish(command(crashed.path(), arguments), "long enough\n").sentence(1);
        assert!(message.contains("has schema version 99"), "{message}");
        let mut after = everything_in(crashed.path());
        // SQLite creates the index of the write-ahead log to read it; it contains no data.
        after.remove("lectern.db-shm");
        assert!(after == before, "{arguments:?} changed something");
    }
}

#[test]
fn a_folder_instead_of_a_file_and_a_missing_folder_are_rejected() {
    let folder = empty_folder();
    std::fs::create_dir(folder.path().join("lectern.db")).unwrap();
    assert_all_reject(folder.path(), "can't be used: it is a folder, not a file.");
    let folder = empty_folder();
    for arguments in [COMMANDS[0], COMMANDS[1], COMMANDS[3]] {
        let mut command = command(folder.path(), arguments);
        command.env("LECTERN_DATABASE", "no/such/lectern.db");
        let message = finish(command, "long enough\n").sentence(1);
        assert!(message.contains("the folder no/such does not exist; create it, or name another"), "{message}");
    }
    assert!(everything_in(folder.path()).is_empty());
}

/// A command that can't write files of root, even if the tests run as root.
fn unprivileged(folder: &Path, arguments: &[&str]) -> std::process::Command {
    let mut command = command(folder, arguments);
    if rustix::process::geteuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    command
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A folder with a database for [`unprivileged`] commands; `None` if these can't be started.
fn folder_for_unprivileged() -> Option<TempDir> {
    let folder = folder_with_admin();
    set_mode(folder.path(), 0o755);
    if unprivileged(folder.path(), &["--version"]).output().is_err() {
        eprintln!("skipped: other users can't start the program");
        return None;
    }
    Some(folder)
}

/// Gives a folder and its files to the user of [`unprivileged`] commands.
fn give_away(folder: &Path) {
    if rustix::process::geteuid().is_root() {
        let files = everything_in(folder).into_keys().map(|name| folder.join(name));
        for path in files.chain([folder.to_owned()]) {
            std::os::unix::fs::chown(path, Some(65_534), Some(65_534)).unwrap();
        }
    }
}

#[test]
fn a_read_only_file_or_folder_is_rejected() {
    let Some(folder) = folder_for_unprivileged() else { return };
    let file = folder.path().join("lectern.db");
    let before = everything_in(folder.path());
    for mode in [0o444, 0o000] {
        set_mode(&file, mode);
        set_mode(folder.path(), 0o555);
        for arguments in COMMANDS {
            let message = finish(unprivileged(folder.path(), arguments), "long enough\n").sentence(1);
            let expected = "check the permissions of the file and its folder";
            assert!(message.contains(expected), "{mode:o} {arguments:?}: {message}");
        }
        let mut elsewhere = unprivileged(folder.path(), &["migrate"]);
        elsewhere.env("LECTERN_DATABASE", "new.db");
        assert!(finish(elsewhere, "").sentence(1).contains("new.db can't be used: it can't be opened; check the"));
        set_mode(folder.path(), 0o755);
        set_mode(&file, 0o600);
        assert!(everything_in(folder.path()) == before);
    }
}

#[test]
fn a_read_only_database_is_served_and_written_again_after_its_permissions_were_corrected() {
    let Some(folder) = folder_for_unprivileged() else { return };
    give_away(folder.path());
    let file = folder.path().join("lectern.db");
    let serve = || Server::spawn(unprivileged(folder.path(), &["serve", "--listen", "127.0.0.1:0"]));
    let sign_in =
        |server: &Server| server.visitor().post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD }));
    set_mode(&file, 0o444);

    let server = serve();
    let health = server.visitor().get("/healthz");
    let message = "The database can't be written: allow its owner to write the file and its folder, and restart";
    assert!(health.status == 503 && health.text().contains(message), "{}", health.text());
    assert_eq!(sign_in(&server).status, 503);
    assert_eq!(server.visitor().get("/").status, 200);
    let log = server.log();
    assert!(log.matches(message).count() == 1 && !log.contains("again"), "{log}");
    let checked = finish(unprivileged(folder.path(), &["check"]), "").out;
    assert!(checked.contains("this user can't write lectern.db; run: chmod u+w lectern.db; then restart"), "{checked}");
    // The files beside it remain, as after a crash.
    server.kill();
    set_mode(&file, 0o600);
    let checked = finish(unprivileged(folder.path(), &["check"]), "").out;
    assert!(!checked.contains("this user can't write lectern.db;"), "{checked}");

    let server = serve();
    assert_eq!(sign_in(&server).status, 200, "{}", server.log());
    assert_eq!(server.visitor().get("/healthz").status, 200);
    server.stop();
    set_mode(folder.path(), 0o555);
    let checked = finish(unprivileged(folder.path(), &["check"]), "").out;
    let closed = folder.path().display();
    assert!(checked.contains(&format!("this user can't write {closed}; run: chmod u+w {closed}; then")), "{checked}");
    set_mode(folder.path(), 0o755);
}

#[test]
fn a_copy_into_a_read_only_folder_is_rejected() {
    let folder = folder_with_admin();
    let closed = empty_folder();
    set_mode(closed.path(), 0o555);
    // Root may write anywhere, so the database is given to another user, and the other folder is not.
    give_away(folder.path());
    let dest = closed.path().join("copy.db");
    let arguments = ["backup", dest.to_str().unwrap()];
    if unprivileged(folder.path(), &arguments).output().is_err() {
        eprintln!("skipped: other users can't start the program");
        return;
    }
    let message = finish(unprivileged(folder.path(), &arguments), "").sentence(1);
    assert_eq!(message, format!("The backup {} could not be written: Permission denied.", dest.display()));
    assert!(everything_in(closed.path()).is_empty());
}

#[test]
fn a_database_with_a_second_name_is_used_by_neither() {
    let folder = folder_with_admin();
    let (path, second) = (folder.path().join("lectern.db"), folder.path().join("second.db"));
    let server = Server::start(folder.path(), &[]);
    std::fs::hard_link(&path, &second).unwrap();
    let run = |name: &str, arguments: &[&str]| {
        finish(command(folder.path(), &[arguments, &["--database", name]].concat()), "long enough\n")
    };
    let assert_rejected = |name: &str| {
        let expected = format!("{name} can't be used: the file has 2 names (hard links)");
        for arguments in COMMANDS {
            let message = run(name, arguments).sentence(1);
            assert!(message.contains(&expected), "{arguments:?}: {message}");
        }
        let check = run(name, &["check"]);
        assert!(check.code == Some(1) && check.out.contains(&expected), "{check:?}");
    };
    assert_rejected("second.db");
    server.stop();
    assert_rejected("lectern.db");
    std::fs::remove_file(second).unwrap();
    // A restore that was killed before it replaced the file leaves it with this name.
    std::fs::hard_link(&path, folder.path().join("lectern.db.before-restore-2026-01-01T000000Z")).unwrap();
    Server::start(folder.path(), &[]).stop();
}
