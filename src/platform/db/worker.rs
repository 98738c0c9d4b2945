//! The threads that use SQLite, each with a bounded queue.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::Transaction;
use super::content_version::{ContentState, ContentVersionPoller, content_state};
use super::storage::{DATABASE, Storage, StorageProblem};
use crate::platform::error::{AppError, panic_message};
use crate::platform::metrics::Histogram;

/// The length of a queue; a request beyond it gets a 503.
const QUEUE: usize = 1_024;

/// After a commit of so many writes, the next one waits for more of them.
const BUSY_COMMIT: usize = 20;
/// The longest wait before a commit, less than a flush to disk takes.
const COMMIT_DELAY: Duration = Duration::from_micros(200);

/// Bucket bounds in writes.
const WRITES_PER_COMMIT_BOUNDS: [u64; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
/// Bucket bounds in microseconds.
const COMMIT_DURATION_BOUNDS: [u64; 10] = [100, 250, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 1_000_000, 5_000_000];

/// Metrics of the threads.
#[derive(Debug)]
pub struct WorkerMetrics {
    queued_reads: AtomicUsize,
    queued_writes: AtomicUsize,
    /// How many writes were committed, or failed, together.
    pub writes_per_commit: Histogram,
    /// How long a commit took with all its writes, in microseconds.
    pub commit_microseconds: Histogram,
    /// Commits that failed, each of which may have had several writes.
    pub failed_commits: AtomicU64,
}

impl Default for WorkerMetrics {
    fn default() -> Self {
        Self {
            queued_reads: AtomicUsize::new(0),
            queued_writes: AtomicUsize::new(0),
            writes_per_commit: Histogram::new(&WRITES_PER_COMMIT_BOUNDS),
            commit_microseconds: Histogram::new(&COMMIT_DURATION_BOUNDS),
            failed_commits: AtomicU64::new(0),
        }
    }
}

impl WorkerMetrics {
    /// Reads and writes that wait for a thread.
    pub fn queue_lengths(&self) -> (usize, usize) {
        (self.queued_reads.load(Ordering::Relaxed), self.queued_writes.load(Ordering::Relaxed))
    }
}

type Read = Box<dyn FnOnce(&Connection) + Send>;

/// The sending end of a queue and the threads that consume it.
struct Threads<T> {
    sender: Mutex<Option<SyncSender<T>>>,
    handles: Mutex<Vec<JoinHandle<()>>>,
}

impl<T> Threads<T> {
    /// `queued` is incremented before the entry is sent, because a thread decrements it when it receives the entry.
    fn submit(&self, entry: T, queued: &AtomicUsize) -> Result<(), AppError> {
        let Ok(sender) = self.sender.lock() else { return Err(AppError::overloaded()) };
        let Some(sender) = sender.as_ref() else { return Err(AppError::overloaded()) };
        queued.fetch_add(1, Ordering::Relaxed);
        sender.try_send(entry).map_err(|error| match error {
            TrySendError::Full(_) | TrySendError::Disconnected(_) => {
                queued.fetch_sub(1, Ordering::Relaxed);
                AppError::overloaded()
            }
        })
    }

    /// Closes the queue and waits until its entries are processed.
    fn close(&self) {
        if let Ok(mut sender) = self.sender.lock() {
            sender.take();
        }
        if let Ok(mut handles) = self.handles.lock() {
            for handle in handles.drain(..) {
                let _ = handle.join();
            }
        }
    }
}

impl<T> Drop for Threads<T> {
    fn drop(&mut self) {
        self.close();
    }
}

pub(super) struct ReadPool(Threads<Read>, Arc<WorkerMetrics>);

impl ReadPool {
    pub(super) fn start(connections: Vec<Connection>, metrics: &Arc<WorkerMetrics>) -> Self {
        let (sender, receiver) = sync_channel::<Read>(QUEUE);
        let receiver = Arc::new(Mutex::new(receiver));
        let handles = connections
            .into_iter()
            .map(|connection| {
                let (receiver, metrics) = (Arc::clone(&receiver), Arc::clone(metrics));
                std::thread::spawn(move || {
                    loop {
                        let next = receiver.lock().map(|queue| queue.recv());
                        let Ok(Ok(work)) = next else { break };
                        metrics.queued_reads.fetch_sub(1, Ordering::Relaxed);
                        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(&connection))) {
                            tracing::error!("a read panicked: {}", reason(&*payload));
                        }
                    }
                })
            })
            .collect();
        Self(Threads { sender: Mutex::new(Some(sender)), handles: Mutex::new(handles) }, Arc::clone(metrics))
    }

    pub(super) fn submit(&self, work: Read) -> Result<(), AppError> {
        self.0.submit(work, &self.1.queued_reads)
    }

    pub(super) fn close(&self) {
        self.0.close();
    }
}

