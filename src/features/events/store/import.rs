//! SQL for imports, which read and write some fields of an event and its visibility.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::events::status::Status;
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// The fields of an event that follow the provider, as the form names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportedField {
    /// Title.
    Title,
    /// Day, yyyy-MM-dd.
    Date,
    /// Wall clock, HH:mm.
    Time,
    /// IANA name.
    Timezone,
    /// `X minutes`
    Duration,
    /// Summary.
    Summary,
    /// Description.
    Description,
    /// Where visitors register.
    RegistrationUrl,
}

impl ImportedField {
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

/// The imported fields of one event, each as text; an absent one reads as blank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ImportedValues(BTreeMap<ImportedField, String>);

impl ImportedValues {
    /// The text of a field.
    pub fn get(&self, field: ImportedField) -> &str {
        self.0.get(&field).map(String::as_str).unwrap_or_default()
    }

    /// Replaces the text of a field.
    pub fn set(&mut self, field: ImportedField, value: impl Into<String>) {
        self.0.insert(field, value.into());
    }

    fn optional(&self, field: ImportedField) -> Option<&str> {
        Some(self.get(field)).filter(|text| !text.is_empty())
    }
}

/// The part of a stored event, deleted or not, that an import compares.
#[derive(Clone, Debug)]
pub struct ImportTarget {
    /// The event's id.
    pub id: i64,
    /// The provider's id that the event carries now.
    pub brandlive_id: Option<String>,
    /// Its imported fields.
    pub values: ImportedValues,
    /// The instant of its start, RFC 3339, UTC.
    pub starts_at: String,
    /// Who sees it.
    pub status: Status,
    /// Since when it is hidden from the public, RFC 3339, UTC.
    pub hidden_at: Option<String>,
    /// Whether an editor deleted it.
    pub is_deleted: bool,
}

/// A new event from the provider.
#[derive(Clone, Copy, Debug)]
pub struct NewImport<'i> {
    /// The provider's id.
    pub brandlive_id: &'i str,
    /// One of the event types.
    pub kind: &'i str,
    /// Series.
    pub series: Option<&'i str>,
    /// The imported fields.
    pub values: &'i ImportedValues,
    /// The instant of its start.
    pub starts_at: DateTime<Utc>,
}

const SELECT: &str = "SELECT id, brandlive_id, title, date, time, timezone, duration, summary, description,
    registration_url, starts_at, status, hidden_at, deleted_at IS NOT NULL AS is_deleted FROM events";

/// The event that carries a provider's id.
pub fn find_import_target(connection: &Connection, brandlive_id: &str) -> Result<Option<ImportTarget>, AppError> {
    let mut statement = connection.prepare_cached(&format!("{SELECT} WHERE brandlive_id = ?1"))?;
    Ok(statement.query_row([brandlive_id], target_of).optional()?)
}

/// The event with this id.
pub fn find_import_target_by_id(connection: &Connection, id: i64) -> Result<Option<ImportTarget>, AppError> {
    let mut statement = connection.prepare_cached(&format!("{SELECT} WHERE id = ?1"))?;
    Ok(statement.query_row([id], target_of).optional()?)
}

fn target_of(row: &Row<'_>) -> rusqlite::Result<ImportTarget> {
    let mut values = ImportedValues::default();
    for field in ImportedField::ALL {
        let text: Option<String> = row.get(field.column())?;
        values.set(field, text.unwrap_or_default());
    }
    Ok(ImportTarget {
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
pub fn upcoming_public_imports(connection: &Connection, now: &str) -> Result<Vec<i64>, AppError> {
    let mut statement = connection.prepare_cached(
        "SELECT id FROM public_events WHERE starts_at > ?1 AND public_from <= ?1 AND brandlive_id IS NOT NULL",
    )?;
    Ok(statement.query_map([now], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Stores a new event without location and speakers and returns its id.
pub fn insert_import(transaction: &Transaction<'_>, new: &NewImport<'_>) -> Result<i64, AppError> {
    let value = |field| new.values.get(field);
    let id = transaction
        .prepare_cached(
            "INSERT INTO events (brandlive_id, series, title, date, time, duration, summary, description,
                 registration_url, type, timezone, starts_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .insert(params![
            new.brandlive_id,
            new.series,
            value(ImportedField::Title),
            value(ImportedField::Date),
            value(ImportedField::Time),
            value(ImportedField::Duration),
            new.values.optional(ImportedField::Summary),
            value(ImportedField::Description),
            value(ImportedField::RegistrationUrl),
            new.kind,
            value(ImportedField::Timezone),
            timestamp(new.starts_at),
        ])?;
    super::series::link(transaction, id)?;
    Ok(id)
}

/// Replaces the imported fields of an event, unless it is deleted.
pub fn update_imported_values(
    transaction: &Transaction<'_>,
    id: i64,
    values: &ImportedValues,
    starts_at: Option<DateTime<Utc>>,
) -> Result<(), AppError> {
    let description = values.get(ImportedField::Description);
    transaction
        .prepare_cached(
            "UPDATE events SET title = ?2, date = ?3, time = ?4, timezone = ?5, duration = ?6, summary = ?7,
                 description = ?8, registration_url = ?9, starts_at = ?10, description_html = ?11, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![
            id,
            values.get(ImportedField::Title),
            values.get(ImportedField::Date),
            values.get(ImportedField::Time),
            values.get(ImportedField::Timezone),
            values.get(ImportedField::Duration),
            values.optional(ImportedField::Summary),
            description,
            values.get(ImportedField::RegistrationUrl),
            starts_at.map(timestamp).unwrap_or_default(),
            super::description_format(transaction, id)?.html(description),
        ])?;
    Ok(())
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
