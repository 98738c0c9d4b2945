//! Lock files beside a database, such as the one that prevents a second server on it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::backup_files::with_suffix;
use super::connection::create_private;
use super::error::OpenError;
use super::file_check::{FileIdentity, FileState, check_file, check_links, check_wal};
use super::file_record;

/// How long a command waits for a restore, as long as for another command that writes.
const RESTORE_WAIT: Duration = Duration::from_secs(30);

/// Why a lock was not acquired.
#[derive(Debug)]
pub enum LockError {
    /// Another process has it.
    Taken,
    /// The lock file can't be used.
    Io(PathBuf, io::Error),
}

/// Acquires the lock for serving this database; returns it with its path, and the connection of [`check_file`]. A
/// write-ahead log that a crash has left is checked before SQLite applies it.
pub(super) fn lock_for_serving(path: &Path) -> Result<(File, PathBuf, Option<Connection>), OpenError> {
    let before = FileState::read(path);
    let mut checked = check_file(path)?;
    create_private(path)?;
    let (lock, lock_path) = lock(path)?;
    // A restore, which has the lock, may have replaced the file.
    if FileState::read(path) != before {
        drop(checked);
        checked = check_file(path)?;
    }
    // After the lock, because a restore gives the former file a second name for a moment.
    check_links(path)?;
    if !file_record::matches(&lock_path, path) {
        check_wal(path, checked.as_ref())?;
    }
    Ok((lock, lock_path, checked))
}

/// Acquires the lock for serving, without the checks.
pub(super) fn lock(path: &Path) -> Result<(File, PathBuf), OpenError> {
    acquire_lock(path, ".lock").map_err(|error| match error {
        LockError::Taken => OpenError::Served(path.to_owned()),
        LockError::Io(lock_path, error) => OpenError::io(&lock_path, error),
    })
}

/// Excludes restores while a command uses a database, as long as the returned file is open. Waits for a restore that has
/// begun. It is a lock of the file itself, because a command creates no files; SQLite's locks are of another kind. `None`
/// without a database, or without locks of the file system.
///
/// # Errors
/// The restore has not ended after 30 s.
pub fn lock_for_command(database: &Path) -> Result<Option<File>, OpenError> {
    let started = Instant::now();
    loop {
        let Some(file) = open_file(database) else { return Ok(None) };
        match file.try_lock_shared() {
            Ok(()) if is_at(&file, database) => return Ok(Some(file)),
            // The restore has ended.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if started.elapsed() < RESTORE_WAIT => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(OpenError::Restoring(database.to_owned())),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Excludes commands during a restore; returns the locked file, if there is one and the file system has locks. It must be
/// dropped before this process opens the database, because SQLite's locks end with any descriptor of the file.
pub(super) fn exclude_commands(database: &Path) -> Result<Option<File>, LockError> {
    let Some(file) = open_file(database) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(LockError::Taken),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Opens a regular file; opening a named pipe would wait.
fn open_file(path: &Path) -> Option<File> {
    if path.metadata().is_ok_and(|meta| meta.is_file()) { File::open(path).ok() } else { None }
}

fn is_at(file: &File, path: &Path) -> bool {
    let found = path.metadata();
    file.metadata().is_ok_and(|file| found.is_ok_and(|found| FileIdentity::new(&file) == FileIdentity::new(&found)))
}

/// Acquires a lock of a database without waiting; returns it with its path, which is that of the database with a suffix.
/// The system releases it when the process ends, even after a crash.
///
/// # Errors
/// See [`LockError`].
pub fn acquire_lock(database: &Path, suffix: &str) -> Result<(File, PathBuf), LockError> {
    // A database has one lock of each kind, also through a symbolic link.
    let canonical = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let path = with_suffix(&canonical, suffix);
    let opened = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let result = opened.map_err(TryLockError::Error).and_then(|file| file.try_lock().map(|()| file));
    match result {
        Ok(file) => Ok((file, path)),
        Err(TryLockError::WouldBlock) => Err(LockError::Taken),
        Err(TryLockError::Error(error)) => Err(LockError::Io(path, error)),
    }
}
