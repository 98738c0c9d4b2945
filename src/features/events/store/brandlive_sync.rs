//! SQL for the Brandlive sync, which reads and writes some fields of an event and its visibility.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, named_params, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::PUBLIC_EVENTS;
use crate::features::events::status::EventStatus;
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;
use crate::platform::text::natural_sort_key;

/// The fields of an event that follow the provider, as the form names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SyncedField {
    Title,
    /// Day, yyyy-MM-dd.
    Date,
    /// Wall clock, HH:mm.
    Time,
    /// IANA name.
    Timezone,
    /// `X minutes`
    Duration,
    Summary,
    Description,
    /// Where visitors register.
    RegistrationUrl,
}

impl SyncedField {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 8] = [
        Self::Title,
        Self::Date,
        Self::Time,
        Self::Timezone,
        Self::Duration,
        Self::Summary,
        Self::Description,
        Self::RegistrationUrl,
    ];

    fn column(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Date => "date",
            Self::Time => "time",
            Self::Timezone => "timezone",
            Self::Duration => "duration",
            Self::Summary => "summary",
            Self::Description => "description",
            Self::RegistrationUrl => "registration_url",
        }
    }
}

/// The synced fields of one event, each as text; an absent one reads as blank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SyncedValues(BTreeMap<SyncedField, String>);

impl SyncedValues {
    /// The text of a field.
    pub fn get(&self, field: SyncedField) -> &str {
        self.0.get(&field).map(String::as_str).unwrap_or_default()
    }

    /// Replaces the text of a field.
    pub fn set(&mut self, field: SyncedField, value: impl Into<String>) {
        self.0.insert(field, value.into());
    }

    fn optional(&self, field: SyncedField) -> Option<&str> {
        Some(self.get(field)).filter(|text| !text.is_empty())
    }
}

/// The part of a stored event, deleted or not, that a sync compares.
#[derive(Clone, Debug)]
pub struct SyncedEvent {
    pub id: i64,
    /// The provider's id that the event carries now.
    pub brandlive_id: Option<String>,
    /// Its synced fields.
    pub values: SyncedValues,
    /// The instant of its start, RFC 3339, UTC.
    pub starts_at: String,
    /// Who sees it.
    pub status: EventStatus,
    /// Since when it is hidden from the public, RFC 3339, UTC.
    pub hidden_at: Option<String>,
    /// Whether an admin deleted it.
    pub is_deleted: bool,
}

/// A new event from the provider.
#[derive(Clone, Copy, Debug)]
pub struct NewSyncedEvent<'i> {
    /// The provider's id.
    pub brandlive_id: &'i str,
    /// One of the event types.
    pub kind: &'i str,
    pub series: Option<&'i str>,
    /// The synced fields.
    pub values: &'i SyncedValues,
    /// The instant of its start.
    pub starts_at: DateTime<Utc>,
}

const SELECT: &str = "SELECT id, brandlive_id, title, date, time, timezone, duration, summary, description,
    registration_url, starts_at, status, hidden_at, deleted_at IS NOT NULL AS is_deleted FROM events";

/// The event that carries a provider's id.
pub fn find_synced_event(connection: &Connection, brandlive_id: &str) -> Result<Option<SyncedEvent>, AppError> {
    let mut statement = connection.prepare_cached(&format!("{SELECT} WHERE brandlive_id = ?1"))?;
    Ok(statement.query_row([brandlive_id], synced_event_of).optional()?)
}

pub fn find_synced_event_by_id(connection: &Connection, id: i64) -> Result<Option<SyncedEvent>, AppError> {
    let mut statement = connection.prepare_cached(&format!("{SELECT} WHERE id = ?1"))?;
    Ok(statement.query_row([id], synced_event_of).optional()?)
}

fn synced_event_of(row: &Row<'_>) -> rusqlite::Result<SyncedEvent> {
    let mut values = SyncedValues::default();
    for field in SyncedField::ALL {
        let text: Option<String> = row.get(field.column())?;
        values.set(field, text.unwrap_or_default());
    }
    Ok(SyncedEvent {
        id: row.get("id")?,
        brandlive_id: row.get("brandlive_id")?,
        values,
        starts_at: row.get("starts_at")?,
        status: row.get("status")?,
        hidden_at: row.get("hidden_at")?,
        is_deleted: row.get("is_deleted")?,
    })
}

/// The ids of the public events with a provider's id that start after an instant (RFC 3339, UTC).
pub fn upcoming_public_synced(connection: &Connection, now: &str) -> Result<Vec<i64>, AppError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT e.id FROM {PUBLIC_EVENTS} e WHERE e.starts_at > :now AND e.brandlive_id IS NOT NULL"
    ))?;
    Ok(statement.query_map(named_params! { ":now": now }, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Stores a new event without location and speakers and returns its id.
pub fn insert_synced(transaction: &Transaction<'_>, new: &NewSyncedEvent<'_>) -> Result<i64, AppError> {
    let value = |field| new.values.get(field);
    let id = transaction
        .prepare_cached(
            "INSERT INTO events (brandlive_id, series, title, date, time, duration, summary, description,
                 registration_url, type, timezone, starts_at, title_key)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .insert(params![
            new.brandlive_id,
            new.series,
            value(SyncedField::Title),
            value(SyncedField::Date),
            value(SyncedField::Time),
            value(SyncedField::Duration),
            new.values.optional(SyncedField::Summary),
            value(SyncedField::Description),
            value(SyncedField::RegistrationUrl),
            new.kind,
            value(SyncedField::Timezone),
            timestamp(new.starts_at),
            natural_sort_key(value(SyncedField::Title)),
        ])?;
    super::series::link(transaction, id)?;
    super::search::index_pending(transaction)?;
    Ok(id)
}

/// Replaces the synced fields of an event, unless it is deleted.
pub fn update_synced_values(
    transaction: &Transaction<'_>,
    id: i64,
    values: &SyncedValues,
    starts_at: Option<DateTime<Utc>>,
) -> Result<(), AppError> {
    let description = values.get(SyncedField::Description);
    transaction
        .prepare_cached(
            "UPDATE events SET title = ?2, date = ?3, time = ?4, timezone = ?5, duration = ?6, summary = ?7,
                 description = ?8, registration_url = ?9, starts_at = ?10, description_html = ?11, title_key = ?12,
                 revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![
            id,
            values.get(SyncedField::Title),
            values.get(SyncedField::Date),
            values.get(SyncedField::Time),
            values.get(SyncedField::Timezone),
            values.get(SyncedField::Duration),
            values.optional(SyncedField::Summary),
            description,
            values.get(SyncedField::RegistrationUrl),
            starts_at.map(timestamp).unwrap_or_default(),
            super::description_format(transaction, id)?.html(description),
            natural_sort_key(values.get(SyncedField::Title)),
        ])?;
    super::search::index_pending(transaction)
}

/// Hides a published event from the public since an instant; `None` publishes it again.
pub fn set_hidden(transaction: &Transaction<'_>, id: i64, since: Option<DateTime<Utc>>) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "UPDATE events SET status = iif(?2 IS NULL, 'published', 'hidden'), hidden_at = ?2, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![id, since.map(timestamp)])?;
    Ok(())
}
