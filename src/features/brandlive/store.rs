//! What the sync remembers, and what it does to events, in SQL.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::mapping::{Item, Values};
use super::types::{EventImport, ImportedField, ImportedValue};
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// How many runs are remembered.
const RUNS: i64 = 1_000;

/// What was imported last under an id.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) snapshot: Values,
    /// 1: the last complete listing did not hold it. 2 and more: the sync hid its event.
    pub(super) missed: i64,
    /// `None` once the event is gone.
    pub(super) event_id: Option<i64>,
}

/// An event as far as the sync is concerned.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) id: i64,
    pub(super) brandlive_id: Option<String>,
    pub(super) values: Values,
    pub(super) starts_at: String,
    pub(super) hidden_at: Option<String>,
    /// A deleted event is neither changed nor imported again.
    pub(super) is_deleted: bool,
}

/// What is known under a provider's id.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) import: Option<Import>,
    pub(super) event: Option<Stored>,
}

const EVENT: &str = "SELECT id, brandlive_id, title, date, time, timezone, duration, summary, description,
    registration_url, starts_at, hidden_at, deleted_at IS NOT NULL AS is_deleted FROM events";

/// What is known under a provider's id: the import, and the event that carries the id, else the one
/// that was made from it.
pub(super) fn known(connection: &Connection, brandlive_id: &str) -> Result<Known, AppError> {
    let import = connection
        .prepare_cached("SELECT snapshot, missed, event_id FROM brandlive_imports WHERE brandlive_id = ?1")?
        .query_row([brandlive_id], import_row)
        .optional()?;
    let mut event = connection
        .prepare_cached(&format!("{EVENT} WHERE brandlive_id = ?1"))?
        .query_row([brandlive_id], stored_row)
        .optional()?;
    if event.is_none()
        && let Some(id) = import.as_ref().and_then(|import| import.event_id)
    {
        event = connection.prepare_cached(&format!("{EVENT} WHERE id = ?1"))?.query_row([id], stored_row).optional()?;
    }
    Ok(Known { import, event })
}

fn import_row(row: &Row<'_>) -> rusqlite::Result<Import> {
    let snapshot: String = row.get(0)?;
    // One that can't be read is as good as none: then every difference counts as the editor's.
    let snapshot = serde_json::from_str(&snapshot).unwrap_or_default();
    Ok(Import { snapshot, missed: row.get(1)?, event_id: row.get(2)? })
}

fn stored_row(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let mut values = Values::default();
    for field in ImportedField::ALL {
        let text: Option<String> = row.get(column(field))?;
        values.set(field, text.unwrap_or_default());
    }
    Ok(Stored {
        id: row.get("id")?,
        brandlive_id: row.get("brandlive_id")?,
        values,
        starts_at: row.get("starts_at")?,
        hidden_at: row.get("hidden_at")?,
        is_deleted: row.get("is_deleted")?,
    })
}

fn column(field: ImportedField) -> &'static str {
    match field {
        ImportedField::Title => "title",
        ImportedField::Date => "date",
        ImportedField::Time => "time",
        ImportedField::Timezone => "timezone",
        ImportedField::Duration => "duration",
        ImportedField::Summary => "summary",
        ImportedField::Description => "description",
        ImportedField::RegistrationUrl => "registration_url",
    }
}

