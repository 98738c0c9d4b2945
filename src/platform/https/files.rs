//! A certificate and its key in files of the operator, which other programs renew.

use std::fs;
use std::path::{Path, PathBuf};

use super::certificate::{Certificate, CertificateError};
use crate::platform::config::Domain;

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
    chain: Result<Vec<u8>, String>,
    key: Result<Vec<u8>, String>,
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
    /// A sentence about the file that can't be used.
    pub fn load(&mut self) -> Result<Certificate, CertificateError> {
        let content = self.read();
        self.unsettled = None;
        self.content = Some(content.clone());
        self.parse(&content)
    }

    /// Reads the certificate if the files have changed, and stay the same for two calls.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn reload(&mut self) -> Option<Result<Certificate, CertificateError>> {
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
        let read = |path: &Path| fs::read(path).map_err(|error| error.kind().to_string());
        PemPair { chain: read(&self.certificate), key: read(&self.key) }
    }

    fn parse(&self, content: &PemPair) -> Result<Certificate, CertificateError> {
        // The names of the settings, because the paths are not for the public.
        let of = |setting: &str, what: &str| CertificateError(format!("https.{setting} {what}"));
        let chain = content.chain.as_ref().map_err(|error| of("certificate", &format!("can't be read: {error}")))?;
        let key = content.key.as_ref().map_err(|error| of("key", &format!("can't be read: {error}")))?;
        let certificate = Certificate::from_pem(chain, key).map_err(|CertificateError(what)| {
            of(if what.starts_with("has no private key") { "key" } else { "certificate" }, &what)
        })?;
        match certificate.missing(&self.domains) {
            Some(domain) => Err(of("certificate", &format!("is not valid for {domain}"))),
            None => Ok(certificate),
        }
    }
}
