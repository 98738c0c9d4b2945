//! `lectern serve`: its output, start and shutdown.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use super::{EMAIL, PASSWORD, connect, empty_folder, folder_with_admin};
use crate::tests::support::program::{Server, command, finish, run};
use crate::tests::support::{in_person_event, raw_client, speaker};

const INTERNAL_ERROR: &str = "Something went wrong on our side. Please try again.";

#[test]
fn serve_prints_one_line_with_the_real_port_and_logs_to_stderr() {
    let folder = folder_with_admin();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.startup_lines, Vec::<String>::new());
    assert_ne!(server.address.port(), 0);
    let health = server.visitor().get("/healthz");
    assert_eq!((health.status, health.json()["status"].as_str()), (200, Some("ok")));
    assert_eq!(health.json()["schemaVersion"], crate::platform::db::newest_version());
    server.visitor().sign_in(EMAIL, PASSWORD);
    assert!(server.log().contains("an admin signed in"), "{}", server.log());
    assert!(!server.log().contains(PASSWORD));
    assert!(!server.log().contains("there is no account"), "{}", server.log());
    server.stop();
}

#[test]
fn without_an_account_the_log_says_how_to_create_one() {
    let folder = empty_folder();
    let server = Server::start(folder.path(), &[]);
    let hint = "there is no account yet; 'lectern create-admin --email EMAIL --database lectern.db' creates one";
    assert!(server.log().contains(hint), "{}", server.log());
    server.stop();
}

#[test]
fn an_internal_error_is_logged_once_with_its_cause_and_the_request() {
    let folder = folder_with_admin();
    let server = Server::start(folder.path(), &[]);
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    connect(&folder.path().join("lectern.db")).execute_batch("ALTER TABLE users RENAME TO gone").unwrap();

    let response = admin.get("/api/users?query=secret");

    assert_eq!((response.status, response.json()["error"].as_str().unwrap_or_default()), (500, INTERNAL_ERROR));
    let log = server.log();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("no such table")).collect();
    let id = format!("id=\"{}\"", response.header("x-request-id"));
    assert_eq!(lines.len(), 1, "{log}");
    for part in ["ERROR", "internal error: no such table: ", &id, "method=\"GET\"", "path=\"/api/users\""] {
        assert!(lines[0].contains(part), "{part}: {}", lines[0]);
    }
    assert!(!log.contains("secret"), "{log}");
    server.stop();
}