/// Runs a read in a transaction: all its statements see one snapshot.
pub(super) fn in_snapshot<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, AppError>,
) -> Result<T, AppError> {
    run(connection, "BEGIN")?;
    let result = catch_unwind(AssertUnwindSafe(|| work(connection)));
    if run(connection, "COMMIT").is_err() {
        let _ = run(connection, "ROLLBACK");
    }
    result.unwrap_or_else(|payload| Err(AppError::internal(format!("a read panicked: {}", reason(&*payload)))))
}

/// The message of a panic.
fn reason(payload: &(dyn Any + Send)) -> &str {
    panic_message(payload).unwrap_or("without a message")
}

fn run(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(|_| ())
}

/// A queued write: run once, then notified of the commit's result.
pub(super) trait QueuedWrite: Send {
    /// Runs the closure; returns whether its changes should be committed.
    fn run(&mut self, transaction: &Transaction<'_>) -> bool;
    /// Whether the closure changes more than one statement does, so that a failure can leave a part of its changes.
    fn needs_savepoint(&self) -> bool;
    /// The error of SQLite that made the closure fail.
    fn sqlite_error(&self) -> Option<rusqlite::ffi::Error>;
    /// Sends the result to the caller. `failed` is the error of the group's commit.
    fn complete(self: Box<Self>, failed: Option<AppError>, others: Option<OtherWrites>);
}

/// The result of a write, and the other writes of its group.
pub(super) struct Completed<T> {
    pub result: Result<T, AppError>,
    /// Dropped by the caller, whose thread sends these results then, while the writer's thread runs the next group.
    pub others: Option<OtherWrites>,
}

/// Writes that were committed, or failed, together. Each is completed when this is dropped.
pub(super) struct OtherWrites {
    writes: Vec<Box<dyn QueuedWrite>>,
    failed: Option<CommitError>,
}

impl Drop for OtherWrites {
    fn drop(&mut self) {
        for write in self.writes.drain(..) {
            write.complete(self.failed.as_ref().map(CommitError::for_caller), None);
        }
    }
}

/// Whether a write that fails in a group can leave a part of its changes, so that it needs a savepoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Savepoint {
    NotNeeded,
    Needed,
}

struct Write<T, F> {
    work: Option<F>,
    savepoint: Savepoint,
    result: Option<Result<T, AppError>>,
    sender: oneshot::Sender<Completed<T>>,
}

/// A closure and the sender of its result.
pub(super) fn queued<T, F>(work: F, savepoint: Savepoint, sender: oneshot::Sender<Completed<T>>) -> Box<dyn QueuedWrite>
where
    T: Send + 'static,
    F: FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send + 'static,
{
    Box::new(Write { work: Some(work), savepoint, result: None, sender })
}

