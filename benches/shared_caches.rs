//! Proves what docs/scale.md promises of shared caches, with real ones: a day of a million visitors in a few minutes.
//!
//! `scripts/check-caches.sh`, or `cargo bench --bench shared_caches -- varnish nginx --visitors 1000000 --seconds 300`
//!
//! Each visitor reads one of 300 pages (Zipf) and with 5 % plans to attend, from an own address in X-Forwarded-For. At
//! the same time events begin, an admin changes an event and the notice on all pages, and the server is killed for a
//! minute. It fails when a promise is broken.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "printed measurements"
)]

#[path = "support/client.rs"]
mod client;
#[path = "support/server.rs"]
mod server;
#[path = "support/shared_cache.rs"]
mod shared_cache;
#[expect(dead_code, reason = "other benchmarks use the rest")]
mod support;
#[path = "support/visitors.rs"]
mod visitors;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use client::Connection;
use serde_json::{Value, json};
use server::Server;
use shared_cache::SharedCache;
use visitors::{Pages, Run, now};

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "a fine password";
const EVENTS: usize = 296;
/// Purges must reach all cached pages within this time, in seconds.
const REACH: f64 = 2.0;
/// After its return, Varnish notices the server by its next probes only.
const SETTLE: f64 = 5.0;

/// The arguments.
struct Plan {
    caches: Vec<String>,
    visitors: usize,
    seconds: f64,
    outage: f64,
    connections: usize,
}

impl Plan {
    fn from_arguments() -> Self {
        let mut plan = Self { caches: Vec::new(), visitors: 1_000_000, seconds: 300.0, outage: 60.0, connections: 64 };
        let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
        while let Some(argument) = arguments.next() {
            let mut number = || arguments.next().and_then(|value| value.parse().ok()).expect("a number");
            match argument.as_str() {
                "--visitors" => plan.visitors = number(),
                "--seconds" => plan.seconds = number() as f64,
                "--outage" => plan.outage = number() as f64,
                "--connections" => plan.connections = number(),
                _ => plan.caches.push(argument),
            }
        }
        plan
    }
}

fn main() {
    let plan = Plan::from_arguments();
    if plan.caches.is_empty() {
        println!("skipped: scripts/check-caches.sh runs this");
        return;
    }
    println!("{}, {} visitors in {} s\n", support::machine(), plan.visitors, plan.seconds);
    let mut columns = Vec::new();
    let mut broken = Vec::new();
    for name in &plan.caches {
        if !shared_cache::is_installed(name) {
            println!("skipped: {name} is not installed");
            continue;
        }
        eprintln!("== {name}");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let result = tokio::task::LocalSet::new().block_on(&runtime, run(&plan, name));
        broken.extend(result.broken.into_iter().map(|sentence| format!("{name}: {sentence}")));
        columns.push((name.clone(), result.rows));
    }
    print_table(&columns);
    for sentence in &broken {
        eprintln!("BROKEN: {sentence}");
    }
    if !broken.is_empty() {
        std::process::exit(1);
    }
}

