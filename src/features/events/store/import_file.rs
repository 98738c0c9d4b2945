//! SQL for the import and export of events as files.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, named_params, params};

use super::{Event, select};
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// The events of every status that are not deleted, by the instant of their start.
pub fn all_not_deleted(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<Event>, AppError> {
    select(connection, "events", &timestamp(now), "e.deleted_at IS NULL", named_params! {})
}

/// The id of the event that was imported under a UID and is not deleted.
pub fn find_by_import_uid(connection: &Connection, uid: &str) -> Result<Option<i64>, AppError> {
    Ok(connection
        .prepare_cached("SELECT id FROM events WHERE import_uid = ?1 AND deleted_at IS NULL ORDER BY id DESC LIMIT 1")?
        .query_row([uid], |row| row.get(0))
        .optional()?)
}

/// Stores the UID under which an event was imported.
pub fn set_import_uid(transaction: &Transaction<'_>, id: i64, uid: &str) -> Result<(), AppError> {
    transaction.prepare_cached("UPDATE events SET import_uid = ?2 WHERE id = ?1")?.execute(params![id, uid])?;
    Ok(())
}

/// Whether any event that is not deleted has this speaker.
pub fn has_speaker(connection: &Connection, speaker_id: i64) -> Result<bool, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM event_speakers es JOIN events e ON e.id = es.event_id
             WHERE es.speaker_id = ?1 AND e.deleted_at IS NULL LIMIT 1",
        )?
        .exists([speaker_id])?)
}
