//! The current time of what the server checks, stores and responds with, which tests can move.
//!
//! The system's clock is read for timeouts, `Date` headers, the schedule of requests to the provider and commands, and by
//! SQL for columns that only record when a row was written.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

/// The system's clock plus an offset that only tests set.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset_seconds: Arc<AtomicI64>,
}

impl Clock {
    /// The current instant, UTC.
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now() + TimeDelta::seconds(self.offset_seconds.load(Ordering::Relaxed))
    }

    /// Whether an instant of whole seconds has not come yet. An exact time is read only in its last second.
    pub fn is_before(&self, instant: DateTime<Utc>) -> bool {
        let coarse = unix_seconds() + self.offset_seconds.load(Ordering::Relaxed);
        coarse + 1 < instant.timestamp() || self.now().timestamp() < instant.timestamp()
    }

    /// Moves this clock and all its clones by this many seconds.
    pub fn advance(&self, seconds: i64) {
        self.offset_seconds.fetch_add(seconds, Ordering::Relaxed);
    }
}

/// The whole seconds since 1970 of the system's clock, some milliseconds late, which is much cheaper than the exact time.
pub fn unix_seconds() -> i64 {
    rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse).tv_sec
}

/// An instant as it is stored and sent: UTC, RFC 3339, whole seconds, `2026-11-20T23:51:00Z`.
pub fn timestamp(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// An instant for messages to the operator, in whole minutes: `2027-03-01 09:30 UTC`.
pub fn minute_utc(instant: DateTime<Utc>) -> String {
    instant.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// The whole minute in which an instant is.
pub fn minute_of(instant: DateTime<Utc>) -> DateTime<Utc> {
    let seconds = instant.timestamp();
    DateTime::from_timestamp(seconds - seconds.rem_euclid(60), 0).unwrap_or(instant)
}

/// The first whole minute at or after an instant.
pub fn next_minute(instant: DateTime<Utc>) -> DateTime<Utc> {
    minute_of(instant + TimeDelta::milliseconds(59_999))
}

/// Parses an instant of RFC 3339 with any offset and fraction, such as those of [`timestamp`] and of S3.
pub fn parse_timestamp(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).ok().map(|instant| instant.to_utc())
}
