//! Sessions. Only the hash of a token is stored.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::super::types::User;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::config::Auth;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// A session and its user.
#[derive(Clone, Debug)]
pub(in super::super) struct Session {
    pub(in super::super) user: User,
    pub(in super::super) created_at: DateTime<Utc>,
    pub(in super::super) last_seen_at: DateTime<Utc>,
}

/// How long sessions last.
#[derive(Clone, Copy, Debug)]
pub struct Lifetime {
    idle: TimeDelta,
    max: TimeDelta,
}

impl Lifetime {
    /// The configured lifetime.
    pub fn new(config: &Auth) -> Self {
        Self {
            idle: TimeDelta::hours(i64::from(config.session_idle_hours)),
            max: TimeDelta::days(i64::from(config.session_max_days)),
        }
    }

    /// Also true for times in the future: setting the clock back must not revive an expired session.
    pub(in super::super) fn has_expired(
        &self,
        created_at: DateTime<Utc>,
        last_seen_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> bool {
        (now - last_seen_at).abs() > self.idle || (now - created_at).abs() > self.max
    }
}

/// The session whose token has this hash.
pub(in super::super) fn find(connection: &Connection, token_hash: &[u8; 32]) -> Result<Option<Session>, AppError> {
    let found = connection
        .prepare_cached(
            "SELECT u.id, u.email, u.role, u.created_at, u.revision, s.created_at, s.last_seen_at
             FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = ?1",
        )?
        .query_row([token_hash.as_slice()], |row| {
            let user = User {
                id: row.get(0)?,
                email: row.get(1)?,
                role: row.get(2)?,
                created_at: row.get(3)?,
                revision: row.get(4)?,
            };
            Ok((user, row.get::<_, String>(5)?, row.get::<_, String>(6)?))
        })
        .optional()?;
    // A session with unreadable times counts as missing.
    Ok(found.and_then(|(user, created, seen)| {
        Some(Session { user, created_at: parse_timestamp(&created)?, last_seen_at: parse_timestamp(&seen)? })
    }))
}

/// Stores a new session and purges those that have reached the maximum lifetime. Returns `false` if the user was
/// deleted or the password hash is no longer the one that was verified.
pub(in super::super) fn insert(
    transaction: &Transaction<'_>,
    token_hash: &[u8; 32],
    user_id: i64,
    verified_hash: &str,
    lifetime: &Lifetime,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let oldest = timestamp(now - lifetime.max);
    transaction.prepare_cached("DELETE FROM sessions WHERE created_at < ?1")?.execute([oldest])?;
    let inserted = transaction
        .prepare_cached(
            "INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at)
             SELECT ?1, id, ?3, ?3 FROM users WHERE id = ?2 AND password = ?4",
        )?
        .execute(params![token_hash.as_slice(), user_id, timestamp(now), verified_hash])?;
    Ok(inserted > 0)
}

/// Records the time of the last request.
pub(in super::super) fn touch(
    transaction: &Transaction<'_>,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    transaction
        .prepare_cached("UPDATE sessions SET last_seen_at = ?2 WHERE token_hash = ?1")?
        .execute(params![token_hash.as_slice(), timestamp(now)])?;
    Ok(())
}

/// The number of sessions that have not expired.
pub fn count_active(connection: &Connection, lifetime: &Lifetime, now: DateTime<Utc>) -> Result<i64, AppError> {
    let mut statement =
        connection.prepare_cached("SELECT count(*) FROM sessions WHERE created_at >= ?1 AND last_seen_at >= ?2")?;
    let oldest = [timestamp(now - lifetime.max), timestamp(now - lifetime.idle)];
    Ok(statement.query_row(oldest, |row| row.get(0))?)
}

/// The number of stored sessions of a user, expired ones included.
pub fn count_of_user(connection: &Connection, user_id: i64) -> Result<i64, AppError> {
    let mut statement = connection.prepare_cached("SELECT count(*) FROM sessions WHERE user_id = ?1")?;
    Ok(statement.query_row([user_id], |row| row.get(0))?)
}

pub(in super::super) fn delete(transaction: &Transaction<'_>, token_hash: &[u8; 32]) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM sessions WHERE token_hash = ?1")?.execute([token_hash.as_slice()])?;
    Ok(())
}

pub fn delete_all_of_user(transaction: &Transaction<'_>, user_id: i64) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM sessions WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Deletes all sessions of a user except one and returns how many of them had not expired.
pub(in super::super) fn delete_others_of_user(
    transaction: &Transaction<'_>,
    user_id: i64,
    keep: &[u8; 32],
    lifetime: &Lifetime,
    now: DateTime<Utc>,
) -> Result<usize, AppError> {
    let mut statement = transaction.prepare_cached(
        "DELETE FROM sessions WHERE user_id = ?1 AND token_hash <> ?2 RETURNING created_at, last_seen_at",
    )?;
    let mut rows = statement.query(params![user_id, keep.as_slice()])?;
    let mut ended = 0;
    while let Some(row) = rows.next()? {
        let (created, seen): (String, String) = (row.get(0)?, row.get(1)?);
        if let (Some(created), Some(seen)) = (parse_timestamp(&created), parse_timestamp(&seen))
            && !lifetime.has_expired(created, seen, now)
        {
            ended += 1;
        }
    }
    Ok(ended)
}
