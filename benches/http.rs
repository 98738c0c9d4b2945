//! Measures reads over HTTP compared with an axum handler that returns the same body from memory, with few headers and with
//! those of lectern, interest writes, sign-ins, startup time, memory and binary size. `cargo bench --bench http`, or only the
//! reads whose name contains some text: `cargo bench --bench http -- reads "/, brotli"`
//!
//! It fails only on a wrong response.

#![expect(clippy::cast_precision_loss, reason = "printed measurements")]

#[path = "support/fill.rs"]
mod fill;
#[path = "support/load.rs"]
mod load;
#[path = "support/sample.rs"]
mod sample;
#[path = "support/server.rs"]
mod server;
mod support;

use std::process::Command;
use std::time::{Duration, Instant};

use lectern::platform::db::{BusyTimeout, connect};
use load::{fetch, get, load, load_process, put_interest, resident_mb};
use server::Server;
use support::median;

const EVENTS: usize = 1_000;
/// The page of the second event of the benchmark data.
const EVENT_PAGE: &str = "/events/2-evening-number-1-what-the-summary-leaves-out";
const CALENDAR_OF_TYPE: &str = "/calendar.ics?type=investor-insights&alarm=30";
const ROUND: Duration = Duration::from_millis(1_200);
const ROUNDS: usize = 5;
/// Longer than the engine that renders pages is kept without a request.
const ENGINE_IDLE: Duration = Duration::from_secs(22);

/// After the first probe of the storage, which builds pages, and the return of its memory.
const AFTER_PROBE: Duration = Duration::from_secs(6);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|mode| mode == "plain") {
        return plain(&arguments[2]);
    }
    let folder = tempfile::tempdir().expect("a temporary directory");
    let database = folder.path().join("bench.db");
    fill::fill(&database, EVENTS);
    println!("{}, {EVENTS} events\n", support::machine());

    if arguments.get(1).is_some_and(|mode| mode == "reads") {
        let site = serve(&database);
        return reads(&site, folder.path(), arguments.get(2).map_or("", |name| name));
    }
    start_times(&database);
    first_visitors(&database);
    let site = serve(&database);
    std::thread::sleep(AFTER_PROBE);
    println!("memory, idle                     {:6.1} MB", resident_mb(site.child.id()));
    reads(&site, folder.path(), "");
    println!("\nmemory, after the reads          {:6.1} MB", resident_mb(site.child.id()));
    writes(&site);
    println!("memory, after the writes         {:6.1} MB", resident_mb(site.child.id()));
    drop(site);
    // A new process, without the responses that the reads have filled the cache with.
    sign_ins(&serve(&database));
    let bytes = std::fs::metadata(env!("CARGO_BIN_EXE_lectern")).expect("the binary").len();
    println!("size of the binary               {:6.1} MB", bytes as f64 / 1_048_576.0);
}

/// The server under test, on the benchmark database.
fn serve(database: &std::path::Path) -> Server {
    let config = database.with_extension("toml");
    std::fs::write(&config, "[limits]\nvisitor_burst = 0\nsign_in_burst = 0\n").expect("the configuration is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--config"]).arg(config).arg("--database").arg(database);
    Server::start(&mut command)
}

fn start_times(database: &std::path::Path) {
    for path in ["/api/events", "/"] {
        let times = (0..9).map(|_| {
            let started = Instant::now();
            let site = serve(database);
            assert!(fetch(site.port, &get(path, "")).starts_with(b"HTTP/1.1 200"));
            started.elapsed().as_secs_f64() * 1e3
        });
        println!("start to first response, {path:<12} {:5.1} ms", median(times.collect()));
    }
}

