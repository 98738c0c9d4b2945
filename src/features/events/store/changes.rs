//! SQL of changes of several events at once, with the former values by which they are undone.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use super::{NewLocation, replace_location, replace_speakers, series, status};
use crate::features::activity::Action;
use crate::features::events::rules::NewStatus;
use crate::features::events::types::{Event, Location, RecentChange};
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// How long a change can be undone.
const UNDO_PERIOD: TimeDelta = TimeDelta::hours(24);
/// How many changes are listed.
const LISTED: u32 = 10;

/// The columns that a change of several events writes, as they were.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Former {
    time: String,
    starts_at: String,
    registration_url: String,
    #[serde(rename = "type")]
    kind: String,
    series: Option<String>,
    status: String,
    publish_at: Option<String>,
    hidden_at: Option<String>,
    location: Option<Location>,
    /// Ids of the speakers in order.
    pub speaker_ids: Vec<i64>,
}

/// One event of a change.
#[derive(Clone, Debug)]
pub struct ChangeItem {
    /// Id of the event.
    pub event_id: i64,
    /// Its title now.
    pub title: String,
    /// Whether it is as the change has left it.
    pub is_current: bool,
    /// Its values before the change; `None` if it was created or deleted.
    pub former: Option<Former>,
}

/// A stored change.
#[derive(Clone, Debug)]
pub struct StoredChange {
    /// Created, changed or deleted.
    pub action: Action,
    /// When.
    pub at: DateTime<Utc>,
    /// Whether it was undone.
    pub is_undone: bool,
}

impl StoredChange {
    /// Whether it is too old to be undone.
    pub fn is_expired(&self, now: DateTime<Utc>) -> bool {
        self.at + UNDO_PERIOD <= now
    }
}

/// Until when a change can be undone, RFC 3339, UTC.
pub fn undo_until(at: DateTime<Utc>) -> String {
    timestamp(at + UNDO_PERIOD)
}

/// Stores a change and returns its id. Changes that can no longer be undone are deleted.
pub fn insert_change(
    transaction: &Transaction<'_>,
    who: &str,
    action: Action,
    now: DateTime<Utc>,
) -> Result<i64, AppError> {
    purge(transaction, now)?;
    Ok(transaction
        .prepare_cached("INSERT INTO event_changes (at, who, action) VALUES (?1, ?2, ?3)")?
        .insert(params![timestamp(now), who, action.as_str()])?)
}

/// Adds an event with its present revision to a change.
pub fn insert_item(
    transaction: &Transaction<'_>,
    change_id: i64,
    event_id: i64,
    former: Option<&Former>,
) -> Result<(), AppError> {
    let former = former.map(serde_json::to_string).transpose().map_err(AppError::internal)?;
    transaction
        .prepare_cached(
            "INSERT INTO event_change_items (change_id, event_id, revision, former)
             SELECT ?1, id, revision, ?3 FROM events WHERE id = ?2",
        )?
        .execute(params![change_id, event_id, former])?;
    Ok(())
}

/// Deletes the changes that can no longer be undone.
pub(super) fn purge(transaction: &Transaction<'_>, now: DateTime<Utc>) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM event_changes WHERE at <= ?1")?.execute([timestamp(now - UNDO_PERIOD)])?;
    Ok(())
}

/// The values of an event that a change can write. `event` is the event as it is stored.
pub fn former(connection: &Connection, event: &Event) -> Result<Former, AppError> {
    Ok(connection.prepare_cached("SELECT status, publish_at, hidden_at FROM events WHERE id = ?1")?.query_row(
        [event.id],
        |row| {
            Ok(Former {
                time: event.time.clone(),
                starts_at: event.starts_at.clone(),
                registration_url: event.registration_url.clone(),
                kind: event.r#type.clone(),
                series: event.series.clone(),
                status: row.get(0)?,
                publish_at: row.get(1)?,
                hidden_at: row.get(2)?,
                location: event.location.clone(),
                speaker_ids: event.speakers.iter().map(|one| one.speaker_id).collect(),
            })
        },
    )?)
}

