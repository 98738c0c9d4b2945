//! SQL of the activity log, which is append-only.

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};

use super::rules::{Actor, Change, Fields, Subject, changes};
use super::types::{ActivityAction, ActivityEntry, LogEntry};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// Records a change in the transaction that makes it. A save without changes is not recorded.
pub fn record<S: Subject>(
    transaction: &Transaction<'_>,
    actor: &Actor,
    change: &Change<'_, S>,
) -> Result<(), AppError> {
    let (before, after) = change.differing_fields();
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
            subject.id(),
            subject.name(),
            json(before),
            json(after),
        ])?;
    Ok(())
}

/// The author of the latest entry with this action on a subject; `None` without such an entry.
pub fn last_actor(
    connection: &Connection,
    kind: &str,
    subject_id: i64,
    action: ActivityAction,
) -> Result<Option<String>, AppError> {
    let mut statement = connection.prepare_cached(
        "SELECT who FROM activity WHERE subject = ?1 AND subject_id = ?2 AND action = ?3 ORDER BY id DESC LIMIT 1",
    )?;
    Ok(statement.query_row(params![kind, subject_id, action.as_str()], |row| row.get(0)).optional()?)
}

/// Narrows the list of entries; the default selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Entries of the event with this id.
    pub event: Option<i64>,
    /// First day, UTC, yyyy-MM-dd.
    pub since: Option<String>,
}

/// The latest entries that match the filter, newest first.
pub fn latest(connection: &Connection, filter: &Filter, limit: u32) -> Result<Vec<LogEntry>, AppError> {
    let mut condition = "true".to_owned();
    let mut values: Vec<(&str, &dyn ToSql)> = vec![(":limit", &limit)];
    if let Some(event) = &filter.event {
        condition.push_str(" AND subject = 'event' AND subject_id = :event");
        values.push((":event", event));
    }
    if let Some(since) = &filter.since {
        condition.push_str(" AND at >= :since");
        values.push((":since", since));
    }
    Ok(connection
        .prepare_cached(&format!(
            "SELECT id, at, who, action, subject, subject_id, name, before, after FROM activity
             WHERE {condition} ORDER BY id DESC LIMIT :limit"
        ))?
        .query_map(values.as_slice(), entry_of)?
        .collect::<rusqlite::Result<_>>()?)
}

fn entry_of(row: &Row<'_>) -> rusqlite::Result<LogEntry> {
    // Fields that can't be parsed count as missing, so that the rest of the entry can be shown.
    let fields = |text: Option<String>| text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let (before, after): (Fields, Fields) = (fields(row.get("before")?), fields(row.get("after")?));
    Ok(LogEntry {
        entry: ActivityEntry {
            id: row.get("id")?,
            at: row.get("at")?,
            who: row.get("who")?,
            action: ActivityAction::parse(&row.get::<_, String>("action")?),
            changes: changes(&before, &after),
        },
        subject: row.get("subject")?,
        subject_id: row.get("subject_id")?,
        name: row.get("name")?,
    })
}
