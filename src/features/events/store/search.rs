//! SQL of the search index, an FTS5 table that migration V17 describes.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, named_params, params};

use super::{Event, PUBLIC_EVENTS, in_order, select_without_positions};
use crate::features::events::types::end_of;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// A public event that matches an expression.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    pub id: i64,
    pub starts: DateTime<Utc>,
    pub ends: DateTime<Utc>,
}

/// Indexes the events whose text has changed in this transaction. Every function that writes events calls it.
pub fn index_pending(transaction: &Transaction<'_>) -> Result<(), AppError> {
    // A save of the same text indexes nothing. All texts are removed before any is inserted, because SQLite writes the
    // index to the file whenever the ids decrease.
    let changed = transaction
        .prepare_cached(
            "SELECT p.event_id FROM search_pending p LEFT JOIN search_texts t ON t.event_id = p.event_id
                 LEFT JOIN search_documents d ON d.event_id = p.event_id
             WHERE (t.text, t.date) IS NOT (d.text, d.date) ORDER BY p.event_id",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut delete = transaction.prepare_cached("DELETE FROM search_documents WHERE event_id = ?1")?;
    for id in &changed {
        delete.execute([id])?;
    }
    let mut insert = transaction.prepare_cached(
        "INSERT INTO search_documents (event_id, text, date) SELECT event_id, text, date FROM search_texts WHERE event_id = ?1",
    )?;
    for id in &changed {
        insert.execute([id])?;
    }
    transaction.prepare_cached("DELETE FROM search_pending")?.execute([])?;
    Ok(())
}

/// Calls `read` with the texts that were indexed after the one with this id, and returns the id of the last one. The texts of
/// events that visitors do not see are among them.
pub fn documents_after(connection: &Connection, id: i64, mut read: impl FnMut(&str)) -> Result<i64, AppError> {
    let mut statement = connection
        .prepare_cached("SELECT id, text || char(10) || date FROM search_documents WHERE id > ?1 ORDER BY id")?;
    let (mut rows, mut last) = (statement.query(params![id])?, id);
    while let Some(row) = rows.next()? {
        last = row.get(0)?;
        read(row.get_ref(1)?.as_str().unwrap_or_default());
    }
    Ok(last)
}

/// The public events that match an FTS5 expression, in no order.
pub fn matching(connection: &Connection, now: DateTime<Utc>, expression: &str) -> Result<Vec<Match>, AppError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT e.id, e.starts_at, e.duration FROM search_index i CROSS JOIN search_documents d ON d.id = i.rowid
             CROSS JOIN {PUBLIC_EVENTS} e ON e.id = d.event_id WHERE search_index MATCH :expression"
    ))?;
    let found = statement.query_map(named_params! { ":expression": expression, ":now": timestamp(now) }, |row| {
        let (starts_at, duration): (String, String) = (row.get(1)?, row.get(2)?);
        let starts = parse_timestamp(&starts_at).unwrap_or_default();
        Ok(Match { id: row.get(0)?, starts, ends: end_of(starts, &duration) })
    })?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// The public events with these ids, in this order, without their positions in series.
pub fn find_public_in_order(connection: &Connection, ids: &[i64], now: DateTime<Utc>) -> Result<Vec<Event>, AppError> {
    const CONDITION: &str = "e.id IN (SELECT value FROM json_each(:ids))";
    let json = serde_json::to_string(ids).map_err(AppError::internal)?;
    let now = timestamp(now);
    let values = named_params! { ":ids": json, ":now": now };
    Ok(in_order(select_without_positions(connection, PUBLIC_EVENTS, &now, CONDITION, values)?, ids))
}
