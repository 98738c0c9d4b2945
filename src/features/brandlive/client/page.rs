//! One page of the provider's list: its items, and what the response states about the other pages.

use std::collections::{BTreeMap, BTreeSet};

use http::header::{CONTENT_RANGE, LINK};
use http::{HeaderMap, HeaderValue};
use serde_json::Value;
use url::Url;

use super::super::mapping::{ListEntry, has_content};
use super::{Client, ProviderError, json_stream, parse};
use crate::platform::config::Brandlive;
use crate::platform::config::brandlive::{PagingMode, Pointer};

/// The header of a total.
const TOTAL_COUNT: &str = "x-total-count";
/// Attempts of `--probe`, which may have to try other credentials.
const PROBE_ATTEMPTS: u32 = 3;
/// Keys whose value, if there is one, is an error.
const ERROR_KEYS: [&str; 6] = ["error", "errors", "error_message", "errorMessage", "fault", "exception"];
/// Keys of flags that are false for an error.
const SUCCESS_KEYS: [&str; 2] = ["success", "ok"];
/// Keys of a status: a number from 400 to 599, or a word.
const STATUS_KEYS: [&str; 4] = ["status", "statusCode", "status_code", "code"];
/// Status words of an error.
const ERROR_STATUSES: [&str; 4] = ["error", "fail", "failed", "failure"];
/// Keys of a word for the result; other values of theirs can be anything.
const RESULT_KEYS: [&str; 2] = ["result", "outcome"];
/// Keys that only a body without events uses for the text of an error.
const MESSAGE_KEYS: [&str; 4] = ["message", "msg", "detail", "reason"];
/// Parts of the text of an error beside an empty list.
const ERROR_TEXTS: [&str; 24] = [
    "error",
    "fail",
    "exception",
    "limited",
    "rate limit",
    "limit reached",
    "exceeded",
    "throttl",
    "too many",
    "unavailable",
    "maintenance",
    "timeout",
    "timed out",
    "try again",
    "busy",
    "overload",
    "denied",
    "forbidden",
    "unauthori",
    "not allowed",
    "invalid",
    "expired",
    "refused",
    "not ready",
];
/// Parts of a text beside an empty list that say that there are no further events.
const END_TEXTS: [&str; 10] = [
    "no more",
    "no further",
    "no event",
    "no result",
    "no data",
    "no record",
    "no item",
    "not found",
    "end of",
    "last page",
];
/// Words that say the same, or that the request succeeded.
const END_WORDS: [&str; 7] = ["ok", "success", "successful", "successfully", "empty", "none", "nothing"];

/// An item of a page.
pub(super) enum PageItem {
    /// The mapped item; no details are requested.
    Mapped(ListEntry),
    /// Its details are to be requested.
    NeedsDetails { id: String, item: Value },
    /// This sync requested its details before the list.
    HasDetails { id: String },
}

impl PageItem {
    /// The provider's id, if the item has one.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            Self::Mapped(entry) => entry.id(),
            Self::NeedsDetails { id, .. } | Self::HasDetails { id } => Some(id),
        }
    }
}

/// The response to the request for a page.
pub(super) enum PageResponse {
    /// A page with a list, which can be empty.
    Page(Page),
    /// There is no such page: status 204, or a null body.
    NoContent,
    /// An empty body with another status.
    EmptyBody,
    /// An object without a list.
    NoList,
}

/// A page of the list.
pub(super) struct Page {
    /// The items of its list, in the order of the response.
    pub(super) items: Vec<PageItem>,
    /// The body without its list, which may contain the next cursor and the total.
    pub(super) rest: Value,
    /// Whether the body gives a reason to doubt its list: an error in spite of its items, or, beside no items, a text
    /// that does not say that there are no more.
    pub(super) is_doubtful: bool,
    /// The links in its headers.
    pub(super) links: Links,
    /// The number of items on all pages, from the headers.
    pub(super) total: Option<u64>,
    /// Whether the header of the total can't be read.
    pub(super) has_unreadable_total: bool,
}

