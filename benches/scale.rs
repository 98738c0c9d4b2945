//! Compares what pages, feeds, lists, saves and memory cost with 10,000 events and with 1,000, at the same number of events a
//! month, and with 10,000 events in as many months as the 1,000. `cargo bench --profile dist --bench scale`
//!
//! Every response is built and compressed after an edit that it shows, by the lectern binary, over HTTP. The servers are
//! measured in turn, so that load on the machine affects all. It fails only on a wrong response.

#[path = "support/archive.rs"]
mod archive;
#[path = "support/sample.rs"]
mod sample;
#[path = "support/server.rs"]
mod server;
mod support;

use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lectern::features::events;
use lectern::platform::clock::timestamp;
use lectern::platform::db::{self, BusyTimeout};
use rusqlite::Connection;
use serde_json::{Value, json};
use server::Server;
use support::median;

/// The name of a site, its events, and how many of them are in one month.
const SITES: [(&str, usize, usize); 3] =
    [("1,000", 1_000, 40), ("10,000", 10_000, 40), ("10,000, 400 a month", 10_000, 400)];
const ROUNDS: usize = 21;
/// Rounds of what takes long.
const FEW_ROUNDS: usize = 5;
/// The events of one bulk change.
const BULK: usize = 50;
/// Time from the start until memory is idle; the storage is probed and the database is checked in between.
const IDLE: Duration = Duration::from_secs(20);

fn main() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let databases = SITES.map(|(_, count, per_month)| {
        let database = folder.path().join(format!("{count}-{per_month}.db"));
        archive::fill(&database, count, per_month);
        create_admin(&database);
        database
    });
    println!("{}, {ROUNDS} rounds, medians\n", support::machine());
    memory(&databases);
    let sites = databases.map(Site::start);
    println!(
        "\n| | {} | {} | ratio | processor time | ratio | {} |\n|---|--:|--:|--:|--:|--:|--:|",
        SITES[0].0, SITES[1].0, SITES[2].0
    );
    pages(&sites);
    feeds(&sites);
    lists(&sites);
    saves(&sites);
}

fn pages(sites: &[Site]) {
    let get = |name: &str, path: fn(&Site) -> String| {
        measure(name, ROUNDS, sites, Site::edit_next, |site, ()| site.get(&path(site)));
    };
    get("`/`", |_| "/".to_owned());
    get("`/calendar`", |_| "/calendar".to_owned());
    get("an event", |site| site.next.1.clone());
    get("an event of a series", |site| site.next_of_series.1.clone());
    let unrelated = |name: &str, path: fn(&Site) -> String| {
        for site in sites {
            site.get(&path(site));
        }
        measure(name, ROUNDS, sites, Site::edit_oldest, |site, ()| site.get(&path(site)));
    };
    unrelated("`/` after an edit of another event", |_| "/".to_owned());
    unrelated("an event after an edit of another event", |site| site.next.1.clone());
    get("a past month, `/calendar?month=`", |_| format!("/calendar?month={}", past_month()));
    get("a series, all events", |_| "/series/series-number-0".to_owned());
}

fn feeds(sites: &[Site]) {
    let get = |name: &str, path: fn(&Site) -> String| {
        measure(name, ROUNDS, sites, Site::edit_next, |site, ()| site.get(&path(site)));
    };
    get("`/calendar.ics`", |_| "/calendar.ics".to_owned());
    get("`/calendar.ics?series=`", |_| "/calendar.ics?series=series-number-0".to_owned());
    get("`/feed.xml`", |_| "/feed.xml".to_owned());
    get("`/feed.xml?series=`", |_| "/feed.xml?series=series-number-0".to_owned());
    get("`/sitemap.xml`", |_| "/sitemap.xml".to_owned());
    get("a part of the sitemap", Site::sitemap_part);
    get("an event's `.ics`", |site| format!("{}.ics", site.next.1));
}

