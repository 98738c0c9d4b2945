//! The structure of the provider's first page, for an operator who adapts the settings to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::super::mapping;
use super::list::URL_KEYS;
use super::page::{HeadersOfPage, is_error_body};
use super::request_budget::RequestBudget;
use super::{Client, ProviderError, Secrets};
use crate::platform::config::brandlive::{CredentialsMode, PagingMode, Pointer};
use crate::platform::config::{Brandlive, OutgoingNetwork};

/// The length of an example, in characters.
const MAX_EXAMPLE: usize = 32;
/// Parts of the names whose values are not shown.
const SENSITIVE_NAMES: [&str; 8] =
    ["token", "secret", "key", "password", "passcode", "auth", "credential", "signature"];

/// The structure of the first page of the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Probe {
    /// The basic mode of the credentials that the provider accepted, for a configuration with either of the two.
    pub credentials: Option<&'static str>,
    /// The pointer to the list, one of `items` under `[brandlive]`; `None` if none of those leads to a list.
    pub list: Option<String>,
    /// The number of items on the page.
    pub items: usize,
    /// The fields outside of the list, and the headers that state something about the pages.
    pub outside: Vec<ResponseField>,
    /// The fields of its items, relative to the item.
    pub inside: Vec<ResponseField>,
}

/// One field of a response.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseField {
    /// Its JSON pointer, with `*` for each member of a list; for a header its name.
    pub pointer: String,
    /// The types of its values.
    pub types: BTreeSet<&'static str>,
    /// One of its values, shortened.
    pub example: String,
    /// The setting under `[brandlive.mapping]`, or under `[brandlive.paging]`, that reads it.
    pub read_as: Option<&'static str>,
}

/// Fetches the first page and describes it. Writes nothing, so later syncs do not count its requests. The requests of
/// earlier syncs do not count toward its own limits, and it ignores a wait that the provider requested in one of them.
///
/// # Errors
/// When the page can't be fetched.
pub fn probe(config: &Brandlive, network: &OutgoingNetwork) -> Result<Probe, ProviderError> {
    let (credentials, FirstPage { json: mut page, headers, secrets }) = first_page(config, network)?;
    let pointer = config.items.iter().find(|pointer| page.pointer(&pointer.0).is_some_and(Value::is_array));
    let list = pointer.and_then(|pointer| page.pointer_mut(&pointer.0)).map(Value::take);
    let mut outside = ResponseFields { secrets: &secrets, found: BTreeMap::new() };
    outside.collect("", &page, false);
    let mut inside = ResponseFields { secrets: &secrets, found: BTreeMap::new() };
    let items = list.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for item in items {
        inside.collect("", item, false);
    }
    let mut inside = inside.found;
    for (pointer, field) in &mut inside {
        field.read_as = read_as(config, items, pointer);
    }
    let mut outside = outside.found;
    for (pointer, field) in &mut outside {
        field.read_as = read_as_paging(config, pointer);
    }
    let headers = ResponseFields { secrets: &secrets, found: BTreeMap::new() }.headers(config, &headers);
    let outside = outside.into_iter().filter(|(own, _)| is_outside(pointer, own)).map(|(_, field)| field);
    Ok(Probe {
        credentials,
        list: pointer.map(|pointer| pointer.0.clone()),
        items: items.len(),
        outside: outside.chain(headers).collect(),
        inside: inside.into_values().collect(),
    })
}

/// The first page of the list, whatever it contains.
struct FirstPage {
    json: Value,
    headers: HeadersOfPage,
    secrets: Secrets,
}

