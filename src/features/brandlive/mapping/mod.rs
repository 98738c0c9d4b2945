//! Field mapping from an item of the provider to the values of an event.

mod times;

use serde::Serialize;
use serde_json::Value;

use crate::features::events::{SyncedField, SyncedValues};
use crate::platform::config::Brandlive;
use crate::platform::config::brandlive::{DetailPath, Pointer};
use crate::platform::messages::{EVENT_TYPES, limits};
use crate::platform::plain_text;
use crate::platform::validate::is_web_url;

/// What the provider's status word means for the sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemStatus {
    Live,
    Skipped,
    Cancelled,
    /// The item in the list has no status word, and its details were not requested.
    Unknown,
}

/// An item that can be synced.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The provider's id.
    pub(super) id: String,
    /// What its status word, or a flag for cancelled, means.
    pub(super) status: ItemStatus,
    /// `None` if its details were not requested, because they did not change or are left to the next sync.
    pub(super) values: Option<SyncedValues>,
    /// Event type, used when the event is created.
    pub(super) kind: String,
    /// Used when the event is created.
    pub(super) series: Option<String>,
    /// The list's update time, if the details were fetched.
    pub(super) details_updated_at: Option<String>,
    /// The fields that keep their last synced values, because the list lacks them and the details can't be fetched.
    pub(super) lacking: Vec<SyncedField>,
    /// Whether the item is up to date after this sync. Its details may have failed, or be left to the next sync.
    pub(super) is_current: bool,
    /// Whether it names a zone that can't be read, so that its instant is shown in another one.
    pub(super) has_unknown_zone: bool,
}

/// An item that can't be synced, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct SyncFailure {
    /// The provider's id, if the item has one.
    #[schema(required)]
    pub id: Option<String>,
    /// Why, the end of a sentence that begins with the id.
    pub reason: String,
}

/// One item of the list, or why it can't be synced.
#[derive(Clone, Debug)]
pub(super) struct ListEntry(pub(super) Result<Item, SyncFailure>);

impl ListEntry {
    /// The provider's id, if the item has one.
    pub(super) fn id(&self) -> Option<&str> {
        match &self.0 {
            Ok(item) => Some(&item.id),
            Err(failure) => failure.id.as_deref(),
        }
    }

    /// Whether the item counts as not listed.
    pub(super) fn is_skipped(&self) -> bool {
        matches!(&self.0, Ok(item) if item.status == ItemStatus::Skipped)
    }

    /// A second item with the id of another.
    pub(super) fn duplicate(id: &str) -> Self {
        let reason = "it is listed twice; the first one counts".to_owned();
        Self(Err(SyncFailure { id: Some(id.to_owned()), reason }))
    }
}

/// The provider's id of an item, if it has one.
pub(super) fn id_of(config: &Brandlive, item: &Value) -> Option<String> {
    text_at(&[item], &config.mapping.id)
}

/// The update time of an item in the list.
pub(super) fn details_updated_at(config: &Brandlive, item: &Value) -> Option<String> {
    text_at(&[item], &config.mapping.updated_at)
}

/// What a response to a request for details contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventInDetails {
    /// None of the fields of an event.
    None,
    /// Fields of an event, but no id.
    WithoutId,
    /// An id and fields of an event, or the status of an event that is not live.
    WithId,
}

/// Whether details contain an event.
pub(super) fn event_in(config: &Brandlive, details: &Value) -> EventInDetails {
    let fields = &config.mapping;
    let has = |pointers: &[Pointer]| first_value(&[details], pointers).is_some();
    let described_by = [
        &fields.title,
        &fields.starts_at,
        &fields.date,
        &fields.time,
        &fields.duration,
        &fields.ends_at,
        &fields.summary,
        &fields.description,
        &fields.registration_url,
    ];
    let is_described = described_by.into_iter().any(|pointers| has(pointers));
    let is_withdrawn = || matches!(status_of(config, &[details]), Ok(ItemStatus::Cancelled | ItemStatus::Skipped));
    match (has(&fields.id), is_described) {
        (true, true) => EventInDetails::WithId,
        (true, false) if is_withdrawn() => EventInDetails::WithId,
        (false, true) => EventInDetails::WithoutId,
        (_, false) => EventInDetails::None,
    }
}

