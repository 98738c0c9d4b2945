//! `lectern restore`, and starts with files that a crash or a copied file has left.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use super::{EMAIL, PASSWORD, connect, count, empty_folder, everything_in, folder_with_admin, names_in};
use crate::platform::db;
use crate::tests::support::program::{Server, command, finish, run, succeed};
use crate::tests::support::speaker;

fn set_title(server: &Server, title: &str) {
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    let saved = admin.put("/api/page-content/home", &json!({ "heroTitle": title, "heroSubtitle": "S" }));
    assert_eq!(saved.status, 200, "{}", saved.text());
}

fn title_in(folder: &Path) -> String {
    let server = Server::start(folder, &[]);
    let title = server.visitor().get("/api/page-content/home").json()["heroTitle"].as_str().unwrap().to_owned();
    server.stop();
    title
}

/// A folder with `copy.db` (title "Copied") and a newer database (title "Later") whose server was killed or stopped.
fn folder_with_copy(is_killed: bool) -> TempDir {
    let folder = folder_with_admin();
    let server = Server::start(folder.path(), &[]);
    set_title(&server, "Copied");
    succeed(folder.path(), &["backup", "copy.db"]);
    set_title(&server, "Later");
    if is_killed {
        server.kill();
    } else {
        server.stop();
    }
    folder
}

/// The name of the previous database, from the output.
fn previous_database(out: &str) -> &str {
    let line = out.lines().find_map(|line| line.strip_prefix("The previous database is in ")).expect("a name");
    line.strip_suffix('.').unwrap()
}

#[test]
fn a_restore_replaces_the_database_and_keeps_the_previous_one_with_its_wal() {
    for is_killed in [false, true] {
        let folder = folder_with_copy(is_killed);
        let copy = fs::read(folder.path().join("copy.db")).unwrap();

        let out = succeed(folder.path(), &["restore", "copy.db"]);

        assert!(out.starts_with("Restored ") && out.contains("from copy.db of 20"), "{out}");
        assert!(out.contains("0 events, 0 speakers, 1 user."), "{out}");
        assert_eq!(title_in(folder.path()), "Copied");
        assert!(fs::read(folder.path().join("copy.db")).unwrap() == copy, "the copy was changed");
        // The previous database is complete, including the changes in its write-ahead log.
        let previous = previous_database(&out).to_owned();
        let out = succeed(folder.path(), &["restore", &previous]);
        assert_eq!(title_in(folder.path()), "Later", "{out}");
        let leftovers: Vec<_> = names_in(folder.path()).into_iter().filter(|name| name.contains(".part")).collect();
        assert_eq!(leftovers, Vec::<String>::new());
    }
}

#[test]
fn a_restore_by_root_leaves_files_of_the_servers_owner() {
    use std::os::unix::fs::{MetadataExt as _, chown};

    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can give files away");
        return;
    }
    let folder = folder_with_copy(false);
    let database = folder.path().join("lectern.db");
    fs::remove_file(folder.path().join("lectern.db.lock")).unwrap();
    chown(&database, Some(65_534), Some(65_534)).unwrap();
    succeed(folder.path(), &["restore", "copy.db"]);
    for name in ["lectern.db", "lectern.db.lock"] {
        let meta = folder.path().join(name).metadata().unwrap();
        assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o777), (65_534, 65_534, 0o600), "{name}");
    }
}

#[test]
fn a_restore_is_rejected_while_the_database_is_in_use() {
    let folder = folder_with_copy(false);
    let server = Server::start(folder.path(), &[]);
    let names = names_in(folder.path());
    let message = run(folder.path(), &["restore", "copy.db"]).sentence(1);
    assert!(
        message.contains("is used by a server or another restore; nothing was changed, stop that one"),
        "{message}"
    );
    server.stop();
    let other = connect(&folder.path().join("lectern.db"));
    other.execute_batch("BEGIN IMMEDIATE; DELETE FROM sessions").unwrap();
    let message = run(folder.path(), &["restore", "copy.db"]).sentence(1);
    assert!(message.contains("is in use by another process; nothing was changed"), "{message}");
    other.execute_batch("COMMIT").unwrap();
    drop(other);
    assert_eq!(names.iter().filter(|name| name.contains("before")).count(), 0);
    assert_eq!(title_in(folder.path()), "Later");
}

