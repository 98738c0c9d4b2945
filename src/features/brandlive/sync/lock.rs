//! The lock that allows one sync at a time per database, across processes.

use std::fs::File;
use std::path::Path;

use super::SyncError;
use crate::platform::db::{self, LockError};

/// The lock, until it is dropped.
pub(super) struct SyncLock(File);

impl Drop for SyncLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process between fork(2) and exec(2) has a copy of its descriptor, and
        // the lock would remain until exec. An error leaves that as the only way.
        let _ = self.0.unlock();
    }
}

/// Acquires the lock of a database without waiting.
///
/// # Errors
/// [`SyncError::Running`] during another sync.
pub(super) fn acquire(database: &Path) -> Result<SyncLock, SyncError> {
    match db::acquire_lock(database, ".sync.lock") {
        Ok((file, _)) => Ok(SyncLock(file)),
        Err(LockError::Taken) => Err(SyncError::Running),
        Err(LockError::Io(_, error)) => Err(SyncError::LockFile(error)),
    }
}
