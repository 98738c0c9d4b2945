//! Copies of the database in an S3 bucket.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Notify;

use super::copies::{expired, folder_of, time_in, with_suffix};
use super::disk::{Disk, MIN_FREE_BYTES};
use crate::platform::clock::Clock;
use crate::platform::config::{Backup, Keep, OutgoingNetwork};
use crate::platform::progress::Progress;
use crate::platform::s3::{S3Error, Store};

/// The age at which an unfinished upload was left by a process that has ended.
const MAX_UPLOAD_AGE: TimeDelta = TimeDelta::days(1);

/// The copies of a database in a bucket.
#[derive(Clone, Debug)]
pub struct RemoteCopies {
    store: Store,
    prefix: String,
    keep: Keep,
    database: PathBuf,
    clock: Clock,
}

/// A copy of the database in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteCopy {
    /// The name, `lectern-2026-11-22T023000Z.db`; the key of the object is this after the prefix.
    pub name: String,
    /// When it was made, from its name.
    pub taken_at: DateTime<Utc>,
    /// Its size.
    pub bytes: u64,
}

/// What is known about the copies in a bucket, for the schedule and the metrics.
#[derive(Debug, Default)]
pub struct RemoteStatus {
    last: Mutex<Option<RemoteCopy>>,
    failures: AtomicU64,
    local_copy: Notify,
}

impl RemoteStatus {
    /// Records an upload, or that there was nothing to upload, with the newest copy in the bucket.
    pub fn succeeded(&self, last: Option<RemoteCopy>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
    }