/// Every id under which something was imported and whose event is still there.
pub(super) fn imported_ids(connection: &Connection) -> Result<Vec<String>, AppError> {
    let mut statement = connection
        .prepare_cached("SELECT brandlive_id FROM brandlive_imports WHERE event_id IS NOT NULL ORDER BY 1")?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// How many imported events lie ahead of an instant (RFC 3339, UTC) and are seen by the public.
pub(super) fn ahead(connection: &Connection, now: &str) -> Result<usize, AppError> {
    let count: i64 = connection
        .prepare_cached(
            "SELECT count(*) FROM events e JOIN brandlive_imports i ON i.event_id = e.id
             WHERE e.starts_at > ?1 AND e.hidden_at IS NULL AND e.deleted_at IS NULL",
        )?
        .query_row([now], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Stores a new event without speakers and remembers what it was made from.
pub(super) fn create(transaction: &Transaction<'_>, item: &Item, starts_at: DateTime<Utc>) -> Result<i64, AppError> {
    let values = |field| item.values.get(field);
    let summary = Some(values(ImportedField::Summary)).filter(|text| !text.is_empty());
    let id = transaction
        .prepare_cached(
            "INSERT INTO events (brandlive_id, series, title, date, time, duration, summary, description,
                 registration_url, type, timezone, starts_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .insert(params![
            item.id,
            item.series,
            values(ImportedField::Title),
            values(ImportedField::Date),
            values(ImportedField::Time),
            values(ImportedField::Duration),
            summary,
            values(ImportedField::Description),
            values(ImportedField::RegistrationUrl),
            item.kind,
            values(ImportedField::Timezone),
            timestamp(starts_at),
        ])?;
    remember(transaction, &item.id, id, &item.values, 0)?;
    Ok(id)
}

/// Changes the fields of an event that follow the provider, and nothing else of it.
pub(super) fn change(
    transaction: &Transaction<'_>,
    id: i64,
    values: &Values,
    starts_at: DateTime<Utc>,
) -> Result<(), AppError> {
    let summary = Some(values.get(ImportedField::Summary)).filter(|text| !text.is_empty());
    transaction
        .prepare_cached(
            "UPDATE events SET title = ?2, date = ?3, time = ?4, timezone = ?5, duration = ?6, summary = ?7,
                 description = ?8, registration_url = ?9, starts_at = ?10, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1",
        )?
        .execute(params![
            id,
            values.get(ImportedField::Title),
            values.get(ImportedField::Date),
            values.get(ImportedField::Time),
            values.get(ImportedField::Timezone),
            values.get(ImportedField::Duration),
            summary,
            values.get(ImportedField::Description),
            values.get(ImportedField::RegistrationUrl),
            timestamp(starts_at),
        ])?;
    Ok(())
}

/// Hides an event from the public since an instant, or shows it again.
pub(super) fn set_hidden(transaction: &Transaction<'_>, id: i64, since: Option<DateTime<Utc>>) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "UPDATE events SET hidden_at = ?2, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1",
        )?
        .execute(params![id, since.map(timestamp)])?;
    Ok(())
}

/// Remembers what was imported under an id.
pub(super) fn remember(
    transaction: &Transaction<'_>,
    brandlive_id: &str,
    event_id: i64,
    snapshot: &Values,
    missed: i64,
) -> Result<(), AppError> {
    let snapshot = serde_json::to_string(snapshot).map_err(AppError::internal)?;
    // An editor may have given the event another id: what was imported under the former counts as deleted.
    transaction
        .prepare_cached("UPDATE brandlive_imports SET event_id = NULL WHERE event_id = ?1 AND brandlive_id <> ?2")?
        .execute(params![event_id, brandlive_id])?;
    transaction
        .prepare_cached(
            "INSERT INTO brandlive_imports (brandlive_id, event_id, snapshot, missed) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (brandlive_id) DO UPDATE SET event_id = excluded.event_id, snapshot = excluded.snapshot,
                 missed = excluded.missed, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')",
        )?
        .execute(params![brandlive_id, event_id, snapshot, missed])?;
    Ok(())
}

/// Writes down that a sync did something, and forgets those of long ago.
pub(super) fn note_run(transaction: &Transaction<'_>, begun: &str, ended: &str, message: &str) -> Result<(), AppError> {
    let id = transaction
        .prepare_cached("INSERT INTO sync_runs (started_at, finished_at, message) VALUES (?1, ?2, ?3)")?
        .insert([begun, ended, message])?;
    transaction.prepare_cached("DELETE FROM sync_runs WHERE id <= ?1")?.execute([id - RUNS])?;
    Ok(())
}

/// What the provider said last of the event with this number; `None` for one that was not imported.
pub(super) fn import_of(connection: &Connection, id: i64) -> Result<Option<EventImport>, AppError> {
    let Some(event) =
        connection.prepare_cached(&format!("{EVENT} WHERE id = ?1"))?.query_row([id], stored_row).optional()?
    else {
        return Ok(None);
    };
    let Some(brandlive_id) = event.brandlive_id.as_deref().filter(|_| !event.is_deleted) else { return Ok(None) };
    let Some(import) = known(connection, brandlive_id)?.import else { return Ok(None) };
    let fields = ImportedField::ALL.into_iter().map(|field| {
        let imported = import.snapshot.get(field).to_owned();
        let is_local = imported != event.values.get(field);
        ImportedValue { field, imported, is_local }
    });
    Ok(Some(EventImport { hidden_since: event.hidden_at, fields: fields.collect() }))
}
