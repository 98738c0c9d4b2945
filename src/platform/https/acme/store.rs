//! The files of ACME in a folder beside the database: account, certificate with its key, and the last attempt. Each
//! authority has its own folder, so that a test with another authority replaces nothing.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::super::certificate::{Certificate, CertificateError};
use super::super::challenges::ChallengeKind;

const ACCOUNT: &str = "account.json";
const CERTIFICATE: &str = "certificate.pem";
const LAST_ATTEMPT: &str = "last-attempt.json";

/// The folder of one authority.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What the last attempt to get a certificate has shown. It outlives a restart, so that restarts do not use up the
/// authority's limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LastAttempt {
    /// When the certificate was issued.
    pub issued_at: Option<DateTime<Utc>>,
    /// Failures since then.
    pub failures: u32,
    pub failed_at: Option<DateTime<Utc>>,
    /// The earliest time of the next attempt.
    pub next_attempt: Option<DateTime<Utc>>,
    /// The message of the last failure.
    pub problem: Option<String>,
    /// The challenge that succeeded last.
    pub challenge: Option<ChallengeKind>,
    /// The settings with which it failed; an attempt with others is made at once.
    pub settings: String,
}

impl Store {
    /// The folder for a database and the directory URL of an authority; nothing is created.
    pub fn new(database: &Path, directory_url: &str) -> Self {
        let canonical = database.canonicalize().unwrap_or_else(|_| database.to_owned());
        let mut folder = canonical.into_os_string();
        folder.push(".https");
        let name = directory_url.trim_start_matches("https://").trim_end_matches('/');
        let is_safe = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
        let name: String = name.chars().map(|c| if is_safe(c) { c } else { '_' }).collect();
        Self { folder: PathBuf::from(folder).join(name.trim_start_matches('.')) }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The stored certificate; `None` if no certificate is stored.
    ///
    /// # Errors
    /// The file can't be read or used.
    pub fn certificate(&self) -> Result<Option<Certificate>, CertificateError> {
        match fs::read(self.folder.join(CERTIFICATE)) {
            Ok(pem) => Certificate::from_pem(&pem, &pem).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CertificateError::Unreadable(error)),
        }
    }

    /// Stores a private key and a chain in one file, so that they always belong together.
    pub(super) fn save_certificate(&self, pem: &str) -> io::Result<()> {
        self.write(CERTIFICATE, pem.as_bytes())
    }

    /// The last attempt; the default before the first attempt, or if the file can't be read.
    pub fn last_attempt(&self) -> LastAttempt {
        let json = fs::read(self.folder.join(LAST_ATTEMPT)).unwrap_or_default();
        serde_json::from_slice(&json).unwrap_or_default()
    }

    /// Stores the last attempt.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn save_last_attempt(&self, last_attempt: &LastAttempt) -> io::Result<()> {
        self.write(LAST_ATTEMPT, &serde_json::to_vec_pretty(last_attempt)?)
    }

    /// The account; `None` if no account is stored, or if the file is damaged, which costs nothing but a new account.
    pub(super) fn account<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&fs::read(self.folder.join(ACCOUNT)).ok()?).ok()
    }

    pub(super) fn save_account(&self, account: &impl Serialize) -> io::Result<()> {
        self.write(ACCOUNT, &serde_json::to_vec_pretty(account)?)
    }

    pub(super) fn delete_account(&self) -> io::Result<()> {
        match fs::remove_file(self.folder.join(ACCOUNT)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Replaces a file so that a crash leaves the old or the new one. Only the owner can read it.
    fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let temporary = self.folder.join(format!(".{name}.new"));
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, self.folder.join(name))?;
        File::open(&self.folder)?.sync_all()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn files_are_private_and_each_authority_has_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("lectern.db");
        let store = Store::new(&database, "https://127.0.0.1:14000/dir");
        assert_eq!(store.last_attempt(), LastAttempt::default());
        let last_attempt = LastAttempt { failures: 3, problem: Some("no".to_owned()), ..LastAttempt::default() };
        store.save_last_attempt(&last_attempt).unwrap();
        assert_eq!(store.last_attempt(), last_attempt);

        assert_eq!(store.folder(), folder.path().join("lectern.db.https/127.0.0.1_14000_dir"));
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(store.folder()), 0o700);
        assert_eq!(mode(&folder.path().join("lectern.db.https")), 0o700);
        assert_eq!(mode(&store.folder().join(LAST_ATTEMPT)), 0o600);
        let other = Store::new(&database, "https://../../etc");
        assert_eq!(other.folder().parent(), store.folder().parent());
    }
}