/// Whether an item in the list lacks fields that its details may have.
pub(super) fn may_need_details(config: &Brandlive, item: &Value) -> bool {
    let fields = &config.mapping;
    let lacks = |pointers: &[Pointer]| !pointers.is_empty() && first_value(&[item], pointers).is_none();
    // A description can be blank, and its details are not requested again for that.
    let has_description = |pointer: &Pointer| item.pointer(&pointer.0).is_some_and(|value| !value.is_null());
    let lacks_description = !fields.description.is_empty() && !fields.description.iter().any(has_description);
    let lacks_start = lacks(&fields.starts_at) || (lacks(&fields.date) && fields.starts_at.is_empty());
    let lacks_url = lacks(&fields.registration_url) && config.defaults.registration_url.is_none();
    lacks(&fields.title) || lacks_start || lacks_url || lacks_description
}

/// Maps an item. Of several JSON values (details and list item), the first that contains a pointer's value is used.
pub(super) fn map_item(config: &Brandlive, item: &[&Value]) -> ListEntry {
    let Some(id) = text_at(item, &config.mapping.id) else {
        let title = text_at(item, &config.mapping.title).and_then(|title| plain_text::line(&title, 60).ok());
        let title = title.filter(|title| !title.is_empty()).map_or_else(String::new, |title| format!(" (\"{title}\")"));
        return ListEntry(Err(SyncFailure { id: None, reason: format!("an item{title} has no id") }));
    };
    if id.chars().count() > limits::NAME || id.chars().any(char::is_control) {
        let id = id.chars().filter(|c| !c.is_control()).take(40).collect();
        return ListEntry(Err(SyncFailure {
            id: Some(id),
            reason: "its id is too long or has control characters".to_owned(),
        }));
    }
    ListEntry(map_values(config, item, &id).map_err(|reason| SyncFailure { id: Some(id), reason }))
}

/// The id in the details of an item, if it is another one than in the list.
pub(super) fn other_id(config: &Brandlive, details: &Value, item: &Value) -> Option<String> {
    // Only at the same pointer: an item can have several ids.
    let pointer =
        config.mapping.id.iter().find(|pointer| first_value(&[item], std::slice::from_ref(pointer)).is_some());
    let pointer = std::slice::from_ref(pointer?);
    let (own, other) = (text_at(&[item], pointer)?, text_at(&[details], pointer)?);
    (!own.eq_ignore_ascii_case(&other)).then(|| other.chars().filter(|c| !c.is_control()).collect())
}

/// Maps the details of an item together with its form in the list.
pub(super) fn map_details(config: &Brandlive, details: &Value, item: &Value) -> ListEntry {
    // The id is the list's: it is the one that the details were requested with.
    let ListEntry(mapped) = map_item(config, &[details, item]);
    ListEntry(match (mapped, id_of(config, item)) {
        (Ok(mapped), Some(id)) => Ok(Item { id, details_updated_at: details_updated_at(config, item), ..mapped }),
        (Err(failure), Some(id)) => Err(SyncFailure { id: Some(id), ..failure }),
        (mapped, None) => mapped,
    })
}

/// An item whose details were not requested: because they did not change, or else (not `is_current`) because they are
/// left to the next sync.
pub(super) fn without_details(config: &Brandlive, item: &Value, is_current: bool) -> ListEntry {
    let id = id_of(config, item).unwrap_or_default();
    ListEntry(match status_in_list(config, item) {
        Ok(status) => Ok(Item {
            id,
            status,
            values: None,
            kind: String::new(),
            series: None,
            details_updated_at: None,
            lacking: Vec::new(),
            is_current,
            has_unknown_zone: false,
        }),
        Err(reason) => Err(SyncFailure { id: Some(id), reason }),
    })
}

