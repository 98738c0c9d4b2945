//! Replaces the database with a backup.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use rustix::fs::{FlockOperation, fcntl_lock};

use super::backup::{CopyError, copy_checked, migrate_copy};
use super::backup_files::{BEFORE_RESTORE, TIME_IN_NAME, folder_of, with_suffix};
use super::connection::check_folder;
use super::error::{OpenError, UnusableReason, is_damage};
use super::file_check::{check_file, has_tables, integrity, open_unchanged};
use super::lock;
use super::migrate::{Applied, free_name};
use crate::platform::progress::ProgressMonitor;

/// Why a backup was not restored. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// There is no such file.
    #[error("There is no file {0}; 'lectern restore --list' shows the backups")]
    Missing(PathBuf),
    #[error("Name a backup, not a folder ({0}); 'lectern restore --list' shows the backups")]
    IsFolder(PathBuf),
    /// The file is the database itself.
    #[error("{0} is the database itself; name a backup of it")]
    Same(PathBuf),
    /// It is not a lectern database.
    #[error("{0} is not a lectern database; nothing was changed")]
    NotABackup(PathBuf),
    /// It has no tables, as after a failed copy.
    #[error("{0} is empty; nothing was changed, choose another backup ('lectern restore --list' shows them)")]
    Empty(PathBuf),
    /// The backup is damaged.
    #[error("{0} is damaged; nothing was changed, choose another backup ('lectern restore --list' shows them)")]
    Damaged(PathBuf),
    /// The write-ahead log beside the backup is not that of the backup.
    #[error("The write-ahead log beside {0} belongs to another file; nothing was changed, move the log away")]
    ForeignWal(PathBuf),
    /// A server or another restore has the lock.
    #[error(
        "{0} is used by a server or another restore; nothing was changed, stop that one or wait until it has ended"
    )]
    Served(PathBuf),
    /// A command uses the database.
    #[error("{0} is in use by another process; nothing was changed, try again when that has ended")]
    InUse(PathBuf),
    /// The backup is newer than this release, or a file can't be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file system or SQLite failed.
    #[error("{0} could not be restored")]
    Failed(PathBuf, #[source] CopyError),
}

impl RestoreError {
    /// The error with another name for the backup, which was downloaded to a temporary file.
    #[must_use]
    pub fn named(self, backup: &Path) -> Self {
        let backup = backup.to_owned();
        match self {
            Self::Missing(_) => Self::Missing(backup),
            Self::NotABackup(_) => Self::NotABackup(backup),
            Self::Empty(_) => Self::Empty(backup),
            Self::Damaged(_) => Self::Damaged(backup),
            other => other,
        }
    }
}

/// The number of rows of each table, by name.
pub type RowCounts = Vec<(String, i64)>;

/// What [`restore`] did.
#[derive(Debug)]
pub struct Restored {
    /// The new name of the previous database.
    pub set_aside: Option<PathBuf>,
    /// The migrations that the backup lacked.
    pub applied: Vec<Applied>,
    /// The number of rows of each table, by name.
    pub rows: RowCounts,
}

/// Replaces the database with a backup: checks it, migrates it, gives the previous database another name and removes a
/// write-ahead log that would be applied to the backup. A kill at any time leaves the old or the new database, or files
/// with which the server does not start until the restore is repeated.
///
/// # Errors
/// See [`RestoreError`]; the database is unchanged.
pub fn restore(backup: &Path, database: &Path, now: DateTime<Utc>) -> Result<Restored, RestoreError> {
    if backup.is_dir() {
        return Err(RestoreError::IsFolder(backup.to_owned()));
    }
    if !backup.is_file() {
        return Err(RestoreError::Missing(backup.to_owned()));
    }
    // The file itself, if the path is a symbolic link.
    let canonical = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let database = canonical.as_path();
    if backup.canonicalize().is_ok_and(|backup| backup == database) {
        return Err(RestoreError::Same(backup.to_owned()));
    }
    check_file(backup).map(drop).map_err(|error| match error {
        OpenError::NotSqlite(_) | OpenError::Foreign(_) => RestoreError::NotABackup(backup.to_owned()),
        OpenError::Unusable { reason: UnusableReason::ForeignWal(_), .. } => {
            RestoreError::ForeignWal(backup.to_owned())
        }
        unreadable @ OpenError::Unusable { reason: UnusableReason::Io(_), .. } => unreadable.into(),
        OpenError::Unusable { .. } => RestoreError::Damaged(backup.to_owned()),
        other => other.into(),
    })?;
    check_place(database)?;
    let locks = exclusive_use(database)?;

    // One name, because the lock excludes another restore; a kill may have left it.
    let temporary = with_suffix(database, ".restore.part");
    let prepared = prepare(backup, &temporary);
    let (applied, rows) = prepared.inspect_err(|_| drop(fs::remove_file(&temporary)))?;
    give_to_owner(database, &[&temporary, &locks.lock_path]);
    let set_aside = replace(database, &temporary, now).map_err(|error| {
        let _ = fs::remove_file(&temporary);
        RestoreError::Failed(database.to_owned(), error.into())
    })?;
    Ok(Restored { set_aside, applied, rows })
}

