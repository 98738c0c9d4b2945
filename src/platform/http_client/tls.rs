//! TLS of outgoing connections that trust further certificates (`ca_file` under `[network]`).

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error as TlsError, OtherError,
    RootCertStore, SignatureScheme, StreamOwned,
};
use ureq::Agent;
use ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, Either, LazyBuffers, NextTimeout, TcpConnector,
    Transport, TransportAdapter,
};

use super::dns::HostResolver;

/// Trusts these certificates in addition to the public authorities: as authorities, or as those of servers.
///
/// # Errors
/// The TLS library rejects them.
pub fn config_trusting(certificates: Vec<CertificateDer<'static>>) -> Result<ClientConfig, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().cloned());
    roots.add_parsable_certificates(certificates.iter().cloned());
    let authorities = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
        .build()
        .map_err(|error| TlsError::Other(OtherError(Arc::new(error))))?;
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let verifier = Arc::new(Verifier { authorities, listed: certificates });
    Ok(config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// An HTTP client with this TLS configuration. The library's own client takes authorities only.
pub(super) fn agent(config: ureq::config::Config, tls: Arc<ClientConfig>) -> Agent {
    let connector = ().chain(ConnectProxyConnector::default()).chain(TcpConnector::default()).chain(TlsConnector(tls));
    Agent::with_parts(config, connector, HostResolver::default())
}

/// Verifies as usual, and accepts a server's certificate that is listed itself, for its hosts and its period.
#[derive(Debug)]
struct Verifier {
    authorities: Arc<WebPkiServerVerifier>,
    listed: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        match self.authorities.verify_server_cert(certificate, intermediates, host, ocsp_response, now) {
            // The period was checked before these: the issuer is unknown, another with its name is known, or the
            // certificate is that of an authority (as `openssl req -x509` makes them), which can't be a server's.
            Err(TlsError::InvalidCertificate(
                CertificateError::UnknownIssuer | CertificateError::BadSignature | CertificateError::Other(_),
            )) if self.listed.iter().any(|listed| listed == certificate) => {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, host)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.authorities.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.authorities.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.authorities.supported_verify_schemes()
    }
}

/// Wraps connections in TLS, as the library's connector does.
#[derive(Debug)]
struct TlsConnector(Arc<ClientConfig>);

impl<In: Transport> Connector<In> for TlsConnector {
    type Out = Either<In, TlsTransport>;

    fn connect(&self, details: &ConnectionDetails<'_>, chained: Option<In>) -> Result<Option<Self::Out>, ureq::Error> {
        let Some(transport) = chained else { return Ok(None) };
        if !details.needs_tls() || transport.is_tls() {
            return Ok(Some(Either::A(transport)));
        }
        let host = details.uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        let host = ServerName::try_from(host.to_owned()).map_err(|_| ureq::Error::Tls("the host name is not valid"))?;
        let mut connection = ClientConnection::new(Arc::clone(&self.0), host)?;
        let mut socket = TransportAdapter::new(transport.boxed(), Arc::clone(&details.current_time));
        socket.set_timeout(details.timeout);
        connection.complete_io(&mut socket)?;
        let buffers = LazyBuffers::new(details.config.input_buffer_size(), details.config.output_buffer_size());
        Ok(Some(Either::B(TlsTransport { buffers, stream: StreamOwned::new(connection, socket) })))
    }
}

/// A connection in TLS.
struct TlsTransport {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter>,
}

impl std::fmt::Debug for TlsTransport {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("TlsTransport")
    }
}

impl Transport for TlsTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        self.stream.get_mut().set_timeout(timeout);
        self.stream.write_all(&self.buffers.output()[..amount])?;
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        self.stream.get_mut().set_timeout(timeout);
        let amount = self.stream.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.get_mut().get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

/// The setting of the authorities that connections trust, except those for certificates of this server.
pub const CA_FILE: &str = "ca_file under [network]";

/// What is wrong with the certificate of a failed TLS handshake, and what to do; `None` for other I/O errors. `setting`
/// is that of the URL in the configuration, such as `base_url under [places]`, and `ca_file` that of the trusted
/// authorities.
pub fn certificate_problem(error: &std::io::Error, setting: &str, ca_file: &str) -> Option<String> {
    use rustls::CertificateError as Problem;
    let rustls::Error::InvalidCertificate(problem) = error.get_ref()?.downcast_ref::<rustls::Error>()? else {
        return None;
    };
    let problem = match problem {
        Problem::UnknownIssuer => {
            return Some(format!(
                "was issued by an unknown authority; if that is your company's own, add its certificate to {ca_file}"
            ));
        }
        Problem::Expired | Problem::ExpiredContext { .. } => {
            "has expired, or the clock of this machine is wrong; it has to be renewed on the server"
        }
        Problem::NotValidYet | Problem::NotValidYetContext { .. } => {
            "is not valid yet; check the clock of this machine"
        }
        Problem::NotValidForName | Problem::NotValidForNameContext { .. } => {
            return Some(format!("is for another host; check {setting}"));
        }
        // Among others: a self-signed certificate with the flag of an authority, as `openssl req -x509` makes it.
        Problem::Other(_) => {
            return Some(format!("is self-signed or not made for a server; if you trust it, add it to {ca_file}"));
        }
        _ => "is not valid",
    };
    Some(problem.to_owned())
}
