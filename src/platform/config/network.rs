//! `[network]`: how connections to other servers are made.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, de::Error as _};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::values::text_or_blank;

/// `[network]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutgoingNetwork {
    /// Certificates of a private authority, trusted in addition to the public ones.
    #[serde(deserialize_with = "ca_file")]
    pub ca_file: Option<CaFile>,
}

/// A PEM file of certificates, read when the configuration is.
#[derive(Clone, Debug)]
pub struct CaFile {
    path: String,
    certificates: Arc<Vec<Certificate<'static>>>,
}

impl PartialEq for CaFile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl OutgoingNetwork {
    /// The TLS configuration of every outgoing connection.
    pub fn tls(&self) -> TlsConfig {
        let Some(file) = &self.ca_file else { return TlsConfig::default() };
        let public = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().map(|der| Certificate::from_der(der));
        let roots: RootCerts = public.chain(file.certificates.iter().cloned()).collect::<Vec<_>>().into();
        TlsConfig::builder().root_certs(roots).build()
    }
}

fn ca_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<CaFile>, D::Error> {
    let Some(path) = text_or_blank(from)? else { return Ok(None) };
    let pem = std::fs::read(&path).map_err(|error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file",
            std::io::ErrorKind::IsADirectory => "it is a folder",
            std::io::ErrorKind::PermissionDenied => "its permissions do not allow it",
            _ => "the file system reports an error",
        };
        D::Error::custom(format!("`{path}` can't be read: {reason}"))
    })?;
    let certificates: Vec<Certificate<'static>> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    if certificates.is_empty() {
        return Err(D::Error::custom(format!("`{path}` contains no certificate in the PEM format")));
    }
    Ok(Some(CaFile { path, certificates: Arc::new(certificates) }))
}
