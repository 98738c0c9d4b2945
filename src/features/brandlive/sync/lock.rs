//! One sync at a time on one database, whichever process it runs in.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::SyncError;
use crate::platform::error::AppError;

/// Held while a sync runs. The system takes it back when the process ends, however that ends.
#[derive(Debug)]
pub(super) struct Turn(#[expect(dead_code, reason = "it is held, not looked at")] File);

/// Takes the turn, or says that another sync has it.
pub(super) fn take(database: &Path) -> Result<Turn, SyncError> {
    let mut name = database.as_os_str().to_owned();
    name.push(".sync.lock");
    let path = PathBuf::from(name);
    let open = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let unusable = |error: std::io::Error| {
        tracing::error!(%error, "the lock of the sync can't be used");
        SyncError::Storage(AppError::Unavailable("The lock file beside the database can't be written".to_owned()))
    };
    let file = open.map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(Turn(file)),
        Err(TryLockError::WouldBlock) => Err(SyncError::Running),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}