/// The first page. A request in one basic mode that is rejected, if only in the body, is repeated in the other.
fn first_page(
    config: &Brandlive,
    network: &OutgoingNetwork,
) -> Result<(Option<&'static str>, FirstPage), ProviderError> {
    let request = |config: &Brandlive| {
        let mut client = Client::new(config, network, RequestBudget::new(config, &[], 0))?;
        client.sign_in()?;
        let (json, headers) = client.first_page_json()?;
        Ok(FirstPage { json, headers, secrets: client.secrets })
    };
    let (other, names) = match config.credentials.mode {
        CredentialsMode::Basic => (CredentialsMode::BasicPlain, ("basic", "basic_plain")),
        CredentialsMode::BasicPlain => (CredentialsMode::Basic, ("basic_plain", "basic")),
        _ => return Ok((None, request(config)?)),
    };
    let in_other_mode = || {
        let mut config = config.clone();
        config.credentials.mode = other;
        request(&config)
    };
    let is_error = |page: &FirstPage| is_error_body(config, &page.json);
    match request(config) {
        Ok(page) if !is_error(&page) => Ok((Some(names.0), page)),
        // Without a mode that works, the structure of the error is shown.
        Ok(page) => Ok(match in_other_mode() {
            Ok(other) if !is_error(&other) => (Some(names.1), other),
            _ => (None, page),
        }),
        Err(rejected) if rejected.is_rejection() => match in_other_mode() {
            Ok(page) => Ok(((!is_error(&page)).then_some(names.1), page)),
            Err(_) => Err(rejected),
        },
        Err(error) => Err(error),
    }
}

/// The setting of paging that reads a field outside of the list.
fn read_as_paging(config: &Brandlive, pointer: &str) -> Option<&'static str> {
    let reads_pointer = |pointers: &[Pointer], pointer: &str| pointers.iter().any(|candidate| candidate.0 == pointer);
    let reads = |pointers: &[Pointer]| reads_pointer(pointers, pointer);
    let reads_next = matches!(config.paging.mode, PagingMode::Cursor | PagingMode::Next);
    let link = pointer.rsplit_once('/').filter(|(_, key)| URL_KEYS.contains(key)).map(|(link, _)| link);
    match () {
        () if link.is_some_and(|link| reads_pointer(&config.paging.next, link)) => match config.paging.mode {
            PagingMode::Next => Some("paging.next"),
            _ => Some("paging.next, if mode is \"next\""),
        },
        () if reads(&config.paging.next) && reads_next => Some("paging.next"),
        () if reads(&config.paging.next) => Some("paging.next, if mode is \"next\" or \"cursor\""),
        () if reads(&config.paging.more) => Some("paging.more"),
        () if reads(&config.paging.total) => Some("paging.total"),
        () if reads(&config.paging.total_pages) => Some("paging.total_pages"),
        () => None,
    }
}

/// Whether a pointer leads neither to the whole body nor to the list.
fn is_outside(list: Option<&Pointer>, pointer: &str) -> bool {
    !pointer.is_empty() && list.is_none_or(|list| list.0 != pointer)
}

/// The setting whose first pointer with a value, in any item, is this one.
fn read_as(config: &Brandlive, items: &[Value], pointer: &str) -> Option<&'static str> {
    let has_value =
        |candidate: &&Pointer| items.iter().any(|item| item.pointer(&candidate.0).is_some_and(mapping::has_content));
    let reads = |candidates: &[Pointer]| candidates.iter().find(has_value).is_some_and(|first| first.0 == pointer);
    config.mapping.fields().into_iter().find(|(_, candidates)| reads(candidates)).map(|(name, _)| name)
}

/// Collects the fields of a response.
struct ResponseFields<'s> {
    /// What the examples must not show.
    secrets: &'s Secrets,
    /// The fields so far by pointer, or by name for a header.
    found: BTreeMap<String, ResponseField>,
}

