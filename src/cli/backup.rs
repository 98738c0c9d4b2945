//! `lectern backup`

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chrono::Utc;
use clap::Args;

use super::restore::name_in_s3;
use super::{Config, EMPTY_DATABASE, existing_database, exit, fail, finish, print_line, print_warnings};
use crate::platform::clock::Clock;
use crate::platform::db::{self, BusyTimeout, S3Backups};
use crate::platform::progress::ProgressMonitor;

/// Write a consistent backup of the database while the server runs
///
/// The backup is verified and flushed to disk before it gets its name, and only its owner can read it. An existing file
/// is never overwritten. In a folder the name has the time (lectern-2026-11-22T023000Z.db), and the backups that
/// backup.keep does not cover are deleted. Without DEST, the backup is also uploaded to the bucket that is set under
/// [backup.s3].
#[derive(Args, Debug)]
pub(super) struct Backup {
    /// The file to write, or a folder; by default backup.dir of the settings
    #[arg(value_name = "DEST")]
    dest: Option<PathBuf>,
}

impl Backup {
    /// Whether the backup is also sent to S3 if a bucket is set.
    pub(super) fn uploads(&self) -> bool {
        self.dest.is_none()
    }

    pub(super) fn run(&self, config: &Config) -> ExitCode {
        let Some(dest) = self.dest.as_ref().or(config.backup.dir.as_ref()) else {
            let help = "name a file or a folder, or set dir under [backup]; see 'lectern backup --help'";
            return fail(&format!("There is no destination for the backup: {help}"), exit::USAGE);
        };
        if self.dest.as_deref().and_then(name_in_s3).is_some() {
            let help = "without a destination, the backup in backup.dir is also uploaded to the bucket of [backup.s3]";
            return fail(&format!("{} is not a file or a folder; {help}", dest.display()), exit::USAGE);
        }
        print_warnings();
        finish(Self::write(dest, self.uploads() || dest.is_dir(), config).and_then(|backup| match self.dest {
            None => Self::upload(&backup, config),
            Some(_) => Ok(()),
        }))
    }

    /// Uploads the backup to S3 if a bucket is set.
    fn upload(path: &Path, config: &Config) -> anyhow::Result<()> {
        let (backup, database, clock) = (&config.backup, config.database.path.as_path(), Clock::default());
        let Some(backups) = S3Backups::new(backup, &config.network, database, &clock) else { return Ok(()) };
        let uploaded = backups.upload(path, &ProgressMonitor::default())?;
        writeln!(std::io::stdout(), "Uploaded it to the bucket {} as s3:{}.", backups.bucket(), uploaded.name)?;
        Ok(())
    }

    fn write(dest: &Path, is_folder: bool, config: &Config) -> anyhow::Result<PathBuf> {
        let database = existing_database(config)?;
        anyhow::ensure!(!db::is_empty(database), "{} {EMPTY_DATABASE}", database.display());
        let connection = db::connect(database, BusyTimeout::CommandLine)?;
        let path = if is_folder {
            db::backup_into(&connection, database, dest, config.backup.keep, Utc::now(), &ProgressMonitor::default())?
        } else {
            db::backup_to(&connection, dest)?;
            dest.to_owned()
        };
        let bytes = std::fs::metadata(&path)?.len();
        // The upload follows.
        print_line(&format!("Wrote {} ({} KiB).", path.display(), bytes.div_ceil(1024)))?;
        Ok(path)
    }
}
