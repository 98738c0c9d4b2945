//! The threads that talk to SQLite, each behind a bounded queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::Transaction;
use super::watch::{ContentVersionPoller, content_version};
use crate::platform::error::AppError;

/// How many may wait; the next is answered with 503.
const QUEUE: usize = 1_024;

type Read = Box<dyn FnOnce(&Connection) + Send>;

/// A queue's sending end and the threads behind it.
struct Threads<J> {
    sender: Mutex<Option<SyncSender<J>>>,
    handles: Mutex<Vec<JoinHandle<()>>>,
}

impl<J> Threads<J> {
    fn submit(&self, job: J) -> Result<(), AppError> {
        let Ok(sender) = self.sender.lock() else { return Err(AppError::busy()) };
        let Some(sender) = sender.as_ref() else { return Err(AppError::busy()) };
        sender.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) | TrySendError::Disconnected(_) => AppError::busy(),
        })
    }

    /// Takes no more work and waits until what waits is done.
    fn close(&self) {
        if let Ok(mut sender) = self.sender.lock() {
            sender.take();
        }
        if let Ok(mut handles) = self.handles.lock() {
            for handle in handles.drain(..) {
                // A thread that panicked has nothing left to finish.
                let _ = handle.join();
            }
        }
    }
}

impl<J> Drop for Threads<J> {
    fn drop(&mut self) {
        self.close();
    }
}

pub(super) struct ReadPool(Threads<Read>);

impl ReadPool {
    pub(super) fn start(connections: Vec<Connection>) -> Self {
        let (sender, receiver) = sync_channel::<Read>(QUEUE);
        let receiver = Arc::new(Mutex::new(receiver));
        let handles = connections
            .into_iter()
            .map(|connection| {
                let receiver = Arc::clone(&receiver);
                std::thread::spawn(move || {
                    loop {
                        let next = receiver.lock().map(|queue| queue.recv());
                        let Ok(Ok(work)) = next else { break };
                        if catch_unwind(AssertUnwindSafe(|| work(&connection))).is_err() {
                            tracing::error!("a read panicked");
                        }
                    }
                })
            })
            .collect();
        Self(Threads { sender: Mutex::new(Some(sender)), handles: Mutex::new(handles) })
    }

    pub(super) fn submit(&self, work: Read) -> Result<(), AppError> {
        self.0.submit(work)
    }

    pub(super) fn close(&self) {
        self.0.close();
    }
}

/// Runs a read inside of a transaction, so that all its statements see the same state.
pub(super) fn in_snapshot<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, AppError>,
) -> Result<T, AppError> {
    run(connection, "BEGIN")?;
    let result = catch_unwind(AssertUnwindSafe(|| work(connection)));
    // It wrote nothing, so how it ends does not matter as long as it ends.
    if run(connection, "COMMIT").is_err() {
        let _ = run(connection, "ROLLBACK");
    }
    result.unwrap_or_else(|_| Err(AppError::internal("a read panicked")))
}

fn run(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(|_| ())
}

