//! The complete server on its own database, without a socket.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, Version};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Client;
use super::factory;
use crate::app::{self, Retained};
use crate::features::pages::Renderer;
use crate::platform::clock::Clock;
use crate::platform::config::Config;
use crate::platform::db::{self, Db, DbOptions};
use crate::platform::error::AppError;
use crate::platform::http_server::{OpenConnections, Server};
use crate::platform::password;
use crate::platform::state::AppState;

/// The admin in every test database.
pub(crate) const ADMIN_EMAIL: &str = "ada@example.com";
/// Their password.
pub(crate) const ADMIN_PASSWORD: &str = "a fine password";

/// A running server.
pub(crate) struct TestApp {
    pub(crate) clock: Clock,
    state: AppState,
    router: crate::app::CachedRouter,
    /// The folder of the database file, which is deleted at the end of the test.
    folder: TempDir,
}

/// A running task, which ends when it is dropped.
pub(crate) struct PurgeTask(tokio::task::JoinHandle<()>);

impl PurgeTask {
    /// Ends the task, and waits until it has ended.
    pub(crate) async fn end(mut self) {
        self.0.abort();
        let _ = (&mut self.0).await;
    }
}

impl Drop for PurgeTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A hash of their password, at the lowest costs. Nearly every test signs in, and a hash at the costs of production takes most of the
/// time of a short one.
pub(super) fn cheap_hash() -> String {
    let lowest = Params::new(Params::MIN_M_COST, Params::MIN_T_COST, Params::MIN_P_COST, None).unwrap();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, lowest);
    argon2.hash_password(ADMIN_PASSWORD.as_bytes()).unwrap().to_string()
}

/// A migrated database with one admin, which is created once and copied for each test.
fn template() -> &'static PathBuf {
    static TEMPLATE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = TEMPLATE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("template.db");
        db::migrate_file(&path).unwrap();
        let connection = db::connect(&path, db::BusyTimeout::CommandLine).unwrap();
        db::in_transaction(&connection, |transaction| {
            crate::features::auth::users::insert(transaction, ADMIN_EMAIL, &cheap_hash(), "admin")
        })
        .unwrap();
        let copy = folder.path().join("copy.db");
        db::backup_to(&connection, &copy).unwrap();
        (folder, copy)
    });
    path
}

impl TestApp {
    /// A server with the default settings.
    pub(crate) fn start() -> Self {
        Self::start_with(Config::default())
    }

    /// A server with these settings.
    pub(crate) fn start_with(config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lectern.db");
        std::fs::copy(template(), &path).unwrap();
        Self::serve(folder, config)
    }

    /// Restarts the server on the same database, with empty caches and limiters.
    pub(crate) fn restart(self, config: Config) -> Self {
        let Self { router, state, folder, .. } = self;
        // The server closes the file when the last clone of its state is dropped.
        drop((router, state));
        Self::serve(folder, config)
    }

    fn serve(folder: TempDir, config: Config) -> Self {
        let db = Db::serve(&folder.path().join("lectern.db"), DbOptions::default()).unwrap();
        let clock = Clock::default();
        let retained = Retained { renderer: Renderer::new(), ..Retained::default() };
        let address = SocketAddr::from(([127, 0, 0, 1], 8080));
        let (state, pages) = app::state(config, db, clock.clone(), address, retained);
        let router = app::router(state.clone(), pages);
        Self { clock, state, router, folder }
    }

    /// Purges shared caches until the result is dropped, as the program does.
    pub(crate) fn purge_shared_caches(&self) -> PurgeTask {
        PurgeTask(tokio::spawn(app::purge_shared_caches(self.state.clone())))
    }

    /// Makes all readers of the database wait until the result is dropped.
    pub(crate) async fn occupy_readers(&self) -> Vec<mpsc::Sender<()>> {
        let mut occupied = Vec::new();
        for _ in 0..DbOptions::default().readers {
            let (started, has_started) = tokio::sync::oneshot::channel();
            let (until, released) = mpsc::channel();
            let db = self.state.db.clone();
            tokio::spawn(async move {
                let wait = move |_: &Connection| {
                    let _ = started.send(());
                    let _ = released.recv();
                    Ok(())
                };
                db.read(wait).await
            });
            has_started.await.unwrap();
            occupied.push(until);
        }
        occupied
    }

