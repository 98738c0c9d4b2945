//! The client against storage that fails.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use tempfile::TempDir;

use super::{assert_is_sentence, backup, file_of};
use crate::platform::backoff::Backoff;
use crate::platform::clock::Clock;
use crate::platform::config::{Keep, OutgoingNetwork};
use crate::platform::db::S3Backups;
use crate::platform::error::ErrorChain;
use crate::platform::progress::ProgressMonitor;
use crate::platform::s3::{Client, Limits, S3Error};
use crate::tests::support::fake_s3::{FakeS3, Fault};

/// More than two parts.
const LARGE: usize = 17 * 1024 * 1024;
/// A busy machine may need a second for one step of a healthy transfer.
const LIMITS: Limits = Limits {
    stall: Duration::from_secs(2),
    backoff: Backoff::new(Duration::from_millis(5), Duration::from_millis(20)),
};

fn client(fake: &FakeS3) -> Client {
    let config = backup(&fake.endpoint(), "");
    Client::with_limits(&config.s3, &OutgoingNetwork::default(), &Clock::default(), LIMITS).unwrap()
}

fn put(client: &Client, folder: &TempDir, name: &str) -> Result<(), S3Error> {
    client.put_file(name, &folder.path().join(name), &ProgressMonitor::default())
}

fn message(result: Result<(), S3Error>) -> String {
    let text = ErrorChain(&result.unwrap_err()).to_string();
    assert_is_sentence(&text);
    text
}

#[test]
fn files_are_uploaded_in_parts_and_downloaded_as_they_were() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    let client = client(&fake);
    for (name, bytes) in [("empty", 0), ("small", 1), ("part", 8 << 20), ("two parts", (8 << 20) + 1), ("large", LARGE)]
    {
        let content = file_of(folder.path(), name, bytes);
        put(&client, &folder, name).unwrap();
        assert!(fake.object(name).unwrap() == content, "{name}");
        let copy = tempfile::tempfile().unwrap();
        client.get_file(name, bytes as u64, &copy, &ProgressMonitor::default()).unwrap();
        assert!(read(copy) == content, "{name}");
    }
    assert_eq!(client.list("").unwrap().len(), 5);
    client.delete("small").unwrap();
    client.delete("small").unwrap();
    let keys: Vec<_> = client.list("").unwrap().into_iter().map(|object| (object.key, object.bytes)).collect();
    assert_eq!(keys[0], ("empty".to_owned(), 0));
    assert_eq!(keys.len(), 4);
}

fn read(mut file: std::fs::File) -> Vec<u8> {
    use std::io::{Read as _, Seek as _};
    file.rewind().unwrap();
    let mut content = Vec::new();
    file.read_to_end(&mut content).unwrap();
    content
}

#[test]
fn a_request_that_fails_for_the_moment_is_repeated() {
    assert_uploads_despite(&[
        ("POST uploads", Fault::Status(503, "SlowDown")),
        ("PUT partNumber=2", Fault::Status(500, "InternalError")),
        ("PUT partNumber=3", Fault::Status(400, "BadDigest")),
        ("PUT partNumber=2", Fault::Cut(1 << 20)),
        ("POST uploadId", Fault::Late("InternalError")),
    ]);
}

#[test]
fn a_request_without_a_response_is_repeated() {
    assert_uploads_despite(&[
        ("PUT partNumber=1", Fault::Hang),
        ("PUT partNumber=1", Fault::LostResponse),
        ("POST uploadId", Fault::LostResponse),
    ]);
}

fn assert_uploads_despite(faults: &[(&'static str, Fault)]) {
    let folder = tempfile::tempdir().unwrap();
    let content = file_of(folder.path(), "large", LARGE);
    for &(request, fault) in faults {
        let fake = FakeS3::start();
        fake.fail(request, fault, 2);
        if matches!(fault, Fault::LostResponse) {
            fake.recover();
            fake.fail(request, fault, 1);
        }
        put(&client(&fake), &folder, "large").unwrap_or_else(|error| panic!("{request} {fault:?}: {error}"));
        assert!(fake.object("large").unwrap() == content, "{request} {fault:?}");
        assert_eq!(fake.unfinished(), 0);
    }
}

#[test]
fn a_download_that_fails_for_the_moment_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let content = file_of(folder.path(), "large", LARGE);
    let fake = FakeS3::start();
    fake.put("large", &content);
    for fault in [Fault::Short, Fault::Status(503, "SlowDown"), Fault::Hang] {
        fake.fail("GET large", fault, 1);
    }
    let copy = tempfile::tempfile().unwrap();
    client(&fake).get_file("large", LARGE as u64, &copy, &ProgressMonitor::default()).unwrap();
    assert!(read(copy) == content);
}

#[test]
fn an_upload_that_fails_for_good_leaves_nothing_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    file_of(folder.path(), "large", LARGE);
    for (request, fault, expected) in [
        (
            "PUT partNumber=2",
            Fault::Status(503, "SlowDown"),
            "fails to write to the bucket copies (status 503, SlowDown)",
        ),
        ("PUT partNumber=2", Fault::Cut(1 << 20), "ended the connection too early"),
        ("PUT partNumber=3", Fault::Hang, "made no progress for 2 seconds"),
        (
            "POST uploadId",
            Fault::Late("InvalidPart"),
            "rejects the request to write to the bucket copies (status 200, InvalidPart)",
        ),
        (
            "PUT partNumber=1",
            Fault::Status(403, "AccessDenied"),
            "; the key needs permission to list, read, write and delete",
        ),
    ] {
        let fake = FakeS3::start();
        fake.fail(request, fault, 100);
        let text = message(put(&client(&fake), &folder, "large"));
        assert!(text.starts_with(&fake.endpoint()) && text.contains(expected), "{text}");
        assert_eq!((fake.unfinished(), fake.keys()), (0, Vec::new()), "{text}");
    }
}