fn print_table(columns: &[(String, Vec<(&'static str, String)>)]) {
    let Some((_, first)) = columns.first() else { return };
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    println!("| | {} |\n|---|{}", names.join(" | "), "--:|".repeat(names.len()));
    for (row, (title, _)) in first.iter().enumerate() {
        let cells: Vec<&str> = columns.iter().map(|(_, rows)| rows[row].1.as_str()).collect();
        println!("| {title} | {} |", cells.join(" | "));
    }
}

/// The site under test.
struct Site {
    config: PathBuf,
    port: u16,
    metrics: u16,
    server: Option<Server>,
    /// Processor seconds and requests of servers that have ended.
    past_cpu: f64,
    past_requests: Requests,
}

#[derive(Clone, Copy, Default)]
struct Requests {
    pages: u64,
    interests: u64,
}

fn program() -> PathBuf {
    std::env::var_os("LECTERN_BIN").map_or_else(|| env!("CARGO_BIN_EXE_lectern").into(), PathBuf::from)
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

impl Site {
    fn new(folder: &Path, cache: &SharedCache) -> Self {
        let (port, metrics) = (cache.backend, free_port());
        let config = folder.join("config.toml");
        let text = format!(
            "[server]\nlisten = \"127.0.0.1:{port}\"\nbase_url = \"http://127.0.0.1:{}\"\n\
             trusted_proxies = [\"127.0.0.1\"]\n[database]\npath = \"{}\"\n\
             [metrics]\nlisten = \"127.0.0.1:{metrics}\"\n[limits]\nsign_in_burst = 0\n{}",
            cache.port,
            folder.join("lectern.db").display(),
            cache.settings(),
        );
        std::fs::write(&config, text).expect("the configuration is written");
        let mut create = Command::new(program());
        create.args(["create-admin", "--email", EMAIL, "--password-stdin", "--config"]).arg(&config);
        let mut child = create.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program runs");
        child.stdin.take().expect("stdin").write_all(PASSWORD.as_bytes()).expect("the password");
        assert!(child.wait().expect("an end").success(), "the first account is created");
        let server = start(&config);
        assert_eq!(server.port, port, "the server listens where the cache expects it");
        let server = Some(server);
        Self { config, port, metrics, server, past_cpu: 0.0, past_requests: Requests::default() }
    }

    fn cpu(&self) -> f64 {
        self.past_cpu + self.server.as_ref().map_or(0.0, |server| shared_cache::cpu_seconds(server.child.id()))
    }

    async fn requests(&self) -> Requests {
        let response = Connection::new(self.metrics).get("/metrics", "").await.expect("the metrics");
        let text = String::from_utf8_lossy(&response.body).into_owned();
        let mut requests = self.past_requests;
        for line in text.lines().filter(|line| line.starts_with("lectern_http_requests_total{")) {
            let count: u64 = line.rsplit(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
            if line.contains("method=\"PUT\"") && line.contains("/interest\"") {
                requests.interests += count;
            } else if line.contains("method=\"GET\"") && !line.contains("route=\"/robots.txt\"") {
                requests.pages += count;
            }
        }
        requests
    }

    async fn kill(&mut self) {
        self.past_requests = self.requests().await;
        self.past_cpu = self.cpu();
        // Dropped, it is killed with SIGKILL.
        self.server = None;
    }

    async fn restart(&mut self) {
        let config = self.config.clone();
        let started = tokio::task::spawn_blocking(move || start(&config)).await.expect("a start");
        self.server = Some(started);
    }
}

fn start(config: &Path) -> Server {
    Server::start(Command::new(program()).args(["serve", "--config"]).arg(config))
}

/// An admin who is signed in, through the cache.
struct Admin {
    connection: Connection,
    cookies: String,
}

impl Admin {
    async fn sign_in(port: u16) -> Self {
        let mut connection = Connection::new(port);
        let body = json!({ "email": EMAIL, "password": PASSWORD });
        let response = connection.send("POST", "/api/auth/login", "", Some(&body)).await.expect("a sign-in");
        assert_eq!(response.status, 200, "{}", response.text());
        let cookies = response.cookies();
        assert!(cookies.contains("lectern_signed_in"), "{cookies}");
        Self { connection, cookies: format!("Cookie: {cookies}\r\n") }
    }

    async fn save(&mut self, method: &str, path: &str, body: &Value) -> Value {
        let response = self.connection.send(method, path, &self.cookies, Some(body)).await.expect("a response");
        assert!(response.status < 300, "{method} {path}: {} {}", response.status, response.text());
        serde_json::from_slice(&response.body).expect("JSON")
    }

    async fn read(&mut self, path: &str) -> String {
        self.connection.get(path, &self.cookies).await.expect("a response").text()
    }
}

fn event(speaker: i64, title: &str, date: &str, time: &str, summary: &str) -> Value {
    json!({
        "event": {
            "title": title, "date": date, "time": time, "duration": "60 minutes", "type": "In-Person Events",
            "summary": summary, "description": "Bring an offering you are looking at. ".repeat(8),
            "registrationUrl": "https://example.com/register", "timezone": "America/New_York",
        },
        "location": { "venueName": "The Long Room", "venueAddress": "12 Canal Street", "city": "Denver", "state": "CO" },
        "speakerIds": [speaker],
    })
}

/// The wall clock in the zone of the events.
fn wall_clock(instant: chrono::DateTime<chrono::Utc>) -> (String, String) {
    let local = instant.with_timezone(&chrono_tz::America::New_York);
    (local.format("%Y-%m-%d").to_string(), local.format("%H:%M").to_string())
}

/// The event that the admin changes.
struct Edited {
    id: i64,
    speaker: i64,
    path: String,
    date: String,
    time: String,
}

impl Edited {
    fn body(&self, edition: u32) -> Value {
        let summary = format!("Edition {edition}. One deal, read line by line.");
        event(self.speaker, "The edited evening", &self.date, &self.time, &summary)
    }
}

/// Creates the events of the 300 pages, and those that begin during the run, at each whole minute.
async fn fill(admin: &mut Admin, seconds: f64) -> (Pages, Edited) {
    let mut pages = Pages::new(["/", "/calendar", "/calendar.ics", "/feed.xml"]);
    let speaker = json!({ "name": "Grace Obi", "title": "Acquisitions", "bio": "Reads rent rolls.", "type": "Guest" });
    let created = admin.save("POST", "/api/speakers", &speaker).await;
    let speaker = created["id"].as_i64().expect("an id");
    let tomorrow = chrono::Utc::now() + chrono::TimeDelta::days(1);
    let mut edited = None;
    for number in 0..EVENTS {
        let (date, _) = wall_clock(tomorrow + chrono::Days::new(number as u64 / 3));
        let time = format!("{:02}:00", 8 + number % 12);
        let mut of_event = Edited { id: 0, speaker, path: String::new(), date, time };
        let body = if number == 20 {
            of_event.body(0)
        } else {
            event(
                speaker,
                &format!("Evening number {number}: what the summary leaves out"),
                &of_event.date,
                &of_event.time,
                "A line-by-line reading of one deal.",
            )
        };
        let created = admin.save("POST", "/api/events", &body).await;
        let path = created["path"].as_str().expect("a path").to_owned();
        let id = created["id"].as_i64().expect("an id");
        pages.add(path.clone(), id);
        if number == 20 {
            of_event.id = id;
            of_event.path = path;
            edited = Some(of_event);
        }
    }
    let minute =
        chrono::DurationRound::duration_trunc(chrono::Utc::now(), chrono::TimeDelta::minutes(1)).expect("a minute");
    for ahead in 1..=(seconds / 60.0) as i64 + 3 {
        let begins = minute + chrono::TimeDelta::minutes(ahead);
        let (date, time) = wall_clock(begins);
        let title = format!("Begins at minute {ahead}");
        admin.save("POST", "/api/events", &event(speaker, &title, &date, &time, "It begins during the run.")).await;
        pages.begins(title, begins.timestamp() as f64);
    }
    (pages, edited.expect("the edited event"))
}

struct Outcome {
    rows: Vec<(&'static str, String)>,
    broken: Vec<String>,
}

async fn run(plan: &Plan, name: &str) -> Outcome {
    let folder = tempfile::tempdir().expect("a directory");
    let cache = SharedCache::prepare(name, folder.path(), free_port);
    let mut site = Site::new(folder.path(), &cache);
    let cache = cache.start(site.port).await;
    let is_cached = name != "none";
    let mut admin = Admin::sign_in(cache.port).await;
    let (pages, edited) = fill(&mut admin, plan.seconds).await;
    let run = Rc::new(Run::new(pages, cache.port));
    run.read_all_pages().await;
    let (cpu_before, cache_before, requests_before) = (site.cpu(), cache.cpu(), site.requests().await);

    let load = tokio::task::spawn_local(visitors::visit(
        Rc::clone(&run),
        plan.visitors,
        Duration::from_secs_f64(plan.seconds),
        plan.connections,
    ));
    let began = now();
    let until = async |part: f64| {
        let wait = began + plan.seconds * part - now();
        tokio::time::sleep(Duration::from_secs_f64(wait.max(0.0))).await;
    };
    let mut own_changes = Vec::new();
    until(0.1).await;
    own_changes.push(change_event(&run, &mut admin, &edited, 1).await);
    until(0.25).await;
    own_changes.push(change_notice(&run, &mut admin, 1).await);
    until(0.4).await;
    own_changes.push(change_event(&run, &mut admin, &edited, 2).await);
    if is_cached {
        until(0.5).await;
        run.read_all_pages().await;
        run.killed_at.set(Some(now()));
        site.kill().await;
        tokio::time::sleep(Duration::from_secs_f64(plan.outage)).await;
        site.restart().await;
        run.back_at.set(Some(now()));
    }
    until(0.9).await;
    own_changes.push(change_notice(&run, &mut admin, 2).await);
    let totals = load.await.expect("the visitors");
    let requests = site.requests().await;
    let pages_at_origin = requests.pages - requests_before.pages;
    let (cpu, cache_cpu) = (site.cpu() - cpu_before, cache.cpu() - cache_before);
    let own = own_changes.iter().map(|(millis, _)| *millis).fold(0.0, f64::max);
    let found = run.findings();
    let milliseconds =
        |times: &[u32], part: f64| format!("{:.2} ms", f64::from(visitors::percentile(times, part)) / 1e3);
    let reads = totals.reads.len() as u64 + run.extra_reads.get();
    let of_cache = |value: String| if is_cached { value } else { "–".to_owned() };
    let rows = vec![
        ("visitors, each with one page", totals.reads.len().to_string()),
        ("of them plan to attend", totals.interests.len().to_string()),
        ("pages per second", format!("{:.0}", totals.reads.len() as f64 / totals.seconds)),
        ("pages from the cache", of_cache(format!("{:.2} %", 100.0 - 100.0 * pages_at_origin as f64 / reads as f64))),
        ("page requests at lectern", pages_at_origin.to_string()),
        ("processor time of lectern", format!("{cpu:.1} s")),
        ("processor time of the cache", of_cache(format!("{cache_cpu:.1} s"))),
        ("page, p50 · p99", format!("{} · {}", milliseconds(&totals.reads, 0.5), milliseconds(&totals.reads, 0.99))),
        (
            "attendance, p50 · p99",
            format!("{} · {}", milliseconds(&totals.interests, 0.5), milliseconds(&totals.interests, 0.99)),
        ),
        ("failed reads", found.failed_reads.to_string()),
        ("failed writes while lectern runs", found.failed_writes.to_string()),
        ("lectern killed for", of_cache(format!("{:.0} s", plan.outage))),
        ("pages in that time", of_cache(found.reads_in_outage.to_string())),
        ("events that began", found.begun.to_string()),
        ("of them checked before and after", found.checked.to_string()),
        ("pages with a begun event as the next", found.stale_next.to_string()),
        ("an admin sees the own change after", format!("{own:.0} ms")),
        ("a purge has reached all pages after", of_cache(format!("{:.2} s", found.reach))),
    ];
    let mut broken = found.broken;
    if own_changes.iter().any(|(_, is_seen)| !is_seen) {
        broken.push("an admin did not see the own change in the next response".to_owned());
    }
    if is_cached && found.reach > REACH {
        broken.push(format!("a purge reached all pages after {:.2} s only", found.reach));
    }
    Outcome { rows, broken }
}

/// Changes the event; returns after how many milliseconds the admin's next response came, and whether it has the change.
async fn change_event(run: &Rc<Run>, admin: &mut Admin, edited: &Edited, edition: u32) -> (f64, bool) {
    admin.save("PUT", &format!("/api/events/{}", edited.id), &edited.body(edition)).await;
    let saved = now();
    run.editions.borrow_mut().push((edition, saved));
    let page = admin.read(&edited.path).await;
    let millis = (now() - saved) * 1e3;
    run.read_all_pages_after(saved + REACH).await;
    (millis, page.contains(&format!("Edition {edition}.")))
}

async fn change_notice(run: &Rc<Run>, admin: &mut Admin, number: u32) -> (f64, bool) {
    let text = format!("Notice number {number}.");
    admin.save("PUT", "/api/site-settings", &json!({ "noticeText": text })).await;
    let saved = now();
    run.notices.borrow_mut().push((number, saved));
    let page = admin.read("/").await;
    let millis = (now() - saved) * 1e3;
    run.read_all_pages_after(saved + REACH).await;
    (millis, page.contains(&text))
}
