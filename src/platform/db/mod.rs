//! The database: one writer thread, a few reader threads, and a version that increases with every change of public
//! content.

mod backup;
mod backup_files;
mod busy;
mod connection;
mod content_version;
mod damage;
mod disk;
mod error;
mod file_check;
mod file_record;
mod file_watch;
mod lock;
mod migrate;
mod restore;
mod s3_backups;
mod storage;
mod worker;

use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use tokio::sync::oneshot;

pub use backup::{BackupError, CopyError, backup_into, backup_to, broken_references};
pub use backup_files::{LocalBackup, backups_in, files_of, folder_of, last_backup, local_backups, newest_first};
pub use busy::BusyTimeout;
pub use connection::{connect, connect_to_read, empty_in_memory};
use content_version::ContentVersionPoller;
pub(crate) use content_version::content_version;
pub use content_version::{end_bulk_change, mark_bulk_change, raise_content_version};
pub use disk::{Disk, MIN_FREE_BYTES};
pub use error::{OpenError, UnusableReason};
pub use file_check::{check_not_lost, integrity, is_empty, is_missing, open_to_check};
pub use lock::{LockError, acquire_lock, lock_for_command};
#[cfg(test)]
pub(crate) use migrate::apply_up_to;
pub use migrate::{Applied, MigrateError, Migration, newest_version, status};
pub use restore::{RestoreError, Restored, check_unused, restore, row_counts};
pub use s3_backups::{S3Backup, S3BackupError, S3BackupStatus, S3Backups};
use storage::Storage;
pub use storage::StorageProblem;
pub use worker::WorkerMetrics;
use worker::{Completed, ReadPool, Savepoint, Writer};

use super::config::Keep;
use super::error::AppError;
use super::progress::ProgressMonitor;

/// A connection within one write: everything done through it is committed together or rolled back.
///
/// It is not rusqlite's own transaction, because the writer commits several writes at once, each in a savepoint.
#[derive(Debug)]
pub struct Transaction<'c> {
    connection: &'c Connection,
}