#[test]
fn rejections_say_what_to_correct() {
    for (status, code, expected) in [
        (403, "InvalidAccessKeyId", "(status 403, InvalidAccessKeyId); check backup.s3.access_key"),
        (403, "SignatureDoesNotMatch", "; check backup.s3.secret_key and backup.s3.region"),
        (400, "AuthorizationHeaderMalformed", "; check backup.s3.region and backup.s3.endpoint"),
        (301, "PermanentRedirect", "(status 301, PermanentRedirect); check backup.s3.region and backup.s3.endpoint"),
        (
            404,
            "NoSuchBucket",
            "rejects the request to list the bucket copies (status 404, NoSuchBucket); create the bucket",
        ),
        (403, "AccessDenied", "; the key needs permission to list, read, write and delete objects"),
        (403, "RequestTimeTooSkewed", "because the clocks differ: here it is 20"),
        (501, "NotImplemented", "fails to list the bucket copies (status 501, NotImplemented)"),
    ] {
        let fake = FakeS3::start();
        fake.fail("GET", Fault::Status(status, code), 1);
        let text = message(client(&fake).list("").map(drop));
        assert!(text.contains(expected), "{text}");
        assert_eq!(fake.requests(), ["GET /copies/?list-type=2&prefix="], "{text}");
    }
}

#[test]
fn a_clock_that_is_wrong_is_named_whatever_the_code_is() {
    let fake = FakeS3::start();
    fake.set_clock(TimeDelta::hours(-3));
    // Some implementations say this of a signature that has expired or is not valid yet.
    fake.fail("GET", Fault::Status(403, "AccessDenied"), 1);
    let text = message(client(&fake).list("").map(drop));
    assert!(text.contains("rejects the signature because the clocks differ: here it is 20"), "{text}");
    assert!(
        text.contains(" UTC, there 20")
            && text.ends_with("(status 403, AccessDenied); correct the clock of this machine")
    );
}

#[test]
fn what_is_not_s3_is_named() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    for text in [
        "<html><body>Welcome</body></html>",
        "{\"hush\": 4711}",
        "",
        "<ListBucketResult><Contents/></ListBucketResult>",
    ] {
        fake.fail("GET", Fault::Text(text), 1);
        let text = message(client(&fake).list("").map(drop));
        assert!(text.ends_with("is not an S3 response; check backup.s3.endpoint and backup.s3.bucket"), "{text}");
    }
    let config = backup("http://127.0.0.1:1", "");
    let client = Client::with_limits(&config.s3, &OutgoingNetwork::default(), &Clock::default(), LIMITS).unwrap();
    let text = message(client.list("").map(drop));
    assert!(text.starts_with("http://127.0.0.1:1 can't be reached: "), "{text}");
    let text = message(put(&client, &folder, "missing"));
    assert!(text.starts_with("The backup for the bucket copies can't be read or written: "), "{text}");
}

#[test]
fn storage_that_hangs_is_given_up_after_the_time_without_progress() {
    let fake = FakeS3::start();
    fake.fail("GET", Fault::Hang, 100);
    let began = Instant::now();
    let text = message(client(&fake).list("").map(drop));
    assert!(text.contains("made no progress"), "{text}");
    assert!(began.elapsed() < Duration::from_mins(1), "{:?}", began.elapsed());
    assert_eq!(fake.requests().len(), 4);
}

#[test]
fn a_cancelled_upload_ends_at_once_and_leaves_nothing() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    file_of(folder.path(), "large", LARGE);
    fake.fail("PUT partNumber=2", Fault::Status(503, "SlowDown"), 100);
    let monitor = ProgressMonitor::default();
    let upload = {
        let (client, monitor, path) = (client(&fake), monitor.clone(), folder.path().join("large"));
        std::thread::spawn(move || client.put_file("large", &path, &monitor))
    };
    while !fake.requests().iter().any(|request| request.contains("partNumber=2")) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    // Dropped without being complete.
    runtime.block_on(async {
        let watch = monitor.watch(Duration::from_mins(1), std::future::pending::<()>(), || {});
        let _ = tokio::time::timeout(Duration::from_millis(1), watch).await;
    });
    let text = message(upload.join().unwrap());
    assert!(text == "The transfer was cancelled" || text.contains("SlowDown"), "{text}");
    assert_eq!((fake.unfinished(), fake.keys()), (0, Vec::new()));
}