fn lists(sites: &[Site]) {
    measure("`/api/events?from=&to=`, three months", ROUNDS, sites, Site::edit_next, |site, ()| {
        site.get(&three_months());
    });
    let month = chrono::Utc::now().format("%Y-%m");
    for (name, path) in [
        ("`/api/search`, a city in a month", format!("/api/search?q=denver+{month}")),
        ("`/api/search`, with a typo", format!("/api/search?q=denvre+{month}")),
        ("`/search`, a city in a month", format!("/search?q=denver+{month}")),
        ("`/api/search`, all events", "/api/search?q=evening".to_owned()),
    ] {
        measure(name, ROUNDS, sites, Site::edit_next, |site, ()| site.get(&path));
    }
    for (name, path) in [
        ("the portal's list", "/api/events/portal?sort=upcoming&page=1&size=6".to_owned()),
        ("the portal's list, a city in a month", format!("/api/events/portal?q=denver+{month}")),
        ("the portal's list, a month", format!("/api/events/portal?month={month}")),
        ("the portal's list, the past", "/api/events/portal?when=past".to_owned()),
        ("the portal's list, by title", "/api/events/portal?sort=title".to_owned()),
        ("the portal's list, the past by title", "/api/events/portal?when=past&sort=title".to_owned()),
        ("the months of the portal's list", "/api/events/months".to_owned()),
    ] {
        measure(name, ROUNDS, sites, Site::edit_next, |site, ()| {
            site.send("GET", &path, &Value::Null);
        });
    }
    measure("`/api/events`, all events", FEW_ROUNDS, sites, Site::edit_next, |site, ()| site.get("/api/events"));
}

fn saves(sites: &[Site]) {
    let nothing = |_: &Site| ();
    measure("create an event", ROUNDS, sites, nothing, |site, ()| {
        site.create();
    });
    measure("save an event", ROUNDS, sites, nothing, |site, ()| {
        site.send("PUT", &format!("/api/events/{}", site.next.0), &site.event(None));
    });
    measure("save an event of a series", ROUNDS, sites, nothing, |site, ()| {
        let body = site.event(Some("Series number 0"));
        site.send("PUT", &format!("/api/events/{}", site.next_of_series.0), &body);
    });
    let delete = |site: &Site, id: &Value| site.send("DELETE", &format!("/api/events/{id}"), &Value::Null);
    measure("delete an event", ROUNDS, sites, Site::create, |site, id| {
        delete(site, &id);
    });
    let deleted = |site: &Site| {
        let id = site.create();
        delete(site, &id);
        id
    };
    measure("restore an event", ROUNDS, sites, deleted, |site, id| {
        site.send("POST", &format!("/api/events/{id}/restore"), &Value::Null);
    });
    measure("plan to attend", ROUNDS, sites, nothing, |site, ()| {
        let body = json!({ "action": "add", "userId": format!("user_{}", site.number()) });
        site.send("PUT", &format!("/api/events/{}/interest", site.next_in_person), &body);
    });
    measure("another time for 50 events", ROUNDS, sites, nothing, |site, ()| {
        let time = format!("{:02}:{:02}", 8 + site.number() % 12, site.number() % 60);
        site.change(&json!({ "time": time }));
    });
    measure("another series for 50 events", ROUNDS, sites, nothing, |site, ()| {
        site.change(&json!({ "series": format!("Series {}", site.number() % 2) }));
    });
    let change = |site: &Site| {
        let link = format!("https://example.com/{}", site.number());
        site.change(&json!({ "registrationUrl": link }))["id"].clone()
    };
    measure("undo of a change of 50 events", ROUNDS, sites, change, |site, id| {
        site.send("POST", &format!("/api/events/bulk-edits/{id}/undo"), &Value::Null);
    });
    measure("an event on 12 dates", FEW_ROUNDS, sites, nothing, |site, ()| {
        let mut body = site.event(Some("Series number 0"));
        body["dates"] = (1..=12).map(|month| json!(format!("2040-{month:02}-{:02}", 1 + site.number() % 28))).collect();
        site.send("POST", "/api/events/repeats", &body);
    });
}

/// Prints a row with the time and the processor time of `work` on each site, which `prepare` precedes.
fn measure<P>(name: &str, rounds: usize, sites: &[Site], prepare: impl Fn(&Site) -> P, work: impl Fn(&Site, P)) {
    let mut times = vec![Vec::new(); sites.len()];
    let mut processor_times = vec![Vec::new(); sites.len()];
    // The first round loads code and fills the caches of the database.
    for round in 0..=rounds {
        for (at, site) in sites.iter().enumerate() {
            let prepared = prepare(site);
            // The server looks for writes of other processes once a millisecond.
            std::thread::sleep(Duration::from_millis(3));
            let (started, processor) = (Instant::now(), site.processor_ms());
            work(site, prepared);
            let elapsed = started.elapsed().as_secs_f64() * 1e3;
            if round > 0 {
                times[at].push(elapsed);
                processor_times[at].push(site.processor_ms() - processor);
            }
        }
    }
    let times: Vec<f64> = times.into_iter().map(median).collect();
    let processor_times: Vec<f64> = processor_times.into_iter().map(median).collect();
    println!(
        "| {name} | {:.2} ms | {:.2} ms | {:.2} | {:.2} · {:.2} ms | {:.2} | {:.2} ms |",
        times[0],
        times[1],
        times[1] / times[0],
        processor_times[0],
        processor_times[1],
        processor_times[1] / processor_times[0],
        times[2],
    );
}

