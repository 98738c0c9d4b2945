//! SQL of series: the link from an event to the series that it names, and the places of events in their series.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, named_params, params};

use super::{Event, select};
use crate::features::events::rules::{path_of, series_key, series_slugs};
use crate::features::events::types::{Series, SeriesNeighbor, SeriesPlace, path_of_series};
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// How many renames of a series are followed.
const MAX_MOVES: usize = 20;

/// Links an event with the series that it names, after a write of that name. When the last event of a series moves to
/// another series, the address of the former series leads to the other.
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
    for _ in 0..MAX_MOVES {
        let Some((Series { id, .. }, Some(moved_to))) = found else { break };
        let has_events = connection
            .prepare_cached("SELECT 1 FROM public_events WHERE series_id = ?1 AND public_from <= ?2")?
            .exists(params![id, now])?;
        if has_events {
            break;
        }
        found = connection
            .prepare_cached("SELECT id, name, slug, moved_to FROM series WHERE id = ?1")?
            .query_row([moved_to], series_of)
            .optional()?;
    }
    Ok(found.map(|(series, _)| series))
}

/// The series with this id.
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
    select(connection, "public_events", &now, "e.series_id = :series AND e.public_from <= :now", values)
}

/// The public events of one series, in order.
struct Members {
    path: String,
    /// Id, start and title.
    events: Vec<(i64, String, String)>,
}

impl Members {
    fn read(connection: &Connection, id: i64, now: &str) -> Result<Option<Self>, AppError> {
        let slug: Option<String> = connection
            .prepare_cached("SELECT slug FROM series WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        let Some(slug) = slug else { return Ok(None) };
        let events = connection
            .prepare_cached(
                "SELECT id, starts_at, title FROM public_events WHERE series_id = ?1 AND public_from <= ?2
                 ORDER BY starts_at, id",
            )?
            .query_map(params![id, now], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(Some(Self { path: path_of_series(&slug), events }))
    }

    /// The place of the event with this id; `None` if visitors do not see it.
    fn place_of(&self, positions: &HashMap<i64, usize>, id: i64) -> Option<SeriesPlace> {
        let at = *positions.get(&id)?;
        let neighbor = |at: Option<usize>| {
            let (id, _, title) = self.events.get(at?)?;
            Some(SeriesNeighbor { title: title.clone(), path: path_of(*id, title) })
        };
        Some(SeriesPlace {
            path: self.path.clone(),
            number: at + 1,
            count: self.events.len(),
            previous: neighbor(at.checked_sub(1)),
            next: neighbor(Some(at + 1)),
        })
    }

    fn positions(&self) -> HashMap<i64, usize> {
        self.events.iter().enumerate().map(|(at, (id, ..))| (*id, at)).collect()
    }
}

/// Sets the places of those of the events that visitors see at the time `now` (RFC 3339, UTC).
pub(super) fn set_places(connection: &Connection, events: &mut [Event], now: &str) -> Result<(), AppError> {
    let mut known = HashMap::new();
    for event in events {
        let Some(id) = event.series_id else { continue };
        if let std::collections::hash_map::Entry::Vacant(unknown) = known.entry(id) {
            let members = Members::read(connection, id, now)?;
            unknown.insert(members.map(|members| (members.positions(), members)));
        }
        let members = known.get(&id).and_then(Option::as_ref);
        event.series_place = members.and_then(|(positions, members)| members.place_of(positions, event.id));
    }
    Ok(())
}

/// Sets the place that an event will have when visitors see it.
pub(super) fn set_future_place(connection: &Connection, event: &mut Event, now: &str) -> Result<(), AppError> {
    let (Some(id), None) = (event.series_id, &event.series_place) else { return Ok(()) };
    let Some(mut members) = Members::read(connection, id, now)? else { return Ok(()) };
    members.events.push((event.id, event.starts_at.clone(), event.title.clone()));
    members.events.sort_by(|(a, starts_a, _), (b, starts_b, _)| (starts_a, a).cmp(&(starts_b, b)));
    event.series_place = members.place_of(&members.positions(), event.id);
    Ok(())
}
