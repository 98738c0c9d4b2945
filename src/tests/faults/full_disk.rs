//! A full disk: writes are rejected with a message, reads continue, and writes resume when space is freed.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use rustix::process::{Resource, Rlimit, prlimit};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{assert_sound, folder, prepare, sign_in};
use crate::tests::support::program::{Server, command, command_after};
use crate::tests::support::raw_client::{RawClient, Response};

/// A file system of a few megabytes, mounted until it is dropped.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// `None` if this process may not mount one; the test is then skipped.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|out| out.status.success());
        if !mounted {
            eprintln!("skipped: this process may not mount a file system");
        }
        mounted.then(|| Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn fill(&self) {
        let mut ballast = std::fs::File::create(self.path().join("ballast")).unwrap();
        for size in [65_536, 4_096, 1] {
            while ballast.write_all(&vec![7; size]).is_ok() {}
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because a file may still be open there.
        let _ = Command::new("umount").arg("-l").arg(self.path()).output();
    }
}

fn hero(number: i32) -> Value {
    json!({ "heroTitle": format!("Title {number}"), "heroSubtitle": "x".repeat(240) })
}

/// Writes until a write is rejected. Returns that response and the number of the last stored write, `before` if there
/// is none.
fn write_until_rejected(admin: &mut RawClient, before: i32) -> (Response, i32) {
    let mut stored = before;
    for number in before + 1..before + 20_000 {
        let response = admin.put("/api/page-content/home", &hero(number));
        if response.status != 200 {
            return (response, stored);
        }
        stored = number;
    }
    panic!("the disk never filled up");
}

fn assert_reads_continue(server: &Server, admin: &mut RawClient, stored: i32) {
    let mut visitor = server.visitor();
    for path in ["/", "/api/events", "/api/speakers", "/api/openapi.json"] {
        assert_eq!(visitor.get(path).status, 200, "{path}");
    }
    assert_eq!(admin.get("/api/user").status, 200);
    assert_eq!(visitor.get("/api/page-content/home").json()["heroTitle"], format!("Title {stored}"));
}

#[test]
fn a_full_disk_rejects_writes_until_space_is_freed() {
    let Some(disk) = SmallDisk::mount() else { return };
    prepare(disk.path());
    let server = Server::start(disk.path(), &[]);
    let mut admin = sign_in(&server);
    assert_eq!(admin.put("/api/page-content/home", &hero(77)).status, 200);
    for _ in 0..2 {
        disk.fill();
        let (rejected, stored) = write_until_rejected(&mut admin, 77);
        assert_eq!(rejected.status, 503, "{}", rejected.text());
        let sentence = "The server's storage is full. Nothing was saved; please try again later.";
        assert_eq!(rejected.json(), json!({ "error": sentence }));
        for _ in 0..20 {
            assert_eq!(admin.put("/api/page-content/home", &hero(0)).status, 503);
        }
        assert_reads_continue(&server, &mut admin, stored);
        let health = server.visitor().get("/healthz");
        assert_eq!(health.status, 503);
        assert!(health.text().contains("the disk is full") && health.text().contains("64 MiB"), "{}", health.text());

        std::fs::remove_file(disk.path().join("ballast")).unwrap();
        let again = admin.put("/api/page-content/home", &hero(77));
        assert_eq!(again.status, 200, "{}", again.text());
        assert_reads_continue(&server, &mut admin, 77);
    }
    assert!(server.log().contains("the disk is full"), "{}", server.log());
    server.stop();
    assert_sound(&disk.path().join("lectern.db"));
}

#[test]
fn a_server_that_stops_on_a_full_disk_loses_nothing() {
    let Some(disk) = SmallDisk::mount() else { return };
    prepare(disk.path());
    let server = Server::start(disk.path(), &[]);
    let mut admin = sign_in(&server);
    assert_eq!(admin.put("/api/page-content/home", &hero(1)).status, 200);
    disk.fill();
    let (_, stored) = write_until_rejected(&mut admin, 1);
    server.stop();
    std::fs::remove_file(disk.path().join("ballast")).unwrap();
    let server = Server::start(disk.path(), &[]);
    assert_reads_continue(&server, &mut admin.at(server.address), stored);
    server.stop();
    assert_sound(&disk.path().join("lectern.db"));
}

#[test]
fn a_write_that_the_system_rejects_is_an_error_and_the_server_continues() {
    let folder = folder();
    // The default action of the signal for this limit would terminate the program.
    let command = command_after("trap '' XFSZ", folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::spawn(command);
    let mut admin = sign_in(&server);
    assert_eq!(admin.put("/api/page-content/home", &hero(1)).status, 200);

    let before = prlimit(Some(server.pid()), Resource::Fsize, Rlimit { current: Some(4_096), maximum: None }).unwrap();
    let rejected = admin.put("/api/page-content/home", &hero(2));
    assert_eq!(rejected.status, 503, "{}", rejected.text());
    let text = rejected.text();
    assert!(text.contains("storage") && !text.contains("SQL") && !text.contains("I/O"), "{text}");
    assert_reads_continue(&server, &mut admin, 1);
    assert_eq!(server.visitor().get("/healthz").status, 503);

    prlimit(Some(server.pid()), Resource::Fsize, before).unwrap();
    assert_eq!(admin.put("/api/page-content/home", &hero(3)).status, 200);
    assert_reads_continue(&server, &mut admin, 3);
    assert_eq!(server.visitor().get("/healthz").status, 200);
    server.stop();
    assert_sound(&folder.path().join("lectern.db"));
}

#[test]
fn a_full_disk_is_a_problem_in_healthz_and_in_the_metrics() {
    let Some(disk) = SmallDisk::mount() else { return };
    prepare(disk.path());
    let mut serve = command(disk.path(), &["serve", "--listen", "127.0.0.1:0"]);
    serve.env("LECTERN_METRICS__LISTEN", "127.0.0.1:0");
    let server = Server::spawn(serve);

    let health = server.visitor().get("/healthz");
    let metrics = RawClient::to(server.metrics_address()).get("/metrics").text();

    assert_eq!(health.status, 503);
    assert_eq!(health.json()["problems"], json!(["Less than 64 MiB of disk space is free"]));
    assert!(metrics.contains("\nlectern_problems{status=\"down\"} 1\n"), "{metrics}");
    server.stop();
}
