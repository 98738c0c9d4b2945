//! Checks that a file is a lectern database before it is opened for writing.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use chrono::Utc;
use rusqlite::{Connection, OpenFlags};

use super::backup_files::{BEFORE_RESTORE, folder_of, local_backups, with_suffix};
use super::busy::{self, BusyTimeout};
use super::error::{OpenError, UnusableReason, is_damage};
use super::migrate;

/// `LECT`, big-endian: the application id in the header of lectern's databases.
const APPLICATION_ID: i64 = 0x4c45_4354;
/// The file format versions in the header of a database in WAL mode.
pub(super) const WAL_MODE: [u8; 2] = [2, 2];

/// Rejects a file that is not a lectern database, is damaged, or was written by a newer release. Nothing is written to
/// the file or beside it, and no lock is acquired. While another process creates the file, it can appear incomplete, so
/// a file that changed during the check is checked again.
///
/// Returns a connection if there is a write-ahead log: SQLite reads all of it for the first connection, and not
/// again for others while it is open. The file must not be opened without SQLite as long as it is.
pub(super) fn check_file(path: &Path) -> Result<Option<Connection>, OpenError> {
    for _ in 0..100 {
        let before = FileState::read(path);
        let result = check_once(path);
        if result.is_ok() || FileState::read(path) == before {
            return result;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    check_once(path)
}

/// The device and inode of a file, which another file at its path does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    pub(super) fn new(meta: &Metadata) -> Self {
        Self { device: meta.dev(), inode: meta.ino() }
    }
}

impl fmt::Display for FileIdentity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.device, self.inode)
    }
}

/// Which file is at a path and when it changed, with the size of its write-ahead log.
#[derive(PartialEq, Eq)]
pub(super) struct FileState(Option<(FileIdentity, u64, SystemTime, Option<u64>)>);

impl FileState {
    pub(super) fn read(path: &Path) -> Self {
        let state = || {
            let meta = path.metadata().ok()?;
            let wal = wal_path(path).metadata().ok().map(|meta| meta.len());
            Some((FileIdentity::new(&meta), meta.len(), meta.modified().ok()?, wal))
        };
        Self(state())
    }
}

fn check_once(path: &Path) -> Result<Option<Connection>, OpenError> {
    // Before it is opened, for which a named pipe waits.
    if let Ok(meta) = path.metadata()
        && !meta.is_file()
    {
        let reason = if meta.is_dir() { UnusableReason::IsFolder } else { UnusableReason::NotAFile };
        return Err(OpenError::unusable(path, reason));
    }
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => {
            file.take(100).read_to_end(&mut header).map_err(|error| OpenError::io(path, error))?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(OpenError::io(path, error)),
    }
    if header.is_empty() {
        // SQLite would delete the write-ahead log together with the changes in it.
        return if has_wal(path) {
            Err(OpenError::unusable(path, UnusableReason::WalWithoutDatabase(path.to_owned())))
        } else {
            Ok(None)
        };
    }
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(OpenError::NotSqlite(path.to_owned()));
    }
    // Only a file in WAL mode can have a write-ahead log. A backup is in rollback mode until it is opened for writing.
    if has_wal(path) && header.get(18..20) != Some(&WAL_MODE) {
        return Err(OpenError::unusable(path, UnusableReason::ForeignWal(path.to_owned())));
    }
    if is_truncated(path, &header) || has_unknown_format(&header) {
        return Err(OpenError::unusable(path, UnusableReason::Damaged));
    }
    let (connection, header) = read_header(path).map_err(|error| match check_wal(path, None) {
        Err(foreign_wal) => foreign_wal,
        Ok(()) => OpenError::sqlite(path, error),
    })?;
    if header.application_id != APPLICATION_ID && header.has_tables {
        return Err(OpenError::Foreign(path.to_owned()));
    }
    let newest = migrate::newest_version();
    match header.schema_version {
        Some(found) if found > newest => Err(OpenError::Newer { path: path.to_owned(), found, supported: newest }),
        _ => Ok(has_wal(path).then_some(connection)),
    }
}

