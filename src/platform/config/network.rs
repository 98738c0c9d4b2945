//! `[network]`: how connections to other servers are made.

use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use serde::{Deserialize, Deserializer, de::Error as _};
use ureq::Agent;
use ureq::tls::{PemItem, parse_pem};

use super::super::http_client;
use super::error::reason;
use super::values::text_or_blank;

/// `[network]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutgoingNetwork {
    /// Certificates of private authorities or servers, trusted in addition to the public authorities.
    #[serde(deserialize_with = "ca_file")]
    pub ca_file: Option<CaFile>,
}

/// A PEM file of certificates, read when the configuration is.
#[derive(Clone, Debug)]
pub struct CaFile {
    path: String,
    tls: Arc<ClientConfig>,
}

impl PartialEq for CaFile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl OutgoingNetwork {
    /// The HTTP client of every outgoing connection.
    pub fn agent(&self, config: ureq::config::Config) -> Agent {
        http_client::agent(config, self.ca_file.as_ref().map(|file| Arc::clone(&file.tls)))
    }
}

pub(super) fn ca_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<CaFile>, D::Error> {
    let Some(path) = text_or_blank(from)? else { return Ok(None) };
    let pem = std::fs::read(&path)
        .map_err(|error| D::Error::custom(format!("`{path}` can't be read: {}", reason(&error))))?;
    let certificates: Vec<CertificateDer<'static>> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate.der().to_vec().into()),
            _ => None,
        })
        .collect();
    if certificates.is_empty() {
        return Err(D::Error::custom(format!("`{path}` contains no certificate in the PEM format")));
    }
    let tls = http_client::config_trusting(certificates)
        .map_err(|error| D::Error::custom(format!("`{path}` can't be used: {error}")))?;
    Ok(Some(CaFile { path, tls: Arc::new(tls) }))
}
