//! SQL of the recorded changes. Triggers of the database record them (migration V13).

use rusqlite::{Connection, params};

use super::types::ChangedKeys;
use crate::platform::db::{self, Transaction};
use crate::platform::error::AppError;

/// Whether changes are recorded.
pub fn is_enabled(connection: &Connection) -> Result<bool, AppError> {
    Ok(connection.prepare_cached("SELECT is_enabled FROM cache_purge WHERE id = 1")?.query_row([], |row| row.get(0))?)
}

/// Turns the triggers that record changes on or off. Turning them off deletes the recorded changes.
pub fn enable(transaction: &Transaction<'_>, is_enabled: bool) -> Result<(), AppError> {
    transaction.prepare_cached("UPDATE cache_purge SET is_enabled = ?1 WHERE id = 1")?.execute([is_enabled])?;
    if !is_enabled {
        delete_until(transaction, i64::MAX)?;
    }
    Ok(())
}

/// The changes after the one with this number, with at most `max_keys` keys.
pub fn changes_after(connection: &Connection, sequence: i64, max_keys: usize) -> Result<ChangedKeys, AppError> {
    let keys = connection
        .prepare_cached("SELECT key FROM changed_cache_keys WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")?
        .query_map(params![sequence, i64::try_from(max_keys).unwrap_or(i64::MAX)], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let sequence =
        connection.prepare_cached("SELECT sequence FROM cache_purge WHERE id = 1")?.query_row([], |row| row.get(0))?;
    Ok(ChangedKeys { sequence, version: db::content_version(connection)?, keys })
}

/// Deletes the changes up to the one with this number. A key that has changed again later has a higher number.
pub fn delete_until(transaction: &Transaction<'_>, sequence: i64) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM changed_cache_keys WHERE sequence <= ?1")?.execute([sequence])?;
    Ok(())
}
