//! Backups: consistent copies of an open database.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OpenFlags};

use super::backup_files::{
    LocalBackup, backup_name, backups_in, expired, folder_of, unfinished_in, unfinished_of, with_suffix,
};
use super::disk::{Disk, MIN_FREE_BYTES};
use super::file_check::{has_tables, integrity};
use super::migrate::{self, Applied, MigrateError};
use crate::platform::config::Keep;
use crate::platform::progress::ProgressMonitor;

/// How long a backup stays although it has expired: another process may have just made it, and still reads it.
const IN_USE: TimeDelta = TimeDelta::minutes(1);

/// Why no backup was made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// An existing file is never replaced.
    #[error("{0} exists already; name a file that does not")]
    Exists(PathBuf),
    /// The path is that of a folder.
    #[error("{0} does not end with a file name")]
    NotAFileName(PathBuf),
    /// The destination's folder is missing.
    #[error("The folder {0} does not exist")]
    NoFolder(PathBuf),
    /// The path of the folder is that of a file.
    #[error("{0} is a file; name a folder for the backups")]
    NotAFolder(PathBuf),
    /// The folder can't be created.
    #[error("The folder {0} can't be created")]
    FolderNotCreated(PathBuf, #[source] io::Error),
    /// A backup would leave too little space for the database, if both are on one disk.
    #[error(
        "The folder {0} has too little free space for another backup; delete something there or name another folder"
    )]
    NoSpace(PathBuf),
    /// The backup could not be written.
    #[error("The backup {0} could not be written")]
    Failed(PathBuf, #[source] CopyError),
}

/// What failed while a database was copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// There is nothing to copy.
    #[error("the database is empty")]
    Empty,
    /// The file system.
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The copy did not pass its integrity check.
    #[error("the copy is damaged: {0}")]
    Damaged(String),
    /// A migration failed.
    #[error("it can't be migrated")]
    NotMigrated(#[source] MigrateError),
}

/// Writes a backup of an open database to `dest` (mode 0600). It is written under a temporary name in the same
/// folder, checked and flushed before it gets its name, so `dest` is complete or does not exist.
///
/// # Errors
/// `dest` exists, can't be written, or the backup does not pass its check.
pub fn backup_to(connection: &Connection, dest: &Path) -> Result<(), BackupError> {
    // `exists` would follow a symbolic link that leads nowhere.
    if dest.symlink_metadata().is_ok() {
        return Err(BackupError::Exists(dest.to_owned()));
    }
    // A hard link to such a name fails with "no such file".
    if dest.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(BackupError::NoFolder(dest.to_owned()));
    }
    let name = dest.file_name().ok_or_else(|| BackupError::NotAFileName(dest.to_owned()))?;
    let folder = folder_of(dest);
    if !folder.is_dir() {
        return Err(BackupError::NoFolder(folder.to_owned()));
    }
    remove_each(unfinished_of(dest));
    write_checked(connection, &folder.join(temporary_name(name)), &ProgressMonitor::default(), |written| {
        publish(written, dest)
    })
    .map_err(|error| BackupError::Failed(dest.to_owned(), error))
}

/// Writes a backup under a temporary name, checks it, and then gives it its name. If that fails, no file is left.
fn write_checked<T>(
    connection: &Connection,
    temporary: &Path,
    monitor: &ProgressMonitor,
    publish: impl FnOnce(&Path) -> io::Result<T>,
) -> Result<T, CopyError> {
    if !has_tables(connection)? {
        return Err(CopyError::Empty);
    }
    let result = copy_checked(connection, temporary, monitor)
        .and_then(|()| trial_migration(temporary))
        .and_then(|()| Ok(publish(temporary)?));
    if result.is_err() {
        let _ = std::fs::remove_file(temporary);
    }
    result
}

/// Writes a backup to a folder under a name with the time, then deletes the backups there that `keep` does not cover,
/// apart from those of the last minute and those of other databases. Creates the folder (mode 0700) if it is missing. If
/// there is a backup of the same second already, such as one of the server's schedule beside one of the command, the name
/// has the next second that is free.
///
/// # Errors
/// As [`backup_to`]; no backup was deleted.
pub fn backup_into(
    connection: &Connection,
    database: &Path,
    folder: &Path,
    keep: Keep,
    now: DateTime<Utc>,
    monitor: &ProgressMonitor,
) -> Result<PathBuf, BackupError> {
    let created = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    created.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => BackupError::NotAFolder(folder.to_owned()),
        _ => BackupError::FolderNotCreated(folder.to_owned(), error),
    })?;
    remove_each(unfinished_in(folder, database));
    remove_each(unfinished_in(folder_of(database), database));
    let bytes = database.metadata().map_or(0, |meta| meta.len());
    if Disk::from_folder(folder).is_some_and(|disk| disk.free_bytes < bytes + MIN_FREE_BYTES) {
        return Err(BackupError::NoSpace(folder.to_owned()));
    }
    let name = backup_name(database, now);
    let temporary = folder.join(temporary_name(name.as_ref()));
    let dest = write_checked(connection, &temporary, monitor, |written| publish_at(written, folder, database, now))
        .map_err(|error| BackupError::Failed(folder.join(name), error))?;
    // A database of another site may have the same name, and its backups in the same folder.
    let created_at = migrate::created_at(connection).ok().flatten();
    let is_own = |backup: &LocalBackup| match created_at_of(&backup.path) {
        Some(other) => created_at.is_none_or(|own| own == other),
        None => true,
    };
    let backups: Vec<_> = backups_in(folder, database).into_iter().filter(is_own).collect();
    for backup in expired(&backups, keep, now, |backup| backup.taken_at) {
        if now - backup.taken_at > IN_USE {
            remove(&backup.path);
        }
    }
    Ok(dest)
}

