//! Notices that what every visitor reads has changed, whichever process changed it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Instant;

use rusqlite::Connection;

/// How long one look at the file's header counts. Under load it is looked at this often and no
/// more; after a pause every read looks.
const FRESH_FOR_MICROS: u64 = 1_000;

/// The content's version as last seen.
#[derive(Debug)]
pub(super) struct ContentVersionPoller {
    started: Instant,
    looked_at_micros: AtomicU64,
    version: AtomicI64,
    eye: Mutex<Eye>,
}

#[derive(Debug)]
struct Eye {
    connection: Connection,
    data_version: i64,
}

impl ContentVersionPoller {
    pub(super) fn start(connection: Connection) -> rusqlite::Result<Self> {
        let data_version = data_version(&connection)?;
        let version = content_version(&connection)?;
        Ok(Self {
            started: Instant::now(),
            looked_at_micros: AtomicU64::new(0),
            version: AtomicI64::new(version),
            eye: Mutex::new(Eye { connection, data_version }),
        })
    }

    /// The version that holds now. Blocks for some microseconds at most, and only one caller a
    /// millisecond, so it may be called from async code.
    pub(super) fn version(&self) -> i64 {
        let now = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let looked = self.looked_at_micros.load(Ordering::Relaxed);
        if now.saturating_sub(looked) >= FRESH_FOR_MICROS
            && self.looked_at_micros.compare_exchange(looked, now, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        {
            self.look();
        }
        self.version.load(Ordering::Acquire)
    }

    /// Says that a commit of this process has brought the content to `version`.
    pub(super) fn publish(&self, version: i64) {
        self.version.fetch_max(version, Ordering::AcqRel);
    }

    fn look(&self) {
        // Somebody else is looking: what they find counts for this caller too.
        let Ok(mut eye) = self.eye.try_lock() else { return };
        // A file that can't be read just now keeps the last known version; reads of it fail by themselves.
        let Ok(seen) = data_version(&eye.connection) else { return };
        if seen != eye.data_version
            && let Ok(version) = content_version(&eye.connection)
        {
            eye.data_version = seen;
            self.publish(version);
        }
    }
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

/// The version as a connection sees it: inside of a snapshot, exactly that of what it reads.
pub(crate) fn content_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("SELECT version FROM content_version")?.query_row([], |row| row.get(0))
}
