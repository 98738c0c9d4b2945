//! Measures a sync and an admin's save by the number of events, and reads during a sync, with the lectern binary, an HTTP
//! provider and a database on disk. `cargo bench --bench brandlive_sync`, or with `-- reads` the reads alone.
//!
//! It fails only if a sync or a read fails.

#![expect(clippy::cast_precision_loss, reason = "printed measurements")]

#[path = "support/load.rs"]
#[expect(dead_code, reason = "single requests only")]
mod load;
#[path = "support/server.rs"]
mod server;
mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use load::{fetch, get};
use serde_json::{Value, json};
use server::Server;
use support::median;

const ROUNDS: usize = 3;
const PAGE: usize = 100;
const SAVES: usize = 101;
/// Events of the sync during which visitors read.
const EVENTS_DURING_READS: usize = 5_000;
/// A visitor requests one of these after the other, each on a new connection.
const READS: [&str; 4] = ["/", "/api/events", "/calendar", "/calendar.ics"];
/// Time between two reads.
const READ_INTERVAL: Duration = Duration::from_millis(10);

fn main() {
    println!("{}, median of {ROUNDS} rounds\n", support::machine());
    if !std::env::args().any(|argument| argument == "reads") {
        print_syncs();
    }
    print_reads();
}

fn print_syncs() {
    println!("{:>7}{:>12}{:>14}{:>12}{:>16}", "events", "first, s", "unchanged, s", "peak, MB", "admin save, ms");
    for events in [100, 1_250, 5_000, 10_000] {
        let rounds: Vec<Round> = (0..ROUNDS).map(|_| round(events)).collect();
        let column = |value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
        println!(
            "{events:>7}{:>12.2}{:>14.2}{:>12.1}{:>16.2}",
            column(|round| round.first),
            column(|round| round.unchanged),
            column(|round| round.peak),
            column(|round| round.save),
        );
    }
    println!();
}

/// Response times in milliseconds.
struct Reads {
    number: usize,
    median: f64,
    p99: f64,
    longest: f64,
}

fn print_reads() {
    println!("reads during a sync of {EVENTS_DURING_READS} events, one each {} ms", READ_INTERVAL.as_millis());
    println!("{:>14}{:>8}{:>12}{:>10}{:>13}", "sync", "reads", "median, ms", "p99, ms", "longest, ms");
    let rounds: Vec<[Reads; 3]> = (0..ROUNDS).map(|_| reads()).collect();
    for (at, name) in ["none", "first", "all changed"].into_iter().enumerate() {
        let column = |value: fn(&Reads) -> f64| median(rounds.iter().map(|round| value(&round[at])).collect());
        println!(
            "{name:>14}{:>8}{:>12.2}{:>10.2}{:>13.2}",
            rounds.iter().map(|round| round[at].number).sum::<usize>(),
            column(|reads| reads.median),
            column(|reads| reads.p99),
            column(|reads| reads.longest),
        );
    }
}

/// Reads for two seconds without a sync, during the first sync, and during one in which all events have changed.
fn reads() -> [Reads; 3] {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let providers = ["number", "no."].map(|word| Provider::start(EVENTS_DURING_READS, word));
    let use_provider = |provider: &Provider| write_config(folder.path(), provider.address);
    use_provider(&providers[0]);
    let server = Server::start(&mut lectern(folder.path(), &["serve", "--listen", "127.0.0.1:0"]));
    let events = EVENTS_DURING_READS;
    let none = read_during(server.port, || std::thread::sleep(Duration::from_secs(2)));
    let first = read_during(server.port, || {
        sync(folder.path(), &format!("{events} created, 0 updated, 0 unchanged\n"));
    });
    use_provider(&providers[1]);
    let changed = read_during(server.port, || {
        sync(folder.path(), &format!("0 created, {events} updated, 0 unchanged\n"));
    });
    [none, first, changed]
}

/// Reads until `work` is done.
fn read_during(port: u16, work: impl FnOnce()) -> Reads {
    let is_done = AtomicBool::new(false);
    let mut times = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut times = Vec::new();
            for path in READS.into_iter().cycle() {
                if is_done.load(Ordering::Relaxed) {
                    break;
                }
                let started = Instant::now();
                let response = fetch(port, &get(path, "Accept-Encoding: br\r\n"));
                times.push(started.elapsed().as_secs_f64() * 1e3);
                assert!(response.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&response));
                std::thread::sleep(READ_INTERVAL);
            }
            times
        });
        work();
        is_done.store(true, Ordering::Relaxed);
        reader.join().expect("a reader that does not panic")
    });
    times.sort_by(f64::total_cmp);
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    Reads { number: times.len(), median: at(50), p99: at(99), longest: at(100) }
}

struct Round {
    first: f64,
    unchanged: f64,
    peak: f64,
    save: f64,
}

fn round(events: usize) -> Round {
    let provider = Provider::start(events, "number");
    let folder = tempfile::tempdir().expect("a temporary directory");
    write_config(folder.path(), provider.address);
    let (first, first_peak) = sync(folder.path(), &format!("{events} created, 0 updated, 0 unchanged\n"));
    let (unchanged, second_peak) = sync(folder.path(), &format!("0 created, 0 updated, {events} unchanged\n"));
    Round { first, unchanged, peak: first_peak.max(second_peak), save: save(folder.path()) }
}

