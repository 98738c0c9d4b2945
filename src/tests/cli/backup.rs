//! `lectern backup` and `lectern migrate`

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{EMAIL, PASSWORD, connect, count, empty_folder, everything_in, folder_with_admin, names_in};
use crate::platform::config::Keep;
use crate::platform::db;
use crate::platform::progress::ProgressMonitor;
use crate::tests::support::program::{Server, WhenDone, all_migrations_applied, embedded_migrations, run, succeed};
use crate::tests::support::speaker;

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn a_backup_made_during_writes_is_complete_and_can_be_served() {
    let folder = folder_with_admin();
    let server = Server::start(folder.path(), &["--demo", "--database", "lectern.db"]);
    let (written, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut counts = Vec::new();
    let began = Instant::now();
    std::thread::scope(|scope| {
        let _ends = WhenDone(&stop);
        for _ in 0..2 {
            scope.spawn(|| {
                let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
                while !stop.load(Ordering::Relaxed) {
                    admin.post("/api/speakers", &speaker("Somebody new")).created_id();
                    written.fetch_add(1, Ordering::Release);
                }
            });
        }
        // On a busy machine, signing in can take longer than five backups.
        while written.load(Ordering::Acquire) == 0 {
            assert!(began.elapsed() < Duration::from_mins(1), "no write was stored");
            std::thread::sleep(Duration::from_millis(5));
        }
        for number in 0..5 {
            let before = written.load(Ordering::Acquire);
            let message = succeed(folder.path(), &["backup", &format!("copy{number}.db")]);
            assert!(message.starts_with(&format!("Wrote copy{number}.db (")), "{message}");
            counts.push(before);
        }
    });
    server.stop();

    for (number, before) in counts.into_iter().enumerate() {
        let path = folder.path().join(format!("copy{number}.db"));
        assert_eq!(mode(&path), 0o600);
        let check: String = connect(&path).query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
        let speakers = usize::try_from(count(&path, "speakers")).unwrap();
        assert!(speakers >= 8 + before, "{speakers} speakers, and {before} were added before the backup began");
    }
    let names: Vec<_> = everything_in(folder.path()).into_keys().filter(|name| name.contains("part")).collect();
    assert_eq!(names, Vec::<String>::new(), "no unfinished file is left");

    let restored = Server::start(folder.path(), &["--database", "copy4.db"]);
    assert_eq!(restored.visitor().get("/api/events").json().as_array().unwrap().len(), 24);
    let mut admin = restored.visitor().sign_in(EMAIL, PASSWORD);
    assert_eq!(admin.put("/api/page-content/home", &json!({ "heroTitle": "A", "heroSubtitle": "B" })).status, 200);
    restored.stop();
}

#[test]
fn only_the_owner_can_read_the_files() {
    let folder = folder_with_admin();
    let server = Server::start(folder.path(), &[]);
    server.visitor().sign_in(EMAIL, PASSWORD);
    succeed(folder.path(), &["backup", "copy.db"]);
    for name in everything_in(folder.path()).into_keys() {
        assert_eq!(mode(&folder.path().join(&name)), 0o600, "{name}");
    }
    let names: Vec<String> = everything_in(folder.path()).into_keys().collect();
    assert_eq!(names, ["copy.db", "lectern.db", "lectern.db-shm", "lectern.db-wal", "lectern.db.lock"]);
}

#[test]
fn a_database_that_others_could_read_is_made_private() {
    let folder = folder_with_admin();
    let path = folder.path().join("lectern.db");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o664)).unwrap();
    let server = Server::start(folder.path(), &[]);
    server.visitor().sign_in(EMAIL, PASSWORD);
    for name in ["lectern.db", "lectern.db-wal", "lectern.db-shm"] {
        assert_eq!(mode(&folder.path().join(name)), 0o600, "{name}");
    }
    assert!(server.log().contains("now only its owner can"), "{}", server.log());
    server.stop();
}

