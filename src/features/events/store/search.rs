//! SQL of the search index, an FTS5 table that migrations V17 and V22 describe.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, named_params};

use super::{Event, PUBLIC_EVENTS, in_order, select_without_positions};
use crate::features::events::types::end_of;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// When an event of the index takes place, and who sees it.
#[derive(Clone, Copy, Debug)]
pub struct IndexedEvent {
    pub id: i64,
    pub starts: DateTime<Utc>,
    pub ends: DateTime<Utc>,
    /// From when on visitors see it; `None` if they do not.
    pub public_from: Option<DateTime<Utc>>,
}

/// Indexes the events whose text has changed in this transaction. Every function that writes events calls it.
pub fn index_pending(transaction: &Transaction<'_>) -> Result<(), AppError> {
    // A save of the same text indexes nothing.
    let changed = transaction
        .prepare_cached(
            "SELECT p.event_id FROM search_pending p LEFT JOIN search_texts t ON t.event_id = p.event_id
                 LEFT JOIN search_documents d ON d.event_id = p.event_id
             WHERE (t.text, t.date) IS NOT (d.text, d.date) ORDER BY p.event_id",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut delete = transaction.prepare_cached("DELETE FROM search_documents WHERE event_id = ?1")?;
    let mut insert = transaction.prepare_cached(
        "INSERT INTO search_documents (event_id, text, date) SELECT event_id, text, date FROM search_texts WHERE event_id = ?1",
    )?;
    // In the order of the ids, because SQLite writes the index to the file whenever they decrease.
    for id in &changed {
        delete.execute([id])?;
        insert.execute([id])?;
    }
    transaction.prepare_cached("DELETE FROM search_pending")?.execute([])?;
    Ok(())
}

/// Calls `read` with each event of the index that has changed after the change with this id, and with its text. Returns the id
/// of the last change.
pub fn indexed_after(
    connection: &Connection,
    change: i64,
    mut read: impl FnMut(IndexedEvent, &str),
) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached(
        "SELECT c.id, e.id, e.starts_at, e.duration, CASE WHEN e.deleted_at IS NULL THEN e.public_from END,
             d.text || char(10) || d.date
         FROM search_changes c CROSS JOIN search_documents d ON d.event_id = c.event_id
             CROSS JOIN events_with_visibility e ON e.id = c.event_id
         WHERE c.id > ?1 ORDER BY c.id",
    )?;
    let (mut rows, mut last) = (statement.query([change])?, change);
    while let Some(row) = rows.next()? {
        last = row.get(0)?;
        let text = |column: usize| Ok::<_, rusqlite::Error>(row.get_ref(column)?.as_str().unwrap_or_default());
        let starts = parse_timestamp(text(2)?).unwrap_or_default();
        let public_from = match row.get_ref(4)?.as_str() {
            Ok("") => Some(DateTime::<Utc>::MIN_UTC),
            from => from.ok().and_then(parse_timestamp),
        };
        read(IndexedEvent { id: row.get(1)?, starts, ends: end_of(starts, text(3)?), public_from }, text(5)?);
    }
    Ok(last)
}

/// The ids of the events that match an FTS5 expression, in their order. Those that visitors do not see and deleted ones are
/// among them.
pub fn matching(connection: &Connection, expression: &str) -> Result<Vec<i64>, AppError> {
    Ok(connection
        .prepare_cached("SELECT rowid FROM search_index WHERE search_index MATCH ?1 ORDER BY rowid")?
        .query_map([expression], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?)
}

/// The public events with these ids, in this order, without their positions in series.
pub fn find_public_in_order(connection: &Connection, ids: &[i64], now: DateTime<Utc>) -> Result<Vec<Event>, AppError> {
    const CONDITION: &str = "e.id IN (SELECT value FROM json_each(:ids))";
    let json = serde_json::to_string(ids).map_err(AppError::internal)?;
    let now = timestamp(now);
    let values = named_params! { ":ids": json, ":now": now };
    Ok(in_order(select_without_positions(connection, PUBLIC_EVENTS, &now, CONDITION, values)?, ids))
}
