//! The only place that opens the database file: what it must be, and how it is set up.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use super::error::OpenError;
use super::migrate;

/// `LECT`, big-endian, in the file's header: how lectern knows its own files.
pub(super) const APPLICATION_ID: i64 = 0x4c45_4354;
/// Older releases can corrupt a database in WAL mode when connections write and checkpoint at once.
const OLDEST_SQLITE: i32 = 3_051_003;

/// How long a connection waits for another process that is writing.
#[derive(Clone, Copy, Debug)]
pub enum BusyTimeout {
    /// 5 s: a visitor waits.
    Server,
    /// 30 s: a cron job waits.
    CommandLine,
}

/// Opens a file for writing, creating it (mode 0600) where it is missing. A file that is not
/// lectern's, or newer than this program, is refused before anything in it is touched.
///
/// # Errors
/// See [`OpenError`].
pub fn connect(path: &Path, patience: BusyTimeout) -> Result<Connection, OpenError> {
    if rusqlite::version_number() < OLDEST_SQLITE {
        return Err(OpenError::OldSqlite(rusqlite::version()));
    }
    refuse_foreign(path)?;
    create_private(path)?;
    let mut connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(|error| OpenError::of(path, error))?;
    set_up(&mut connection, patience).map_err(|error| OpenError::of(path, error))?;
    Ok(connection)
}

/// Opens a file that is there for reading only; nothing can be written through the connection.
///
/// # Errors
/// See [`OpenError`].
pub fn connect_to_read(path: &Path, patience: BusyTimeout) -> Result<Connection, OpenError> {
    let connection = connect(path, patience)?;
    connection.pragma_update(None, "query_only", true).map_err(|error| OpenError::of(path, error))?;
    Ok(connection)
}

/// Opens a connection that can only read, for a file that [`connect`] has opened before.
pub(super) fn reader(path: &Path) -> Result<Connection, OpenError> {
    // Not opened read-only: such a connection could not recover the log after a crash of another process.
    let open = || {
        let mut connection =
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        set_up(&mut connection, BusyTimeout::Server)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    };
    open().map_err(|error| OpenError::of(path, error))
}

