//! What an answer of the provider's looks like, for an operator who fits the settings to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::{Client, Said};
use crate::platform::config::brandlive::Pointer;
use crate::platform::config::{Brandlive, Secret};

/// So much of a value is shown, in characters.
const SHOWN: usize = 32;
/// Names of what is not shown at all.
const HIDDEN: [&str; 8] = ["token", "secret", "key", "password", "passcode", "auth", "credential", "signature"];

/// What the first page of the list holds.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Probe {
    /// Where the list is, as `items` under `[brandlive]` has it; `None` where none of those leads to one.
    pub list: Option<String>,
    /// How many items the page has.
    pub items: usize,
    /// Everything outside of the list.
    pub outside: Vec<Key>,
    /// Everything in its items, from an item on.
    pub inside: Vec<Key>,
}

/// One key of an answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Where it is, with `*` for each member of a list.
    pub pointer: String,
    /// What kinds of value it has.
    pub types: BTreeSet<&'static str>,
    /// One of its values, shortened.
    pub example: String,
    /// The setting under `[brandlive.mapping]` that reads it.
    pub read_as: Option<&'static str>,
}

/// Asks for the first page and describes it. Writes nothing.
///
/// # Errors
/// A sentence without a full stop, as of a sync that can't fetch.
pub fn probe(config: &Brandlive) -> Result<Probe, Said> {
    let mut answer = Client::start(config)?.first_answer()?;
    let secrets: Vec<&str> = [&config.api_key, &config.api_secret].into_iter().flatten().map(Secret::reveal).collect();
    let place = config.items.iter().find(|place| answer.pointer(&place.0).is_some_and(Value::is_array));
    let list = place.and_then(|place| answer.pointer_mut(&place.0)).map(Value::take);
    let mut outside = Keys { secrets: &secrets, found: BTreeMap::new() };
    outside.walk("", &answer, false);
    let mut inside = Keys { secrets: &secrets, found: BTreeMap::new() };
    let items = list.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for item in items {
        inside.walk("", item, false);
    }
    let mut inside = inside.found;
    for (pointer, key) in &mut inside {
        key.read_as = read_as(config, items, pointer);
    }
    Ok(Probe {
        list: place.map(|place| place.0.clone()),
        items: items.len(),
        outside: outside.found.into_values().filter(|key| is_beside(place, &key.pointer)).collect(),
        inside: inside.into_values().collect(),
    })
}

/// Whether a place is neither the whole answer nor where the list was.
fn is_beside(list: Option<&Pointer>, pointer: &str) -> bool {
    !pointer.is_empty() && list.is_none_or(|place| place.0 != pointer)
}

/// The setting whose first place with a value, in any item, is this one.
fn read_as(config: &Brandlive, items: &[Value], pointer: &str) -> Option<&'static str> {
    let there =
        |place: &&Pointer| items.iter().any(|item| item.pointer(&place.0).is_some_and(|value| !value.is_null()));
    let reads = |places: &[Pointer]| places.iter().find(there).is_some_and(|place| place.0 == pointer);
    settings(config).into_iter().find(|(_, places)| reads(places)).map(|(name, _)| name)
}

fn settings(config: &Brandlive) -> [(&'static str, &[Pointer]); 14] {
    let fields = &config.mapping;
    [
        ("id", &fields.id),
        ("title", &fields.title),
        ("starts_at", &fields.starts_at),
        ("date", &fields.date),
        ("time", &fields.time),
        ("timezone", &fields.timezone),
        ("duration", &fields.duration),
        ("ends_at", &fields.ends_at),
        ("summary", &fields.summary),
        ("description", &fields.description),
        ("registration_url", &fields.registration_url),
        ("status", &fields.status),
        ("type", &fields.r#type),
        ("series", &fields.series),
    ]
}

struct Keys<'s> {
    secrets: &'s [&'s str],
    found: BTreeMap<String, Key>,
}

impl Keys<'_> {
    fn walk(&mut self, pointer: &str, value: &Value, hidden: bool) {
        match value {
            Value::Object(map) => {
                for (name, inner) in map {
                    let lower = name.to_lowercase();
                    let hidden = hidden || HIDDEN.iter().any(|word| lower.contains(word));
                    let step: String = name.replace('~', "~0").replace('/', "~1");
                    self.walk(&format!("{pointer}/{step}"), inner, hidden);
                }
            }
            Value::Array(list) if list.iter().any(|inner| inner.is_object() || inner.is_array()) => {
                list.iter().take(20).for_each(|inner| self.walk(&format!("{pointer}/*"), inner, hidden));
            }
            _ => self.note(pointer, value, hidden),
        }
    }

    fn note(&mut self, pointer: &str, value: &Value, hidden: bool) {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "number",
            Value::String(_) => "text",
            Value::Array(_) | Value::Object(_) => "list",
        };
        let whole = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let example = if hidden || self.secrets.iter().any(|secret| whole.contains(secret)) {
            "[hidden]".to_owned()
        } else {
            shortened(&whole)
        };
        let key = self.found.entry(pointer.to_owned()).or_insert_with(|| Key {
            pointer: visible(pointer),
            types: BTreeSet::new(),
            example: example.clone(),
            read_as: None,
        });
        key.types.insert(kind);
        if key.example == "null" {
            key.example = example;
        }
    }
}

fn shortened(text: &str) -> String {
    // What stands behind a question mark of an address is often a key.
    let text = if text.contains("://") { text.split('?').next().unwrap_or_default() } else { text };
    let text = visible(text);
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain(['…']).collect() }
}

/// Without anything that a terminal would act upon.
fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl Probe {
    /// As a table for a terminal.
    pub fn table(&self) -> String {
        let mut out = String::new();
        if !self.outside.is_empty() {
            out.push_str("Beside the list the answer holds\n");
            lines(&mut out, &self.outside);
        }
        // Writing into memory does not fail.
        let _ = match &self.list {
            Some(place) => {
                writeln!(out, "The list is at \"{}\"; the {} items of its first page hold", visible(place), self.items)
            }
            None => writeln!(out, "None of the places in `items` under [brandlive] leads to a list."),
        };
        lines(&mut out, &self.inside);
        out
    }
}

fn lines(out: &mut String, keys: &[Key]) {
    let widest = keys.iter().map(|key| key.pointer.chars().count()).max().unwrap_or_default().min(48);
    for key in keys {
        let types = key.types.iter().copied().collect::<Vec<_>>().join(" or ");
        let read = key.read_as.map_or_else(String::new, |name| format!("   <- {name}"));
        let _ = writeln!(out, "  {:widest$}  {types:<14}  {}{read}", key.pointer, key.example);
    }
}
