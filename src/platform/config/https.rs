//! `[https]`: TLS in this process, with certificates by ACME (RFC 8555) or from files.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, de::Error as _};

use super::network::{CaFile, ca_file};
use super::values::{HttpUrl, Listen, or_blank, text_or_blank};
use super::{OutgoingNetwork, Server};

/// The directory of Let's Encrypt.
const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";
/// The most names of one certificate of Let's Encrypt.
const MAX_DOMAINS: usize = 100;

/// `[https]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Https {
    /// The domains of the site, the main one first; without them the site is served over plain HTTP.
    #[serde(deserialize_with = "domains")]
    pub domains: Vec<Domain>,
    /// Where the authority may write to; `None` registers without an address.
    #[serde(deserialize_with = "email")]
    pub email: Option<String>,
    /// Address and port of HTTPS.
    pub listen: Listen,
    /// Address and port of plain HTTP, which redirects; `None` turns it off.
    #[serde(deserialize_with = "or_blank")]
    pub redirect_listen: Option<Listen>,
    /// A PEM file with a certificate and its chain, instead of ACME.
    #[serde(deserialize_with = "file")]
    pub certificate: Option<PathBuf>,
    /// The PEM file of its private key.
    #[serde(deserialize_with = "file")]
    pub key: Option<PathBuf>,
    /// The directory of the certificate authority (RFC 8555 §7.1.1).
    #[serde(deserialize_with = "directory")]
    pub directory_url: HttpUrl,
    /// A PEM file with the certificate of a private authority's server.
    #[serde(deserialize_with = "ca_file")]
    pub ca_file: Option<CaFile>,
    /// The profile of certificates, such as `shortlived`; `None` leaves it to the authority.
    #[serde(deserialize_with = "text_or_blank")]
    pub profile: Option<String>,
}

impl Default for Https {
    fn default() -> Self {
        Self {
            domains: Vec::new(),
            email: None,
            listen: Listen(SocketAddr::from((Ipv6Addr::UNSPECIFIED, 443))),
            redirect_listen: Some(Listen(SocketAddr::from((Ipv6Addr::UNSPECIFIED, 80)))),
            certificate: None,
            key: None,
            directory_url: HttpUrl::literal(LETS_ENCRYPT),
            ca_file: None,
            profile: None,
        }
    }
}

impl Https {
    /// Whether the site is served over HTTPS by this process.
    pub fn is_enabled(&self) -> bool {
        !self.domains.is_empty()
    }

    /// The default of the public URL.
    pub fn base_url(&self) -> Option<String> {
        self.domains.first().map(|domain| format!("https://{domain}"))
    }

    /// The files of a certificate and of its key, if they replace ACME.
    pub fn files(&self) -> Option<(&Path, &Path)> {
        self.certificate.as_deref().zip(self.key.as_deref())
    }

    /// How the authority is reached: with `ca_file` of this section, else with that under `[network]`.
    pub fn network(&self, network: &OutgoingNetwork) -> OutgoingNetwork {
        OutgoingNetwork { ca_file: self.ca_file.clone().or_else(|| network.ca_file.clone()) }
    }

    /// Checks the settings that depend on each other, which variables set one after the other.
    ///
    /// # Errors
    /// A message about what does not fit together, without a full stop.
    pub(super) fn check(&self, server: &Server) -> Result<(), String> {
        let missing = match (&self.certificate, &self.key) {
            (Some(_), None) => Some("https.certificate is set without https.key; name the file of its private key"),
            (None, Some(_)) => Some("https.key is set without https.certificate; name the file of the certificate"),
            (Some(_), Some(_)) if self.domains.is_empty() => {
                Some("https.certificate is set without https.domains; list the domains of the site")
            }
            _ => None,
        };
        if let Some(message) = missing {
            return Err(message.to_owned());
        }
        if !self.is_enabled() {
            return Ok(());
        }
        let public = self.certificate.is_none() && self.directory_url.as_str() == LETS_ENCRYPT;
        if let Some(domain) = self.domains.iter().find(|domain| public && !domain.as_str().contains('.')) {
            return Err(format!(
                "https.domains: public authorities issue no certificate for `{domain}`, because it is not a complete \
                 domain; use one such as events.example.com, or set https.directory_url to your own authority"
            ));
        }
        if let Some(base_url) = server.base_url.as_ref().filter(|url| !url.as_str().starts_with("https://")) {
            return Err(format!(
                "server.base_url is {}, but the site is served over https; use https:// or leave it blank",
                base_url.as_str()
            ));
        }
        match self.redirect_listen {
            Some(redirect) if redirect.conflicts_with(self.listen) => Err(format!(
                "https.redirect_listen is {}, where https listens; use another port, or leave it blank",
                redirect.0
            )),
            _ => Ok(()),
        }
    }
}

/// A complete domain name: lower case, in its ASCII form (RFC 5891), without a dot at its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domain(String);

impl Domain {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::str::FromStr for Domain {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim();
        let name = name.strip_suffix('.').unwrap_or(name);
        let wrong = |what: &str| Err(format!("`{text}` {what}"));
        if name.contains("://") || name.contains('/') {
            return wrong("is a URL; name the domain alone, such as events.example.com");
        }
        if name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok() || name.parse::<SocketAddr>().is_ok() {
            return wrong("is an IP address; use a domain that leads to it, such as events.example.com");
        }
        if name.contains('*') {
            return wrong(
                "is a wildcard, whose certificate needs the challenge DNS-01, which lectern does not support; list \
                 each domain",
            );
        }
        if name.contains(':') {
            return wrong("has a port; name the domain alone, and set the port in https.listen");
        }
        match url::Host::parse(name) {
            Ok(url::Host::Domain(ascii)) if is_host_name(&ascii) => Ok(Self(ascii)),
            Ok(url::Host::Ipv4(_) | url::Host::Ipv6(_)) => {
                wrong("is an IP address; use a domain that leads to it, such as events.example.com")
            }
            _ => wrong("is not a domain; use one such as events.example.com"),
        }
    }
}

/// The syntax of host names (RFC 1123 §2.1), which authorities check.
fn is_host_name(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

fn domains<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Domain>, D::Error> {
    let mut domains: Vec<Domain> = Vec::new();
    for text in Vec::<String>::deserialize(from)? {
        if text.trim().is_empty() {
            continue;
        }
        let domain: Domain = text.parse().map_err(D::Error::custom)?;
        if !domains.contains(&domain) {
            domains.push(domain);
        }
    }
    if domains.len() > MAX_DOMAINS {
        return Err(D::Error::custom(format!("a certificate has at most {MAX_DOMAINS} domains")));
    }
    Ok(domains)
}

fn email<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let Some(text) = text_or_blank(from)? else { return Ok(None) };
    // An address of RFC 8555 §7.3 has no header fields and is only one.
    let is_address = text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || ",?:<>".contains(c));
    if is_address {
        Ok(Some(text))
    } else {
        Err(D::Error::custom(format!("`{text}` is not an e-mail address; use one such as you@example.com")))
    }
}

fn file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(text_or_blank(from)?.map(PathBuf::from))
}

/// RFC 8555 §6.1 requires https.
fn directory<'de, D: Deserializer<'de>>(from: D) -> Result<HttpUrl, D::Error> {
    match or_blank::<D, HttpUrl>(from)? {
        None => Ok(HttpUrl::literal(LETS_ENCRYPT)),
        Some(url) if url.as_str().starts_with("https://") => Ok(url),
        Some(url) => Err(D::Error::custom(format!("`{url}` is not https, which ACME requires"))),
    }
}
