//! SQL of idempotency keys.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::extractor::IdempotencyKey;
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// How long a response is stored.
const RETENTION: TimeDelta = TimeDelta::hours(24);

pub(super) struct StoredResponse {
    pub(super) fingerprint: [u8; 32],
    pub(super) body: String,
}

pub(super) fn find(
    connection: &Connection,
    user_id: i64,
    endpoint: &str,
    key: &str,
    now: DateTime<Utc>,
) -> Result<Option<StoredResponse>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT fingerprint, body FROM idempotency_keys
             WHERE user_id = ?1 AND endpoint = ?2 AND key = ?3 AND created_at >= ?4",
        )?
        .query_row(params![user_id, endpoint, key, timestamp(now - RETENTION)], |row| {
            Ok(StoredResponse { fingerprint: row.get(0)?, body: row.get(1)? })
        })
        .optional()?)
}

pub(super) fn insert(
    transaction: &Transaction<'_>,
    (user_id, endpoint): (i64, &str),
    key: &IdempotencyKey,
    body: &str,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "INSERT INTO idempotency_keys (user_id, endpoint, key, fingerprint, status, body, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            user_id,
            endpoint,
            key.key,
            key.fingerprint,
            StatusCode::CREATED.as_u16(),
            body,
            timestamp(now)
        ])?;
    Ok(())
}

/// Deletes responses that are older than 24 hours.
pub fn purge(transaction: &Transaction<'_>, now: DateTime<Utc>) -> Result<(), AppError> {
    transaction
        .prepare_cached("DELETE FROM idempotency_keys WHERE created_at < ?1")?
        .execute([timestamp(now - RETENTION)])?;
    Ok(())
}
