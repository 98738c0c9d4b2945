//! Detects changes of the public content, by this process or another.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Instant;

use rusqlite::Connection;

/// The shortest interval between two polls of the file's header.
const POLL_INTERVAL_MICROS: u64 = 1_000;

/// Caches the content version and polls `PRAGMA data_version` for writes of other processes.
#[derive(Debug)]
pub(super) struct ContentVersionPoller {
    started: Instant,
    polled_at_micros: AtomicU64,
    version: AtomicI64,
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
        let version = content_version(&connection)?;
        Ok(Self {
            started: Instant::now(),
            polled_at_micros: AtomicU64::new(0),
            version: AtomicI64::new(version),
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

    /// Records that a commit of this process changed the content to `version`.
    pub(super) fn publish(&self, version: i64) {
        self.version.fetch_max(version, Ordering::AcqRel);
    }

    fn poll(&self) {
        // Another caller is polling.
        let Ok(mut poll) = self.poll.try_lock() else { return };
        // If the file can't be read, the cached version stays in use; reads of content report the error.
        let Ok(data_version) = data_version(&poll.connection) else { return };
        if data_version != poll.data_version
            && let Ok(version) = content_version(&poll.connection)
        {
            poll.data_version = data_version;
            self.publish(version);
        }
    }
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

/// The content version in the snapshot that the connection reads.
pub(crate) fn content_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("SELECT version FROM content_version")?.query_row([], |row| row.get(0))
}
