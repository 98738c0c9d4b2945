//! The tables of the sync in SQL: what was synced under each of the provider's ids, and the syncs.

use std::collections::HashMap;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::client::ResumeState;
use super::types::{EventSync, LastSync, SyncedValue};
use crate::features::events::{self, EventStatus, SyncedEvent, SyncedField, SyncedValues};
use crate::platform::clock::parse_timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// The number of syncs that stay in the database.
const MAX_SYNCS: i64 = 1_000;

/// Whether the provider's complete lists contain a synced event. No status deletes an event: the sync hides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListingStatus {
    /// The last one contained it.
    Listed,
    /// The last one did not contain it.
    Missing,
    /// Two in a row did not contain it: the sync hid its event, which is still stored.
    Removed,
    /// The provider cancelled it: the sync hid its event.
    Cancelled,
}

impl ListingStatus {
    /// Whether the sync hid the event.
    pub(super) fn is_hidden(self) -> bool {
        matches!(self, Self::Removed | Self::Cancelled)
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Missing => "missing",
            Self::Removed => "removed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl ToSql for ListingStatus {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for ListingStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        let all = [Self::Listed, Self::Missing, Self::Removed, Self::Cancelled];
        all.into_iter().find(|status| status.as_str() == text).ok_or(FromSqlError::InvalidType)
    }
}

/// The last sync of one of the provider's ids.
#[derive(Clone, Debug)]
pub(super) struct SyncRecord {
    /// What was synced, the base of the three-way merge.
    pub(super) base: SyncedValues,
    /// Whether the provider's complete lists contain the id.
    pub(super) status: ListingStatus,
    /// The provider's update time of the details; `None` without details.
    pub(super) details_updated_at: Option<String>,
    /// `None` once the event is purged.
    pub(super) event_id: Option<i64>,
}

/// What the database contains for one of the provider's ids.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredState {
    /// Its last sync; `None` if it was not synced.
    pub(super) record: Option<SyncRecord>,
    /// The event that carries the id, else the one that was created from it.
    pub(super) event: Option<SyncedEvent>,
}

/// Reads what the database contains for one of the provider's ids.
pub(super) fn find(connection: &Connection, brandlive_id: &str) -> Result<StoredState, AppError> {
    let record = find_record(connection, brandlive_id)?;
    let mut event = events::find_synced_event(connection, brandlive_id)?;
    if event.is_none()
        && let Some(id) = record.as_ref().and_then(|record| record.event_id)
    {
        event = events::find_synced_event_by_id(connection, id)?;
    }
    Ok(StoredState { record, event })
}