#[test]
fn a_backup_never_replaces_a_file() {
    let folder = folder_with_admin();
    std::fs::write(folder.path().join("taken"), "mine").unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
    let before = everything_in(folder.path());
    for dest in ["taken", "lectern.db", "link"] {
        let message = run(folder.path(), &["backup", dest]).sentence(1);
        assert_eq!(message, format!("{dest} exists already; name a file that does not."));
    }
    assert_eq!(run(folder.path(), &["backup", "no/such/copy.db"]).sentence(1), "The folder no/such does not exist.");
    assert_eq!(run(folder.path(), &["backup", "new/"]).sentence(1), "The folder new/ does not exist.");
    assert_eq!(everything_in(folder.path()), before);
}

#[test]
fn reading_a_missing_database_does_not_create_it() {
    let folder = empty_folder();
    for arguments in [&["backup", "copy.db"][..], &["migrate", "--status"]] {
        let message = run(folder.path(), arguments).sentence(1);
        assert_eq!(
            message,
            "There is no database at lectern.db; name one with --database, or start 'lectern serve' once to create it."
        );
    }
    assert!(everything_in(folder.path()).is_empty());
}

#[test]
fn migrate_applies_pending_migrations_once_and_reports_the_status() {
    let folder = empty_folder();
    std::fs::write(folder.path().join("lectern.db"), "").unwrap();
    let status = succeed(folder.path(), &["migrate", "--status"]);
    assert_eq!(
        status.split_whitespace().collect::<Vec<_>>(),
        embedded_migrations()
            .into_iter()
            .flat_map(|migration| [format!("V{}", migration.version), migration.name, "pending".to_owned()])
            .collect::<Vec<_>>()
    );

    for arguments in [&["log"][..], &["users"], &["remove-admin", EMAIL]] {
        let message = run(folder.path(), arguments).sentence(1);
        assert_eq!(message, "The database has pending migrations; run 'lectern migrate' first.", "{arguments:?}");
    }
    assert_eq!(succeed(folder.path(), &["migrate"]), all_migrations_applied());
    assert_eq!(
        succeed(folder.path(), &["migrate"]),
        format!("The database is up to date (V{}).\n", db::newest_version())
    );
    let status = succeed(folder.path(), &["migrate", "--status"]);
    let words: Vec<&str> = status.split_whitespace().collect();
    assert_eq!(words[..3], ["V1", "initial", "applied"]);
    assert!(chrono::DateTime::parse_from_rfc3339(words[3]).is_ok(), "{status}");
    assert_eq!(everything_in(folder.path()).into_keys().collect::<Vec<_>>(), ["lectern.db"]);

    succeed(folder.path(), &["migrate", "--database", "new.db"]);
    assert_eq!(mode(&folder.path().join("new.db")), 0o600);
}

#[test]
fn a_name_in_s3_is_no_destination() {
    let folder = folder_with_admin();
    let before = names_in(folder.path());
    let message = run(folder.path(), &["backup", "s3:copy.db"]).sentence(2);
    assert!(message.contains("s3:copy.db is not a file or a folder; without a destination"), "{message}");
    assert_eq!(names_in(folder.path()), before);
}

#[test]
fn migrate_runs_while_the_server_does() {
    let folder = empty_folder();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(
        succeed(folder.path(), &["migrate"]),
        format!("The database is up to date (V{}).\n", db::newest_version())
    );
    assert_eq!(server.visitor().get("/api/events").status, 200);
    server.stop();
}

fn backups_in(folder: &Path) -> Vec<String> {
    names_in(folder).into_iter().filter(|name| Path::new(name).extension().is_some_and(|end| end == "db")).collect()
}