impl<'c> Transaction<'c> {
    /// Wraps a connection on which a transaction was begun.
    pub(crate) fn new(connection: &'c Connection) -> Self {
        Self { connection }
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

/// Settings of the threads; only benchmarks and tests change the default.
#[derive(Clone, Copy, Debug)]
pub struct DbOptions {
    /// The most queued writes in one commit.
    pub writes_per_commit: usize,
    /// Reader threads.
    pub readers: usize,
}

impl Default for DbOptions {
    fn default() -> Self {
        Self { writes_per_commit: 128, readers: 2 }
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
    versions: Arc<ContentVersionPoller>,
    metrics: Arc<WorkerMetrics>,
    schema_version: Option<u32>,
    /// Locked as long as the database is served.
    lock: Mutex<Option<std::fs::File>>,
    /// Locked by the backup that runs.
    backup: Mutex<()>,
    /// Last, because its file is closed after the connections.
    storage: Arc<Storage>,
}

impl fmt::Debug for Db {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Db").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The last connection to be closed would apply the write-ahead log to the other content, so one is never closed.
        if self.storage.check_files() == Err(StorageProblem::Overwritten) {
            std::mem::forget(Arc::clone(&self.versions));
        }
    }
}

impl Db {
    /// Opens a file for serving: acquires the lock, applies pending migrations (after a backup of a file with data), and
    /// starts the threads.
    ///
    /// # Errors
    /// The file is not a lectern database, is newer than this program, is already served, or can't be read or written.
    pub fn serve(path: &Path, options: DbOptions) -> Result<Self, OpenError> {
        let (lock, lock_path, checked) = lock::lock_for_serving(path)?;
        let mut connection = connection::open_checked(path, BusyTimeout::Server)?;
        drop(checked);
        let applied = backup::migrate_after_backup(&mut connection, path).map_err(|error| error.at(path))?;
        for Applied { version, name, backup } in applied {
            let backup = backup.as_deref().map(|backup| tracing::field::display(backup.display()));
            tracing::info!(version, name, backup, "a migration was applied");
        }
        Self::start(path, connection, options, Some((lock, lock_path)))
    }

    /// Opens a file that another process may be serving, for a command. Migrations are not applied.
    ///
    /// # Errors
    /// As [`Db::serve`], without the lock.
    pub fn attach(path: &Path) -> Result<Self, OpenError> {
        let connection = connect(path, BusyTimeout::CommandLine)?;
        Self::start(path, connection, DbOptions { readers: 1, ..DbOptions::default() }, None)
    }

    fn start(
        path: &Path,
        connection: Connection,
        options: DbOptions,
        lock: Option<(std::fs::File, PathBuf)>,
    ) -> Result<Self, OpenError> {
        let versions = Arc::new(
            ContentVersionPoller::start(connection::reader(path)?).map_err(|error| OpenError::sqlite(path, error))?,
        );
        let schema_version = migrate::stored_version(&connection).map_err(|error| OpenError::sqlite(path, error))?;
        let (lock, lock_path) = lock.unzip();
        // After the first read, which creates the files beside the database.
        let storage = Arc::new(Storage::new(path, lock_path).map_err(|error| OpenError::io(path, error))?);
        if connection.is_readonly("main").unwrap_or(false) {
            storage.record_read_only();
        }
        let metrics = Arc::new(WorkerMetrics::default());
        let (polled, watched, counted) = (Arc::clone(&versions), Arc::clone(&storage), Arc::clone(&metrics));
        let writer = Writer::start(connection, options.writes_per_commit, polled, watched, counted);
        let mut connections = Vec::with_capacity(options.readers);
        for _ in 0..options.readers.max(1) {
            connections.push(connection::reader(path)?);
        }
        let readers = ReadPool::start(connections, &metrics);
        let (path, lock, backup) = (path.to_owned(), Mutex::new(lock), Mutex::default());
        let inner = Inner { path, readers, writer, versions, metrics, schema_version, lock, backup, storage };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Runs a closure on a reader thread, in one snapshot.
    ///
    /// # Errors
    /// The closure's error, or 503 if the queue is full.
    pub async fn read<T, F>(&self, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, AppError> + Send + 'static,
    {
        let (sender, result) = oneshot::channel();
        let storage = Arc::clone(&self.inner.storage);
        self.inner.readers.submit(Box::new(move |connection| {
            let result = worker::in_snapshot(connection, work);
            if let Err(error) = &result {
                storage.record_error(error, false);
            }
            // The caller may have been cancelled.
            let _ = sender.send(result);
        }))?;
        result.await.map_err(|_| AppError::overloaded())?
    }

    /// Runs a closure on the writer thread, in a transaction that is committed if the closure returns `Ok` and rolled
    /// back if it returns `Err`. Returns after the commit is on disk.
    ///
    /// # Errors
    /// The closure's error, or 503 if the queue is full or the storage can't be written.
    pub async fn write<T, F>(&self, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send + 'static,
    {
        self.submit_write(Savepoint::Needed, work).await
    }

    /// As [`Self::write`], for a closure that returns every error of its own before its only statement that changes
    /// something. SQLite itself undoes a statement that fails, so the write needs no savepoint, which costs a quarter of
    /// a small write. If the closure fails after the statement nevertheless, the writes that share its commit fail, too.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub async fn write_statement<T, F>(&self, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send + 'static,
    {
        self.submit_write(Savepoint::NotNeeded, work).await
    }

    async fn submit_write<T, F>(&self, savepoint: Savepoint, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send + 'static,
    {
        let (sender, result) = oneshot::channel();
        self.inner.writer.submit(worker::queued(work, savepoint, sender))?;
        let Completed { result, others } = result.await.map_err(|_| AppError::overloaded())?;
        drop(others);
        result.inspect_err(|error| self.inner.storage.record_error(error, true))
    }

    /// The problem that the last reads and writes found, or that the files are no longer those that were opened. Costs
    /// a few system calls.
    pub fn problem(&self) -> Option<StorageProblem> {
        self.inner.storage.problem()
    }

    /// Reads with a new connection, which has no page of the file in its cache. It blocks.
    ///
    /// # Errors
    /// 503 if the database can't be read; the closure's error.
    pub fn probe_read(&self, read: impl FnOnce(&Connection) -> Result<(), AppError>) -> Result<(), AppError> {
        let storage = &self.inner.storage;
        // The new connection would open another database if the file was replaced.
        storage.check_files().map_err(StorageProblem::into_error)?;
        let result = connection::open_reader(&self.inner.path)
            .map_err(AppError::from)
            .and_then(|connection| worker::in_snapshot(&connection, read));
        match &result {
            Ok(()) => storage.record_read(),
            Err(error) => storage.record_error(error, false),
        }
        result
    }

    /// Stores a write that changes nothing, unless a write was stored within `limit`.
    ///
    /// # Errors
    /// As [`Db::write`].
    pub async fn probe_write(&self, limit: Duration) -> Result<(), AppError> {
        if self.inner.storage.committed_within(limit) {
            return Ok(());
        }
        self.write(|transaction| Ok(storage::write_probe(transaction)?)).await
    }

    /// Writes a backup to a folder and rotates, as [`backup_into`] does, while the database is served. It blocks.
    ///
    /// # Errors
    /// As [`backup_into`].
    pub fn backup_into(
        &self,
        folder: &Path,
        keep: Keep,
        now: DateTime<Utc>,
        monitor: &ProgressMonitor,
    ) -> Result<PathBuf, BackupError> {
        // After a reload of the configuration, the backup of the former one may still run.
        let _one = self.inner.backup.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |error| BackupError::Failed(folder.to_owned(), CopyError::Sqlite(error));
        let mut connection = connection::open_reader(&self.inner.path).map_err(failed)?;
        backup::observe(&mut connection, monitor).map_err(failed)?;
        // It forbids `VACUUM INTO`, too.
        connection.pragma_update(None, "query_only", false).map_err(failed)?;
        let result = backup_into(&connection, &self.inner.path, folder, keep, now, monitor);
        if let Err(BackupError::Failed(_, CopyError::Damaged(_))) = &result {
            self.suspect_damage();
        }
        result
    }

    /// Records that damage was found, which [`Self::check_suspected_damage`] confirms or refutes.
    pub fn suspect_damage(&self) {
        self.inner.storage.suspect_damage();
    }

    /// Checks the complete file if a read or a write reported damage, at most every 10 seconds: SQLite reports some
    /// read errors as damage. It blocks.
    pub fn check_suspected_damage(&self) {
        self.inner.storage.check_suspected_damage(&self.inner.path);
    }

    /// A number that increases with every change of public content, by this process or another. Costs some nanoseconds,
    /// and at most once per millisecond a poll of `PRAGMA data_version`.
    pub fn version(&self) -> i64 {
        self.inner.versions.version()
    }

    /// Whether a bulk change is running (see [`mark_bulk_change`]) that began with this version or an older one.
    pub fn is_bulk_change_since(&self, version: i64) -> bool {
        self.inner.versions.is_bulk_change_since(version)
    }

    /// Metrics of the threads.
    pub fn metrics(&self) -> &WorkerMetrics {
        &self.inner.metrics
    }

    /// The sizes in bytes of the database file, its write-ahead log and the log's index (wal-index); 0 for one that does not
    /// exist.
    pub fn file_sizes(&self) -> [(&'static str, u64); 3] {
        [("database", ""), ("wal", "-wal"), ("shm", "-shm")].map(|(name, suffix)| {
            (name, backup_files::with_suffix(self.path(), suffix).metadata().map_or(0, |meta| meta.len()))
        })
    }

    /// The schema version of the file when it was opened. Reading it at each request for `/healthz` would wait for the readers.
    pub fn schema_version(&self) -> Option<u32> {
        self.inner.schema_version
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Completes the queued reads and writes, checkpoints the write-ahead log and releases the lock. Later
    /// reads and writes get a 503.
    pub fn close(&self) {
        self.inner.readers.close();
        self.inner.writer.close();
        if let Ok(mut lock) = self.inner.lock.lock() {
            lock.take();
        }
    }
}

/// Applies pending migrations for a command.
///
/// # Errors
/// As [`Db::serve`], without the lock.
pub fn migrate_file(path: &Path) -> Result<Vec<Applied>, OpenError> {
    let mut connection = connect(path, BusyTimeout::CommandLine)?;
    backup::migrate_after_backup(&mut connection, path).map_err(|error| error.at(path))
}

/// An empty database in memory with this program's schema.
///
/// # Errors
/// Errors of SQLite.
pub fn in_memory() -> Result<Connection, OpenError> {
    let path = Path::new(":memory:");
    let mut connection = empty_in_memory().map_err(|error| OpenError::sqlite(path, error))?;
    backup::migrate_after_backup(&mut connection, path).map_err(|error| error.at(path))?;
    Ok(connection)
}

/// Runs a closure in a transaction on a command's connection: committed if it returns `Ok`, rolled back if it returns
/// `Err`.
///
/// # Errors
/// The closure's error, or that of the commit.
pub fn in_transaction<T>(
    connection: &Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, AppError>,
) -> Result<T, AppError> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let result = work(&Transaction::new(connection));
    if result.is_ok() {
        connection.execute_batch("COMMIT")?;
    } else if let Err(error) = connection.execute_batch("ROLLBACK") {
        // After some errors, such as a full disk, SQLite has rolled back already. The closure's error has the cause.
        tracing::debug!(%error, "the rollback failed");
    }
    result
}
