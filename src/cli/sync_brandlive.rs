//! `lectern sync-brandlive`

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use rusqlite::Connection;
use serde::Serialize;

use super::{Config, connect_migrated, exit, fail};
use crate::features::brandlive::{self, NOT_CONFIGURED, OnProgress, SyncAction, SyncError, SyncProgress, SyncReport};
use crate::platform::clock::Clock;
use crate::platform::db::{self, Db};
use crate::platform::error::{AppError, ErrorChain};

/// Sync events from Brandlive
///
/// Exits with 75 when another sync is running, 2 when nothing could be fetched or it is not configured,
/// 1 when items failed, the list ended early or removals wait for an admin, 0 otherwise.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct SyncBrandlive {
    /// Show what would change, field by field, and change nothing
    #[arg(long, conflicts_with = "probe")]
    dry_run: bool,
    /// Show which keys and types the provider's response contains, and change nothing
    #[arg(long)]
    probe: bool,
    /// Hide the events that Brandlive cancelled or no longer lists, however many they are
    #[arg(long, conflicts_with = "probe")]
    accept_removals: bool,
    /// Print the result as JSON, including errors
    #[arg(long)]
    json: bool,
}

impl SyncBrandlive {
    pub(super) fn run(&self, config: &Config) -> ExitCode {
        if !config.brandlive.is_configured() {
            return self.fail(
                &format!(
                    "{NOT_CONFIGURED}: set api_key and api_secret under [brandlive], or LECTERN_BRANDLIVE_API_KEY and \
                     LECTERN_BRANDLIVE_API_SECRET"
                ),
                exit::USAGE,
            );
        }
        if self.probe {
            return match brandlive::probe(&config.brandlive, &config.network) {
                Ok(probe) if self.json => print(&as_json(&probe), exit::SUCCESS),
                Ok(probe) => print(&probe.table(), exit::SUCCESS),
                Err(error) => self.fail(&super::without_error_numbers(&error.with_causes()), exit::USAGE),
            };
        }
        let started = Instant::now();
        match self.sync(config) {
            Ok(report) => self.print_report(&report),
            Err(error) => {
                let waited = started.elapsed().as_secs();
                self.fail(&super::without_error_numbers(&message_of(&error, waited)), exit_code(&error))
            }
        }
    }

    /// A message on stderr, and with `--json` also an object on stdout.
    fn fail(&self, message: &str, code: u8) -> ExitCode {
        if self.json {
            super::print_json_error(message, code);
        }
        fail(message, code)
    }

