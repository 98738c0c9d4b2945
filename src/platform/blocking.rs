//! Blocking work with limits on the number of concurrent and waiting jobs and on the bytes of their input.
//!
//! Pages are rendered on threads that each own an engine, with a queue of their own (decision 18).

use std::fmt;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::AppError;

/// Limits for one kind of blocking work. Clones share them.
#[derive(Clone)]
pub struct BlockingQueue {
    running: Arc<Semaphore>,
    admitted: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
    positions: usize,
}

impl fmt::Debug for BlockingQueue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BlockingQueue")
            .field("free_permits", &self.running.available_permits())
            .finish_non_exhaustive()
    }
}

impl BlockingQueue {
    /// At most `concurrent` jobs run at once, and `waiting` more may wait.
    pub fn new(concurrent: usize, waiting: usize) -> Self {
        Self::with_byte_limit(concurrent, waiting, 0)
    }

    /// As [`Self::new`]; the input of all admitted jobs together is at most `bytes` long.
    pub fn with_byte_limit(concurrent: usize, waiting: usize, bytes: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(concurrent)),
            admitted: Arc::new(Semaphore::new(concurrent + waiting)),
            bytes: Arc::new(Semaphore::new(bytes)),
            positions: concurrent + waiting,
        }
    }

    /// The number of admitted jobs, running ones included.
    pub fn len(&self) -> usize {
        self.positions - self.admitted.available_permits()
    }

    /// Whether no job is admitted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reserves a position in the queue and `bytes` of input, before that input is read.
    ///
    /// # Errors
    /// 503 if the queue is full or the bytes are not available.
    pub fn admit(&self, bytes: usize) -> Result<Admission, AppError> {
        let position = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| AppError::overloaded())?;
        let bytes = u32::try_from(bytes).map_err(AppError::internal)?;
        let bytes = Arc::clone(&self.bytes).try_acquire_many_owned(bytes).map_err(|_| AppError::overloaded())?;
        Ok(Admission { running: Arc::clone(&self.running), _held: (position, bytes) })
    }

    /// Waits for a permit, then runs `work` on tokio's blocking pool.
    ///
    /// # Errors
    /// 503 if the queue is full; an internal error if `work` panics.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
        self.admit(0)?.run(work).await
    }
}

/// A position in a [`BlockingQueue`], released when it is dropped or its work has ended.
#[derive(Debug)]
pub struct Admission {
    running: Arc<Semaphore>,
    _held: (OwnedSemaphorePermit, OwnedSemaphorePermit),
}

impl Admission {
    /// Waits for a permit, then runs `work` on tokio's blocking pool.
    ///
    /// # Errors
    /// An internal error if `work` panics.
    pub async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
        self.acquire_permit().await?.run(work).await
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// 503 if the queue was closed.
    pub async fn acquire_permit(self) -> Result<Permit, AppError> {
        let permit = Arc::clone(&self.running).acquire_owned().await.map_err(|_| AppError::overloaded())?;
        Ok(Permit { held: Arc::new((self, permit)) })
    }
}

/// A permit to run jobs, released when it is dropped and its jobs have ended.
#[derive(Clone, Debug)]
pub struct Permit {
    held: Arc<(Admission, OwnedSemaphorePermit)>,
}

impl Permit {
    /// Runs `work` on tokio's blocking pool.
    ///
    /// # Errors
    /// An internal error if `work` panics.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
        let held = Arc::clone(&self.held);
        tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if the request was cancelled.
            let _held = held;
            work()
        })
        .await
        .map_err(|error| AppError::failed("blocking work failed", error))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    fn is_overloaded<T>(result: &Result<T, AppError>) -> bool {
        matches!(result, Err(AppError::Unavailable(_)))
    }

    #[tokio::test]
    async fn no_more_jobs_run_at_once_than_there_are_permits() {
        let queue = BlockingQueue::new(2, 20);
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut jobs = tokio::task::JoinSet::new();
        for _ in 0..20 {
            let (queue, running, most) = (queue.clone(), Arc::clone(&running), Arc::clone(&most));
            jobs.spawn(async move {
                let work = move || {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(2));
                    running.fetch_sub(1, Ordering::SeqCst);
                };
                queue.run(work).await
            });
        }
        assert!(jobs.join_all().await.iter().all(Result::is_ok));
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_full_queue_rejects_jobs_and_a_cancelled_job_holds_its_permit_until_it_ends() {
        let queue = BlockingQueue::new(1, 1);
        let (started, has_started) = tokio::sync::oneshot::channel();
        let (finish, finished) = mpsc::channel::<()>();
        let job = queue.clone();
        let request = tokio::spawn(async move {
            let work = move || {
                let _ = started.send(());
                let _ = finished.recv();
            };
            job.run(work).await
        });
        has_started.await.expect("it succeeds");
        request.abort();
        let waiting = queue.admit(0).expect("it succeeds");
        assert!(is_overloaded(&queue.admit(0)), "one job runs and one waits");
        drop(waiting);
        finish.send(()).expect("it succeeds");
        assert_eq!(queue.run(|| 7).await.expect("it succeeds"), 7);
    }

    #[tokio::test]
    async fn the_bytes_of_all_admitted_jobs_are_limited_and_released() {
        let queue = BlockingQueue::with_byte_limit(1, 100, 10);
        let six = queue.admit(6).expect("it succeeds");
        assert!(is_overloaded(&queue.admit(5)));
        let four = queue.admit(4).expect("it succeeds");
        assert!(is_overloaded(&queue.admit(1)));
        assert_eq!(six.run(|| 7).await.expect("it succeeds"), 7);
        assert!(queue.admit(6).is_ok());
        drop(four);
        assert!(queue.admit(10).is_ok());
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_releases_the_permit() {
        let queue = BlockingQueue::new(1, 0);
        let result = queue.run(|| panic!("on purpose")).await;
        assert!(matches!(result, Err::<(), _>(AppError::Internal(_))));
        assert_eq!(queue.run(|| 7).await.expect("it succeeds"), 7);
    }
}