fn backups(fake: &FakeS3, prefix: &str, keep: Keep, database: &Path) -> S3Backups {
    let config = crate::platform::config::Backup { keep, ..backup(&fake.endpoint(), prefix) };
    let client = Client::with_limits(&config.s3, &OutgoingNetwork::default(), &Clock::default(), LIMITS).unwrap();
    S3Backups::with_client(client, &config, database, &Clock::default())
}

#[test]
fn an_upload_rotates_only_the_backups_of_its_database_under_its_prefix() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    let name = |day: u32| format!("lectern-2026-01-{day:02}T000000Z.db");
    let others = ["sites/b/lectern-2026-01-01T000000Z.db", "sites/a/other-2026-01-01T000000Z.db", "sites/a/notes.txt"];
    for key in others.iter().map(|key| (*key).to_owned()).chain((1..=5).map(|day| format!("sites/a/{}", name(day)))) {
        fake.put(&key, b"x");
    }
    fake.leave_upload(&format!("sites/a/{}", name(9)));
    fake.leave_upload("sites/a/notes.txt");
    let content = file_of(folder.path(), &name(6), 100);
    let keep = Keep { daily: 2, weekly: 0, monthly: 0 };
    let backups = backups(&fake, "sites/a", keep, &folder.path().join("lectern.db"));

    let uploaded = backups.upload(&folder.path().join(name(6)), &ProgressMonitor::default()).unwrap();

    assert_eq!((uploaded.name.clone(), uploaded.bytes), (name(6), 100));
    assert!(fake.object(&format!("sites/a/{}", name(6))).unwrap() == content);
    let listed: Vec<_> = backups.all().unwrap().into_iter().map(|backup| backup.name).collect();
    assert_eq!(listed, [name(6), name(5)]);
    for key in others {
        assert!(fake.object(key).is_some(), "{key}");
    }
    assert_eq!(fake.unfinished(), 1, "uploads of others stay");
    // Again: what is there is not sent twice.
    let sent = |fake: &FakeS3| fake.requests().iter().filter(|request| request.starts_with("PUT")).count();
    assert_eq!(backups.upload(&folder.path().join(name(6)), &ProgressMonitor::default()).unwrap(), uploaded);
    assert_eq!(sent(&fake), 1);

    // With a key that may not delete, backups are uploaded all the same.
    file_of(folder.path(), &name(7), 10);
    fake.fail("DELETE", Fault::Status(403, "AccessDenied"), 100);
    backups.upload(&folder.path().join(name(7)), &ProgressMonitor::default()).unwrap();
    assert_eq!(backups.all().unwrap().len(), 3);
    let (backup, download) = backups.download(&name(6)).unwrap();
    assert_eq!(std::fs::read(download.path()).unwrap(), content);
    let path = download.path().to_owned();
    drop((backup, download));
    assert!(!path.exists());
}

/// A backup of a database that was created at this time, in a file with this name.
fn backup_of_database(folder: &Path, name: &str, created_at: &str) -> PathBuf {
    let path = folder.join(name);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let history = "CREATE TABLE refinery_schema_history (version INTEGER, name TEXT, applied_on TEXT, checksum TEXT)";
    connection.execute(history, []).unwrap();
    connection.execute("INSERT INTO refinery_schema_history VALUES (1, 'start', ?1, '1')", [created_at]).unwrap();
    path
}

#[test]
fn an_upload_deletes_no_backup_that_is_older_than_its_database() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    let name = |hour: u32| format!("lectern-2026-01-06T{hour:02}0000Z.db");
    for hour in [1, 2, 5] {
        fake.put(&name(hour), b"x");
    }
    let path = backup_of_database(folder.path(), &name(6), "2026-01-06T03:00:00Z");
    let keep = Keep { daily: 1, weekly: 0, monthly: 0 };
    let backups = backups(&fake, "", keep, &folder.path().join("lectern.db"));
    backups.upload(&path, &ProgressMonitor::default()).unwrap();
    let listed: Vec<_> = backups.all().unwrap().into_iter().map(|backup| backup.name).collect();
    assert_eq!(listed, [name(6), name(2), name(1)]);
}

#[test]
fn a_backup_that_the_storage_does_not_list_does_not_count() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    let name = "lectern-2026-01-01T000000Z.db";
    file_of(folder.path(), name, 100);
    fake.fail("GET", Fault::Text("<ListBucketResult/>"), 3);
    let backups = backups(&fake, "", Keep::default(), &folder.path().join("lectern.db"));
    let error = backups.upload(&folder.path().join(name), &ProgressMonitor::default()).unwrap_err().to_string();
    assert!(error.contains("was uploaded to the bucket copies, which does not list it"), "{error}");
}
