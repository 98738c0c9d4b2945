//! Validation of events (spec §5; contract, "Calls") and of the deletion of their speakers.

mod bulk_edit;
mod repeat;
mod series;

use std::borrow::Cow;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, NaiveTime, Timelike as _, Utc};

use super::description::DescriptionFormat;
use super::status::EventStatus;
use super::types::{
    CalendarLinks, Event, EventInput, EventLink, SaveEvent, SpeakerDeletionConflict, VenueInput, end_of,
};
use crate::features::speakers;
use crate::platform::clock::parse_timestamp;
use crate::platform::error::AppError;
use crate::platform::hex::hex;
use crate::platform::messages;
use crate::platform::messages::limits;
use crate::platform::slug::slug;
use crate::platform::validate::{FieldErrors, is_web_url, trimmed};
use crate::platform::zone;

pub(super) use bulk_edit::{ValidatedBulkEdit, check_bulk_edit, plan};
pub(super) use repeat::{check_repeated, dates_of};
pub use series::is_series_slug;
pub(super) use series::{series_key, series_slugs};

/// The parameter of a preview link with its secret.
pub const PREVIEW_PARAMETER: &str = "preview";
/// The keys of every list of events, which shows their speakers, for shared caches. Migration V13 records them.
pub const LIST_CACHE_KEYS: [&str; 2] = ["events", speakers::CACHE_KEY];
/// Beyond this number of speakers, a page has one key for all speakers, so that its header stays short.
const MAX_SPEAKER_KEYS: usize = 30;
/// What a draft may lack; it is required when the event gets another status.
const MISSING_IN_DRAFTS: [&str; 11] = [
    messages::DATE_REQUIRED,
    messages::TIME_REQUIRED,
    messages::TYPE_REQUIRED,
    messages::SUMMARY_REQUIRED,
    messages::DESCRIPTION_REQUIRED,
    messages::REGISTRATION_URL_REQUIRED,
    messages::SPEAKERS_REQUIRED,
    messages::VENUE_NAME_REQUIRED,
    messages::VENUE_ADDRESS_REQUIRED,
    messages::CITY_REQUIRED,
    messages::STATE_REQUIRED,
];

/// The keys of what shows one event, for shared caches: those of the event, its speakers and its series, whose other events
/// change its position.
pub fn cache_keys(event: &Event) -> impl Iterator<Item = Cow<'static, str>> {
    let speakers: Vec<Cow<'static, str>> = if event.speakers.len() > MAX_SPEAKER_KEYS {
        vec![speakers::CACHE_KEY.into()]
    } else {
        event.speakers.iter().map(|entry| speakers::cache_key(entry.speaker.id).into()).collect()
    };
    let series = event.series_id.map(|id| series_cache_key(id).into());
    [format!("event-{}", event.id).into()].into_iter().chain(series).chain(speakers)
}

/// The key of what shows this series, for shared caches.
pub fn series_cache_key(id: i64) -> String {
    format!("series-{id}")
}

/// A validated event. A draft may have blank fields, no start and no speakers.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatedEvent {
    /// Not blank.
    pub title: String,
    /// yyyy-MM-dd
    pub date: String,
    /// HH:mm
    pub time: String,
    /// `X minutes`
    pub duration: String,
    /// Not blank; synced events may have none.
    pub summary: Option<String>,
    /// Not blank.
    pub description: String,
    /// `None` leaves the stored value unchanged; a new event is plain.
    pub description_format: Option<DescriptionFormat>,
    /// An http or https URL.
    pub registration_url: String,
    /// An event type.
    pub kind: String,
    /// IANA name.
    pub timezone: String,
    /// The start; only a draft can lack it.
    pub starts_at: Option<DateTime<Utc>>,
    /// `None` leaves the stored value unchanged.
    pub brandlive_id: Option<Option<String>>,
    /// `None` leaves the stored value unchanged.
    pub series: Option<Option<String>>,
    /// `None` leaves the stored value unchanged.
    pub calendar_links: Option<CalendarLinks>,
    /// Only for in-person events.
    pub location: Option<ValidatedVenue>,
    /// In order, without duplicates.
    pub speaker_ids: Vec<i64>,
    /// `None` publishes a new event and leaves the stored status unchanged.
    pub status: Option<ValidatedStatus>,
    /// `None` leaves the stored value unchanged.
    pub recording_url: Option<Option<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValidatedStatus {
    /// Visitors see the event from this instant on.
    Scheduled(DateTime<Utc>),
    /// Any other status.
    Of(EventStatus),
}

impl ValidatedStatus {
    /// The status, without the publication time.
    pub fn status(self) -> EventStatus {
        match self {
            Self::Scheduled(_) => EventStatus::Scheduled,
            Self::Of(status) => status,
        }
    }
}