    /// Counts a failed upload.
    pub fn failed(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// The newest copy in the bucket; `None` if none is known.
    pub fn last(&self) -> Option<RemoteCopy> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of failed uploads.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Wakes the task that uploads local copies.
    pub fn local_copy_may_be_new(&self) {
        self.local_copy.notify_one();
    }

    /// Waits until there may be a new local copy.
    pub async fn local_copy(&self) {
        self.local_copy.notified().await;
    }
}

/// Why a copy was not uploaded or downloaded.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// A request failed.
    #[error(transparent)]
    S3(#[from] S3Error),
    /// The storage has accepted the copy and does not list it, or with another size.
    #[error("{name} was uploaded to the bucket {bucket}, which does not list it with its size")]
    NotListed {
        /// The name of the copy.
        name: String,
        /// The bucket.
        bucket: String,
    },
    /// There is no copy with this name.
    #[error("There is no copy s3:{0}; 'lectern restore --list' shows the copies")]
    Missing(String),
    /// A file that is no backup of this database.
    #[error("{0} has not the name of a backup")]
    NotABackup(PathBuf),
    /// There is too little space for a download.
    #[error("The folder {0} has too little free space for the copy; it needs {1} MiB")]
    NoSpace(PathBuf, u64),
    /// The local file.
    #[error("{0} can't be written")]
    Io(PathBuf, #[source] std::io::Error),
}

/// A download, which is deleted when it is dropped.
#[derive(Debug)]
pub struct Download(PathBuf);

impl Download {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl RemoteCopies {
    /// The copies in the configured bucket; `None` without one.
    pub fn new(config: &Backup, network: &OutgoingNetwork, database: &Path, clock: &Clock) -> Option<Self> {
        Some(Self::in_store(Store::new(&config.s3, network, clock)?, config, database, clock))
    }

    /// The copies in a bucket.
    pub(crate) fn in_store(store: Store, config: &Backup, database: &Path, clock: &Clock) -> Self {
        let (prefix, database) = (config.s3.prefix.clone(), database.to_owned());
        Self { store, prefix, keep: config.keep, database, clock: clock.clone() }
    }

    /// The name of the bucket.
    pub fn bucket(&self) -> &str {
        self.store.bucket()
    }

    /// All copies, the newest first.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn all(&self) -> Result<Vec<RemoteCopy>, S3Error> {
        let copy = |object: crate::platform::s3::Object| {
            let name = object.key.strip_prefix(&self.prefix)?.to_owned();
            Some(RemoteCopy { taken_at: time_in(&name, &self.database)?, bytes: object.bytes, name })
        };
        let mut copies: Vec<_> = self.store.list(&self.prefix)?.into_iter().filter_map(copy).collect();
        copies.sort_by_key(|copy| std::cmp::Reverse(copy.taken_at));
        Ok(copies)
    }

    /// The newest copy. One with a time in the future was made while the clock was wrong, and does not count.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn last(&self) -> Result<Option<RemoteCopy>, S3Error> {
        let now = self.clock.now();
        Ok(self.all()?.into_iter().find(|copy| copy.taken_at <= now))
    }

    /// Uploads a backup that is not in the bucket yet, then deletes the copies there that `keep` does not cover. The copy
    /// counts when the storage lists it with its size.
    ///
    /// # Errors
    /// See [`RemoteError`]; no copy was deleted.
    pub fn upload(&self, backup: &Path, progress: &Progress) -> Result<RemoteCopy, RemoteError> {
        let name = backup.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let taken_at = time_in(&name, &self.database).ok_or_else(|| RemoteError::NotABackup(backup.to_owned()))?;
        let bytes = backup.metadata().map_err(|error| RemoteError::Io(backup.to_owned(), error))?.len();
        let copy = RemoteCopy { name, taken_at, bytes };
        // A key or a bucket that is wrong is reported before anything is sent.
        let mut copies = self.all()?;
        if !copies.contains(&copy) {
            self.abort_old_uploads();
            self.store.put_file(&self.key(&copy.name), backup, progress)?;
            copies = self.all()?;
            if !copies.contains(&copy) {
                return Err(RemoteError::NotListed { name: copy.name, bucket: self.bucket().to_owned() });
            }
        }
        for old in expired(&copies, self.keep, |copy| copy.taken_at) {
            if let Err(error) = self.store.delete(&self.key(&old.name)) {
                tracing::warn!(copy = old.name, %error, "an old copy in S3 could not be deleted");
                break;
            }
        }
        Ok(copy)
    }

    /// Not all implementations can list uploads, so an error is no failure.
    fn abort_old_uploads(&self) {
        let is_own = |key: &str| {
            let name = key.strip_prefix(&self.prefix);
            name.is_some_and(|name| time_in(name, &self.database).is_some())
        };
        match self.store.abort_uploads(&self.prefix, self.clock.now() - MAX_UPLOAD_AGE, is_own) {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "unfinished uploads to S3 were deleted"),
            Err(error) => tracing::debug!(%error, "unfinished uploads to S3 can't be listed"),
        }
    }

    /// Downloads a copy to a temporary file beside the database.
    ///
    /// # Errors
    /// See [`RemoteError`].
    pub fn download(&self, name: &str) -> Result<(RemoteCopy, Download), RemoteError> {
        let copy = self.all()?.into_iter().find(|copy| copy.name == name);
        let copy = copy.ok_or_else(|| RemoteError::Missing(name.to_owned()))?;
        let folder = folder_of(&self.database);
        // The restore makes a second file of this size.
        let needed = copy.bytes.saturating_mul(2).saturating_add(MIN_FREE_BYTES);
        if Disk::of_folder(folder).is_some_and(|disk| disk.free_bytes < needed) {
            return Err(RemoteError::NoSpace(folder.to_owned(), needed.div_ceil(1024 * 1024)));
        }
        let path = with_suffix(&self.database, ".download.part");
        let create = |path: &Path| -> std::io::Result<File> {
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
        };
        let file = create(&path).map_err(|error| RemoteError::Io(path.clone(), error))?;
        let download = Download(path);
        self.store.get_file(&self.key(&copy.name), copy.bytes, &file, &Progress::default())?;
        Ok((copy, download))
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}
