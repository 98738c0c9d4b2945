//! SQL of events, their locations and the references to their speakers.

pub mod brandlive_sync;
pub mod bulk_edit;
mod deleted;
mod feeds;
mod import_file;
mod interest_conditions;
mod portal;
mod search;
mod series;
mod status;

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Datelike as _, Days, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, named_params, params};

pub use deleted::{all_deleted, delete, get_public, purge, restore};
pub use feeds::{
    calendar_entries, last_sitemap_part, latest_published, pages_of_series, pages_of_sitemap_part, sequence,
    sitemap_part_changed_at,
};
pub use import_file::{all_not_deleted, find_by_import_uid, has_speaker, set_import_uid};
pub use interest_conditions::{find_interest_conditions, interest_conditions, interest_conditions_query};
pub use portal::{
    PageRequest, PortalFilter, days_around_month, find_by_speakers, find_in_order, is_any_not_deleted, months,
    portal_matches, portal_page, series_names,
};
pub use search::{
    ChangedEvent, IndexChange, IndexedEvent, ScratchIndex, changed_texts_after, find_public_in_order,
    for_each_change_after, index_pending, last_search_change, matching, rebuild_index_if_wrong,
};
pub use series::{events_of_series, find_series, find_series_by_id, is_public_series, link_series};
pub use status::{delete_preview_token, find_preview, next_publication, preview_token};

use super::description::DescriptionFormat;
use super::rules::{UpdateContext, ValidatedEvent, ValidatedStatus, ValidatedVenue, day, path_of};
use super::status::EventStatus;
use super::types::{CalendarLinks, Event, Venue};
use crate::features::speakers;
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::{AppError, unique_violation};
use crate::platform::messages;
use crate::platform::text::natural_sort_key;

const BRANDLIVE_ID_DELETED: &str =
    "A recently deleted event has this Brandlive id. Restore that event, or use another id";

/// The events that visitors see at the time `:now` (RFC 3339, UTC). Every statement for visitors reads it instead of a table.
/// Its view repeats the statuses of [`EventStatus::is_public`]; a test compares them.
const PUBLIC_EVENTS: &str = "(SELECT * FROM publishable_events WHERE public_from <= :now)";

/// Narrows the list of events; the default selects all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// First day, yyyy-MM-dd in each event's own time zone.
    pub from: Option<String>,
    /// Last day, inclusive.
    pub to: Option<String>,
    /// Event type.
    pub kind: Option<String>,
    /// Slug of a series.
    pub series: Option<String>,
    /// The only event.
    pub id: Option<i64>,
    /// How many events at most, the first by their start.
    pub limit: Option<u32>,
    /// How many events at most, the last by their start.
    pub last: Option<u32>,
}

/// The public events that match the filter, by the instant of their start.
pub fn all_public(connection: &Connection, now: DateTime<Utc>, filter: &Filter) -> Result<Vec<Event>, AppError> {
    let now = timestamp(now);
    // In every zone, the events of a day start within a day of it in UTC, so that the index of starts finds them.
    let first_start = filter.from.as_deref().and_then(day).and_then(|day| day.checked_sub_days(Days::new(1)));
    let after_last_start = filter.to.as_deref().and_then(day).and_then(|day| day.checked_add_days(Days::new(2)));
    // A longer year would sort before the others.
    let after_last_start = after_last_start.filter(|day| day.year() <= 9999);
    let bounds = [first_start, after_last_start].map(|day| day.map(|day| day.to_string()));
    let (mut condition, mut values) = ("true".to_owned(), vec![(":now", &now as &dyn ToSql)]);
    for (name, value, term) in [
        (":first_start", &bounds[0], " AND e.starts_at >= :first_start"),
        (":from", &filter.from, " AND e.date >= :from"),
        (":after_last_start", &bounds[1], " AND e.starts_at < :after_last_start"),
        (":to", &filter.to, " AND e.date <= :to"),
        (":kind", &filter.kind, " AND e.type = :kind"),
        (":series", &filter.series, " AND e.series_id = (SELECT id FROM series WHERE slug = :series)"),
    ] {
        if let Some(value) = value {
            condition.push_str(term);
            values.push((name, value));
        }
    }
    if let Some(id) = &filter.id {
        condition.push_str(" AND e.id = :id");
        values.push((":id", id));
    }
    if let Some(limit) = &filter.limit {
        values.push((":limit", limit));
    }
    let Some(last) = &filter.last else { return select(connection, PUBLIC_EVENTS, &now, &condition, &values) };
    values.push((":last", last));
    let source = format!(
        "(SELECT e.* FROM {PUBLIC_EVENTS} e WHERE {condition} ORDER BY e.starts_at DESC, e.id DESC LIMIT :last)"
    );
    select(connection, &source, &now, "true", &values)
}