/// What the validation of a change needs to know of the stored event.
#[derive(Clone, Debug, PartialEq)]
pub struct UpdateContext {
    /// `60 minutes`
    pub duration: String,
    pub status: EventStatus,
}

/// A validated venue.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatedVenue {
    /// Not blank.
    pub venue_name: String,
    /// May be blank.
    pub venue_address: String,
    /// May be blank.
    pub city: String,
    /// May be blank.
    pub state: String,
    /// An https URL, or the path of an uploaded image.
    pub image_url: Option<String>,
    /// The maps provider's id.
    pub place_id: Option<String>,
}

/// Validates a request. Errors name the fields as the request does, those of the venue with the prefix `location.`.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub fn check(input: SaveEvent) -> Result<ValidatedEvent, AppError> {
    check_update(input, None)
}

/// As [`check`], for an update. The stored duration is valid even if it is not a multiple of 15 minutes, as synced
/// ones may be. The stored status decides what is required if the request has none.
///
/// # Errors
/// As [`check`].
pub fn check_update(input: SaveEvent, stored: Option<&UpdateContext>) -> Result<ValidatedEvent, AppError> {
    let mut errors = FieldErrors::default();
    let EventInput {
        title,
        date,
        time,
        duration,
        r#type,
        summary,
        description,
        description_format,
        registration_url,
        timezone,
        brandlive_id,
        series,
        calendar_links,
        status,
        publish_at,
        recording_url,
    } = input.event.unwrap_or_default();

    let title = errors.required("title", title, limits::TITLE, messages::TITLE_REQUIRED, messages::TITLE_TOO_LONG);
    let date = check_date(&mut errors, date);
    let time = check_time(&mut errors, time);
    let duration = check_duration(&mut errors, duration, stored.map(|event| event.duration.as_str()));
    let kind = check_type(&mut errors, r#type);
    let status = check_status(&mut errors, status, publish_at);
    let summary =
        errors.required("summary", summary, limits::SUMMARY, messages::SUMMARY_REQUIRED, messages::SUMMARY_TOO_LONG);
    let description = errors.required(
        "description",
        description,
        limits::DESCRIPTION,
        messages::DESCRIPTION_REQUIRED,
        messages::DESCRIPTION_TOO_LONG,
    );
    let description_format = check_format(&mut errors, description_format);
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
        Some(location) if kind == messages::IN_PERSON => Some(check_venue(&mut errors, location)),
        _ => None,
    };
    let speaker_ids = check_speakers(&mut errors, input.speaker_ids.unwrap_or_default());
    let recording_url = recording_url.map(|url| errors.optional_url("recordingUrl", url));
    let wall = date.zip(time).map(|(date, time)| date.and_time(time));
    let starts_at = wall.zip(zone).map(|(wall, zone)| zone::instant_of(zone, wall));
    if let (Some(ValidatedStatus::Scheduled(at)), Some(start)) = (status, starts_at)
        && at >= end_of(start, &duration)
    {
        errors.add("publishAt", messages::PUBLISH_AT_AFTER_END);
    }
    if status.map_or_else(|| stored.map(|event| event.status), |new| Some(new.status())) == Some(EventStatus::Draft) {
        errors.remove(&MISSING_IN_DRAFTS, "title");
    }
    errors.into_result()?;

    Ok(ValidatedEvent {
        title,
        date: date.map(|date| date.format("%Y-%m-%d").to_string()).unwrap_or_default(),
        time: time.map(|time| time.format("%H:%M").to_string()).unwrap_or_default(),
        duration,
        summary: Some(summary).filter(|text| !text.is_empty()),
        description,
        description_format,
        registration_url,
        kind,
        timezone: zone_name,
        starts_at,
        brandlive_id,
        series,
        calendar_links,
        location,
        speaker_ids,
        status,
        recording_url,
    })
}

/// The registration URL with which an event of this type is saved. In-person events have no registration, but their URL is
/// required; it is the site's own URL if there is no other (contract, "Calls").
pub fn registration_url_of(kind: &str, url: &str, site_url: &str) -> String {
    if kind == messages::IN_PERSON && !is_web_url(url) { site_url.to_owned() } else { url.to_owned() }
}

fn check_format(errors: &mut FieldErrors, format: Option<String>) -> Option<DescriptionFormat> {
    let format = DescriptionFormat::parse(&trimmed(format)?);
    if format.is_none() {
        errors.add("descriptionFormat", messages::DESCRIPTION_FORMAT_INVALID);
    }
    format
}