fn write_config(folder: &Path, provider: SocketAddr) {
    let config =
        format!("[brandlive]\nbase_url = \"http://{provider}\"\napi_key = \"key\"\n[limits]\nsign_in_burst = 0\n");
    std::fs::write(folder.join("config.toml"), config).expect("the configuration is written");
}

fn lectern(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
    command
        .args(arguments)
        .args(["--config", "config.toml"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// Runs a sync; returns its seconds and its peak memory in MB.
fn sync(folder: &Path, expected: &str) -> (f64, f64) {
    let started = Instant::now();
    let mut child = lectern(folder, &["sync-brandlive"]).spawn().expect("the program starts");
    let mut peak = 0.0_f64;
    while child.try_wait().expect("the status").is_none() {
        peak = peak.max(peak_mb(child.id()));
        std::thread::sleep(Duration::from_millis(2));
    }
    let seconds = started.elapsed().as_secs_f64();
    let mut message = String::new();
    child.stdout.take().expect("stdout").read_to_string(&mut message).expect("a message");
    assert_eq!(message, expected);
    (seconds, peak)
}

fn peak_mb(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1_024.0
}

/// The median time in milliseconds of an admin's save.
fn save(folder: &Path) -> f64 {
    let mut admin = lectern(folder, &["create-admin", "--email", "a@example.com", "--password-stdin"])
        .spawn()
        .expect("the program starts");
    admin.stdin.take().expect("stdin").write_all(b"a fine password\n").expect("the password is sent");
    assert!(admin.wait().expect("the status").success());
    let server = Server::start(&mut lectern(folder, &["serve", "--listen", "127.0.0.1:0"]));
    let mut client = Client { address: SocketAddr::from(([127, 0, 0, 1], server.port)), cookie: String::new() };
    let (head, _) =
        client.send("POST", "/api/auth/login", &json!({ "email": "a@example.com", "password": "a fine password" }));
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a session");
    cookie.split(';').next().unwrap_or_default().clone_into(&mut client.cookie);
    client.send("POST", "/api/speakers", &json!({ "name": "Ada", "title": "Host" }));
    let times = (0..SAVES).map(|number| {
        let body = json!({ "event": { "title": format!("Save {number}"), "date": "2031-03-12", "time": "19:00",
            "duration": "60 minutes", "type": "Investor Insights", "summary": "s", "description": "d",
            "registrationUrl": "https://example.com/", "timezone": "America/New_York" }, "speakerIds": [1] });
        let started = Instant::now();
        client.send("PUT", "/api/events/50", &body);
        started.elapsed().as_secs_f64() * 1e3
    });
    median(times.collect())
}

struct Client {
    address: SocketAddr,
    cookie: String,
}

impl Client {
    fn send(&mut self, method: &str, path: &str, body: &Value) -> (String, String) {
        let body = body.to_string();
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            self.cookie,
            body.len()
        )
        .expect("a request");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        assert!(response.starts_with("HTTP/1.1 20"), "{response}");
        let (head, body) = response.split_once("\r\n\r\n").expect("a head");
        (head.to_owned(), body.to_owned())
    }
}

/// A provider that lists events with texts of 1.3 kB in pages of [`PAGE`].
struct Provider {
    address: SocketAddr,
}

impl Provider {
    /// `word` is in each title.
    fn start(events: usize, word: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let pages: Vec<String> = (0..=events.div_ceil(PAGE))
            .map(|page| {
                let items: Vec<Value> =
                    (page * PAGE..events.min((page + 1) * PAGE)).map(|number| item(number, word)).collect();
                json!({ "data": items }).to_string()
            })
            .collect();
        let pages = Arc::new(pages);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let pages = Arc::clone(&pages);
                std::thread::spawn(move || serve(stream, &pages));
            }
        });
        Self { address }
    }
}

fn serve(stream: TcpStream, pages: &[String]) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let page = head.split("page=").nth(1).and_then(|rest| rest.split(['&', ' ']).next()?.parse::<usize>().ok());
        let body = pages.get(page.unwrap_or(1) - 1).map_or("{\"data\":[]}", String::as_str);
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
        let stream = reader.get_mut();
        if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).is_err() {
            return;
        }
    }
}

fn item(number: usize, word: &str) -> Value {
    let text = "<p>A sentence about rents, <b>taxes</b> &amp; fees.</p>".repeat(25);
    json!({
        "uuid": format!("id-{number}"),
        "title": format!("Evening {word} {number}"),
        "start_date": format!("20{:02}-{:02}-{:02}T23:00:00Z", 30 + number % 40, 1 + number % 12, 1 + number % 28),
        "timezone": "America/New_York",
        "duration": 45,
        "summary": "One deal, read line by line.",
        "description": text,
        "registration_url": format!("https://live.example.com/{number}"),
        "status": "published",
    })
}
