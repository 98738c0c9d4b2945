//! Connections over TLS.

use std::io::{self, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, RootCertStore, SignatureScheme, StreamOwned,
};

use super::raw_client::{self, Response, read_response};

/// Which certificates a client accepts.
#[derive(Clone, Debug)]
pub(crate) enum Trust {
    Any,
    /// Those of this authority, for the requested domain and period.
    Authority(CertificateDer<'static>),
}

/// An open connection.
pub(crate) type TlsConnection = BufReader<StreamOwned<ClientConnection, TcpStream>>;

/// TLS of a client that offers these protocols.
pub(crate) fn config(trust: &Trust, protocols: &[&[u8]]) -> ClientConfig {
    config_with(rustls::crypto::ring::default_provider(), trust, protocols)
}

/// The same with other cryptography.
pub(crate) fn config_with(provider: CryptoProvider, trust: &Trust, protocols: &[&[u8]]) -> ClientConfig {
    let builder =
        ClientConfig::builder_with_provider(Arc::new(provider)).with_safe_default_protocol_versions().unwrap();
    let mut config = match trust {
        Trust::Any => builder.dangerous().with_custom_certificate_verifier(Arc::new(AcceptAny)).with_no_client_auth(),
        Trust::Authority(root) => {
            let mut roots = RootCertStore::empty();
            roots.add(root.clone()).unwrap();
            builder.with_root_certificates(roots).with_no_client_auth()
        }
    };
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    config
}

/// Connects and completes the handshake.
pub(crate) fn connect(
    address: SocketAddr,
    domain: &str,
    trust: &Trust,
    protocols: &[&[u8]],
) -> io::Result<TlsConnection> {
    connect_with(address, domain, config(trust, protocols))
}

/// The same with other settings.
pub(crate) fn connect_with(address: SocketAddr, domain: &str, config: ClientConfig) -> io::Result<TlsConnection> {
    let stream = raw_client::connect(address)?.into_inner();
    let name = ServerName::try_from(domain.to_owned()).unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
    let mut stream = StreamOwned::new(connection, stream);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(BufReader::new(stream))
}

/// The certificate of the server.
pub(crate) fn certificate(connection: &TlsConnection) -> CertificateDer<'static> {
    connection.get_ref().conn.peer_certificates().unwrap()[0].clone().into_owned()
}

/// A request on an open connection, with further lines of the head.
pub(crate) fn request(connection: &mut TlsConnection, line: &str, host: &str, more: &str) -> io::Result<Response> {
    let request = format!("{line} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
    connection.get_mut().write_all(request.as_bytes())?;
    read_response(connection)
}

#[derive(Debug)]
struct AcceptAny;

impl ServerCertVerifier for AcceptAny {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        rustls::crypto::ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}
