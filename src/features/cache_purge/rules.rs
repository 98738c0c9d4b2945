//! When a failed purge is repeated, and the message about it.

use std::time::Duration;

use crate::platform::backoff::Backoff;

/// The delays after failures.
const BACKOFF: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(5));
/// The longest delay that a cache may request.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(1);

/// The delay before the next attempt, after this number of failures in a row. `retry_after` is the one that the cache
/// requests.
pub fn retry_delay(failures: u32, retry_after: Option<Duration>) -> Duration {
    BACKOFF.delay(failures).max(retry_after.unwrap_or_default().min(MAX_RETRY_AFTER))
}

/// The sentence about caches that can't be purged, without a full stop. It is public: only `lectern check` prints the cause,
/// which contains addresses. `seconds` is how long they may store a response.
pub fn problem(names: &[&str], seconds: u32) -> String {
    let names = names.join(" and ");
    let effect = if seconds == 0 {
        "visitors may not see what has changed".to_owned()
    } else {
        // While it is fresh, and once more while it is requested again.
        format!("visitors see changes up to {} seconds late", u64::from(seconds) * 2)
    };
    format!("{names} can't be purged: {effect}; run 'lectern check' for the cause")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_purge_is_repeated_after_longer_and_longer_delays() {
        let delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 50].map(|failures| retry_delay(failures, None).as_secs());
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
        assert_eq!(retry_delay(1, Some(Duration::from_secs(30))), Duration::from_secs(30));
        assert_eq!(retry_delay(1, Some(Duration::from_hours(48))), MAX_RETRY_AFTER);
    }
}
