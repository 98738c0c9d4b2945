//! The client against storage that fails.

use std::path::Path;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use tempfile::TempDir;

use super::{assert_is_sentence, backup, file_of};
use crate::platform::clock::Clock;
use crate::platform::config::{Keep, OutgoingNetwork};
use crate::platform::db::RemoteCopies;
use crate::platform::progress::Progress;
use crate::platform::s3::{Limits, S3Error, Store};
use crate::tests::support::fake_s3::{FakeS3, Fault};

/// More than two parts.
const LARGE: usize = 17 * 1024 * 1024;
const LIMITS: Limits = Limits { stall: Duration::from_millis(300), first_pause: Duration::from_millis(5) };

fn store(fake: &FakeS3) -> Store {
    let config = backup(&fake.endpoint(), "");
    Store::with_limits(&config.s3, &OutgoingNetwork::default(), &Clock::default(), LIMITS).unwrap()
}

fn put(store: &Store, folder: &TempDir, name: &str) -> Result<(), S3Error> {
    store.put_file(name, &folder.path().join(name), &Progress::default())
}

fn message(result: Result<(), S3Error>) -> String {
    let text = result.unwrap_err().to_string();
    assert_is_sentence(&text);
    text
}

#[test]
fn files_are_uploaded_in_parts_and_downloaded_as_they_were() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    let store = store(&fake);
    for (name, bytes) in [("empty", 0), ("small", 1), ("part", 8 << 20), ("two parts", (8 << 20) + 1), ("large", LARGE)]
    {
        let content = file_of(folder.path(), name, bytes);
        put(&store, &folder, name).unwrap();
        assert!(fake.object(name).unwrap() == content, "{name}");
        let copy = tempfile::tempfile().unwrap();
        store.get_file(name, bytes as u64, &copy, &Progress::default()).unwrap();
        assert!(read(copy) == content, "{name}");
    }
    assert_eq!(store.list("").unwrap().len(), 5);
    store.delete("small").unwrap();
    store.delete("small").unwrap();
    let keys: Vec<_> = store.list("").unwrap().into_iter().map(|object| (object.key, object.bytes)).collect();
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
    let folder = tempfile::tempdir().unwrap();
    let content = file_of(folder.path(), "large", LARGE);
    for (request, fault) in [
        ("POST uploads", Fault::Status(503, "SlowDown")),
        ("PUT partNumber=2", Fault::Status(500, "InternalError")),
        ("PUT partNumber=3", Fault::Status(400, "BadDigest")),
        ("PUT partNumber=2", Fault::Cut(1 << 20)),
        ("PUT partNumber=1", Fault::Hang),
        ("PUT partNumber=1", Fault::LostResponse),
        ("POST uploadId", Fault::Late("InternalError")),
        ("POST uploadId", Fault::LostResponse),
    ] {
        let fake = FakeS3::start();
        fake.fail(request, fault, 2);
        if matches!(fault, Fault::LostResponse) {
            fake.recover();
            fake.fail(request, fault, 1);
        }
        put(&store(&fake), &folder, "large").unwrap_or_else(|error| panic!("{request} {fault:?}: {error}"));
        assert!(fake.object("large").unwrap() == content, "{request} {fault:?}");
        assert_eq!(fake.unfinished(), 0);
    }
    let fake = FakeS3::start();
    fake.put("large", &content);
    for fault in [Fault::Short, Fault::Status(503, "SlowDown"), Fault::Hang] {
        fake.fail("GET large", fault, 1);
    }
    let copy = tempfile::tempfile().unwrap();
    store(&fake).get_file("large", LARGE as u64, &copy, &Progress::default()).unwrap();
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
        ("PUT partNumber=3", Fault::Hang, "made no progress for 0 seconds"),
        (
            "POST uploadId",
            Fault::Late("InvalidPart"),
            "refuses to write to the bucket copies (status 200, InvalidPart)",
        ),
        (
            "PUT partNumber=1",
            Fault::Status(403, "AccessDenied"),
            "; the key needs permission to list, read, write and delete",
        ),
    ] {
        let fake = FakeS3::start();
        fake.fail(request, fault, 100);
        let text = message(put(&store(&fake), &folder, "large"));
        assert!(text.starts_with(&fake.endpoint()) && text.contains(expected), "{text}");
        assert_eq!((fake.unfinished(), fake.keys()), (0, Vec::new()), "{text}");
    }
}