/// The events that visitors do not see: drafts, scheduled and hidden events, by the instant of their start.
pub fn all_unpublished(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<Event>, AppError> {
    const CONDITION: &str = "e.deleted_at IS NULL AND e.public_from <= :now IS NOT TRUE";
    let now = timestamp(now);
    select(connection, "events_with_visibility", &now, CONDITION, named_params! { ":now": now })
}

/// The event with this id, public or not.
pub fn find(connection: &Connection, id: i64, now: DateTime<Utc>) -> Result<Option<Event>, AppError> {
    let values = named_params! { ":id": id };
    Ok(select(connection, "events", &timestamp(now), "e.id = :id AND e.deleted_at IS NULL", values)?.pop())
}

/// The events with these ids, public or not, by the instant of their start.
pub fn find_many(connection: &Connection, ids: &[i64], now: DateTime<Utc>) -> Result<Vec<Event>, AppError> {
    const CONDITION: &str = "e.deleted_at IS NULL AND e.id IN (SELECT value FROM json_each(:ids))";
    let ids = serde_json::to_string(ids).map_err(AppError::internal)?;
    select(connection, "events", &timestamp(now), CONDITION, named_params! { ":ids": ids })
}

/// Sorts events by the positions of their ids in a list.
fn in_order(mut events: Vec<Event>, ids: &[i64]) -> Vec<Event> {
    let positions: HashMap<i64, usize> = ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    events.sort_by_key(|event| positions.get(&event.id));
    events
}

/// The public event with this id.
pub fn find_public(connection: &Connection, id: i64, now: DateTime<Utc>) -> Result<Option<Event>, AppError> {
    let now = timestamp(now);
    Ok(select(connection, PUBLIC_EVENTS, &now, "e.id = :id", named_params! { ":id": id, ":now": now })?.pop())
}

/// Whether there is any event, hidden and deleted ones included.
pub fn any_row(connection: &Connection) -> Result<bool, AppError> {
    let newest: Option<i64> = connection.query_row("SELECT max(id) FROM events", [], |row| row.get(0))?;
    Ok(newest.is_some())
}

/// The first public event that starts now or later, of this type if there is one.
pub fn first_public_from(
    connection: &Connection,
    now: DateTime<Utc>,
    kind: Option<&str>,
) -> Result<Option<Event>, AppError> {
    let id = connection
        .prepare_cached(&format!(
            "SELECT e.id FROM {PUBLIC_EVENTS} e WHERE e.starts_at >= :now AND (:kind IS NULL OR e.type = :kind)
             ORDER BY e.starts_at, e.id LIMIT 1"
        ))?
        .query_row(named_params! { ":now": timestamp(now), ":kind": kind }, |row| row.get(0))
        .optional()?;
    id.map_or(Ok(None), |id| find_public(connection, id, now))
}

/// The first public event after a day (yyyy-MM-dd), of this type if there is one.
pub fn first_public_after(
    connection: &Connection,
    now: DateTime<Utc>,
    day: &str,
    kind: Option<&str>,
) -> Result<Option<Event>, AppError> {
    let id = connection
        .prepare_cached(&format!(
            // An event of a later day starts on this day in UTC at the earliest.
            "SELECT e.id FROM {PUBLIC_EVENTS} e WHERE e.starts_at > :day AND e.date > :day
             AND (:kind IS NULL OR e.type = :kind) ORDER BY e.starts_at, e.id LIMIT 1"
        ))?
        .query_row(named_params! { ":now": timestamp(now), ":day": day, ":kind": kind }, |row| row.get(0))
        .optional()?;
    id.map_or(Ok(None), |id| find_public(connection, id, now))
}

/// Whether a public event, or one with a preview link, takes place at the venue with this place id.
pub fn is_shown_venue(connection: &Connection, place_id: &str, now: DateTime<Utc>) -> Result<bool, AppError> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT 1 FROM event_locations l WHERE l.place_id = :place AND (
                EXISTS (SELECT 1 FROM {PUBLIC_EVENTS} e WHERE e.id = l.event_id)
                OR EXISTS (SELECT 1 FROM events e
                           WHERE e.id = l.event_id AND e.deleted_at IS NULL AND e.preview_token IS NOT NULL))
             LIMIT 1"
        ))?
        .exists(named_params! { ":place": place_id, ":now": timestamp(now) })?)
}

