//! The one place that asks what time it is, so that tests can say.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

/// The system's clock, moved by an offset that only tests set.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset_seconds: Arc<AtomicI64>,
}

impl Clock {
    /// The present instant, UTC.
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now() + TimeDelta::seconds(self.offset_seconds.load(Ordering::Relaxed))
    }

    /// Moves this clock and all its clones by so many seconds.
    pub fn advance(&self, seconds: i64) {
        self.offset_seconds.fetch_add(seconds, Ordering::Relaxed);
    }
}

/// An instant as it is stored and sent: UTC, RFC 3339, whole seconds, `2026-11-20T23:51:00Z`.
pub fn timestamp(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Reads what [`timestamp`] wrote; `None` for anything else.
pub fn parse_timestamp(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).ok().map(|instant| instant.to_utc())
}
