//! The lock that prevents a second server on the same database file.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::connection::create_private;
use super::copies::with_suffix;
use super::error::OpenError;
use super::file_check::{check_file, check_log};

/// Acquires the lock for serving this database; returns it with its path. A write-ahead log that a crash has left is
/// checked before SQLite applies it.
pub(super) fn lock_for_serving(path: &Path) -> Result<(File, PathBuf), OpenError> {
    check_file(path)?;
    create_private(path)?;
    let lock = lock(path)?;
    check_log(path)?;
    Ok(lock)
}

/// Acquires the lock. The system releases it when the process ends, even after a crash.
pub(super) fn lock(path: &Path) -> Result<(File, PathBuf), OpenError> {
    // A database has one lock, also through a symbolic link.
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let lock_path = with_suffix(&canonical, ".lock");
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&lock_path)
        .map_err(|error| OpenError::io(&lock_path, error))?;
    match file.try_lock() {
        Ok(()) => Ok((file, lock_path)),
        Err(TryLockError::WouldBlock) => Err(OpenError::Served(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(OpenError::io(&lock_path, error)),
    }
}