/// Prints the resident memory of an idle server, of two starts, and the time to its first response.
fn memory(databases: &[PathBuf]) {
    println!("| | {} | {} | ratio | {} |\n|---|--:|--:|--:|--:|", SITES[0].0, SITES[1].0, SITES[2].0);
    for start in ["first", "second"] {
        let servers: Vec<Server> = databases.iter().map(|database| serve(database)).collect();
        std::thread::sleep(IDLE);
        let memory: Vec<f64> = servers.iter().map(|server| resident_mb(server.child.id())).collect();
        println!(
            "| memory, idle, {start} start | {:.1} MB | {:.1} MB | {:.2} | {:.1} MB |",
            memory[0],
            memory[1],
            memory[1] / memory[0],
            memory[2]
        );
    }
    let starts: Vec<f64> = databases
        .iter()
        .map(|database| {
            median(
                (0..FEW_ROUNDS)
                    .map(|_| {
                        let started = Instant::now();
                        let server = serve(database);
                        request(server.port, "GET", "/", "", "");
                        started.elapsed().as_secs_f64() * 1e3
                    })
                    .collect(),
            )
        })
        .collect();
    println!(
        "| start to first `/` | {:.1} ms | {:.1} ms | {:.2} | {:.1} ms |",
        starts[0],
        starts[1],
        starts[1] / starts[0],
        starts[2]
    );
}

