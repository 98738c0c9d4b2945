//! SQL of series: the link from an event to the series that it names, and the positions of events in their series.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, named_params, params};

use super::{Event, PUBLIC_EVENTS, select};
use crate::features::events::rules::{path_of, series_key, series_slugs};
use crate::features::events::types::{Series, SeriesNeighbor, SeriesPosition, path_of_series};
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// How many renames of a series are followed.
const MAX_RENAMES: usize = 20;

/// Links an event with the series that it names, after a write of that name. When the last event of a series moves to
/// another series, the URL of the former series leads to the other.
pub(super) fn link(transaction: &Transaction<'_>, event_id: i64) -> Result<(), AppError> {
    let row: Option<(Option<String>, Option<i64>)> = transaction
        .prepare_cached("SELECT series, series_id FROM events WHERE id = ?1")?
        .query_row([event_id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((name, before)) = row else { return Ok(()) };
    let after = name.map(|name| find_or_insert(transaction, &name)).transpose()?;
    if before == after {
        return Ok(());
    }
    transaction.prepare_cached("UPDATE events SET series_id = ?2 WHERE id = ?1")?.execute(params![event_id, after])?;
    let Some(after) = after else { return Ok(()) };
    transaction
        .prepare_cached("UPDATE series SET moved_to = NULL WHERE id = ?1 AND moved_to IS NOT NULL")?
        .execute([after])?;
    transaction
        .prepare_cached(
            "UPDATE series SET moved_to = ?2 WHERE id = ?1
             AND NOT EXISTS (SELECT 1 FROM events WHERE series_id = ?1 AND deleted_at IS NULL)",
        )?
        .execute(params![before, after])?;
    Ok(())
}

/// Links the events that earlier releases or other programs have stored.
pub fn link_series(transaction: &Transaction<'_>) -> Result<(), AppError> {
    let ids = transaction
        .prepare_cached("SELECT id FROM events WHERE series IS NOT NULL AND series_id IS NULL ORDER BY id")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    ids.into_iter().try_for_each(|id| link(transaction, id))
}

/// The id of the series with this name, which is inserted if it is new.
fn find_or_insert(transaction: &Transaction<'_>, name: &str) -> Result<i64, AppError> {
    let key = series_key(name);
    let found: Option<i64> = transaction
        .prepare_cached("SELECT id FROM series WHERE key = ?1")?
        .query_row([&key], |row| row.get(0))
        .optional()?;
    if let Some(id) = found {
        transaction
            .prepare_cached("UPDATE series SET name = ?2 WHERE id = ?1 AND name <> ?2")?
            .execute(params![id, name])?;
        return Ok(id);
    }
    let mut is_taken = transaction.prepare_cached("SELECT 1 FROM series WHERE slug = ?1")?;
    for slug in series_slugs(name) {
        if !is_taken.exists([&slug])? {
            let mut statement =
                transaction.prepare_cached("INSERT INTO series (key, name, slug) VALUES (?1, ?2, ?3)")?;
            return Ok(statement.insert(params![key, name, slug])?);
        }
    }
    Err(AppError::internal("no slug is free"))
}

fn series_of(row: &Row<'_>) -> rusqlite::Result<(Series, Option<i64>)> {
    Ok((Series { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)? }, row.get(3)?))
}

/// The series with this slug, or if visitors see no event of it, the one that its events moved to; `None` if there is
/// no such series. Visitors may see no event of the result either.
pub fn find_series(connection: &Connection, slug: &str, now: DateTime<Utc>) -> Result<Option<Series>, AppError> {
    let mut found = connection
        .prepare_cached("SELECT id, name, slug, moved_to FROM series WHERE slug = ?1")?
        .query_row([slug], series_of)
        .optional()?;
    let now = timestamp(now);
    for _ in 0..MAX_RENAMES {
        let Some((Series { id, .. }, Some(moved_to))) = found else { break };
        if has_public_event(connection, id, &now)? {
            break;
        }
        found = connection
            .prepare_cached("SELECT id, name, slug, moved_to FROM series WHERE id = ?1")?
            .query_row([moved_to], series_of)
            .optional()?;
    }
    Ok(found.map(|(series, _)| series))
}

/// Whether visitors see an event of the series with this id.
pub fn is_public_series(connection: &Connection, id: i64, now: DateTime<Utc>) -> Result<bool, AppError> {
    has_public_event(connection, id, &timestamp(now))
}

fn has_public_event(connection: &Connection, id: i64, now: &str) -> Result<bool, AppError> {
    Ok(connection
        .prepare_cached(&format!("SELECT 1 FROM {PUBLIC_EVENTS} e WHERE e.series_id = :id LIMIT 1"))?
        .exists(named_params! { ":id": id, ":now": now })?)
}

pub fn find_series_by_id(connection: &Connection, id: i64) -> Result<Option<Series>, AppError> {
    let found = connection
        .prepare_cached("SELECT id, name, slug, moved_to FROM series WHERE id = ?1")?
        .query_row([id], series_of)
        .optional()?;
    Ok(found.map(|(series, _)| series))
}

/// The public events of a series, by the instant of their start.
pub fn events_of_series(connection: &Connection, id: i64, now: DateTime<Utc>) -> Result<Vec<Event>, AppError> {
    let now = timestamp(now);
    let values = named_params! { ":series": id, ":now": now };
    select(connection, PUBLIC_EVENTS, &now, "e.series_id = :series", values)
}

/// The public events of one series, in order.
struct SeriesMembers {
    path: String,
    ids: Vec<i64>,
    /// The positions of the events by id.
    positions: HashMap<i64, usize>,
}

impl SeriesMembers {
    fn read(connection: &Connection, id: i64, now: &str) -> Result<Option<Self>, AppError> {
        let slug: Option<String> = connection
            .prepare_cached("SELECT slug FROM series WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        let Some(slug) = slug else { return Ok(None) };
        let ids = connection
            // Only what the index contains: a series can have thousands of events.
            .prepare_cached(&format!(
                "SELECT e.id FROM {PUBLIC_EVENTS} e WHERE e.series_id = :id ORDER BY e.starts_at, e.id"
            ))?
            .query_map(named_params! { ":id": id, ":now": now }, |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(Some(Self::new(path_of_series(&slug), ids)))
    }

    fn new(path: String, ids: Vec<i64>) -> Self {
        let positions = ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        Self { path, ids, positions }
    }

    /// The position of the event with this id; `None` if visitors do not see it. `title_of` returns the title of an event.
    fn position_of(
        &self,
        id: i64,
        title_of: impl Fn(i64) -> Result<String, AppError>,
    ) -> Result<Option<SeriesPosition>, AppError> {
        let Some(&at) = self.positions.get(&id) else { return Ok(None) };
        let neighbor = |at: Option<usize>| {
            let Some(&id) = at.and_then(|at| self.ids.get(at)) else { return Ok(None) };
            let title = title_of(id)?;
            Ok::<_, AppError>(Some(SeriesNeighbor { path: path_of(id, &title), title }))
        };
        Ok(Some(SeriesPosition {
            path: self.path.clone(),
            number: at + 1,
            count: self.ids.len(),
            previous: neighbor(at.checked_sub(1))?,
            next: neighbor(Some(at + 1))?,
        }))
    }
}

fn title_of(connection: &Connection, id: i64) -> Result<String, AppError> {
    Ok(connection.prepare_cached("SELECT title FROM events WHERE id = ?1")?.query_row([id], |row| row.get(0))?)
}

/// Sets the positions of those of the events that visitors see at the time `now` (RFC 3339, UTC).
pub(super) fn set_positions(connection: &Connection, events: &mut [Event], now: &str) -> Result<(), AppError> {
    let mut known: HashMap<i64, Option<SeriesMembers>> = HashMap::new();
    for id in events.iter().filter_map(|event| event.series_id) {
        if let Entry::Vacant(unknown) = known.entry(id) {
            unknown.insert(SeriesMembers::read(connection, id, now)?);
        }
    }
    let titles: HashMap<i64, String> = if known.is_empty() {
        HashMap::new()
    } else {
        events.iter().map(|event| (event.id, event.title.clone())).collect()
    };
    for event in events {
        let members = event.series_id.and_then(|id| known.get(&id)).and_then(Option::as_ref);
        let Some(members) = members else { continue };
        event.series_position = members.position_of(event.id, |id| {
            titles.get(&id).map_or_else(|| title_of(connection, id), |title| Ok(title.clone()))
        })?;
    }
    Ok(())
}

/// Sets the position that an event will have when visitors see it.
pub(super) fn set_future_position(connection: &Connection, event: &mut Event, now: &str) -> Result<(), AppError> {
    let (Some(id), None) = (event.series_id, &event.series_position) else { return Ok(()) };
    let Some(SeriesMembers { path, mut ids, .. }) = SeriesMembers::read(connection, id, now)? else { return Ok(()) };
    let before: i64 = connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM {PUBLIC_EVENTS} e WHERE e.series_id = :id AND (e.starts_at, e.id) < (:starts_at, :event)"
        ))?
        .query_row(
            named_params! { ":id": id, ":now": now, ":starts_at": event.starts_at, ":event": event.id },
            |row| row.get(0),
        )?;
    let before = usize::try_from(before).unwrap_or(usize::MAX).min(ids.len());
    ids.insert(before, event.id);
    event.series_position = SeriesMembers::new(path, ids).position_of(event.id, |id| title_of(connection, id))?;
    Ok(())
}
