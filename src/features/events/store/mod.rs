//! SQL of events, their locations and the references to their speakers.

mod deleted;
pub mod import;

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, named_params, params};

pub use deleted::{all_deleted, delete, get_public, purge, restore};

use super::rules::{NewEvent, NewLocation, path_of};
use super::types::{CalendarEntry, CalendarLinks, Event, Location, end_of};
use crate::features::speakers;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::Transaction;
use crate::platform::error::{AppError, unique_violation};
use crate::platform::messages;

const BRANDLIVE_ID_DELETED: &str =
    "A recently deleted event has this Brandlive id. Restore that event, or use another id";

/// Narrows the list of events; the default selects all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// First day, yyyy-MM-dd in each event's own time zone.
    pub from: Option<String>,
    /// Last day, inclusive.
    pub to: Option<String>,
    /// Event type.
    pub kind: Option<String>,
}

/// The public events that match the filter, by the instant of their start.
pub fn all(connection: &Connection, filter: &Filter) -> Result<Vec<Event>, AppError> {
    let (mut condition, mut values) = ("true".to_owned(), Vec::<(&str, &dyn ToSql)>::new());
    for (name, value, term) in [
        (":from", &filter.from, " AND e.date >= :from"),
        (":to", &filter.to, " AND e.date <= :to"),
        (":kind", &filter.kind, " AND e.type = :kind"),
    ] {
        if let Some(value) = value {
            condition.push_str(term);
            values.push((name, value));
        }
    }
    select(connection, "public_events", &condition, &values)
}

/// The events that are hidden from the public, by the instant of their start.
pub fn all_hidden(connection: &Connection) -> Result<Vec<Event>, AppError> {
    select(connection, "events", "e.hidden_at IS NOT NULL AND e.deleted_at IS NULL", &[])
}

/// The event with this id, public or hidden.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Event>, AppError> {
    Ok(select(connection, "events", "e.id = :id AND e.deleted_at IS NULL", named_params! { ":id": id })?.pop())
}

/// The public event with this id.
pub fn find_public(connection: &Connection, id: i64) -> Result<Option<Event>, AppError> {
    Ok(select(connection, "public_events", "e.id = :id", named_params! { ":id": id })?.pop())
}

/// Whether there is any event, hidden and deleted ones included.
pub fn any(connection: &Connection) -> Result<bool, AppError> {
    let newest: Option<i64> = connection.query_row("SELECT max(id) FROM events", [], |row| row.get(0))?;
    Ok(newest.is_some())
}

/// The first public event that starts at this instant (RFC 3339, UTC) or later.
pub fn first_from(connection: &Connection, instant: &str) -> Result<Option<Event>, AppError> {
    let id = connection
        .prepare_cached("SELECT id FROM public_events WHERE starts_at >= ?1 ORDER BY starts_at, id LIMIT 1")?
        .query_row([instant], |row| row.get(0))
        .optional()?;
    id.map_or(Ok(None), |id| find_public(connection, id))
}

/// The public events, and those that were hidden or deleted after `since`, by the instant of their start.
pub fn calendar_entries(connection: &Connection, since: DateTime<Utc>) -> Result<Vec<CalendarEntry>, AppError> {
    const CONDITION: &str = "(e.is_public OR coalesce(e.deleted_at, e.hidden_at) > :since)";
    let since = timestamp(since);
    let values = named_params! { ":since": since };
    let events = select(connection, "events_with_visibility", CONDITION, values)?;
    let mut entries = Vec::with_capacity(events.len());
    let mut statement = connection.prepare_cached(&format!(
        "SELECT e.sequence, coalesce(e.deleted_at, e.hidden_at) FROM events_with_visibility e WHERE {CONDITION}
         ORDER BY e.starts_at, e.id"
    ))?;
    let mut rows = statement.query(values)?;
    // Both statements read one snapshot in one order.
    for event in events {
        let Some(row) = rows.next()? else { break };
        let cancelled_at: Option<String> = row.get(1)?;
        let cancelled_at = cancelled_at.map(|at| parse_timestamp(&at).unwrap_or_default());
        entries.push(CalendarEntry { event, sequence: row.get(0)?, cancelled_at });
    }
    Ok(entries)
}

/// The calendar sequence number of an event (RFC 5545 §3.8.7.4); 0 if there is no such event.
pub fn sequence(connection: &Connection, id: i64) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached("SELECT sequence FROM events WHERE id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// The type and the end of the public event with this id.
pub fn public_type_and_end(connection: &Connection, id: i64) -> Result<Option<(String, DateTime<Utc>)>, AppError> {
    let mut statement =
        connection.prepare_cached("SELECT type, starts_at, duration FROM public_events WHERE id = ?1")?;
    let row = statement.query_row([id], |row| {
        let (starts_at, duration): (String, String) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, end_of(parse_timestamp(&starts_at).unwrap_or_default(), &duration)))
    });
    Ok(row.optional()?)
}

/// Whether a public event takes place at the venue with this place id.
pub fn has_public_place(connection: &Connection, place_id: &str) -> Result<bool, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM event_locations l JOIN public_events e ON e.id = l.event_id WHERE l.place_id = ?1 LIMIT 1",
        )?
        .exists([place_id])?)
}

