//! Sessions in SQL. Of a session's secret only the hash is stored.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::features::users::User;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// A session and its user.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) user: User,
    pub(super) created_at: DateTime<Utc>,
    pub(super) last_seen_at: DateTime<Utc>,
}

/// The session whose secret has this hash.
pub(super) fn find(connection: &Connection, token_hash: &[u8; 32]) -> Result<Option<Session>, AppError> {
    let found = connection
        .prepare_cached(
            "SELECT u.id, u.email, u.role, u.created_at, s.created_at, s.last_seen_at
             FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = ?1",
        )?
        .query_row([token_hash.as_slice()], |row| {
            let user = User { id: row.get(0)?, email: row.get(1)?, role: row.get(2)?, created_at: row.get(3)? };
            Ok((user, row.get::<_, String>(4)?, row.get::<_, String>(5)?))
        })
        .optional()?;
    // A session whose times can't be read is none.
    Ok(found.and_then(|(user, created, seen)| {
        Some(Session { user, created_at: parse_timestamp(&created)?, last_seen_at: parse_timestamp(&seen)? })
    }))
}

/// Stores a new session, and forgets those that are older than `oldest`. Returns whether its user
/// is still there with the password that was checked.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    token_hash: &[u8; 32],
    user_id: i64,
    checked_password: &str,
    now: DateTime<Utc>,
    oldest: DateTime<Utc>,
) -> Result<bool, AppError> {
    transaction.prepare_cached("DELETE FROM sessions WHERE created_at < ?1")?.execute([timestamp(oldest)])?;
    let inserted = transaction
        .prepare_cached(
            "INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at)
             SELECT ?1, id, ?3, ?3 FROM users WHERE id = ?2 AND password = ?4",
        )?
        .execute(params![token_hash.as_slice(), user_id, timestamp(now), checked_password])?;
    Ok(inserted > 0)
}

/// Notes that a session was used.
pub(super) fn touch(transaction: &Transaction<'_>, token_hash: &[u8; 32], now: DateTime<Utc>) -> Result<(), AppError> {
    transaction
        .prepare_cached("UPDATE sessions SET last_seen_at = ?2 WHERE token_hash = ?1")?
        .execute(params![token_hash.as_slice(), timestamp(now)])?;
    Ok(())
}

/// Ends a session.
pub(super) fn delete(transaction: &Transaction<'_>, token_hash: &[u8; 32]) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM sessions WHERE token_hash = ?1")?.execute([token_hash.as_slice()])?;
    Ok(())
}

/// Ends every session of a user.
pub fn end_all_of(transaction: &Transaction<'_>, user_id: i64) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM sessions WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Ends every session of a user but one: whoever changes the own password stays signed in here.
pub fn end_others_of(transaction: &Transaction<'_>, user_id: i64, keep: &[u8; 32]) -> Result<(), AppError> {
    transaction
        .prepare_cached("DELETE FROM sessions WHERE user_id = ?1 AND token_hash <> ?2")?
        .execute(params![user_id, keep.as_slice()])?;
    Ok(())
}