/// An item whose details can't be fetched, from the list alone. If every event has details, its texts are those of the
/// details, which can be longer than the list's.
pub(super) fn with_failed_details(config: &Brandlive, item: &Value, was_synced: bool) -> ListEntry {
    if !was_synced {
        let ListEntry(mapped) = map_item(config, &[item]);
        return ListEntry(mapped.map(|mapped| Item { is_current: false, ..mapped }));
    }
    let id = id_of(config, item).unwrap_or_default();
    let mut lacking = fields_missing_in_list(config, item);
    if let DetailPath::Always(_) = config.detail_path {
        let texts = [SyncedField::Summary, SyncedField::Description];
        lacking.extend(texts.into_iter().filter(|text| !lacking.contains(text)).collect::<Vec<_>>());
    }
    let mapped = status_in_list(config, item).and_then(|status| map_fields(config, &[item], &id, status, lacking));
    ListEntry(match mapped {
        Ok(mapped) => Ok(Item { is_current: false, ..mapped }),
        Err(reason) => Err(SyncFailure { id: Some(id), reason }),
    })
}

/// The status of an item whose details are not known.
fn status_in_list(config: &Brandlive, item: &Value) -> Result<ItemStatus, String> {
    let has_status = first_value(&[item], &config.mapping.status).is_some()
        || first_value(&[item], &config.mapping.cancelled).is_some();
    if has_status { status_of(config, &[item]) } else { Ok(ItemStatus::Unknown) }
}

/// The fields that an item in the list lacks.
fn fields_missing_in_list(config: &Brandlive, item: &Value) -> Vec<SyncedField> {
    use SyncedField as Field;
    let fields = &config.mapping;
    let has = |pointers: &[Pointer]| text_at(&[item], pointers).is_some();
    let has_start = has(&fields.starts_at) || (has(&fields.date) && has(&fields.time));
    // Without its zone, a start would be shown in another one.
    let has_times = has_start && has(&fields.timezone);
    let is_lacking = |field: &Field| match field {
        Field::Title => !has(&fields.title),
        Field::Date | Field::Time | Field::Timezone => !has_times,
        Field::Duration => !has_times || !(has(&fields.duration) || has(&fields.ends_at)),
        Field::Summary => !has(&fields.summary),
        Field::Description => !has(&fields.description),
        Field::RegistrationUrl => !has(&fields.registration_url),
    };
    Field::ALL.into_iter().filter(is_lacking).collect()
}

fn map_values(config: &Brandlive, item: &[&Value], id: &str) -> Result<Item, String> {
    map_fields(config, item, id, status_of(config, item)?, Vec::new())
}

