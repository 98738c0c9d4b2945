//! Reads events of iCalendar files (RFC 5545).
//!
//! Not the crate `icalendar`, because its parser does not report the line of an error.

mod lines;
mod recurrence;
mod times;

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::file::{MAX_ROWS, quoted, shortened};
use super::types::EventFileField;
use super::values;
use crate::features::events::EventStatus;
use crate::platform::clock::timestamp;
use crate::platform::error::AppError;
use crate::platform::validate::is_web_url;
use lines::{Component, Property};
use times::{Start, Zones};

/// An event, or one instance of a repeating event.
#[derive(Clone, Debug, Default)]
pub(super) struct CalendarEvent {
    /// The line of its `BEGIN`.
    pub(super) line: usize,
    pub(super) values: BTreeMap<EventFileField, String>,
    /// The property that is wrong, and a message.
    pub(super) errors: Vec<(String, String)>,
    pub(super) notes: Vec<String>,
}

/// The property of a calendar from which a field is read.
pub(super) fn property_of(field: EventFileField) -> &'static str {
    match field {
        EventFileField::Uid => "UID",
        EventFileField::Title => "SUMMARY",
        EventFileField::Date | EventFileField::Time | EventFileField::Start | EventFileField::Timezone => "DTSTART",
        EventFileField::EndDate | EventFileField::EndTime | EventFileField::End => "DTEND",
        EventFileField::Duration => "DURATION",
        EventFileField::Type => "CATEGORIES",
        EventFileField::Status => "STATUS",
        EventFileField::RegistrationUrl => "URL",
        EventFileField::VenueName => "LOCATION",
        _ => "DESCRIPTION",
    }
}

/// Reads the events. Times in UTC get `default_zone`, as do those of no zone.
///
/// # Errors
/// 400 if the file has no event or too many.
pub(super) fn read(text: &str, default_zone: Tz, now: DateTime<Utc>) -> Result<Vec<CalendarEvent>, AppError> {
    let calendar = lines::read(text);
    let zones = Zones::new(&calendar, default_zone);
    let components: Vec<&Component> = calendar.iter().filter(|component| component.name == "VEVENT").collect();
    if components.is_empty() {
        return Err(AppError::Malformed("The calendar has no events.".to_owned()));
    }
    // Instances that replace those of the rule, by UID.
    let mut replaced: HashMap<&str, HashSet<DateTime<Utc>>> = HashMap::new();
    for component in &components {
        let instance = component.first("RECURRENCE-ID").and_then(|property| zones.start(property).ok());
        if let (Some(uid), Some(start)) = (component.first("UID"), instance) {
            replaced.entry(uid.value.trim()).or_default().insert(start.instant());
        }
    }
    let mut events = Vec::new();
    for component in components {
        let replaced = component.first("UID").and_then(|uid| replaced.get(uid.value.trim()));
        append(component, &zones, replaced, now, &mut events);
        if events.len() > MAX_ROWS {
            return Err(AppError::Malformed(format!(
                "The calendar has more than {MAX_ROWS} events, repetitions included. Export a shorter period."
            )));
        }
    }
    Ok(events)
}

fn append(
    component: &Component,
    zones: &Zones,
    replaced: Option<&HashSet<DateTime<Utc>>>,
    now: DateTime<Utc>,
    events: &mut Vec<CalendarEvent>,
) {
    let mut event = CalendarEvent { line: component.line, ..CalendarEvent::default() };
    read_texts(component, &mut event);
    let Some(start) = component.first("DTSTART") else {
        event.errors.push(("DTSTART".to_owned(), "The event has no start (DTSTART).".to_owned()));
        events.push(event);
        return;
    };
    let start = match zones.start(start) {
        Ok(start) => start,
        Err(error) => {
            event.errors.push(("DTSTART".to_owned(), error));
            events.push(event);
            return;
        }
    };
    match duration(component, zones, start) {
        Ok(Some(minutes)) => {
            event.values.insert(EventFileField::Duration, format!("{minutes} minutes"));
        }
        Ok(None) => {}
        Err((property, error)) => event.errors.push((property.to_owned(), error)),
    }
    let is_repeated = component.first("RRULE").is_some() || component.first("RDATE").is_some();
    if let Some(instance) = component.first("RECURRENCE-ID") {
        if let Ok(original) = zones.start(instance) {
            identify_instance(&mut event, original.instant());
        }
        events.push(at(&event, start));
    } else if is_repeated {
        match recurrence::expand(component, zones, start, now) {
            Ok((starts, note)) => {
                let total = starts.len();
                for (index, wall) in starts.into_iter().enumerate() {
                    let start = Start { wall, ..start };
                    if replaced.is_some_and(|replaced| replaced.contains(&start.instant())) {
                        continue;
                    }
                    let mut instance = at(&event, start);
                    identify_instance(&mut instance, start.instant());
                    instance.notes.push(format!("Occurrence {} of {total}.", index + 1));
                    instance.notes.extend(note.clone());
                    events.push(instance);
                }
            }
            Err(error) => {
                event.errors.push(("RRULE".to_owned(), error));
                events.push(at(&event, start));
            }
        }
    } else {
        events.push(at(&event, start));
    }
}

