//! The configuration file that `lectern setup` writes: complete or not at all, and never overwrites an edited file.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::answers::PACKAGED;
use crate::platform::config::DEFAULT_FILE;
use crate::platform::db::folder_of;

/// Its owner writes it, the server reads it, and others do not see its keys.
const MODE: u32 = 0o640;

/// The file to write.
pub(super) struct ConfigFile {
    path: PathBuf,
}

/// A complete file that does not have its name yet. Dropped, it is removed.
pub(super) struct Prepared<'f> {
    path: &'f Path,
    temporary: PathBuf,
    replaces: bool,
    /// Whether it replaces what somebody wrote.
    replaces_edited: bool,
}

impl ConfigFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The option that names the file, unless it is found without one.
    pub(super) fn flag(&self) -> String {
        let is_found = self.path == Path::new(DEFAULT_FILE) || self.path == Path::new(super::SYSTEM_FILE);
        if is_found { String::new() } else { format!(" --config {}", self.path.display()) }
    }

    /// Whether there is a file that may be replaced: that of the packages, unmodified.
    fn is_packaged(&self) -> bool {
        fs::read_to_string(&self.path).is_ok_and(|text| text == PACKAGED)
    }

    /// # Errors
    /// There is a configuration, and it must not be replaced.
    pub(super) fn check_replaceable(&self, force: bool) -> anyhow::Result<()> {
        if self.path.symlink_metadata().is_ok() && !force && !self.is_packaged() {
            bail!("{} exists already and was not changed; replace it with --force, or edit it", self.path.display());
        }
        Ok(())
    }

    /// Writes the text to a file beside it that the group may read.
    ///
    /// # Errors
    /// The folder can't be written.
    pub(super) fn write_unnamed(&self, text: &str, group: Option<u32>) -> anyhow::Result<Prepared<'_>> {
        let mut temporary = self.path.clone().into_os_string();
        temporary.push(".new");
        let replaces = self.path.symlink_metadata().is_ok();
        let replaces_edited = replaces && !self.is_packaged();
        let prepared = Prepared { path: &self.path, temporary: temporary.into(), replaces, replaces_edited };
        prepared.write(text, group).with_context(|| format!("{} can't be written", self.path.display()))?;
        Ok(prepared)
    }
}

impl Prepared<'_> {
    fn write(&self, text: &str, group: Option<u32>) -> io::Result<()> {
        // Of a command that was killed.
        match fs::remove_file(&self.temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        DirBuilder::new().recursive(true).mode(0o755).create(folder_of(self.path))?;
        let mut file = OpenOptions::new().write(true).create_new(true).mode(MODE).open(&self.temporary)?;
        if group.is_some() {
            fchown(&file, None, group)?;
        }
        // The umask may have removed bits.
        file.set_permissions(Permissions::from_mode(MODE))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    /// Copies what is replaced, with its mode, beside it. Settings that it alone had, such as keys, are not lost.
    fn copy_replaced(&self) -> io::Result<()> {
        if self.replaces_edited { fs::copy(self.path, backup_of(self.path)).map(drop) } else { Ok(()) }
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// Another file has the name since, or the folder can't be written.
    pub(super) fn publish(self) -> anyhow::Result<()> {
        let named = if self.replaces {
            self.copy_replaced().and_then(|()| fs::rename(&self.temporary, self.path))
        } else {
            // A link fails if there is a file by now.
            fs::hard_link(&self.temporary, self.path)
        };
        named
            .and_then(|()| File::open(folder_of(self.path))?.sync_all())
            .with_context(|| format!("{} can't be written", self.path.display()))
    }
}

/// The name of the copy of a configuration that is replaced: `config.toml.bak`.
fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(".bak");
    name.into()
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        // Missing after a rename.
        let _ = fs::remove_file(&self.temporary);
    }
}
