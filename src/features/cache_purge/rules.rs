//! When a failed purge is repeated, and the message about it.

use std::time::Duration;

/// The wait after the first failure; it doubles up to the longest.
const FIRST_BACKOFF: Duration = Duration::from_secs(1);
const LAST_BACKOFF: Duration = Duration::from_mins(5);
/// The longest wait that a cache may request.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(1);

/// The waits after failures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Counts a failure and returns the wait until the next attempt. `retry_after` is the wait that the cache requests.
    pub fn failed(&mut self, retry_after: Option<Duration>) -> Duration {
        let doubled = FIRST_BACKOFF.saturating_mul(1_u32.checked_shl(self.failures).unwrap_or(u32::MAX));
        self.failures = (self.failures + 1).min(31);
        doubled.min(LAST_BACKOFF).max(retry_after.unwrap_or_default().min(MAX_RETRY_AFTER))
    }

    /// The number of failures, one after the other.
    pub fn failures(&self) -> u32 {
        self.failures
    }
}

/// The sentence about caches that can't be purged, without a full stop. `seconds` is how long they may store a response.
pub fn problem(names: &[&str], seconds: u32) -> String {
    let names = names.join(" and ");
    if seconds == 0 {
        format!("{names} can't be purged: visitors may not see what has changed")
    } else {
        // While it is fresh, and once more while it is requested again.
        format!("{names} can't be purged: visitors see changes up to {} seconds late", u64::from(seconds) * 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_purge_is_repeated_after_longer_and_longer_waits() {
        let mut backoff = Backoff::default();
        let waits: Vec<u64> = (0..11).map(|_| backoff.failed(None).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
        for _ in 0..40 {
            let _ = backoff.failed(None);
        }
        assert_eq!(backoff.failed(None), LAST_BACKOFF);
        assert_eq!(Backoff::default().failed(Some(Duration::from_secs(30))), Duration::from_secs(30));
        assert_eq!(Backoff::default().failed(Some(Duration::from_hours(48))), MAX_RETRY_AFTER);
    }
}
