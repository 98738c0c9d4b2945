//! `lectern restore`

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use clap::Args;

use super::Config;
use crate::platform::db;

/// Put a copy in the place of the database, or list the copies
///
/// Checks the copy and migrates it first. What was in its place is kept under a name that is printed, together with its
/// write-ahead log. Refuses while a server or a command uses the database; the copy itself is not changed.
#[derive(Args, Debug)]
pub(super) struct Restore {
    /// The copy to restore
    #[arg(value_name = "FILE", required_unless_present = "list")]
    file: Option<PathBuf>,
    /// List the copies in the folder of the backups and beside the database, the newest first
    #[arg(long, conflicts_with = "file")]
    list: bool,
}

impl Restore {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let database = config.database.path.as_path();
        let Some(file) = &self.file else {
            let copies = db::copies(database, config.backup.dir.as_deref());
            for copy in &copies {
                let taken = copy.taken_at.format("%Y-%m-%d %H:%M:%S UTC");
                writeln!(out, "{taken}  {:>9} KiB  {}", copy.bytes.div_ceil(1024), copy.path.display())?;
            }
            if copies.is_empty() {
                writeln!(out, "There are no copies of {}; 'lectern backup' makes one.", database.display())?;
            }
            return Ok(());
        };
        let restored = db::restore(file, database, Utc::now())?;
        for step in &restored.applied {
            writeln!(out, "Applied V{} {}.", step.version, step.name)?;
        }
        writeln!(
            out,
            "Restored {} from {} of {}: {}.",
            database.display(),
            file.display(),
            taken_at(file).format("%Y-%m-%d %H:%M:%S UTC"),
            contents(&restored.rows)
        )?;
        if let Some(aside) = &restored.set_aside {
            writeln!(out, "What was there before is in {}.", aside.display())?;
        }
        Ok(())
    }
}

/// When the file was changed last.
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