/// The `Link` headers of a page (RFC 8288).
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Whether there are any links.
    pub(super) has_any: bool,
    /// The URL of the next page.
    pub(super) next: Option<String>,
}

/// A count outside of the list.
#[derive(Debug, PartialEq)]
pub(super) enum Count<'p> {
    /// The response has no count, or the provider does not know it.
    Unknown,
    /// The count.
    Known(u64),
    /// Only values that are no counts.
    Unreadable(&'p Pointer),
}

impl Client<'_> {
    /// The settings that a position in the list belongs to.
    pub(super) fn list_settings(&self) -> String {
        let paging = &self.config.paging;
        format!("{} {} {:?} {} {}", self.base, self.config.list_path.0, paging.mode, paging.parameter, paging.size)
    }

    /// The URL of the first page.
    pub(super) fn first_page(&self) -> Result<Url, ProviderError> {
        let mut url = self.url(&self.config.list_path.0)?;
        let paging = &self.config.paging;
        if paging.mode != PagingMode::None && !paging.size_parameter.is_empty() {
            set_parameter(&mut url, &paging.size_parameter, &paging.size.to_string());
        }
        match paging.mode {
            PagingMode::Page => set_parameter(&mut url, &paging.parameter, &paging.first.to_string()),
            PagingMode::Offset => set_parameter(&mut url, &paging.parameter, "0"),
            _ => {}
        }
        Ok(url)
    }

    /// Reads a page.
    pub(super) fn page(
        &self,
        url: &Url,
        is_first: bool,
        to_item: &dyn Fn(Value) -> PageItem,
    ) -> Result<PageResponse, ProviderError> {
        let response = self.get(url, u32::MAX)?;
        let body = response.json();
        let is_blank = body.trim_ascii().is_empty();
        if response.is_no_content || (!is_first && body.trim_ascii() == b"null") {
            return Ok(PageResponse::NoContent);
        }
        if !is_first && is_blank {
            return Ok(PageResponse::EmptyBody);
        }
        let segments: Vec<Vec<String>> = self.config.items.iter().map(Pointer::segments).collect();
        let pointers: Vec<json_stream::ListPointer<'_>> = segments.iter().map(Vec::as_slice).enumerate().collect();
        let mut lists: BTreeMap<usize, Vec<PageItem>> = BTreeMap::new();
        let rest = json_stream::read(body, &pointers, &mut |pointer, item| {
            let list = lists.entry(pointer).or_default();
            list.extend(item.map(to_item));
        })
        .map_err(|source| ProviderError::invalid_json(url.path(), body, source))?;
        let is_null = |pointer: &Pointer| !pointer.0.is_empty() && rest.pointer(&pointer.0).is_some_and(Value::is_null);
        let (items, is_null_list) = match lists.pop_first() {
            Some((_, items)) => (Some(items), false),
            None => (self.config.items.iter().any(is_null).then(Vec::new), true),
        };
        let error_in_body = || ProviderError::ErrorInBody { path: url.path().to_owned() };
        match items {
            Some(items)
                if items.is_empty() && (reports_error(&rest) || messages(&rest).any(|text| is_error_text(&text))) =>
            {
                Err(error_in_body())
            }
            Some(items) => {
                let (links, total) = (links(&response.headers), total_in_headers(&response.headers));
                let is_doubtful = if items.is_empty() {
                    !messages(&rest).all(|text| is_end_text(&text)) || (is_null_list && self.has_unknown_text(&rest))
                } else {
                    reports_error(&rest)
                };
                let has_unreadable_total = has_unreadable_total(&response.headers);
                Ok(PageResponse::Page(Page { items, rest, is_doubtful, links, total, has_unreadable_total }))
            }
            None if reports_error(&rest) || has_message(&rest) => Err(error_in_body()),
            None if !is_first && rest.is_object() => Ok(PageResponse::NoList),
            None => {
                let pointers: Vec<&str> = self.config.items.iter().map(|pointer| pointer.0.as_str()).collect();
                Err(ProviderError::NoList { pointers: pointers.join("\", \"") })
            }
        }
    }

    /// Whether a body without a list contains a text under a key that neither the settings nor this module know.
    fn has_unknown_text(&self, body: &Value) -> bool {
        let paging = &self.config.paging;
        let settings = [&self.config.items, &paging.next, &paging.more, &paging.total, &paging.total_pages];
        let of_settings = settings.into_iter().flatten().filter_map(|pointer| pointer.segments().into_iter().next());
        let known: BTreeSet<String> = of_settings.collect();
        let lists: [&[&str]; 5] = [&ERROR_KEYS, &SUCCESS_KEYS, &STATUS_KEYS, &RESULT_KEYS, &MESSAGE_KEYS];
        let is_known = |key: &String| known.contains(key) || lists.iter().any(|list| list.contains(&key.as_str()));
        let mut members = body.as_object().into_iter().flatten();
        members.any(|(key, value)| value.is_string() && has_content(value) && !is_known(key))
    }

    /// The first page as JSON, and its headers, for `--probe`.
    pub(super) fn first_page_json(&self) -> Result<(Value, HeadersOfPage), ProviderError> {
        let url = self.first_page()?;
        let response = self.get(&url, PROBE_ATTEMPTS)?;
        let text = |name: &str| response.headers.get(name)?.to_str().ok().map(|text| text.trim().to_owned());
        let headers = HeadersOfPage {
            next: links(&response.headers).next,
            content_range: text(CONTENT_RANGE.as_str()),
            total_count: text(TOTAL_COUNT),
        };
        Ok((parse(url.path(), response.json())?, headers))
    }
}

