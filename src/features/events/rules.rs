//! Validation of events (spec §5; contract, "Calls") and of the deletion of their speakers.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use super::types::{CalendarLinks, EventInput, EventLink, LocationInput, SaveEvent, SpeakerConflict};
use crate::platform::error::AppError;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::slug::slug;
use crate::platform::validate::{FieldErrors, trimmed};
use crate::platform::zone;

/// A validated event.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// Not blank.
    pub title: String,
    /// yyyy-MM-dd
    pub date: String,
    /// HH:mm
    pub time: String,
    /// `X minutes`
    pub duration: String,
    /// Not blank; imported events may have none.
    pub summary: Option<String>,
    /// Not blank.
    pub description: String,
    /// An http or https address.
    pub registration_url: String,
    /// An event type.
    pub kind: String,
    /// IANA name.
    pub timezone: String,
    /// The start.
    pub starts_at: DateTime<Utc>,
    /// `None` leaves the stored value unchanged.
    pub brandlive_id: Option<Option<String>>,
    /// `None` leaves the stored value unchanged.
    pub series: Option<Option<String>>,
    /// `None` leaves the stored value unchanged.
    pub calendar_links: Option<CalendarLinks>,
    /// Only for in-person events.
    pub location: Option<NewLocation>,
    /// In order, without duplicates.
    pub speaker_ids: Vec<i64>,
}

/// A validated venue.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLocation {
    /// Not blank.
    pub venue_name: String,
    /// May be blank.
    pub venue_address: String,
    /// May be blank.
    pub city: String,
    /// May be blank.
    pub state: String,
    /// URL of an image.
    pub image_url: Option<String>,
    /// The maps provider's id.
    pub place_id: Option<String>,
}

/// Validates a request. Errors name the fields as the request does, those of the venue with the prefix `location.`.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub fn check(input: SaveEvent) -> Result<NewEvent, AppError> {
    check_update(input, None)
}

/// As [`check`], for an update. The stored duration is valid even if it is not a multiple of 15 minutes, as imported
/// ones may be.
///
/// # Errors
/// As [`check`].
pub fn check_update(input: SaveEvent, stored_duration: Option<&str>) -> Result<NewEvent, AppError> {
    let mut errors = FieldErrors::default();
    let EventInput {
        title,
        date,
        time,
        duration,
        r#type,
        summary,
        description,
        registration_url,
        timezone,
        brandlive_id,
        series,
        calendar_links,
    } = input.event.unwrap_or_default();

    let title = errors.required("title", title, limits::TITLE, messages::TITLE_REQUIRED, messages::TITLE_TOO_LONG);
    let date = check_date(&mut errors, date);
    let time = check_time(&mut errors, time);
    let duration = check_duration(&mut errors, duration, stored_duration);
    let kind = check_type(&mut errors, r#type);
    let summary =
        errors.required("summary", summary, limits::SUMMARY, messages::SUMMARY_REQUIRED, messages::SUMMARY_TOO_LONG);
    let description = errors.required(
        "description",
        description,
        limits::DESCRIPTION,
        messages::DESCRIPTION_REQUIRED,
        messages::DESCRIPTION_TOO_LONG,
    );
    let registration_url = errors.optional_url("registrationUrl", registration_url).unwrap_or_else(|| {
        errors.add("registrationUrl", messages::REGISTRATION_URL_REQUIRED);
        String::new()
    });
    let zone_name = trimmed(timezone).unwrap_or_else(|| messages::DEFAULT_TIME_ZONE.to_owned());
    let zone = zone::find(&zone_name);
    if zone.is_none() {
        errors.add("timezone", messages::TIMEZONE_INVALID);
    }
    let brandlive_id =
        brandlive_id.map(|id| errors.optional("brandliveId", id, limits::NAME, messages::BRANDLIVE_ID_TOO_LONG));
    let series = series.map(|name| errors.optional("series", name, limits::NAME, messages::SERIES_TOO_LONG));
    let calendar_links = calendar_links.map(|links| check_links(&mut errors, links.unwrap_or_default()));
    let location = match input.location {
        Some(location) if kind == messages::IN_PERSON => Some(check_location(&mut errors, location)),
        _ => None,
    };
    let speaker_ids = check_speakers(&mut errors, input.speaker_ids.unwrap_or_default());
    errors.into_result()?;

    let wall = date.unwrap_or_default().and_time(time.unwrap_or_default());
    Ok(NewEvent {
        title,
        date: wall.format("%Y-%m-%d").to_string(),
        time: wall.format("%H:%M").to_string(),
        duration,
        summary: Some(summary),
        description,
        registration_url,
        kind,
        timezone: zone_name,
        starts_at: zone.map_or_else(|| wall.and_utc(), |zone| zone::instant_of(zone, wall)),
        brandlive_id,
        series,
        calendar_links,
        location,
        speaker_ids,
    })
}

fn check_date(errors: &mut FieldErrors, value: Option<String>) -> Option<NaiveDate> {
    let Some(text) = trimmed(value) else {
        errors.add("date", messages::DATE_REQUIRED);
        return None;
    };
    // In some zones the last day of 9999 reaches into the year 10000, whose timestamps are not RFC 3339 and sort
    // before all others.
    let date = day(&text).filter(|_| text.as_str() < "9999-12-31");
    if date.is_none() {
        errors.add("date", messages::DATE_INVALID);
    }
    date
}

/// Parses a date in exactly the format yyyy-MM-dd.
pub(super) fn day(text: &str) -> Option<NaiveDate> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    // Years before 1900 are typing errors, and zones had offsets with seconds then.
    if shape && text >= "1900" { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None }
}

