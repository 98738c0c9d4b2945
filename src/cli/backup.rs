//! `lectern backup`

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::{Config, existing_database};
use crate::platform::db::{self, BusyTimeout};

/// Write a consistent copy of the database while the server runs
///
/// The copy is verified and synced to disk before it gets its name, and only its owner can read it. An
/// existing file is never overwritten.
#[derive(Args, Debug)]
pub(super) struct Backup {
    /// The file to write
    #[arg(value_name = "DEST")]
    dest: PathBuf,
}

impl Backup {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        let connection = db::connect(existing_database(config)?, BusyTimeout::CommandLine)?;
        db::backup_to(&connection, &self.dest)?;
        let bytes = std::fs::metadata(&self.dest)?.len();
        writeln!(std::io::stdout(), "Wrote {} ({} KiB).", self.dest.display(), bytes.div_ceil(1024))?;
        Ok(())
    }
}
