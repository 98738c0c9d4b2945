//! The budget of requests: the limits in a minute and in an hour, counted over all syncs, and the wait that the
//! provider requests. The requests of dry runs and probes are not counted for later ones, and a probe ignores the wait.

use std::collections::VecDeque;
use std::time::Duration;

use chrono::Utc;

use crate::platform::config::Brandlive;

/// The longest window, in milliseconds.
const HOUR_MS: i64 = 3_600_000;
/// Added to each window: a request can take longer to the provider than the one a window before it.
const MARGIN_MS: i64 = 1_000;
/// The longest wait that is stored, whatever the provider requests.
const MAX_PAUSE: Duration = Duration::from_hours(24);

/// Sliding-window limits of requests, and the pause that the provider requests.
#[derive(Debug)]
pub(super) struct RequestBudget {
    /// Limit and window in milliseconds.
    limits: Vec<(usize, i64)>,
    /// The instants of recent requests, in milliseconds since 1970, the oldest first.
    sent: VecDeque<i64>,
    /// The instant in milliseconds since 1970 before which the provider permits no request.
    paused_until: i64,
}

impl RequestBudget {
    /// `sent` are the instants of the requests of earlier syncs, and `paused_until` is the end of the wait that the
    /// provider requested in one of them, both in milliseconds since 1970.
    pub(super) fn new(config: &Brandlive, sent: &[i64], paused_until: i64) -> Self {
        let limits = [(config.requests_per_minute, 60_000), (config.requests_per_hour, HOUR_MS)];
        let limits = limits.into_iter().filter(|(limit, _)| *limit > 0);
        let limits = limits.map(|(limit, window)| (usize::try_from(limit).unwrap_or(usize::MAX), window)).collect();
        Self { limits, sent: sent.iter().copied().collect(), paused_until }
    }

    /// Stores a wait that the provider requests and that is longer than the time of this sync.
    pub(super) fn pause(&mut self, wait: Duration) {
        let wait = i64::try_from(wait.min(MAX_PAUSE).as_millis()).unwrap_or_default();
        self.paused_until = Utc::now().timestamp_millis() + wait;
    }

    /// The wait until the limits and the provider permit another request.
    pub(super) fn wait(&self) -> Duration {
        let now = Utc::now().timestamp_millis();
        let until = |(limit, window): &(usize, i64)| {
            let oldest = self.sent.iter().rev().nth(limit - 1)?;
            Some(oldest + window + MARGIN_MS - now)
        };
        let wait = self.limits.iter().filter_map(until).max().unwrap_or_default().max(self.paused_until - now);
        Duration::from_millis(u64::try_from(wait).unwrap_or_default())
    }

    /// Counts a request.
    pub(super) fn add(&mut self) {
        if self.limits.is_empty() {
            return;
        }
        let now = Utc::now().timestamp_millis();
        while self.sent.front().is_some_and(|sent| sent + HOUR_MS + MARGIN_MS < now) {
            self.sent.pop_front();
        }
        self.sent.push_back(now);
    }

    /// The requests that later syncs have to count, and the instant before which they may send none.
    pub(super) fn into_state(self) -> (Vec<i64>, i64) {
        let paused_until = if self.paused_until > Utc::now().timestamp_millis() { self.paused_until } else { 0 };
        (if self.limits.is_empty() { Vec::new() } else { self.sent.into() }, paused_until)
    }
}
