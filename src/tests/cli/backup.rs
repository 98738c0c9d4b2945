//! `lectern backup` and `lectern migrate`

use crate::platform::db;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{EMAIL, PASSWORD, connect, count, empty_folder, everything_in, folder_with_admin};
use crate::tests::support::program::{Server, WhenDone, all_migrations_applied, embedded_migrations, run, succeed};
use crate::tests::support::speaker;

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn a_copy_that_is_made_under_writes_is_whole_and_can_be_served() {
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
        // Signing in takes its time, on a busy machine more than five copies do.
        while written.load(Ordering::Acquire) == 0 {
            assert!(began.elapsed() < Duration::from_mins(1), "nobody writes");
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
        assert!(speakers >= 8 + before, "{speakers} speakers, where {before} were added before the copy began");
    }
    let names: Vec<_> = everything_in(folder.path()).into_keys().filter(|name| name.contains("part")).collect();
    assert_eq!(names, Vec::<String>::new(), "nothing unfinished is left");

    let restored = Server::start(folder.path(), &["--database", "copy4.db"]);
    assert_eq!(restored.visitor().get("/api/events").json().as_array().unwrap().len(), 24);
    let mut admin = restored.visitor().sign_in(EMAIL, PASSWORD);
    assert_eq!(admin.put("/api/page-content/home", &json!({ "heroTitle": "A", "heroSubtitle": "B" })).status, 200);
    restored.stop();
}

#[test]
fn only_the_owner_can_read_what_is_stored() {
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
fn a_copy_never_replaces_anything() {
    let folder = folder_with_admin();
    std::fs::write(folder.path().join("taken"), "mine").unwrap();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
    let before = everything_in(folder.path());
    for dest in ["taken", "folder", "lectern.db", "link"] {
        let message = run(folder.path(), &["backup", dest]).sentence(1);
        assert_eq!(message, format!("{dest} exists already; name a file that does not."));
    }
    assert_eq!(run(folder.path(), &["backup", "no/such/copy.db"]).sentence(1), "The folder no/such does not exist.");
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
