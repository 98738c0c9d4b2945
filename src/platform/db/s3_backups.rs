//! Backups of the database in an S3 bucket.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Notify;

use super::backup::created_at_of;
use super::backup_files::{backup_name_pattern, expired, folder_of, time_in, with_suffix};
use super::disk::{Disk, MIN_FREE_BYTES};
use crate::platform::clock::Clock;
use crate::platform::config::{Backup, Keep, OutgoingNetwork};
use crate::platform::error::ErrorChain;
use crate::platform::progress::ProgressMonitor;
use crate::platform::s3::{Client, S3Error};

/// The age from which an incomplete multipart upload is that of a process that has ended.
const MAX_UPLOAD_AGE: TimeDelta = TimeDelta::days(1);

/// The backups of a database in a bucket.
#[derive(Clone, Debug)]
pub struct S3Backups {
    client: Client,
    prefix: String,
    keep: Keep,
    database: PathBuf,
    clock: Clock,
}

/// A backup in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct S3Backup {
    /// The name, `lectern-2026-11-22T023000Z.db`; the key of the object is this after the prefix.
    pub name: String,
    /// When it was made, from its name.
    pub taken_at: DateTime<Utc>,
    pub bytes: u64,
}

/// What is known about the backups in a bucket, for the schedule and the metrics.
#[derive(Debug, Default)]
pub struct S3BackupStatus {
    last: Mutex<Option<S3Backup>>,
    failures: AtomicU64,
    new_backup: Notify,
}

impl S3BackupStatus {
    /// Records an upload, or that there was nothing to upload, with the newest backup in the bucket.
    pub fn succeeded(&self, last: Option<S3Backup>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
    }

    /// Counts a failed upload.
    pub fn failed(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// The newest backup in the bucket; `None` if none is known.
    pub fn last(&self) -> Option<S3Backup> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of failed uploads.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Wakes the task that uploads local backups.
    pub fn notify_backup(&self) {
        self.new_backup.notify_one();
    }

    /// Waits until there may be a new local backup.
    pub async fn wait_for_backup(&self) {
        self.new_backup.notified().await;
    }
}

/// Why a backup was not uploaded or downloaded.
#[derive(Debug, thiserror::Error)]
pub enum S3BackupError {
    /// A request failed.
    #[error(transparent)]
    S3(#[from] S3Error),
    /// The storage has accepted the backup and does not list it, or with another size.
    #[error("{name} was uploaded to the bucket {bucket}, which does not list it with its size")]
    NotListed { name: String, bucket: String },
    /// There is no backup with this name.
    #[error("There is no backup s3:{0}; 'lectern restore --list' shows the backups")]
    Missing(String),
    /// It is a backup of a database with another file name, or no backup.
    #[error(
        "s3:{0} does not have the name of a backup of this database, which is {1}; name the database with --database as it \
         was named when the backup was made"
    )]
    OtherName(String, String),
    /// A file that is not a backup of this database.
    #[error("{0} does not have the name of a backup")]
    NotABackup(PathBuf),
    /// There is too little space for a download.
    #[error("The folder {0} has too little free space for the backup; it needs {1} MiB")]
    NoSpace(PathBuf, u64),
    #[error("{0} can't be written")]
    Io(PathBuf, #[source] std::io::Error),
}

/// A download, which is deleted when it is dropped.
#[derive(Debug)]
pub struct Download(PathBuf);

impl Download {
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl S3Backups {
    /// The backups in the configured bucket; `None` without one.
    pub fn new(config: &Backup, network: &OutgoingNetwork, database: &Path, clock: &Clock) -> Option<Self> {
        Some(Self::with_client(Client::new(&config.s3, network, clock)?, config, database, clock))
    }

    /// The backups in the bucket of a client.
    pub(crate) fn with_client(client: Client, config: &Backup, database: &Path, clock: &Clock) -> Self {
        let (prefix, database) = (config.s3.prefix.clone(), database.to_owned());
        Self { client, prefix, keep: config.keep, database, clock: clock.clone() }
    }

    pub fn bucket(&self) -> &str {
        self.client.bucket()
    }

    /// All backups, the newest first.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn all(&self) -> Result<Vec<S3Backup>, S3Error> {
        let backup = |object: crate::platform::s3::Object| {
            let name = object.key.strip_prefix(&self.prefix)?.to_owned();
            Some(S3Backup { taken_at: time_in(&name, &self.database)?, bytes: object.bytes, name })
        };
        let mut backups: Vec<_> = self.client.list(&self.prefix)?.into_iter().filter_map(backup).collect();
        backups.sort_by_key(|backup| std::cmp::Reverse(backup.taken_at));
        Ok(backups)
    }