impl<T, F> QueuedWrite for Write<T, F>
where
    T: Send,
    F: FnOnce(&Transaction<'_>) -> Result<T, AppError> + Send,
{
    fn run(&mut self, transaction: &Transaction<'_>) -> bool {
        let Some(work) = self.work.take() else { return false };
        let result = catch_unwind(AssertUnwindSafe(|| work(transaction)))
            .unwrap_or_else(|payload| Err(AppError::internal(format!("a write panicked: {}", reason(&*payload)))));
        let commit = result.is_ok();
        self.result = Some(result);
        commit
    }

    fn needs_savepoint(&self) -> bool {
        self.savepoint == Savepoint::Needed
    }

    fn sqlite_error(&self) -> Option<rusqlite::ffi::Error> {
        self.result.as_ref()?.as_ref().err()?.sqlite_error()
    }

    fn complete(self: Box<Self>, failed: Option<AppError>, others: Option<OtherWrites>) {
        let result = match (self.result, failed) {
            // The closure's own error takes precedence over that of the commit.
            (Some(Err(error)), _) | (_, Some(error)) => Err(error),
            (Some(Ok(value)), None) => Ok(value),
            (None, None) => Err(AppError::overloaded()),
        };
        // The caller may have been cancelled; the write is committed nevertheless.
        let _ = self.sender.send(Completed { result, others });
    }
}

pub(super) struct Writer(Threads<Box<dyn QueuedWrite>>, Arc<WorkerMetrics>);

impl Writer {
    pub(super) fn start(
        connection: Connection,
        group: usize,
        versions: Arc<ContentVersionPoller>,
        storage: Arc<Storage>,
        metrics: Arc<WorkerMetrics>,
    ) -> Self {
        let (sender, receiver) = sync_channel::<Box<dyn QueuedWrite>>(QUEUE);
        let counted = Arc::clone(&metrics);
        let handle = std::thread::spawn(move || {
            write_until_closed(&connection, &receiver, group.max(1), &versions, &storage, &counted);
            match storage.check_files() {
                // Without a write-ahead log, the database is a single file.
                Ok(_) => drop(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))),
                Err(StorageProblem::Removed(DATABASE) | StorageProblem::Replaced(DATABASE)) => {
                    storage.rescue(&connection);
                }
                Err(_) => {}
            }
        });
        Self(Threads { sender: Mutex::new(Some(sender)), handles: Mutex::new(vec![handle]) }, metrics)
    }

    pub(super) fn submit(&self, write: Box<dyn QueuedWrite>) -> Result<(), AppError> {
        self.0.submit(write, &self.1.queued_writes)
    }

    pub(super) fn close(&self) {
        self.0.close();
    }
}

fn write_until_closed(
    connection: &Connection,
    queue: &Receiver<Box<dyn QueuedWrite>>,
    group: usize,
    versions: &ContentVersionPoller,
    storage: &Storage,
    metrics: &WorkerMetrics,
) {
    let mut writes: Vec<Box<dyn QueuedWrite>> = Vec::with_capacity(group);
    let mut last_committed = 0;
    while let Ok(first) = queue.recv() {
        wait_for_more_writes(&metrics.queued_writes, last_committed);
        writes.push(first);
        while writes.len() < group
            && let Ok(next) = queue.try_recv()
        {
            writes.push(next);
        }
        last_committed = writes.len();
        metrics.queued_writes.fetch_sub(writes.len(), Ordering::Relaxed);
        metrics.writes_per_commit.observe(writes.len() as u64);
        let started = Instant::now();
        // Not skipped after a commit: a write that arrived in between would be rejected and visible.
        let before = storage.check_files_for_commit();
        let outcome = match &before {
            Ok(_) => commit_together(connection, &mut writes),
            Err(problem) => Err(problem.clone().into()),
        };
        let mut failed = None;
        match outcome {
            // Checked again, because a write to a file that was removed in the meantime is lost.
            Ok(Some(state)) => {
                versions.publish(state);
                match storage.check_files_for_commit() {
                    Ok(after) => {
                        storage.record_commit();
                        if before != Ok(after) {
                            storage.record_files(before.ok(), Some(after));
                        }
                    }
                    Err(problem) => failed = Some(problem.into()),
                }
            }
            Ok(None) => {}
            Err(error) => failed = Some(error),
        }
        if failed.is_some() {
            metrics.failed_commits.fetch_add(1, Ordering::Relaxed);
        }
        metrics.commit_microseconds.observe(u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX));
        if let Some(last) = writes.pop() {
            let for_caller = failed.as_ref().map(CommitError::for_caller);
            let others = (!writes.is_empty()).then(|| {
                let writes = std::mem::replace(&mut writes, Vec::with_capacity(group));
                OtherWrites { writes, failed }
            });
            last.complete(for_caller, others);
        }
    }
}

/// Lets the clients of a busy server queue their next writes. Without it, the first that gets its response is often committed
/// alone, and all others wait for that flush to disk: 64 clients write an eighth less (`benches/writes.rs`). It waits until
/// nearly as many as in the last commit are queued.
fn wait_for_more_writes(queued: &AtomicUsize, last_committed: usize) {
    if last_committed < BUSY_COMMIT {
        return;
    }
    let started = Instant::now();
    while queued.load(Ordering::Relaxed) < last_committed * 9 / 10 && started.elapsed() < COMMIT_DELAY {
        std::thread::yield_now();
    }
}

/// Why a group could not be committed. Each caller in it gets an error with this cause.
struct CommitError(Arc<rusqlite::Error>);

impl CommitError {
    fn for_caller(&self) -> AppError {
        match self.0.sqlite_error() {
            Some(code) => rusqlite::Error::SqliteFailure(*code, Some(self.0.to_string())).into(),
            None => AppError::internal(Arc::clone(&self.0)),
        }
    }
}

