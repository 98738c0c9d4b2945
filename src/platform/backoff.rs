//! Exponential back-off: how long to wait before a failed operation is repeated, so that another server that is overloaded
//! or out of order gets fewer and fewer requests.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Delays that double with each failure in a row, up to a limit. A delay that the other server requests
/// ([`super::http_client::retry_after`]) is up to the caller, because the longest one that it accepts differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
}

impl Backoff {
    /// Delays from `first` to `longest`.
    pub const fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest }
    }

    /// The delay after this number of failures in a row; the first one after one, and after none.
    pub fn delay(self, failures: u32) -> Duration {
        let factor = 1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
        self.first.saturating_mul(factor).min(self.longest)
    }

    /// As [`Self::delay`], times a random number in this range. Without jitter, clients that failed at the same moment
    /// would repeat their requests at the same moment.
    pub fn delay_with_jitter(self, failures: u32, factors: RangeInclusive<f64>) -> Duration {
        let (start, end) = factors.into_inner();
        let factor =
            getrandom::u32().map_or(1.0, |random| f64::from(random) / f64::from(u32::MAX) * (end - start) + start);
        self.delay(failures).mul_f64(factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest() {
        let backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(5));
        let delays = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(|failures| backoff.delay(failures).as_secs());
        assert_eq!(delays, [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
        for failures in [32, 33, 34, u32::MAX] {
            assert_eq!(backoff.delay(failures), Duration::from_mins(5), "{failures}");
        }
    }

    #[test]
    fn jitter_stays_in_its_range() {
        let backoff = Backoff::new(Duration::from_secs(10), Duration::from_mins(1));
        let delays: Vec<Duration> = (0..100).map(|_| backoff.delay_with_jitter(2, 0.5..=1.5)).collect();
        assert!(delays.iter().all(|delay| (10.0..=30.0).contains(&delay.as_secs_f64())), "{delays:?}");
        assert!(delays.iter().any(|delay| *delay != delays[0]), "{delays:?}");
    }
}