fn map_fields(
    config: &Brandlive,
    item: &[&Value],
    id: &str,
    status: ItemStatus,
    lacking: Vec<SyncedField>,
) -> Result<Item, String> {
    let fields = &config.mapping;
    let is_read = |field: SyncedField| !lacking.contains(&field);
    let mut values = SyncedValues::default();
    let mut has_unknown_zone = false;
    let kind = text_at(item, &fields.r#type)
        .and_then(|word| EVENT_TYPES.into_iter().find(|kind| kind.eq_ignore_ascii_case(&word)).map(str::to_owned));
    let cleaned = |name: &str, pointers: &[Pointer], max: usize| {
        let text = text_at(item, pointers).unwrap_or_default();
        plain_text::line(&text, max).map_err(|error| format!("its {name} {error}"))
    };
    let series = Some(cleaned("series", &fields.series, limits::NAME)?).filter(|name| !name.is_empty());
    if matches!(status, ItemStatus::Live | ItemStatus::Unknown) {
        let title = cleaned("title", &fields.title, limits::TITLE)?;
        if title.is_empty() && is_read(SyncedField::Title) {
            return Err("it has no title".to_owned());
        }
        values.set(SyncedField::Title, title);
        if is_read(SyncedField::Date) {
            has_unknown_zone = times::read(config, item, &mut values)?;
        }
        values.set(SyncedField::Summary, cleaned("summary", &fields.summary, limits::SUMMARY)?);
        let description = text_at(item, &fields.description).unwrap_or_default();
        let description = plain_text::paragraphs(&description, limits::DESCRIPTION);
        values.set(SyncedField::Description, description.map_err(|error| format!("its description {error}"))?);
        if is_read(SyncedField::RegistrationUrl) {
            values.set(SyncedField::RegistrationUrl, registration_url(config, item, id)?);
        }
    }
    let kind = kind.unwrap_or_else(|| config.defaults.r#type.clone());
    let id = id.to_owned();
    let (values, details_updated_at) = (Some(values), None);
    Ok(Item { id, status, values, kind, series, details_updated_at, lacking, is_current: true, has_unknown_zone })
}

/// The status of an item; a flag and a status word can both mean cancelled.
fn status_of(config: &Brandlive, item: &[&Value]) -> Result<ItemStatus, String> {
    let status = &config.status;
    let is_in =
        |list: &[String], word: &str| list.iter().any(|entry| entry.trim().to_lowercase() == word.to_lowercase());
    let word = text_at(item, &config.mapping.status);
    let flags = config
        .mapping
        .cancelled
        .iter()
        .flat_map(|pointer| item.iter().filter_map(move |value| Some((pointer, value.pointer(&pointer.0)?))));
    let flags: Vec<(&Pointer, Option<bool>)> = flags.map(|(pointer, value)| (pointer, is_set(value))).collect();
    if flags.iter().any(|(_, flag)| *flag == Some(true))
        || word.as_ref().is_some_and(|word| is_in(&status.cancelled, word))
    {
        return Ok(ItemStatus::Cancelled);
    }
    if let Some((pointer, _)) = flags.iter().find(|(_, flag)| flag.is_none()) {
        let pointer = &pointer.0;
        return Err(format!(
            "its value at {pointer} is neither a flag nor a time; see cancelled under [brandlive.mapping]"
        ));
    }
    let Some(word) = word else {
        // An event that may be cancelled is not shown again.
        return match first_value(item, &config.mapping.status) {
            Some(_) => Err("its status is an object or a list; see status under [brandlive.mapping]".to_owned()),
            None => Ok(ItemStatus::Live),
        };
    };
    if is_in(&status.skipped, &word) {
        Ok(ItemStatus::Skipped)
    } else if is_in(&status.live, &word) {
        Ok(ItemStatus::Live)
    } else {
        let word: String = word.chars().filter(|c| !c.is_control()).take(40).collect();
        Err(format!("its status \"{word}\" is not one of the words under [brandlive.status]"))
    }
}

/// Whether a flag, or an instant instead of a flag, is set; `None` if it is neither.
fn is_set(value: &Value) -> Option<bool> {
    match value {
        Value::Null => Some(false),
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_f64().filter(|number| *number >= 0.0).map(|number| number > 0.0),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "" | "0" | "false" | "no" | "n" | "off" | "none" | "null" => Some(false),
            "1" | "true" | "yes" | "y" | "on" | "cancelled" | "canceled" => Some(true),
            _ => times::is_instant(text.trim()),
        },
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn registration_url(config: &Brandlive, item: &[&Value], id: &str) -> Result<String, String> {
    let own = text_at(item, &config.mapping.registration_url);
    let url = own.or_else(|| {
        let encoded: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        config.defaults.registration_url.as_ref().map(|template| template.replace("{id}", &encoded))
    });
    match url {
        None => Err("it has no registration URL".to_owned()),
        Some(url) if !is_web_url(&url) => Err("its registration URL is not an http or https URL".to_owned()),
        Some(url) if url.chars().count() > limits::URL => Err("its registration URL is too long".to_owned()),
        Some(url) => Ok(url),
    }
}

/// The text, number or flag at the first of these pointers, trimmed; `None` for no value, an object or a list.
fn text_at(item: &[&Value], pointers: &[Pointer]) -> Option<String> {
    match first_value(item, pointers)? {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// The first value at the pointers, in any of the values, that is neither null nor a blank text.
pub(super) fn first_value<'v>(values: &[&'v Value], pointers: &[Pointer]) -> Option<&'v Value> {
    let found = pointers.iter().flat_map(|pointer| values.iter().map(move |value| value.pointer(&pointer.0)));
    found.flatten().find(|value| has_content(value))
}

/// Whether a value is neither null nor a blank text.
pub(super) fn has_content(value: &Value) -> bool {
    !value.is_null() && value.as_str().is_none_or(|text| !text.trim().is_empty())
}