/// How long the first visitor of a page waits after another process has changed an event.
fn first_visitors(database: &std::path::Path) {
    let site = serve(database);
    let connection = connect(database, BusyTimeout::CommandLine).expect("the database opens");
    let wait = |path: &str, pause: Duration| {
        connection.execute("UPDATE events SET summary = summary || '.' WHERE id = 2", []).expect("an edit");
        std::thread::sleep(pause);
        let started = Instant::now();
        assert!(fetch(site.port, &get(path, "Accept-Encoding: br\r\n")).starts_with(b"HTTP/1.1 200"));
        started.elapsed().as_secs_f64() * 1e3
    };
    for path in ["/", "/calendar", EVENT_PAGE] {
        // The first request loads the engine that renders pages.
        wait(path, Duration::ZERO);
        let warm = (0..ROUNDS * 3).map(|_| wait(path, Duration::from_millis(20))).collect();
        let idle = (0..3).map(|_| wait(path, ENGINE_IDLE)).collect();
        println!(
            "first visitor after an edit, {:<9.9} {:5.1} ms, {:5.1} ms after {} s without one",
            path,
            median(warm),
            median(idle),
            ENGINE_IDLE.as_secs()
        );
    }
}

fn split(response: &[u8]) -> (String, &[u8]) {
    let end = response.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    (String::from_utf8_lossy(&response[..end]).into_owned(), &response[end + 4..])
}

/// Measures the cases whose name contains `name`.
fn reads(site: &Server, folder: &std::path::Path, name: &str) {
    // `few` sends the headers that a handler without any rules needs, `same` those of lectern.
    println!(
        "\n{:<34}{:>5} {:>10} {:>10} {:>10} {:>6} {:>6} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8}",
        "read",
        "conn",
        "lectern/s",
        "few/s",
        "same/s",
        "ratio",
        "ratio",
        "p99",
        "few p99",
        "same p99",
        "µs",
        "few µs",
        "same µs"
    );
    let response = fetch(site.port, &get("/api/events", ""));
    let etag =
        split(&response).0.lines().find_map(|line| line.strip_prefix("etag: ").map(str::to_owned)).expect("an ETag");
    let cases = [
        ("/api/events, uncompressed", "/api/events", String::new(), 200),
        ("/api/events, brotli", "/api/events", "Accept-Encoding: br\r\n".to_owned(), 200),
        ("/api/events, 304", "/api/events", format!("If-None-Match: {etag}\r\n"), 304),
        ("/, brotli", "/", "Accept-Encoding: br\r\n".to_owned(), 200),
        ("an event's page, brotli", EVENT_PAGE, "Accept-Encoding: br\r\n".to_owned(), 200),
        ("calendar.ics, gzip", "/calendar.ics", "Accept-Encoding: gzip\r\n".to_owned(), 200),
        ("calendar.ics with a query, gzip", CALENDAR_OF_TYPE, "Accept-Encoding: gzip\r\n".to_owned(), 200),
    ];
    for (name, path, headers, status) in cases.into_iter().filter(|(case, ..)| case.contains(name)) {
        let request = get(path, &headers);
        let response = fetch(site.port, &request);
        let (head, body) = split(&response);
        let file = folder.join("body");
        std::fs::write(&file, body).expect("the body is written");
        let [few, same] =
            [("few-headers", few_headers(&head)), ("same-headers", same_headers(&head))].map(|(name, head)| {
                let headers = folder.join(name);
                std::fs::write(&headers, head).expect("the headers are written");
                serve_plain(&file, status, &headers)
            });
        for connections in [1, 16, 64] {
            compare(name, connections, [site, &few, &same], &request, status);
        }
    }
}

/// The headers that a handler without any rules sends.
fn few_headers(head: &str) -> String {
    let coding = head.lines().find(|line| line.starts_with("content-encoding: ")).unwrap_or_default();
    format!("content-type: application/json\n{coding}")
}

/// The headers of lectern's response, without those that hyper adds.
fn same_headers(head: &str) -> String {
    let is_of_hyper =
        |line: &&str| ["date: ", "content-length: ", "connection: "].iter().any(|name| line.starts_with(name));
    head.lines().skip(1).filter(|line| !is_of_hyper(line)).collect::<Vec<_>>().join("\n")
}

