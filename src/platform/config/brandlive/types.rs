//! Enums and small values of `[brandlive]`, validated when they are read.

use serde::{Deserialize, Deserializer, de::Error as _};

use super::super::values::{HttpUrl, at_least_one, text_or_blank};
use crate::platform::messages::EVENT_TYPES;
use crate::platform::validate::is_web_url;
use crate::platform::zone;

/// The longest event that is synced, in minutes: four weeks.
pub const MAX_EVENT_MINUTES: u32 = 28 * 24 * 60;

/// How the key is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CredentialsMode {
    /// Key and secret in two headers.
    Headers,
    /// The key as a bearer token.
    Bearer,
    /// Key and secret in the query string.
    Query,
    /// Key and secret as user and password (RFC 7617).
    Basic,
    /// `Authorization: Basic key:secret` without Base64.
    #[serde(rename = "basic_plain")]
    BasicPlain,
    /// A token is fetched with both first and then sent as a bearer token.
    Token,
}

/// How a long list is split into pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PagingMode {
    /// One response contains all items.
    None,
    /// By page number.
    Page,
    /// By the number of items before the page.
    Offset,
    /// Each response contains a cursor for the next page.
    Cursor,
    /// Each response contains the URL of the next page.
    Next,
}

/// How start and end are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeFormat {
    /// Detected for each value.
    Auto,
    /// With an offset, RFC 3339.
    Rfc3339,
    /// Seconds since 1970.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// Local time in the event's zone.
    Naive,
}

/// The unit of a duration without a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DurationUnit {
    Minutes,
    Seconds,
}

/// A path on the provider's host; blank for none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlPath(pub String);

impl<'de> Deserialize<'de> for UrlPath {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?.trim().to_owned();
        if text.is_empty() {
            return Ok(Self(text));
        }
        if !begins_with_one_slash(&text) {
            return Err(D::Error::custom("a path begins with one slash, such as /v1/events"));
        }
        check_path(text).map(Self)
    }
}

fn begins_with_one_slash(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//")
}

/// Rejects characters that a URL does not transmit as they are.
fn check_path<E: serde::de::Error>(path: String) -> Result<String, E> {
    if path.contains(|c: char| c.is_control() || c.is_whitespace() || matches!(c, '\\' | '#')) {
        return Err(E::custom("a path can't contain spaces, control characters, backslashes or #"));
    }
    Ok(path)
}

/// A JSON pointer (RFC 6901).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer(pub String);

impl Pointer {
    /// Its segments, unescaped.
    pub fn segments(&self) -> Vec<String> {
        self.0.split('/').skip(1).map(|segment| segment.replace("~1", "/").replace("~0", "~")).collect()
    }
}

impl<'de> Deserialize<'de> for Pointer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let is_escaped = |rest: &str| rest.starts_with(['0', '1']);
        let problem = if !text.is_empty() && !text.starts_with('/') {
            "a JSON pointer begins with a slash, such as /data/title; \"\" is the whole response"
        } else if !text.split('~').skip(1).all(is_escaped) {
            "in a JSON pointer, a name contains ~ as ~0 and / as ~1"
        } else if text.contains(char::is_control) || text.ends_with(char::is_whitespace) {
            "a JSON pointer can't contain control characters or end with a space"
        } else {
            return Ok(Self(text));
        };
        Err(D::Error::custom(problem))
    }
}

pub(super) fn pointers(list: &[&str]) -> Vec<Pointer> {
    list.iter().map(|text| Pointer((*text).to_owned())).collect()
}

/// The placeholder of the provider's id in a path or a URL.
const ID_PLACEHOLDER: &str = "{id}";

/// The path of one event, and when it is requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DetailPath {
    /// Never requested.
    Never,
    /// `DetailPath::KNOWN`, requested for items of the list that lack fields.
    Auto,
    /// This path with `{id}` in it, requested for every new or changed item.
    Always(String),
}

impl DetailPath {
    /// The publicly known path of one event.
    const KNOWN: &'static str = "/v1/event/{id}";

    /// The path with `{id}` in it; `None` if it is never requested.
    pub fn template(&self) -> Option<&str> {
        match self {
            Self::Never => None,
            Self::Auto => Some(Self::KNOWN),
            Self::Always(path) => Some(path),
        }
    }
}

impl<'de> Deserialize<'de> for DetailPath {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?.trim().to_owned();
        match text.as_str() {
            "" => Ok(Self::Never),
            "auto" => Ok(Self::Auto),
            path if begins_with_one_slash(path) && path.contains(ID_PLACEHOLDER) => check_path(text).map(Self::Always),
            _ => Err(D::Error::custom(
                "the path of one event begins with one slash and has {id} in it, such as /v1/event/{id}; it can also be \
                 auto or blank",
            )),
        }
    }
}

/// A URL to which paths are appended.
pub(super) fn url_without_query<'de, D: Deserializer<'de>>(from: D) -> Result<HttpUrl, D::Error> {
    let url = HttpUrl::deserialize(from)?;
    if url.as_str().contains(['?', '#']) {
        return Err(D::Error::custom("the paths are appended to this URL, so it can't contain `?` or `#`"));
    }
    let parsed = url::Url::parse(url.as_str()).ok();
    if parsed.is_some_and(|url| !url.username().is_empty() || url.password().is_some()) {
        return Err(D::Error::custom(
            "this URL can't contain a user name or a password; set api_key and api_secret under [brandlive]",
        ));
    }
    Ok(url)
}

/// At least one pointer.
pub(super) fn non_empty_pointers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Pointer>, D::Error> {
    let list = Vec::<Pointer>::deserialize(from)?;
    if list.is_empty() { Err(D::Error::custom("this list can't be empty")) } else { Ok(list) }
}

pub(super) fn registration_url_template<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = text_or_blank(from)?;
    match &text {
        Some(url) if !is_web_url(&url.replace(ID_PLACEHOLDER, "1")) => {
            Err(D::Error::custom(format!("`{url}` is not a URL, such as https://example.com/{{id}}")))
        }
        _ => Ok(text),
    }
}

fn up_to<'de, D: Deserializer<'de>>(from: D, max: u32) -> Result<u32, D::Error> {
    let number = at_least_one(from)?;
    if number <= max { Ok(number) } else { Err(D::Error::custom(format!("this must be at most {max}"))) }
}

pub(super) fn at_most_15<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    up_to(from, 15)
}

pub(super) fn at_most_90<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    up_to(from, 90)
}

/// The duration of an event in minutes, at most four weeks.
pub(super) fn minutes<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    up_to(from, MAX_EVENT_MINUTES)
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
    known_zone(&String::deserialize(from)?)
}

pub(super) fn optional_zone<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    text_or_blank(from)?.map(|name| known_zone(&name)).transpose()
}

fn known_zone<E: serde::de::Error>(name: &str) -> Result<String, E> {
    let zone = zone::find_in_any_case(name).map(|zone| zone.name().to_owned());
    zone.ok_or_else(|| E::custom("a time zone is an IANA name such as America/New_York or UTC"))
}