/// The image URLs of all venues, deleted events included.
pub fn image_urls(connection: &Connection) -> Result<Vec<String>, AppError> {
    let mut statement = connection.prepare_cached(
        "SELECT image_url FROM event_locations WHERE image_url IS NOT NULL
         UNION ALL
         SELECT previous ->> '$.location.imageUrl' FROM bulk_edit_items
         WHERE previous ->> '$.location.imageUrl' IS NOT NULL",
    )?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// The stored values on which the validation of a change depends.
pub fn find_for_validation(connection: &Connection, id: i64) -> Result<Option<UpdateContext>, AppError> {
    let mut statement =
        connection.prepare_cached("SELECT duration, status FROM events WHERE id = ?1 AND deleted_at IS NULL")?;
    let row = statement.query_row([id], |row| Ok(UpdateContext { duration: row.get(0)?, status: row.get(1)? }));
    Ok(row.optional()?)
}

/// Whether there is an event with this id, deleted ones included.
pub fn has_row(connection: &Connection, id: i64) -> Result<bool, AppError> {
    Ok(connection.prepare_cached("SELECT 1 FROM events WHERE id = ?1")?.exists([id])?)
}

/// Id and title of the events whose only speaker is this one, by the instant of their start. Deleted events and drafts
/// do not count.
pub fn with_only_speaker(connection: &Connection, speaker_id: i64) -> Result<Vec<(i64, String)>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT e.id, e.title FROM events e JOIN event_speakers es ON es.event_id = e.id
             WHERE es.speaker_id = ?1 AND e.deleted_at IS NULL AND e.status <> 'draft'
               AND NOT EXISTS (SELECT 1 FROM event_speakers o WHERE o.event_id = e.id AND o.speaker_id <> ?1)
             ORDER BY e.starts_at, e.id",
        )?
        .query_map([speaker_id], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?)
}

/// The events of a table or view that meet a condition on `e`, by the instant of their start, with the status that they
/// have at the time `now` (RFC 3339, UTC); at most `:limit`, if `values` has it.
fn select(
    connection: &Connection,
    source: &str,
    now: &str,
    condition: &str,
    values: &[(&str, &dyn ToSql)],
) -> Result<Vec<Event>, AppError> {
    let mut events = select_without_positions(connection, source, now, condition, values)?;
    series::set_positions(connection, &mut events, now)?;
    Ok(events)
}

