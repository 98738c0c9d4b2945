//! The schema's steps, embedded from `migrations/`, and which of them a file has had.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _};

use super::open::backup_to;

mod embedded {
    refinery::embed_migrations!("migrations");
}

/// One step of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number, from 1.
    pub version: u32,
    /// Its name.
    pub name: String,
    /// When it was applied (RFC 3339), `None` while it is pending.
    pub applied_at: Option<String>,
}

/// A step that was applied just now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Its number.
    pub version: u32,
    /// Its name.
    pub name: String,
    /// Where the file was copied before the first step, where it held data.
    pub copy: Option<PathBuf>,
}

pub(super) enum MigrateError {
    Sqlite(rusqlite::Error),
    Step(String),
}

impl From<rusqlite::Error> for MigrateError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// The newest step that this program has.
pub fn newest_version() -> u32 {
    steps().map(|(version, _)| version).max().unwrap_or_default()
}

fn steps() -> impl Iterator<Item = (u32, String)> {
    let mut steps: Vec<_> = embedded::migrations::runner()
        .get_migrations()
        .iter()
        .map(|step| (u32::try_from(step.version()).unwrap_or_default(), step.name().to_owned()))
        .collect();
    steps.sort_unstable();
    steps.into_iter()
}

/// The newest step that a file has had; `None` for a file that has had none.
pub(super) fn stored_version(connection: &Connection) -> rusqlite::Result<Option<u32>> {
    let has_history = connection
        .query_row("SELECT 1 FROM sqlite_schema WHERE name = 'refinery_schema_history'", [], |_| Ok(()))
        .optional()?
        .is_some();
    if !has_history {
        return Ok(None);
    }
    connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0))
}

/// Every step that this program has, and when the file had it.
///
/// # Errors
/// What SQLite says.
pub fn status(connection: &Connection) -> rusqlite::Result<Vec<Step>> {
    let stored = stored_version(connection)?.is_some();
    steps()
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
            Ok(Step { version, name, applied_at })
        })
        .collect()
}

/// Applies what is pending, together with its bookkeeping, in one transaction: all or nothing. A
/// file that holds data is copied beside itself first.
pub(super) fn apply(connection: &mut Connection, path: &Path) -> Result<Vec<Applied>, MigrateError> {
    let newest = newest_version();
    let mut copy = None;
    loop {
        let before = stored_version(connection)?;
        if before == Some(newest) {
            return Ok(Vec::new());
        }
        if let (Some(version), None) = (before, &copy) {
            let beside = free_name(path, version);
            backup_to(connection, &beside).map_err(|error| MigrateError::Step(format!("{error:#}")))?;
            copy = Some(beside);
        }
        match run_steps(connection) {
            Ok(report) => return Ok(applied_in(&report, copy.as_ref())),
            // Another process was quicker with the same step, so there is one fewer to go.
            Err(_) if stored_version(connection)? > before => {}
            Err(error) => return Err(MigrateError::Step(reason(&error))),
        }
    }
}

fn run_steps(connection: &mut Connection) -> Result<refinery::Report, refinery::Error> {
    embedded::migrations::runner()
        // Ungrouped, it writes down that a step was done in a transaction after that of the step,
        // and a kill in between leaves a file that no start can complete.
        .set_grouped(true)
        .set_abort_divergent(true)
        .set_abort_missing(true)
        .run(connection)
}

/// Brings an empty file to the schema of an earlier release.
#[cfg(test)]
pub(crate) fn apply_up_to(connection: &mut Connection, version: i32) {
    let target = refinery::Target::Version(version.try_into().expect("a version"));
    embedded::migrations::runner().set_grouped(true).set_target(target).run(connection).expect("migrations apply");
}

/// SQLite's words alone: behind them stands the whole text of the step.
fn reason(error: &refinery::Error) -> String {
    let text = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    text.lines().next().unwrap_or_default().trim_end_matches(" in ").to_owned()
}

fn applied_in(report: &refinery::Report, copy: Option<&PathBuf>) -> Vec<Applied> {
    report
        .applied_migrations()
        .iter()
        .map(|step| Applied {
            version: u32::try_from(step.version()).unwrap_or_default(),
            name: step.name().to_owned(),
            copy: copy.cloned(),
        })
        .collect()
}

/// `lectern.db.before-v2`, or with a number behind it where that is taken.
fn free_name(path: &Path, version: u32) -> PathBuf {
    (0..=u16::MAX)
        .map(|attempt| {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".before-v{}", version + 1));
            if attempt > 0 {
                name.push(format!(".{attempt}"));
            }
            PathBuf::from(name)
        })
        .find(|name| !name.exists())
        .unwrap_or_else(|| path.to_owned())
}
