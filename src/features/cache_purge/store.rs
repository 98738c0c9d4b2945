//! SQL of the recorded changes and of failed purges. Triggers of the database record the changes (migrations V13 and V19).

use rusqlite::{Connection, params};

use super::types::{ChangedKeys, PendingChanges, PurgeFailure, Purged};
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
        transaction.prepare_cached("DELETE FROM changed_cache_keys")?.execute([])?;
    }
    Ok(())
}

/// The changes after the one with this number, with at most `max_keys` keys.
pub fn changes_after(connection: &Connection, sequence: i64, max_keys: usize) -> Result<ChangedKeys, AppError> {
    let keys = connection
        .prepare_cached("SELECT key FROM changed_cache_keys WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")?
        .query_map(params![sequence, i64::try_from(max_keys).unwrap_or(i64::MAX)], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let (sequence, read_at) = connection
        .prepare_cached("SELECT sequence, strftime('%Y-%m-%dT%H:%M:%SZ', 'now') FROM cache_purge WHERE id = 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(ChangedKeys { sequence, version: db::content_version(connection)?, keys, read_at })
}

/// Deletes the changes for which every cache was purged. A key that has changed again later has a higher number, and waits
/// since that change.
pub fn delete_purged(transaction: &Transaction<'_>, purged: &Purged) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM changed_cache_keys WHERE sequence <= ?1")?.execute([purged.sequence])?;
    transaction
        .prepare_cached("UPDATE changed_cache_keys SET changed_at = ?1 WHERE changed_at < ?1")?
        .execute([&purged.read_at])?;
    Ok(())
}

/// The changes that wait for the purge of at least one cache.
pub fn pending_changes(connection: &Connection) -> Result<PendingChanges, AppError> {
    let read = |row: &rusqlite::Row<'_>| Ok(PendingChanges { keys: row.get(0)?, since: row.get(1)? });
    let sql = "SELECT count(*), min(changed_at) FROM changed_cache_keys";
    Ok(connection.prepare_cached(sql)?.query_row([], read)?)
}

/// The caches whose last purge failed.
pub fn failures(connection: &Connection) -> Result<Vec<PurgeFailure>, AppError> {
    let read =
        |row: &rusqlite::Row<'_>| Ok(PurgeFailure { cache: row.get(0)?, message: row.get(1)?, since: row.get(2)? });
    let mut statement =
        connection.prepare_cached("SELECT cache, message, since FROM cache_purge_failures ORDER BY cache")?;
    Ok(statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?)
}

/// Stores why the last purge of a cache failed, and when the first of its failures was.
pub fn record_failure(transaction: &Transaction<'_>, cache: &str, message: &str) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "INSERT INTO cache_purge_failures (cache, message, since)
             VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
             ON CONFLICT (cache) DO UPDATE SET message = excluded.message",
        )?
        .execute([cache, message])?;
    Ok(())
}

/// Deletes the failure of a cache that can be purged again, or is no longer configured.
pub fn delete_failure(transaction: &Transaction<'_>, cache: &str) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM cache_purge_failures WHERE cache = ?1")?.execute([cache])?;
    Ok(())
}