fn set_up(connection: &mut Connection, patience: BusyTimeout) -> rusqlite::Result<()> {
    // First of all, so that the switch to WAL itself waits for another process.
    connection.busy_handler(Some(match patience {
        BusyTimeout::Server => |tries| wait_a_moment(tries, 5_000),
        BusyTimeout::CommandLine => |tries| wait_a_moment(tries, 30_000),
    }))?;
    switch_to_wal(connection)?;
    // NORMAL loses acknowledged writes in a power cut.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// A no-op on a file that has been switched. Of two processes that switch a new one at the same
/// time, SQLite tells one at once that it is busy, without asking the handler.
fn switch_to_wal(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        let switched = connection.pragma_update(None, "journal_mode", "wal");
        let busy = matches!(&switched, Err(error)
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy));
        if !busy || begun.elapsed() > Duration::from_secs(5) {
            return switched;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What `busy_timeout` does, asking every millisecond. SQLite's own asks ten times a second at the
/// most, and misses every gap between the transactions of a busy neighbour.
fn wait_a_moment(tries: i32, most: i32) -> bool {
    std::thread::sleep(Duration::from_millis(1));
    tries < most
}

/// Looks at a file without writing to it or beside it, and so without a lock: one that another
/// process is just making can look half made. A refusal counts where the file stood still.
fn refuse_foreign(path: &Path) -> Result<(), OpenError> {
    let stamp = || {
        let meta = path.metadata().ok()?;
        Some((meta.len(), meta.modified().ok()?, log_of(path).exists()))
    };
    for _ in 0..100 {
        let before = stamp();
        let verdict = judge(path);
        if verdict.is_ok() || stamp() == before {
            return verdict;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    judge(path)
}

fn judge(path: &Path) -> Result<(), OpenError> {
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
    if is_cut_off(path, &header) {
        return Err(OpenError::damaged(path));
    }
    let seen = look(path).map_err(|error| OpenError::of(path, error))?;
    if seen.application_id != APPLICATION_ID && seen.has_tables {
        return Err(OpenError::Foreign(path.to_owned()));
    }
    let known = migrate::newest_version();
    match seen.schema_version {
        Some(found) if found > known => Err(OpenError::Newer { path: path.to_owned(), found, known }),
        _ => Ok(()),
    }
}

/// Whether the file ends inside of a page, which SQLite would read as zeros. With a log beside it
/// that is no damage: the log still has the page.
fn is_cut_off(path: &Path, header: &[u8]) -> bool {
    let page = match header.get(16..18) {
        Some([0, 1]) => 65_536,
        Some([high, low]) => u64::from(u16::from_be_bytes([*high, *low])),
        _ => 0,
    };
    let length = path.metadata().map_or(0, |meta| meta.len());
    page > 0 && !length.is_multiple_of(page) && !log_of(path).exists()
}

fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}

struct Seen {
    application_id: i64,
    has_tables: bool,
    schema_version: Option<u32>,
}

fn look(path: &Path) -> rusqlite::Result<Seen> {
    // With a log beside it, the file alone is not the whole truth; without one it is, and can be
    // read as immutable, which leaves no files beside it.
    let immutable = !log_of(path).exists();
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut address =
        url::Url::from_file_path(&absolute).map_err(|()| rusqlite::Error::InvalidPath(absolute.clone()))?;
    if immutable {
        address.set_query(Some("immutable=1"));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address.as_str(), flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    // One state for all that is asked.
    let connection = connection.unchecked_transaction()?;
    let application_id = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    // The list of steps is made before the first step is, and a kill may come in between.
    let has_tables =
        connection.prepare("SELECT 1 FROM sqlite_schema WHERE tbl_name <> 'refinery_schema_history'")?.exists([])?;
    let schema_version = migrate::stored_version(&connection)?;
    Ok(Seen { application_id, has_tables, schema_version })
}

fn create_private(path: &Path) -> Result<(), OpenError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty())
        && !folder.is_dir()
    {
        return Err(OpenError::Unusable {
            path: path.to_owned(),
            reason: format!(
                "the folder {} does not exist; create it, or name another file with --database",
                folder.display()
            ),
        });
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(OpenError::io(path, &error)),
    }
}

/// Takes the lock that says "this file is served". It ends with the process, however that ends.
pub(super) fn lock_for_serving(path: &Path) -> Result<File, OpenError> {
    refuse_foreign(path)?;
    create_private(path)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let beside = PathBuf::from(beside);
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&beside)
        .map_err(|error| OpenError::io(&beside, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Served(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(OpenError::io(&beside, &error)),
    }
}

/// Writes a consistent copy of an open database to `dest` (mode 0600): into a temporary name beside
/// it first, checked, flushed, then renamed, so that `dest` is there whole or not at all.
///
/// # Errors
/// `dest` exists, can't be written, or the copy does not pass its check.
pub fn backup_to(connection: &Connection, dest: &Path) -> anyhow::Result<()> {
    use anyhow::{Context as _, bail, ensure};

    // Not `exists`, which looks past a link that leads nowhere.
    ensure!(dest.symlink_metadata().is_err(), "{} exists already; name a file that does not", dest.display());
    let name = dest.file_name().with_context(|| format!("{} is no name for a file", dest.display()))?;
    let folder = match dest.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    ensure!(folder.is_dir(), "The folder {} does not exist", folder.display());
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.part", std::process::id()));
    let part = folder.join(hidden);

    let copy = || -> anyhow::Result<()> {
        // Created first, so that nobody else can read it even for a moment.
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
        drop(file);
        connection.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
        let check = Connection::open_with_flags(&part, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let verdict: String = check.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        if verdict != "ok" {
            bail!("the copy is damaged: {verdict}");
        }
        drop(check);
        std::fs::set_permissions(&part, std::fs::Permissions::from_mode(0o600))?;
        File::open(&part)?.sync_all()?;
        // A hard link refuses a name that was taken meanwhile; a rename would replace it.
        std::fs::hard_link(&part, dest)?;
        std::fs::remove_file(&part)?;
        File::open(folder)?.sync_all()?;
        Ok(())
    };
    copy().map_err(|error| {
        // What is left of the attempt is of no use to anybody.
        let _ = std::fs::remove_file(&part);
        error.context(format!("The copy to {} could not be made", dest.display()))
    })
}