#[test]
fn a_command_and_a_restore_exclude_each_other() {
    let folder = folder_with_copy(false);
    let arguments = ["create-admin", "--email", "b@example.com", "--password-stdin"];
    let mut waiting = command(folder.path(), &arguments).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let is_rejected = || {
        let ran = run(folder.path(), &["restore", "copy.db"]);
        ran.code == Some(1) && ran.err.contains("is in use by another process; nothing was changed")
    };
    let started = Instant::now();
    while !is_rejected() {
        assert!(started.elapsed() < Duration::from_secs(20), "the command waits for its input and has no lock");
    }
    drop(waiting.stdin.take());
    waiting.wait().unwrap();

    // As a restore does.
    let lock = fs::File::open(folder.path().join("lectern.db")).unwrap();
    lock.lock().unwrap();
    let mut users = command(folder.path(), &["users"]).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(users.try_wait().unwrap().is_none(), "it waits for the restore");
    drop(lock);
    assert!(users.wait().unwrap().success());
}

#[test]
fn an_invalid_copy_is_rejected_and_changes_nothing() {
    let folder = folder_with_copy(true);
    let bytes = fs::read(folder.path().join("copy.db")).unwrap();
    fs::write(folder.path().join("text"), "hello").unwrap();
    fs::write(folder.path().join("short.db"), &bytes[..bytes.len() - 5_000]).unwrap();
    let mut damaged = bytes;
    let middle = damaged.len() / 2 / 4_096 * 4_096;
    damaged[middle..middle + 4_096].fill(0xa5);
    fs::write(folder.path().join("damaged.db"), damaged).unwrap();
    let other = rusqlite::Connection::open(folder.path().join("other.db")).unwrap();
    other.execute_batch("CREATE TABLE users (name TEXT)").unwrap();
    drop(other);
    fs::write(folder.path().join("empty.db"), "").unwrap();
    let tableless = rusqlite::Connection::open(folder.path().join("tableless.db")).unwrap();
    tableless.execute_batch("PRAGMA user_version = 1").unwrap();
    drop(tableless);
    succeed(folder.path(), &["migrate", "--database", "newer.db"]);
    connect(&folder.path().join("newer.db"))
        .execute_batch("INSERT INTO refinery_schema_history VALUES (99, 'x', '2040-01-01T00:00:00Z', '1')")
        .unwrap();
    let without_lock = || -> BTreeMap<String, Vec<u8>> {
        everything_in(folder.path()).into_iter().filter(|(name, _)| name != "lectern.db.lock").collect()
    };
    let before = without_lock();
    for (name, words) in [
        (".", "Name a backup, not a folder (.); 'lectern restore --list' shows the backups."),
        ("nothing.db", "There is no file nothing.db; 'lectern restore --list' shows the backups."),
        ("text", "text is not a lectern database; nothing was changed."),
        ("other.db", "other.db is not a lectern database; nothing was changed."),
        ("empty.db", "empty.db is empty; nothing was changed, choose another backup"),
        ("tableless.db", "tableless.db is empty; nothing was changed, choose another backup"),
        ("short.db", "short.db is damaged; nothing was changed"),
        ("damaged.db", "damaged.db is damaged; nothing was changed"),
        ("newer.db", "has schema version 99"),
        ("lectern.db", "lectern.db is the database itself"),
    ] {
        let message = run(folder.path(), &["restore", name]).sentence(1);
        assert!(message.contains(words), "{name}: {message}");
        assert!(without_lock() == before, "{name} changed something");
    }
    assert!(run(folder.path(), &["restore"]).sentence(2).contains("FILE"));

    fs::create_dir(folder.path().join("folder")).unwrap();
    let before = without_lock();
    for (database, words) in [
        ("folder", "folder can't be used: it is a folder, not a file."),
        ("no/such/lectern.db", "the folder no/such does not exist; create it, or name another"),
    ] {
        let message = run(folder.path(), &["restore", "copy.db", "--database", database]).sentence(1);
        assert!(message.contains(words), "{database}: {message}");
        assert!(without_lock() == before, "{database}: something was changed");
    }
}

