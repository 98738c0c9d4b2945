//! `lectern restore`

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use clap::Args;

use super::Config;
use crate::platform::clock::Clock;
use crate::platform::db::{self, RemoteCopies};

/// Replace the database with a copy, or list the copies
///
/// Checks and migrates the copy first, without changing its file. A copy in the bucket of [backup.s3] is named s3:NAME
/// and downloaded. The previous database is kept with its write-ahead log under a name that is printed. Fails while a
/// server or a command uses the database.
#[derive(Args, Debug)]
pub(super) struct Restore {
    /// The copy to restore: a file, or s3:NAME
    #[arg(value_name = "FILE", required_unless_present = "list")]
    file: Option<PathBuf>,
    /// List the copies in the folder of the backups, beside the database and in S3, the newest first
    #[arg(long, conflicts_with = "file")]
    list: bool,
}

impl Restore {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        match &self.file {
            None => list(config),
            Some(file) => match file.to_str().and_then(|file| file.strip_prefix("s3:")) {
                Some(name) => restore_from_s3(name, file, config),
                None => restore(file, file, taken_at(file), config),
            },
        }
    }
}

/// The copies in the bucket of the settings.
fn remote_copies(config: &Config) -> Option<RemoteCopies> {
    RemoteCopies::new(&config.backup, &config.network, &config.database.path, &Clock::default())
}

fn list(config: &Config) -> anyhow::Result<()> {
    let database = config.database.path.as_path();
    let mut lines: Vec<(DateTime<Utc>, u64, String)> = db::copies(database, config.backup.dir.as_deref())
        .into_iter()
        .map(|copy| (copy.taken_at, copy.bytes, copy.path.display().to_string()))
        .collect();
    let remote = remote_copies(config).map(|copies| copies.all());
    if let Some(Ok(copies)) = &remote {
        lines.extend(copies.iter().map(|copy| (copy.taken_at, copy.bytes, format!("s3:{}", copy.name))));
    }
    lines.sort_by_key(|(taken_at, ..)| std::cmp::Reverse(*taken_at));
    let mut out = std::io::stdout().lock();
    for (taken_at, bytes, name) in &lines {
        let taken = taken_at.format("%Y-%m-%d %H:%M:%S UTC");
        writeln!(out, "{taken}  {:>9} KiB  {name}", bytes.div_ceil(1024))?;
    }
    // The local copies are of use even if the bucket can't be listed.
    remote.transpose()?;
    if lines.is_empty() {
        writeln!(out, "There are no copies of {}; 'lectern backup' makes one.", database.display())?;
    }
    Ok(())
}

/// Downloads a copy to a temporary file and restores it.
fn restore_from_s3(name: &str, shown: &Path, config: &Config) -> anyhow::Result<()> {
    let Some(copies) = remote_copies(config) else {
        anyhow::bail!("There is no bucket for {}; set one under [backup.s3]", shown.display());
    };
    // Before a download that may take long.
    db::check_unused(&config.database.path)?;
    let (copy, download) = copies.download(name)?;
    restore(download.path(), shown, copy.taken_at, config)
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
