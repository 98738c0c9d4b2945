//! `lectern migrate`

use std::io::Write as _;

use clap::Args;

use super::{Config, existing_database, restore};
use crate::platform::db::{self, BusyTimeout};

/// Apply pending migrations to the database, or list them
///
/// `lectern serve` does this as well. A database that contains data is backed up in the same folder first.
#[derive(Args, Debug)]
pub(super) struct Migrate {
    /// Only list applied and pending migrations
    #[arg(long)]
    status: bool,
}

impl Migrate {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        if self.status {
            let connection = db::connect(existing_database(config)?, BusyTimeout::CommandLine)?;
            for step in db::status(&connection)? {
                let state = step.applied_at.map_or_else(|| "pending".to_owned(), |at| format!("applied {at}"));
                writeln!(out, "V{}  {:<24}  {state}", step.version, step.name)?;
            }
            return Ok(());
        }
        restore::check_not_lost(config)?;
        let applied = db::migrate_file(&config.database.path)?;
        if let Some(backup) = applied.first().and_then(|step| step.backup.as_ref()) {
            writeln!(out, "Backed up the database to {} first.", backup.display())?;
        }
        for step in &applied {
            writeln!(out, "Applied V{} {}.", step.version, step.name)?;
        }
        if applied.is_empty() {
            writeln!(out, "The database is up to date (V{}).", db::newest_version())?;
        }
        Ok(())
    }
}
