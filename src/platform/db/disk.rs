//! The free space of the file systems that hold the database and its backups.

use std::path::Path;

use rustix::fs::{StatVfsMountFlags, statvfs};

use super::backup_files::folder_of;

/// The free space, in bytes, that the write-ahead log and a backup need. With less, writes are expected to fail.
pub const MIN_FREE_BYTES: u64 = 64 * 1024 * 1024;

/// The file system of a database or of its backups.
#[derive(Clone, Copy, Debug)]
pub struct Disk {
    /// The space for the user of this process, in bytes.
    pub free_bytes: u64,
    /// Whether it is mounted read-only.
    pub is_read_only: bool,
}

impl Disk {
    /// The file system of a file, which may not exist yet; `None` if it can't be determined.
    pub fn from_file(file: &Path) -> Option<Self> {
        Self::from_folder(folder_of(file))
    }

    /// The file system of a folder; `None` if it can't be determined.
    pub fn from_folder(folder: &Path) -> Option<Self> {
        let disk = statvfs(folder).ok()?;
        Some(Self {
            free_bytes: disk.f_bavail.saturating_mul(disk.f_frsize),
            is_read_only: disk.f_flag.contains(StatVfsMountFlags::RDONLY),
        })
    }

    /// Whether less than `MIN_FREE_BYTES` are free.
    pub fn is_full(&self) -> bool {
        self.free_bytes < MIN_FREE_BYTES
    }
}