/// A write that waits: run once, then told how the commit went.
pub(super) trait Job: Send {
    /// Does the work and says whether it is to be kept.
    fn run(&mut self, transaction: &Transaction<'_>) -> bool;
    /// Answers the one who waits. `failed` is why the group could not be committed.
    fn answer(self: Box<Self>, failed: Option<AppError>);
}

struct Write<T, F> {
    work: Option<F>,
    result: Option<Result<T, AppError>>,
    reply: oneshot::Sender<Result<T, AppError>>,
}

/// Packs a closure and the place for its answer.
pub(super) fn job<T, F>(work: F, reply: oneshot::Sender<Result<T, AppError>>) -> Box<dyn Job>
where
    T: Send + 'static,
    F: FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send + 'static,
{
    Box::new(Write { work: Some(work), result: None, reply })
}

impl<T, F> Job for Write<T, F>
where
    T: Send,
    F: FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send,
{
    fn run(&mut self, transaction: &Transaction<'_>) -> bool {
        let Some(work) = self.work.take() else { return false };
        let result = catch_unwind(AssertUnwindSafe(|| work(transaction)))
            .unwrap_or_else(|_| Err(AppError::internal("a write panicked")));
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn answer(self: Box<Self>, failed: Option<AppError>) {
        let answer = match (self.result, failed) {
            // Its own error stands, whatever became of the others.
            (Some(Err(error)), _) | (_, Some(error)) => Err(error),
            (Some(Ok(value)), None) => Ok(value),
            (None, None) => Err(AppError::busy()),
        };
        // The one who asked may have gone away; the write stands all the same.
        let _ = self.reply.send(answer);
    }
}

pub(super) struct Writer(Threads<Box<dyn Job>>);

impl Writer {
    pub(super) fn start(connection: Connection, group: usize, watch: Arc<ContentVersionPoller>) -> Self {
        let (sender, receiver) = sync_channel::<Box<dyn Job>>(QUEUE);
        let handle = std::thread::spawn(move || {
            write_until_closed(&connection, &receiver, group.max(1), &watch);
            // Truncating at the end leaves one file that can be copied by anybody.
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        });
        Self(Threads { sender: Mutex::new(Some(sender)), handles: Mutex::new(vec![handle]) })
    }

    pub(super) fn submit(&self, job: Box<dyn Job>) -> Result<(), AppError> {
        self.0.submit(job)
    }

    pub(super) fn close(&self) {
        self.0.close();
    }
}

fn write_until_closed(
    connection: &Connection,
    queue: &Receiver<Box<dyn Job>>,
    group: usize,
    watch: &ContentVersionPoller,
) {
    let mut jobs: Vec<Box<dyn Job>> = Vec::with_capacity(group);
    while let Ok(first) = queue.recv() {
        jobs.push(first);
        while jobs.len() < group
            && let Ok(next) = queue.try_recv()
        {
            jobs.push(next);
        }
        let outcome = commit_together(connection, &mut jobs);
        if let Ok(Some(version)) = outcome {
            watch.publish(version);
        }
        let failed = outcome.err();
        for job in jobs.drain(..) {
            job.answer(failed.as_ref().map(GroupFailure::for_waiter));
        }
    }
}

/// Why a group could not be committed; each of its waiters gets an error of its own from it.
struct GroupFailure(Option<i32>, String);

impl GroupFailure {
    fn for_waiter(&self) -> AppError {
        match self.0 {
            Some(code) => rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), Some(self.1.clone())).into(),
            None => AppError::internal(self.1.clone()),
        }
    }
}

impl From<rusqlite::Error> for GroupFailure {
    fn from(error: rusqlite::Error) -> Self {
        Self(error.sqlite_error().map(|code| code.extended_code), error.to_string())
    }
}

/// Runs the jobs in one transaction, each in a savepoint of its own, and commits them with one
/// flush to disk. Returns the content's version after it.
fn commit_together(connection: &Connection, jobs: &mut [Box<dyn Job>]) -> Result<Option<i64>, GroupFailure> {
    run(connection, "BEGIN IMMEDIATE")?;
    let done = run_all(connection, jobs).and_then(|kept| {
        if !kept {
            run(connection, "ROLLBACK")?;
            return Ok(None);
        }
        let version = content_version(connection)?;
        run(connection, "COMMIT")?;
        Ok(Some(version))
    });
    if done.is_err() && !connection.is_autocommit() {
        // Whatever can be undone is undone, so that the next group begins clean.
        let _ = run(connection, "ROLLBACK");
    }
    done
}

fn run_all(connection: &Connection, jobs: &mut [Box<dyn Job>]) -> Result<bool, GroupFailure> {
    let transaction = Transaction::begun_on(connection);
    // A write that is alone needs no savepoint: undoing the transaction undoes it.
    if let [only] = jobs {
        return Ok(only.run(&transaction));
    }
    let mut kept = false;
    for job in jobs {
        run(connection, "SAVEPOINT one")?;
        let keep = job.run(&transaction);
        if connection.is_autocommit() {
            // Some failures (a full disk, say) make SQLite undo the whole transaction.
            return Err(GroupFailure(Some(rusqlite::ffi::SQLITE_FULL), "the transaction was undone".to_owned()));
        }
        if keep {
            kept = true;
        } else {
            run(connection, "ROLLBACK TO one")?;
        }
        run(connection, "RELEASE one")?;
    }
    Ok(kept)
}
