//! SQL of the search index, an FTS5 table.
//!
//! How the index follows changes: triggers put the events whose text may have changed into `search_pending`. At the end of
//! each writing transaction [`index_pending`] rewrites their rows in `search_documents`, whose triggers update the FTS5 table
//! and append to `search_changes`. Changes of a time or a status, and deletions, are appended to `search_changes` directly.
//! Each search reads the changes after the last one that it has read ([`for_each_change_after`], [`changed_texts_after`]).
//! Migrations V22 and V24 have the tables and triggers, V17 those of `search_texts` and `search_pending`.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, ErrorCode, named_params, params};

use super::{Event, PUBLIC_EVENTS, in_order, select_without_positions};
use crate::features::events::types::end_of;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::{self, Transaction};
use crate::platform::error::AppError;

/// When an event of the index takes place, and who sees it.
#[derive(Clone, Copy, Debug)]
pub struct IndexedEvent {
    pub id: i64,
    /// In seconds since 1970.
    pub starts: i64,
    /// The exact end.
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

/// Rebuilds the index if it does not match its documents, for example because another program has changed it. Returns whether
/// it did not.
pub fn rebuild_index_if_wrong(transaction: &Transaction<'_>) -> Result<bool, AppError> {
    // A command of FTS5 in the form of a statement; it compares all words and takes some 2 ms for 1,000 events.
    const CHECK: &str = "INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 1)";
    match transaction.prepare_cached(CHECK)?.execute([]) {
        Ok(_) => return Ok(false),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {}
        Err(error) => return Err(error.into()),
    }
    transaction.prepare_cached("INSERT INTO search_index (search_index) VALUES ('rebuild')")?.execute([])?;
    // Searches and responses that are cached have what the wrong index found.
    transaction
        .prepare_cached("DELETE FROM search_changes WHERE event_id IN (SELECT event_id FROM search_documents)")?
        .execute([])?;
    transaction
        .prepare_cached(
            "INSERT INTO search_changes (event_id) SELECT event_id FROM search_documents ORDER BY event_id",
        )?
        .execute([])?;
    db::raise_content_version(transaction)?;
    Ok(true)
}

/// A change of the search index.
#[derive(Clone, Copy, Debug)]
pub enum IndexChange<'a> {
    /// An event is new or has changed; with its text.
    Event(IndexedEvent, &'a str),
    /// The event with this id no longer exists.
    Purged(i64),
}

/// Calls `read` with the last change of each event that has changed after the change with this id. Returns the id of the last
/// one.
pub fn for_each_change_after(
    connection: &Connection,
    change: i64,
    mut read: impl FnMut(IndexChange<'_>),
) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached(
        "SELECT c.id, c.event_id, e.starts_at, e.duration, CASE WHEN e.deleted_at IS NULL THEN e.public_from END,
             d.text || char(10) || d.date
         FROM search_changes c LEFT JOIN search_documents d ON d.event_id = c.event_id
             LEFT JOIN events_with_visibility e ON e.id = c.event_id
         WHERE c.id > ?1 ORDER BY c.id",
    )?;
    let (mut rows, mut last) = (statement.query([change])?, change);
    while let Some(row) = rows.next()? {
        last = row.get(0)?;
        let id = row.get(1)?;
        let Some(indexed_text) = row.get_ref(5)?.as_str_or_null().unwrap_or_default() else {
            read(IndexChange::Purged(id));
            continue;
        };
        let text = |column: usize| Ok::<_, rusqlite::Error>(row.get_ref(column)?.as_str().unwrap_or_default());
        let starts = parse_timestamp(text(2)?).unwrap_or_default();
        let public_from = match row.get_ref(4)?.as_str() {
            Ok("") => Some(DateTime::<Utc>::MIN_UTC),
            from => from.ok().and_then(parse_timestamp),
        };
        let ends = end_of(starts, text(3)?);
        let event = IndexedEvent { id, starts: starts.timestamp(), ends, public_from };
        read(IndexChange::Event(event, indexed_text));
    }
    Ok(last)
}

/// The id of the last change of the index.
pub fn last_search_change(connection: &Connection) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(id), 0) FROM search_changes")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// An event that has changed.
#[derive(Debug)]
pub struct ChangedEvent {
    pub id: i64,
    /// The texts of its two columns in the index; `None` if it no longer exists.
    pub texts: Option<[String; 2]>,
}

/// The events that have changed after the change with this id, at most `limit`.
pub fn changed_texts_after(connection: &Connection, change: i64, limit: usize) -> Result<Vec<ChangedEvent>, AppError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    Ok(connection
        .prepare_cached(
            "SELECT c.event_id, d.text, d.date FROM search_changes c
                 LEFT JOIN search_documents d ON d.event_id = c.event_id
             WHERE c.id > ?1 ORDER BY c.id LIMIT ?2",
        )?
        .query_map([change, limit], |row| {
            let (text, date): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
            Ok(ChangedEvent { id: row.get(0)?, texts: text.zip(date).map(<[String; 2]>::from) })
        })?
        .collect::<rusqlite::Result<_>>()?)
}

/// An empty index in memory, with the settings of the one in the database, in which a few texts are searched.
#[derive(Debug)]
pub struct ScratchIndex(Connection);

impl ScratchIndex {
    pub fn new(database: &Connection) -> Result<Self, AppError> {
        let create: String = database
            .prepare("SELECT sql FROM sqlite_schema WHERE name = 'search_index'")?
            .query_row([], |row| row.get(0))?;
        let connection = db::empty_in_memory()?;
        connection.execute_batch(&create)?;
        Ok(Self(connection))
    }

    /// The ids of those of these events that match an FTS5 expression, in ascending order.
    pub fn matching(&self, events: &[ChangedEvent], expression: &str) -> Result<Vec<i64>, AppError> {
        // Rolled back at the end, so that the index is empty again.
        let transaction = self.0.unchecked_transaction()?;
        for event in events {
            if let Some([text, date]) = &event.texts {
                transaction
                    .prepare_cached("INSERT INTO search_index (rowid, text, date) VALUES (?1, ?2, ?3)")?
                    .execute(params![event.id, text, date])?;
            }
        }
        matching(&transaction, expression)
    }
}

/// The ids of the events that match an FTS5 expression, in ascending order. Those that visitors do not see and deleted ones are
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
