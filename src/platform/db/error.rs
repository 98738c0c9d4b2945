//! Errors of opening a database, with messages for the operator.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode::{
    CannotOpen, DatabaseBusy, DatabaseCorrupt, DiskFull, NotADatabase, PermissionDenied, ReadOnly,
};

use super::migrate::MigrateError;

const DAMAGED: &str = "the file is damaged; restore a backup, the damaged file was left as it is";
const CANNOT_OPEN: &str = "it can't be opened; check the permissions of the file and its folder";

/// Why a database can't be used. The message is for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is a file of another kind.
    #[error("{0} is not a SQLite database and was left as it is; name another file with --database")]
    NotSqlite(PathBuf),
    /// It is another program's database.
    #[error(
        "{0} is a SQLite database, but not a lectern database, and was left as it is; name another file with --database"
    )]
    Foreign(PathBuf),
    /// It was written by a later release.
    #[error(
        "{path} has schema version {found}, but this lectern supports only versions up to {supported}; the file was not changed, use a newer lectern"
    )]
    Newer {
        path: PathBuf,
        found: u32,
        /// The newest that this release supports.
        supported: u32,
    },
    /// Another server has the lock.
    #[error("{0} is already served by another lectern; stop that one first, or name another file with --database")]
    Served(PathBuf),
    /// A restore did not end in time.
    #[error("{0} is being restored by another process; try again when that has ended")]
    Restoring(PathBuf),
    /// A migration failed and was rolled back.
    #[error("{path} could not be migrated and was not changed")]
    Migration { path: PathBuf, source: MigrateError },
    /// An error of the file system or of SQLite.
    #[error("{path} can't be used: {reason}")]
    Unusable { path: PathBuf, reason: UnusableReason },
    /// The linked SQLite has a known defect.
    #[error("this lectern is linked with SQLite {0}, which can damage a database; 3.51.3 or later is needed")]
    OldSqlite(&'static str),
}

/// Why a file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum UnusableReason {
    /// Its folder is missing.
    #[error("the folder {0} does not exist; create it, or name another file with --database")]
    NoFolder(PathBuf),
    /// It is a folder itself.
    #[error("it is a folder, not a file")]
    IsFolder,
    /// It is a device or a named pipe.
    #[error("it is not a regular file")]
    NotAFile,
    /// It has this number of hard links.
    #[error(
        "the file has {0} names (hard links), and changes are lost when programs open it by different ones; remove the other \
         names, which 'find / -xdev -samefile FILE' lists"
    )]
    HardLinks(u64),
    /// It ends within a page, or has a header that SQLite has not written.
    #[error("{DAMAGED}")]
    Damaged,
    /// The write-ahead log belongs to another file.
    #[error(
        "the write-ahead log {}-wal beside it belongs to another database file and would damage this one; nothing was changed, \
         run 'lectern restore' with the backup, or move the write-ahead log away",
        .0.display()
    )]
    ForeignWal(PathBuf),
    /// There is a write-ahead log, but no database file.
    #[error(
        "the file is missing or empty, but its write-ahead log {}-wal exists and has the latest changes; put the file back, \
         run 'lectern restore' with a backup, or move the write-ahead log away to begin with an empty database",
        .0.display()
    )]
    WalWithoutDatabase(PathBuf),
    /// There is no database file, but backups of one.
    #[error(
        "the file is missing or empty, but {newest} is its newest backup; run 'lectern restore {newest}', put the file back, \
         or run 'lectern create-admin' to begin with an empty database"
    )]
    Lost {
        /// The path of the newest backup.
        newest: String,
    },
    /// SQLite can't use it.
    #[error("{}", sqlite_reason(.0))]
    Sqlite(rusqlite::Error),
    /// The file system reports an error.
    #[error("{}", io_reason(.0))]
    Io(io::Error),
}

/// An error of SQLite in words for the operator.
fn sqlite_reason(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(DatabaseCorrupt) => DAMAGED.to_owned(),
        Some(ReadOnly) => "it can't be written; check the permissions of the file and its folder".to_owned(),
        Some(CannotOpen | PermissionDenied) => CANNOT_OPEN.to_owned(),
        Some(DiskFull) => "the disk is full".to_owned(),
        Some(DatabaseBusy) => "it is locked by another process".to_owned(),
        _ => error.to_string(),
    }
}

/// An error of the file system in words for the operator.
fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => CANNOT_OPEN.to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}

impl OpenError {
    pub(super) fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(NotADatabase) => Self::NotSqlite(path.to_owned()),
            _ => Self::unusable(path, UnusableReason::Sqlite(error)),
        }
    }

    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self::unusable(path, UnusableReason::Io(error))
    }

    /// The database at this path can't be used for this reason.
    pub fn unusable(path: &Path, reason: UnusableReason) -> Self {
        Self::Unusable { path: path.to_owned(), reason }
    }
}

/// Whether SQLite found a page that is not valid.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}

impl MigrateError {
    pub(super) fn at(self, path: &Path) -> OpenError {
        match self {
            Self::Sqlite(error) => OpenError::sqlite(path, error),
            source => OpenError::Migration { path: path.to_owned(), source },
        }
    }
}
