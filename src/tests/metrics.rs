//! `/metrics` of the real program, on a separate address.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::fake_s3::FakeS3;
use super::support::program::{EMAIL, PASSWORD, Server, command, create_admin, finish};
use super::support::raw_client::{RawClient, raw};
use super::support::{in_person_event, speaker};

/// A server with metrics, and their address.
fn start() -> (TempDir, Server, SocketAddr) {
    let folder = tempfile::tempdir().unwrap();
    create_admin(folder.path());
    let settings = super::s3::settings(&FakeS3::start().endpoint(), "");
    std::fs::write(folder.path().join("config.toml"), settings).unwrap();
    let mut serve = command(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    serve.env("LECTERN_METRICS__LISTEN", "127.0.0.1:0");
    let server = Server::spawn(serve);
    let address = server.metrics_address();
    (folder, server, address)
}

/// The samples by name with labels, checked against the rules of Prometheus.
fn samples(text: &str) -> BTreeMap<String, f64> {
    assert!(text.ends_with('\n'));
    let (mut kinds, mut samples) = (HashMap::new(), BTreeMap::new());
    let mut described = HashSet::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            described.insert(help.split_once(' ').unwrap().0.to_owned());
            continue;
        }
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert!(kinds.insert(name.to_owned(), kind.to_owned()).is_none(), "{name} twice");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{name} is a {kind}");
            continue;
        }
        let (name, value) = line.rsplit_once(' ').unwrap();
        let metric = name.split('{').next().unwrap();
        let base = ["_bucket", "_sum", "_count"].iter().find_map(|end| metric.strip_suffix(end));
        let metric = base.filter(|base| kinds.get(*base).is_some_and(|kind| kind == "histogram")).unwrap_or(metric);
        assert!(kinds.contains_key(metric) && described.contains(metric), "{line}");
        assert!(samples.insert(name.to_owned(), value.parse().unwrap()).is_none(), "{name} twice");
    }
    samples
}

fn read(metrics: SocketAddr) -> BTreeMap<String, f64> {
    let response = RawClient::to(metrics).get("/metrics");
    assert_eq!(response.status, 200, "{}", response.text());
    samples(&response.text())
}

fn requests(route: &str, method: &str, status: u16) -> String {
    format!("lectern_http_requests_total{{route=\"{route}\",method=\"{method}\",status=\"{status}\"}}")
}

#[test]
fn metrics_count_what_the_server_does() {
    let (folder, server, metrics) = start();
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    let speaker = admin.post("/api/speakers", &speaker("Grace Obi")).created_id();
    let event = admin.post("/api/events", &in_person_event("Property walk", &[speaker])).created_id();
    let mut visitor = server.visitor();
    for _ in 0..3 {
        assert_eq!(visitor.get("/api/events").status, 200);
    }
    assert_eq!(visitor.get(&format!("/api/events/{event}/interest?userId=user_1_a")).status, 200);
    assert_eq!(visitor.get("/secret-path-of-a-visitor").status, 404);
    assert_eq!(visitor.get("/pictures/secret.jpg").status, 404);
    let interest = json!({ "action": "add", "userId": "user_1_a" });
    assert_eq!(visitor.put(&format!("/api/events/{event}/interest"), &interest).status, 200);

    let text = RawClient::to(metrics).get("/metrics").text();
    let samples = samples(&text);
    let of = |name: &str| *samples.get(name).unwrap_or_else(|| panic!("{name} is missing:\n{text}"));
    for (name, expected) in [
        (requests("/api/events", "GET", 200), 3.0),
        (requests("/api/events", "POST", 201), 1.0),
        (requests("/api/events/{id}/interest", "PUT", 200), 1.0),
        (requests("/api/auth/login", "POST", 200), 1.0),
        (requests("other", "GET", 404), 1.0),
        (requests("/pictures/", "GET", 404), 1.0),
        ("lectern_http_request_duration_seconds_count{route=\"/api/events\",method=\"GET\"}".to_owned(), 3.0),
        ("lectern_cache_builds_total{route=\"/api/events\"}".to_owned(), 1.0),
        ("lectern_cache_hits_total{route=\"/api/events\"}".to_owned(), 2.0),
        ("lectern_sessions".to_owned(), 1.0),
        ("lectern_sync_runs_total".to_owned(), 0.0),
        // That of the admin, which stays open, and that of the visitor.
        ("lectern_http_connections".to_owned(), 2.0),
        ("lectern_queue_length{queue=\"uploads\"}".to_owned(), 0.0),
        ("lectern_queue_length{queue=\"imports\"}".to_owned(), 0.0),
        ("lectern_problems{status=\"down\"}".to_owned(), 0.0),
    ] {
        assert!((of(&name) - expected).abs() < f64::EPSILON, "{name} is {}, not {expected}", of(&name));
    }
    assert!(of("lectern_writes_total") >= 4.0 && of("lectern_writes_per_commit_count") >= 4.0);
    assert!(of("lectern_commit_duration_seconds_sum") > 0.0 && of("process_cpu_seconds_total") > 0.0);
    assert!(of("process_resident_memory_bytes") > 5e6 && of("lectern_disk_free_bytes") > 0.0);
    #[expect(clippy::cast_precision_loss, reason = "the file is small")]
    let size = folder.path().join("lectern.db").metadata().unwrap().len() as f64;
    assert!((of("lectern_database_size_bytes{file=\"database\"}") - size).abs() < f64::EPSILON);
    assert!(text.contains(&format!("lectern_build_info{{version=\"{}\",", env!("CARGO_PKG_VERSION"))));
    assert!(!text.contains("secret"), "labels are routes, not paths");
    // The server makes its first backup at the start.
    let started = Instant::now();
    let is_recent = |age: Option<&f64>| age.is_some_and(|age| (0.0..60.0).contains(age));
    while !["lectern_backup_age_seconds", "lectern_backup_remote_age_seconds"]
        .iter()
        .all(|name| is_recent(read(metrics).get(*name)))
    {
        assert!(started.elapsed() < Duration::from_secs(30), "no backup was counted: {}", server.log());
        std::thread::sleep(Duration::from_millis(20));
    }
    promtool(&text);

    // Every metric in the dashboard exists.
    let dashboard = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/grafana-dashboard.json");
    let dashboard = std::fs::read_to_string(dashboard).unwrap();
    let parsed: Value = serde_json::from_str(&dashboard).unwrap();
    assert!(parsed["panels"].as_array().unwrap().len() > 8);
    let page = RawClient::to(metrics).get("/metrics").text();
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
    for name in dashboard
        .split(|c: char| !is_name(c))
        .filter(|word| (word.starts_with("lectern_") && word.len() > "lectern_".len()) || word.starts_with("process_"))
    {
        let is_present =
            page.lines().any(|line| line.starts_with(&format!("{name} ")) || line.starts_with(&format!("{name}{{")));
        assert!(is_present || name == "lectern_sync_last_run_timestamp_seconds", "{name} is in no metric");
    }
    server.stop();
}

