//! `lectern restore`

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use clap::Args;

use super::Config;
use crate::platform::clock::Clock;
use crate::platform::db::{self, OpenError, S3Backups, UnusableReason};

/// Replace the database with a backup, or list the backups
///
/// Checks and migrates the backup first, without changing its file. A backup in the bucket of [backup.s3] is named
/// s3:NAME and downloaded. The previous database is kept with its write-ahead log under a name that is printed. Fails while a
/// server or a command uses the database.
#[derive(Args, Debug)]
pub(super) struct Restore {
    /// The backup to restore: a file, or s3:NAME
    #[arg(value_name = "FILE", required_unless_present = "list")]
    file: Option<PathBuf>,
    /// List the backups in the configured folder, beside the database and in S3, the newest first
    #[arg(long, conflicts_with = "file")]
    list: bool,
}

/// How backups in the bucket are named.
const IN_S3: &str = "s3:";

/// The name of the backup in the bucket that an argument names.
pub(super) fn name_in_s3(argument: &Path) -> Option<&str> {
    argument.to_str()?.strip_prefix(IN_S3)
}

impl Restore {
    /// Whether the backup is in S3.
    pub(super) fn downloads(&self) -> bool {
        self.file.as_deref().and_then(name_in_s3).is_some()
    }

    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        match &self.file {
            None => list(config),
            Some(file) => match name_in_s3(file) {
                Some(name) => restore_from_s3(name, file, config),
                None => restore(file, file, taken_at(file), config),
            },
        }
    }
}

/// The backups in the configured bucket.
fn s3_backups(config: &Config) -> Option<S3Backups> {
    S3Backups::new(&config.backup, &config.network, &config.database.path, &Clock::default())
}

/// Before an empty database is created: as [`db::check_not_lost`], also with the backups in S3.
///
/// # Errors
/// There are backups, or the bucket can't be listed.
pub(super) fn check_not_lost(config: &Config) -> anyhow::Result<()> {
    let path = config.database.path.as_path();
    db::check_not_lost(path, config.backup.dir.as_deref())?;
    if !db::is_missing(path) {
        return Ok(());
    }
    let Some(backups) = s3_backups(config) else { return Ok(()) };
    let newest = backups.all().with_context(|| {
        format!(
            "There is no database at {}, and whether the bucket {} has backups of one can't be seen; run \
             'lectern create-admin' to begin with an empty database",
            path.display(),
            backups.bucket()
        )
    })?;
    match newest.into_iter().next() {
        Some(newest) => {
            Err(OpenError::unusable(path, UnusableReason::Lost { newest: format!("{IN_S3}{}", newest.name) }).into())
        }
        None => Ok(()),
    }
}

fn list(config: &Config) -> anyhow::Result<()> {
    let database = config.database.path.as_path();
    let now = Utc::now();
    let mut lines: Vec<(DateTime<Utc>, u64, String)> = db::local_backups(database, config.backup.dir.as_deref(), now)
        .into_iter()
        .map(|backup| (backup.taken_at, backup.bytes, backup.path.display().to_string()))
        .collect();
    let in_s3 = s3_backups(config).map(|backups| backups.all());
    if let Some(Ok(backups)) = &in_s3 {
        lines.extend(backups.iter().map(|backup| (backup.taken_at, backup.bytes, format!("{IN_S3}{}", backup.name))));
    }
    lines.sort_by_key(|(taken_at, ..)| db::newest_first(*taken_at, now));
    let mut out = std::io::stdout().lock();
    for (taken_at, bytes, name) in &lines {
        let taken = taken_at.format("%Y-%m-%d %H:%M:%S UTC");
        let remark = if *taken_at > now { "  (its time is in the future)" } else { "" };
        writeln!(out, "{taken}  {:>9} KiB  {name}{remark}", bytes.div_ceil(1024))?;
    }
    // The local backups are of use even if the bucket can't be listed.
    in_s3.transpose()?;
    if config.backup.s3.lacks_key() {
        let help =
            "only the server's environment may have it: run this command with backup.s3.access_key and secret_key";
        writeln!(std::io::stderr(), "The backups in S3 are not listed, because the key is not set; {help}.")?;
    }
    if lines.is_empty() {
        let command = if config.backup.dir.is_some() { "lectern backup" } else { "lectern backup FILE" };
        writeln!(out, "There are no backups of {}; '{command}' makes one.", database.display())?;
    }
    Ok(())
}

/// Downloads a backup to a temporary file and restores it.
fn restore_from_s3(name: &str, shown: &Path, config: &Config) -> anyhow::Result<()> {
    let Some(backups) = s3_backups(config) else {
        anyhow::bail!("There is no bucket for {}; set one under [backup.s3]", shown.display());
    };
    // Before a download that may take long.
    db::check_unused(&config.database.path)?;
    let (backup, download) = backups.download(name)?;
    restore(download.path(), shown, backup.taken_at, config)
}

/// Restores a file, which is `shown` in messages.
fn restore(file: &Path, shown: &Path, taken_at: DateTime<Utc>, config: &Config) -> anyhow::Result<()> {
    let database = config.database.path.as_path();
    let restored = db::restore(file, database, Utc::now()).map_err(|error| error.named(shown))?;
    let mut out = std::io::stdout().lock();
    for step in &restored.applied {
        writeln!(out, "Applied V{} {}.", step.version, step.name)?;
    }
    writeln!(
        out,
        "Restored {} from {} of {}: {}.",
        database.display(),
        shown.display(),
        taken_at.format("%Y-%m-%d %H:%M:%S UTC"),
        contents(&restored.rows)
    )?;
    if let Some(previous) = &restored.set_aside {
        writeln!(out, "The previous database is in {}.", previous.display())?;
    }
    Ok(())
}

/// When the file was last changed.
fn taken_at(file: &Path) -> DateTime<Utc> {
    file.metadata().and_then(|meta| meta.modified()).unwrap_or_else(|_| SystemTime::now()).into()
}

/// `24 events, 8 speakers, 2 users`
pub(super) fn contents(rows: &[(String, i64)]) -> String {
    let parts = ["events", "speakers", "users"].map(|table| {
        let count = rows.iter().find(|(name, _)| name == table).map_or(0, |(_, count)| *count);
        format!("{count} {}", if count == 1 { table.trim_end_matches('s') } else { table })
    });
    parts.join(", ")
}