impl<E: Into<rusqlite::Error>> From<E> for CommitError {
    fn from(error: E) -> Self {
        Self(Arc::new(error.into()))
    }
}

/// Group commit: runs the writes in one transaction and commits them with one flush to disk. A write that fails changes
/// nothing: it has its own savepoint if it consists of several changes.
/// Returns the content after the commit.
fn commit_together(
    connection: &Connection,
    writes: &mut [Box<dyn QueuedWrite>],
) -> Result<Option<ContentState>, CommitError> {
    run(connection, "BEGIN IMMEDIATE")?;
    let done = run_all(connection, writes).and_then(|commit| {
        if !commit {
            run(connection, "ROLLBACK")?;
            return Ok(None);
        }
        let state = content_state(connection)?;
        run(connection, "COMMIT")?;
        Ok(Some(state))
    });
    if done.is_err() && !connection.is_autocommit() {
        let _ = run(connection, "ROLLBACK");
    }
    done
}

fn run_all(connection: &Connection, writes: &mut [Box<dyn QueuedWrite>]) -> Result<bool, CommitError> {
    let transaction = Transaction::new(connection);
    // A single write needs no savepoint.
    if let [only] = writes {
        return Ok(only.run(&transaction));
    }
    let mut commit = false;
    for write in writes {
        let savepoint = write.needs_savepoint();
        if savepoint {
            run(connection, "SAVEPOINT one")?;
        }
        let changes = connection.total_changes();
        let succeeded = write.run(&transaction);
        if connection.is_autocommit() {
            // After some errors, such as a full disk or an I/O error, SQLite rolls back the whole transaction.
            return Err(rolled_back(&**write));
        }
        if succeeded {
            commit = true;
        } else if savepoint {
            run(connection, "ROLLBACK TO one")?;
        } else if connection.total_changes() != changes {
            // The statement succeeded, and what followed it failed: a read, which an I/O error of the storage explains.
            return Err(rolled_back(&**write));
        }
        if savepoint {
            run(connection, "RELEASE one")?;
        }
    }
    Ok(commit)
}

/// The error of all writes of a group whose transaction one of them has rolled back, or must.
fn rolled_back(write: &dyn QueuedWrite) -> CommitError {
    let code = write.sqlite_error();
    let code = code.unwrap_or_else(|| rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_ABORT_ROLLBACK));
    rusqlite::Error::SqliteFailure(code, Some("the transaction was rolled back".to_owned())).into()
}

#[cfg(test)]
mod tests {
    use rusqlite::{OpenFlags, ffi};

    use super::super::storage::write_probe;
    use super::super::{Db, DbOptions};
    use super::*;