#[test]
fn a_backup_in_a_folder_is_named_by_its_time_and_expired_ones_are_deleted() {
    let folder = folder_with_admin();
    let backups = folder.path().join("backups");
    std::fs::write(folder.path().join("config.toml"), "[backup.keep]\ndaily = 2\nweekly = 0\nmonthly = 0\n").unwrap();
    std::fs::create_dir(&backups).unwrap();
    for name in
        ["lectern-2026-01-01T000000Z.db", "lectern-2026-01-02T000000Z.db", "mine.db", "other-2026-01-01T000000Z.db"]
    {
        std::fs::write(backups.join(name), "x").unwrap();
    }
    let out = succeed(folder.path(), &["backup", "backups"]);
    let path = out.strip_prefix("Wrote ").and_then(|rest| rest.split(" (").next()).unwrap();
    assert_eq!(mode(&folder.path().join(path)), 0o600);
    assert_eq!(count(&folder.path().join(path), "users"), 1);
    let kept = backups_in(&backups);
    let new = path.strip_prefix("backups/").unwrap();
    assert_eq!(kept, ["lectern-2026-01-02T000000Z.db", new, "mine.db", "other-2026-01-01T000000Z.db"]);
}

#[test]
fn what_a_killed_process_has_copied_is_deleted_by_a_later_backup() {
    let folder = folder_with_admin();
    std::fs::create_dir(folder.path().join("backups")).unwrap();
    for (name, dest) in [("lectern.db.before-v2", "backups"), ("copy.db", "copy.db")] {
        let copies = [1, 2].map(|process| folder.path().join(format!(".{name}.{process}.part")));
        for path in &copies {
            std::fs::write(path, "half a copy").unwrap();
        }
        let two_hours_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(2);
        std::fs::File::options().write(true).open(&copies[0]).unwrap().set_modified(two_hours_ago).unwrap();
        succeed(folder.path(), &["backup", dest]);
        assert_eq!(copies.map(|path| path.exists()), [false, true], "the new one may be of a process that runs");
    }
}

#[test]
fn backups_of_the_same_second_get_names_of_their_own() {
    let folder = folder_with_admin();
    let backups = folder.path().join("backups");
    std::fs::write(folder.path().join("config.toml"), "[backup]\ndir = \"backups\"\n").unwrap();
    let path_in = |out: &str| folder.path().join(out.strip_prefix("Wrote ").unwrap().split(" (").next().unwrap());
    let written: BTreeSet<PathBuf> = std::thread::scope(|scope| {
        let commands = [(); 4].map(|()| scope.spawn(|| path_in(&succeed(folder.path(), &["backup"]))));
        commands.map(|command| command.join().unwrap()).into()
    });
    assert_eq!(written.len(), 4, "{written:?}");
    for path in &written {
        assert_eq!(count(path, "users"), 1, "{}", path.display());
    }
    assert_eq!(names_in(&backups).len(), 4, "no unfinished file is left");

    // One of the schedule and one of the command, at a fixed time. A link that leads nowhere has a name, too.
    let (database, backups) = (folder.path().join("lectern.db"), folder.path().join("others"));
    std::fs::create_dir(&backups).unwrap();
    std::os::unix::fs::symlink("nowhere", backups.join("lectern-2026-11-22T023100Z.db")).unwrap();
    let now = chrono::DateTime::parse_from_rfc3339("2026-11-22T02:30:59Z").unwrap().to_utc();
    let back_up = |now| {
        let keep = Keep { daily: 1, weekly: 0, monthly: 0 };
        let monitor = ProgressMonitor::default();
        let path = db::backup_into(&connect(&database), &database, &backups, keep, now, &monitor).unwrap();
        path.strip_prefix(&backups).unwrap().to_str().unwrap().to_owned()
    };
    assert_eq!(back_up(now), "lectern-2026-11-22T023059Z.db");
    assert_eq!(back_up(now), "lectern-2026-11-22T023101Z.db");
    assert_eq!(backups_in(&backups).len(), 2, "another process may still read the first");
    let newest = back_up(now + chrono::TimeDelta::minutes(3));
    assert_eq!(newest, "lectern-2026-11-22T023359Z.db");
    assert_eq!(backups_in(&backups), [newest]);
}