/// Rejects a file with several names (hard links), before it is opened for writing. SQLite names the write-ahead log after
/// the name by which it opens the file, so programs that open it by different names would overwrite each other's changes.
/// For a backup, which is only read, several names are no problem; nor is the name that a restore which did not end has
/// given to the file that it was about to replace.
///
/// # Errors
/// [`OpenError::Unusable`] with the number of names.
pub(super) fn check_links(path: &Path) -> Result<(), OpenError> {
    let Ok(meta) = path.metadata() else { return Ok(()) };
    if !meta.is_file() || meta.nlink() == 1 {
        return Ok(());
    }
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(BEFORE_RESTORE);
    let is_aside = |entry: &std::fs::DirEntry| {
        let is_same_file = entry.metadata().is_ok_and(|other| (other.dev(), other.ino()) == (meta.dev(), meta.ino()));
        is_same_file && entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
    };
    let names = std::fs::read_dir(folder_of(path)).into_iter().flatten().flatten();
    let own = names.filter(is_aside).count() as u64;
    if meta.nlink() > 1 + own {
        return Err(OpenError::unusable(path, UnusableReason::HardLinks(meta.nlink())));
    }
    Ok(())
}

/// Rejects a path without a database, but with backups of one beside it or in the folder of the scheduled backups: its
/// file was removed, and an empty database in its place would look like a site that works.
///
/// # Errors
/// [`OpenError::Unusable`] with the newest backup.
pub fn check_not_lost(path: &Path, folder: Option<&Path>) -> Result<(), OpenError> {
    if !is_missing(path) {
        return Ok(());
    }
    match local_backups(path, folder, Utc::now()).into_iter().next() {
        Some(newest) => {
            let newest = newest.path.display().to_string();
            Err(OpenError::unusable(path, UnusableReason::Lost { newest }))
        }
        None => Ok(()),
    }
}

/// Whether there is no database at a path: no file or an empty one, and no write-ahead log with its content.
pub fn is_missing(path: &Path) -> bool {
    let has_file = match path.metadata() {
        Ok(meta) => meta.len() > 0,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    };
    !has_file && !has_wal(path)
}

/// Whether the file ends within a page, which SQLite would read as zeros. With a write-ahead log, which contains the
/// page, this is not damage.
fn is_truncated(path: &Path, header: &[u8]) -> bool {
    let page = match header.get(16..18) {
        Some([0, 1]) => 65_536,
        Some([high, low]) => u64::from(u16::from_be_bytes([*high, *low])),
        _ => 0,
    };
    let length = path.metadata().map_or(0, |meta| meta.len());
    page > 0 && !length.is_multiple_of(page) && !wal_path(path).exists()
}

/// Whether the schema format number is none that SQLite has ever written: 1 to 4, or 0 in an empty database
/// (<https://www.sqlite.org/fileformat2.html#schema_format_number>).
fn has_unknown_format(header: &[u8]) -> bool {
    header.get(44..48).is_some_and(|format| format > [0, 0, 0, 4].as_slice())
}

pub(super) fn wal_path(path: &Path) -> PathBuf {
    // SQLite names it after the target of a symbolic link.
    with_suffix(&path.canonicalize().unwrap_or_else(|_| path.to_owned()), "-wal")
}

/// Whether there is an empty file in place of a database, without a write-ahead log that has its content.
pub fn is_empty(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.len() == 0) && !has_wal(path)
}

/// Whether there is a write-ahead log with more than a header.
fn has_wal(path: &Path) -> bool {
    wal_path(path).metadata().is_ok_and(|meta| meta.len() > 32)
}

