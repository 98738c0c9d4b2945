//! Compares interest writes over HTTP with those of a bare axum server that makes the same two statements with the same
//! settings of SQLite in grouped commits. `cargo bench --profile dist --bench writes`
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

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use lectern::platform::db::{BusyTimeout, connect};
use load::{fetch, get, load_process, put_interest, resident_mb};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use server::Server;
use support::median;
use tokio::sync::oneshot;

const EVENTS: usize = 1_000;
/// Pairs of new processes. One process can be faster by a tenth than another of the same program, for as long as it runs.
const PAIRS: usize = 4;
/// Until the tasks that lectern runs after its start have ended.
const SETTLE: Duration = Duration::from_secs(10);
const CONNECTIONS: [usize; 3] = [1, 16, 64];
const ROUND: Duration = Duration::from_millis(1_200);
/// Rounds of each pair.
const ROUNDS: usize = 4;
/// As [`lectern::platform::db::DbOptions`].
const WRITES_PER_COMMIT: usize = 128;
const QUEUE: usize = 1_024;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|mode| mode == "bare") {
        return bare(Path::new(&arguments[2]));
    }
    let folder = tempfile::tempdir().expect("a temporary directory");
    let filled = folder.path().join("filled.db");
    fill::fill(&filled, EVENTS);
    let config = folder.path().join("lectern.toml");
    std::fs::write(&config, "[limits]\nvisitor_burst = 0\n").expect("the configuration is written");

    let mut rounds: [Vec<[Round; 2]>; CONNECTIONS.len()] = Default::default();
    let mut memory = Vec::new();
    for pair in 0..PAIRS {
        let [ours, other] = ["lectern", "bare"].map(|name| folder.path().join(format!("{name}-{pair}.db")));
        for copy in [&ours, &other] {
            std::fs::copy(&filled, copy).expect("a copy of the database");
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--config"]).arg(&config).arg("--database").arg(ours);
        let site = Server::start(&mut command);
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        let bare = Server::start(command.arg("bare").arg(other));
        let servers = [site, bare].map(|server| Target { server, written: Arc::default() });
        std::thread::sleep(SETTLE);
        for (connections, rounds) in CONNECTIONS.into_iter().zip(&mut rounds) {
            // Alternating rounds, so that load on the machine affects both. The first is a warm-up.
            let all = (0..=ROUNDS).map(|_| servers.each_ref().map(|target| round(target, connections)));
            rounds.extend(all.skip(1));
        }
        memory.push(servers.each_ref().map(|target| resident_mb(target.server.child.id())));
        let response = fetch(servers[0].server.port, &get("/api/events/1/interest", ""));
        let stored = format!("\"count\":{},", servers[0].written.load(Ordering::Relaxed));
        assert!(String::from_utf8_lossy(&response).contains(&stored), "each write is stored");
    }
    print(&rounds, &memory);
}

/// A server, and the number of writes that were sent to it.
struct Target {
    server: Server,
    written: Arc<AtomicUsize>,
}

struct Round {
    writes_per_second: f64,
    /// Microseconds of processor time.
    processor_time: f64,
    /// The 99th percentile of the response times in milliseconds.
    p99: f64,
}

fn round(target: &Target, connections: usize) -> Round {
    let (server, written) = (&target.server, Arc::clone(&target.written));
    // No visitor writes twice.
    let request = move |_| put_interest(written.fetch_add(1, Ordering::Relaxed));
    let (round, processor_time) = load_process(server.child.id(), server.port, connections, ROUND, request, 200);
    Round { writes_per_second: round.per_second, processor_time, p99: round.p99.as_secs_f64() * 1e3 }
}