fn lectern(database: &Path, arguments: &[&str]) -> Command {
    let config = database.with_extension("toml");
    std::fs::write(&config, "[limits]\nvisitor_burst = 0\nsign_in_burst = 0\n").expect("the configuration is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
    command.args(arguments).arg("--config").arg(config).arg("--database").arg(database);
    command
}

fn serve(database: &Path) -> Server {
    Server::start(&mut lectern(database, &["serve", "--listen", "127.0.0.1:0"]))
}

fn create_admin(database: &Path) {
    let mut command = lectern(database, &["create-admin", "--email", "a@example.com", "--password-stdin"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
    child.stdin.take().expect("stdin").write_all(b"a fine password\n").expect("the password is sent");
    assert!(child.wait().expect("the status").success());
}

/// A running server with a signed-in admin, and a connection with which another process edits its events.
struct Site {
    server: Server,
    connection: Connection,
    cookie: String,
    /// Id and path of the next event that is in no series.
    next: (i64, String),
    /// Id and path of the next event of a series.
    next_of_series: (i64, String),
    next_in_person: i64,
    /// The upcoming events from the second on.
    upcoming: Vec<i64>,
    counter: Cell<usize>,
}

impl Site {
    fn start(database: PathBuf) -> Self {
        let connection = db::connect(&database, BusyTimeout::CommandLine).expect("a connection");
        let server = serve(&database);
        let credentials = json!({ "email": "a@example.com", "password": "a fine password" }).to_string();
        let (head, _) = request(server.port, "POST", "/api/auth/login", "", &credentials);
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a session");
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        let upcoming = upcoming(&connection);
        let find = |is_wanted: &dyn Fn(&Upcoming) -> bool| {
            upcoming
                .iter()
                .find(|event| is_wanted(event))
                .map(|event| (event.id, event.path.clone()))
                .expect("an event")
        };
        Self {
            next: find(&|event| event.series.is_none()),
            next_of_series: find(&|event| event.series.as_deref() == Some("Series number 0")),
            next_in_person: find(&|event| event.kind == "In-Person Events").0,
            upcoming: upcoming.iter().skip(20).map(|event| event.id).collect(),
            server,
            connection,
            cookie,
            counter: Cell::new(0),
        }
    }

    /// A number that increases with each call.
    fn number(&self) -> usize {
        self.counter.set(self.counter.get() + 1);
        self.counter.get()
    }

    /// Changes the next event and the next event of a series, as another process.
    fn edit_next(&self) {
        let summary = format!("Edit number {}", self.number());
        self.connection
            .execute(
                "UPDATE events SET summary = ?1, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id IN (?2, ?3)",
                (summary, self.next.0, self.next_of_series.0),
            )
            .expect("the edit");
    }

    /// Changes the event with the first id, which is the oldest.
    fn edit_oldest(&self) {
        let summary = format!("Edit number {}", self.number());
        self.connection.execute("UPDATE events SET summary = ?1 WHERE id = 1", [summary]).expect("the edit");
    }

    /// The part of the sitemap that begins before the last 1,000 events, so that it is complete.
    fn sitemap_part(&self) -> String {
        let newest: i64 =
            self.connection.query_row("SELECT max(id) FROM events", [], |row| row.get(0)).expect("the newest event");
        format!("/sitemap-events-{}.xml", (newest / 1_000 - 1).max(0))
    }

    fn event(&self, series: Option<&str>) -> Value {
        json!({ "event": { "title": format!("Save {}", self.number()), "date": "2031-03-12", "time": "19:00",
            "duration": "60 minutes", "type": "Investor Insights", "summary": "s", "description": "d",
            "series": series, "registrationUrl": "https://example.com/", "timezone": "America/New_York" },
            "speakerIds": [1] })
    }

    /// Creates an event and returns its id.
    fn create(&self) -> Value {
        self.send("POST", "/api/events", &self.event(None))["id"].clone()
    }

    /// Changes [`BULK`] events at once; returns the response.
    fn change(&self, changes: &Value) -> Value {
        let events: Vec<Value> = self.upcoming.iter().rev().take(BULK).map(|id| json!({ "id": id })).collect();
        self.send("POST", "/api/events/bulk-edits", &json!({ "events": events, "changes": changes }))
    }

    fn get(&self, path: &str) {
        request(self.server.port, "GET", path, "Accept-Encoding: br\r\n", "");
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let headers = format!("Cookie: {}\r\n", self.cookie);
        let (_, response) = request(self.server.port, method, path, &headers, &body);
        serde_json::from_slice(&response).unwrap_or_default()
    }

    /// The processor time of the server's threads in milliseconds.
    fn processor_ms(&self) -> f64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.server.child.id())).expect("Linux");
        let nanoseconds = tasks.flatten().filter_map(|task| {
            let times = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            times.split(' ').next()?.parse::<f64>().ok()
        });
        nanoseconds.sum::<f64>() / 1e6
    }
}

/// The month six months ago. Months are shown by different queries, so its page is not cached.
fn past_month() -> String {
    let ago = chrono::Months::new(6);
    (chrono::Utc::now().date_naive() - ago).format("%Y-%m").to_string()
}

fn three_months() -> String {
    let day = |months: i64| chrono::Utc::now().date_naive() + chrono::TimeDelta::days(months * 30);
    format!("/api/events?from={}&to={}", day(-1), day(2))
}

/// An upcoming event of the data.
struct Upcoming {
    id: i64,
    path: String,
    kind: String,
    series: Option<String>,
}

fn upcoming(connection: &Connection) -> Vec<Upcoming> {
    let mut statement = connection
        .prepare("SELECT id, title, type, series FROM events WHERE starts_at > ?1 ORDER BY starts_at, id")
        .expect("a statement");
    let now = timestamp(chrono::Utc::now());
    let events = statement.query_map([now], |row| {
        let (id, title) = (row.get(0)?, row.get::<_, String>(1)?);
        Ok(Upcoming { id, path: events::path_of(id, &title), kind: row.get(2)?, series: row.get(3)? })
    });
    events.expect("events").map(|event| event.expect("an event")).collect()
}

/// Sends a request on a new connection; returns the head and the body of its response.
fn request(port: u16, method: &str, path: &str, headers: &str, body: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let content = if body.is_empty() { String::new() } else { "Content-Type: application/json\r\n".to_owned() };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}Connection: close\r\n{content}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("a request");
    let mut response = Vec::new();
    stream.read_to_end(&mut response).expect("a response");
    let end = response.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&response[..end]).into_owned();
    assert!(head.starts_with("HTTP/1.1 20"), "{method} {path}: {head}");
    (head, response.split_off(end + 4))
}

/// Resident memory of a process in MB.
fn resident_mb(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().split(' ').next().and_then(|kib| kib.parse::<f64>().ok()).expect("a number") / 1_024.0
}
