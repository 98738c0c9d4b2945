//! Detects work that makes no progress, and cancels work whose caller is gone.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time of the last progress of some work, shared by the thread that does it and the task that waits for it.
#[derive(Clone, Debug)]
pub struct ProgressMonitor(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    at: Mutex<Instant>,
    is_cancelled: AtomicBool,
}

/// Cancels the work when the task that waits for it is cancelled.
struct CancelOnDrop<'p>(&'p ProgressMonitor);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.0.0.is_cancelled.store(true, Ordering::Relaxed);
    }
}

impl Default for ProgressMonitor {
    fn default() -> Self {
        Self(Arc::new(Shared { at: Mutex::new(Instant::now()), is_cancelled: AtomicBool::new(false) }))
    }
}

impl ProgressMonitor {
    pub fn record_progress(&self) {
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
        let monitor = ProgressMonitor::default();
        let report = || {
            reports.fetch_add(1, Ordering::Relaxed);
        };
        let slow = async {
            for _ in 0..20 {
                tokio::time::sleep(Duration::from_millis(20)).await;
                monitor.record_progress();
            }
            7
        };
        assert_eq!(monitor.watch(limit, slow, report).await, 7);
        assert_eq!(reports.load(Ordering::Relaxed), 0);
        let stuck = tokio::time::sleep(Duration::from_millis(600));
        monitor.watch(limit, stuck, report).await;
        assert!(reports.load(Ordering::Relaxed) > 0);
    }

    #[tokio::test]
    async fn work_is_cancelled_together_with_its_caller() {
        let monitor = ProgressMonitor::default();
        let waiting = monitor.watch(Duration::from_mins(1), std::future::pending::<()>(), || {});
        let _ = tokio::time::timeout(Duration::from_millis(10), waiting).await;
        assert!(monitor.is_cancelled());
    }
}
