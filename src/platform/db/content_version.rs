//! Detects changes of the public content, by this process or another. Triggers on every table of public content raise its
//! version (migrations V1, V2, V7 and V9), so no writer can forget it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::Utc;
use rusqlite::Connection;

use super::Transaction;
use crate::platform::error::AppError;

/// The shortest interval between two polls of `PRAGMA data_version`, which reads shared memory.
const POLL_INTERVAL_MICROS: u64 = 1_000;
/// A bulk change without a new transaction for this long has failed.
const BULK_CHANGE_TIMEOUT: Duration = Duration::from_secs(10);

/// The version of the public content in one snapshot of the database.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContentState {
    pub(super) version: i64,
    bulk_change: Option<BulkChange>,
}

/// A change in several transactions that has not ended.
#[derive(Clone, Copy, Debug)]
struct BulkChange {
    /// The version before its first change.
    from: i64,
    /// When it is over although it did not say so, in milliseconds since 1970.
    until: i64,
}

/// Caches the content version and polls `PRAGMA data_version` for writes of other processes.
#[derive(Debug)]
pub(super) struct ContentVersionPoller {
    started: Instant,
    polled_at_micros: AtomicU64,
    version: AtomicI64,
    newest: Mutex<ContentState>,
    poll: Mutex<Poll>,
}

#[derive(Debug)]
struct Poll {
    connection: Connection,
    data_version: i64,
}

impl ContentVersionPoller {
    pub(super) fn start(connection: Connection) -> rusqlite::Result<Self> {
        let data_version = data_version(&connection)?;
        let state = content_state(&connection)?;
        Ok(Self {
            started: Instant::now(),
            polled_at_micros: AtomicU64::new(0),
            version: AtomicI64::new(state.version),
            newest: Mutex::new(state),
            poll: Mutex::new(Poll { connection, data_version }),
        })
    }

    /// The current version. At most one caller per millisecond blocks, for some microseconds, so async code may call
    /// it.
    pub(super) fn version(&self) -> i64 {
        let now = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let polled = self.polled_at_micros.load(Ordering::Relaxed);
        if now.saturating_sub(polled) >= POLL_INTERVAL_MICROS
            && self.polled_at_micros.compare_exchange(polled, now, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        {
            self.poll();
        }
        self.version.load(Ordering::Acquire)
    }

    /// Whether a bulk change is running that began with this version or an older one.
    pub(super) fn is_bulk_change_since(&self, version: i64) -> bool {
        let now = Utc::now().timestamp_millis();
        let newest = self.newest.lock().map(|newest| *newest);
        // A time too far in the future is that of a clock that was wrong.
        newest.ok().and_then(|newest| newest.bulk_change).is_some_and(|BulkChange { from, until }| {
            version >= from && (now..=now + timeout_millis()).contains(&until)
        })
    }

    /// Records the content after a commit of this process.
    pub(super) fn publish(&self, state: ContentState) {
        if let Ok(mut newest) = self.newest.lock()
            && state.version >= newest.version
        {
            *newest = state;
        }
        self.version.fetch_max(state.version, Ordering::AcqRel);
    }

    fn poll(&self) {
        // Another caller is polling.
        let Ok(mut poll) = self.poll.try_lock() else { return };
        // If the file can't be read, the cached version stays in use; reads of content report the error.
        let Ok(data_version) = data_version(&poll.connection) else { return };
        if data_version != poll.data_version
            && let Ok(state) = content_state(&poll.connection)
        {
            poll.data_version = data_version;
            self.publish(state);
        }
    }
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

/// The content version in the snapshot that the connection reads.
pub(crate) fn content_version(connection: &Connection) -> rusqlite::Result<i64> {
    content_state(connection).map(|state| state.version)
}

pub(super) fn content_state(connection: &Connection) -> rusqlite::Result<ContentState> {
    connection.prepare_cached("SELECT version, bulk_change_from, bulk_change_until FROM content_version")?.query_row(
        [],
        |row| {
            let (from, until): (Option<i64>, Option<i64>) = (row.get(1)?, row.get(2)?);
            let bulk_change = from.zip(until).map(|(from, until)| BulkChange { from, until });
            Ok(ContentState { version: row.get(0)?, bulk_change })
        },
    )
}

/// Raises the content version, for a change that no trigger notices: responses are built again.
///
/// # Errors
/// Those of the database.
pub fn raise_content_version(transaction: &Transaction<'_>) -> Result<(), AppError> {
    transaction.prepare_cached("UPDATE content_version SET version = version + 1")?.execute([])?;
    Ok(())
}

/// Marks a transaction as a part of a bulk change, which begins with the first one. To be called before the changes in the
/// transaction. Until [`end_bulk_change`], or until ten seconds have passed without a further transaction, responses that were
/// fresh when it began may be served while they are built again.
///
/// # Errors
/// Those of the database.
pub fn mark_bulk_change(transaction: &Transaction<'_>) -> Result<(), AppError> {
    let now = Utc::now().timestamp_millis();
    transaction
        .prepare_cached(
            "UPDATE content_version SET
                bulk_change_from = CASE WHEN bulk_change_until > ?1 THEN bulk_change_from ELSE version END,
                bulk_change_until = ?2",
        )?
        .execute([now, now + timeout_millis()])?;
    Ok(())
}

/// Ends a bulk change, if there is one.
///
/// # Errors
/// Those of the database.
pub fn end_bulk_change(transaction: &Transaction<'_>) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "UPDATE content_version SET bulk_change_from = NULL, bulk_change_until = NULL
             WHERE bulk_change_until IS NOT NULL",
        )?
        .execute([])?;
    Ok(())
}

fn timeout_millis() -> i64 {
    i64::try_from(BULK_CHANGE_TIMEOUT.as_millis()).unwrap_or(i64::MAX)
}