/// Requests a second, the 99th percentile of the response times in milliseconds, and microseconds of processor time a request.
fn round(server: &Server, connections: usize, request: &[u8], status: u16) -> [f64; 3] {
    let request = request.to_vec();
    let (round, processor_time) =
        load_process(server.child.id(), server.port, connections, ROUND, move |_| request.clone(), status);
    [round.per_second, round.p99.as_secs_f64() * 1e3, processor_time]
}

fn compare(name: &str, connections: usize, servers: [&Server; 3], request: &[u8], status: u16) {
    let run = || servers.map(|server| round(server, connections, request, status));
    // One warm-up round each, then alternating rounds, so that load on the machine affects all.
    run();
    let rounds: Vec<_> = (0..ROUNDS).map(|_| run()).collect();
    let medians = |at: usize| [0, 1, 2].map(|of: usize| median(rounds.iter().map(|round| round[of][at]).collect()));
    let (rate, p99, cost) = (medians(0), medians(1), medians(2));
    println!(
        "{name:<34}{connections:>5} {:>10.0} {:>10.0} {:>10.0} {:>6.2} {:>6.2} {:>7.2} ms {:>7.2} ms {:>7.2} ms {:>8.1} {:>8.1} {:>8.1}",
        rate[0],
        rate[1],
        rate[2],
        rate[0] / rate[1],
        rate[0] / rate[2],
        p99[0],
        p99[1],
        p99[2],
        cost[0],
        cost[1],
        cost[2]
    );
}

/// An axum handler that returns the same body from memory with these headers, in a separate process.
fn serve_plain(body: &std::path::Path, status: u16, headers: &std::path::Path) -> Server {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    Server::start(command.args(["plain", &format!("{}|{status}|{}", body.display(), headers.display())]))
}

fn plain(argument: &str) {
    use axum::response::IntoResponse as _;
    use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

    let mut parts = argument.split('|');
    let body = bytes::Bytes::from(std::fs::read(parts.next().expect("a file")).expect("the body"));
    let status = StatusCode::from_bytes(parts.next().expect("a status").as_bytes()).expect("a status");
    let lines = std::fs::read_to_string(parts.next().expect("a file")).expect("the headers");
    let mut headers = HeaderMap::new();
    for (name, value) in lines.lines().filter_map(|line| line.split_once(": ")) {
        let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
        headers.append(name, HeaderValue::from_str(value).expect("a value"));
    }
    let handler = move || {
        let (headers, body) = (headers.clone(), body.clone());
        async move { (status, headers, body).into_response() }
    };
    let router: axum::Router = axum::Router::new()
        .route("/api/events", axum::routing::get(handler.clone()))
        .route("/events/{event}", axum::routing::get(handler.clone()))
        .route("/calendar.ics", axum::routing::get(handler.clone()))
        .route("/", axum::routing::get(handler));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("{}", listener.local_addr().expect("an address").port());
        axum::serve(listener, router).await.expect("the plain server runs");
    });
}

fn writes(site: &Server) {
    println!("\n{:<34}{:>5} {:>12} {:>21}", "interest writes, synced to disk", "conn", "lectern/s", "p99");
    for connections in [1, 16, 64] {
        let offset = connections * 10_000_000;
        let round = load(site.port, connections, ROUND * 2, move |number| put_interest(offset + number), 200);
        println!("{:<34}{connections:>5} {:>12.0} {:>18.2} ms", "", round.per_second, round.p99.as_secs_f64() * 1e3);
    }
}

fn sign_ins(site: &Server) {
    let body = "{\"email\":\"nobody@example.com\",\"password\":\"not the password\"}";
    let request = format!(
        "POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    // Each request is for another account, because the back-off per account starts after five attempts.
    let round = load(
        site.port,
        8,
        ROUND,
        move |number| request.replace("nobody@", &format!("n{:05}@", number % 100_000)).into_bytes(),
        401,
    );
    println!("sign-ins a second (8 at once)    {:6.0}", round.per_second);
    println!("memory, right after sign-ins     {:6.1} MB", resident_mb(site.child.id()));
    std::thread::sleep(Duration::from_secs(4));
    println!("memory, four seconds later       {:6.1} MB", resident_mb(site.child.id()));
}