fn check_status(
    errors: &mut FieldErrors,
    status: Option<String>,
    publish_at: Option<String>,
) -> Option<ValidatedStatus> {
    let Some(status) = EventStatus::parse(&trimmed(status)?) else {
        errors.add("status", messages::STATUS_INVALID);
        return None;
    };
    if status != EventStatus::Scheduled {
        return Some(ValidatedStatus::Of(status));
    }
    let Some(text) = trimmed(publish_at) else {
        errors.add("publishAt", messages::PUBLISH_AT_REQUIRED);
        return Some(ValidatedStatus::Of(status));
    };
    // Other years would not be ordered as text.
    let instant = parse_timestamp(&text)
        .filter(|at| (1970..=9998).contains(&at.year()))
        .and_then(|at| at.with_second(0)?.with_nanosecond(0));
    if instant.is_none() {
        errors.add("publishAt", messages::PUBLISH_AT_INVALID);
    }
    Some(instant.map_or(ValidatedStatus::Of(status), ValidatedStatus::Scheduled))
}

/// The wall clock of stored texts; `None` for a draft without date or time.
fn wall_clock(date: &str, time: &str) -> Option<NaiveDateTime> {
    Some(day(date)?.and_time(NaiveTime::parse_from_str(time, "%H:%M").ok()?))
}

/// The instant at which clocks in a zone show a time.
fn start_of(wall: NaiveDateTime, zone: &str) -> Option<DateTime<Utc>> {
    Some(zone::instant_of(zone::find(zone)?, wall))
}

fn check_date(errors: &mut FieldErrors, value: Option<String>) -> Option<NaiveDate> {
    let Some(text) = trimmed(value) else {
        errors.add("date", messages::DATE_REQUIRED);
        return None;
    };
    let date = event_day(&text);
    if date.is_none() {
        errors.add("date", if any_day(&text).is_some() { messages::DATE_RANGE } else { messages::DATE_INVALID });
    }
    date
}

/// Parses a day on which an event can be: yyyy-MM-dd, from 1900-01-01 to 9999-12-30.
pub fn event_day(text: &str) -> Option<NaiveDate> {
    // In some zones the last day of 9999 reaches into the year 10000, whose timestamps are not RFC 3339 and sort
    // before all others.
    day(text).filter(|_| text < "9999-12-31")
}

/// Parses a date in exactly the format yyyy-MM-dd, from 1900 on.
pub(super) fn day(text: &str) -> Option<NaiveDate> {
    // Years before 1900 are typing errors, and zones had offsets with seconds then.
    any_day(text).filter(|_| text >= "1900")
}

fn any_day(text: &str) -> Option<NaiveDate> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if shape { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None }
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
        // The form's default (spec §3), for drafts.
        return messages::EVENT_TYPES[0].to_owned();
    };
    if !messages::EVENT_TYPES.contains(&text.as_str()) {
        errors.add("type", messages::TYPE_INVALID);
    }
    text
}

/// The secret of a preview link: 32 hexadecimal digits.
///
/// # Errors
/// 500 if the system has no random numbers.
pub(super) fn new_preview_token() -> Result<String, AppError> {
    let mut random = [0_u8; 16];
    getrandom::fill(&mut random).map_err(AppError::internal)?;
    Ok(hex(&random))
}

fn check_links(errors: &mut FieldErrors, links: CalendarLinks) -> CalendarLinks {
    CalendarLinks {
        google: errors.optional_url("calendarLinks.google", links.google),
        outlook: errors.optional_url("calendarLinks.outlook", links.outlook),
        ical: errors.optional_url("calendarLinks.ical", links.ical),
    }
}

fn check_venue(errors: &mut FieldErrors, input: VenueInput) -> ValidatedVenue {
    let venue_name = errors.required(
        "location.venueName",
        input.venue_name,
        limits::NAME,
        messages::VENUE_NAME_REQUIRED,
        messages::VENUE_NAME_TOO_LONG,
    );
    // The key is required; its value may be blank (contract, "Calls").
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
    ValidatedVenue {
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

/// The rejection to delete a speaker who is the only one of these events (id and title); `None` without events.
pub(super) fn speaker_conflict(events: Vec<(i64, String)>) -> Option<SpeakerDeletionConflict> {
    const MAX_NAMED: usize = 5;
    if events.is_empty() {
        return None;
    }
    let more = events.len().saturating_sub(MAX_NAMED);
    let named = events.iter().take(MAX_NAMED).map(|(_, title)| format!("“{title}”")).collect::<Vec<_>>().join(", ");
    let others = if more == 0 { String::new() } else { format!(" and {more} more") };
    let error = format!("This speaker is the only one of {named}{others}. Give those events another speaker first.");
    let event = |(id, title): (i64, String)| EventLink { id, path: path_of(id, &title), title };
    Some(SpeakerDeletionConflict { error, events: events.into_iter().take(MAX_NAMED).map(event).collect(), more })
}
