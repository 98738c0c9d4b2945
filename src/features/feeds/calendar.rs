//! Events as iCalendar (RFC 5545, RFC 7986).

use chrono::{DateTime, TimeDelta, Utc};
use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use rusqlite::Connection;

use super::ical::Lines;
use super::rules::{self, CalendarOptions};
use crate::features::events::{self, CalendarEntry as Entry, Event, EventStatus, presentation};
use crate::features::site_settings::SiteIdentity;
use crate::platform::clock::parse_timestamp;
use crate::platform::error::AppError;
use crate::platform::messages::EVENT_TYPES;
use crate::platform::response_cache::Representation;

const MEDIA_TYPE: &str = "text/calendar; charset=utf-8";
/// Days for which a deleted or hidden event is listed as cancelled.
const CANCELLED_DAYS: i64 = 30;
/// The recommended refresh interval of subscriptions (RFC 7986 §5.7).
const REFRESH_INTERVAL: &str = "PT1H";

/// The calendar of public and recently cancelled events that ended at most `past_days` ago, or of one type or series of
/// them. A series without events has an empty calendar, so that subscriptions stay valid.
pub(super) fn calendar(
    site: &SiteIdentity,
    connection: &Connection,
    now: DateTime<Utc>,
    options: &CalendarOptions,
    past_days: u32,
) -> Result<Representation, AppError> {
    let retention = TimeDelta::days(CANCELLED_DAYS);
    // A cancelled event is listed if it was in the calendar when it was cancelled.
    let window_start = |at| rules::window_start(at, past_days);
    let mut entries = events::calendar_entries(connection, now, now - retention, window_start)?;
    let series = match &options.series {
        Some(slug) => Some(events::find_series(connection, slug, now)?.ok_or(rules::NO_SERIES)?),
        None => None,
    };
    entries.retain(|entry| {
        options.kind.is_none_or(|kind| entry.event.r#type == kind)
            && series.as_ref().is_none_or(|series| entry.event.series_id == Some(series.id))
    });
    // The name of a series of which visitors see nothing is not public.
    let series_name = match &series {
        Some(series) if !entries.is_empty() || events::is_public_series(connection, series.id, now)? => {
            Some(series.name.as_str())
        }
        _ => None,
    };
    let parts = [Some(site.name.as_str()), series_name, options.kind];
    let name = parts.into_iter().flatten().collect::<Vec<_>>().join(": ");
    let mut lines = begin();
    lines
        .text("NAME", &name)
        .text("X-WR-CALNAME", &name)
        .uri("URL", &site.base_url)
        .line("REFRESH-INTERVAL;VALUE=DURATION", REFRESH_INTERVAL)
        .line("X-PUBLISHED-TTL", REFRESH_INTERVAL)
        .uri("SOURCE;VALUE=URI", &site.absolute_url(&format!("{}{}", super::CALENDAR_PATH, options.query())));
    if let Some(kind) = options.kind {
        lines.line("COLOR", color(kind));
    }
    if entries.is_empty() {
        utc_component(&mut lines);
    }
    for entry in &entries {
        write(&mut lines, site, entry, options.alarm);
    }
    // Fresh until the first cancelled event expires, the next scheduled event is published, or a past one leaves.
    let expiries = entries.iter().filter_map(|entry| entry.cancelled_at).map(|at| at + retention);
    let publication = events::next_publication(connection, now)?;
    let fresh_until = expiries.chain(publication).chain([rules::next_midnight(now)]).min();
    Ok(Representation { fresh_until, ..Representation::new(MEDIA_TYPE, end(lines)) })
}

pub(super) fn event_file(
    site: &SiteIdentity,
    connection: &Connection,
    event: &Event,
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    let sequence = events::sequence(connection, event.id, now)?;
    let entry = Entry { event: event.clone(), sequence, cancelled_at: None };
    let mut lines = begin();
    write(&mut lines, site, &entry, None);
    let mut file = Representation::new(MEDIA_TYPE, end(lines));
    // `inline` lets devices open it in a calendar app instead of saving it.
    let name = event.path.rsplit('/').next().unwrap_or("event");
    if let Ok(value) = HeaderValue::from_str(&format!("inline; filename=\"{name}.ics\"")) {
        file.headers.insert(CONTENT_DISPOSITION, value);
    }
    Ok(file)
}

/// The file of these events, of any status. Events without a start are left out.
pub(super) fn events_file(
    site: &SiteIdentity,
    connection: &Connection,
    events: &[Event],
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    let mut lines = begin();
    let mut is_empty = true;
    for event in events.iter().filter(|event| !event.starts_at.is_empty()) {
        let sequence = events::sequence(connection, event.id, now)?;
        write(&mut lines, site, &Entry { event: event.clone(), sequence, cancelled_at: None }, None);
        is_empty = false;
    }
    if is_empty {
        utc_component(&mut lines);
    }
    Ok(Representation::new(MEDIA_TYPE, end(lines)))
}

/// Begins a calendar. It has no METHOD, because a scheduling message requires an organizer in every event (RFC 5546
/// §3.2.1) and the method in the media type (RFC 5545 §3.7.2).
fn begin() -> Lines {
    let mut lines = Lines::default();
    lines
        .line("BEGIN", "VCALENDAR")
        .line("VERSION", "2.0")
        .line("PRODID", "-//lectern//lectern//EN")
        .line("CALSCALE", "GREGORIAN");
    lines
}

/// The component of a calendar without events: at least one component is required (RFC 5545 §3.6).
fn utc_component(lines: &mut Lines) {
    lines
        .line("BEGIN", "VTIMEZONE")
        .line("TZID", "Etc/UTC")
        .line("BEGIN", "STANDARD")
        .line("DTSTART", "19700101T000000")
        .line("TZOFFSETFROM", "+0000")
        .line("TZOFFSETTO", "+0000")
        .line("TZNAME", "UTC")
        .line("END", "STANDARD")
        .line("END", "VTIMEZONE");
}

fn end(mut lines: Lines) -> Vec<u8> {
    lines.line("END", "VCALENDAR");
    lines.finish()
}

fn write(lines: &mut Lines, site: &SiteIdentity, entry: &Entry, alarm: Option<u16>) {
    let Entry { event, sequence, cancelled_at } = entry;
    let at = |text: &str| parse_timestamp(text).unwrap_or_default();
    let changed = at(event.updated_at.as_str().max(event.first_published()));
    let changed = cancelled_at.map_or(changed, |cancelled| cancelled.max(changed));
    let page = site.absolute_url(&event.path);
    lines
        .line("BEGIN", "VEVENT")
        .line("UID", &site.uid(event.id))
        .instant("DTSTAMP", changed)
        .instant("CREATED", at(&event.created_at))
        .instant("LAST-MODIFIED", changed)
        .line("SEQUENCE", &sequence.to_string())
        .line("STATUS", if cancelled_at.is_some() { "CANCELLED" } else { status(event) })
        .instant("DTSTART", event.starts())
        .instant("DTEND", event.ends())
        .text("SUMMARY", &presentation::marked_title(event))
        .text("CATEGORIES", &event.r#type)
        .line("COLOR", color(&event.r#type));
    if let Some(location) = &event.location {
        lines.text("LOCATION", &location.line());
    }
    // An event that visitors no longer see has no page, no registration and no reminder.
    if cancelled_at.is_none() {
        lines.text("DESCRIPTION", &description(event, &page)).uri("URL", &page);
        if let Some(minutes) = alarm.filter(|_| event.status.badge().is_none()) {
            lines
                .line("BEGIN", "VALARM")
                .line("ACTION", "DISPLAY")
                .text("DESCRIPTION", &event.title)
                .line("TRIGGER", &format!("-PT{minutes}M"))
                .line("END", "VALARM");
        }
    } else {
        lines.text("DESCRIPTION", &event.description_text());
    }
    lines.line("END", "VEVENT");
}

/// The status of an event (RFC 5545 §3.8.1.11). A postponed event does not take place at its time either.
fn status(event: &Event) -> &'static str {
    match event.status {
        EventStatus::Cancelled | EventStatus::Postponed => "CANCELLED",
        EventStatus::Draft => "TENTATIVE",
        EventStatus::Scheduled | EventStatus::Published | EventStatus::Hidden => "CONFIRMED",
    }
}

fn description(event: &Event, page: &str) -> String {
    let mut paragraphs = vec![event.description_text().into_owned()];
    if !event.speakers.is_empty() {
        let names: Vec<&str> = event.speakers.iter().map(|entry| entry.speaker.name.as_str()).collect();
        paragraphs.push(format!("Speakers: {}", names.join(", ")));
    }
    let links = rules::register_line(event).into_iter().chain(rules::recording_line(event)).chain([page.to_owned()]);
    paragraphs.push(links.collect::<Vec<_>>().join("\n"));
    paragraphs.join("\n\n")
}

/// The CSS color name (RFC 7986 §5.9) nearest to the color of a type; that of the first type for an
/// unknown one (spec §3).
fn color(kind: &str) -> &'static str {
    const COLORS: [&str; 6] = ["royalblue", "seagreen", "orangered", "mediumvioletred", "turquoise", "gold"];
    let index = EVENT_TYPES.iter().position(|listed| *listed == kind).unwrap_or(0);
    COLORS[index]
}