impl ResponseFields<'_> {
    /// The headers that state something about the pages.
    fn headers(mut self, config: &Brandlive, headers: &HeadersOfPage) -> Vec<ResponseField> {
        let paging = &config.paging;
        let next = match paging.mode {
            _ if paging.next.is_empty() => None,
            PagingMode::Next => Some("paging.next"),
            _ => Some("paging.next, if mode is \"next\""),
        };
        let total = (!paging.total.is_empty()).then_some("paging.total");
        let settings = [
            ("header Link, rel=\"next\"", headers.next.as_ref(), next),
            ("header Content-Range", headers.content_range.as_ref(), total),
            ("header X-Total-Count", headers.total_count.as_ref(), total),
        ];
        for (name, text, read_as) in settings {
            let Some(text) = text else { continue };
            self.add(name, &Value::from(text.as_str()), false);
            if let Some(field) = self.found.get_mut(name) {
                field.read_as = read_as;
            }
        }
        self.found.into_values().collect()
    }

    fn collect(&mut self, pointer: &str, value: &Value, is_sensitive: bool) {
        match value {
            Value::Object(map) => {
                for (name, inner) in map {
                    let lower = name.to_lowercase();
                    let is_sensitive = is_sensitive || SENSITIVE_NAMES.iter().any(|word| lower.contains(word));
                    let segment: String = name.replace('~', "~0").replace('/', "~1");
                    self.collect(&format!("{pointer}/{segment}"), inner, is_sensitive);
                }
            }
            Value::Array(list) if list.iter().any(|inner| inner.is_object() || inner.is_array()) => {
                list.iter().take(20).for_each(|inner| self.collect(&format!("{pointer}/*"), inner, is_sensitive));
            }
            _ => self.add(pointer, value, is_sensitive),
        }
    }

    fn add(&mut self, pointer: &str, value: &Value, is_sensitive: bool) {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "number",
            Value::String(_) => "text",
            Value::Array(_) | Value::Object(_) => "list",
        };
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let example =
            if is_sensitive || self.secrets.may_be_in(&text) { "[hidden]".to_owned() } else { shortened(&text) };
        let field = self.found.entry(pointer.to_owned()).or_insert_with(|| ResponseField {
            pointer: printable(&self.secrets.redact(pointer)),
            types: BTreeSet::new(),
            example: example.clone(),
            read_as: None,
        });
        field.types.insert(kind);
        if field.example == "null" {
            field.example = example;
        }
    }
}

fn shortened(text: &str) -> String {
    // The query of a URL often contains credentials.
    let is_url = text.contains("://") || text.starts_with('/');
    let text = if is_url { text.split('?').next().unwrap_or_default() } else { text };
    let text = printable(text);
    if text.chars().count() <= MAX_EXAMPLE { text } else { text.chars().take(MAX_EXAMPLE).chain(['…']).collect() }
}

/// Replaces control characters, which a terminal would interpret.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl Probe {
    /// As a table for a terminal.
    pub fn table(&self) -> String {
        let mut out = String::new();
        if let Some(mode) = self.credentials {
            // Writing to a string does not fail.
            let _ = writeln!(out, "Brandlive accepted the key with mode = \"{mode}\" under [brandlive.credentials].");
        }
        if !self.outside.is_empty() {
            out.push_str("Outside of the list the response contains\n");
            table_rows(&mut out, &self.outside);
        }
        // Writing to a string does not fail.
        let _ = match &self.list {
            Some(pointer) if self.items == 0 => writeln!(
                out,
                "The list is at \"{}\", but its first page is empty; create an event at Brandlive to see the fields of its \
                 items.",
                printable(pointer)
            ),
            Some(pointer) => {
                writeln!(
                    out,
                    "The list is at \"{}\"; the {} items of its first page contain",
                    printable(pointer),
                    self.items
                )
            }
            None => writeln!(out, "None of the pointers in `items` under [brandlive] leads to a list."),
        };
        table_rows(&mut out, &self.inside);
        out
    }
}

fn table_rows(out: &mut String, fields: &[ResponseField]) {
    let widest = fields.iter().map(|field| field.pointer.chars().count()).max().unwrap_or_default().min(48);
    for field in fields {
        let types = field.types.iter().copied().collect::<Vec<_>>().join(" or ");
        let read = field.read_as.map_or_else(String::new, |name| format!("   <- {name}"));
        let _ = writeln!(out, "  {:widest$}  {types:<14}  {}{read}", field.pointer, field.example);
    }
}
