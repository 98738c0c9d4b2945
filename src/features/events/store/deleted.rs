//! Soft delete: deleted events keep their rows for 30 days, in which they can be restored and calendars report their
//! cancellation.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, named_params, params};

use super::{Event, bulk_edit, find, find_public, search, select};
use crate::features::events::types::DeletedEvent;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// How long a deleted event is retained.
const RETENTION: TimeDelta = TimeDelta::days(30);

/// Marks an event as deleted and returns it; `None` if there is no such event. It also purges expired deleted events as
/// [`purge`] does.
pub fn delete(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<Option<Event>, AppError> {
    let Some(event) = find(transaction, id, now)? else { return Ok(None) };
    transaction
        .prepare_cached("UPDATE events SET deleted_at = ?2 WHERE id = ?1")?
        .execute(params![id, timestamp(now)])?;
    purge(transaction, now)?;
    Ok(Some(event))
}

/// The events that were deleted in the last 30 days, the latest deletion first, without `deleted_by`.
pub fn all_deleted(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<DeletedEvent>, AppError> {
    // By the ids: otherwise the order by the start makes SQLite read all events in that order.
    const CONDITION: &str = "e.id IN (SELECT id FROM events WHERE deleted_at >= :since)";
    let since = timestamp(now - RETENTION);
    let deleted_at: HashMap<i64, String> = connection
        .prepare_cached("SELECT id, deleted_at FROM events WHERE deleted_at >= ?1")?
        .query_map([&since], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let values = named_params! { ":since": since };
    let events = select(connection, "events", &timestamp(now), CONDITION, values)?;
    let mut deleted: Vec<DeletedEvent> = events
        .into_iter()
        .map(|event| {
            let deleted_at = deleted_at.get(&event.id).cloned().unwrap_or_default();
            let purged_at = timestamp(parse_timestamp(&deleted_at).unwrap_or_default() + RETENTION);
            DeletedEvent { event, deleted_at, deleted_by: None, purged_at }
        })
        .collect();
    deleted.sort_by(|a, b| (&b.deleted_at, b.event.id).cmp(&(&a.deleted_at, a.event.id)));
    Ok(deleted)
}

/// The public event with this id.
///
/// # Errors
/// 410 if it was public until it was deleted, as long as it is not purged; else 404.
pub fn get_public(connection: &Connection, id: i64, now: DateTime<Utc>) -> Result<Event, AppError> {
    if let Some(event) = find_public(connection, id, now)? {
        return Ok(event);
    }
    let was_public = connection
        .prepare_cached("SELECT 1 FROM events_with_visibility WHERE id = ?1 AND public_from <= deleted_at")?
        .exists([id])?;
    Err(if was_public { AppError::Gone("Event") } else { AppError::NotFound("Event") })
}

/// Restores an event that was deleted in the last 30 days and returns it; `None` if there is no such event. Speakers
/// who were deleted in the meantime are no longer part of it.
pub fn restore(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<Option<Event>, AppError> {
    let restored = transaction
        .prepare_cached(
            // The revision increases, because an admin may have opened the event before the deletion.
            "UPDATE events SET deleted_at = NULL, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1 AND deleted_at >= ?2",
        )?
        .execute(params![id, timestamp(now - RETENTION)])?;
    if restored == 0 { Ok(None) } else { find(transaction, id, now) }
}

/// Removes events that were deleted more than 30 days ago, with all rows that refer to them, and the undo data of changes
/// that are more than a day old. Also indexes events that another program wrote. It runs every hour
/// (`app::delete_expired_on_schedule`) and with every deletion.
pub fn purge(transaction: &Transaction<'_>, now: DateTime<Utc>) -> Result<(), AppError> {
    bulk_edit::purge(transaction, now)?;
    transaction.prepare_cached("DELETE FROM events WHERE deleted_at < ?1")?.execute([timestamp(now - RETENTION)])?;
    // What another program wrote is not indexed yet.
    search::index_pending(transaction)
}
