//! SQL of the company's settings, of which there is one row.

use rusqlite::{Connection, OptionalExtension as _};

use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// The company's name; `None` if it is not stored.
///
/// # Errors
/// 503 if the database can't be read.
pub fn company_name(connection: &Connection) -> Result<Option<String>, AppError> {
    let name = connection
        .prepare_cached("SELECT company_name FROM site_settings WHERE id = 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(name.flatten())
}

/// Stores the company's name.
///
/// # Errors
/// 503 if the database can't be written.
pub fn set_company_name(transaction: &Transaction<'_>, name: &str) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "INSERT INTO site_settings (id, company_name) VALUES (1, ?1) \
             ON CONFLICT (id) DO UPDATE SET company_name = excluded.company_name",
        )?
        .execute([name])?;
    Ok(())
}
