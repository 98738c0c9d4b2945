//! SQL for calendars, feeds and the sitemap. They list the events that end after an instant, so that their cost does not grow
//! with the number of past events.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, named_params, params};

use super::{Event, PUBLIC_EVENTS, find_many, select};
use crate::features::events::rules::path_of;
use crate::features::events::types::{CalendarEntry, PagePath, end_of, path_of_series};
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::config::brandlive::MAX_EVENT_MINUTES;
use crate::platform::error::AppError;

/// The calendar sequence number of an event (RFC 5545 §3.8.7.4) at the time `:now`. Its publication increases it at once; the
/// stored one increases with the next save, which stores the status.
const SEQUENCE: &str = "e.sequence + (e.status = 'scheduled' AND e.publish_at <= :now)";
/// The ids in one part of the sitemap. The index `events_by_sitemap_part` and the statements contain the same number.
const SITEMAP_PART: i64 = 1_000;

/// The earliest start of an event that ends after an instant, RFC 3339, UTC. No event is longer than a synced one can be.
fn earliest_start(ends_after: DateTime<Utc>) -> String {
    timestamp(ends_after - TimeDelta::minutes(i64::from(MAX_EVENT_MINUTES)))
}

/// The public events that end after an instant, and those that were public until they were deleted, hidden or withdrawn
/// after `cancelled_since`, by the instant of their start. Of a cancelled event, `ends_after` returns the instant after which
/// it must end from the instant of its cancellation.
pub fn calendar_entries(
    connection: &Connection,
    now: DateTime<Utc>,
    cancelled_since: DateTime<Utc>,
    ends_after: impl Fn(DateTime<Utc>) -> DateTime<Utc>,
) -> Result<Vec<CalendarEntry>, AppError> {
    // The time since which visitors do not see an event that they saw before; NULL if they see it or never did.
    const CANCELLED_AT: &str = "iif(e.public_from <= coalesce(e.deleted_at, :now), e.deleted_at, e.hidden_at)";
    const CONDITION: &str = "e.id IN (SELECT value FROM json_each(:ids))";
    let (now_text, since) = (timestamp(now), timestamp(cancelled_since));
    let mut statement = connection.prepare_cached(&format!(
        // A draft that was public before may have lost its date.
        "SELECT e.id, {SEQUENCE}, NULL FROM {PUBLIC_EVENTS} e WHERE e.starts_at > :from
         UNION ALL
         SELECT e.id, {SEQUENCE}, {CANCELLED_AT} FROM events_with_visibility e
         WHERE e.deleted_at > :since AND e.starts_at <> '' AND {CANCELLED_AT} > :since
         UNION ALL
         SELECT e.id, {SEQUENCE}, {CANCELLED_AT} FROM events_with_visibility e
         WHERE e.hidden_at > :since AND (e.deleted_at > :since) IS NOT TRUE AND e.starts_at <> '' AND {CANCELLED_AT} > :since"
    ))?;
    let values = named_params! { ":from": earliest_start(ends_after(now)), ":now": now_text, ":since": since };
    let mut listed = HashMap::new();
    let mut rows = statement.query(values)?;
    while let Some(row) = rows.next()? {
        let (id, sequence): (i64, i64) = (row.get(0)?, row.get(1)?);
        let cancelled_at: Option<String> = row.get(2)?;
        listed.insert(id, (sequence, cancelled_at.map(|at| parse_timestamp(&at).unwrap_or_default())));
    }
    let ids: Vec<i64> = listed.keys().copied().collect();
    let ids = serde_json::to_string(&ids).map_err(AppError::internal)?;
    let events = select(connection, "events", &now_text, CONDITION, named_params! { ":ids": ids })?;
    let entry = |event: Event| {
        let (sequence, cancelled_at) = *listed.get(&event.id)?;
        let is_listed = event.ends() > ends_after(cancelled_at.unwrap_or(now));
        is_listed.then_some(CalendarEntry { event, sequence, cancelled_at })
    };
    Ok(events.into_iter().filter_map(entry).collect())
}

/// The calendar sequence number of an event; 0 if there is no such event.
pub fn sequence(connection: &Connection, id: i64, now: DateTime<Utc>) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached(&format!("SELECT {SEQUENCE} FROM events e WHERE e.id = :id"))?;
    let values = named_params! { ":id": id, ":now": timestamp(now) };
    Ok(statement.query_row(values, |row| row.get(0)).optional()?.unwrap_or(0))
}

