//! SQL of the site settings, of which there is one row.

use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;

use super::types::Values;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// The settings that are stored, with their default values left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stored {
    pub(super) values: Values,
    /// 0 if there is no row.
    pub(super) revision: i64,
    /// Of the last change in the portal.
    pub(super) updated_at: Option<String>,
}

pub(super) fn find(connection: &Connection) -> Result<Stored, AppError> {
    let row = connection
        .prepare_cached("SELECT company_name, settings, revision, updated_at FROM site_settings WHERE id = 1")?
        .query_row([], |row| {
            let (name, json): (Option<String>, String) = (row.get(0)?, row.get(1)?);
            // The table has a check that it is an object.
            let mut values: Values = serde_json::from_str(&json).unwrap_or_default();
            if let Some(name) = name {
                values.insert("name".to_owned(), Value::String(name));
            }
            Ok(Stored { values, revision: row.get(2)?, updated_at: row.get(3)? })
        })
        .optional()?;
    Ok(row.unwrap_or_default())
}

/// Stores the settings. The caller leaves out those that have their default.
pub(super) fn put(transaction: &Transaction<'_>, values: &Values, now: &str) -> Result<(), AppError> {
    let mut settings = values.clone();
    let name = settings.remove("name");
    transaction
        .prepare_cached(
            "INSERT INTO site_settings (id, company_name, settings, updated_at) VALUES (1, ?1, ?2, ?3)
             ON CONFLICT (id) DO UPDATE SET company_name = excluded.company_name, settings = excluded.settings,
                 updated_at = excluded.updated_at, revision = revision + 1",
        )?
        .execute(params![name.as_ref().and_then(Value::as_str), Value::Object(settings).to_string(), now])?;
    Ok(())
}

/// Stores the company's name.
///
/// # Errors
/// 503 if the database can't be written.
pub fn set_company_name(transaction: &Transaction<'_>, name: &str) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "INSERT INTO site_settings (id, company_name) VALUES (1, ?1)
             ON CONFLICT (id) DO UPDATE SET company_name = excluded.company_name, revision = revision + 1",
        )?
        .execute([name])?;
    Ok(())
}

/// The URL of the logo if it is an uploaded image.
///
/// # Errors
/// 503 if the database can't be read.
pub fn image_urls(connection: &Connection) -> Result<Vec<String>, AppError> {
    let logo = find(connection)?.values.remove("logoUrl");
    Ok(logo.as_ref().and_then(Value::as_str).map(str::to_owned).into_iter().collect())
}