/// The image URLs of all venues, deleted events included.
pub fn image_urls(connection: &Connection) -> Result<Vec<String>, AppError> {
    let mut statement =
        connection.prepare_cached("SELECT image_url FROM event_locations WHERE image_url IS NOT NULL")?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// The stored duration of an event, such as `60 minutes`.
pub fn duration(connection: &Connection, id: i64) -> Result<Option<String>, AppError> {
    let mut statement =
        connection.prepare_cached("SELECT duration FROM events WHERE id = ?1 AND deleted_at IS NULL")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?)
}

/// Whether there is an event with this id, deleted ones included.
pub fn exists(connection: &Connection, id: i64) -> Result<bool, AppError> {
    Ok(connection.prepare_cached("SELECT 1 FROM events WHERE id = ?1")?.exists([id])?)
}

/// Id and title of the events whose only speaker is this one, by the instant of their start. Deleted events do not
/// count.
pub fn with_only_speaker(connection: &Connection, speaker_id: i64) -> Result<Vec<(i64, String)>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT e.id, e.title FROM events e JOIN event_speakers es ON es.event_id = e.id
             WHERE es.speaker_id = ?1 AND e.deleted_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM event_speakers o WHERE o.event_id = e.id AND o.speaker_id <> ?1)
             ORDER BY e.starts_at, e.id",
        )?
        .query_map([speaker_id], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?)
}

/// The events of a table or view that meet a condition on `e`, by the instant of their start.
fn select(
    connection: &Connection,
    source: &str,
    condition: &str,
    values: &[(&str, &dyn ToSql)],
) -> Result<Vec<Event>, AppError> {
    let mut events = connection
        .prepare_cached(&format!("SELECT e.* FROM {source} e WHERE {condition} ORDER BY e.starts_at, e.id"))?
        .query_map(values, event_of)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let index: HashMap<i64, usize> = events.iter().enumerate().map(|(at, event)| (event.id, at)).collect();

    let mut locations = connection.prepare_cached(&format!(
        "SELECT l.event_id, l.venue_name, l.venue_address, l.city, l.state, l.image_url, l.place_id
         FROM event_locations l JOIN {source} e ON e.id = l.event_id WHERE {condition}"
    ))?;
    let mut rows = locations.query(values)?;
    while let Some(row) = rows.next()? {
        if let Some(&at) = index.get(&row.get(0)?) {
            events[at].location = Some(location_of(row)?);
        }
    }

    let references = connection
        .prepare_cached(&format!(
            "SELECT es.event_id, es.speaker_id FROM event_speakers es JOIN {source} e ON e.id = es.event_id
             WHERE {condition} ORDER BY es.event_id, es.position, es.speaker_id"
        ))?
        .query_map(values, |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(i64, i64)>>>()?;
    let ids: BTreeSet<i64> = references.iter().map(|(_, speaker)| *speaker).collect();
    let speakers = speakers::find_all(connection, &ids.into_iter().collect::<Vec<_>>())?;
    for (event, speaker) in references {
        if let (Some(&at), Some(speaker)) = (index.get(&event), speakers.get(&speaker)) {
            events[at].speakers.push(speaker.into());
        }
    }
    Ok(events)
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
        // Links that can't be parsed count as missing.
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

fn links_json(links: &CalendarLinks) -> String {
    serde_json::to_string(links).unwrap_or_else(|_| "{}".to_owned())
}

/// Inserts an event with its location and speakers and returns its id.
///
/// # Errors
/// 409 for a Brandlive id that another event has, deleted ones included; 400 for a speaker who does not exist.
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
        .map_err(|error| conflict(transaction, error, new))?;
    replace_location(transaction, id, new.location.as_ref())?;
    replace_speakers(transaction, id, &new.speaker_ids)?;
    Ok(id)
}

/// Updates an event with its location and speakers; returns whether there is such an event.
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
             WHERE id = ?1 AND deleted_at IS NULL",
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
        .map_err(|error| conflict(transaction, error, new))?;
    if changed == 0 {
        return Ok(false);
    }
    replace_location(transaction, id, new.location.as_ref())?;
    replace_speakers(transaction, id, &new.speaker_ids)?;
    Ok(true)
}

fn replace_location(transaction: &Transaction<'_>, id: i64, location: Option<&NewLocation>) -> Result<(), AppError> {
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

fn replace_speakers(transaction: &Transaction<'_>, id: i64, speakers: &[i64]) -> Result<(), AppError> {
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

fn conflict(transaction: &Transaction<'_>, error: rusqlite::Error, new: &NewEvent) -> AppError {
    if unique_violation(&error) != Some("events.brandlive_id") {
        return error.into();
    }
    let is_deleted = transaction
        .prepare_cached("SELECT 1 FROM events WHERE brandlive_id = ?1 AND deleted_at IS NOT NULL")
        .and_then(|mut statement| statement.exists([new.brandlive_id.as_ref().and_then(Option::as_deref)]));
    let message = if is_deleted.unwrap_or(false) { BRANDLIVE_ID_DELETED } else { messages::BRANDLIVE_ID_TAKEN };
    AppError::Conflict { message: message.to_owned(), field: Some("brandliveId") }
}