/// The headers of a page that state something about the pages.
pub(super) struct HeadersOfPage {
    /// The URL in `Link` with `rel="next"`.
    pub(super) next: Option<String>,
    /// The header `Content-Range`.
    pub(super) content_range: Option<String>,
    /// The header `X-Total-Count`.
    pub(super) total_count: Option<String>,
}

/// Whether the body of a page has no events and reports an error.
pub(super) fn is_error_body(config: &Brandlive, body: &Value) -> bool {
    let mut lists = config.items.iter().filter_map(|pointer| body.pointer(&pointer.0)?.as_array());
    match lists.next() {
        Some(list) => list.is_empty() && (reports_error(body) || messages(body).any(|text| is_error_text(&text))),
        None => reports_error(body) || has_message(body),
    }
}

/// Whether the body of a successful response reports an error.
pub(super) fn reports_error(body: &Value) -> bool {
    let is_error_status = |value: &Value| match value {
        Value::String(text) => {
            let text = text.trim().to_lowercase();
            ERROR_STATUSES.contains(&text.as_str()) || text.parse().is_ok_and(is_error_code)
        }
        value => value.as_u64().is_some_and(is_error_code),
    };
    let any = |keys: &[&str], is_error: &dyn Fn(&Value) -> bool| values_at(body, keys).any(is_error);
    any(&ERROR_KEYS, &is_filled)
        || any(&SUCCESS_KEYS, &|value| *value == Value::Bool(false))
        || any(&STATUS_KEYS, &is_error_status)
        || any(&RESULT_KEYS, &|value| value.is_string() && is_error_status(value))
}

/// The values at these keys, in the body and in its `data`.
fn values_at<'v>(body: &'v Value, keys: &[&str]) -> impl Iterator<Item = &'v Value> {
    let bodies = [Some(body), body.get("data")].into_iter().flatten();
    bodies.flat_map(move |body| keys.iter().filter_map(move |key| body.get(*key)))
}

/// The texts beside an empty list, in lower case.
fn messages(body: &Value) -> impl Iterator<Item = String> {
    let texts = values_at(body, &MESSAGE_KEYS).filter(|value| has_content(value)).filter_map(Value::as_str);
    texts.map(str::to_lowercase)
}

fn is_error_text(text: &str) -> bool {
    ERROR_TEXTS.iter().any(|part| text.contains(part))
}

fn is_end_text(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    END_TEXTS.iter().any(|part| text.contains(part)) || words.any(|word| END_WORDS.contains(&word))
}

