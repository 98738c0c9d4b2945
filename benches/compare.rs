//! Compares this build with an older binary: reads, interest writes, startup time and memory, in alternating rounds.
//! `cargo bench --profile dist --bench compare -- PATH_OF_THE_OLDER_BINARY [MEASUREMENT]`
//!
//! With the beginning of a measurement's name, it runs those only.

#![expect(clippy::cast_precision_loss, reason = "printed measurements")]

#[path = "support/load.rs"]
mod load;
#[path = "support/server.rs"]
mod server;
mod support;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use load::{fetch, get, load_process, put_interest, resident_mb};
use serde_json::json;
use server::Server;
use support::median;

const EVENTS: usize = 1_000;
const ROUND: Duration = Duration::from_millis(1_200);
const ROUNDS: usize = 5;
const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "a fine password";

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let older = arguments.next().expect("the path of an older binary: cargo bench --bench compare -- PATH");
    let chosen = arguments.next().unwrap_or_default();
    let chosen = |name: &str| name.starts_with(&chosen);
    let folder = tempfile::tempdir().expect("a temporary directory");
    let newer = PathBuf::from(env!("CARGO_BIN_EXE_lectern"));
    println!("{}, {EVENTS} events; each figure: older, newer, difference\n", support::machine());
    let [old, new] = [("old", PathBuf::from(older)), ("new", newer)]
        .map(|(name, binary)| Build::new(binary, &folder.path().join(name)));

    for path in ["/api/events", "/"] {
        let name = format!("start to {path}, ms");
        if !chosen(&name) {
            continue;
        }
        alternate(&name, &old, &new, |build| {
            let started = Instant::now();
            let site = build.serve();
            assert!(fetch(site.port, &get(path, "")).starts_with(b"HTTP/1.1 200"));
            started.elapsed().as_secs_f64() * 1e3
        });
    }
    if chosen("memory") {
        alternate("memory idle, MB", &old, &new, |build| {
            let site = build.serve();
            std::thread::sleep(Duration::from_millis(500));
            resident_mb(site.child.id())
        });
    }
    let (old, new) = (old.serve(), new.serve());
    for (name, path, headers) in [
        ("/api/events, uncompressed", "/api/events", ""),
        ("/api/events, brotli", "/api/events", "Accept-Encoding: br\r\n"),
        ("/, brotli", "/", "Accept-Encoding: br\r\n"),
        ("/calendar.ics, gzip", "/calendar.ics", "Accept-Encoding: gzip\r\n"),
    ] {
        for connections in [1, 16, 64] {
            let (name, request) = (format!("{name}, {connections} conn"), get(path, headers));
            if chosen(&name) {
                compare(&name, &old, &new, connections, move |_| request.clone());
            }
        }
    }
    for connections in [1, 16, 64] {
        let name = format!("interest writes, {connections} conn");
        if !chosen(&name) {
            continue;
        }
        // No visitor writes twice.
        let next = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(connections * 10_000_000));
        compare(&name, &old, &new, connections, move |_| {
            put_interest(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        });
    }
    alternate("memory after the load, MB", &old, &new, |site| resident_mb(site.child.id()));
}

/// A binary with a separate database, which it filled itself, because schemas differ between releases.
struct Build {
    binary: PathBuf,
    database: PathBuf,
    config: PathBuf,
}

