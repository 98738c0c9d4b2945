//! Deleted events keep their rows for 30 days: they can be restored, and calendars report their cancellation.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::params;

use super::{Event, find};
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// How long a deleted event is retained.
const RETENTION: TimeDelta = TimeDelta::days(30);

/// Marks an event as deleted and returns it as it was; `None` if there is no such event.
pub fn delete(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<Option<Event>, AppError> {
    let Some(event) = find(transaction, id)? else { return Ok(None) };
    transaction
        .prepare_cached("UPDATE events SET deleted_at = ?2 WHERE id = ?1")?
        .execute(params![id, timestamp(now)])?;
    purge(transaction, now)?;
    Ok(Some(event))
}

/// Restores an event that was deleted in the last 30 days and returns it; `None` if there is no such event. Speakers
/// who were deleted in the meantime are no longer part of it.
pub fn restore(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<Option<Event>, AppError> {
    let restored = transaction
        .prepare_cached(
            // The revision rises, because an editor may still have the event open from before the deletion.
            "UPDATE events SET deleted_at = NULL, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1 AND deleted_at >= ?2",
        )?
        .execute(params![id, timestamp(now - RETENTION)])?;
    if restored == 0 { Ok(None) } else { find(transaction, id) }
}

/// Removes events that were deleted more than 30 days ago, with everything that belongs to them.
pub fn purge(transaction: &Transaction<'_>, now: DateTime<Utc>) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM events WHERE deleted_at < ?1")?.execute([timestamp(now - RETENTION)])?;
    Ok(())
}