    /// Serves it on a free port until the runtime of the test ends.
    pub(crate) async fn listen(&self) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = self.router.clone();
        let server = Server::new(listener, OpenConnections::default());
        tokio::spawn(server.serve(move |request, peer| router.respond(request, peer), std::future::pending()));
        address
    }

    /// The database file.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join("lectern.db")
    }

    /// A second connection to the file, as of another process, to check stored data.
    pub(crate) fn storage(&self) -> Connection {
        Connection::open(self.database()).unwrap()
    }

    /// Writes to the file as another process does, and waits for the next poll of the server, which detects the write.
    pub(crate) fn write_as_another_process(&self, sql: &str, parameters: impl rusqlite::Params) {
        self.change_as_another_process(|transaction| Ok(transaction.execute(sql, parameters)?));
    }

    /// The same for several changes in one transaction.
    pub(crate) fn change_as_another_process<T>(
        &self,
        change: impl FnOnce(&db::Transaction<'_>) -> Result<T, AppError>,
    ) {
        db::in_transaction(&self.storage(), change).unwrap();
        std::thread::sleep(Duration::from_millis(2));
    }

    /// Stores the admin's password as the program does, for tests of what a sign-in costs.
    pub(crate) fn store_password_at_full_cost(&self) {
        let hash = password::hash(ADMIN_PASSWORD).unwrap();
        self.write_as_another_process("UPDATE users SET password = ?1", [hash]);
    }

    /// The number of rows of a table.
    pub(crate) fn rows(&self, table: &str) -> i64 {
        self.storage().query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    /// Polls until something is true, for up to a minute.
    pub(crate) async fn wait_until(&self, what: &str, mut is_true: impl FnMut() -> bool) {
        let deadline = Instant::now() + Duration::from_mins(1);
        while !is_true() {
            assert!(Instant::now() < deadline, "not within a minute: {what}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// A client without a session.
    pub(crate) fn visitor(&self) -> Client {
        Client::new(self.router.clone())
    }

    /// The admin, signed in.
    pub(crate) async fn sign_in_admin(&self) -> Client {
        self.sign_in(ADMIN_EMAIL, ADMIN_PASSWORD).await
    }

    /// A signed-in client.
    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Client {
        let mut client = self.visitor();
        let response = client.post("/api/auth/login", json!({ "email": email, "password": password })).await;
        assert_eq!(response.status, 200, "{}", response.text());
        client.keep_cookies(&response);
        client
    }

    /// Creates a second admin and returns its id.
    pub(crate) async fn another_admin(&self, admin: &Client, email: &str) -> i64 {
        admin.post("/api/users", json!({ "email": email, "password": ADMIN_PASSWORD })).await.created_id()
    }

    /// Creates a speaker and returns its id.
    pub(crate) async fn a_speaker(&self, admin: &Client) -> i64 {
        admin.post("/api/speakers", factory::speaker("Grace Obi")).await.created_id()
    }

    /// Creates an in-person event and returns its id.
    pub(crate) async fn an_in_person_event(&self, admin: &Client) -> i64 {
        let speaker = self.a_speaker(admin).await;
        admin.post("/api/events", factory::in_person_event("Property walk", &[speaker])).await.created_id()
    }

    /// All public content and all interest as one value, for comparisons.
    pub(crate) async fn everything(&self, admin: &Client) -> Value {
        let mut all = Vec::new();
        for path in ["/api/events", "/api/speakers", "/api/page-content/home", "/api/users"] {
            all.push(admin.get(path).await.json());
        }
        all.push(json!(self.rows("user_event_interests")));
        Value::Array(all)
    }

    /// Creates an online event and returns its id.
    pub(crate) async fn an_online_event(&self, admin: &Client) -> i64 {
        let speaker = self.a_speaker(admin).await;
        admin.post("/api/events", factory::online_event("Reading a rent roll", &[speaker])).await.created_id()
    }
}
