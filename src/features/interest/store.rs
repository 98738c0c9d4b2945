//! SQL of interest. Triggers maintain the count of each event.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::types::Interest;
use crate::features::events;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;
use crate::platform::messages::{IN_PERSON, NOT_IN_PERSON};

/// The end of a public in-person event.
///
/// # Errors
/// 404 for an unknown event, 400 for one that is not in person.
pub(super) fn end(connection: &Connection, event_id: i64) -> Result<DateTime<Utc>, AppError> {
    match events::public_type_and_end(connection, event_id)? {
        Some((kind, end)) if kind == IN_PERSON => Ok(end),
        Some(_) => Err(AppError::Malformed(NOT_IN_PERSON.to_owned())),
        None => Err(AppError::NotFound("Event")),
    }
}

/// How many plan to attend, and whether this visitor does.
///
/// # Errors
/// As for [`end`].
pub(super) fn find(connection: &Connection, event_id: i64, visitor: Option<&str>) -> Result<Interest, AppError> {
    end(connection, event_id)?;
    let count = count(connection, event_id)?;
    let has_interest = match visitor {
        Some(visitor) => connection
            .prepare_cached("SELECT 1 FROM user_event_interests WHERE event_id = ?1 AND user_id = ?2")?
            .exists(params![event_id, visitor])?,
        None => false,
    };
    Ok(Interest { count, has_interest })
}

/// How many plan to attend an event.
pub(super) fn count(connection: &Connection, event_id: i64) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached("SELECT count FROM event_interests WHERE event_id = ?1")?;
    Ok(statement.query_row([event_id], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Whether this visitor plans to attend any event.
pub(super) fn has_visitor(connection: &Connection, visitor: &str) -> Result<bool, AppError> {
    Ok(connection.prepare_cached("SELECT 1 FROM user_event_interests WHERE user_id = ?1 LIMIT 1")?.exists([visitor])?)
}

/// Records that a visitor plans to attend; a repetition changes nothing.
pub fn add(transaction: &Transaction<'_>, event_id: i64, visitor: &str) -> Result<(), AppError> {
    transaction
        .prepare_cached("INSERT INTO user_event_interests (event_id, user_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
        .execute(params![event_id, visitor])?;
    Ok(())
}

/// Deletes the record that a visitor plans to attend; returns whether there was one.
pub(super) fn remove(transaction: &Transaction<'_>, event_id: i64, visitor: &str) -> Result<bool, AppError> {
    let deleted = transaction
        .prepare_cached("DELETE FROM user_event_interests WHERE event_id = ?1 AND user_id = ?2")?
        .execute(params![event_id, visitor])?;
    Ok(deleted > 0)
}
