//! SQL of interest. Triggers maintain the count of each event.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, named_params, params};

use super::types::{AttendanceCount, AttendanceDay, Interest};
use crate::features::events::{self, InterestConditions};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;
use crate::platform::messages::{IN_PERSON, NOT_IN_PERSON};

/// Checks that visitors can see an event and that it takes place in person.
///
/// # Errors
/// 404 for an unknown event, 400 for one that is not in person.
pub(super) fn require_in_person(connection: &Connection, event_id: i64, now: DateTime<Utc>) -> Result<(), AppError> {
    let conditions = events::find_interest_conditions(connection, event_id, now)?;
    check_in_person(&conditions.ok_or(AppError::NotFound("Event"))?)
}

fn check_in_person(conditions: &InterestConditions) -> Result<(), AppError> {
    if conditions.kind == IN_PERSON { Ok(()) } else { Err(AppError::Malformed(NOT_IN_PERSON.to_owned())) }
}

/// How many plan to attend, and whether this visitor does.
///
/// # Errors
/// As for [`require_in_person`].
pub(super) fn find(
    connection: &Connection,
    event_id: i64,
    visitor: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Interest, AppError> {
    require_in_person(connection, event_id, now)?;
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
pub fn count(connection: &Connection, event_id: i64) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached("SELECT count FROM event_interests WHERE event_id = ?1")?;
    Ok(statement.query_row([event_id], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// What decides whether a visitor can plan to attend an event.
pub(super) struct StateBeforeAdding {
    pub conditions: InterestConditions,
    /// How many plan to attend the event.
    pub count: i64,
    /// Whether the visitor plans to attend any event.
    pub is_known_visitor: bool,
}

/// Reads it with one query, because most writes are of this kind, at the time `now` (RFC 3339, UTC).
///
/// # Errors
/// As for [`require_in_person`].
pub(super) fn find_before_adding(
    connection: &Connection,
    event_id: i64,
    visitor: &str,
    now: &str,
) -> Result<StateBeforeAdding, AppError> {
    static SELECT: LazyLock<String> = LazyLock::new(|| {
        events::interest_conditions_query(
            ", coalesce((SELECT count FROM event_interests WHERE event_id = :id), 0),
               EXISTS (SELECT 1 FROM user_event_interests WHERE user_id = :visitor)",
        )
    });
    let mut statement = connection.prepare_cached(&SELECT)?;
    let values = named_params! { ":id": event_id, ":visitor": visitor, ":now": now };
    let found = statement.query_row(values, |row| {
        let conditions = events::interest_conditions(row)?;
        Ok(StateBeforeAdding { conditions, count: row.get(4)?, is_known_visitor: row.get(5)? })
    });
    let before = found.optional()?.ok_or(AppError::NotFound("Event"))?;
    check_in_person(&before.conditions)?;
    Ok(before)
}

/// Whether this visitor plans to attend any event.
pub(super) fn has_visitor(connection: &Connection, visitor: &str) -> Result<bool, AppError> {
    Ok(connection.prepare_cached("SELECT 1 FROM user_event_interests WHERE user_id = ?1 LIMIT 1")?.exists([visitor])?)
}

/// Records that a visitor plans to attend since `now` (RFC 3339, UTC), and returns whether this was new. A trigger adds one to
/// the event's count then; a repetition changes nothing.
pub fn add(transaction: &Transaction<'_>, event_id: i64, visitor: &str, now: &str) -> Result<bool, AppError> {
    let inserted = transaction
        .prepare_cached(
            "INSERT INTO user_event_interests (event_id, user_id, created_at) VALUES (?1, ?2, ?3)
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![event_id, visitor, now])?;
    Ok(inserted > 0)
}

/// Deletes the record that a visitor plans to attend; returns whether there was one.
pub(super) fn remove(transaction: &Transaction<'_>, event_id: i64, visitor: &str) -> Result<bool, AppError> {
    let deleted = transaction
        .prepare_cached("DELETE FROM user_event_interests WHERE event_id = ?1 AND user_id = ?2")?
        .execute(params![event_id, visitor])?;
    Ok(deleted > 0)
}

/// How many plan to attend each event, deleted events included; events without a count are omitted.
pub(super) fn counts(connection: &Connection) -> Result<Vec<AttendanceCount>, AppError> {
    Ok(connection
        .prepare_cached("SELECT event_id, count FROM event_interests ORDER BY event_id")?
        .query_map([], |row| Ok(AttendanceCount { event_id: row.get(0)?, count: row.get(1)? }))?
        .collect::<rusqlite::Result<_>>()?)
}

/// How many plan to attend each of these events; events without a count are omitted.
pub fn counts_of(connection: &Connection, ids: &[i64]) -> Result<Vec<AttendanceCount>, AppError> {
    let ids = serde_json::to_string(ids).map_err(AppError::internal)?;
    Ok(connection
        .prepare_cached(
            "SELECT event_id, count FROM event_interests WHERE event_id IN (SELECT value FROM json_each(?1))
             ORDER BY event_id",
        )?
        .query_map([ids], |row| Ok(AttendanceCount { event_id: row.get(0)?, count: row.get(1)? }))?
        .collect::<rusqlite::Result<_>>()?)
}

/// How many planned to attend an event at the end of each day on which that number changed, the oldest first. The last one
/// is the current number.
pub(super) fn days(connection: &Connection, event_id: i64) -> Result<Vec<AttendanceDay>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT day, count FROM attendance_days
             WHERE event_id = ?1
               AND day < (SELECT substr(updated_at, 1, 10) FROM event_interests WHERE event_id = ?1)
             UNION ALL
             SELECT substr(updated_at, 1, 10), count FROM event_interests WHERE event_id = ?1
             ORDER BY 1",
        )?
        .query_map([event_id], |row| Ok(AttendanceDay { day: row.get(0)?, count: row.get(1)? }))?
        .collect::<rusqlite::Result<_>>()?)
}
