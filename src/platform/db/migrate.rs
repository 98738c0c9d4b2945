//! Schema migrations, embedded from `migrations/`, and their status in a file.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OptionalExtension as _};

use super::backup_files::with_suffix;
use crate::platform::error::BoxError;
use crate::platform::text::natural_sort_key;

mod embedded {
    refinery::embed_migrations!("migrations");
}

/// A migration and its status in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The schema version that it leads to, from 1.
    pub version: u32,
    pub name: String,
    /// When it was applied (RFC 3339); `None` while it is pending.
    pub applied_at: Option<String>,
}

/// A migration that was just applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The schema version that it leads to.
    pub version: u32,
    pub name: String,
    /// The backup that was made before the first migration of a file with data.
    pub backup: Option<PathBuf>,
}

/// Why a database could not be migrated. It is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// SQLite can't use the database.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The backup before the migration could not be made.
    #[error(transparent)]
    Backup(BoxError),
    /// A migration failed. Its error is not a source, because its text contains the SQL of the migration.
    #[error("{}", first_line(.0))]
    Migration(Box<refinery::Error>),
}

/// The number of the last file in `migrations/`. Refinery compiles a regular expression to read them from their names,
/// which would take 2 ms at each start.
const NEWEST_VERSION: u32 = 25;

/// The newest schema version of this release.
pub const fn newest_version() -> u32 {
    NEWEST_VERSION
}

fn migrations() -> impl Iterator<Item = (u32, String)> {
    let mut migrations: Vec<_> = embedded::migrations::runner()
        .get_migrations()
        .iter()
        .map(|migration| (u32::try_from(migration.version()).unwrap_or_default(), migration.name().to_owned()))
        .collect();
    migrations.sort_unstable();
    migrations.into_iter()
}

/// The schema version of a file; `None` for a file without a schema.
///
/// # Errors
/// Errors of SQLite.
pub fn stored_version(connection: &Connection) -> rusqlite::Result<Option<u32>> {
    let has_history = connection
        .query_row("SELECT 1 FROM sqlite_schema WHERE name = 'refinery_schema_history'", [], |_| Ok(()))
        .optional()?
        .is_some();
    if !has_history {
        return Ok(None);
    }
    connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0))
}

/// The migrations of this release, and when they were applied to the file.
///
/// # Errors
/// Errors of SQLite.
pub fn status(connection: &Connection) -> rusqlite::Result<Vec<Migration>> {
    let stored = stored_version(connection)?.is_some();
    migrations()
        .map(|(version, name)| {
            let applied_at = if stored {
                connection
                    .query_row("SELECT applied_on FROM refinery_schema_history WHERE version = ?1", [version], |row| {
                        row.get(0)
                    })
                    .optional()?
            } else {
                None
            };
            Ok(Migration { version, name, applied_at })
        })
        .collect()
}

/// When the first migration was applied, which is the time at which the database was created, also in its backups and in
/// what is restored from them; `None` for a file without migrations.
///
/// # Errors
/// Errors of SQLite.
pub(super) fn created_at(connection: &Connection) -> rusqlite::Result<Option<DateTime<Utc>>> {
    let first = stored_version(connection)?.is_some().then(|| {
        connection.query_row("SELECT min(applied_on) FROM refinery_schema_history", [], |row| row.get::<_, String>(0))
    });
    let time = first.transpose()?.and_then(|text| DateTime::parse_from_rfc3339(&text).ok());
    Ok(time.map(|time| time.to_utc()))
}

/// Applies the pending migrations and their history entries in one transaction. `make_backup` backs up a file with data,
/// of this schema version, before that.
pub(super) fn apply(
    connection: &mut Connection,
    make_backup: impl Fn(&Connection, u32) -> Result<Option<PathBuf>, MigrateError>,
) -> Result<Vec<Applied>, MigrateError> {
    let newest = newest_version();
    let mut backup = None;
    loop {
        let before = stored_version(connection)?;
        if before == Some(newest) {
            return Ok(Vec::new());
        }
        if let (Some(version), None) = (before, &backup) {
            backup = make_backup(connection, version)?;
        }
        define_functions(connection)?;
        match run_pending(connection) {
            Ok(report) => return Ok(applied_in(&report, backup.as_ref())),
            // Another process has applied it.
            Err(_) if stored_version(connection)? > before => {}
            Err(error) => return Err(MigrateError::Migration(Box::new(error))),
        }
    }
}

/// Defines what migration V23 calls.
fn define_functions(connection: &Connection) -> rusqlite::Result<()> {
    connection.create_scalar_function("natural_sort_key", 1, FunctionFlags::SQLITE_DETERMINISTIC, |context| {
        Ok(natural_sort_key(context.get_raw(0).as_str()?))
    })
}

fn run_pending(connection: &mut Connection) -> Result<refinery::Report, refinery::Error> {
    embedded::migrations::runner()
        // Ungrouped, the history is written in a separate transaction, and a kill in between leaves a file that can't
        // be migrated.
        .set_grouped(true)
        .set_abort_divergent(true)
        .set_abort_missing(true)
        .run(connection)
}

/// Brings an empty file to the schema of an earlier release.
#[cfg(test)]
pub(crate) fn apply_up_to(connection: &mut Connection, version: i32) {
    let target = refinery::Target::Version(version);
    define_functions(connection).expect("functions can be defined");
    embedded::migrations::runner().set_grouped(true).set_target(target).run(connection).expect("migrations apply");
}

/// The message of SQLite, which the SQL of the migration follows.
fn first_line(error: &refinery::Error) -> String {
    let text = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    text.lines().next().unwrap_or_default().trim_end_matches(" in ").to_owned()
}

fn applied_in(report: &refinery::Report, backup: Option<&PathBuf>) -> Vec<Applied> {
    report
        .applied_migrations()
        .iter()
        .map(|migration| Applied {
            version: u32::try_from(migration.version()).unwrap_or_default(),
            name: migration.name().to_owned(),
            backup: backup.cloned(),
        })
        .collect()
}

/// The path with a suffix, `lectern.db.before-v2`, and a number appended if that file exists.
pub(super) fn free_name(path: &Path, suffix: &str) -> PathBuf {
    (0..=u16::MAX)
        .map(|attempt| with_suffix(path, &if attempt == 0 { suffix.to_owned() } else { format!("{suffix}.{attempt}") }))
        .find(|name| !name.exists())
        .unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_that_of_the_last_migration() {
        assert_eq!(migrations().map(|(version, _)| version).max(), Some(newest_version()));
    }
}