/// Rejects a write-ahead log that belongs to another file, such as one that was left when a backup replaced the
/// database: the file is intact without the write-ahead log and damaged with it. If there is one, this reads the complete
/// file, with the connection of [`check_file`] if the caller has it.
///
/// # Errors
/// [`OpenError::Unusable`] with the reason.
pub(super) fn check_wal(path: &Path, checked: Option<&Connection>) -> Result<(), OpenError> {
    // Other errors than damage are reported when the file is opened.
    let is_damaged = |found: rusqlite::Result<Option<String>>| match found {
        Ok(damage) => damage.is_some(),
        Err(error) => is_damage(&error),
    };
    let checked_alone = |with_wal| open_unchanged(path, with_wal).and_then(|connection| integrity(&connection));
    let with_wal = || checked.map_or_else(|| checked_alone(true), integrity);
    // A file that is also damaged without its write-ahead log is served as far as possible.
    if has_wal(path) && is_damaged(with_wal()) && !is_damaged(checked_alone(false)) {
        return Err(OpenError::unusable(path, UnusableReason::ForeignWal(path.to_owned())));
    }
    Ok(())
}

/// Opens a database to check it, without changing it or its files, also while it is served.
///
/// # Errors
/// It does not exist, is not a lectern database, is newer, damaged, has several names, or is beside a write-ahead log of another
/// file.
pub fn open_to_check(path: &Path) -> Result<Connection, OpenError> {
    let checked = check_file(path)?;
    check_links(path)?;
    check_wal(path, checked.as_ref())?;
    checked.map_or_else(|| open_unchanged(path, true).map_err(|error| OpenError::sqlite(path, error)), Ok)
}

/// The first damage that SQLite finds.
///
/// # Errors
/// The file can't be read.
pub fn integrity(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let result: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    // The first line is a heading.
    let damage = result.lines().last().filter(|line| *line != "ok").map(str::to_owned);
    match damage.as_deref().and_then(read_error) {
        Some(error) => Err(rusqlite::Error::SqliteFailure(error, damage)),
        None => Ok(damage),
    }
}

/// The error of a page that could not be read, which the check reports as if it was damage.
fn read_error(damage: &str) -> Option<rusqlite::ffi::Error> {
    let code = damage.rsplit_once("error code=")?.1.trim().parse().ok()?;
    let error = rusqlite::ffi::Error::new(code);
    (error.code == rusqlite::ErrorCode::SystemIoFailure).then_some(error)
}

/// Opens a file for reading without changing it. Without a write-ahead log the file is complete and is read as
/// immutable, which creates no files beside it.
pub(super) fn open_unchanged(path: &Path, with_wal: bool) -> rusqlite::Result<Connection> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut uri = url::Url::from_file_path(&absolute).map_err(|()| rusqlite::Error::InvalidPath(absolute.clone()))?;
    if !with_wal || !wal_path(path).exists() {
        uri.set_query(Some("immutable=1"));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(uri.as_str(), flags)?;
    busy::set_handler(&mut connection, BusyTimeout::Server)?;
    Ok(connection)
}

/// Whether a migration was applied, or another program has created tables.
///
/// # Errors
/// Those of SQLite.
pub fn has_tables(connection: &Connection) -> rusqlite::Result<bool> {
    // The migration history is created before the first migration, and the process may be killed in between.
    connection.prepare("SELECT 1 FROM sqlite_schema WHERE tbl_name <> 'refinery_schema_history'")?.exists([])
}

struct DatabaseHeader {
    application_id: i64,
    has_tables: bool,
    schema_version: Option<u32>,
}

fn read_header(path: &Path) -> rusqlite::Result<(Connection, DatabaseHeader)> {
    let connection = open_unchanged(path, true)?;
    // All queries read one snapshot.
    let transaction = connection.unchecked_transaction()?;
    let application_id = transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let has_tables = has_tables(&transaction)?;
    let schema_version = migrate::stored_version(&transaction)?;
    transaction.finish()?;
    Ok((connection, DatabaseHeader { application_id, has_tables, schema_version }))
}
