//! Types that validate values while the file is parsed, which lets errors name the line.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use ipnet::{IpNet, Ipv4Net};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::platform::validate::{is_http, is_web_url};

/// An address and port to listen on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listen(pub SocketAddr);

impl Default for Listen {
    fn default() -> Self {
        Self(SocketAddr::from(([127, 0, 0, 1], 8080)))
    }
}

impl Listen {
    /// Whether no operator has chosen it: the default, or that of the container image (packaging/oci/image.py).
    pub fn is_default(self) -> bool {
        self == Self::default() || self.0 == SocketAddr::from(([0, 0, 0, 0], 8080))
    }

    /// Whether the system does not let one process listen on both: the same port, of the same address or of all. Port 0 is
    /// another one each time.
    pub fn conflicts_with(self, other: Self) -> bool {
        // `::` includes the addresses of IPv4.
        let includes = |all: IpAddr, one: IpAddr| all.is_unspecified() && (all.is_ipv6() || one.is_ipv4());
        let (ip, other_ip) = (self.0.ip(), other.0.ip());
        self.0.port() == other.0.port()
            && self.0.port() != 0
            && (ip == other_ip || includes(ip, other_ip) || includes(other_ip, ip))
    }
}

impl std::str::FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self).map_err(|_| {
            format!("`{text}` is not a listen address; use an IP address and a port, such as 127.0.0.1:8080")
        })
    }
}

impl<'de> Deserialize<'de> for Listen {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// A network or a single address.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network(pub IpNet);

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map(Self::new).map_err(|_| {
            D::Error::custom(format!("`{text}` is not a network; use one such as 10.0.0.0/8 or 127.0.0.1"))
        })
    }
}

impl Network {
    /// The IPv4 network of IPv4-mapped addresses (`::ffff:10.0.0.0/104`), because those of clients are reduced to IPv4.
    fn new(network: IpNet) -> Self {
        let mapped = match network {
            IpNet::V6(v6) => v6.addr().to_ipv4_mapped().zip(v6.prefix_len().checked_sub(96)),
            IpNet::V4(_) => None,
        };
        let v4 = mapped.and_then(|(address, prefix)| Ipv4Net::new(address, prefix).ok());
        Self(v4.map_or(network, IpNet::from))
    }
}

/// An http or https URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpUrl(String);

impl HttpUrl {
    /// A placeholder for a page of the company's site.
    pub(super) fn example(page: &str) -> Self {
        Self(format!("https://example.com/{page}"))
    }

    /// A URL that is valid in the source.
    pub(super) fn literal(url: &str) -> Self {
        Self(url.to_owned())
    }

    /// The URL with the characters encoded that it can't contain; `None` if it is not http or https.
    pub fn encoded(url: &str) -> Option<Self> {
        url.replace(';', "%3B").replace('\'', "%27").replace('"', "%22").parse().ok()
    }

    /// The URL without a trailing slash.
    pub fn as_str(&self) -> &str {
        self.0.trim_end_matches('/')
    }

    /// `https://host:port`, for a content security policy.
    pub fn origin(&self) -> String {
        url::Url::parse(&self.0).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }
}

impl fmt::Display for HttpUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::str::FromStr for HttpUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A semicolon would end a directive of the content security policy.
        if is_web_url(text) && !text.contains([';', '\'', '"']) {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("`{text}` is not a URL; use one that begins with https:// or http://"))
        }
    }
}

impl<'de> Deserialize<'de> for HttpUrl {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// The public URL of the site as browsers send it in the Origin header: a lower-case host without the default port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// `https://host:port`
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for BaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url: HttpUrl = text.parse()?;
        let parsed = url::Url::parse(text).map_err(|error| error.to_string())?;
        // URLs in the pages are absolute paths, which would bypass a base path.
        let bare = parsed.path() == "/" && parsed.query().is_none() && parsed.fragment().is_none();
        if bare && parsed.username().is_empty() && parsed.password().is_none() {
            Ok(Self(url.origin()))
        } else {
            Err(format!("`{text}` contains more than a host; use the host alone, such as {}", url.origin()))
        }
    }
}

impl Serialize for HttpUrl {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&self.0)
    }
}

/// A key that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key; `None` for a blank one.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The key in plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[secret]")
    }
}

/// Larger numbers are typing errors and would overflow dates.
const MAX_NUMBER: u32 = 100_000;

/// A number of at least 1.
pub(super) fn at_least_one<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    number_from(from, 1)
}

/// A number of at least 0.
pub(super) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    number_from(from, 0)
}

fn number_from<'de, D: Deserializer<'de>>(from: D, least: u32) -> Result<u32, D::Error> {
    let number = i64::deserialize(from)?;
    u32::try_from(number).ok().filter(|number| (least..=MAX_NUMBER).contains(number)).ok_or_else(|| {
        let expected = format!("a whole number from {least} to {MAX_NUMBER}");
        D::Error::invalid_value(Unexpected::Signed(number), &expected.as_str())
    })
}

/// A string that is not blank.
pub(super) fn not_blank<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    if text.trim().is_empty() { Err(D::Error::custom("this can't be blank")) } else { Ok(text) }
}

/// Attributes of an HTML element.
pub(super) fn attributes<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    let attributes = BTreeMap::<String, String>::deserialize(from)?;
    match attributes.keys().find(|name| !is_attribute_name(name)) {
        Some(name) => Err(D::Error::custom(format!("`{name}` is not allowed; use a name such as data-form"))),
        None => Ok(attributes),
    }
}

/// Whether an attribute with this name may be set. An invalid name would throw in the page's script; the content security
/// policy blocks event handlers and styles.
pub fn is_attribute_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c))
        && !name.starts_with("on")
        && name != "style"
}

/// An optional value; blank means unset, which lets the example file list every key.
pub(super) fn or_blank<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: std::str::FromStr<Err = String>,
{
    let text = String::deserialize(from)?;
    if text.trim().is_empty() { Ok(None) } else { text.parse().map(Some).map_err(D::Error::custom) }
}

/// The URL of an image, which the content security policy blocks if it is http; blank means unset.
pub(super) fn image_or_blank<'de, D: Deserializer<'de>>(from: D) -> Result<Option<HttpUrl>, D::Error> {
    match or_blank::<D, HttpUrl>(from)? {
        Some(url) if is_http(&url.0) => {
            Err(D::Error::custom(format!("browsers block `{url}`, because only https images are allowed; use https")))
        }
        url => Ok(url),
    }
}

/// An optional secret; blank means unset.
pub(super) fn secret_or_blank<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Secret>, D::Error> {
    // The parser's message would print the key.
    let text = String::deserialize(from).map_err(|_| D::Error::custom("a key must be a string in double quotes"))?;
    if text.trim().contains(char::is_control) {
        return Err(D::Error::custom("a key can't contain a line break or another control character"));
    }
    Ok(Secret::new(&text))
}

/// A path; blank means the default.
pub(super) fn path_or_default<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    let text = String::deserialize(from)?;
    Ok(if text.trim().is_empty() { super::Database::default().path } else { text.into() })
}

/// An optional string, trimmed; blank means unset.
pub(super) fn text_or_blank<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(from)?;
    Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
}