/// Stores what differs between an event and the same event after a change.
pub fn apply(
    transaction: &Transaction<'_>,
    before: &Event,
    after: &Event,
    new_status: Option<NewStatus>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    status::update(transaction, before.id, new_status.filter(|_| before.status != after.status), now)?;
    transaction
        .prepare_cached(
            "UPDATE events SET time = ?2, starts_at = ?3, registration_url = ?4, type = ?5, series = ?6,
                 revision = revision + 1, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![before.id, after.time, after.starts_at, after.registration_url, after.r#type, after.series])?;
    if before.series != after.series {
        series::link(transaction, before.id)?;
    }
    if before.location != after.location {
        replace_location(transaction, before.id, after.location.as_ref().map(new_location).as_ref())?;
    }
    if before.speakers != after.speakers {
        let ids: Vec<i64> = after.speakers.iter().map(|one| one.speaker_id).collect();
        replace_speakers(transaction, before.id, &ids)?;
    }
    Ok(())
}

/// Stores the former values of an event again.
pub fn restore_former(transaction: &Transaction<'_>, id: i64, former: &Former) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "UPDATE events SET time = ?2, starts_at = ?3, registration_url = ?4, type = ?5, series = ?6, status = ?7,
                 publish_at = ?8, hidden_at = ?9, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![
            id,
            former.time,
            former.starts_at,
            former.registration_url,
            former.kind,
            former.series,
            former.status,
            former.publish_at,
            former.hidden_at
        ])?;
    series::link(transaction, id)?;
    replace_location(transaction, id, former.location.as_ref().map(new_location).as_ref())?;
    replace_speakers(transaction, id, &former.speaker_ids)
}

fn new_location(location: &Location) -> NewLocation {
    let Location { venue_name, venue_address, city, state, image_url, place_id } = location.clone();
    NewLocation { venue_name, venue_address, city, state, image_url, place_id }
}

/// The change with this id; `None` if it is unknown or was purged.
pub fn find_change(connection: &Connection, id: i64) -> Result<Option<StoredChange>, AppError> {
    Ok(connection
        .prepare_cached("SELECT action, at, undone_at IS NOT NULL FROM event_changes WHERE id = ?1")?
        .query_row([id], |row| {
            let (action, at): (String, String) = (row.get(0)?, row.get(1)?);
            let at = parse_timestamp(&at).unwrap_or_default();
            Ok(StoredChange { action: Action::of(&action), at, is_undone: row.get(2)? })
        })
        .optional()?)
}

/// The events of a change. One that was purged is not among them.
pub fn items(connection: &Connection, change_id: i64, action: Action) -> Result<Vec<ChangeItem>, AppError> {
    connection
        .prepare_cached(
            "SELECT i.event_id, e.title, i.revision = e.revision, e.deleted_at IS NOT NULL, i.former
             FROM event_change_items i JOIN events e ON e.id = i.event_id WHERE i.change_id = ?1 ORDER BY i.event_id",
        )?
        .query_map([change_id], |row| {
            let (is_same, is_deleted): (bool, bool) = (row.get(2)?, row.get(3)?);
            let former: Option<String> = row.get(4)?;
            let is_current = is_same && is_deleted == (action == Action::Deleted);
            Ok((ChangeItem { event_id: row.get(0)?, title: row.get(1)?, is_current, former: None }, former))
        })?
        .map(|row| {
            let (item, former) = row?;
            let former = former.map(|json| serde_json::from_str(&json)).transpose().map_err(AppError::internal)?;
            Ok(ChangeItem { former, ..item })
        })
        .collect()
}

/// Records that a change was undone.
pub fn mark_undone(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<(), AppError> {
    transaction
        .prepare_cached("UPDATE event_changes SET undone_at = ?2 WHERE id = ?1")?
        .execute(params![id, timestamp(now)])?;
    Ok(())
}

/// The latest changes that can be undone, newest first.
pub fn recent(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<RecentChange>, AppError> {
    let changes = connection
        .prepare_cached(
            "SELECT id, at, who, action FROM event_changes WHERE at > ?1 AND undone_at IS NULL
             ORDER BY at DESC, id DESC LIMIT ?2",
        )?
        .query_map(params![timestamp(now - UNDO_PERIOD), LISTED], recent_of)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut listed = Vec::with_capacity(changes.len());
    for change in changes {
        let events = items(connection, change.id, change.action)?;
        // One whose events were changed since can't be undone.
        if let Some(first) = events.first().filter(|_| events.iter().all(|item| item.is_current)) {
            listed.push(RecentChange { count: events.len(), first_title: first.title.clone(), ..change });
        }
    }
    Ok(listed)
}

fn recent_of(row: &Row<'_>) -> rusqlite::Result<RecentChange> {
    let (at, action): (String, String) = (row.get(1)?, row.get(3)?);
    let undo_until = undo_until(parse_timestamp(&at).unwrap_or_default());
    Ok(RecentChange {
        id: row.get(0)?,
        at,
        who: row.get(2)?,
        action: Action::of(&action),
        count: 0,
        first_title: String::new(),
        undo_until,
    })
}
