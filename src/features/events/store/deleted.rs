//! Deleted events in SQL: kept for 30 days, to be put back, and so that calendars learn of their cancellation.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{OptionalExtension as _, params};
use serde::{Deserialize, Serialize};

use super::{Event, find, links_json, put_location, put_speakers};
use crate::features::events::rules::NewLocation;
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::{AppError, unique_violation};

/// How long a deleted event is kept.
const KEPT: TimeDelta = TimeDelta::days(30);
const BRANDLIVE_ID_TAKEN: &str = "This event can't come back: another event has its Brandlive id now";

/// What is kept of an event: what the API sends of it, and what only the database knows.
#[derive(Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    event: Event,
    #[serde(rename = "hiddenAt", default)]
    hidden_at: Option<String>,
}

/// Removes an event with its location, speakers and interests and keeps all of it for 30 days. Returns it as it was;
/// `None` where it was not there.
pub fn delete(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<Option<Event>, AppError> {
    let Some(event) = find(transaction, id)? else { return Ok(None) };
    let (hidden_at, sequence): (Option<String>, i64) = transaction
        .prepare_cached("SELECT hidden_at, sequence FROM events WHERE id = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let was_hidden = hidden_at.is_some();
    let kept = Kept { event, hidden_at };
    let json = serde_json::to_string(&kept).map_err(AppError::internal)?;
    transaction
        .prepare_cached(
            "INSERT INTO deleted_events (event_id, event, interests, was_hidden, sequence, deleted_at)
             SELECT ?1, ?2, coalesce(json_group_array(user_id ORDER BY id), '[]'), ?3, ?4, ?5
             FROM user_event_interests WHERE event_id = ?1",
        )?
        .execute(params![id, json, was_hidden, sequence + 1, timestamp(now)])?;
    transaction.prepare_cached("DELETE FROM events WHERE id = ?1")?.execute([id])?;
    purge(transaction, now)?;
    Ok(Some(kept.event))
}

/// Puts a deleted event back under its number: location, those of its speakers who still exist, interests, and the
/// provider's import that it came from. Returns it; `None` where it was not deleted in the last 30 days.
///
/// # Errors
/// 409 where another event has its Brandlive id now.
pub fn restore(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<Option<Event>, AppError> {
    let kept = transaction
        .prepare_cached(
            "SELECT event, interests, sequence FROM deleted_events WHERE event_id = ?1 AND deleted_at >= ?2",
        )?
        .query_row(params![id, timestamp(now - KEPT)], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
        })
        .optional()?;
    let Some((json, interests, sequence)) = kept else { return Ok(None) };
    let Kept { event, hidden_at } = serde_json::from_str(&json).map_err(AppError::internal)?;

    put_back(transaction, &event, hidden_at.as_deref())?;
    let location = event.location.map(|at| NewLocation {
        venue_name: at.venue_name,
        venue_address: at.venue_address,
        city: at.city,
        state: at.state,
        image_url: at.image_url,
        place_id: at.place_id,
    });
    put_location(transaction, id, location.as_ref())?;
    let mut exists = transaction.prepare_cached("SELECT 1 FROM speakers WHERE id = ?1")?;
    let mut speakers = Vec::new();
    for speaker in &event.speakers {
        if exists.exists([speaker.speaker_id])? {
            speakers.push(speaker.speaker_id);
        }
    }
    put_speakers(transaction, id, &speakers)?;
    transaction
        .prepare_cached(
            "INSERT INTO user_event_interests (event_id, user_id)
             SELECT ?1, value FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING",
        )?
        .execute(params![id, interests])?;
    transaction
        .prepare_cached("UPDATE brandlive_imports SET event_id = ?1 WHERE brandlive_id = ?2 AND event_id IS NULL")?
        .execute(params![id, event.brandlive_id])?;
    // Last, because the venue's return counts as a change of its own: a calendar that has taken the cancellation only
    // follows a higher number.
    transaction.prepare_cached("UPDATE events SET sequence = ?2 WHERE id = ?1")?.execute(params![id, sequence + 1])?;
    transaction.prepare_cached("DELETE FROM deleted_events WHERE event_id = ?1")?.execute([id])?;
    find(transaction, id)
}

fn put_back(transaction: &Transaction<'_>, event: &Event, hidden_at: Option<&str>) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "INSERT INTO events (id, brandlive_id, series, title, date, time, duration, summary, description,
                 registration_url, type, calendar_links, timezone, starts_at, created_at, revision, hidden_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
        )?
        .execute(params![
            event.id,
            event.brandlive_id,
            event.series,
            event.title,
            event.date,
            event.time,
            event.duration,
            event.summary,
            event.description,
            event.registration_url,
            event.r#type,
            links_json(&event.calendar_links),
            event.timezone,
            event.starts_at,
            event.created_at,
            // An editor who began before the deletion is told, as after any other save.
            event.revision + 1,
            hidden_at,
        ])
        .map_err(|error| match unique_violation(&error) {
            Some("events.brandlive_id") => AppError::Conflict { message: BRANDLIVE_ID_TAKEN.to_owned(), field: None },
            _ => error.into(),
        })?;
    Ok(())
}

/// Forgets what was deleted more than 30 days ago.
pub fn purge(transaction: &Transaction<'_>, now: DateTime<Utc>) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM deleted_events WHERE deleted_at < ?1")?.execute([timestamp(now - KEPT)])?;
    Ok(())
}
