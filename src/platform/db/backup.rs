//! Consistent copies of an open database.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

/// Why no copy was made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// An existing file is never replaced.
    #[error("{0} exists already; name a file that does not")]
    Exists(PathBuf),
    /// The path ends with no name.
    #[error("{0} is no name for a file")]
    NotAFileName(PathBuf),
    /// The destination's folder is missing.
    #[error("The folder {0} does not exist")]
    NoFolder(PathBuf),
    /// The copy could not be written.
    #[error("The copy to {0} could not be made")]
    Failed(PathBuf, #[source] CopyError),
}

/// What failed while the copy was written.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The file system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// SQLite.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The copy did not pass its integrity check.
    #[error("the copy is damaged: {0}")]
    Damaged(String),
}

/// Writes a consistent copy of an open database to `dest` (mode 0600). It is written under a temporary name in the same
/// folder, checked and flushed before it gets its name, so `dest` is complete or does not exist.
///
/// # Errors
/// `dest` exists, can't be written, or the copy does not pass its check.
pub fn backup_to(connection: &Connection, dest: &Path) -> Result<(), BackupError> {
    // `exists` would follow a symbolic link that leads nowhere.
    if dest.symlink_metadata().is_ok() {
        return Err(BackupError::Exists(dest.to_owned()));
    }
    let name = dest.file_name().ok_or_else(|| BackupError::NotAFileName(dest.to_owned()))?;
    let folder = match dest.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(BackupError::NoFolder(folder.to_owned()));
    }
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.part", std::process::id()));
    let temporary = folder.join(temporary);
    copy(connection, &temporary, dest, folder).map_err(|error| {
        let _ = std::fs::remove_file(&temporary);
        BackupError::Failed(dest.to_owned(), error)
    })
}

fn copy(connection: &Connection, temporary: &Path, dest: &Path, folder: &Path) -> Result<(), CopyError> {
    // Created with its mode first, because SQLite would create a file that other users can read.
    drop(OpenOptions::new().write(true).create_new(true).mode(0o600).open(temporary)?);
    connection.execute("VACUUM INTO ?1", [temporary.to_string_lossy()])?;
    let check = Connection::open_with_flags(temporary, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let result: String = check.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    if result != "ok" {
        return Err(CopyError::Damaged(result));
    }
    drop(check);
    std::fs::set_permissions(temporary, std::fs::Permissions::from_mode(0o600))?;
    File::open(temporary)?.sync_all()?;
    // A hard link fails if the name was taken in the meantime; a rename would replace the file.
    std::fs::hard_link(temporary, dest)?;
    std::fs::remove_file(temporary)?;
    File::open(folder)?.sync_all()?;
    Ok(())
}
