//! SQL of the status of events, their publication times and the links to their previews.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

use super::{Event, find, series};
use crate::features::events::rules::{self, ValidatedStatus};
use crate::features::events::status::EventStatus;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// The publication time that a new event stores.
pub(super) fn publication(status: Option<ValidatedStatus>) -> Option<String> {
    match status {
        Some(ValidatedStatus::Scheduled(at)) => Some(timestamp(at)),
        _ => None,
    }
}

/// Changes the status of an event. A scheduled event whose time has come becomes a published one.
pub(super) fn update(
    transaction: &Transaction<'_>,
    id: i64,
    new: Option<ValidatedStatus>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let now = timestamp(now);
    transaction
        .prepare_cached(
            "UPDATE events SET status = 'published', hidden_at = NULL
             WHERE id = ?1 AND status = 'scheduled' AND publish_at <= ?2",
        )?
        .execute(params![id, now])?;
    let Some(new) = new else { return Ok(()) };
    let status: Option<EventStatus> = transaction
        .prepare_cached("SELECT status FROM events WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    let Some(before) = status else { return Ok(()) };
    let after = new.status();
    let is_first_publication = matches!(before, EventStatus::Draft | EventStatus::Scheduled);
    // The publication time of an event that visitors saw stays, because feeds show it.
    let publish_at = match after {
        EventStatus::Scheduled => publication(Some(new)),
        EventStatus::Draft => None,
        _ if !is_first_publication => return set(transaction, id, before, after, None, &now),
        EventStatus::Hidden => None,
        EventStatus::Published | EventStatus::Cancelled | EventStatus::Postponed => Some(now.clone()),
    };
    set(transaction, id, before, after, Some(publish_at), &now)
}

/// Stores a status. `publish_at` is `None` if it stays.
#[expect(clippy::option_option, reason = "a time that stays and no time differ")]
fn set(
    transaction: &Transaction<'_>,
    id: i64,
    before: EventStatus,
    after: EventStatus,
    publish_at: Option<Option<String>>,
    now: &str,
) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "UPDATE events SET status = ?2,
                 publish_at = CASE WHEN ?3 THEN ?4 ELSE publish_at END,
                 hidden_at = CASE WHEN ?5 THEN NULL WHEN ?6 THEN ?7 ELSE hidden_at END
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![
            id,
            after,
            publish_at.is_some(),
            publish_at.flatten(),
            after.is_public(),
            before.is_public(),
            now
        ])?;
    Ok(())
}

/// The first time after now at which a scheduled event becomes visible.
pub fn next_publication(connection: &Connection, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, AppError> {
    let at: Option<String> = connection
        .prepare_cached(
            "SELECT publish_at FROM events WHERE status = 'scheduled' AND publish_at > ?1 AND deleted_at IS NULL
             ORDER BY publish_at LIMIT 1",
        )?
        .query_row([timestamp(now)], |row| row.get(0))
        .optional()?;
    Ok(at.as_deref().and_then(parse_timestamp))
}

/// The secret of an event's preview link, which is created with the first request; `None` if there is no such event.
pub fn preview_token(transaction: &Transaction<'_>, id: i64) -> Result<Option<String>, AppError> {
    let new = rules::new_preview_token()?;
    let token = transaction
        .prepare_cached(
            "UPDATE events SET preview_token = coalesce(preview_token, ?2) WHERE id = ?1 AND deleted_at IS NULL
             RETURNING preview_token",
        )?
        .query_row(params![id, new], |row| row.get(0))
        .optional()?;
    Ok(token)
}

/// Makes the preview link of an event invalid; returns whether there is such an event.
pub fn delete_preview_token(transaction: &Transaction<'_>, id: i64) -> Result<bool, AppError> {
    let changed = transaction
        .prepare_cached("UPDATE events SET preview_token = NULL WHERE id = ?1 AND deleted_at IS NULL")?
        .execute([id])?;
    Ok(changed > 0)
}

/// The event with this id, if the secret of its preview link is `token`.
pub fn find_preview(
    connection: &Connection,
    id: i64,
    token: &str,
    now: DateTime<Utc>,
) -> Result<Option<Event>, AppError> {
    let stored: Option<Option<String>> = connection
        .prepare_cached("SELECT preview_token FROM events WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    // Hashes are compared, so that the time does not tell how much of a guess is right.
    let is_valid = stored.flatten().is_some_and(|stored| Sha256::digest(&stored) == Sha256::digest(token));
    let mut event = if is_valid { find(connection, id, now)? } else { None };
    if let Some(event) = &mut event {
        series::set_future_position(connection, event, &timestamp(now))?;
    }
    Ok(event)
}