    /// What the callers of two writes get, of which the second fails and has the transaction rolled back.
    fn results_of_a_group(code: i32) -> [Result<(), AppError>; 2] {
        let connection = super::super::in_memory().expect("a database");
        let (senders, results): (Vec<_>, Vec<_>) = (0..2).map(|_| oneshot::channel()).unzip();
        let mut senders = senders.into_iter();
        let mut next_sender = || senders.next().expect("two senders");
        let mut writes = vec![
            queued(|_| Ok(()), Savepoint::Needed, next_sender()),
            queued(
                move |transaction| {
                    // As SQLite does by itself after some errors.
                    transaction.execute_batch("ROLLBACK")?;
                    Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None).into())
                },
                Savepoint::Needed,
                next_sender(),
            ),
        ];
        let failed = commit_together(&connection, &mut writes).expect_err("no commit");
        for write in writes {
            write.complete(Some(failed.for_caller()), None);
        }
        let results = results.into_iter().map(|completed| completed.blocking_recv().expect("a result").result);
        results.collect::<Vec<_>>().try_into().expect("two results")
    }

    #[test]
    fn all_writes_of_a_group_get_the_error_that_rolled_it_back() {
        for result in results_of_a_group(ffi::SQLITE_FULL) {
            assert!(matches!(result, Err(AppError::StorageFull)), "{result:?}");
        }
        for result in results_of_a_group(ffi::SQLITE_IOERR_WRITE) {
            assert!(matches!(result, Err(AppError::StorageUnavailable(_))), "{result:?}");
        }
    }

    /// A write without a savepoint that inserts a row into `sync_runs`, and fails before or after that, or not at all.
    fn statement(
        fails_before: bool,
        fails_after: bool,
        sender: oneshot::Sender<Completed<()>>,
    ) -> Box<dyn QueuedWrite> {
        let fail = |fails| if fails { Err(AppError::NotFound("Event")) } else { Ok(()) };
        let work = move |transaction: &Transaction<'_>| {
            fail(fails_before)?;
            transaction.execute("INSERT INTO sync_runs (started_at) VALUES ('')", [])?;
            fail(fails_after)
        };
        queued(work, Savepoint::NotNeeded, sender)
    }

    #[test]
    fn a_single_statement_that_fails_is_undone_without_a_savepoint() {
        let stored_after = |fails: [(bool, bool); 3]| {
            let connection = super::super::in_memory().expect("a database");
            let writes = fails.map(|(before, after)| statement(before, after, oneshot::channel().0));
            let is_committed = commit_together(&connection, &mut Vec::from(writes)).is_ok();
            assert!(connection.is_autocommit(), "no transaction is left");
            let count = connection.query_row("SELECT count(*) FROM sync_runs", [], |row| row.get::<_, i64>(0));
            (is_committed, count.expect("a count"))
        };
        let (ok, before, after) = ((false, false), (true, false), (false, true));
        assert_eq!(stored_after([ok, before, ok]), (true, 2), "only the one that failed is missing");
        assert_eq!(stored_after([before, before, before]), (true, 0));
        assert_eq!(stored_after([ok, after, ok]), (false, 0), "its change can't be undone alone");
    }

    #[test]
    fn every_caller_of_a_group_gets_its_result_even_if_one_has_gone() {
        let completed_after = |is_gone: bool| {
            let connection = super::super::in_memory().expect("a database");
            let (senders, mut results): (Vec<_>, Vec<_>) = (0..3).map(|_| oneshot::channel()).unzip();
            let mut writes = senders.into_iter().map(|sender| statement(false, false, sender)).collect::<Vec<_>>();
            let failed = commit_together(&connection, &mut writes).err();
            if is_gone {
                results.pop();
            }
            let last = writes.pop().expect("three writes");
            last.complete(None, Some(OtherWrites { writes, failed }));
            // In reverse: the last one has those of the others.
            results.into_iter().rev().map(|result| result.blocking_recv().expect("a result").result.is_ok()).collect()
        };
        let (all, others): (Vec<bool>, Vec<bool>) = (completed_after(false), completed_after(true));
        assert_eq!((all, others), (vec![true; 3], vec![true; 2]));
    }

    #[test]
    fn a_commit_waits_for_more_writes_only_on_a_busy_server() {
        let waited = |queued, last_committed| {
            let started = Instant::now();
            wait_for_more_writes(&AtomicUsize::new(queued), last_committed);
            started.elapsed()
        };
        // The shortest of many, because a busy machine can suspend the test.
        let shortest = |queued, last_committed| (0..100).map(|_| waited(queued, last_committed)).min();
        assert!(shortest(0, BUSY_COMMIT - 1) < Some(COMMIT_DELAY), "the last commit had few writes");
        assert!(shortest(18, BUSY_COMMIT) < Some(COMMIT_DELAY), "nearly as many are queued");
        assert!(shortest(17, BUSY_COMMIT) >= Some(COMMIT_DELAY), "they are not queued, and it gives up");
    }

    #[test]
    fn the_message_of_a_panic_is_in_the_error() {
        let connection = Connection::open_in_memory().expect("a database");
        let result = in_snapshot(&connection, |_| -> Result<(), AppError> { panic!("row {} is odd", 7) });
        let error = result.expect_err("an error");
        assert_eq!(
            crate::platform::error::ErrorChain(&error).to_string(),
            "internal error: a read panicked: row 7 is odd"
        );
    }

    #[tokio::test]
    async fn a_file_without_write_permission_remains_a_problem_when_nothing_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lectern.db");
        Db::serve(&path, DbOptions::default()).expect("a database").close();
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags).expect("a connection");
        let db = Db::start(&path, connection, DbOptions::default(), None).expect("a database");

        assert_eq!(db.problem(), Some(StorageProblem::ReadOnly));
        let written = db.write(|transaction| Ok(write_probe(transaction)?)).await;
        assert!(matches!(written, Err(AppError::StorageUnavailable(_))), "{written:?}");
        db.write(|_| Ok(())).await.expect("a transaction that changes nothing");

        assert_eq!(db.problem(), Some(StorageProblem::ReadOnly));
    }
}
