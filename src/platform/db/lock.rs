//! The lock that keeps a second server off a database file.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::connection::create_private;
use super::error::OpenError;
use super::file_check::check_file;

/// Acquires the lock for serving this database. The system releases it when the process ends, however it ends.
pub(super) fn lock_for_serving(path: &Path) -> Result<File, OpenError> {
    check_file(path)?;
    create_private(path)?;
    // A database has one lock, also through a symbolic link.
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut lock_path = canonical.into_os_string();
    lock_path.push(".lock");
    let lock_path = PathBuf::from(lock_path);
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&lock_path)
        .map_err(|error| OpenError::io(&lock_path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Served(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(OpenError::io(&lock_path, &error)),
    }
}