    fn sync(&self, config: &Config) -> anyhow::Result<SyncReport> {
        let shows_progress = std::io::stderr().is_terminal() && !self.json;
        let on_progress: OnProgress = if shows_progress { Arc::new(print_progress) } else { Arc::new(|_| {}) };
        let now = Clock::default().now();
        let result = if self.dry_run {
            let connection = database_to_read(config)?;
            brandlive::dry_run(&connection, config, now, self.accept_removals, &on_progress)
        } else {
            db::migrate_file(&config.database.path)?;
            let db = Db::attach(&config.database.path)?;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let result = runtime.block_on(brandlive::run(&db, config, now, self.accept_removals, on_progress));
            db.close();
            result
        };
        if shows_progress {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        Ok(result?)
    }

    fn print_report(&self, report: &SyncReport) -> ExitCode {
        let code = if report.is_clean() { exit::SUCCESS } else { exit::FAILED };
        if self.json {
            return print(&as_json(report), code);
        }
        let mut out = String::new();
        if report.dry_run {
            for changed in &report.changes {
                let action = match changed.action {
                    SyncAction::Created => "would be created",
                    SyncAction::Updated => "would be updated",
                    SyncAction::Hidden => "would be hidden",
                    SyncAction::Shown => "would be shown again",
                };
                out.extend([changed.id.as_str(), " ", action, ": ", &changed.title, "\n"]);
                for change in &changed.fields {
                    let field = as_json(&change.field);
                    let (before, after) = (shortened(&change.before), shortened(&change.after));
                    let line = match changed.action {
                        SyncAction::Created => format!("    {}: {after}\n", field.trim().trim_matches('"')),
                        _ => format!("    {}: {before} -> {after}\n", field.trim().trim_matches('"')),
                    };
                    out.push_str(&line);
                }
            }
        }
        for failure in &report.failed {
            let id = failure.id.as_ref().map(|id| format!("{id}: ")).unwrap_or_default();
            let _ = writeln!(std::io::stderr(), "lectern: {id}{}.", failure.reason);
        }
        if let Some(problem) = &report.problem {
            let _ = writeln!(std::io::stderr(), "lectern: {problem}.");
        }
        for note in &report.notes {
            // stderr stays empty after a success, because cron mails its output.
            if code == exit::SUCCESS {
                out.extend([note, ".\n"]);
            } else {
                let _ = writeln!(std::io::stderr(), "lectern: {note}.");
            }
        }
        out.push_str(&report.message);
        out.push_str(if report.dry_run { " (nothing was written)\n" } else { "\n" });
        print(&out, code)
    }
}

/// The database of a dry run; an empty one if there is no file yet.
fn database_to_read(config: &Config) -> anyhow::Result<Connection> {
    let path = &config.database.path;
    // An empty file is a database that is not created yet.
    if !path.metadata().is_ok_and(|file| file.len() > 0) && !path.is_dir() {
        return Ok(db::in_memory()?);
    }
    connect_migrated(config, db::connect_to_read)
}

/// The message of an error after this time, with its causes, because nothing else logs them on the command line.
fn message_of(error: &anyhow::Error, seconds: u64) -> String {
    match error.downcast_ref::<SyncError>() {
        Some(SyncError::Storage(AppError::DatabaseBusy(_))) => {
            format!(
                "Another process has locked the database, and the sync gave up after {seconds} seconds in total; try again later"
            )
        }
        Some(SyncError::Provider(error)) => error.with_causes(),
        Some(error) => ErrorChain(error).to_string(),
        None => format!("{error:#}"),
    }
}

fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        Some(SyncError::Running) => exit::TRY_AGAIN,
        Some(
            SyncError::LockFile(_)
            | SyncError::Storage(
                AppError::Unavailable(_)
                | AppError::DatabaseBusy(_)
                | AppError::StorageUnavailable(_)
                | AppError::StorageFull,
            ),
        ) => exit::FAILED,
        _ => exit::USAGE,
    }
}

fn as_json(value: &impl Serialize) -> String {
    // Serialization fails only for maps with non-string keys, which these types do not have.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// One line of at most 70 characters, in quotes.
fn shortened(text: &str) -> String {
    const MAX: usize = 70;
    let short: String =
        if text.chars().count() > MAX { text.chars().take(MAX).chain(['…']).collect() } else { text.into() };
    format!("{short:?}")
}

fn print(text: &str, code: u8) -> ExitCode {
    // A closed pipe is not a failure.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::from(code)
}

/// Replaces the progress line on the terminal.
fn print_progress(progress: SyncProgress) {
    const WIDTH: usize = 30;
    let line = match progress {
        SyncProgress::Fetched(count) => format!("Fetching: {count} events"),
        SyncProgress::Stored(done, total) => {
            let full = WIDTH * done / total.max(1);
            format!("Storing [{}{}] {done} of {total}", "=".repeat(full), " ".repeat(WIDTH - full))
        }
    };
    let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_database_is_not_called_a_busy_server() {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        let locked = AppError::from(rusqlite::Error::SqliteFailure(code, None));
        let error = anyhow::Error::from(SyncError::Storage(locked));
        let message =
            "Another process has locked the database, and the sync gave up after 31 seconds in total; try again later";
        assert_eq!((message_of(&error, 31).as_str(), exit_code(&error)), (message, exit::FAILED));
    }
}