fn find_record(connection: &Connection, brandlive_id: &str) -> Result<Option<SyncRecord>, AppError> {
    let mut statement = connection.prepare_cached(
        "SELECT base, status, event_id, details_updated_at FROM sync_records WHERE brandlive_id = ?1",
    )?;
    Ok(statement.query_row([brandlive_id], record_of).optional()?)
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<SyncRecord> {
    let base: String = row.get(0)?;
    // With an unreadable base every difference counts as an admin's change.
    let base = serde_json::from_str(&base).unwrap_or_default();
    Ok(SyncRecord { base, status: row.get(1)?, event_id: row.get(2)?, details_updated_at: row.get(3)? })
}

/// The provider's id and the event's id of every sync record whose event is still stored.
pub(super) fn linked(connection: &Connection) -> Result<Vec<(String, i64)>, AppError> {
    let mut statement = connection.prepare_cached(
        "SELECT brandlive_id, event_id FROM sync_records WHERE event_id IS NOT NULL ORDER BY brandlive_id",
    )?;
    Ok(statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?)
}

/// The update time of the synced details by the provider's id.
pub(super) fn update_times(connection: &Connection) -> Result<HashMap<String, Option<String>>, AppError> {
    let mut statement = connection.prepare_cached("SELECT brandlive_id, details_updated_at FROM sync_records")?;
    Ok(statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?)
}

/// The state from which the next sync continues.
pub(super) fn resume_state(connection: &Connection) -> Result<ResumeState, AppError> {
    let state: Option<String> = connection
        .prepare_cached("SELECT state FROM brandlive_resume WHERE id = 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    // An unreadable state is that of another version: the list is read from its beginning.
    Ok(state.and_then(|state| serde_json::from_str(&state).ok()).unwrap_or_default())
}

/// Stores the state from which the next sync continues.
pub(super) fn save_resume_state(transaction: &Transaction<'_>, resume_state: &ResumeState) -> Result<(), AppError> {
    if *resume_state == ResumeState::default() {
        transaction.prepare_cached("DELETE FROM brandlive_resume WHERE id = 1")?.execute([])?;
        return Ok(());
    }
    let state = serde_json::to_string(resume_state).map_err(AppError::internal)?;
    transaction
        .prepare_cached(
            "INSERT INTO brandlive_resume (id, state) VALUES (1, ?1)
             ON CONFLICT (id) DO UPDATE SET state = excluded.state",
        )?
        .execute([state])?;
    Ok(())
}

/// Stores what was synced under one of the provider's ids. Without an update time the stored one stays.
pub(super) fn save(
    transaction: &Transaction<'_>,
    brandlive_id: &str,
    event_id: i64,
    base: &SyncedValues,
    status: ListingStatus,
    details_updated_at: Option<&str>,
) -> Result<(), AppError> {
    let base = serde_json::to_string(base).map_err(AppError::internal)?;
    // After an admin gave the event another id, the record under the previous id counts as deleted.
    transaction
        .prepare_cached("UPDATE sync_records SET event_id = NULL WHERE event_id = ?1 AND brandlive_id <> ?2")?
        .execute(params![event_id, brandlive_id])?;
    transaction
        .prepare_cached(
            "INSERT INTO sync_records (brandlive_id, event_id, base, status, details_updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (brandlive_id) DO UPDATE SET event_id = excluded.event_id, base = excluded.base,
                 status = excluded.status, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
                 details_updated_at = coalesce(excluded.details_updated_at, details_updated_at)",
        )?
        .execute(params![brandlive_id, event_id, base, status, details_updated_at])?;
    Ok(())
}

/// Records a sync and deletes the oldest beyond [`MAX_SYNCS`].
pub(super) fn insert_sync(
    transaction: &Transaction<'_>,
    started_at: &str,
    finished_at: &str,
    message: &str,
) -> Result<(), AppError> {
    let id = transaction
        .prepare_cached("INSERT INTO sync_runs (started_at, finished_at, message) VALUES (?1, ?2, ?3)")?
        .insert([started_at, finished_at, message])?;
    transaction.prepare_cached("DELETE FROM sync_runs WHERE id <= ?1")?.execute([id - MAX_SYNCS])?;
    Ok(())
}

/// The last sync that ended; `None` before the first one.
pub fn last_sync(connection: &Connection) -> Result<Option<LastSync>, AppError> {
    Ok(connection
        .prepare_cached("SELECT id, finished_at, message FROM sync_runs ORDER BY id DESC LIMIT 1")?
        .query_row([], |row| {
            let ended_at = parse_timestamp(row.get_ref(1)?.as_str()?).unwrap_or_default();
            Ok(LastSync { number: row.get(0)?, ended_at, message: row.get(2)? })
        })
        .optional()?)
}

/// The last sync of an event, field by field; `None` for one that was not synced.
pub(super) fn event_sync(connection: &Connection, id: i64) -> Result<Option<EventSync>, AppError> {
    let Some(event) = events::find_synced_event_by_id(connection, id)?.filter(|event| !event.is_deleted) else {
        return Ok(None);
    };
    let Some(brandlive_id) = event.brandlive_id.as_deref() else { return Ok(None) };
    let Some(record) = find_record(connection, brandlive_id)? else { return Ok(None) };
    let fields = SyncedField::ALL.into_iter().map(|field| {
        let synced = record.base.get(field).to_owned();
        let is_local = synced != event.values.get(field);
        SyncedValue { field, synced, is_local }
    });
    let hidden_since =
        event.hidden_at.clone().filter(|_| event.status == EventStatus::Hidden && record.status.is_hidden());
    Ok(Some(EventSync { hidden_since, fields: fields.collect() }))
}
