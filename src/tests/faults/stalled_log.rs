//! A pipe as stderr, whose reader has stalled.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::process::Signal;

use super::folder;
use crate::tests::support::program::{Server, command_after};

/// Opens a new pipe. As it is open for writing, too, the server need not wait for a reader.
fn pipe(path: &Path) -> File {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let non_blocking = OFlags::NONBLOCK.bits().cast_signed();
    OpenOptions::new().read(true).write(true).custom_flags(non_blocking).open(path).unwrap()
}

/// Reads all lines that are in the pipe.
fn read(pipe: &mut File) -> String {
    let mut text = Vec::new();
    let end = pipe.read_to_end(&mut text).unwrap_err();
    assert_eq!(end.kind(), std::io::ErrorKind::WouldBlock);
    String::from_utf8(text).unwrap()
}

#[test]
fn a_stalled_reader_of_the_log_stops_neither_requests_nor_the_end() {
    const LIMIT: Duration = Duration::from_secs(20);
    let folder = folder();
    let mut log = pipe(&folder.path().join("stderr"));
    let arguments = ["serve", "--listen", "127.0.0.1:0"];
    let mut command = command_after("exec 2>stderr", folder.path(), &arguments);
    command.env("LECTERN_LOG__REQUESTS", "true");
    let mut server = Server::spawn(command);
    let mut visitor = server.visitor();
    // More than the pipe can contain, 64 KiB. Some lines are longer than `PIPE_BUF`.
    let text = "x".repeat(6_000);
    let mut fill = || {
        let started = Instant::now();
        for n in 0..100 {
            let path = format!("/missing/{n}/{}", &text[..text.len() / (1 + n % 3)]);
            assert_eq!(visitor.get(&path).status, 404);
        }
        assert_eq!(visitor.get("/healthz").status, 200);
        assert!(started.elapsed() < LIMIT, "the requests took {:?}", started.elapsed());
    };

    fill();
    let before = read(&mut log);
    assert!(before.contains("path=\"/missing/0/x"), "{before}");
    assert!(!before.contains("dropped"), "{before}");
    assert_eq!(server.visitor().get("/api/events").status, 200);
    let after = read(&mut log);
    let lines: Vec<&str> = after.trim_start_matches('\n').lines().collect();
    assert!(lines[0].contains(" lines of the log were dropped, because stderr was not read"), "{after}");
    assert!(lines[0].contains("Z  WARN "), "{after}");
    assert!(lines[1].contains("path=\"/api/events\""), "{after}");
    assert_eq!(lines.len(), 2, "{after}");

    fill();
    let signaled = Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.end().0, Some(0));
    assert!(signaled.elapsed() < LIMIT, "it stopped after {:?}", signaled.elapsed());
}
