//! The state of the files of an open database, and the problems that the last reads and writes found.

use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::backup::backup_to;
use super::backup_files::{TIME_IN_NAME, with_suffix};
use super::damage::{self, CheckResult, Damage};
use super::error::is_damage;
use super::file_check::FileIdentity;
use super::file_check::WAL_MODE;
use super::file_record::{self, FileStamp};
use super::file_watch::FileWatch;
use crate::platform::error::{AppError, ErrorChain};

/// Why visitors can't be served or a write can't be stored. `/healthz` publishes the text, so it contains no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageProblem {
    /// A file does not exist at its path any more.
    #[error("The {0} was removed while the server runs")]
    Removed(&'static str),
    /// Another file is at the path.
    #[error("The {0} was replaced while the server runs")]
    Replaced(&'static str),
    /// It is the same file with other content.
    #[error("The database file was overwritten while the server runs")]
    Overwritten,
    /// The file system can't report whether a file exists.
    #[error("The {0} can't be reached: the storage reports an error")]
    Unreachable(&'static str),
    /// A check of the complete file found damage.
    #[error("The database is damaged; restore a backup with 'lectern restore'")]
    Damaged,
    /// SQLite reported damage, which can be a read error.
    #[error("The storage reports an error, which is being checked")]
    Suspected,
    /// The last write failed because the disk is full.
    #[error("The last write could not be stored: the disk is full")]
    Full,
    /// The last write failed for another reason.
    #[error("The last write could not be stored: the storage reports an error")]
    WriteFailed,
    #[error("The database can't be read: the storage reports an error")]
    ReadFailed,
    /// SQLite could open the file for reading only.
    #[error("The database can't be written: allow its owner to write the file and its folder, and restart")]
    ReadOnly,
    /// The lock file was removed or replaced.
    #[error("The lock of the database was lost: a second server could be started on the same file; restart this one")]
    LockLost,
}

impl StorageProblem {
    /// The error of a read or a write that was rejected because of it.
    pub(super) fn into_error(self) -> AppError {
        rusqlite::Error::from(self).into()
    }
}

impl From<StorageProblem> for rusqlite::Error {
    fn from(problem: StorageProblem) -> Self {
        // The code with which SQLite rejects a write to a file that was moved.
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY_DBMOVED);
        Self::SqliteFailure(code, Some(problem.to_string()))
    }
}

/// The name of the file itself in messages.
pub(super) const DATABASE: &str = "database file";
/// The names of the files in messages, with the suffixes that SQLite appends to the path.
const FILES: [(&str, &str); 3] =
    [(DATABASE, ""), ("write-ahead log of the database", "-wal"), ("shared index of the database", "-shm")];

/// A file that must not be removed or replaced.
struct WatchedFile {
    name: &'static str,
    path: PathBuf,
    identity: FileIdentity,
}

impl WatchedFile {
    fn new(name: &'static str, path: PathBuf) -> Option<Self> {
        let identity = FileIdentity::new(&path.metadata().ok()?);
        Some(Self { name, path, identity })
    }

    fn check(&self) -> Result<Metadata, StorageProblem> {
        match self.path.metadata() {
            Ok(found) if FileIdentity::new(&found) == self.identity => Ok(found),
            Ok(_) => Err(StorageProblem::Replaced(self.name)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(StorageProblem::Removed(self.name)),
            Err(_) => Err(StorageProblem::Unreachable(self.name)),
        }
    }
}

/// The problems that the last checks, reads and writes found.
#[derive(Debug, Default)]
struct State {
    files: Option<StorageProblem>,
    read: Option<StorageProblem>,
    write: Option<StorageProblem>,
    damage: Damage,
    committed_at: Option<Instant>,
    /// When each file was last found at its path.
    files_checked_at: Option<Instant>,
}

/// For how long the watch alone is trusted: it does not see every change of every file system.
const RECHECK_FILES: Duration = Duration::from_millis(10);

/// The state of the files of one open database.
pub(super) struct Storage {
    files: Vec<WatchedFile>,
    lock: Option<WatchedFile>,
    state: Mutex<State>,
    /// The stamp of the database file that is in the lock file.
    recorded: Mutex<Option<FileStamp>>,
    /// Read by the writer thread only.
    watch: Option<FileWatch>,
    /// Held open as long as SQLite has the file open, because closing any descriptor of a file releases this process's
    /// POSIX locks on it.
    database: File,
}

impl fmt::Debug for Storage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Storage").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Storage {
    /// Records which files a database consists of. They exist once a connection has read the database.
    pub(super) fn new(path: &Path, lock: Option<PathBuf>) -> io::Result<Self> {
        let canonical = path.canonicalize()?;
        let files = FILES.iter().filter_map(|(name, suffix)| {
            // The database by the path that the operator named, which may be a symbolic link.
            let base = if suffix.is_empty() { path } else { canonical.as_path() };
            WatchedFile::new(name, with_suffix(base, suffix))
        });
        let files: Vec<_> = files.collect();
        let storage = Self {
            watch: FileWatch::new(files.iter().map(|file| file.path.as_path())),
            files,
            lock: lock.and_then(|path| WatchedFile::new("lock file", path)),
            state: Mutex::default(),
            recorded: Mutex::default(),
            database: File::open(path)?,
        };
        storage.record_files(None, storage.check_files().ok());
        Ok(storage)
    }

    /// Records the database file and its write-ahead log after this process has changed the file. `before` is its stamp
    /// before the change: if it is not the recorded one, something else has changed the file, and nothing is known of it.
    pub(super) fn record_files(&self, before: Option<FileStamp>, after: Option<FileStamp>) {
        let (Some(lock), Some(file), Ok(mut recorded)) = (&self.lock, self.files.first(), self.recorded.lock()) else {
            return;
        };
        let now = after.filter(|_| before == *recorded);
        if now != *recorded && lock.check().is_ok() {
            *recorded = now;
            file_record::write(&lock.path, &file.path, now);
        }
    }

    /// As [`Self::check_files`], for the writer before and after each commit: the paths are checked only if the watch
    /// reports a change, and after some time.
    pub(super) fn check_files_for_commit(&self) -> Result<FileStamp, StorageProblem> {
        let Some(watch) = &self.watch else { return self.check_files() };
        let has_changed = watch.has_changed();
        let is_recent = self.state.lock().is_ok_and(|state| {
            state.files.is_none() && state.files_checked_at.is_some_and(|at| at.elapsed() < RECHECK_FILES)
        });
        if !has_changed && is_recent {
            let found = self.database.metadata().map_err(|_| StorageProblem::Unreachable(DATABASE));
            let checked = found.and_then(|found| self.check_header().map(|()| FileStamp::new(&found)));
            if checked.is_ok() {
                return checked;
            }
        }
        if has_changed {
            // Before the check, which finds what happens until then.
            watch.renew();
        }
        let result = self.check_files();
        if result.is_ok()
            && let Ok(mut state) = self.state.lock()
        {
            state.files_checked_at = Some(Instant::now());
        }
        result
    }

    /// Checks with a few system calls that the files are those that were opened. Logs the first failure and the
    /// recovery. Returns the stamp of the database file.
    pub(super) fn check_files(&self) -> Result<FileStamp, StorageProblem> {
        let result = self.check_each();
        let now = result.as_ref().err().cloned();
        if let Ok(mut state) = self.state.lock()
            && state.files != now
        {
            let path = self.files.first().map(|file| file.path.display().to_string()).unwrap_or_default();
            match &now {
                Some(problem @ StorageProblem::Removed(DATABASE)) => tracing::error!(
                    database = path,
                    "{problem}: writes are rejected until the same file is back, or a backup is restored after a stop"
                ),
                Some(problem) => tracing::error!(
                    database = path,
                    "{problem}: writes are rejected until the same file is back, or until a restart"
                ),
                None => {
                    tracing::info!(database = path, "the files of the database are back: writes are accepted again");
                }
            }
            state.files = now;
        }
        result
    }

    fn check_each(&self) -> Result<FileStamp, StorageProblem> {
        let mut stamp = FileStamp::default();
        for file in &self.files {
            let found = file.check()?;
            if file.name == DATABASE {
                stamp = FileStamp::new(&found);
            }
        }
        self.check_header().map(|()| stamp)
    }

    /// A file that is copied over it has its inode, but a backup by `lectern backup` is not in WAL mode.
    fn check_header(&self) -> Result<(), StorageProblem> {
        let mut header = [0; 20];
        match self.database.read_exact_at(&mut header, 0) {
            Ok(()) if header.starts_with(b"SQLite format 3\0") && header[18..] == WAL_MODE => Ok(()),
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(StorageProblem::Unreachable(DATABASE)),
            _ => Err(StorageProblem::Overwritten),
        }
    }

    /// Backs up a database file that was removed or replaced beside its path, before the last connection closes it. Then
    /// removes its write-ahead log, which SQLite would apply to the other file.
    pub(super) fn rescue(&self, connection: &Connection) {
        let Some(file) = self.files.first() else { return };
        let now = chrono::Utc::now().format(TIME_IN_NAME);
        let dest = with_suffix(&file.path, &format!(".rescued-{now}"));
        match backup_to(connection, &dest) {
            Ok(()) => {
                tracing::warn!(
                    backup = %dest.display(),
                    "what the removed database file contained was saved; 'lectern restore' with this file restores it"
                );
                for beside in self.files.iter().filter(|file| file.name != DATABASE && file.check().is_ok()) {
                    let _ = std::fs::remove_file(&beside.path);
                }
            }
            Err(error) => tracing::error!(
                error = %ErrorChain(&error),
                "what the removed database file contained could not be saved"
            ),
        }
    }

    /// Records that the connection of the writer can't write, which no later commit or error changes.
    pub(super) fn record_read_only(&self) {
        self.update("", |state| state.write = Some(StorageProblem::ReadOnly));
    }

    /// Records that a commit is on disk. On a file that can't be written, a transaction that changes nothing succeeds as
    /// well.
    pub(super) fn record_commit(&self) {
        self.update("writes are stored again", |state| {
            if state.is_read_only() {
                return;
            }
            state.committed_at = Some(Instant::now());
            state.write = None;
        });
    }

    /// Whether a commit succeeded within this time.
    pub(super) fn committed_within(&self, limit: Duration) -> bool {
        self.state.lock().is_ok_and(|state| state.committed_at.is_some_and(|at| at.elapsed() < limit))
    }

    /// Records that the content could be read.
    pub(super) fn record_read(&self) {
        self.update("the database can be read again", |state| state.read = None);
    }

    /// Records an error of a read or of a write, if the storage caused it.
    pub(super) fn record_error(&self, error: &AppError, is_write: bool) {
        let problem = match error {
            AppError::StorageFull => StorageProblem::Full,
            AppError::StorageUnavailable(_) if is_write => StorageProblem::WriteFailed,
            AppError::StorageUnavailable(_) => StorageProblem::ReadFailed,
            _ => return,
        };
        self.update("", |state| {
            if is_write && state.is_read_only() {
                return;
            }
            if matches!(error, AppError::StorageUnavailable(cause) if is_damage(cause)) {
                state.damage.suspect(Instant::now());
            }
            *(if is_write { &mut state.write } else { &mut state.read }) = Some(problem);
        });
    }

    /// Records that damage was found, which [`Self::check_suspected_damage`] confirms or refutes.
    pub(super) fn suspect_damage(&self) {
        self.update("", |state| state.damage.suspect(Instant::now()));
    }

    /// Checks the complete file if damage is suspected, at most every 10 seconds. It blocks.
    pub(super) fn check_suspected_damage(&self, path: &Path) {
        let began = Instant::now();
        if !self.state.lock().is_ok_and(|mut state| state.damage.begin_check(began)) {
            return;
        }
        // A new connection would open another database if the file was replaced.
        let is_same = self.check_files().is_ok();
        let result = if is_same { damage::check(path, &self.database) } else { CheckResult::Unreadable };
        self.update("the complete database was read and is not damaged", |state| {
            state.damage.finish_check(began, Instant::now(), result);
        });
    }

    /// Changes the state, and logs a change of the problem.
    fn update(&self, recovery: &str, change: impl FnOnce(&mut State)) {
        let Ok(mut state) = self.state.lock() else { return };
        let problems = |state: &State| {
            (state.read.clone(), state.write.clone(), state.damage.is_suspected(), state.damage.is_confirmed())
        };
        let before = problems(&state);
        change(&mut state);
        if before == problems(&state) {
            return;
        }
        if let Some(problem) = state.problem() {
            tracing::error!("{problem}");
        } else {
            tracing::info!("{recovery}");
        }
    }

    /// The most severe problem.
    pub(super) fn problem(&self) -> Option<StorageProblem> {
        if let Err(problem) = self.check_files() {
            return Some(problem);
        }
        let recorded = self.state.lock().ok().and_then(|state| state.problem());
        recorded.or_else(|| {
            let lock = self.lock.as_ref()?;
            lock.check().is_err().then_some(StorageProblem::LockLost)
        })
    }
}

/// Toggles an unused number, to test whether a write can be stored: SQLite does not write an unchanged page.
pub(super) fn write_probe(connection: &Connection) -> rusqlite::Result<()> {
    let number: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    connection.pragma_update(None, "user_version", 1 - number.clamp(0, 1))
}

impl State {
    fn is_read_only(&self) -> bool {
        self.write == Some(StorageProblem::ReadOnly)
    }

    fn problem(&self) -> Option<StorageProblem> {
        let damage = if self.damage.is_confirmed() {
            Some(StorageProblem::Damaged)
        } else {
            self.damage.is_suspected().then_some(StorageProblem::Suspected)
        };
        damage.or_else(|| self.read.clone()).or_else(|| self.write.clone())
    }
}
