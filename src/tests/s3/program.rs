//! The real program against storage that fails: what the operator gets to know.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{ACCESS_KEY, SECRET_KEY, settings};
use crate::tests::support::fake_s3::{FakeS3, Fault};
use crate::tests::support::program::{EMAIL, PASSWORD, Server, command, create_admin, run, succeed};
use crate::tests::support::raw_client::RawClient;

fn folder(settings: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), settings).unwrap();
    create_admin(folder.path());
    folder
}

fn start(folder: &Path) -> (Server, SocketAddr) {
    let mut serve = command(folder, &["serve", "--listen", "127.0.0.1:0"]);
    serve.env("LECTERN_METRICS__LISTEN", "127.0.0.1:0");
    let server = Server::spawn(serve);
    let log = server.log();
    let address = log.split_once("/metrics").and_then(|(before, _)| before.rsplit_once("http://")).unwrap().1;
    let address = address.parse().unwrap();
    (server, address)
}

fn problems(server: &Server) -> Value {
    server.visitor().get("/healthz").json()["problems"].clone()
}

fn metric(metrics: SocketAddr, name: &str) -> Option<f64> {
    let page = RawClient::to(metrics).get("/metrics").text();
    page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[test]
fn the_server_uploads_each_backup_and_tells_how_old_the_last_one_is() {
    let fake = FakeS3::start();
    fake.fail("PUT", Fault::Status(503, "SlowDown"), 1);
    let folder = folder(&settings(&fake.endpoint(), ""));
    let (server, metrics) = start(folder.path());
    let keys = server.wait_for("the upload", || Some(fake.keys()).filter(|keys| !keys.is_empty()));
    assert_eq!(fake.object(&keys[0]).unwrap(), std::fs::read(folder.path().join("backups").join(&keys[0])).unwrap());
    let age = server.wait_for("the metric", || metric(metrics, "lectern_backup_remote_age_seconds"));
    assert!((0.0..60.0).contains(&age));
    assert_eq!(metric(metrics, "lectern_backup_remote_failures_total"), Some(0.0));
    assert!(metric(metrics, "lectern_backup_remote_size_bytes") > Some(4_096.0));
    assert_eq!(problems(&server), json!([]));
    assert!(server.log().contains("the backup was uploaded to S3"), "{}", server.log());
    // After a reload and after a restart it is there already.
    server.signal(Signal::HUP);
    server.wait_for("the reload", || server.log().contains("was reloaded").then_some(()));
    server.wait_for("the list", || metric(metrics, "lectern_backup_remote_age_seconds"));
    server.stop();
    let sent = fake.requests().iter().filter(|request| request.starts_with("PUT")).count();
    assert_eq!(sent, 2, "{:?}", fake.requests());
}

#[test]
fn an_upload_that_fails_is_reported_and_the_local_backup_is_made() {
    let fake = FakeS3::start();
    fake.put("lectern-2026-01-01T000000Z.db", b"x");
    fake.fail("PUT", Fault::Status(403, "AccessDenied"), 1_000);
    let folder = folder(&settings(&fake.endpoint(), ""));
    let (server, metrics) = start(folder.path());
    let expected = json!(["The upload of the backup to S3 fails; the last good one is too old: 2026-01-01 00:00 UTC"]);
    server.wait_for("the report", || (problems(&server) == expected).then_some(()));
    assert_eq!(server.visitor().get("/healthz").status, 200);
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    assert_eq!(admin.get("/api/server-problems").json(), json!({ "problems": expected }));
    assert_eq!(metric(metrics, "lectern_backup_remote_failures_total"), Some(1.0));
    assert_eq!(metric(metrics, "lectern_problems{status=\"degraded\"}"), Some(1.0));
    let log = server.log();
    assert!(
        log.contains("the upload of the backup to S3 failed") && log.contains("(status 403, AccessDenied)"),
        "{log}"
    );
    assert!(!log.contains(ACCESS_KEY) && !log.contains(SECRET_KEY) && !log.contains("hush"), "{log}");
    assert_eq!(std::fs::read_dir(folder.path().join("backups")).unwrap().count(), 1);
    server.stop();

    let check = run(folder.path(), &["check"]);
    assert_eq!(check.code, Some(1));
    let line = "PROBLEM  backups       the last one in S3 is from 2026-01-01 00:00 UTC, which is too old; run";
    assert!(check.out.contains(line), "{}", check.out);
    // The command says the same, and that there is a local backup. Its name has the second.
    std::thread::sleep(Duration::from_secs(1));
    let ran = run(folder.path(), &["backup"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("Wrote backups/lectern-20") && ran.out.lines().count() == 1, "{ran:?}");
    assert!(
        ran.err.contains("rejects the request to write to the bucket copies (status 403, AccessDenied)"),
        "{ran:?}"
    );
    fake.recover();
    std::thread::sleep(Duration::from_secs(1));
    let out = succeed(folder.path(), &["backup"]);
    assert!(out.contains("Uploaded it to the bucket copies as s3:lectern-20"), "{out}");
}

#[test]
fn old_backups_that_the_bucket_keeps_and_misdated_ones_are_named() {
    let fake = FakeS3::start();
    for name in ["2026-01-01T000000Z", "2026-01-01T010000Z", "2999-01-01T000000Z"] {
        fake.put(&format!("lectern-{name}.db"), b"x");
    }
    fake.fail("DELETE", Fault::Status(403, "AccessDenied"), 100);
    let folder = folder(&settings(&fake.endpoint(), ""));
    // Backups from before the database was created are of another one.
    rusqlite::Connection::open(folder.path().join("lectern.db"))
        .unwrap()
        .execute("UPDATE refinery_schema_history SET applied_on = '2025-12-31T00:00:00Z'", [])
        .unwrap();
    let ran = run(folder.path(), &["backup"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let warning = "Warning: an old backup in S3 could not be deleted backup=\"lectern-2026-01-01T000000Z.db\"";
    assert!(ran.err.starts_with(warning) && ran.err.lines().count() == 1, "{ran:?}");

    let check = run(folder.path(), &["check"]);
    let note = "1 backup has a time in the future: s3:lectern-2999-01-01T000000Z.db; if the clock is right now";
    assert!(check.out.contains(note), "{}", check.out);
}

#[test]
fn a_server_on_a_new_machine_names_the_backup_in_the_bucket_instead_of_starting_empty() {
    let fake = FakeS3::start();
    fake.put("lectern-2026-01-01T000000Z.db", b"x");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), settings(&fake.endpoint(), "")).unwrap();
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"]] {
        let text = run(folder.path(), arguments).sentence(1);
        assert!(text.contains("run 'lectern restore s3:lectern-2026-01-01T000000Z.db'"), "{text}");
    }
    fake.fail("GET", Fault::Status(403, "InvalidAccessKeyId"), 1_000);
    let text = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).sentence(1);
    assert!(text.contains("whether the bucket copies has backups of one can't be seen"), "{text}");
    assert!(!folder.path().join("lectern.db").exists());
    fake.recover();
    // Whoever wants an empty one says so.
    create_admin(folder.path());
    Server::start(folder.path(), &[]).stop();
    assert!(fake.object("lectern-2026-01-01T000000Z.db").is_some());
}