fn is_error_code(code: u64) -> bool {
    (400..600).contains(&code)
}

/// Whether a body without events contains the text of an error.
pub(super) fn has_message(body: &Value) -> bool {
    MESSAGE_KEYS.iter().filter_map(|key| body.get(*key)).any(is_filled)
}

/// Whether a value is neither empty, false nor zero.
fn is_filled(value: &Value) -> bool {
    match value {
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        value => has_content(value),
    }
}

/// The links of a response.
fn links(headers: &HeaderMap) -> Links {
    let mut found = Links::default();
    for header in headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok()) {
        let mut rest = header;
        while let Some((url, after)) = rest.split_once('<').and_then(|(_, rest)| rest.split_once('>')) {
            let parameters = unquoted_prefix(after, ',');
            rest = &after[parameters.len()..];
            found.has_any = true;
            if found.next.is_none() && is_next_link(parameters) {
                found.next = Some(url.trim().to_owned());
            }
        }
    }
    found
}

/// The text up to a separator that is not within quotes.
fn unquoted_prefix(text: &str, separator: char) -> &str {
    let mut is_quoted = false;
    let end = text.find(|c: char| {
        is_quoted ^= c == '"';
        c == separator && !is_quoted
    });
    &text[..end.unwrap_or(text.len())]
}

/// Whether the parameters of a link contain `rel="next"`.
fn is_next_link(parameters: &str) -> bool {
    let mut relations = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    relations.any(|(name, value)| {
        let mut words = value.trim().trim_matches('"').split_ascii_whitespace();
        name.trim().eq_ignore_ascii_case("rel") && words.any(|word| word.eq_ignore_ascii_case("next"))
    })
}

/// The number of items on all pages in `Content-Range: items 0-99/250` or `X-Total-Count: 250`.
fn total_in_headers(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let of_range = || text(CONTENT_RANGE.as_str())?.rsplit_once('/')?.1.trim().parse().ok();
    of_range().or_else(|| text(TOTAL_COUNT)?.parse().ok())
}

/// Whether `X-Total-Count` is neither a count, nor blank, nor -1.
fn has_unreadable_total(headers: &HeaderMap) -> bool {
    let text = |value: &HeaderValue| value.to_str().map(|text| text.trim().to_owned()).ok();
    let is_readable = |text: String| text.is_empty() || text == "-1" || text.parse::<u64>().is_ok();
    headers.get(TOTAL_COUNT).is_some_and(|value| !text(value).is_some_and(is_readable))
}

/// The count at the first of the pointers that leads to one.
pub(super) fn count_at<'p>(rest: &Value, pointers: &'p [Pointer]) -> Count<'p> {
    let mut unreadable = None;
    for pointer in pointers {
        let Some(value) = rest.pointer(&pointer.0).filter(|value| has_content(value)) else { continue };
        match whole_number(value) {
            Some(-1) => {}
            Some(number) if number >= 0 => return Count::Known(number.unsigned_abs()),
            _ => unreadable = unreadable.or(Some(pointer)),
        }
    }
    unreadable.map_or(Count::Unknown, Count::Unreadable)
}

/// A count that is written as a number, such as 250 or 250.0, or as a text.
fn whole_number(value: &Value) -> Option<i64> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    text.strip_suffix(".0").unwrap_or(&text).parse().ok()
}

/// A flag as a boolean, a number or a word.
pub(super) fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) if number.as_f64() == Some(0.0) => Some(false),
        Value::Number(number) if number.as_f64() == Some(1.0) => Some(true),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "1" | "yes" | "y" => Some(true),
            "false" | "0" | "no" | "n" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Sets a parameter of a URL, replacing its former value.
pub(super) fn set_parameter(url: &mut Url, name: &str, value: &str) {
    let others: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(other, _)| other != name)
        .map(|(other, value)| (other.into_owned(), value.into_owned()))
        .collect();
    url.query_pairs_mut().clear().extend_pairs(others).append_pair(name, value);
}