/// When the database in a file was created; `None` if that can't be read.
pub(super) fn created_at_of(file: &Path) -> Option<DateTime<Utc>> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    migrate::created_at(&connection).ok().flatten()
}

fn remove_each(unfinished: Vec<PathBuf>) {
    for path in unfinished {
        remove(&path);
    }
}

fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        tracing::warn!(path = %path.display(), %error, "an old backup could not be deleted");
    }
}

/// `.lectern.db.1234.part`: the name of an unfinished backup.
fn temporary_name(name: &OsStr) -> OsString {
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.part", std::process::id()));
    temporary
}

/// Writes a consistent copy, checks it and flushes it to disk.
pub(super) fn copy_checked(connection: &Connection, dest: &Path, monitor: &ProgressMonitor) -> Result<(), CopyError> {
    // Created with its mode first, because SQLite would create a file that other users can read. What a process with the
    // same id has left is unfinished.
    let _ = std::fs::remove_file(dest);
    drop(OpenOptions::new().write(true).create_new(true).mode(0o600).open(dest)?);
    connection.execute("VACUUM INTO ?1", [dest.to_string_lossy()])?;
    monitor.record_progress();
    let mut check = Connection::open_with_flags(dest, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    observe(&mut check, monitor)?;
    if let Some(damage) = integrity(&check)? {
        return Err(CopyError::Damaged(damage));
    }
    if broken_references(&check)? > 0 {
        return Err(CopyError::Damaged("rows refer to rows that do not exist".to_owned()));
    }
    drop(check);
    std::fs::set_permissions(dest, std::fs::Permissions::from_mode(0o600))?;
    File::open(dest)?.sync_all()?;
    monitor.record_progress();
    Ok(())
}

/// Records the progress of every statement of a connection, which is interrupted when it is cancelled.
pub(super) fn observe(connection: &mut Connection, monitor: &ProgressMonitor) -> rusqlite::Result<()> {
    /// A few hundred microseconds.
    const INSTRUCTIONS: i32 = 10_000;
    let monitor = monitor.clone();
    let handler = move || {
        monitor.record_progress();
        monitor.is_cancelled()
    };
    connection.progress_handler(INSTRUCTIONS, Some(handler))
}

/// How many rows refer to rows that do not exist.
///
/// # Errors
/// Errors of SQLite.
pub fn broken_references(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
}

/// Checks that this release could be started with the backup: applies the migrations that it lacks to a copy of it.
fn trial_migration(backup: &Path) -> Result<(), CopyError> {
    let connection = Connection::open_with_flags(backup, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let is_current = migrate::status(&connection)?.iter().all(|step| step.applied_at.is_some());
    drop(connection);
    if is_current {
        return Ok(());
    }
    let trial = with_suffix(backup, ".trial");
    std::fs::copy(backup, &trial)?;
    let result = migrate_copy(&trial);
    let _ = std::fs::remove_file(&trial);
    result.map(drop)
}

/// Applies the pending migrations to a copy that nothing else uses.
pub(super) fn migrate_copy(copy: &Path) -> Result<Vec<Applied>, CopyError> {
    let mut connection = Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate::apply(&mut connection, |_, _| Ok(None)).map_err(|error| match error {
        MigrateError::Sqlite(error) => CopyError::Sqlite(error),
        error => CopyError::NotMigrated(error),
    })
}

/// Applies the pending migrations to a database, after a backup of a file with data, `lectern.db.before-v2`.
pub(super) fn migrate_after_backup(connection: &mut Connection, path: &Path) -> Result<Vec<Applied>, MigrateError> {
    migrate::apply(connection, |connection, version| {
        remove_each(unfinished_in(folder_of(path), path));
        let dest = migrate::free_name(path, &format!(".before-v{}", version + 1));
        backup_to(connection, &dest).map_err(|error| MigrateError::Backup(error.into()))?;
        Ok(Some(dest))
    })
}

/// Gives a finished backup its name, in the same folder.
fn publish(temporary: &Path, dest: &Path) -> io::Result<()> {
    // A hard link fails if the name was taken in the meantime; a rename would replace the file.
    std::fs::hard_link(temporary, dest)?;
    std::fs::remove_file(temporary)?;
    File::open(folder_of(dest))?.sync_all()
}

/// Gives a finished backup the name with the time, or with the next second that is free. Returns its path.
fn publish_at(temporary: &Path, folder: &Path, database: &Path, now: DateTime<Utc>) -> io::Result<PathBuf> {
    let mut taken_at = now;
    loop {
        let dest = folder.join(backup_name(database, taken_at));
        match publish(temporary, &dest) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken_at += TimeDelta::seconds(1),
            result => return result.map(|()| dest),
        }
    }
}
