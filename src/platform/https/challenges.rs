//! The responses to challenges of an authority, with which it checks who controls a domain: HTTP-01 (RFC 8555 §8.3) and
//! TLS-ALPN-01 (RFC 8737).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use instant_acme::{ChallengeType, KeyAuthorization};
use rcgen::CustomExtension;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use serde::{Deserialize, Serialize};

use super::certificate::{CertificateError, provider, self_signed};

/// The protocol of connections that validate TLS-ALPN-01.
pub(super) const ACME_TLS: &[u8] = b"acme-tls/1";

/// How an authority validates a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChallengeKind {
    /// A request over plain HTTP on port 80.
    #[serde(rename = "http-01")]
    Http01,
    /// A handshake on port 443.
    #[serde(rename = "tls-alpn-01")]
    TlsAlpn01,
}

impl ChallengeKind {
    pub(super) fn acme(self) -> ChallengeType {
        match self {
            Self::Http01 => ChallengeType::Http01,
            Self::TlsAlpn01 => ChallengeType::TlsAlpn01,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Http01 => "HTTP-01",
            Self::TlsAlpn01 => "TLS-ALPN-01",
        }
    }

    /// The port to which the authority connects.
    pub(super) fn port(self) -> u16 {
        match self {
            Self::Http01 => 80,
            Self::TlsAlpn01 => 443,
        }
    }
}

/// The challenges that an authority may validate now; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Challenges(Arc<Mutex<Pending>>);

#[derive(Debug, Default)]
struct Pending {
    /// Key authorizations by token.
    http: HashMap<String, String>,
    /// Certificates by domain.
    tls: HashMap<String, Arc<CertifiedKey>>,
}

/// A challenge whose response is published until this is dropped.
#[derive(Debug)]
pub(super) struct PublishedChallenge {
    challenges: Challenges,
    kind: ChallengeKind,
    /// The token or the domain.
    key: String,
}

impl Challenges {
    /// The body of `/.well-known/acme-challenge/{token}`.
    pub(super) fn key_authorization(&self, token: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).http.get(token).cloned()
    }

    /// Publishes the response to a challenge from now on.
    pub(super) fn publish(
        &self,
        kind: ChallengeKind,
        domain: &str,
        token: &str,
        authorization: &KeyAuthorization,
    ) -> Result<PublishedChallenge, CertificateError> {
        let key = match kind {
            ChallengeKind::Http01 => {
                let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                pending.http.insert(token.to_owned(), authorization.as_str().to_owned());
                token.to_owned()
            }
            ChallengeKind::TlsAlpn01 => {
                let certificate = certificate(domain, authorization.digest().as_ref())?;
                let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                pending.tls.insert(domain.to_owned(), Arc::new(certificate));
                domain.to_owned()
            }
        };
        Ok(PublishedChallenge { challenges: self.clone(), kind, key })
    }
}

impl Drop for PublishedChallenge {
    fn drop(&mut self) {
        let mut pending = self.challenges.0.lock().unwrap_or_else(PoisonError::into_inner);
        match self.kind {
            ChallengeKind::Http01 => drop(pending.http.remove(&self.key)),
            ChallengeKind::TlsAlpn01 => drop(pending.tls.remove(&self.key)),
        }
    }
}

/// The certificates of handshakes that validate TLS-ALPN-01.
impl ResolvesServerCert for Challenges {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let domain = hello.server_name()?.to_ascii_lowercase();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).tls.get(&domain).cloned()
    }
}

/// The self-signed certificate that contains the hash of the key authorization (RFC 8737 §3).
fn certificate(domain: &str, digest: &[u8]) -> Result<CertifiedKey, CertificateError> {
    let extension = CustomExtension::new_acme_identifier(digest);
    let (certificate, key) =
        self_signed(vec![domain.to_owned()], Some(extension)).map_err(CertificateError::NotMade)?;
    let key = provider().key_provider.load_private_key(key).map_err(CertificateError::UnusablePrivateKey)?;
    // Not `from_der`, whose check does not know the extension, which is critical.
    Ok(CertifiedKey::new(vec![certificate], key))
}