#[test]
fn an_unknown_log_level_stops_the_start() {
    let folder = empty_folder();
    let mut configured = command(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    configured.env("LECTERN_LOG", "loud");
    assert!(finish(configured, "").sentence(2).starts_with("LECTERN_LOG: this must be `error`"));
}

/// Whether a condition becomes true within 30 seconds.
fn eventually(condition: impl Fn() -> bool) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(30) {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn sighup_reloads_the_configuration_and_a_bad_file_changes_nothing() {
    let folder = empty_folder();
    let configure = |text: &str| std::fs::write(folder.path().join("config.toml"), text).unwrap();
    configure("[server]\nlisten = \"127.0.0.1:0\"\n[site]\nname = \"Before\"\n");
    let server = Server::spawn(command(folder.path(), &["serve"]));
    let home = || server.visitor().get("/").text();
    assert!(home().contains("Before"));

    configure("[server]\nlisten = \"127.0.0.1:1\"\n[site]\nname = \"After\"\n");
    server.signal(Signal::HUP);
    assert!(eventually(|| home().contains("After")), "{}", server.log());
    assert!(server.log().contains("this setting needs a restart key=\"server.listen\""), "{}", server.log());

    configure("[site]\nname = 7\n");
    server.signal(Signal::HUP);
    assert!(eventually(|| server.log().contains("the configuration was not reloaded")), "{}", server.log());
    assert!(server.log().contains("config.toml, line 2: site.name: "), "{}", server.log());
    assert!(home().contains("After"));

    // Removed by mistake: the defaults would serve another site.
    std::fs::remove_file(folder.path().join("config.toml")).unwrap();
    server.signal(Signal::HUP);
    let refused = "The configuration config.toml can't be read: there is no such file.";
    assert!(eventually(|| server.log().contains(refused)), "{}", server.log());
    assert!(home().contains("After"));
    server.stop();
}

/// A server whose log has a line for each request.
fn serve_with_request_log(folder: &Path, format: &str) -> Server {
    let mut configured = command(folder, &["serve", "--listen", "127.0.0.1:0"]);
    configured.env("LECTERN_LOG__REQUESTS", "true").env("LECTERN_LOG__FORMAT", format);
    Server::spawn(configured)
}

#[test]
fn each_request_is_logged_with_the_id_that_the_client_gets() {
    let folder = empty_folder();
    let server = serve_with_request_log(folder.path(), "text");
    let mut visitor = server.visitor();
    // The second is cached.
    let _ = visitor.get("/api/speakers");
    let response = visitor.get("/api/speakers?secret");
    let id = response.header("x-request-id");
    let failed = visitor.get("/api/no-such-endpoint");
    let failed = failed.header("x-request-id");
    let log = server.log();
    server.stop();

    let line = |id: &str| log.lines().find(|line| line.contains(id)).unwrap_or_else(|| panic!("{id}: {log}"));
    for part in [
        "INFO request{id=",
        "method=\"GET\" path=\"/api/speakers\"}: response status=200 ms=",
        "bytes=2",
        "address=127.0.0.1",
    ] {
        assert!(line(id).contains(part), "{part}: {}", line(id));
    }
    assert!(line(failed).contains("status=404"), "{}", line(failed));
    assert!(!log.contains("secret"), "{log}");
    let start = log.lines().next().unwrap_or_default();
    for part in ["migration", "version=1"] {
        assert!(start.contains(part), "{part}: {start}");
    }
    let start = log.lines().find(|line| line.contains("starting")).unwrap();
    for part in ["version=", "schema=", "database=", "lectern.db", "base_url=\"http://127.0.0.1:"] {
        assert!(start.contains(part), "{part}: {start}");
    }
}

#[test]
fn a_line_of_the_json_log_is_one_object() {
    let folder = empty_folder();
    let server = serve_with_request_log(folder.path(), "json");
    let response = server.visitor().get("/healthz");
    let log = server.log();
    server.stop();

    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect();
    let line = lines
        .iter()
        .find(|line| line["request"]["id"] == response.header("x-request-id"))
        .unwrap_or_else(|| panic!("{log}"));
    assert_eq!(line["request"]["path"], "/healthz");
    assert_eq!((line["status"].as_u64(), line["level"].as_str()), (Some(200), Some("info")));
    assert!(line["time"].as_str().is_some_and(|time| time.ends_with('Z')) && line["ms"].is_number(), "{line}");
}

#[test]
fn serve_listens_at_the_address_of_the_variable_or_the_file() {
    let folder = empty_folder();
    std::fs::write(folder.path().join("config.toml"), "[server]\nlisten = \"127.0.0.2:0\"\n").unwrap();
    let by_file = Server::spawn(command(folder.path(), &["serve", "--database", "a.db"]));
    assert_eq!(by_file.address.ip().to_string(), "127.0.0.2");
    let mut configured = command(folder.path(), &["serve", "--database", "b.db"]);
    configured.env("LECTERN_LISTEN", "127.0.0.3:0");
    let by_variable = Server::spawn(configured);
    assert_eq!(by_variable.address.ip().to_string(), "127.0.0.3");
}

#[test]
fn a_port_in_use_is_reported_and_no_database_is_created() {
    let folder = empty_folder();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = run(folder.path(), &["serve", "--listen", &address]).sentence(1);
    assert_eq!(
        message,
        format!("Can't listen on {address}: another program uses this port; choose another with --listen.")
    );
    assert!(!folder.path().join("lectern.db").exists());
}

#[test]
fn a_second_server_on_the_same_file_is_rejected_and_the_first_continues() {
    let folder = empty_folder();
    let first = Server::start(folder.path(), &[]);
    let message = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).sentence(1);
    assert_eq!(
        message,
        "lectern.db is already served by another lectern; stop that one first, or name another file with --database."
    );
    // The same file by another path.
    let other_name = folder.path().join("./lectern.db");
    let again = run(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--database", other_name.to_str().unwrap()]);
    assert!(again.sentence(1).contains("is already served by another lectern"));
    assert_eq!(first.visitor().get("/api/events").status, 200);
    first.stop();
    Server::start(folder.path(), &[]).stop();
}

#[test]
fn the_lock_does_not_outlive_a_server_that_was_killed() {
    let folder = empty_folder();
    Server::start(folder.path(), &[]).kill();
    Server::start(folder.path(), &[]).stop();
}

#[test]
fn sigterm_lets_a_request_in_flight_end() {
    assert_graceful_shutdown(Signal::TERM);
}

#[test]
fn sigint_lets_a_request_in_flight_end() {
    assert_graceful_shutdown(Signal::INT);
}

fn assert_graceful_shutdown(signal: Signal) {
    let folder = folder_with_admin();
    let mut server = Server::start(folder.path(), &[]);
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    let grace = admin.post("/api/speakers", &speaker("Grace Obi")).created_id();
    let event = admin.post("/api/events", &in_person_event("Property walk", &[grace])).created_id();
    // An open idle connection must not delay the shutdown.
    let mut idle = server.visitor();
    idle.get("/api/events");

    let body = json!({ "action": "add", "userId": "user_1_in-flight" }).to_string();
    let (first, second) = body.split_at(10);
    let mut flying = raw_client::connect(server.address).unwrap();
    let head = format!(
        "PUT /api/events/{event}/interest HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{first}",
        server.address,
        body.len()
    );
    flying.get_mut().write_all(head.as_bytes()).unwrap();
    // A response on another connection means that the server has had time to read the first part.
    assert_eq!(server.visitor().get("/healthz").status, 200);
    let signaled = Instant::now();
    server.signal(signal);
    wait_until_the_port_is_closed(&server);

    flying.get_mut().write_all(second.as_bytes()).unwrap();
    let response = raw_client::read_response(&mut flying).unwrap();
    assert_eq!((response.status, response.json()["count"].as_i64()), (200, Some(1)), "{}", response.text());
    let (code, rest) = server.end();
    assert_eq!((code, rest), (Some(0), Vec::new()), "{}", server.log());
    assert!(signaled.elapsed() < Duration::from_mins(1), "the shutdown waited for a client: {:?}", signaled.elapsed());

    assert!(server.log().contains("stopped") && !server.log().contains("panicked"), "{}", server.log());
    assert_checkpointed(&folder.path().join("lectern.db"));
    let stored: i64 = connect(&folder.path().join("lectern.db"))
        .query_row("SELECT count(*) FROM user_event_interests WHERE user_id = 'user_1_in-flight'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(stored, 1);
}

fn wait_until_the_port_is_closed(server: &Server) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while TcpStream::connect(server.address).is_ok() {
        assert!(Instant::now() < deadline, "the port is still open");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The database is a single file without a write-ahead log.
fn assert_checkpointed(path: &Path) {
    for end in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(end);
        assert!(!Path::new(&beside).exists(), "{} was left", beside.display());
    }
}

#[test]
fn a_request_that_never_ends_does_not_prevent_shutdown() {
    let folder = empty_folder();
    let mut server = Server::start(folder.path(), &[]);
    let mut half = raw_client::connect(server.address).unwrap();
    half.get_mut().write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
    assert_eq!(server.visitor().get("/healthz").status, 200);
    let signaled = Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.end().0, Some(0), "{}", server.log());
    assert!(signaled.elapsed() < Duration::from_mins(1), "{:?}", signaled.elapsed());
}
