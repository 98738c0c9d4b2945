//! The copies of a database: in folders of backups, and beside the database.

use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, Utc};

/// The format of the time in the name of a copy (UTC); without colons, which some file systems refuse.
pub(super) const TIME_IN_NAME: &str = "%Y-%m-%dT%H%M%SZ";
/// How names of copies beside the database go on after its own name: those before a migration and before a restore, and
/// what was saved of a removed file.
const BESIDE: [&str; 2] = [".before-", ".rescued-"];

/// A copy of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseCopy {
    /// The file.
    pub path: PathBuf,
    /// When it was made, or if its name does not say it, when it was changed last.
    pub taken_at: DateTime<Utc>,
    /// Its size.
    pub bytes: u64,
}

/// The copies of a database beside it and in a folder of backups, the newest first. A folder that can't be read has none.
pub fn copies(database: &Path, folder: Option<&Path>) -> Vec<DatabaseCopy> {
    let name = database.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_beside = |file: &str| {
        let is_copy = file.strip_prefix(&name).is_some_and(|rest| BESIDE.iter().any(|word| rest.starts_with(word)));
        is_copy && !["-wal", "-shm", "-journal"].iter().any(|end| file.ends_with(end))
    };
    let mut found: Vec<_> = files_in(folder_of(database))
        .filter(|path| path.file_name().is_some_and(|name| is_beside(&name.to_string_lossy())))
        .filter_map(|path| {
            let meta = path.metadata().ok()?;
            Some(DatabaseCopy { taken_at: meta.modified().ok()?.into(), bytes: meta.len(), path })
        })
        .collect();
    found.extend(folder.map(|folder| backups_in(folder, database)).unwrap_or_default());
    found.sort_by(|a, b| b.taken_at.cmp(&a.taken_at).then_with(|| a.path.cmp(&b.path)));
    found
}

/// The backups in a folder, the newest first.
pub fn backups_in(folder: &Path, database: &Path) -> Vec<DatabaseCopy> {
    let mut found: Vec<_> = files_in(folder)
        .filter_map(|path| {
            let taken_at = time_in(&path.file_name()?.to_string_lossy(), database)?;
            Some(DatabaseCopy { taken_at, bytes: path.metadata().ok()?.len(), path })
        })
        .collect();
    found.sort_by_key(|copy| std::cmp::Reverse(copy.taken_at));
    found
}

/// `lectern-2026-11-22T023000Z.db`: the name of a backup of `lectern.db`.
pub(super) fn backup_name(database: &Path, taken_at: DateTime<Utc>) -> String {
    format!("{}-{}.db", stem(database), taken_at.format(TIME_IN_NAME))
}

/// When the backup with this name was made; `None` if it is no backup of this database.
fn time_in(name: &str, database: &Path) -> Option<DateTime<Utc>> {
    let time = name.strip_prefix(&stem(database))?.strip_prefix('-')?.strip_suffix(".db")?;
    NaiveDateTime::parse_from_str(time, TIME_IN_NAME).ok().map(|time| time.and_utc())
}

fn stem(database: &Path) -> String {
    database.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn files_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| path.is_file())
}

/// The folder of a file.
pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// `path` with a suffix, such as that of the write-ahead log.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