fn check_time(errors: &mut FieldErrors, value: Option<String>) -> Option<NaiveTime> {
    let Some(text) = trimmed(value) else {
        errors.add("time", messages::TIME_REQUIRED);
        return None;
    };
    let shape = text.len() == 5
        && text.bytes().enumerate().all(|(at, byte)| if at == 2 { byte == b':' } else { byte.is_ascii_digit() });
    let time = if shape { NaiveTime::parse_from_str(&text, "%H:%M").ok() } else { None };
    if time.is_none() {
        errors.add("time", messages::TIME_INVALID);
    }
    time
}

fn check_duration(errors: &mut FieldErrors, value: Option<String>, stored: Option<&str>) -> String {
    let text = trimmed(value).unwrap_or_else(|| messages::DEFAULT_DURATION.to_owned());
    if stored == Some(text.as_str()) {
        return text;
    }
    let number = text
        .strip_suffix(" minutes")
        .filter(|digits| (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()));
    match number.and_then(|digits| digits.parse::<u32>().ok()) {
        None => errors.add("duration", messages::DURATION_FORMAT),
        Some(minutes) => {
            let on_grid = minutes.is_multiple_of(limits::DURATION_STEP);
            if !on_grid || !(limits::DURATION_STEP..=limits::DURATION_MAX).contains(&minutes) {
                errors.add("duration", messages::DURATION_RANGE);
            } else {
                return format!("{minutes} minutes");
            }
        }
    }
    text
}

fn check_type(errors: &mut FieldErrors, value: Option<String>) -> String {
    let Some(text) = trimmed(value) else {
        errors.add("type", messages::TYPE_REQUIRED);
        return String::new();
    };
    if !messages::EVENT_TYPES.contains(&text.as_str()) {
        errors.add("type", messages::TYPE_INVALID);
    }
    text
}

fn check_links(errors: &mut FieldErrors, links: CalendarLinks) -> CalendarLinks {
    CalendarLinks {
        google: errors.optional_url("calendarLinks.google", links.google),
        outlook: errors.optional_url("calendarLinks.outlook", links.outlook),
        ical: errors.optional_url("calendarLinks.ical", links.ical),
    }
}

fn check_location(errors: &mut FieldErrors, input: LocationInput) -> NewLocation {
    let venue_name = errors.required(
        "location.venueName",
        input.venue_name,
        limits::NAME,
        messages::VENUE_NAME_REQUIRED,
        messages::VENUE_NAME_TOO_LONG,
    );
    // The key is required; its value may be blank (contract, "Location").
    let mut required_key = |field: &str, value: Option<String>, missing, too_long| {
        if value.is_none() {
            errors.add(field, missing);
        }
        errors.optional(field, value, limits::NAME, too_long).unwrap_or_default()
    };
    let venue_address = required_key(
        "location.venueAddress",
        input.venue_address,
        messages::VENUE_ADDRESS_REQUIRED,
        messages::VENUE_ADDRESS_TOO_LONG,
    );
    let city = required_key("location.city", input.city, messages::CITY_REQUIRED, messages::CITY_TOO_LONG);
    let state = required_key("location.state", input.state, messages::STATE_REQUIRED, messages::STATE_TOO_LONG);
    NewLocation {
        venue_name,
        venue_address,
        city,
        state,
        image_url: errors.optional_image("location.imageUrl", input.image_url),
        place_id: errors.optional("location.placeId", input.place_id, limits::PLACE_ID, messages::PLACE_ID_TOO_LONG),
    }
}

fn check_speakers(errors: &mut FieldErrors, ids: Vec<i64>) -> Vec<i64> {
    let mut once = Vec::with_capacity(ids.len().min(limits::SPEAKERS));
    for id in ids {
        if once.len() > limits::SPEAKERS {
            break;
        }
        if !once.contains(&id) {
            once.push(id);
        }
    }
    if once.is_empty() {
        errors.add("speakerIds", messages::SPEAKERS_REQUIRED);
    } else if once.len() > limits::SPEAKERS {
        errors.add("speakerIds", messages::SPEAKERS_TOO_MANY);
    }
    once
}

/// The path of an event's page: its id, which alone identifies it, and a slug of its title.
pub fn path_of(id: i64, title: &str) -> String {
    let slug = slug(title, 60);
    format!("/events/{id}-{}", if slug.is_empty() { "event" } else { &slug })
}

/// The id in the last part of an event's path, such as `12-reading-an-operating-agreement`. The slug changes with the
/// title, so only the id identifies the event.
pub fn id_in_path(name: &str) -> Option<i64> {
    let number = name.split_once('-').map_or(name, |(number, _)| number);
    number.bytes().all(|c| c.is_ascii_digit()).then(|| number.parse().ok()).flatten()
}

/// The rejection to delete a speaker who is the only one of these events (id and title); `None` if there are none.
pub(super) fn speaker_conflict(events: Vec<(i64, String)>) -> Option<SpeakerConflict> {
    const MAX_NAMED: usize = 5;
    if events.is_empty() {
        return None;
    }
    let more = events.len().saturating_sub(MAX_NAMED);
    let named = events.iter().take(MAX_NAMED).map(|(_, title)| format!("“{title}”")).collect::<Vec<_>>().join(", ");
    let others = if more == 0 { String::new() } else { format!(" and {more} more") };
    let error = format!("This speaker is the only one of {named}{others}. Give those events another speaker first.");
    let event = |(id, title): (i64, String)| EventLink { id, path: path_of(id, &title), title };
    Some(SpeakerConflict { error, events: events.into_iter().take(MAX_NAMED).map(event).collect(), more })
}