impl Build {
    fn new(binary: PathBuf, folder: &Path) -> Self {
        std::fs::create_dir(folder).expect("a directory");
        let (database, config) = (folder.join("bench.db"), folder.join("config.toml"));
        std::fs::write(&config, "[limits]\nvisitor_burst = 0\nsign_in_burst = 0\n").expect("the configuration");
        let build = Self { binary, database, config };
        let mut admin = build.command(&["create-admin", "--email", EMAIL, "--password-stdin"]);
        let mut admin = admin.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
        admin.stdin.take().expect("stdin").write_all(format!("{PASSWORD}\n").as_bytes()).expect("a password");
        assert!(admin.wait().expect("an exit status").success());
        build.fill();
        build
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).arg("--config").arg(&self.config).arg("--database").arg(&self.database);
        command
    }

    fn serve(&self) -> Server {
        Server::start(&mut self.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    /// Creates the events over HTTP, which every release supports.
    fn fill(&self) {
        let site = self.serve();
        let post = |path: &str, cookie: &str, body: serde_json::Value| {
            let body = body.to_string();
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let response = String::from_utf8_lossy(&fetch(site.port, head.as_bytes())).into_owned();
            assert!(response.starts_with("HTTP/1.1 20"), "{response}");
            response
        };
        let signed_in = post("/api/auth/login", "", json!({ "email": EMAIL, "password": PASSWORD }));
        let cookie: Vec<_> =
            signed_in.lines().filter_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next()).collect();
        let cookie = cookie.join("; ");
        for number in 0..40 {
            let bio = "Has read rent rolls for twenty years and still finds new mistakes in them.";
            let speaker = json!({ "name": format!("Speaker Number {number}"), "title": "Managing partner", "bio": bio, "type": "Guest" });
            post("/api/speakers", &cookie, speaker);
        }
        // Attendance can only be added before an event ends.
        let first = chrono::Utc::now().date_naive() + chrono::Days::new(1);
        for number in 0..EVENTS {
            let in_person = number % 6 == 0;
            let location = json!({ "venueName": "The Long Room", "venueAddress": "12 Canal Street", "city": "Denver", "state": "CO" });
            let speakers: Vec<_> = (0..=number % 4).map(|offset| (number + offset) % 40 + 1).collect();
            let event = json!({
                "event": {
                    "title": format!("Evening number {number}: what the summary leaves out"),
                    "date": (first + chrono::Days::new(number as u64 / 2)).to_string(),
                    "time": "19:00",
                    "type": if in_person { "In-Person Events" } else { "Investor Insights" },
                    "summary": "A line-by-line reading of one deal, and the columns that move its price.",
                    "description": "Bring an offering you are looking at. ".repeat(8),
                    "registrationUrl": "https://example.com/register",
                },
                "location": if in_person { location } else { serde_json::Value::Null },
                "speakerIds": speakers,
            });
            post("/api/events", &cookie, event);
        }
    }
}

fn alternate<T>(name: &str, old: &T, new: &T, measure: impl Fn(&T) -> f64) {
    let _ = (measure(old), measure(new));
    let pairs: Vec<_> = (0..ROUNDS).map(|_| (measure(old), measure(new))).collect();
    let older = median(pairs.iter().map(|pair| pair.0).collect());
    let newer = median(pairs.iter().map(|pair| pair.1).collect());
    println!("{name:<40}{older:>10.1} {newer:>10.1} {:>+6.1} %", (newer / older - 1.0) * 100.0);
}

/// Requests a second, microseconds of processor time a request, and response times.
fn compare(
    name: &str,
    old: &Server,
    new: &Server,
    connections: usize,
    request: impl Fn(usize) -> Vec<u8> + Clone + Send + Sync + 'static,
) {
    let run = |site: &Server| {
        let (round, processor_time) =
            load_process(site.child.id(), site.port, connections, ROUND, request.clone(), 200);
        [round.per_second, processor_time, round.p99.as_secs_f64() * 1e3]
    };
    let _ = (run(old), run(new));
    let pairs: Vec<_> = (0..ROUNDS).map(|_| (run(old), run(new))).collect();
    for (index, unit) in [(0, "requests/s"), (1, "µs of processor"), (2, "ms, 99th percentile")] {
        let older = median(pairs.iter().map(|pair| pair.0[index]).collect());
        let newer = median(pairs.iter().map(|pair| pair.1[index]).collect());
        println!("{name:<40}{older:>10.1} {newer:>10.1} {:>+6.1} %  {unit}", (newer / older - 1.0) * 100.0);
    }
}