/// The ratio is the median of those of rounds beside each other, with its quartiles.
fn print(rounds: &[Vec<[Round; 2]>; CONNECTIONS.len()], memory: &[[f64; 2]]) {
    println!("{}, {EVENTS} events, {PAIRS} pairs of processes\n", support::machine());
    println!(
        "{:>5} {:>10} {:>10} {:>6} {:>11} {:>11} {:>9} {:>10} {:>9}",
        "conn", "lectern/s", "bare/s", "ratio", "quartiles", "lectern µs", "bare µs", "p99 ms", "bare p99"
    );
    for (connections, rounds) in CONNECTIONS.into_iter().zip(rounds) {
        let medians = |value: fn(&Round) -> f64| {
            [0, 1].map(|server| median(rounds.iter().map(|round| value(&round[server])).collect()))
        };
        let [rate, bare_rate] = medians(|round| round.writes_per_second);
        let [cost, bare_cost] = medians(|round| round.processor_time);
        let [p99, bare_p99] = medians(|round| round.p99);
        let mut ratios: Vec<f64> =
            rounds.iter().map(|[site, bare]| site.writes_per_second / bare.writes_per_second).collect();
        ratios.sort_by(f64::total_cmp);
        let quartiles = format!("{:.2}-{:.2}", ratios[ratios.len() / 4], ratios[ratios.len() * 3 / 4]);
        println!(
            "{connections:>5} {rate:>10.0} {bare_rate:>10.0} {:>6.2} {quartiles:>11} {cost:>11.1} {bare_cost:>9.1} {p99:>10.2} {bare_p99:>9.2}",
            median(ratios)
        );
    }
    println!();
    for (server, name) in ["lectern", "bare"].into_iter().enumerate() {
        println!("memory of {name:<8} {:5.1} MB", median(memory.iter().map(|pair| pair[server]).collect()));
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    action: String,
    user_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Interest {
    count: i64,
    has_interest: bool,
}

struct Write {
    event: i64,
    visitor: String,
    count_sender: oneshot::Sender<i64>,
}

/// The server of the comparison, in a separate process. It checks and limits nothing.
fn bare(database: &Path) {
    let connection = connect(database, BusyTimeout::Server).expect("the database opens");
    let (sender, receiver) = sync_channel(QUEUE);
    std::thread::spawn(move || write_until_closed(&connection, &receiver));
    let router =
        axum::Router::new().route("/api/events/{id}/interest", axum::routing::put(put)).with_state::<()>(sender);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("{}", listener.local_addr().expect("an address").port());
        axum::serve(listener, router).await.expect("the bare server runs");
    });
}

async fn put(
    State(sender): State<SyncSender<Write>>,
    axum::extract::Path(event): axum::extract::Path<i64>,
    Json(body): Json<Body>,
) -> Json<Interest> {
    assert_eq!(body.action, "add");
    let (count_sender, count) = oneshot::channel();
    sender.try_send(Write { event, visitor: body.user_id, count_sender }).expect("space in the queue");
    Json(Interest { count: count.await.expect("a commit"), has_interest: true })
}

fn write_until_closed(connection: &Connection, queue: &Receiver<Write>) {
    let execute = |statement| connection.prepare_cached(statement).and_then(|mut statement| statement.execute([]));
    while let Ok(first) = queue.recv() {
        let writes: Vec<Write> = std::iter::once(first).chain(queue.try_iter().take(WRITES_PER_COMMIT - 1)).collect();
        execute("BEGIN IMMEDIATE").expect("a transaction");
        let counts: rusqlite::Result<Vec<i64>> = writes.iter().map(|write| store(connection, write)).collect();
        let counts = counts.expect("the writes");
        execute("COMMIT").expect("a commit");
        for (write, count) in writes.into_iter().zip(counts) {
            let _ = write.count_sender.send(count);
        }
    }
}

fn store(connection: &Connection, write: &Write) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("INSERT INTO user_event_interests (event_id, user_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
        .execute(params![write.event, write.visitor])?;
    connection
        .prepare_cached("SELECT count FROM event_interests WHERE event_id = ?1")?
        .query_row([write.event], |row| row.get(0))
}