/// Prometheus' own parser and its rules for names, where `PROMTOOL` names the program (scripts/check-metrics.sh).
fn promtool(text: &str) {
    let Some(program) = std::env::var_os("PROMTOOL").map(PathBuf::from) else { return };
    let mut child = std::process::Command::new(program)
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let messages = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && messages.is_empty(), "{messages}");
}

#[test]
fn metrics_are_on_their_own_address_only_and_outlive_a_reload() {
    let (_folder, server, metrics) = start();
    let mut client = RawClient::to(metrics);
    let response = client.get("/metrics");
    assert_eq!(response.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(client.get("/").status, 404);
    assert_eq!(client.get("/api/users").status, 404);
    assert_eq!(client.post("/metrics", &json!({})).status, 405);
    assert_eq!(server.visitor().get("/metrics").status, 404);
    // The limits of the site hold here, too.
    let head = format!("GET /metrics HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(400_000));
    // The connection is closed before all of it was read, so the response may be lost.
    let response = raw(metrics, head.as_bytes(), Duration::from_secs(5));
    assert!(response.is_empty() || response.starts_with("HTTP/1.1 431"), "{response}");

    let name = requests("/api/speakers", "GET", 200);
    assert_eq!(server.visitor().get("/api/speakers").status, 200);
    server.signal(Signal::HUP);
    let started = Instant::now();
    while !server.log().contains("the configuration was reloaded") {
        assert!(started.elapsed() < Duration::from_secs(30), "{}", server.log());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(server.visitor().get("/api/speakers").status, 200);
    let counted = read(metrics)[&name];
    assert!((counted - 2.0).abs() < f64::EPSILON, "{counted}");
    server.stop();
}

#[test]
fn an_address_for_metrics_that_is_taken_or_public_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut serve = command(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    serve.env("LECTERN_METRICS__LISTEN", &address);
    let sentence = finish(serve, "").sentence(1);
    assert!(sentence.starts_with(&format!("Can't listen for metrics on {address}: ")), "{sentence}");

    let check = |listen: &str, metrics: &str| {
        let mut check = command(folder.path(), &["check"]);
        check.env("LECTERN_METRICS__LISTEN", metrics).env("LECTERN_SERVER__LISTEN", listen);
        finish(check, "").out
    };
    assert!(check("127.0.0.1:8080", "0.0.0.0:9090").contains("other machines can read the metrics at 0.0.0.0:9090"));
    assert!(!check("127.0.0.1:8080", "127.0.0.1:9090").contains("metrics"));
    assert!(
        check("127.0.0.1:8080", "127.0.0.1:8080").contains("metrics.listen is 127.0.0.1:8080, where the site listens")
    );
}
