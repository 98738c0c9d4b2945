//! Field mapping from an item of the provider to the values of an event.

mod text;
mod times;

use serde::Serialize;
use serde_json::Value;

use super::client::first_value;
use crate::features::events::{ImportedField, ImportedValues};
use crate::platform::config::Brandlive;
use crate::platform::config::brandlive::Pointer;
use crate::platform::messages::{EVENT_TYPES, limits};
use crate::platform::validate::is_web_url;

/// What the provider's status word means for the import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemStatus {
    Live,
    Skipped,
    Cancelled,
}

/// An item that can be imported.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) status: ItemStatus,
    pub(super) values: ImportedValues,
    /// Event type, used when the event is created.
    pub(super) kind: String,
    /// Used when the event is created.
    pub(super) series: Option<String>,
}

/// An item that can't be imported, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The provider's id, where the item has one.
    pub id: Option<String>,
    /// Why, the end of a sentence that begins with the id.
    pub reason: String,
}

/// One item of the list, importable or not.
#[derive(Clone, Debug)]
pub(super) struct ListingEntry(pub(super) Result<Item, Failure>);

impl ListingEntry {
    pub(super) fn id(&self) -> Option<&str> {
        match &self.0 {
            Ok(item) => Some(&item.id),
            Err(failure) => failure.id.as_deref(),
        }
    }

    /// A second item with the id of another.
    pub(super) fn duplicate(id: &str) -> Self {
        let reason = "it is listed twice; the first one counts".to_owned();
        Self(Err(Failure { id: Some(id.to_owned()), reason }))
    }
}

/// The id of an item.
pub(super) fn id_of(config: &Brandlive, item: &Value) -> Option<String> {
    text_at(&[item], &config.mapping.id)
}

/// Maps an item. Of several JSON values (details and list item), the first with a pointer's value wins.
pub(super) fn map_item(config: &Brandlive, item: &[&Value]) -> ListingEntry {
    let Some(id) = text_at(item, &config.mapping.id) else {
        return ListingEntry(Err(Failure { id: None, reason: "an item has no id".to_owned() }));
    };
    if id.chars().count() > limits::NAME || id.chars().any(char::is_control) {
        let id = id.chars().filter(|c| !c.is_control()).take(40).collect();
        return ListingEntry(Err(Failure {
            id: Some(id),
            reason: "its id is too long or has control characters".to_owned(),
        }));
    }
    ListingEntry(map_values(config, item, &id).map_err(|reason| Failure { id: Some(id), reason }))
}

fn map_values(config: &Brandlive, item: &[&Value], id: &str) -> Result<Item, String> {
    let fields = &config.mapping;
    let status = status_of(config, text_at(item, &fields.status))?;
    let mut values = ImportedValues::default();
    let kind = text_at(item, &fields.r#type)
        .and_then(|word| EVENT_TYPES.into_iter().find(|kind| kind.eq_ignore_ascii_case(&word)).map(str::to_owned));
    let series =
        text_at(item, &fields.series).map(|name| text::line(&name, limits::NAME)).filter(|name| !name.is_empty());
    if status == ItemStatus::Live {
        let title = text_at(item, &fields.title).map(|title| text::line(&title, limits::TITLE)).unwrap_or_default();
        if title.is_empty() {
            return Err("it has no title".to_owned());
        }
        values.set(ImportedField::Title, title);
        times::read(config, item, &mut values)?;
        let summary = text_at(item, &fields.summary).unwrap_or_default();
        values.set(ImportedField::Summary, text::line(&summary, limits::SUMMARY));
        let description = text_at(item, &fields.description).unwrap_or_default();
        values.set(ImportedField::Description, text::paragraphs(&description, limits::DESCRIPTION));
        values.set(ImportedField::RegistrationUrl, registration_url(config, item, id)?);
    }
    Ok(Item { id: id.to_owned(), status, values, kind: kind.unwrap_or_else(|| config.defaults.r#type.clone()), series })
}

fn status_of(config: &Brandlive, word: Option<String>) -> Result<ItemStatus, String> {
    let Some(word) = word else { return Ok(ItemStatus::Live) };
    let is_in = |list: &[String]| list.iter().any(|entry| entry.trim().to_lowercase() == word.to_lowercase());
    let status = &config.status;
    if is_in(&status.cancelled) {
        Ok(ItemStatus::Cancelled)
    } else if is_in(&status.skipped) {
        Ok(ItemStatus::Skipped)
    } else if is_in(&status.live) {
        Ok(ItemStatus::Live)
    } else {
        let word = text::line(&word, 40);
        Err(format!("its status \"{word}\" is none of the words under [brandlive.status]"))
    }
}

fn registration_url(config: &Brandlive, item: &[&Value], id: &str) -> Result<String, String> {
    let own = text_at(item, &config.mapping.registration_url);
    let address = own.or_else(|| {
        let encoded: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        config.defaults.registration_url.as_ref().map(|template| template.replace("{id}", &encoded))
    });
    match address {
        None => Err("it has no registration address".to_owned()),
        Some(address) if !is_web_url(&address) => Err("its registration address is not a web address".to_owned()),
        Some(address) if address.chars().count() > limits::URL => {
            Err("its registration address is too long".to_owned())
        }
        Some(address) => Ok(address),
    }
}

/// The text, number or flag at the first of these pointers, trimmed; `None` if blank.
fn text_at(item: &[&Value], pointers: &[Pointer]) -> Option<String> {
    let text = match first_value(item, pointers)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}
