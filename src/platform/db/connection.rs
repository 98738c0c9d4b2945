//! Opens and configures connections to the database file.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use super::backup_files::{files_of, folder_of};
use super::busy::{self, BusyTimeout};
use super::error::{OpenError, UnusableReason};
use super::file_check::{check_file, check_links};

/// Older releases can corrupt a database in WAL mode when connections write and checkpoint at the same time.
const OLDEST_SQLITE: i32 = 3_051_003;

/// Opens a database for writing and creates it (mode 0600) if it is missing. A file that is not lectern's, or that a
/// newer release wrote, is rejected before anything in it changes.
///
/// # Errors
/// See [`OpenError`].
pub fn connect(path: &Path, timeout: BusyTimeout) -> Result<Connection, OpenError> {
    // Its connection is closed: this one may switch the file to another mode.
    drop(check_file(path)?);
    check_links(path)?;
    create_private(path)?;
    open_checked(path, timeout)
}

/// As [`connect`], without the check of the file.
pub(super) fn open_checked(path: &Path, timeout: BusyTimeout) -> Result<Connection, OpenError> {
    if rusqlite::version_number() < OLDEST_SQLITE {
        return Err(OpenError::OldSqlite(rusqlite::version()));
    }
    make_private(path);
    let mut connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(|error| OpenError::sqlite(path, error))?;
    set_up_writing(&mut connection, timeout).map_err(|error| OpenError::sqlite(path, error))?;
    Ok(connection)
}

/// Opens a database with a connection that can't write.
///
/// # Errors
/// See [`OpenError`].
pub fn connect_to_read(path: &Path, timeout: BusyTimeout) -> Result<Connection, OpenError> {
    let connection = connect(path, timeout)?;
    connection.pragma_update(None, "query_only", true).map_err(|error| OpenError::sqlite(path, error))?;
    Ok(connection)
}

/// An empty database in memory, without a schema.
pub fn empty_in_memory() -> rusqlite::Result<Connection> {
    Connection::open_in_memory()
}

/// Opens a further read-only connection to a file that [`connect`] has opened before.
pub(super) fn reader(path: &Path) -> Result<Connection, OpenError> {
    open_reader(path).map_err(|error| OpenError::sqlite(path, error))
}

/// As [`reader`], with the error of SQLite.
pub(super) fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    // Not opened read-only: such a connection can't recover the write-ahead log after a crash of another process.
    let mut connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    set_up(&mut connection, BusyTimeout::Server)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn set_up_writing(connection: &mut Connection, timeout: BusyTimeout) -> rusqlite::Result<()> {
    // First, because the switch to WAL may have to wait for another process.
    set_up(connection, timeout)?;
    switch_to_wal(connection, timeout)?;
    // NORMAL loses acknowledged writes in a power cut.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)
}

/// What readers need, too. None of it reads the schema, which takes most of the time in which a connection is opened: each
/// reader does that on its own thread.
fn set_up(connection: &mut Connection, timeout: BusyTimeout) -> rusqlite::Result<()> {
    busy::set_handler(connection, timeout)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// Has no effect on a file in WAL mode. When two processes switch a new file at the same time, SQLite reports busy to
/// one of them without calling the busy handler.
fn switch_to_wal(connection: &Connection, timeout: BusyTimeout) -> rusqlite::Result<()> {
    let started = Instant::now();
    loop {
        let switched = connection.pragma_update(None, "journal_mode", "wal");
        let busy = matches!(&switched, Err(error)
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy));
        if !busy || started.elapsed() > timeout.duration() {
            return switched;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Withdraws the permissions of other users from a file that was created elsewhere, and from the files beside it, which
/// SQLite creates with the same ones. Those that it created while the database could not be written are made writable
/// again once the database is. The owner alone can do this, so a failure changes nothing.
fn make_private(path: &Path) {
    let mode_of = |file: &Path| file.metadata().map(|meta| meta.permissions().mode()).ok();
    let is_writable = mode_of(path).is_some_and(|mode| mode & 0o200 != 0);
    for file in files_of(path) {
        let Some(mode) = mode_of(&file) else { continue };
        let set_mode = |mode| fs::set_permissions(&file, Permissions::from_mode(mode & 0o700)).is_ok();
        if mode & 0o077 != 0 && set_mode(mode) {
            tracing::info!(file = %file.display(), "other users could read the database; now only its owner can");
        }
        if is_writable && mode & 0o200 == 0 && set_mode(mode | 0o200) {
            tracing::info!(file = %file.display(), "the file could not be written; now its owner can");
        }
    }
}

/// Checks that the folder of a file exists.
pub(super) fn check_folder(path: &Path) -> Result<(), OpenError> {
    let folder = folder_of(path);
    if folder.is_dir() { Ok(()) } else { Err(OpenError::unusable(path, UnusableReason::NoFolder(folder.to_owned()))) }
}

/// Creates the file with mode 0600 if it is missing, also through a symbolic link.
pub(super) fn create_private(path: &Path) -> Result<(), OpenError> {
    check_folder(path)?;
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        // Never opened if it exists: closing it would release the locks of SQLite's own connections.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match path.read_link() {
            Ok(target) if !path.exists() => create_private(&path.with_file_name(target)),
            _ => Ok(()),
        },
        Err(error) => Err(OpenError::io(path, error)),
    }
}