/// The event at this start.
fn at(event: &CalendarEvent, start: Start) -> CalendarEvent {
    let mut event = event.clone();
    event.values.insert(EventFileField::Date, values::date_text(start.wall.date()));
    if start.is_all_day {
        event.notes.push("All-day event without a time.".to_owned());
    } else {
        event.values.insert(EventFileField::Time, values::time_text(start.wall.time()));
    }
    if start.has_zone {
        event.values.insert(EventFileField::Timezone, start.zone.name().to_owned());
    }
    event
}

fn identify_instance(event: &mut CalendarEvent, original: DateTime<Utc>) {
    if let Some(uid) = event.values.get_mut(&EventFileField::Uid) {
        *uid = format!("{uid}#{}", timestamp(original));
    }
}

fn read_texts(component: &Component, event: &mut CalendarEvent) {
    let text = |name: &str| component.first(name).map(|property| lines::unescaped(&property.value));
    let mut set = |field, value: Option<String>| {
        if let Some(value) = value.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()) {
            event.values.insert(field, value);
        }
    };
    set(EventFileField::Uid, component.first("UID").map(|property| property.value.clone()));
    set(EventFileField::Description, text("DESCRIPTION"));
    let url = component.first("URL").map(|property| property.value.trim().to_owned());
    let location = text("LOCATION").map(|text| text.trim().to_owned());
    match location {
        // Online meetings often have their link as the location.
        Some(location) if is_web_url(&location) => set(EventFileField::RegistrationUrl, Some(url.unwrap_or(location))),
        location => {
            set(EventFileField::RegistrationUrl, url);
            set(EventFileField::VenueName, location);
        }
    }
    let categories: Vec<String> =
        component.all("CATEGORIES").flat_map(|property| lines::list(&property.value)).collect();
    // Calendars have categories of their own, so those that are no event type are no error.
    set(EventFileField::Type, categories.iter().find_map(|name| values::event_type(name)).map(str::to_owned));
    let status = component.first("STATUS").and_then(|property| values::status(&property.value));
    // A confirmed event gets the status that the admin chooses.
    set(
        EventFileField::Status,
        status.filter(|status| !status.is_published()).map(|status| status.as_str().to_owned()),
    );
    let title = text("SUMMARY").map(|title| {
        // Written by the public calendar, because many readers show nothing else of the status.
        let mark = status.filter(|status| *status == EventStatus::Cancelled).and_then(|_| title.split_once(": "));
        match mark {
            Some(("Cancelled" | "Postponed", rest)) => rest.to_owned(),
            _ => title,
        }
    });
    set(EventFileField::Title, title);
    if !categories.is_empty() && !event.values.contains_key(&EventFileField::Type) {
        event.notes.push(format!("The category {} is not an event type.", quoted(&categories.join(", "))));
    }
}

/// The duration in minutes: from DTEND or DURATION; `None` if the event has neither, or is an all-day event.
fn duration(component: &Component, zones: &Zones, start: Start) -> Result<Option<i64>, (&'static str, String)> {
    if start.is_all_day {
        return Ok(None);
    }
    if let Some(property) = component.first("DTEND") {
        let end = zones.start(property).map_err(|error| ("DTEND", error))?;
        let minutes = (end.instant() - start.instant()).num_minutes();
        if minutes <= 0 {
            return Err(("DTEND", "The event ends before it starts.".to_owned()));
        }
        return Ok(Some(minutes));
    }
    let Some(property) = component.first("DURATION") else { return Ok(None) };
    let minutes =
        values::minutes(&property.value).filter(|minutes| *minutes > 0 && property.value.starts_with(['P', '+']));
    let error = || ("DURATION", format!("{} is not a valid duration.", quoted(&property.value)));
    minutes.map(|minutes| Some(i64::from(minutes))).ok_or_else(error)
}

/// The value of a property in a message.
fn shown(property: &Property) -> String {
    shortened(&property.value, 60)
}
