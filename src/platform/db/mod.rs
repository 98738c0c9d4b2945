//! The database: one writer thread, a few reader threads, and a version that says whether what
//! every visitor reads has changed.

mod error;
mod migrate;
mod open;
mod watch;
mod worker;

use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use tokio::sync::oneshot;

pub use error::OpenError;
#[cfg(test)]
pub(crate) use migrate::apply_up_to;
pub use migrate::{Applied, Step, newest_version, status};
pub use open::{BusyTimeout, backup_to, connect, connect_to_read};
use watch::ContentVersionPoller;
pub(crate) use watch::content_version;
use worker::{ReadPool, Writer};

use super::error::AppError;

/// A connection inside of one write: everything done through it is kept together or not at all.
///
/// It is not rusqlite's own transaction, because the writer commits several of them at once and
/// each is a savepoint inside.
#[derive(Debug)]
pub struct Transaction<'c> {
    connection: &'c Connection,
}

impl<'c> Transaction<'c> {
    /// Wraps a connection on which a transaction was begun.
    pub(crate) fn begun_on(connection: &'c Connection) -> Self {
        Self { connection }
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

/// How the database is run; only benches and tests depart from the default.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// How many writes that wait together are committed together. 1 commits each alone.
    pub group: usize,
    /// Reader threads.
    pub readers: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { group: 128, readers: 2 }
    }
}

/// A handle on the database; clones share it.
#[derive(Clone)]
pub struct Db {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    readers: ReadPool,
    writer: Writer,
    watch: Arc<ContentVersionPoller>,
    /// Held as long as the database is served, so that no second server takes the file.
    lock: Mutex<Option<std::fs::File>>,
}

impl fmt::Debug for Db {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Db").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

impl Db {
    /// Opens a file for serving: takes the lock, applies what migrations are pending (after a copy
    /// of a file that holds data), and starts the threads.
    ///
    /// # Errors
    /// The file is no database of lectern's, is newer than this program, is served already, or
    /// can't be read or written.
    pub fn serve(path: &Path, tuning: Tuning) -> Result<Self, OpenError> {
        let lock = open::lock_for_serving(path)?;
        let mut connection = open::connect(path, BusyTimeout::Server)?;
        migrate::apply(&mut connection, path).map_err(|error| error.at(path))?;
        Self::start(path, connection, tuning, Some(lock))
    }

    /// Opens a file that may be served by another process, for a command that reads and writes
    /// beside it. Migrations are not applied.
    ///
    /// # Errors
    /// As [`Db::serve`], without the lock.
    pub fn attach(path: &Path) -> Result<Self, OpenError> {
        let connection = open::connect(path, BusyTimeout::CommandLine)?;
        Self::start(path, connection, Tuning { readers: 1, ..Tuning::default() }, None)
    }

    fn start(
        path: &Path,
        connection: Connection,
        tuning: Tuning,
        lock: Option<std::fs::File>,
    ) -> Result<Self, OpenError> {
        let watch =
            Arc::new(ContentVersionPoller::start(open::reader(path)?).map_err(|error| OpenError::of(path, error))?);
        let writer = Writer::start(connection, tuning.group, Arc::clone(&watch));
        let mut connections = Vec::with_capacity(tuning.readers);
        for _ in 0..tuning.readers.max(1) {
            connections.push(open::reader(path)?);
        }
        let readers = ReadPool::start(connections);
        let inner = Inner { path: path.to_owned(), readers, writer, watch, lock: Mutex::new(lock) };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Runs a closure on a reader. It sees one snapshot from its first statement to its last.
    ///
    /// # Errors
    /// What the closure returns, or 503 where the queue is full.
    pub async fn read<T, F>(&self, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, AppError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        self.inner.readers.submit(Box::new(move |connection| {
            let result = worker::in_snapshot(connection, work);
            // The one who asked may have gone away; then nobody wants the answer.
            let _ = reply.send(result);
        }))?;
        answer.await.map_err(|_| AppError::busy())?
    }

    /// Runs a closure on the writer, inside of a transaction that is kept where the closure returns
    /// `Ok` and undone where it returns `Err`. The answer comes after the commit is on disk.
    ///
    /// # Errors
    /// What the closure returns, 503 where the queue is full or the storage can't be written.
    pub async fn write<T, F>(&self, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        self.inner.writer.submit(worker::job(work, reply))?;
        answer.await.map_err(|_| AppError::busy())?
    }

    /// A number that rises whenever what every visitor reads is changed, by this process or any
    /// other. Costs a few nanoseconds, and at most once a millisecond a look at the file's header.
    pub fn version(&self) -> i64 {
        self.inner.watch.version()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Lets writes in the queue end, moves the log into the file and gives the file up.
    /// Anything asked afterwards is answered with 503.
    pub fn close(&self) {
        self.inner.readers.close();
        self.inner.writer.close();
        if let Ok(mut lock) = self.inner.lock.lock() {
            lock.take();
        }
    }
}

/// Brings a file up to this program's schema for the command line, without serving it.
///
/// # Errors
/// As [`Db::serve`], without the lock.
pub fn migrate_file(path: &Path) -> Result<Vec<Applied>, OpenError> {
    let mut connection = connect(path, BusyTimeout::CommandLine)?;
    migrate::apply(&mut connection, path).map_err(|error| error.at(path))
}

/// Runs a closure in a transaction of its own on a command's connection: kept where it returns
/// `Ok`, undone where it returns `Err`.
///
/// # Errors
/// What the closure returns, or what SQLite says.
pub fn write_alone<T>(
    connection: &Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, AppError>,
) -> Result<T, AppError> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let result = work(&Transaction::begun_on(connection));
    connection.execute_batch(if result.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    result
}