    /// The newest of the backups that count. One with a time in the future was made while the clock was wrong, and never
    /// counts.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn last(&self, counts: impl Fn(&S3Backup) -> bool) -> Result<Option<S3Backup>, S3Error> {
        let now = self.clock.now();
        Ok(self.all()?.into_iter().find(|backup| backup.taken_at <= now && counts(backup)))
    }

    /// Uploads a backup that is not in the bucket yet, then deletes those of its database there that `keep` does not cover.
    /// The backup counts when the storage lists it with its size.
    ///
    /// # Errors
    /// See [`S3BackupError`]; no backup was deleted.
    pub fn upload(&self, path: &Path, monitor: &ProgressMonitor) -> Result<S3Backup, S3BackupError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let taken_at = time_in(&name, &self.database).ok_or_else(|| S3BackupError::NotABackup(path.to_owned()))?;
        let bytes = path.metadata().map_err(|error| S3BackupError::Io(path.to_owned(), error))?.len();
        let backup = S3Backup { name, taken_at, bytes };
        // A key or a bucket that is wrong is reported before anything is sent.
        let mut backups = self.all()?;
        if !backups.contains(&backup) {
            self.abort_old_uploads();
            self.client.put_file(&self.key(&backup.name), path, monitor)?;
            backups = self.all()?;
            if !backups.contains(&backup) {
                return Err(S3BackupError::NotListed { name: backup.name, bucket: self.bucket().to_owned() });
            }
        }
        // Those from before the database was created are of another one, which may be lost: a server that was started on
        // a new machine before its database was restored must not delete them.
        if let Some(created_at) = created_at_of(path) {
            backups.retain(|backup| backup.taken_at >= created_at);
        }
        for old in expired(&backups, self.keep, self.clock.now(), |backup| backup.taken_at) {
            if let Err(error) = self.client.delete(&self.key(&old.name)) {
                tracing::warn!(backup = old.name, error = %ErrorChain(&error), "an old backup in S3 could not be deleted");
                break;
            }
        }
        Ok(backup)
    }

    /// Aborts incomplete multipart uploads. Not all implementations can list them, so an error is only logged.
    fn abort_old_uploads(&self) {
        let is_own = |key: &str| {
            let name = key.strip_prefix(&self.prefix);
            name.is_some_and(|name| time_in(name, &self.database).is_some())
        };
        match self.client.abort_uploads(&self.prefix, self.clock.now() - MAX_UPLOAD_AGE, is_own) {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "incomplete multipart uploads to S3 were aborted"),
            Err(error) => {
                tracing::debug!(error = %ErrorChain(&error), "incomplete multipart uploads to S3 can't be listed");
            }
        }
    }

    /// Downloads a backup to a temporary file beside the database.
    ///
    /// # Errors
    /// See [`S3BackupError`].
    pub fn download(&self, name: &str) -> Result<(S3Backup, Download), S3BackupError> {
        if time_in(name, &self.database).is_none() {
            return Err(S3BackupError::OtherName(name.to_owned(), backup_name_pattern(&self.database)));
        }
        let backup = self.all()?.into_iter().find(|backup| backup.name == name);
        let backup = backup.ok_or_else(|| S3BackupError::Missing(name.to_owned()))?;
        let folder = folder_of(&self.database);
        // The restore makes a second file of this size.
        let needed = backup.bytes.saturating_mul(2).saturating_add(MIN_FREE_BYTES);
        if Disk::from_folder(folder).is_some_and(|disk| disk.free_bytes < needed) {
            return Err(S3BackupError::NoSpace(folder.to_owned(), needed.div_ceil(1024 * 1024)));
        }
        let path = with_suffix(&self.database, ".download.part");
        let create = |path: &Path| -> std::io::Result<File> {
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
        };
        let file = create(&path).map_err(|error| S3BackupError::Io(path.clone(), error))?;
        let download = Download(path);
        self.client.get_file(&self.key(&backup.name), backup.bytes, &file, &ProgressMonitor::default())?;
        Ok((backup, download))
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}