/// As [`select`], without the positions of the events in their series.
fn select_without_positions(
    connection: &Connection,
    source: &str,
    now: &str,
    condition: &str,
    values: &[(&str, &dyn ToSql)],
) -> Result<Vec<Event>, AppError> {
    let mut events = connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM {source} e WHERE {condition} ORDER BY e.starts_at, e.id LIMIT coalesce(:limit, -1)"
        ))?
        .query_map(values, |row| event_of(row, now))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let index: HashMap<i64, usize> = events.iter().enumerate().map(|(at, event)| (event.id, at)).collect();
    let ids: Vec<i64> = events.iter().map(|event| event.id).collect();
    let ids = serde_json::to_string(&ids).map_err(AppError::internal)?;

    let mut locations = connection.prepare_cached(
        "SELECT l.event_id, l.venue_name, l.venue_address, l.city, l.state, l.image_url, l.place_id
         FROM json_each(?1) requested CROSS JOIN event_locations l ON l.event_id = requested.value",
    )?;
    let mut rows = locations.query([&ids])?;
    while let Some(row) = rows.next()? {
        if let Some(&at) = index.get(&row.get(0)?) {
            events[at].location = Some(venue_of(row)?);
        }
    }

    let references = connection
        .prepare_cached(
            "SELECT es.event_id, es.speaker_id
             FROM json_each(?1) requested CROSS JOIN event_speakers es ON es.event_id = requested.value
             ORDER BY es.event_id, es.position, es.speaker_id",
        )?
        .query_map([&ids], |row| Ok((row.get(0)?, row.get(1)?)))?
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

/// What [`event_of`] reads. By name, SQLite would compare the names of the columns for each value.
const COLUMNS: &str = "e.id, e.title, e.status, e.publish_at, e.calendar_links, e.brandlive_id, e.series, e.date, e.time,
    e.duration, e.summary, e.description, e.description_format, e.description_html, e.registration_url, e.type, e.timezone,
    e.created_at, e.updated_at, e.starts_at, e.revision, e.recording_url, e.series_id";

fn event_of(row: &Row<'_>, now: &str) -> rusqlite::Result<Event> {
    let (mut status, publish_at): (EventStatus, Option<String>) = (row.get(2)?, row.get(3)?);
    let links: String = row.get(4)?;
    let is_due = publish_at.as_deref().is_some_and(|at| at <= now);
    if status == EventStatus::Scheduled && is_due {
        status = EventStatus::Published;
    }
    let is_scheduled = status == EventStatus::Scheduled;
    let (id, title) = (row.get(0)?, row.get::<_, String>(1)?);
    Ok(Event {
        id,
        path: path_of(id, &title),
        brandlive_id: row.get(5)?,
        series: row.get(6)?,
        title,
        date: row.get(7)?,
        time: row.get(8)?,
        duration: row.get(9)?,
        summary: row.get(10)?,
        description: row.get(11)?,
        description_format: row.get(12)?,
        description_html: row.get(13)?,
        registration_url: row.get(14)?,
        r#type: row.get(15)?,
        // Links that can't be parsed count as missing.
        calendar_links: serde_json::from_str(&links).unwrap_or_default(),
        timezone: row.get(16)?,
        created_at: row.get(17)?,
        updated_at: row.get(18)?,
        starts_at: row.get(19)?,
        revision: row.get(20)?,
        status,
        published_at: publish_at.clone().filter(|_| is_due),
        publish_at: publish_at.filter(|_| is_scheduled),
        recording_url: row.get(21)?,
        series_position: None,
        series_id: row.get(22)?,
        location: None,
        speakers: Vec::new(),
    })
}

