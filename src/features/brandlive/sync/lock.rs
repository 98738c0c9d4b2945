//! The lock that allows one sync at a time per database, across processes.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::SyncError;
use crate::platform::error::AppError;

/// Held while a sync runs; the system releases it when the process ends.
#[derive(Debug)]
pub(super) struct SyncLock(#[expect(dead_code, reason = "it is held, not read")] File);

/// Acquires the lock of a database without waiting.
///
/// # Errors
/// [`SyncError::Running`] while another sync holds it.
pub(super) fn acquire(database: &Path) -> Result<SyncLock, SyncError> {
    // A database has one lock, also through a symbolic link.
    let database = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let mut name = database.into_os_string();
    name.push(".sync.lock");
    let path = PathBuf::from(name);
    let open = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let unusable = |error: std::io::Error| {
        tracing::error!(%error, "the lock file of the sync can't be used");
        SyncError::Storage(AppError::Unavailable("The lock file next to the database can't be written".to_owned()))
    };
    let file = open.map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(SyncLock(file)),
        Err(TryLockError::WouldBlock) => Err(SyncError::Running),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}
