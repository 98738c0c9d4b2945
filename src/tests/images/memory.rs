//! Uploads that are crafted to need as much memory as possible, sent to the real program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use image::ImageFormat;
use tempfile::TempDir;

use super::rejections::{QUEUE_FULL, TOO_HEAVY};
use super::samples::{BASELINE, PROGRESSIVE, encoded, flat_jpeg, flat_png, halves, profile, webp_of_huffman_codes};
use crate::tests::support::program::{Server, WhenDone, command, finish};
use crate::tests::support::raw_client::RawClient;

/// For the server and the process that decodes, together. An unoptimized program is larger.
const MEMORY_KIB: u64 = if cfg!(debug_assertions) { 320 * 1024 } else { 256_000_000 / 1024 };
/// For the server alone: all waiting uploads take 32 MiB, and a sign-in 19 MiB.
const MEMORY_OF_SERVER_KIB: u64 = if cfg!(debug_assertions) { 140 * 1024 } else { 100 * 1024 };

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["create-admin", "--email", "ada@example.com", "--password-stdin"];
    finish(command(folder.path(), &arguments), "a fine password").succeeded();
    folder
}

fn sign_in(server: &Server) -> RawClient {
    server.visitor().sign_in("ada@example.com", "a fine password")
}

/// Files of 24 to 50 megapixels, and small ones for which decoders allocate hundreds of megabytes.
static HEAVY: LazyLock<[(&str, Vec<u8>); 6]> = LazyLock::new(|| {
    [
        ("a profile of 200 MB", flat_png(50, 50, &[profile(200_000_000)])),
        ("24 megapixels with alpha and a profile of 90 MB", flat_png(6000, 4000, &[profile(90_000_000)])),
        ("50 megapixels with alpha", flat_png(8192, 6144, &[])),
        ("50 megapixels in several passes", flat_jpeg(8192, 6144, PROGRESSIVE, &[&[1, 2, 3]], 0)),
        ("50 megapixels, one scan a component", flat_jpeg(8192, 6144, BASELINE, &[&[1], &[2], &[3]], 0)),
        ("the Huffman codes of a lossless WebP", webp_of_huffman_codes()),
    ]
});

#[test]
fn an_upload_that_needs_more_than_160_mb_is_rejected_and_the_server_continues() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    for (name, file) in &*HEAVY {
        let response = admin.upload(file).unwrap();
        assert_eq!((response.status, response.json()["error"].as_str()), (400, Some(TOO_HEAVY)), "{name}");
    }
    let text = flat_png(50, 50, &vec![(*b"tEXt", b"k\0".to_vec()); 500_000]);
    assert_eq!(admin.upload(&text).unwrap().status, 201);
    assert!(server.peak_memory() < MEMORY_OF_SERVER_KIB, "{} KiB", server.peak_memory());
    server.stop();
}

#[test]
fn the_photos_of_common_cameras_are_accepted() {
    if cfg!(debug_assertions) {
        // Without optimization they take 25 s.
        return;
    }
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    // 50 megapixels, with as much metadata as fits.
    let photo = flat_jpeg(8192, 6144, BASELINE, &[&[1, 2, 3]], 7_500_000);
    let response = admin.upload(&photo).unwrap();
    assert_eq!(response.status, 201, "{}", response.text());
    assert!(server.peak_memory() < MEMORY_OF_SERVER_KIB, "{} KiB", server.peak_memory());
    server.stop();
}

#[test]
fn concurrent_uploads_stay_within_256_mb_and_others_are_503() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let mut admin = sign_in(&server);
    let statuses = Mutex::new(BTreeMap::new());
    let (done, most, seen) = (AtomicBool::new(false), AtomicU64::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let decoders = children(&server);
                seen.fetch_max(decoders.len(), Ordering::Relaxed);
                let all = decoders.iter().map(|child| memory(child)).sum::<u64>() + memory(&server.pid().to_string());
                most.fetch_max(all, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let _end = WhenDone(&done);
        std::thread::scope(|uploads| {
            for (_, file) in HEAVY.iter().cycle().take(5 * HEAVY.len()) {
                let (mut client, statuses, server) = (admin.clone(), &statuses, &server);
                uploads.spawn(move || {
                    let response = client.upload(file).unwrap_or_else(|error| panic!("{error}: {}", server.log()));
                    if response.status == 503 {
                        assert_eq!(response.json()["error"], QUEUE_FULL);
                    }
                    *statuses.lock().unwrap().entry(response.status).or_insert(0) += 1;
                });
            }
        });
    });
    let statuses = statuses.into_inner().unwrap();
    assert!(statuses.keys().all(|status| [400, 503].contains(status)), "{statuses:?}");
    let (most, seen) = (most.into_inner(), seen.into_inner());
    assert!(seen > 0, "the processes that decode were not seen");
    assert!(most < MEMORY_KIB, "{most} KiB");
    assert!(server.peak_memory() < MEMORY_OF_SERVER_KIB, "{} KiB", server.peak_memory());
    assert_eq!(admin.upload(&encoded(&halves(20, 20), ImageFormat::Png)).unwrap().status, 201);
    server.stop();
}

/// The processes that the server has started and that run.
fn children(server: &Server) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{}/task", server.pid())).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The memory of a process in KiB, 0 if it has ended.
fn memory(process: &str) -> u64 {
    let status = fs::read_to_string(Path::new("/proc").join(process).join("status")).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    resident.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
