//! What calendars must know of an event beyond what the page shows.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _};

use crate::features::events::{self, Event};
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::error::AppError;

/// An event as a calendar tells it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) event: Event,
    /// Rises when time, place or state change.
    pub(super) sequence: i64,
    /// When it was deleted or hidden; `None` while it takes place.
    pub(super) cancelled_at: Option<DateTime<Utc>>,
}

/// All events that the public sees, by the instant of their start, and those that were hidden or
/// deleted after `since`.
pub(super) fn entries(connection: &Connection, since: DateTime<Utc>) -> Result<Vec<Entry>, AppError> {
    let mut states = HashMap::new();
    let mut statement = connection.prepare_cached("SELECT id, sequence, hidden_at FROM events")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let hidden_at: Option<String> = row.get(2)?;
        states.insert(row.get::<_, i64>(0)?, (row.get::<_, i64>(1)?, hidden_at));
    }
    let mut entries = Vec::with_capacity(states.len());
    for event in events::all(connection, &events::Filter { hidden_too: true, ..events::Filter::default() })? {
        let (sequence, hidden_at) = states.remove(&event.id).unwrap_or_default();
        let cancelled_at = hidden_at.map(|at| parse_timestamp(&at).unwrap_or_default());
        if cancelled_at.is_none_or(|at| at > since) {
            entries.push(Entry { event, sequence, cancelled_at });
        }
    }
    let mut statement = connection.prepare_cached(
        "SELECT event, sequence, deleted_at FROM deleted_events WHERE deleted_at > ?1 ORDER BY event_id",
    )?;
    let mut rows = statement.query([timestamp(since)])?;
    while let Some(row) = rows.next()? {
        let json: String = row.get(0)?;
        let deleted_at: String = row.get(2)?;
        // An event that an older program wrote in another form is not worth the whole calendar.
        let Ok(event) = serde_json::from_str(&json) else { continue };
        let cancelled_at = Some(parse_timestamp(&deleted_at).unwrap_or_default());
        entries.push(Entry { event, sequence: row.get(1)?, cancelled_at });
    }
    Ok(entries)
}

/// The sequence of one event, 0 where it is not there.
pub(super) fn sequence(connection: &Connection, id: i64) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached("SELECT sequence FROM events WHERE id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?.unwrap_or(0))
}
