//! `lectern backup`

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chrono::Utc;
use clap::Args;

use super::{Config, existing_database, exit, fail, finish};
use crate::platform::clock::Clock;
use crate::platform::db::{self, BusyTimeout, RemoteCopies};
use crate::platform::progress::Progress;

/// Write a consistent copy of the database while the server runs
///
/// The copy is verified and synced to disk before it gets its name, and only its owner can read it. An
/// existing file is never overwritten. In a folder the name has the time (lectern-2026-11-22T023000Z.db),
/// and the copies that backup.keep does not cover are deleted. Without DEST, the copy is also sent to the bucket
/// that is set under [backup.s3].
#[derive(Args, Debug)]
pub(super) struct Backup {
    /// The file to write, or a folder; by default backup.dir of the settings
    #[arg(value_name = "DEST")]
    dest: Option<PathBuf>,
}

impl Backup {
    pub(super) fn run(&self, config: &Config) -> ExitCode {
        let Some(dest) = self.dest.as_ref().or(config.backup.dir.as_ref()) else {
            let help = "name a file or a folder, or set dir under [backup]; see 'lectern backup --help'";
            return fail(&format!("There is no destination for the copy: {help}"), exit::USAGE);
        };
        finish(Self::write(dest, self.dest.is_none() || dest.is_dir(), config).and_then(|copy| match self.dest {
            None => Self::upload(&copy, config),
            Some(_) => Ok(()),
        }))
    }

    /// Sends the copy to S3 if a bucket is set.
    fn upload(copy: &Path, config: &Config) -> anyhow::Result<()> {
        let (backup, database, clock) = (&config.backup, config.database.path.as_path(), Clock::default());
        let Some(copies) = RemoteCopies::new(backup, &config.network, database, &clock) else { return Ok(()) };
        let uploaded = copies.upload(copy, &Progress::default())?;
        writeln!(std::io::stdout(), "Uploaded it to the bucket {} as s3:{}.", copies.bucket(), uploaded.name)?;
        Ok(())
    }

    fn write(dest: &Path, is_folder: bool, config: &Config) -> anyhow::Result<PathBuf> {
        let database = existing_database(config)?;
        let connection = db::connect(database, BusyTimeout::CommandLine)?;
        let copy = if is_folder {
            db::backup_into(&connection, database, dest, config.backup.keep, Utc::now(), &Progress::default())?
        } else {
            db::backup_to(&connection, dest)?;
            dest.to_owned()
        };
        let bytes = std::fs::metadata(&copy)?.len();
        writeln!(std::io::stdout(), "Wrote {} ({} KiB).", copy.display(), bytes.div_ceil(1024))?;
        Ok(copy)
    }
}
