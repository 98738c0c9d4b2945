//! `lectern migrate`

use std::io::Write as _;

use clap::Args;

use super::{Config, existing_database};
use crate::platform::db::{self, BusyTimeout};

/// Bring the database up to date, or show where it stands
///
/// `lectern serve` does this by itself; this command is for doing it at a moment of your choice. A
/// database that holds data is copied beside itself first.
#[derive(Args, Debug)]
pub(super) struct Migrate {
    /// Only show which steps the database has had and which are pending
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
        let applied = db::migrate_file(&config.database.path)?;
        if let Some(copy) = applied.first().and_then(|step| step.copy.as_ref()) {
            writeln!(out, "Copied the database to {} first.", copy.display())?;
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
