//! The conditions of visitors' interest in an event. It is the most frequent write, so the feature `interest` reads its own
//! tables in the same query.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, named_params};

use super::PUBLIC_EVENTS;
use crate::features::events::types::{InterestConditions, end_of};
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::error::AppError;

/// A query for the conditions of the public event `:id` at the time `:now` (RFC 3339, UTC), in the first four columns, with
/// further columns.
pub fn interest_conditions_query(further_columns: &str) -> String {
    format!("SELECT e.type, e.starts_at, e.duration, e.status{further_columns} FROM {PUBLIC_EVENTS} e WHERE e.id = :id")
}

/// Reads a row of [`interest_conditions_query`].
pub fn interest_conditions(row: &Row<'_>) -> rusqlite::Result<InterestConditions> {
    let (starts_at, duration) = (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?);
    let ends = end_of(parse_timestamp(starts_at).unwrap_or_default(), duration);
    Ok(InterestConditions { kind: row.get(0)?, ends, status: row.get(3)? })
}

/// The conditions of the public event with this id.
pub fn find_interest_conditions(
    connection: &Connection,
    id: i64,
    now: DateTime<Utc>,
) -> Result<Option<InterestConditions>, AppError> {
    static SELECT: LazyLock<String> = LazyLock::new(|| interest_conditions_query(""));
    let mut statement = connection.prepare_cached(&SELECT)?;
    Ok(statement.query_row(named_params! { ":id": id, ":now": timestamp(now) }, interest_conditions).optional()?)
}
