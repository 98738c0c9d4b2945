//! Events as calendar programs read them (RFC 5545, RFC 7986).

use chrono::{DateTime, TimeDelta, Utc};
use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use rusqlite::Connection;

use super::ical::Lines;
use super::rules::{self, Wanted};
use super::types::Publisher;
use crate::features::events::{self, CalendarEntry as Entry, Event};
use crate::platform::clock::parse_timestamp;
use crate::platform::error::AppError;
use crate::platform::messages::EVENT_TYPES;
use crate::platform::response_cache::Representation;

const MEDIA_TYPE: &str = "text/calendar; charset=utf-8";
/// How long an event that was deleted or hidden is told to be cancelled, in days.
const CANCELLED_DAYS: i64 = 30;
/// How often programs that subscribe are asked to look.
const REFRESH: &str = "PT1H";

/// The calendar that was asked for: all events that the public sees, and those that it saw until
/// lately.
pub(super) fn whole(
    publisher: &Publisher,
    connection: &Connection,
    now: DateTime<Utc>,
    wanted: &Wanted,
) -> Result<Representation, AppError> {
    let kept = TimeDelta::days(CANCELLED_DAYS);
    let mut entries = events::calendar_entries(connection, now - kept)?;
    entries.retain(|entry| wanted.kind.is_none_or(|kind| entry.event.r#type == kind));
    let name = match wanted.kind {
        Some(kind) => format!("{}: {kind}", publisher.name),
        None => publisher.name.clone(),
    };
    let mut lines = begin();
    lines
        .text("NAME", &name)
        .text("X-WR-CALNAME", &name)
        .address("URL", &publisher.base_url)
        .line("REFRESH-INTERVAL;VALUE=DURATION", REFRESH)
        .line("X-PUBLISHED-TTL", REFRESH)
        .address("SOURCE;VALUE=URI", &publisher.address(&format!("{}{}", super::CALENDAR, wanted.query())));
    if let Some(kind) = wanted.kind {
        lines.line("COLOR", color(kind));
    }
    if entries.is_empty() {
        placeholder(&mut lines);
    }
    for entry in &entries {
        write(&mut lines, publisher, entry, wanted.alarm);
    }
    // The first of the cancelled ones that is to be told no longer.
    let fresh_until = entries.iter().filter_map(|entry| entry.cancelled_at).min().map(|at| at + kept);
    Ok(Representation { fresh_until, ..Representation::of(MEDIA_TYPE, end(lines)) })
}

/// One event as a file.
pub(super) fn one(publisher: &Publisher, connection: &Connection, event: &Event) -> Result<Representation, AppError> {
    let sequence = events::sequence(connection, event.id)?;
    let entry = Entry { event: event.clone(), sequence, cancelled_at: None };
    let mut lines = begin();
    write(&mut lines, publisher, &entry, None);
    let mut draft = Representation::of(MEDIA_TYPE, end(lines));
    // Shown inline where the device has a calendar for it, which is what the visitor asked for.
    let name = event.path.rsplit('/').next().unwrap_or("event");
    if let Ok(value) = HeaderValue::from_str(&format!("inline; filename=\"{name}.ics\"")) {
        draft.headers.insert(CONTENT_DISPOSITION, value);
    }
    Ok(draft)
}

/// There is no METHOD: it would make a message to schedule by of the calendar, which needs an
/// organizer in every event (RFC 5546 §3.2.1) and the method in the content type (RFC 5545 §3.7.2).
fn begin() -> Lines {
    let mut lines = Lines::default();
    lines
        .line("BEGIN", "VCALENDAR")
        .line("VERSION", "2.0")
        .line("PRODID", "-//lectern//lectern//EN")
        .line("CALSCALE", "GREGORIAN");
    lines
}

/// A calendar must hold one component at the least (RFC 5545 §3.6), and strict programs refuse one
/// that does not. Where nothing is on, that is the zone of all its times.
fn placeholder(lines: &mut Lines) {
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

fn write(lines: &mut Lines, publisher: &Publisher, entry: &Entry, alarm: Option<u16>) {
    let Entry { event, sequence, cancelled_at } = entry;
    let at = |text: &str| parse_timestamp(text).unwrap_or_default();
    let changed = cancelled_at.map_or_else(|| at(&event.updated_at), |cancelled| cancelled.max(at(&event.updated_at)));
    let page = publisher.address(&event.path);
    lines
        .line("BEGIN", "VEVENT")
        .line("UID", &format!("event-{}@{}", event.id, publisher.host))
        .instant("DTSTAMP", changed)
        .instant("CREATED", at(&event.created_at))
        .instant("LAST-MODIFIED", changed)
        .line("SEQUENCE", &sequence.to_string())
        .line("STATUS", if cancelled_at.is_some() { "CANCELLED" } else { "CONFIRMED" })
        .instant("DTSTART", event.starts())
        .instant("DTEND", event.ends())
        .text("SUMMARY", &event.title)
        .text("CATEGORIES", &event.r#type)
        .line("COLOR", color(&event.r#type));
    if let Some(location) = &event.location {
        lines.text("LOCATION", &location.line());
    }
    // What is cancelled has no page, nothing to register for and nothing to be reminded of.
    if cancelled_at.is_none() {
        lines.text("DESCRIPTION", &description(event, &page)).address("URL", &page);
        if let Some(minutes) = alarm {
            lines
                .line("BEGIN", "VALARM")
                .line("ACTION", "DISPLAY")
                .text("DESCRIPTION", &event.title)
                .line("TRIGGER", &format!("-PT{minutes}M"))
                .line("END", "VALARM");
        }
    } else {
        lines.text("DESCRIPTION", &event.description);
    }
    lines.line("END", "VEVENT");
}

fn description(event: &Event, page: &str) -> String {
    let mut paragraphs = vec![event.description.clone()];
    if !event.speakers.is_empty() {
        let names: Vec<&str> = event.speakers.iter().map(|entry| entry.speaker.name.as_str()).collect();
        paragraphs.push(format!("Speakers: {}", names.join(", ")));
    }
    paragraphs.push(rules::register_line(event).into_iter().chain([page.to_owned()]).collect::<Vec<_>>().join("\n"));
    paragraphs.join("\n\n")
}

/// The named colour of the web (RFC 7986 §5.9) that is nearest to a type's own; blue for an
/// unknown type (spec §3).
fn color(kind: &str) -> &'static str {
    const COLORS: [&str; 6] = ["royalblue", "seagreen", "orangered", "mediumvioletred", "turquoise", "gold"];
    let place = EVENT_TYPES.iter().position(|known| *known == kind).unwrap_or(0);
    COLORS[place]
}