#[test]
fn refusals_say_what_to_correct() {
    for (status, code, expected) in [
        (403, "InvalidAccessKeyId", "(status 403, InvalidAccessKeyId); check backup.s3.access_key"),
        (403, "SignatureDoesNotMatch", "; check backup.s3.secret_key and backup.s3.region"),
        (400, "AuthorizationHeaderMalformed", "; check backup.s3.region and backup.s3.endpoint"),
        (301, "PermanentRedirect", "(status 301, PermanentRedirect); check backup.s3.region and backup.s3.endpoint"),
        (404, "NoSuchBucket", "refuses to list the bucket copies (status 404, NoSuchBucket); create the bucket"),
        (403, "AccessDenied", "; the key needs permission to list, read, write and delete objects"),
        (403, "RequestTimeTooSkewed", "because the clocks differ: here it is 20"),
        (501, "NotImplemented", "fails to list the bucket copies (status 501, NotImplemented)"),
    ] {
        let fake = FakeS3::start();
        fake.fail("GET", Fault::Status(status, code), 1);
        let text = message(store(&fake).list("").map(drop));
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
    let text = message(store(&fake).list("").map(drop));
    assert!(text.contains("refuses the signature because the clocks differ: here it is 20"), "{text}");
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
        let text = message(store(&fake).list("").map(drop));
        assert!(
            text.ends_with("sent a response that is not of S3; check backup.s3.endpoint and backup.s3.bucket"),
            "{text}"
        );
    }
    let config = backup("http://127.0.0.1:1", "");
    let store = Store::with_limits(&config.s3, &OutgoingNetwork::default(), &Clock::default(), LIMITS).unwrap();
    let text = message(store.list("").map(drop));
    assert!(text.starts_with("http://127.0.0.1:1 can't be reached: "), "{text}");
    let text = message(put(&store, &folder, "missing"));
    assert!(text.starts_with("The copy for the bucket copies can't be read or written: "), "{text}");
}

#[test]
fn storage_that_hangs_is_given_up_after_the_time_without_progress() {
    let fake = FakeS3::start();
    fake.fail("GET", Fault::Hang, 100);
    let began = Instant::now();
    let text = message(store(&fake).list("").map(drop));
    assert!(text.contains("made no progress"), "{text}");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(fake.requests().len(), 4);
}

#[test]
fn a_cancelled_upload_ends_at_once_and_leaves_nothing() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    file_of(folder.path(), "large", LARGE);
    fake.fail("PUT partNumber=2", Fault::Status(503, "SlowDown"), 100);
    let progress = Progress::default();
    let upload = {
        let (store, progress, path) = (store(&fake), progress.clone(), folder.path().join("large"));
        std::thread::spawn(move || store.put_file("large", &path, &progress))
    };
    while !fake.requests().iter().any(|request| request.contains("partNumber=2")) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    // Dropped without being complete.
    runtime.block_on(async {
        let watch = progress.watch(Duration::from_mins(1), std::future::pending::<()>(), || {});
        let _ = tokio::time::timeout(Duration::from_millis(1), watch).await;
    });
    let text = message(upload.join().unwrap());
    assert!(text == "The transfer was cancelled" || text.contains("SlowDown"), "{text}");
    assert_eq!((fake.unfinished(), fake.keys()), (0, Vec::new()));
}

fn copies(fake: &FakeS3, prefix: &str, keep: Keep, database: &Path) -> RemoteCopies {
    let config = crate::platform::config::Backup { keep, ..backup(&fake.endpoint(), prefix) };
    let store = Store::with_limits(&config.s3, &OutgoingNetwork::default(), &Clock::default(), LIMITS).unwrap();
    RemoteCopies::in_store(store, &config, database, &Clock::default())
}

#[test]
fn an_upload_rotates_only_the_copies_of_its_database_under_its_prefix() {
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
    let copies = copies(&fake, "sites/a", keep, &folder.path().join("lectern.db"));

    let copy = copies.upload(&folder.path().join(name(6)), &Progress::default()).unwrap();

    assert_eq!((copy.name.clone(), copy.bytes), (name(6), 100));
    assert!(fake.object(&format!("sites/a/{}", name(6))).unwrap() == content);
    let listed: Vec<_> = copies.all().unwrap().into_iter().map(|copy| copy.name).collect();
    assert_eq!(listed, [name(6), name(5)]);
    for key in others {
        assert!(fake.object(key).is_some(), "{key}");
    }
    assert_eq!(fake.unfinished(), 1, "uploads of others stay");
    // Again: what is there is not sent twice.
    let sent = |fake: &FakeS3| fake.requests().iter().filter(|request| request.starts_with("PUT")).count();
    assert_eq!(copies.upload(&folder.path().join(name(6)), &Progress::default()).unwrap(), copy);
    assert_eq!(sent(&fake), 1);

    // A key that may not delete is no reason to have no copy.
    file_of(folder.path(), &name(7), 10);
    fake.fail("DELETE", Fault::Status(403, "AccessDenied"), 100);
    copies.upload(&folder.path().join(name(7)), &Progress::default()).unwrap();
    assert_eq!(copies.all().unwrap().len(), 3);
    let (copy, download) = copies.download(&name(6)).unwrap();
    assert_eq!(std::fs::read(download.path()).unwrap(), content);
    let path = download.path().to_owned();
    drop((copy, download));
    assert!(!path.exists());
}

#[test]
fn a_copy_that_the_storage_does_not_list_does_not_count() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().unwrap());
    let name = "lectern-2026-01-01T000000Z.db";
    file_of(folder.path(), name, 100);
    fake.fail("GET", Fault::Text("<ListBucketResult/>"), 3);
    let copies = copies(&fake, "", Keep::default(), &folder.path().join("lectern.db"));
    let error = copies.upload(&folder.path().join(name), &Progress::default()).unwrap_err().to_string();
    assert!(error.contains("was uploaded to the bucket copies, which does not list it"), "{error}");
}