/// Checks that no server and no command uses a database, which [`restore`] does again.
///
/// # Errors
/// It is in use.
pub fn check_unused(database: &Path) -> Result<(), RestoreError> {
    check_place(database)?;
    exclusive_use(database).map(drop)
}

/// Checks that a database can be at this path, before a lock file is created beside it.
fn check_place(database: &Path) -> Result<(), OpenError> {
    if database.is_dir() {
        return Err(OpenError::unusable(database, UnusableReason::IsFolder));
    }
    check_folder(database)
}

/// The locks of a restore.
struct ExclusiveUse {
    lock_path: PathBuf,
    _locked: Vec<File>,
}

/// Excludes servers, other restores and commands. The lock of the wal-index (`-shm`), on which every process that has the
/// database open holds a lock, excludes other programs as well.
fn exclusive_use(database: &Path) -> Result<ExclusiveUse, RestoreError> {
    let (lock, lock_path) = lock::lock(database).map_err(|error| match error {
        OpenError::Served(path) => RestoreError::Served(path),
        other => other.into(),
    })?;
    let in_use = || RestoreError::InUse(database.to_owned());
    let file = lock::exclude_commands(database).map_err(|_| in_use())?;
    let index = OpenOptions::new().read(true).write(true).open(with_suffix(database, "-shm")).ok();
    if let Some(index) = &index {
        fcntl_lock(index, FlockOperation::NonBlockingLockExclusive).map_err(|_| in_use())?;
    }
    Ok(ExclusiveUse { lock_path, _locked: [Some(lock), file, index].into_iter().flatten().collect() })
}

/// Gives new files to the owner of the database, or without a database, of its folder: root must not leave files that the
/// server can't open.
fn give_to_owner(database: &Path, files: &[&Path]) {
    let Ok(meta) = database.metadata().or_else(|_| folder_of(database).metadata()) else { return };
    for file in files {
        // Only root can do this, and the files of any other user already belong to the right owner.
        let _ = chown(file, Some(meta.uid()), Some(meta.gid()));
    }
}

/// Writes a checked and migrated copy of the backup beside the database.
fn prepare(backup: &Path, temporary: &Path) -> Result<(Vec<Applied>, RowCounts), RestoreError> {
    let failed = |error: CopyError| match error {
        CopyError::Damaged(_) => RestoreError::Damaged(backup.to_owned()),
        CopyError::Sqlite(error) if is_damage(&error) => RestoreError::Damaged(backup.to_owned()),
        error => RestoreError::Failed(backup.to_owned(), error),
    };
    let source = open_unchanged(backup, true).map_err(|error| failed(error.into()))?;
    // The source too, because copying it can hide damage of its indexes.
    if integrity(&source).map_err(|error| failed(error.into()))?.is_some() {
        return Err(RestoreError::Damaged(backup.to_owned()));
    }
    if !has_tables(&source).map_err(|error| failed(error.into()))? {
        return Err(RestoreError::Empty(backup.to_owned()));
    }
    copy_checked(&source, temporary, &ProgressMonitor::default()).map_err(failed)?;
    let applied = migrate_copy(temporary).map_err(failed)?;
    let rows = open_unchanged(temporary, false).and_then(|connection| row_counts(&connection));
    let rows = rows.map_err(|error| failed(error.into()))?;
    File::open(temporary).and_then(|file| file.sync_all()).map_err(|error| failed(error.into()))?;
    Ok((applied, rows))
}

/// The number of rows of each table.
///
/// # Errors
/// Errors of SQLite.
pub fn row_counts(connection: &Connection) -> rusqlite::Result<RowCounts> {
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let names: Vec<String> =
        connection.prepare(names)?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let count = |name: String| {
        let quoted = name.replace('"', "\"\"");
        let rows = connection.query_row(&format!("SELECT count(*) FROM \"{quoted}\""), [], |row| row.get(0))?;
        Ok((name, rows))
    };
    names.into_iter().map(count).collect()
}

/// Puts the new file in place. The old one gets its second name first, so that it is never without one, and its
/// write-ahead log is removed last: beside the new file, which is not in WAL mode, every start rejects it.
fn replace(database: &Path, new: &Path, now: DateTime<Utc>) -> io::Result<Option<PathBuf>> {
    let wal = with_suffix(database, "-wal");
    let has_file = database.metadata().is_ok_and(|meta| meta.len() > 0);
    let has_wal = wal.metadata().is_ok_and(|meta| meta.len() > 0);
    let aside = free_name(database, &format!("{BEFORE_RESTORE}{}", now.format(TIME_IN_NAME)));
    if has_file {
        fs::hard_link(database, &aside)?;
    }
    if has_wal {
        // Under this name SQLite finds it when the file that was set aside is opened.
        fs::hard_link(&wal, with_suffix(&aside, "-wal"))?;
    }
    fs::rename(new, database)?;
    sync_folder(database)?;
    for beside in [wal, with_suffix(database, "-shm")] {
        match fs::remove_file(beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    sync_folder(database)?;
    Ok((has_file || has_wal).then_some(aside))
}

fn sync_folder(file: &Path) -> io::Result<()> {
    File::open(folder_of(file))?.sync_all()
}
