//! Whether long work still makes progress, and whether it is still wanted.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When work last made progress, shared by the thread that works and the task that waits for it.
#[derive(Clone, Debug)]
pub struct Progress(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    at: Mutex<Instant>,
    is_cancelled: AtomicBool,
}

/// Cancels the work when nobody waits for it any more.
struct CancelOnDrop<'p>(&'p Progress);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.0.0.is_cancelled.store(true, Ordering::Relaxed);
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self(Arc::new(Shared { at: Mutex::new(Instant::now()), is_cancelled: AtomicBool::new(false) }))
    }
}

impl Progress {
    /// Records progress.
    pub fn made(&self) {
        *self.0.at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// The time since the last progress.
    pub fn idle(&self) -> Duration {
        self.0.at.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Whether the work should stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Waits for the work; while it has made no progress for `limit`, `report` is called from time to time. Work is
    /// cancelled when this future is dropped.
    pub async fn watch<T>(&self, limit: Duration, work: impl Future<Output = T>, report: impl Fn()) -> T {
        let _cancel = CancelOnDrop(self);
        let mut work = pin!(work);
        loop {
            match tokio::time::timeout(limit / 8, &mut work).await {
                Ok(result) => return result,
                Err(_) if self.idle() > limit => report(),
                Err(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn only_work_without_progress_is_reported() {
        let (limit, reports) = (Duration::from_millis(200), AtomicUsize::new(0));
        let progress = Progress::default();
        let report = || {
            reports.fetch_add(1, Ordering::Relaxed);
        };
        let slow = async {
            for _ in 0..20 {
                tokio::time::sleep(Duration::from_millis(20)).await;
                progress.made();
            }
            7
        };
        assert_eq!(progress.watch(limit, slow, report).await, 7);
        assert_eq!(reports.load(Ordering::Relaxed), 0);
        let stuck = tokio::time::sleep(Duration::from_millis(600));
        progress.watch(limit, stuck, report).await;
        assert!(reports.load(Ordering::Relaxed) > 0);
    }

    #[tokio::test]
    async fn work_is_cancelled_when_nobody_waits_for_it() {
        let progress = Progress::default();
        let waiting = progress.watch(Duration::from_mins(1), std::future::pending::<()>(), || {});
        let _ = tokio::time::timeout(Duration::from_millis(10), waiting).await;
        assert!(progress.is_cancelled());
    }
}
