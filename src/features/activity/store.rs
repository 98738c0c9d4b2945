//! The activity log in SQL. It is only ever added to.

use rusqlite::{Connection, Row, named_params, params};

use super::rules::{Actor, Change, Fields, Subject, changes};
use super::types::{Action, ActivityEntry, LogEntry};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// Keeps a change, in the transaction that makes it. A save that changed nothing leaves no entry.
pub fn record<S: Subject>(
    transaction: &Transaction<'_>,
    actor: &Actor,
    change: &Change<'_, S>,
) -> Result<(), AppError> {
    let (before, after) = change.differing();
    if before.as_ref().is_some_and(Fields::is_empty) && after.as_ref().is_some_and(Fields::is_empty) {
        return Ok(());
    }
    let json = |fields: Option<Fields>| fields.and_then(|fields| serde_json::to_string(&fields).ok());
    let subject = change.subject();
    transaction
        .prepare_cached(
            "INSERT INTO activity (at, user_id, who, action, subject, subject_id, name, before, after)
             VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            actor.user_id,
            actor.who,
            change.action().as_str(),
            S::KIND,
            subject.number(),
            subject.name(),
            json(before),
            json(after),
        ])?;
    Ok(())
}

/// Which entries are wanted; without anything set, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of the event with this number.
    pub event: Option<i64>,
    /// From this day (UTC, yyyy-MM-dd) on.
    pub since: Option<String>,
}

/// The latest entries, the newest first.
pub fn latest(connection: &Connection, wanted: &Wanted, limit: u32) -> Result<Vec<LogEntry>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT id, at, who, action, subject, subject_id, name, before, after FROM activity
             WHERE (:event IS NULL OR (subject = 'event' AND subject_id = :event)) AND (:since IS NULL OR at >= :since)
             ORDER BY id DESC LIMIT :limit",
        )?
        .query_map(named_params! { ":event": wanted.event, ":since": wanted.since, ":limit": limit }, entry_of)?
        .collect::<rusqlite::Result<_>>()?)
}

/// Whether there is or was an event with this number.
pub(super) fn knows_event(connection: &Connection, id: i64) -> Result<bool, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM events WHERE id = ?1
             UNION ALL SELECT 1 FROM activity WHERE subject = 'event' AND subject_id = ?1",
        )?
        .exists([id])?)
}

fn entry_of(row: &Row<'_>) -> rusqlite::Result<LogEntry> {
    // What can't be read is as good as nothing: the rest of the entry still says who did what.
    let fields = |text: Option<String>| text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let (before, after): (Fields, Fields) = (fields(row.get("before")?), fields(row.get("after")?));
    Ok(LogEntry {
        entry: ActivityEntry {
            id: row.get("id")?,
            at: row.get("at")?,
            who: row.get("who")?,
            action: Action::of(&row.get::<_, String>("action")?),
            changes: changes(&before, &after),
        },
        subject: row.get("subject")?,
        subject_id: row.get("subject_id")?,
        name: row.get("name")?,
    })
}
