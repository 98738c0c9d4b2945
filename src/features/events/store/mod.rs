//! Events in SQL.

mod deleted;
pub mod import;

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, Row, named_params, params};

pub use deleted::{delete, purge, restore};

use super::rules::{NewEvent, NewLocation, path_of};
use super::types::{CalendarLinks, Event, EventSpeaker, Location, SpeakerOfEvent};
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::{AppError, unique_violation};
use crate::platform::messages;

/// Which events are wanted; without anything set, all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// From this day on (yyyy-MM-dd, in each event's own zone).
    pub from: Option<String>,
    /// To this day, which is included.
    pub to: Option<String>,
    /// Of this type.
    pub kind: Option<String>,
    /// The one with this number.
    pub id: Option<i64>,
    /// Also those that are hidden from the public.
    pub hidden_too: bool,
    /// Nothing but those.
    pub hidden_only: bool,
}

const WHERE: &str = "WHERE (:from IS NULL OR e.date >= :from) AND (:to IS NULL OR e.date <= :to)
    AND (:kind IS NULL OR e.type = :kind) AND (:id IS NULL OR e.id = :id)
    AND CASE WHEN :hidden_only THEN e.hidden_at IS NOT NULL ELSE :hidden_too OR e.hidden_at IS NULL END";

/// The events that the filter lets through, by the instant of their start.
pub fn all(connection: &Connection, filter: &Filter) -> Result<Vec<Event>, AppError> {
    let Filter { from, to, kind, id, hidden_too, hidden_only } = filter;
    let wanted = named_params! {
        ":from": from, ":to": to, ":kind": kind, ":id": id, ":hidden_too": hidden_too, ":hidden_only": hidden_only,
    };

    let mut events = connection
        .prepare_cached(&format!("SELECT e.* FROM events e {WHERE} ORDER BY e.starts_at, e.id"))?
        .query_map(wanted, event_of)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let place: HashMap<i64, usize> = events.iter().enumerate().map(|(at, event)| (event.id, at)).collect();

    let mut locations = connection.prepare_cached(&format!(
        "SELECT l.event_id, l.venue_name, l.venue_address, l.city, l.state, l.image_url, l.place_id
         FROM event_locations l JOIN events e ON e.id = l.event_id {WHERE}"
    ))?;
    let mut rows = locations.query(wanted)?;
    while let Some(row) = rows.next()? {
        if let Some(&at) = place.get(&row.get(0)?) {
            events[at].location = Some(location_of(row)?);
        }
    }

    let mut speakers = connection.prepare_cached(&format!(
        "SELECT es.event_id, s.id, s.name, s.title, s.image_url, s.bio
         FROM event_speakers es JOIN events e ON e.id = es.event_id JOIN speakers s ON s.id = es.speaker_id
         {WHERE} ORDER BY es.event_id, es.position, s.id"
    ))?;
    let mut rows = speakers.query(wanted)?;
    while let Some(row) = rows.next()? {
        if let Some(&at) = place.get(&row.get(0)?) {
            events[at].speakers.push(speaker_of(row)?);
        }
    }
    Ok(events)
}

/// The event with this number, hidden or not.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Event>, AppError> {
    Ok(all(connection, &Filter { id: Some(id), hidden_too: true, ..Filter::default() })?.pop())
}

/// The event with this number, where the public sees it.
pub fn find_seen(connection: &Connection, id: i64) -> Result<Option<Event>, AppError> {
    Ok(all(connection, &Filter { id: Some(id), ..Filter::default() })?.pop())
}

/// The first event that the public sees whose start is at this instant (RFC 3339, UTC) or later.
pub fn first_from(connection: &Connection, instant: &str) -> Result<Option<Event>, AppError> {
    let id = connection
        .prepare_cached(
            "SELECT id FROM events WHERE starts_at >= ?1 AND hidden_at IS NULL ORDER BY starts_at, id LIMIT 1",
        )?
        .query_row([instant], |row| row.get(0))
        .optional()?;
    match id {
        Some(id) => find(connection, id),
        None => Ok(None),
    }
}

fn event_of(row: &Row<'_>) -> rusqlite::Result<Event> {
    let links: String = row.get("calendar_links")?;
    let (id, title) = (row.get("id")?, row.get::<_, String>("title")?);
    Ok(Event {
        id,
        path: path_of(id, &title),
        brandlive_id: row.get("brandlive_id")?,
        series: row.get("series")?,
        title,
        date: row.get("date")?,
        time: row.get("time")?,
        duration: row.get("duration")?,
        summary: row.get("summary")?,
        description: row.get("description")?,
        registration_url: row.get("registration_url")?,
        r#type: row.get("type")?,
        // Links that can't be read are as good as none.
        calendar_links: serde_json::from_str(&links).unwrap_or_default(),
        timezone: row.get("timezone")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        starts_at: row.get("starts_at")?,
        revision: row.get("revision")?,
        location: None,
        speakers: Vec::new(),
    })
}

fn location_of(row: &Row<'_>) -> rusqlite::Result<Location> {
    Ok(Location {
        venue_name: row.get(1)?,
        venue_address: row.get(2)?,
        city: row.get(3)?,
        state: row.get(4)?,
        image_url: row.get(5)?,
        place_id: row.get(6)?,
    })
}

