//! The busy timeout: how long a connection polls for a lock that another process holds.

use std::cell::Cell;
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// How long a connection waits for another process that is writing.
#[derive(Clone, Copy, Debug)]
pub enum BusyTimeout {
    /// 5 s, for a server with waiting clients.
    Server,
    /// 30 s, for a command.
    CommandLine,
}

impl BusyTimeout {
    pub(super) const fn duration(self) -> Duration {
        match self {
            Self::Server => Duration::from_secs(5),
            Self::CommandLine => Duration::from_secs(30),
        }
    }
}

/// Replaces `sqlite3_busy_timeout`, whose delays grow to 100 ms, so that it misses the short gaps between the
/// transactions of a process that writes all the time.
pub(super) fn set_handler(connection: &mut Connection, timeout: BusyTimeout) -> rusqlite::Result<()> {
    connection.busy_handler(Some(match timeout {
        BusyTimeout::Server => |tries| wait(tries, BusyTimeout::Server.duration()),
        BusyTimeout::CommandLine => |tries| wait(tries, BusyTimeout::CommandLine.duration()),
    }))
}

/// Sleeps before the next poll; false once `limit` has elapsed since the first.
fn wait(tries: i32, limit: Duration) -> bool {
    thread_local! {
        /// SQLite calls the handler on the thread that waits, with `tries` = 0 at first.
        static STARTED: Cell<Option<Instant>> = const { Cell::new(None) };
    }
    let started = STARTED.get().filter(|_| tries > 0).unwrap_or_else(Instant::now);
    STARTED.set(Some(started));
    if started.elapsed() >= limit {
        return false;
    }
    // The lock may be free for as little as 30 µs between two transactions.
    std::thread::sleep(Duration::from_micros(if tries < 100 { 50 } else { 100 }));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_measured_in_elapsed_time() {
        let (started, limit) = (Instant::now(), Duration::from_millis(50));
        let mut tries = 0;
        while wait(tries, limit) {
            tries += 1;
        }
        assert!(started.elapsed() >= limit, "{:?}", started.elapsed());
        assert!(wait(0, limit), "the next wait has its own limit");
    }
}