#[test]
fn an_older_backup_is_migrated_without_changing_its_file() {
    let folder = folder_with_admin();
    let old = folder.path().join("old.db");
    let mut connection = db::connect(&old, db::BusyTimeout::CommandLine).unwrap();
    db::apply_up_to(&mut connection, 1);
    connection.execute("INSERT INTO users (email, password) VALUES ('old@example.com', 'x')", []).unwrap();
    drop(connection);
    let bytes = fs::read(&old).unwrap();
    let out = succeed(folder.path(), &["restore", "old.db"]);
    assert!(out.contains("Applied V2 ") && out.contains("1 user."), "{out}");
    assert!(fs::read(&old).unwrap() == bytes);
    let email: String =
        connect(&folder.path().join("lectern.db")).query_row("SELECT email FROM users", [], |row| row.get(0)).unwrap();
    assert_eq!(email, "old@example.com");
}

#[test]
fn a_start_beside_a_wal_of_another_file_is_rejected_and_a_restore_succeeds() {
    // A new copy, and one that was served, which is in WAL mode like the database.
    for is_served in [false, true] {
        let folder = folder_with_admin();
        let server = Server::start(folder.path(), &[]);
        set_title(&server, "Copied");
        succeed(folder.path(), &["backup", "copy.db"]);
        let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
        for number in 0..200 {
            admin.post("/api/speakers", &speaker(&format!("Speaker {number}"))).created_id();
        }
        server.kill();
        if is_served {
            Server::start(folder.path(), &["--database", "copy.db"]).stop();
        }
        fs::copy(folder.path().join("copy.db"), folder.path().join("lectern.db")).unwrap();
        fs::remove_file(folder.path().join("lectern.db-shm")).unwrap();
        let mut before = everything_in(folder.path());

        let mut commands = vec![&["serve", "--listen", "127.0.0.1:0"][..]];
        if !is_served {
            commands.extend([
                &["migrate"][..],
                &["backup", "another.db"],
                &["create-admin", "--email", "b@example.com"],
            ]);
        }
        for arguments in commands {
            let message = finish(command(folder.path(), arguments), "").sentence(1);
            assert!(
                message.contains("the write-ahead log lectern.db-wal beside it belongs to another database file")
                    && message.contains("run 'lectern restore' with the backup"),
                "{message}"
            );
            let mut after = everything_in(folder.path());
            for files in [&mut before, &mut after] {
                files.remove("lectern.db-shm");
            }
            assert!(after == before, "{arguments:?} changed something");
        }

        succeed(folder.path(), &["restore", "copy.db"]);
        assert_eq!(title_in(folder.path()), "Copied");

        // The file that was set aside is not damaged; its log, which was set aside with it, is that of another.
        let names = names_in(folder.path());
        let aside = names.iter().find(|name| name.contains(".before-restore-") && !name.ends_with("-wal")).unwrap();
        let message = run(folder.path(), &["restore", aside]).sentence(1);
        assert!(message.contains("belongs to another file; nothing was changed, move the log away"), "{message}");
        fs::remove_file(folder.path().join(format!("{aside}-wal"))).unwrap();
        succeed(folder.path(), &["restore", aside]);
        assert_eq!(title_in(folder.path()), "Copied");
    }
}

