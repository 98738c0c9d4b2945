//! Against an implementation that checks signatures: that at the URL in `S3_ENDPOINT` (scripts/check-s3.sh), which
//! has the bucket `copies` and the keys of these tests. Without the variable nothing is tested.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::{ACCESS_KEY, SECRET_KEY, assert_is_sentence, backup, file_of, settings};
use crate::platform::clock::Clock;
use crate::platform::config::{OutgoingNetwork, Overrides, load};
use crate::platform::progress::ProgressMonitor;
use crate::platform::s3::Client;
use crate::tests::support::program::{command, finish, run, succeed};

fn endpoint() -> Option<String> {
    std::env::var("S3_ENDPOINT").ok()
}

fn client(settings: &str, clock: &Clock) -> Client {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), settings).unwrap();
    let config = load(&Overrides { config: Some(file.path().into()), ..Overrides::default() }, []).unwrap();
    Client::new(&config.backup.s3, &OutgoingNetwork::default(), clock).unwrap()
}

/// The keys below a prefix, which are deleted first.
fn empty(client: &Client, prefix: &str) {
    for object in client.list(prefix).unwrap() {
        client.delete(&object.key).unwrap();
    }
}

#[test]
fn signed_requests_of_every_kind_are_accepted() {
    let Some(endpoint) = endpoint() else { return };
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(&backup(&endpoint, "").s3, &OutgoingNetwork::default(), &Clock::default()).unwrap();
    empty(&client, "requests/");
    for (key, bytes) in
        [("requests/small one.db", 1_000), ("requests/b+c=d&e'ü(1).db", 10), ("requests/large.db", 17 << 20)]
    {
        let content = file_of(folder.path(), "file", bytes);
        client.put_file(key, &folder.path().join("file"), &ProgressMonitor::default()).unwrap();
        let listed = client.list("requests/").unwrap();
        assert_eq!((listed.len(), listed[0].bytes), (1, bytes as u64), "{key}: {listed:?}");
        assert_eq!(listed[0].key, key);
        let copy = folder.path().join("copy");
        client
            .get_file(key, bytes as u64, &std::fs::File::create(&copy).unwrap(), &ProgressMonitor::default())
            .unwrap();
        assert!(std::fs::read(&copy).unwrap() == content, "{key}");
        client.delete(key).unwrap();
        client.delete(key).unwrap();
        assert!(client.list("requests/").unwrap().is_empty(), "{key}");
    }
}

#[test]
fn lists_are_read_to_their_end() {
    let Some(endpoint) = endpoint() else { return };
    let folder = tempfile::tempdir().unwrap();
    file_of(folder.path(), "file", 1);
    let client = Client::new(&backup(&endpoint, "").s3, &OutgoingNetwork::default(), &Clock::default()).unwrap();
    empty(&client, "many/");
    let keys: Vec<String> = (0..1_100).map(|number| format!("many/{number:04}")).collect();
    for key in &keys {
        client.put_file(key, &folder.path().join("file"), &ProgressMonitor::default()).unwrap();
    }
    let listed: Vec<_> = client.list("many/").unwrap().into_iter().map(|object| object.key).collect();
    assert!(listed == keys, "{}", listed.len());
}

#[test]
fn keys_and_buckets_that_are_wrong_are_rejected_and_a_clock_that_is_wrong_is_named() {
    let Some(endpoint) = endpoint() else { return };
    let message = |settings: String, clock: &Clock| {
        let text = client(&settings, clock).list("").unwrap_err().to_string();
        assert_is_sentence(&text);
        text
    };
    let right = settings(&endpoint, "");
    let clock = Clock::default();
    let text = message(right.replace(SECRET_KEY, "another key"), &clock);
    assert!(text.contains("SignatureDoesNotMatch); check backup.s3.secret_key and backup.s3.region"), "{text}");
    let text = message(right.replace(ACCESS_KEY, "AKIDOTHER"), &clock);
    assert!(text.contains("rejects the request to list the bucket copies (status 403"), "{text}");
    let text = message(right.replace("\"copies\"", "\"another\""), &clock);
    assert!(text.contains("NoSuchBucket); create the bucket, or correct backup.s3.bucket"), "{text}");
    for seconds in [-7_200, 7_200] {
        let clock = Clock::default();
        clock.advance(seconds);
        let text = message(right.clone(), &clock);
        assert!(text.contains("the clocks differ") && text.contains("correct the clock of this machine"), "{text}");
    }
}

#[test]
fn a_backup_goes_to_s3_and_comes_back_on_a_machine_that_has_nothing_else() {
    let Some(endpoint) = endpoint() else { return };
    let settings = settings(&endpoint, "sites/one");
    let bucket = client(&settings, &Clock::default());
    empty(&bucket, "sites/one/");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, &settings).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let admin = ["create-admin", "--email", "ada@example.com", "--password-stdin"];
    finish(command(folder.path(), &admin), "a fine password\n").succeeded();

    let out = succeed(folder.path(), &["backup"]);
    let objects = bucket.list("sites/one/").unwrap();
    assert_eq!(objects.len(), 1);
    let name = objects[0].key.strip_prefix("sites/one/").unwrap();
    let source = format!("s3:{name}");
    assert!(out.ends_with(&format!("Uploaded it to the bucket copies as {source}.\n")), "{out}");
    let check = succeed(folder.path(), &["check"]);
    assert!(check.contains("ok       backups       the last one in S3 is from 20"), "{check}");
    let list = succeed(folder.path(), &["restore", "--list"]);
    assert!(list.contains(&source) && list.lines().count() == 2, "{list}");

    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("config.toml"), &settings).unwrap();
    let out = succeed(other.path(), &["restore", &source]);
    assert!(out.starts_with(&format!("Restored lectern.db from {source} of 20")), "{out}");
    assert!(out.contains("0 events, 0 speakers, 1 user"), "{out}");
    assert_no_part(other.path());

    // A damaged backup replaces nothing.
    let local = folder.path().join("backups").join(name);
    let mut bytes = std::fs::read(&local).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4_096].fill(7);
    std::fs::write(&local, bytes).unwrap();
    bucket.put_file(&objects[0].key, &local, &ProgressMonitor::default()).unwrap();
    let text = run(other.path(), &["restore", &source]).sentence(1);
    assert!(text.starts_with(&format!("{source} is damaged; nothing was changed")), "{text}");
    let text = run(other.path(), &["restore", "s3:lectern-2020-01-01T000000Z.db"]).sentence(1);
    assert!(
        text.starts_with("There is no backup s3:lectern-2020-01-01T000000Z.db; 'lectern restore --list'"),
        "{text}"
    );
    assert_no_part(other.path());
}

fn assert_no_part(folder: &Path) {
    let left: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("part")), "{left:?}");
}