#[test]
fn without_a_destination_the_backup_goes_to_the_folder_of_the_settings() {
    let folder = folder_with_admin();
    let message = run(folder.path(), &["backup"]).sentence(2);
    assert!(message.contains("name a file or a folder, or set dir under [backup]"), "{message}");
    std::fs::write(folder.path().join("config.toml"), "[backup]\ndir = \"a/b\"\n").unwrap();
    succeed(folder.path(), &["backup"]);
    assert_eq!(backups_in(&folder.path().join("a/b")).len(), 1);
    let list = succeed(folder.path(), &["restore", "--list"]);
    assert!(list.lines().count() == 1 && list.contains("a/b/lectern-20"), "{list}");
    std::fs::write(folder.path().join("config.toml"), "[backup]\ndir = \"config.toml/b\"\n").unwrap();
    let message = run(folder.path(), &["backup"]).sentence(1);
    assert!(message.starts_with("The folder config.toml/b can't be created: "), "{message}");
    std::fs::write(folder.path().join("config.toml"), "[backup]\ndir = \"config.toml\"\n").unwrap();
    assert_eq!(run(folder.path(), &["backup"]).sentence(1), "config.toml is a file; name a folder for the backups.");
}

#[test]
fn the_server_makes_a_backup_only_if_the_last_one_is_too_old() {
    let folder = folder_with_admin();
    let backups = folder.path().join("backups");
    std::fs::write(folder.path().join("config.toml"), "[backup]\ndir = \"backups\"\nevery = \"6 hours\"\n").unwrap();
    let server = Server::start(folder.path(), &[]);
    server.wait_for("the first backup", || backups_in(&backups).into_iter().next());
    server.wait_for("its log line", || server.log().contains("a backup was made").then_some(()));
    assert_eq!(server.visitor().get("/healthz").json()["status"], "ok");
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    assert_eq!(admin.get("/api/server-problems").json(), json!({ "problems": [] }));
    server.stop();

    // A start soon after makes no second backup; a start much later does. One from the future does not count.
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.visitor().get("/healthz").status, 200);
    server.stop();
    let only = backups_in(&backups).pop().unwrap();
    std::fs::rename(backups.join(only), backups.join("lectern-2026-01-01T000000Z.db")).unwrap();
    let server = Server::start(folder.path(), &[]);
    server.wait_for("the next backup", || (backups_in(&backups).len() == 2).then_some(()));
    server.stop();
    let newest = backups_in(&backups).pop().unwrap();
    std::fs::write(backups.join("lectern-2100-01-01T000000Z.db"), "x").unwrap();
    std::fs::rename(backups.join(&newest), backups.join("lectern-2026-01-02T000000Z.db")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let newest =
        server.wait_for("a backup now", || backups_in(&backups).into_iter().find(|name| !name.contains("-01-0")));
    server.stop();
    assert_eq!(backups_in(&backups).len(), 4);
    succeed(folder.path(), &["restore", &format!("backups/{newest}")]);
    assert_eq!(mode(&backups), 0o700);
}

#[test]
fn a_backup_that_fails_is_reported_and_the_site_is_served() {
    let folder = folder_with_admin();
    std::fs::write(folder.path().join("file"), "").unwrap();
    std::fs::write(folder.path().join("config.toml"), "[backup]\ndir = \"file/backups\"\n").unwrap();
    let server = Server::start(folder.path(), &[]);
    let health = server.wait_for("the report", || {
        let health = server.visitor().get("/healthz");
        (health.json()["status"] == "degraded").then_some(health)
    });
    assert_eq!(health.status, 200);
    assert_eq!(health.json()["problems"], json!(["The backup fails, and there is no earlier one"]));
    // The portal shows it to admins only.
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    assert_eq!(admin.get("/api/server-problems").json(), json!({ "problems": health.json()["problems"] }));
    assert_eq!(server.visitor().get("/api/server-problems").status, 401);
    assert!(server.log().contains("the backup failed"), "{}", server.log());
    server.stop();
}
