//! The words and small values of `[brandlive]`, which check themselves when they are read.

use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::super::values::{at_least_one, text_or_blank};
use crate::platform::messages::EVENT_TYPES;
use crate::platform::validate::is_web_url;

/// How the key is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CredentialsWay {
    /// Key and secret in two headers.
    Headers,
    /// The key as a bearer token.
    Bearer,
    /// Key and secret in the query string.
    Query,
    /// Key and secret as user and password.
    Basic,
    /// A token is fetched with both first and then sent as a bearer token.
    Token,
}

/// How a long list is parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PagingWay {
    /// One answer holds all.
    None,
    /// Pages by number.
    Page,
    /// Pages by how many items come before.
    Offset,
    /// Each answer holds a word for the next.
    Cursor,
    /// Each answer holds the address of the next.
    Next,
}

/// How start and end are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeForm {
    /// Whichever of the others it looks like.
    Auto,
    /// With an offset, RFC 3339.
    Rfc3339,
    /// Seconds since 1970.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// Wall clock of the event's zone.
    Naive,
}

/// What a number for the length counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DurationUnit {
    /// Minutes.
    Minutes,
    /// Seconds.
    Seconds,
}

/// A path on the provider's host; blank for none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(pub String);

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?.trim().to_owned();
        if text.is_empty() || (text.starts_with('/') && !text.starts_with("//")) {
            Ok(Self(text))
        } else {
            Err(D::Error::custom("a path begins with one slash, such as /v1/events"))
        }
    }
}

/// A JSON pointer (RFC 6901).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer(pub String);

impl Pointer {
    /// Its steps, unescaped.
    pub fn steps(&self) -> Vec<String> {
        self.0.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
    }
}

impl<'de> Deserialize<'de> for Pointer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        if text.is_empty() || text.starts_with('/') {
            Ok(Self(text))
        } else {
            Err(D::Error::custom("a JSON pointer begins with a slash, such as /data/title; \"\" is the whole"))
        }
    }
}

pub(super) fn pointers(list: &[&str]) -> Vec<Pointer> {
    list.iter().map(|text| Pointer((*text).to_owned())).collect()
}

/// Where the provider's id belongs in a path or an address.
const ID: &str = "{id}";

pub(super) fn detail_path<'de, D: Deserializer<'de>>(from: D) -> Result<Path, D::Error> {
    let path = Path::deserialize(from)?;
    if path.0.is_empty() || path.0.contains(ID) {
        Ok(path)
    } else {
        Err(D::Error::custom("the path of one event has {id} in it, such as /v1/events/{id}"))
    }
}

/// Pointers of which there must be one at least: nothing can be imported without.
pub(super) fn somewhere<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Pointer>, D::Error> {
    let list = Vec::<Pointer>::deserialize(from)?;
    if list.is_empty() { Err(D::Error::custom("this list can't be empty")) } else { Ok(list) }
}

pub(super) fn address_of_one<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = text_or_blank(from)?;
    match &text {
        Some(address) if !is_web_url(&address.replace(ID, "1")) => {
            Err(D::Error::custom(format!("`{address}` is no web address, such as https://example.com/{{id}}")))
        }
        _ => Ok(text),
    }
}

fn up_to<'de, D: Deserializer<'de>>(from: D, most: u32) -> Result<u32, D::Error> {
    let number = at_least_one(from)?;
    if number <= most { Ok(number) } else { Err(D::Error::custom(format!("this can be {most} at the most"))) }
}

pub(super) fn at_most_15<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    up_to(from, 15)
}

pub(super) fn at_most_90<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    up_to(from, 90)
}

pub(super) fn event_type<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    if EVENT_TYPES.contains(&text.as_str()) {
        Ok(text)
    } else {
        Err(D::Error::custom(format!("this must be one of {}", EVENT_TYPES.join(", "))))
    }
}

pub(super) fn zone_name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    match text.parse::<Tz>() {
        Ok(_) => Ok(text),
        Err(_) => Err(D::Error::custom("a time zone is an IANA name such as America/New_York")),
    }
}