/// At most `limit` public events that end after an instant, of a series if there is one, the last published first.
pub fn latest_published(
    connection: &Connection,
    now: DateTime<Utc>,
    ends_after: DateTime<Utc>,
    series: Option<i64>,
    limit: usize,
) -> Result<Vec<Event>, AppError> {
    let mut ids = Vec::with_capacity(limit);
    let mut statement = connection.prepare_cached(&format!(
        "SELECT e.id, e.starts_at, e.duration FROM {PUBLIC_EVENTS} e
         WHERE e.starts_at > :from AND (:series IS NULL OR e.series_id = :series)
         ORDER BY iif(e.publish_at <= :now, e.publish_at, e.created_at) DESC, e.id DESC"
    ))?;
    let from = earliest_start(ends_after);
    let mut rows = statement.query(named_params! { ":now": timestamp(now), ":from": from, ":series": series })?;
    while let Some(row) = rows.next()? {
        let (starts_at, duration): (String, String) = (row.get(1)?, row.get(2)?);
        if end_of(parse_timestamp(&starts_at).unwrap_or_default(), &duration) > ends_after {
            ids.push(row.get(0)?);
        }
        if ids.len() == limit {
            break;
        }
    }
    let mut events = find_many(connection, &ids, now)?;
    events.sort_by(|a, b| (b.first_published(), b.id).cmp(&(a.first_published(), a.id)));
    Ok(events)
}

/// The number of the last part of the sitemap; 0 without events.
pub fn last_sitemap_part(connection: &Connection) -> Result<i64, AppError> {
    let newest: Option<i64> =
        connection.prepare_cached("SELECT max(id) FROM events")?.query_row([], |row| row.get(0))?;
    Ok(newest.unwrap_or(0) / SITEMAP_PART)
}

/// When a part of the sitemap last changed, RFC 3339, UTC; `None` for a part without public events.
pub fn sitemap_part_changed_at(
    connection: &Connection,
    part: i64,
    now: DateTime<Utc>,
) -> Result<Option<String>, AppError> {
    let (now, first) = (timestamp(now), part * SITEMAP_PART);
    let has_events = connection
        .prepare_cached(&format!("SELECT 1 FROM {PUBLIC_EVENTS} e WHERE e.id BETWEEN :first AND :last LIMIT 1"))?
        .exists(named_params! { ":first": first, ":last": first + SITEMAP_PART - 1, ":now": now })?;
    if !has_events {
        return Ok(None);
    }
    // It also changes when visitors no longer see an event.
    Ok(connection
        .prepare_cached(
            "SELECT changed_at FROM events_with_visibility
             WHERE id / 1000 = ?1 AND (public_from <= coalesce(deleted_at, ?2) OR hidden_at IS NOT NULL)
             ORDER BY changed_at DESC LIMIT 1",
        )?
        .query_row(params![part, now], |row| row.get(0))
        .optional()?)
}

/// The pages of the public events in a part of the sitemap, by id.
pub fn pages_of_sitemap_part(
    connection: &Connection,
    part: i64,
    now: DateTime<Utc>,
) -> Result<Vec<PagePath>, AppError> {
    let first = part * SITEMAP_PART;
    Ok(connection
        .prepare_cached(&format!(
            "SELECT e.id, e.title, e.changed_at FROM {PUBLIC_EVENTS} e WHERE e.id BETWEEN :first AND :last ORDER BY e.id"
        ))?
        .query_map(
            named_params! { ":first": first, ":last": first + SITEMAP_PART - 1, ":now": timestamp(now) },
            |row| Ok(PagePath { path: path_of(row.get(0)?, &row.get::<_, String>(1)?), changed_at: row.get(2)? }),
        )?
        .collect::<rusqlite::Result<_>>()?)
}

/// The pages of the series of which visitors see an event, by path.
pub fn pages_of_series(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<PagePath>, AppError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT s.slug, (SELECT e.changed_at FROM {PUBLIC_EVENTS} e WHERE e.series_id = s.id
             ORDER BY e.changed_at DESC LIMIT 1)
         FROM series s ORDER BY s.slug"
    ))?;
    let mut rows = statement.query(named_params! { ":now": timestamp(now) })?;
    let mut pages = Vec::new();
    while let Some(row) = rows.next()? {
        if let Some(changed_at) = row.get(1)? {
            pages.push(PagePath { path: path_of_series(&row.get::<_, String>(0)?), changed_at });
        }
    }
    Ok(pages)
}
