//! HTTPS in this process: TLS of connections, the current certificate, and how it is obtained and renewed.

pub mod acme;
mod certificate;
mod challenges;
mod files;
mod listen;
pub mod redirect;
pub mod renewal;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::CipherSuite;
use rustls::server::{Acceptor, ClientHello, NoServerSessionStorage, ResolvesServerCert, ServerConfig};
use rustls::sign::CertifiedKey;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;

pub use acme::{LastAttempt, Store};
pub use certificate::{Certificate, CertificateError};
pub use challenges::{ChallengeKind, Challenges};
pub use files::{CertificateFileError, CertificateFiles};
pub use listen::{ListenError, Listeners, listen};

use crate::platform::clock::minute_utc;
use challenges::ACME_TLS;

/// The protocols of the site by preference (RFC 7301).
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The TLS of a server; clones share it.
#[derive(Clone, Debug)]
pub struct Tls(Arc<Components>);

#[derive(Debug)]
struct Components {
    current: Arc<Current>,
    challenges: Challenges,
    site: Arc<ServerConfig>,
    validation: Arc<ServerConfig>,
    failures: AtomicU64,
}

/// The certificate of new connections.
#[derive(Debug)]
struct Current(RwLock<Certificate>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner).key))
    }
}

impl Tls {
    /// Begins with a certificate.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub fn new(certificate: Certificate) -> Result<Self, rustls::Error> {
        let current = Arc::new(Current(RwLock::new(certificate)));
        let challenges = Challenges::default();
        let mut site = config(Arc::clone(&current) as Arc<dyn ResolvesServerCert>)?;
        site.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        // Sessions are resumed from tickets, which take no memory here.
        site.ticketer = rustls::crypto::ring::Ticketer::new()?;
        site.session_storage = Arc::new(NoServerSessionStorage {});
        let mut validation = config(Arc::new(challenges.clone()))?;
        validation.alpn_protocols = vec![ACME_TLS.to_vec()];
        Ok(Self(Arc::new(Components {
            current,
            challenges,
            site: Arc::new(site),
            validation: Arc::new(validation),
            failures: AtomicU64::new(0),
        })))
    }

    /// The certificate of new connections.
    pub fn certificate(&self) -> Certificate {
        self.0.current.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Uses another certificate from the next connection on. Open connections continue.
    pub fn set_certificate(&self, certificate: Certificate) {
        let mut current = self.0.current.0.write().unwrap_or_else(PoisonError::into_inner);
        tracing::info!(
            fingerprint = certificate::fingerprint(&certificate),
            valid_until = %minute_utc(certificate.not_after),
            temporary = certificate.is_temporary(),
            "HTTPS uses another certificate"
        );
        *current = certificate;
    }

    pub fn challenges(&self) -> &Challenges {
        &self.0.challenges
    }

    /// Counts a failed attempt to get a certificate, or files that can't be used.
    pub fn count_failure(&self) {
        self.0.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// The counted failures.
    pub fn failures(&self) -> u64 {
        self.0.failures.load(Ordering::Relaxed)
    }

    /// The TLS handshake. `None`: the connection of an authority that validated a domain, which has ended.
    ///
    /// # Errors
    /// The handshake failed.
    pub async fn accept<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: S) -> io::Result<Option<TlsStream<S>>> {
        let start = LazyConfigAcceptor::new(Acceptor::default(), stream).await?;
        let is_validation = start.client_hello().alpn().is_some_and(|mut names| names.any(|name| name == ACME_TLS));
        if is_validation {
            let mut stream = start.into_stream(Arc::clone(&self.0.validation)).await?;
            stream.shutdown().await?;
            return Ok(None);
        }
        start.into_stream(Arc::clone(&self.0.site)).await.map(Some)
    }
}

/// TLS 1.2 and 1.3 with the library's suites, all of which have forward secrecy and authenticated encryption. The server
/// chooses: AES with 128 bits, which browsers also prefer, takes the least time.
fn config(certificates: Arc<dyn ResolvesServerCert>) -> Result<ServerConfig, rustls::Error> {
    let versions = [&rustls::version::TLS13, &rustls::version::TLS12];
    let mut provider = certificate::provider();
    provider.cipher_suites.sort_by_key(|suite| !is_aes_128(suite.suite()));
    let mut config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&versions)?
        .with_no_client_auth()
        .with_cert_resolver(certificates);
    config.ignore_client_order = true;
    Ok(config)
}

fn is_aes_128(suite: CipherSuite) -> bool {
    matches!(
        suite,
        CipherSuite::TLS13_AES_128_GCM_SHA256
            | CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
            | CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
    )
}
