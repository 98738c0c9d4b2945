//! Checks what a file is before it is opened for writing.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::OpenError;
use super::migrate;

/// `LECT`, big-endian: the application id in the header of lectern's databases.
const APPLICATION_ID: i64 = 0x4c45_4354;

/// Refuses a file that is not a database of lectern's, is damaged, or was written by a newer release. Nothing is
/// written to the file or beside it, and no lock is taken: while another process creates the file it can appear
/// incomplete, so a refusal counts only if the file did not change during the check.
pub(super) fn check_file(path: &Path) -> Result<(), OpenError> {
    let state = || {
        let meta = path.metadata().ok()?;
        Some((meta.len(), meta.modified().ok()?, wal_path(path).exists()))
    };
    for _ in 0..100 {
        let before = state();
        let result = check_once(path);
        if result.is_ok() || state() == before {
            return result;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    check_once(path)
}

fn check_once(path: &Path) -> Result<(), OpenError> {
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => {
            if file.metadata().is_ok_and(|meta| meta.is_dir()) {
                return Err(OpenError::Unusable {
                    path: path.to_owned(),
                    reason: "it is a folder, not a file".to_owned(),
                });
            }
            file.take(100).read_to_end(&mut header).map_err(|error| OpenError::io(path, &error))?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(OpenError::io(path, &error)),
    }
    if header.is_empty() {
        return Ok(());
    }
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(OpenError::NotSqlite(path.to_owned()));
    }
    if is_truncated(path, &header) {
        return Err(OpenError::damaged(path));
    }
    let identity = read_identity(path).map_err(|error| OpenError::of(path, error))?;
    if identity.application_id != APPLICATION_ID && identity.has_tables {
        return Err(OpenError::Foreign(path.to_owned()));
    }
    let newest = migrate::newest_version();
    match identity.schema_version {
        Some(found) if found > newest => Err(OpenError::Newer { path: path.to_owned(), found, supported: newest }),
        _ => Ok(()),
    }
}

/// Whether the file ends within a page, which SQLite would read as zeros. If there is a write-ahead log, that is no
/// damage: the log still has the page.
fn is_truncated(path: &Path, header: &[u8]) -> bool {
    let page = match header.get(16..18) {
        Some([0, 1]) => 65_536,
        Some([high, low]) => u64::from(u16::from_be_bytes([*high, *low])),
        _ => 0,
    };
    let length = path.metadata().map_or(0, |meta| meta.len());
    page > 0 && !length.is_multiple_of(page) && !wal_path(path).exists()
}

fn wal_path(path: &Path) -> PathBuf {
    // SQLite names it after the target of a symbolic link.
    let mut wal = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    wal.push("-wal");
    PathBuf::from(wal)
}

struct Identity {
    application_id: i64,
    has_tables: bool,
    schema_version: Option<u32>,
}

fn read_identity(path: &Path) -> rusqlite::Result<Identity> {
    // Without a write-ahead log the file is complete and can be read as immutable, which creates no files beside it.
    let immutable = !wal_path(path).exists();
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut address =
        url::Url::from_file_path(&absolute).map_err(|()| rusqlite::Error::InvalidPath(absolute.clone()))?;
    if immutable {
        address.set_query(Some("immutable=1"));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address.as_str(), flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    // All queries read one snapshot.
    let connection = connection.unchecked_transaction()?;
    let application_id = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    // The migration history is created before the first migration, and the process may be killed in between.
    let has_tables =
        connection.prepare("SELECT 1 FROM sqlite_schema WHERE tbl_name <> 'refinery_schema_history'")?.exists([])?;
    let schema_version = migrate::stored_version(&connection)?;
    Ok(Identity { application_id, has_tables, schema_version })
}