fn venue_of(row: &Row<'_>) -> rusqlite::Result<Venue> {
    Ok(Venue {
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

/// Inserts an event with its venue and speakers and returns its id.
///
/// # Errors
/// 409 for a Brandlive id that another event has, deleted ones included; 400 for a speaker who does not exist.
pub fn insert(transaction: &Transaction<'_>, new: &ValidatedEvent) -> Result<i64, AppError> {
    let format = new.description_format.unwrap_or_default();
    let id = transaction
        .prepare_cached(
            "INSERT INTO events (brandlive_id, series, title, date, time, duration, summary, description,
                 registration_url, type, calendar_links, timezone, starts_at, status, publish_at, recording_url,
                 description_format, description_html, title_key)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
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
            new.starts_at.map(timestamp).unwrap_or_default(),
            new.status.map_or(EventStatus::Published, ValidatedStatus::status),
            status::publication(new.status),
            new.recording_url.as_ref().and_then(Option::as_deref),
            format,
            format.html(&new.description),
            natural_sort_key(&new.title),
        ])
        .map_err(|error| conflict(transaction, error, new))?;
    series::link(transaction, id)?;
    replace_venue(transaction, id, new.location.as_ref())?;
    replace_speakers(transaction, id, &new.speaker_ids)?;
    search::index_pending(transaction)?;
    Ok(id)
}

/// Updates an event with its venue and speakers; returns whether there is such an event.
///
/// # Errors
/// As [`insert`].
pub fn update(
    transaction: &Transaction<'_>,
    id: i64,
    new: &ValidatedEvent,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    status::update(transaction, id, new.status, now)?;
    let format = match new.description_format {
        Some(format) => format,
        None => description_format(transaction, id)?,
    };
    let changed = transaction
        .prepare_cached(
            "UPDATE events SET
                 title = ?2, date = ?3, time = ?4, duration = ?5, summary = ?6, description = ?7,
                 registration_url = ?8, type = ?9, timezone = ?10, starts_at = ?11,
                 brandlive_id = CASE WHEN ?12 THEN ?13 ELSE brandlive_id END,
                 series = CASE WHEN ?14 THEN ?15 ELSE series END,
                 calendar_links = coalesce(?16, calendar_links),
                 recording_url = CASE WHEN ?17 THEN ?18 ELSE recording_url END,
                 description_format = ?19, description_html = ?20, title_key = ?21,
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
            new.starts_at.map(timestamp).unwrap_or_default(),
            new.brandlive_id.is_some(),
            new.brandlive_id.as_ref().and_then(Option::as_deref),
            new.series.is_some(),
            new.series.as_ref().and_then(Option::as_deref),
            new.calendar_links.as_ref().map(links_json),
            new.recording_url.is_some(),
            new.recording_url.as_ref().and_then(Option::as_deref),
            format,
            format.html(&new.description),
            natural_sort_key(&new.title),
        ])
        .map_err(|error| conflict(transaction, error, new))?;
    if changed == 0 {
        return Ok(false);
    }
    series::link(transaction, id)?;
    replace_venue(transaction, id, new.location.as_ref())?;
    replace_speakers(transaction, id, &new.speaker_ids)?;
    search::index_pending(transaction)?;
    Ok(true)
}

/// The format of an event's description; the default if there is no such event.
fn description_format(connection: &Connection, id: i64) -> Result<DescriptionFormat, AppError> {
    let mut statement = connection.prepare_cached("SELECT description_format FROM events WHERE id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?.unwrap_or_default())
}

fn replace_venue(transaction: &Transaction<'_>, id: i64, location: Option<&ValidatedVenue>) -> Result<(), AppError> {
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
    let stored = transaction
        .prepare_cached("SELECT speaker_id FROM event_speakers WHERE event_id = ?1 ORDER BY position, speaker_id")?
        .query_map([id], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    if stored == speakers {
        return Ok(());
    }
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

fn conflict(transaction: &Transaction<'_>, error: rusqlite::Error, new: &ValidatedEvent) -> AppError {
    if unique_violation(&error) != Some("events.brandlive_id") {
        return error.into();
    }
    let is_deleted = transaction
        .prepare_cached("SELECT 1 FROM events WHERE brandlive_id = ?1 AND deleted_at IS NOT NULL")
        .and_then(|mut statement| statement.exists([new.brandlive_id.as_ref().and_then(Option::as_deref)]));
    let message = if is_deleted.unwrap_or(false) { BRANDLIVE_ID_DELETED } else { messages::BRANDLIVE_ID_TAKEN };
    AppError::Conflict { message: message.to_owned(), field: Some("brandliveId") }
}
