//! The lock that allows one sync at a time per database, across processes.

use std::fs::File;
use std::path::Path;

use super::SyncError;
use crate::platform::db::{self, LockError};

/// Acquires the lock of a database without waiting; it is released when the file is closed.
///
/// # Errors
/// [`SyncError::Running`] during another sync.
pub(super) fn acquire(database: &Path) -> Result<File, SyncError> {
    match db::acquire_lock(database, ".sync.lock") {
        Ok((file, _)) => Ok(file),
        Err(LockError::Taken) => Err(SyncError::Running),
        Err(LockError::Io(_, error)) => Err(SyncError::LockFile(error)),
    }
}