#[test]
fn a_wal_without_its_database_is_not_deleted() {
    let folder = folder_with_copy(true);
    let path = folder.path().join("lectern.db");
    fs::rename(&path, folder.path().join("elsewhere")).unwrap();
    let wal = fs::read(folder.path().join("lectern.db-wal")).unwrap();
    for make_empty in [false, true] {
        if make_empty {
            fs::write(&path, "").unwrap();
        }
        let message = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).sentence(1);
        assert!(message.contains("lectern.db-wal exists and has the latest changes"), "{message}");
        assert!(fs::read(folder.path().join("lectern.db-wal")).unwrap() == wal);
    }
    fs::rename(folder.path().join("elsewhere"), &path).unwrap();
    assert_eq!(title_in(folder.path()), "Later");
}

#[test]
fn backups_are_listed_with_their_age_and_size() {
    let folder = empty_folder();
    assert!(succeed(folder.path(), &["restore", "--list"]).contains("There are no backups of lectern.db"));
    let folder = folder_with_copy(true);
    succeed(folder.path(), &["restore", "copy.db"]);
    let list = succeed(folder.path(), &["restore", "--list"]);
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 1, "{list}");
    assert!(lines[0].contains(" UTC ") && lines[0].contains(" KiB ") && lines[0].contains("before-restore-"), "{list}");

    // Made while the clock was wrong, so it is not the newest.
    fs::copy(folder.path().join("copy.db"), folder.path().join("lectern-2099-01-05T134612Z.db")).unwrap();
    fs::write(folder.path().join("config.toml"), "[backup]\ndir = \".\"\n").unwrap();
    let list = succeed(folder.path(), &["restore", "--list"]);
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].contains("before-restore-"), "{list}");
    assert!(lines[1].ends_with("lectern-2099-01-05T134612Z.db  (its time is in the future)"), "{list}");
    fs::remove_file(folder.path().join("lectern.db")).unwrap();
    let message = run(folder.path(), &["serve"]).sentence(1);
    assert!(message.contains("before-restore-") && !message.contains("2099"), "{message}");
}

/// Kills a command after some time.
fn kill_after(folder: &Path, arguments: &[&str], time: Duration) {
    let mut child =
        command(folder, arguments).stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null()).spawn().unwrap();
    std::thread::sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_kill_during_a_restore_leaves_the_old_or_the_new_database() {
    let folder = folder_with_copy(true);
    let wal = fs::read(folder.path().join("lectern.db-wal")).unwrap();
    let main = fs::read(folder.path().join("lectern.db")).unwrap();
    let mut found = BTreeMap::<String, u32>::new();
    for round in 0..40 {
        fs::write(folder.path().join("lectern.db"), &main).unwrap();
        fs::write(folder.path().join("lectern.db-wal"), &wal).unwrap();
        kill_after(folder.path(), &["restore", "copy.db"], Duration::from_millis(round));
        let state = if let Some(server) = Server::try_start(folder.path(), &[]) {
            let content = server.visitor().get("/api/page-content/home").json();
            server.stop();
            content["heroTitle"].as_str().unwrap().to_owned()
        } else {
            succeed(folder.path(), &["restore", "copy.db"]);
            assert_eq!(title_in(folder.path()), "Copied");
            "rejected".to_owned()
        };
        assert!(["Later", "Copied", "rejected"].contains(&state.as_str()), "{state}");
        *found.entry(state).or_default() += 1;
    }
    assert!(found.contains_key("Later") || found.contains_key("Copied"), "{found:?}");
    assert_eq!(count(&folder.path().join("lectern.db"), "users"), 1);
}

#[test]
fn a_kill_during_a_backup_leaves_a_complete_file_or_none() {
    let folder = folder_with_copy(false);
    for round in 0..20 {
        kill_after(folder.path(), &["backup", "killed.db"], Duration::from_millis(round * 2));
        if folder.path().join("killed.db").exists() {
            succeed(folder.path(), &["restore", "killed.db"]);
            fs::remove_file(folder.path().join("killed.db")).unwrap();
        }
    }
    assert_eq!(title_in(folder.path()), "Later");
}
