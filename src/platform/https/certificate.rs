//! A certificate with its chain and its private key.

use std::io;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use instant_acme::CertificateIdentifier;
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair, PKCS_ECDSA_P256_SHA256};
use rustls::client::verify_server_name;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use sha2::{Digest as _, Sha256};
use x509_cert::der::Decode as _;
use x509_cert::ext::pkix::AuthorityKeyIdentifier;

use crate::platform::config::Domain;

/// Why a certificate can't be used. The messages follow a subject, such as `The certificate`.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    #[error("can't be read: {}", reason(.0))]
    Unreadable(io::Error),
    #[error("is not in the PEM format")]
    NotPem(#[source] pem::Error),
    #[error("contains no certificate in the PEM format")]
    Empty,
    #[error("has no private key in the PEM format, without a password")]
    NoPrivateKey(#[source] pem::Error),
    #[error("is not a valid certificate")]
    Malformed(#[source] x509_cert::der::Error),
    #[error("does not belong to the private key")]
    OtherPrivateKey(#[source] rustls::Error),
    #[error("can't be used with its private key ({0})")]
    UnusablePrivateKey(#[source] rustls::Error),
    #[error("is not valid for {0}")]
    NotValidFor(Domain),
    /// A self-signed one.
    #[error("can't be made")]
    NotMade(#[source] rcgen::Error),
}

/// Why a file can't be read.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

/// A certificate that the server can use.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub(super) key: Arc<CertifiedKey>,
    /// Valid from then on.
    pub not_before: DateTime<Utc>,
    /// Valid until then.
    pub not_after: DateTime<Utc>,
    /// A number from 0 to 1 that differs between certificates and stays the same for one: the jitter of its renewal.
    pub(super) jitter: f64,
    /// Identifies it to its authority (RFC 9773 §4.1).
    id: Option<(Vec<u8>, Vec<u8>)>,
    /// Whether it is self-signed, until there is one of an authority.
    is_temporary: bool,
}

impl Certificate {
    /// Reads a chain and its key, the server's certificate first.
    ///
    /// # Errors
    /// One of them is not valid PEM, they do not belong together, or the certificate is not one of X.509.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, CertificateError> {
        let chain: Vec<CertificateDer<'static>> =
            CertificateDer::pem_slice_iter(chain).collect::<Result<_, _>>().map_err(CertificateError::NotPem)?;
        if chain.is_empty() {
            return Err(CertificateError::Empty);
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(CertificateError::NoPrivateKey)?;
        Self::new(chain, key)
    }

    fn new(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<Self, CertificateError> {
        let leaf = chain.first().ok_or(CertificateError::Empty)?.clone();
        let parsed = x509_cert::Certificate::from_der(&leaf).map_err(CertificateError::Malformed)?;
        let key = CertifiedKey::from_der(chain, key, &provider()).map_err(|error| match error {
            error @ rustls::Error::InconsistentKeys(_) => CertificateError::OtherPrivateKey(error),
            error => CertificateError::UnusablePrivateKey(error),
        });
        let facts = parsed.tbs_certificate();
        let instant = |time: x509_cert::time::Time| {
            let since_1970 = TimeDelta::from_std(time.to_unix_duration()).unwrap_or(TimeDelta::MAX);
            DateTime::UNIX_EPOCH.checked_add_signed(since_1970).unwrap_or(DateTime::<Utc>::MAX_UTC)
        };
        let issuer = facts.get_extension::<AuthorityKeyIdentifier>().ok().flatten();
        let issuer = issuer.and_then(|(_, extension)| extension.key_identifier);
        // The encoding of a positive integer begins with a zero if its highest bit is set.
        let mut serial = facts.serial_number().as_bytes().to_vec();
        if serial.first().is_some_and(|first| first & 0x80 != 0) {
            serial.insert(0, 0);
        }
        let digest: [u8; 32] = Sha256::digest(&leaf).into();
        Ok(Self {
            key: Arc::new(key?),
            not_before: instant(facts.validity().not_before),
            not_after: instant(facts.validity().not_after),
            jitter: f64::from(u16::from_be_bytes([digest[0], digest[1]])) / f64::from(u16::MAX),
            id: issuer.map(|issuer| (issuer.as_bytes().to_vec(), serial)),
            is_temporary: false,
        })
    }

    /// A self-signed certificate, with which the handshake succeeds and browsers warn.
    ///
    /// # Errors
    /// No key could be made.
    pub fn temporary(domains: &[Domain]) -> Result<Self, CertificateError> {
        let names = domains.iter().map(|domain| domain.as_str().to_owned()).collect();
        let (chain, key) = self_signed(names, None).map_err(CertificateError::NotMade)?;
        Ok(Self { is_temporary: true, ..Self::new(vec![chain], key)? })
    }

    /// Whether it is self-signed, until there is one of an authority.
    pub fn is_temporary(&self) -> bool {
        self.is_temporary
    }

    /// Whether it is valid for a domain.
    pub fn covers(&self, domain: &Domain) -> bool {
        let Some(leaf) = self.key.cert.first() else { return false };
        let (Ok(leaf), Ok(name)) = (ParsedCertificate::try_from(leaf), ServerName::try_from(domain.as_str())) else {
            return false;
        };
        verify_server_name(&leaf, &name).is_ok()
    }

    /// The first of the domains for which it is not valid.
    pub fn missing<'d>(&self, domains: &'d [Domain]) -> Option<&'d Domain> {
        domains.iter().find(|domain| !self.covers(domain))
    }

    /// The time for which it is valid.
    pub fn lifetime(&self) -> TimeDelta {
        self.not_after - self.not_before
    }

    /// Identifies it to its authority (RFC 9773 §4.1); `None` if it does not name its issuer's key.
    pub(super) fn id(&self) -> Option<CertificateIdentifier<'static>> {
        let (issuer, serial) = self.id.as_ref()?;
        let id = CertificateIdentifier::new(issuer.as_slice().into(), serial.as_slice().into());
        Some(id.into_owned())
    }
}

/// The only cryptography of this process.
pub(super) fn provider() -> CryptoProvider {
    rustls::crypto::ring::default_provider()
}

/// A self-signed certificate, valid for a long time, with an extension.
pub(super) fn self_signed(
    names: Vec<String>,
    extension: Option<CustomExtension>,
) -> Result<(CertificateDer<'static>, PrivateKeyDer<'static>), rcgen::Error> {
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name = DistinguishedName::new();
    params.custom_extensions.extend(extension);
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
    let certificate = params.self_signed(&key)?;
    Ok((certificate.der().clone(), PrivateKeyDer::Pkcs8(key.serialize_der().into())))
}

/// A private key in PEM, and a request (CSR) in DER for a certificate with it.
pub(super) fn request(domains: &[Domain]) -> Result<(String, Vec<u8>), rcgen::Error> {
    let mut params =
        CertificateParams::new(domains.iter().map(|domain| domain.as_str().to_owned()).collect::<Vec<_>>())?;
    params.distinguished_name = DistinguishedName::new();
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
    let request = params.serialize_request(&key)?;
    Ok((pem("PRIVATE KEY", &key.serialize_der()), request.der().to_vec()))
}

/// RFC 7468
fn pem(label: &str, der: &[u8]) -> String {
    let mut text = format!("-----BEGIN {label}-----\n");
    for line in STANDARD.encode(der).as_bytes().chunks(64) {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
    text + &format!("-----END {label}-----\n")
}

/// A short name for the log that differs between certificates.
pub(super) fn fingerprint(certificate: &Certificate) -> String {
    let leaf = certificate.key.cert.first().map(Sha256::digest).unwrap_or_default();
    URL_SAFE_NO_PAD.encode(&leaf[..6])
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
mod tests {
    use rcgen::{BasicConstraints, CertifiedIssuer, IsCa, KeyIdMethod, SerialNumber};

    use super::*;

    fn domain(name: &str) -> Domain {
        name.parse().unwrap()
    }

    #[test]
    fn the_id_is_that_of_the_standard() {
        // The issuer's key and the serial number of the example in RFC 9773 §4.1.
        let key_id = [
            0x69, 0x88, 0x5b, 0x6b, 0x87, 0x46, 0x40, 0x41, 0xe1, 0xb3, 0x7b, 0x84, 0x7b, 0xa0, 0xae, 0x2c, 0xde, 0x01,
            0xc8, 0xd4,
        ];
        let mut authority = CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.key_identifier_method = KeyIdMethod::PreSpecified(key_id.to_vec());
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let mut params = CertificateParams::new(vec!["events.example.com".to_owned()]).unwrap();
        params.use_authority_key_identifier_extension = true;
        params.serial_number = Some(SerialNumber::from_slice(&[0x00, 0x87, 0x65, 0x43, 0x21]));
        let key = KeyPair::generate().unwrap();
        let leaf = params.signed_by(&key, &authority).unwrap();
        let certificate = Certificate::from_pem(leaf.pem().as_bytes(), key.serialize_pem().as_bytes()).unwrap();
        assert_eq!(certificate.id().unwrap().to_string(), "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE");
    }

    #[test]
    fn a_certificate_is_valid_for_its_names_only() {
        let (names, wildcard) = (["a.example".to_owned()], ["*.b.example".to_owned()]);
        let (chain, key) = self_signed([names, wildcard].concat(), None).unwrap();
        let certificate = Certificate::new(vec![chain], key).unwrap();
        assert!(certificate.covers(&domain("a.example")) && certificate.covers(&domain("x.b.example")));
        assert!(!certificate.covers(&domain("b.example")) && !certificate.covers(&domain("y.x.b.example")));
        assert_eq!(certificate.missing(&[domain("a.example"), domain("c.example")]), Some(&domain("c.example")));
        assert!(certificate.id().is_none(), "it does not name its issuer");
    }

    #[test]
    fn keys_and_requests_are_readable_by_others() {
        let (key, csr) = request(&[domain("a.example"), domain("münchen.example")]).unwrap();
        PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
        assert!(key.lines().all(|line| line.len() <= 64));
        let csr = x509_cert::request::CertReq::from_der(&csr).unwrap();
        assert!(csr.info.subject.to_string().is_empty(), "names are in the extension only");
    }
}
