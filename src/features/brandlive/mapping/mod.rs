//! From an item of the provider's to the values of an event.

mod text;
mod when;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client::first;
use super::types::ImportedField;
use crate::platform::config::Brandlive;
use crate::platform::config::brandlive::Pointer;
use crate::platform::messages::{EVENT_TYPES, limits};
use crate::platform::validate::is_web_url;

/// The fields that follow the provider, each as text; blank where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Values(BTreeMap<ImportedField, String>);

impl Values {
    pub(super) fn get(&self, field: ImportedField) -> &str {
        self.0.get(&field).map(String::as_str).unwrap_or_default()
    }

    pub(super) fn set(&mut self, field: ImportedField, value: impl Into<String>) {
        self.0.insert(field, value.into());
    }
}

/// What an event of the provider's is to the public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Live,
    Skipped,
    Cancelled,
}

/// An item that can be imported.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) state: State,
    pub(super) values: Values,
    /// For a new event only.
    pub(super) kind: String,
    /// For a new event only.
    pub(super) series: Option<String>,
}

/// An item that can't be imported, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The provider's id, where the item has one.
    pub id: Option<String>,
    /// Half a sentence.
    pub reason: String,
}

/// One item of the list, with what its id is for telling it from others.
#[derive(Clone, Debug)]
pub(super) struct Entry(pub(super) Result<Item, Failure>);

impl Entry {
    pub(super) fn id(&self) -> Option<&str> {
        match &self.0 {
            Ok(item) => Some(&item.id),
            Err(failure) => failure.id.as_deref(),
        }
    }

    /// A second item with an id that another has.
    pub(super) fn twice(id: &str) -> Self {
        let reason = "it is listed twice; the first one counts".to_owned();
        Self(Err(Failure { id: Some(id.to_owned()), reason }))
    }
}

/// The id of an item.
pub(super) fn id_of(config: &Brandlive, item: &Value) -> Option<String> {
    plain(&[item], &config.mapping.id)
}

/// Reads an item. Where there are several values, a place is looked for in the first one first.
pub(super) fn read(config: &Brandlive, item: &[&Value]) -> Entry {
    let Some(id) = plain(item, &config.mapping.id) else {
        return Entry(Err(Failure { id: None, reason: "an item has no id".to_owned() }));
    };
    if id.chars().count() > limits::NAME || id.chars().any(char::is_control) {
        let id = id.chars().filter(|c| !c.is_control()).take(40).collect();
        return Entry(Err(Failure { id: Some(id), reason: "its id is not one that can be kept".to_owned() }));
    }
    Entry(read_known(config, item, &id).map_err(|reason| Failure { id: Some(id), reason }))
}

fn read_known(config: &Brandlive, item: &[&Value], id: &str) -> Result<Item, String> {
    let fields = &config.mapping;
    let state = state_of(config, plain(item, &fields.status))?;
    let mut values = Values::default();
    let kind = plain(item, &fields.r#type)
        .and_then(|word| EVENT_TYPES.into_iter().find(|kind| kind.eq_ignore_ascii_case(&word)).map(str::to_owned));
    let series =
        plain(item, &fields.series).map(|name| text::line(&name, limits::NAME)).filter(|name| !name.is_empty());
    if state == State::Live {
        let title = plain(item, &fields.title).map(|title| text::line(&title, limits::TITLE)).unwrap_or_default();
        if title.is_empty() {
            return Err("it has no title".to_owned());
        }
        values.set(ImportedField::Title, title);
        when::read(config, item, &mut values)?;
        let summary = plain(item, &fields.summary).unwrap_or_default();
        values.set(ImportedField::Summary, text::line(&summary, limits::SUMMARY));
        let description = plain(item, &fields.description).unwrap_or_default();
        values.set(ImportedField::Description, text::paragraphs(&description, limits::DESCRIPTION));
        values.set(ImportedField::RegistrationUrl, registration_url(config, item, id)?);
    }
    Ok(Item { id: id.to_owned(), state, values, kind: kind.unwrap_or_else(|| config.defaults.r#type.clone()), series })
}

fn state_of(config: &Brandlive, word: Option<String>) -> Result<State, String> {
    let Some(word) = word else { return Ok(State::Live) };
    let known = |list: &[String]| list.iter().any(|one| one.trim().to_lowercase() == word.to_lowercase());
    let status = &config.status;
    if known(&status.cancelled) {
        Ok(State::Cancelled)
    } else if known(&status.skipped) {
        Ok(State::Skipped)
    } else if known(&status.live) {
        Ok(State::Live)
    } else {
        let word = text::line(&word, 40);
        Err(format!("its status \"{word}\" is none of the words under [brandlive.status]"))
    }
}

fn registration_url(config: &Brandlive, item: &[&Value], id: &str) -> Result<String, String> {
    let given = plain(item, &config.mapping.registration_url);
    let address = given.or_else(|| {
        let quoted: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        config.defaults.registration_url.as_ref().map(|template| template.replace("{id}", &quoted))
    });
    match address {
        None => Err("it has no registration address".to_owned()),
        Some(address) if !is_web_url(&address) => Err("its registration address is no web address".to_owned()),
        Some(address) if address.chars().count() > limits::URL => {
            Err("its registration address is too long".to_owned())
        }
        Some(address) => Ok(address),
    }
}

/// A text or a number at the first of these places, trimmed; `None` where nothing is left of it.
fn plain(item: &[&Value], places: &[Pointer]) -> Option<String> {
    let text = match first(item, places)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(word) => word.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}
