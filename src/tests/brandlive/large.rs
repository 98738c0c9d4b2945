//! A large sync while visitors read. The limits allow for a busy machine;
//! `cargo bench --bench brandlive_sync` measures.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::tests::support::fake_brandlive::{FakeBrandlive, FakeResponse, item, items, pages};
use crate::tests::support::program::{Server, WhenDone, succeed};

#[test]
fn two_thousand_items_are_synced_while_visitors_read() {
    let fake = FakeBrandlive::new(pages(items(2_000), 100));
    let folder = tempfile::tempdir().unwrap();
    let config =
        fake.toml("").replace("request_seconds = 1\ntotal_seconds = 3", "request_seconds = 15\ntotal_seconds = 60");
    std::fs::write(folder.path().join("config.toml"), config).unwrap();
    let server = Server::start(folder.path(), &[]);
    let done = AtomicBool::new(false);
    let (first, second, mut waits) = std::thread::scope(|scope| {
        let reads = scope.spawn(|| {
            let mut visitor = server.visitor();
            let mut waits = Vec::new();
            while !done.load(Ordering::Relaxed) {
                let started = Instant::now();
                assert_eq!(visitor.get("/api/events").status, 200);
                waits.push(started.elapsed());
            }
            waits
        });
        let _end = WhenDone(&done);
        let started = Instant::now();
        assert_eq!(succeed(folder.path(), &["sync-brandlive"]), "2000 created, 0 updated, 0 unchanged\n");
        let first = started.elapsed();
        let events = server.visitor().get("/api/events").json();
        assert_eq!(events.as_array().unwrap().len(), 2_000, "after the sync, all are in the next response");
        let started = Instant::now();
        assert_eq!(succeed(folder.path(), &["sync-brandlive"]), "0 created, 0 updated, 2000 unchanged\n");
        let second = started.elapsed();
        done.store(true, Ordering::Relaxed);
        (first, second, reads.join().unwrap())
    });
    waits.sort_unstable();
    let p99 = waits[waits.len() * 99 / 100];
    let peak = server.peak_memory();
    eprintln!("first {first:?}, unchanged {second:?}, {} reads, p99 {p99:?}, server's memory {peak} KiB", waits.len());
    assert!(first.max(second) < Duration::from_mins(2), "{first:?} {second:?}");
}

#[test]
fn a_response_of_ten_megabytes_is_synced_in_less_than_a_hundred() {
    let text = "A sentence about rents. ".repeat(800);
    let listed: Vec<Value> = (0..520)
        .map(|number| {
            let mut item = item(&format!("id-{number}"), "Webinar");
            item["description"] = json!(text);
            item
        })
        .collect();
    let body = json!({ "data": listed }).to_string().into_bytes();
    assert!(body.len() > 10_000_000, "{}", body.len());
    let fake = FakeBrandlive::new(move |_, _| FakeResponse::Raw(200, vec![], body.clone()));
    let folder = tempfile::tempdir().unwrap();
    let config = fake.toml("[brandlive.paging]\nway = \"none\"");
    let config = config.replace("request_seconds = 1\ntotal_seconds = 3", "request_seconds = 15\ntotal_seconds = 60");
    std::fs::write(folder.path().join("config.toml"), config).unwrap();
    let server = Server::start(folder.path(), &[]);
    let peak = sync_over_http(&server, folder.path());
    eprintln!("memory of the server at its highest: {peak} KiB");
    assert!(peak < 100_000, "{peak} KiB");
}

fn sync_over_http(server: &Server, folder: &std::path::Path) -> u64 {
    use crate::tests::support::program::{command, finish};
    let arguments = ["create-admin", "--email", "ada@example.com", "--password-stdin"];
    finish(command(folder, &arguments), "a fine password\n").succeeded();
    let mut admin = server.visitor().sign_in("ada@example.com", "a fine password");
    let response = admin.post("/api/sync-brandlive", &json!({}));
    assert_eq!(response.json()["message"], "520 created, 0 updated, 0 unchanged", "{}", response.text());
    server.peak_memory()
}