fn speaker_of(row: &Row<'_>) -> rusqlite::Result<EventSpeaker> {
    let id = row.get(1)?;
    let speaker =
        SpeakerOfEvent { id, name: row.get(2)?, title: row.get(3)?, image_url: row.get(4)?, bio: row.get(5)? };
    Ok(EventSpeaker { speaker_id: id, speaker })
}

fn links_json(links: &CalendarLinks) -> String {
    serde_json::to_string(links).unwrap_or_else(|_| "{}".to_owned())
}

/// Stores a new event with all that belongs to it and returns its number.
///
/// # Errors
/// 409 for a Brandlive id that another event has, 400 for a speaker who does not exist.
pub fn insert(transaction: &Transaction<'_>, new: &NewEvent) -> Result<i64, AppError> {
    let id = transaction
        .prepare_cached(
            "INSERT INTO events (brandlive_id, series, title, date, time, duration, summary, description,
                 registration_url, type, calendar_links, timezone, starts_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .insert(params![
            new.brandlive_id.as_ref().and_then(Option::as_deref),
            new.series.as_ref().and_then(Option::as_deref),
            new.title,
            new.date,
            new.time,
            new.duration,
            new.summary,
            new.description,
            new.registration_url,
            new.kind,
            links_json(new.calendar_links.as_ref().unwrap_or(&CalendarLinks::default())),
            new.timezone,
            timestamp(new.starts_at),
        ])
        .map_err(taken)?;
    put_location(transaction, id, new.location.as_ref())?;
    put_speakers(transaction, id, &new.speaker_ids)?;
    Ok(id)
}

/// Changes an event and all that belongs to it; returns whether it was there.
///
/// # Errors
/// As [`insert`].
pub fn update(transaction: &Transaction<'_>, id: i64, new: &NewEvent) -> Result<bool, AppError> {
    let changed = transaction
        .prepare_cached(
            "UPDATE events SET
                 title = ?2, date = ?3, time = ?4, duration = ?5, summary = ?6, description = ?7,
                 registration_url = ?8, type = ?9, timezone = ?10, starts_at = ?11,
                 brandlive_id = CASE WHEN ?12 THEN ?13 ELSE brandlive_id END,
                 series = CASE WHEN ?14 THEN ?15 ELSE series END,
                 calendar_links = coalesce(?16, calendar_links),
                 revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1",
        )?
        .execute(params![
            id,
            new.title,
            new.date,
            new.time,
            new.duration,
            new.summary,
            new.description,
            new.registration_url,
            new.kind,
            new.timezone,
            timestamp(new.starts_at),
            new.brandlive_id.is_some(),
            new.brandlive_id.as_ref().and_then(Option::as_deref),
            new.series.is_some(),
            new.series.as_ref().and_then(Option::as_deref),
            new.calendar_links.as_ref().map(links_json),
        ])
        .map_err(taken)?;
    if changed == 0 {
        return Ok(false);
    }
    put_location(transaction, id, new.location.as_ref())?;
    put_speakers(transaction, id, &new.speaker_ids)?;
    Ok(true)
}

fn put_location(transaction: &Transaction<'_>, id: i64, location: Option<&NewLocation>) -> Result<(), AppError> {
    let Some(new) = location else {
        transaction.prepare_cached("DELETE FROM event_locations WHERE event_id = ?1")?.execute([id])?;
        return Ok(());
    };
    transaction
        .prepare_cached(
            "INSERT INTO event_locations (event_id, venue_name, venue_address, city, state, image_url, place_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (event_id) DO UPDATE SET
                 venue_name = excluded.venue_name, venue_address = excluded.venue_address, city = excluded.city,
                 state = excluded.state, image_url = excluded.image_url, place_id = excluded.place_id",
        )?
        .execute(params![id, new.venue_name, new.venue_address, new.city, new.state, new.image_url, new.place_id])?;
    Ok(())
}

fn put_speakers(transaction: &Transaction<'_>, id: i64, speakers: &[i64]) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM event_speakers WHERE event_id = ?1")?.execute([id])?;
    let mut statement = transaction
        .prepare_cached("INSERT INTO event_speakers (event_id, speaker_id, position) VALUES (?1, ?2, ?3)")?;
    for (position, speaker) in speakers.iter().enumerate() {
        statement.execute(params![id, speaker, i64::try_from(position).unwrap_or(i64::MAX)]).map_err(|error| {
            if error
                .sqlite_error()
                .is_some_and(|code| code.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY)
            {
                AppError::Validation(vec![("speakerIds".to_owned(), messages::SPEAKER_UNKNOWN.to_owned())])
            } else {
                error.into()
            }
        })?;
    }
    Ok(())
}

fn taken(error: rusqlite::Error) -> AppError {
    match unique_violation(&error) {
        Some("events.brandlive_id") => {
            AppError::Conflict { message: messages::BRANDLIVE_ID_TAKEN.to_owned(), field: Some("brandliveId") }
        }
        _ => error.into(),
    }
}
