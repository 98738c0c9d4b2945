//! A certificate and its key in files of the operator, which other programs renew.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::certificate::{Certificate, CertificateError};
use crate::platform::config::Domain;

/// A file of a certificate that can't be used. Its message is public: it has the name of the setting, but not the path.
#[derive(Debug, thiserror::Error)]
#[error("https.{setting} {source}")]
pub struct CertificateFileError {
    /// `certificate` or `key`.
    setting: &'static str,
    path: PathBuf,
    source: CertificateError,
}

impl CertificateFileError {
    /// The file, for the operator.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The message for the operator, with the path.
    pub fn with_path(&self) -> String {
        format!("https.{}: {} {}", self.setting, self.path.display(), self.source)
    }
}

/// The two files, and what was read last.
#[derive(Debug)]
pub struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
    domains: Vec<Domain>,
    content: Option<PemPair>,
    /// Read once, and used when the next read finds the same: the files are written one after the other.
    unsettled: Option<PemPair>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PemPair {
    chain: Result<Vec<u8>, ErrorKind>,
    key: Result<Vec<u8>, ErrorKind>,
}

impl CertificateFiles {
    /// The files of a certificate that must be valid for all domains; nothing is read yet.
    pub fn new((certificate, key): (&Path, &Path), domains: &[Domain]) -> Self {
        let (certificate, key) = (certificate.to_owned(), key.to_owned());
        Self { certificate, key, domains: domains.to_vec(), content: None, unsettled: None }
    }

    /// Reads the certificate.
    ///
    /// # Errors
    /// A file can't be read or used, or the certificate is not valid for a domain.
    pub fn load(&mut self) -> Result<Certificate, CertificateFileError> {
        let content = self.read();
        self.unsettled = None;
        self.content = Some(content.clone());
        self.parse(&content)
    }

    /// Reads the certificate if the files have changed, and stay the same for two calls.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn reload(&mut self) -> Option<Result<Certificate, CertificateFileError>> {
        let content = self.read();
        if self.content.as_ref() == Some(&content) {
            self.unsettled = None;
            return None;
        }
        if self.unsettled.as_ref() != Some(&content) {
            self.unsettled = Some(content);
            return None;
        }
        self.unsettled = None;
        self.content = Some(content.clone());
        Some(self.parse(&content))
    }

    fn read(&self) -> PemPair {
        let read = |path: &Path| fs::read(path).map_err(|error| error.kind());
        PemPair { chain: read(&self.certificate), key: read(&self.key) }
    }

    fn parse(&self, content: &PemPair) -> Result<Certificate, CertificateFileError> {
        let error = |setting, path: &Path, source| {
            // The folder in which the server was started is not known to who reads the message.
            let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            CertificateFileError { setting, path, source }
        };
        let of_certificate = |source| error("certificate", &self.certificate, source);
        let of_key = |source| error("key", &self.key, source);
        let unreadable = |kind: &ErrorKind| CertificateError::Unreadable((*kind).into());
        let chain = content.chain.as_ref().map_err(|kind| of_certificate(unreadable(kind)))?;
        let key = content.key.as_ref().map_err(|kind| of_key(unreadable(kind)))?;
        let certificate = Certificate::from_pem(chain, key).map_err(|error| match error {
            error @ CertificateError::NoPrivateKey(_) => of_key(error),
            error => of_certificate(error),
        })?;
        match certificate.missing(&self.domains) {
            Some(domain) => Err(of_certificate(CertificateError::NotValidFor(domain.clone()))),
            None => Ok(certificate),
        }
    }
}
