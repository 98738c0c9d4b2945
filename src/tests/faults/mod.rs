//! The real program under kills, other processes on its file, a full disk, slow and hostile
//! clients, a log that is not read, and many concurrent sign-ins.

mod concurrent_sign_ins;
mod full_disk;
mod hostile_requests;
mod kills;
mod other_processes;
mod slow_clients;
mod stalled_log;
mod storage;

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::support::program::{EMAIL, PASSWORD, Server, create_admin};
use super::support::raw_client::RawClient;
use super::support::{in_person_event, query_one, speaker};
use crate::platform::db::{self, BusyTimeout};

/// A folder with an admin and without rate limits.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    folder
}

fn prepare(folder: &Path) {
    std::fs::write(folder.join("config.toml"), "[limits]\nvisitor_burst = 0\nsign_in_burst = 0\n").unwrap();
    create_admin(folder);
}

fn sign_in(server: &Server) -> RawClient {
    server.visitor().sign_in(EMAIL, PASSWORD)
}

/// An event that visitors can plan to attend.
fn an_event(admin: &mut RawClient) -> i64 {
    let grace = admin.post("/api/speakers", &speaker("Grace Obi")).created_id();
    admin.post("/api/events", &in_person_event("Property walk", &[grace])).created_id()
}

fn interest_of(visitor: &str) -> Value {
    serde_json::json!({ "action": "add", "userId": visitor })
}

/// A connection of another process than the server's.
fn connect(path: &Path) -> rusqlite::Connection {
    db::connect(path, BusyTimeout::CommandLine).unwrap()
}

/// Checks the integrity of the file, and that every count equals the number of its rows.
fn assert_sound(path: &Path) {
    let connection = connect(path);
    assert_eq!(query_one::<String>(&connection, "PRAGMA integrity_check"), "ok");
    assert_eq!(query_one::<i64>(&connection, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    let wrong = "SELECT count(*) FROM event_interests i WHERE count <>
        (SELECT count(*) FROM user_event_interests u WHERE u.event_id = i.event_id)";
    assert_eq!(query_one::<i64>(&connection, wrong), 0);
    let alone = "SELECT count(*) FROM events e WHERE NOT EXISTS
        (SELECT 1 FROM event_speakers s WHERE s.event_id = e.id)";
    assert_eq!(query_one::<i64>(&connection, alone), 0, "an event was stored without its speakers");
}
