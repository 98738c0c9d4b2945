//! Whether the database is damaged. SQLite reports some read errors as damage, so that a report is a suspicion until a
//! check of the complete file, which itself could be read, confirms it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use super::connection;
use super::error::is_damage;
use super::file_check::{integrity, wal_path};

/// The shortest time between two checks. A check of a large file takes longer than this, so the time between two is
/// also a multiple of the duration of the last one.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);
/// The pause after a check, in multiples of its duration.
const PAUSE_FACTOR: u32 = 10;

/// What a check of the complete file found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckResult {
    /// All of it could be read, and nothing is damaged.
    Whole,
    /// All of it could be read, and it is damaged.
    Damaged,
    /// Not all of it could be read.
    Unreadable,
}

/// The suspicion of damage, and what the checks found.
#[derive(Debug, Default)]
pub(super) struct Damage {
    /// When SQLite last reported damage.
    suspected_at: Option<Instant>,
    is_confirmed: bool,
    is_checking: bool,
    next_check_at: Option<Instant>,
}

impl Damage {
    /// Records that SQLite reported damage.
    pub(super) fn suspect(&mut self, now: Instant) {
        self.suspected_at = Some(now);
    }

    pub(super) fn is_suspected(&self) -> bool {
        self.suspected_at.is_some()
    }

    /// Whether the last check that could read the complete file found damage.
    pub(super) fn is_confirmed(&self) -> bool {
        self.is_confirmed
    }

    /// Whether a check is due. If it is, the caller must run one and pass what it found to [`Self::finish_check`].
    pub(super) fn begin_check(&mut self, now: Instant) -> bool {
        let is_due =
            self.suspected_at.is_some() && !self.is_checking && self.next_check_at.is_none_or(|next| next <= now);
        self.is_checking |= is_due;
        is_due
    }

    /// Records what a check found. Damage that was reported during the check is checked again.
    pub(super) fn finish_check(&mut self, began: Instant, now: Instant, result: CheckResult) {
        self.is_checking = false;
        let duration = now.saturating_duration_since(began);
        self.next_check_at = now.checked_add(CHECK_INTERVAL.max(duration * PAUSE_FACTOR));
        match result {
            CheckResult::Whole => {
                self.is_confirmed = false;
                self.suspected_at = self.suspected_at.filter(|at| *at > began);
            }
            CheckResult::Damaged => self.is_confirmed = true,
            CheckResult::Unreadable => {}
        }
    }
}

/// Checks the complete file with a new connection. While reads fail, SQLite's check finds damage, too, so the file is
/// also read without SQLite, before and after it.
pub(super) fn check(path: &Path, database: &File) -> CheckResult {
    let wal = wal_path(path);
    let is_readable = || {
        let wal = match File::open(&wal) {
            Ok(wal) => read_completely(&wal),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        };
        wal.and_then(|()| read_completely(database)).is_ok()
    };
    if !is_readable() {
        return CheckResult::Unreadable;
    }
    let damage = match connection::open_reader(path).and_then(|connection| integrity(&connection)) {
        Ok(None) => return CheckResult::Whole,
        Ok(Some(damage)) => damage,
        Err(error) if is_damage(&error) => error.to_string(),
        Err(_) => return CheckResult::Unreadable,
    };
    if is_readable() {
        tracing::warn!(damage, "the check of the complete database failed");
        CheckResult::Damaged
    } else {
        CheckResult::Unreadable
    }
}

fn read_completely(file: &File) -> io::Result<()> {
    let mut buffer = vec![0; 256 * 1024];
    let mut offset = 0;
    loop {
        match file.read_at(&mut buffer, offset) {
            Ok(0) => return Ok(()),
            Ok(length) => offset += length as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn damage_is_confirmed_or_cleared_by_a_check_that_could_read_the_file() {
        let start = Instant::now();
        let mut damage = Damage::default();
        assert!(!damage.begin_check(start), "nothing is suspected");
        damage.suspect(start);
        assert!(damage.is_suspected() && !damage.is_confirmed());

        assert!(damage.begin_check(start));
        assert!(!damage.begin_check(start), "one check at a time");
        damage.finish_check(start, start + SECOND, CheckResult::Unreadable);
        assert!(damage.is_suspected() && !damage.is_confirmed());

        assert!(!damage.begin_check(start + 10 * SECOND), "not twice within 10 seconds");
        let again = start + 11 * SECOND;
        assert!(damage.begin_check(again));
        damage.finish_check(again, again, CheckResult::Damaged);
        assert!(damage.is_suspected() && damage.is_confirmed());

        let later = again + 10 * SECOND;
        assert!(damage.begin_check(later));
        damage.finish_check(later, later, CheckResult::Unreadable);
        assert!(damage.is_confirmed(), "a check that could not read the file changes nothing");

        let last = later + 10 * SECOND;
        assert!(damage.begin_check(last));
        damage.finish_check(last, last, CheckResult::Whole);
        assert!(!damage.is_suspected() && !damage.is_confirmed());
        assert!(!damage.begin_check(last + 60 * SECOND));
    }

    #[test]
    fn what_is_reported_during_a_check_is_checked_again_and_long_checks_are_rare() {
        let start = Instant::now();
        let mut damage = Damage::default();
        damage.suspect(start);
        assert!(damage.begin_check(start));
        damage.suspect(start + SECOND);
        damage.finish_check(start, start + 5 * SECOND, CheckResult::Whole);
        assert!(damage.is_suspected());
        assert!(!damage.begin_check(start + 54 * SECOND));
        assert!(damage.begin_check(start + 55 * SECOND));
    }
}