#[test]
fn a_backup_that_was_not_uploaded_completely_is_uploaded_again() {
    let fake = FakeS3::start();
    let folder = folder(&settings(&fake.endpoint(), ""));
    succeed(folder.path(), &["backup"]);
    let backups = std::fs::read_dir(folder.path().join("backups")).unwrap();
    let backup = backups.map(|entry| entry.unwrap().path()).next().unwrap();
    let (key, content) = (backup.file_name().unwrap().to_str().unwrap(), std::fs::read(&backup).unwrap());
    fake.put(key, &content[..1_000]);
    let (server, _) = start(folder.path());
    let is_complete = || fake.object(key).is_some_and(|object| object == content);
    server.wait_for("the complete backup", || is_complete().then_some(()));
    server.stop();
}

#[test]
fn unavailable_storage_hides_no_local_backup() {
    let fake = FakeS3::start();
    fake.fail("GET", Fault::Status(403, "InvalidAccessKeyId"), 1_000);
    let folder = folder(&settings(&fake.endpoint(), ""));
    let ran = run(folder.path(), &["backup"]);
    assert!(ran.out.starts_with("Wrote backups/"), "{ran:?}");
    let ran = run(folder.path(), &["restore", "--list"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("backups/lectern-20") && ran.out.lines().count() == 1, "{ran:?}");
    assert!(ran.err.contains("InvalidAccessKeyId); check backup.s3.access_key."), "{ran:?}");
    let check = run(folder.path(), &["check"]).out;
    assert!(check.contains("PROBLEM  backups       the backups in S3 can't be listed: "), "{check}");
    // A running server is noticed before anything is downloaded.
    let server = Server::start(folder.path(), &[]);
    let before = fake.requests().len();
    let text = run(folder.path(), &["restore", "s3:lectern-2026-01-01T000000Z.db"]).sentence(1);
    assert!(text.contains("another lectern") || text.contains("in use") || text.contains("serve"), "{text}");
    assert!(fake.requests()[before..].iter().all(|request| !request.contains(".db")), "{:?}", fake.requests());
    server.stop();
}

#[test]
fn commands_without_s3_need_no_key() {
    let folder = folder(&settings("http://127.0.0.1:1", "").replace("_key =", "_key = \"\" #"));
    for arguments in [&["users"][..], &["migrate"], &["log"], &["backup", "copy.db"], &["restore", "copy.db"]] {
        succeed(folder.path(), arguments);
    }
    let ran = run(folder.path(), &["restore", "--list"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("lectern.db.before-restore-") && ran.err.contains("the key is not set"), "{ran:?}");
    let check = run(folder.path(), &["check"]);
    assert!(check.out.contains("note     backups       the key of the backups in S3 is not set here"), "{check:?}");
    for arguments in [&["backup"][..], &["restore", "s3:lectern-2026-01-01T000000Z.db"]] {
        let text = run(folder.path(), arguments).sentence(2);
        assert!(text.contains("without backup.s3.access_key, backup.s3.secret_key"), "{text}");
    }
}

#[test]
fn settings_that_are_incomplete_or_wrong_stop_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let whole = settings("http://127.0.0.1:1", "");
    for (from, to, expected) in [
        ("dir = \"backups\"\n", "", "backup.s3.bucket is set without backup.dir; set what is missing"),
        ("endpoint", "# endpoint", "backup.s3.bucket is set without backup.s3.endpoint; set what is missing"),
        (
            "secret_key",
            "# secret_key",
            "without backup.s3.secret_key; set what is missing, or leave backup.s3.bucket blank.",
        ),
        ("http://127.0.0.1:1", "127.0.0.1:1", "use one that begins with https:// or http://"),
        ("http://127.0.0.1:1", "http://me:hush@127.0.0.1:1", "an endpoint has no user name and no password"),
        ("http://127.0.0.1:1", "http://127.0.0.1:1/?a=b", "contains more than a host and a path"),
        ("\"copies\"", "\"my copies\"", "`my copies` is not a valid bucket name"),
        ("prefix = \"\"", "prefix = \"a/../b\"", "`a/../b` is not a valid prefix"),
        ("prefix = \"\"", "path_style = false", "do not form a host name; set backup.s3.path_style = true"),
        ("prefix = \"\"", "region = \" \"", "this can't be blank"),
        ("prefix = \"\"", "folder = \"a\"", "unknown"),
    ] {
        std::fs::write(folder.path().join("config.toml"), whole.replacen(from, to, 1)).unwrap();
        let text = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).sentence(2);
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains("hush"), "{text}");
    }
    std::fs::write(folder.path().join("config.toml"), "[backup.s3]\nregion = \"auto\"\n").unwrap();
    let check = run(folder.path(), &["check"]).out;
    assert!(check.contains("the settings under [backup.s3] do nothing without bucket"), "{check}");
}
