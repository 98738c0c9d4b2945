//! SQL of bulk edits, with the previous values by which they are undone.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use super::{ValidatedVenue, links_json, replace_speakers, replace_venue, series, status};
use crate::features::activity::ActivityAction;
use crate::features::events::description::DescriptionFormat;
use crate::features::events::rules::ValidatedStatus;
use crate::features::events::types::{CalendarLinks, Event, RecentBulkEdit, Venue};
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;
use crate::platform::text::natural_sort_key;

/// How long a bulk edit can be undone.
const UNDO_PERIOD: TimeDelta = TimeDelta::hours(24);
/// How many bulk edits are listed.
const LISTED: u32 = 10;

/// The columns that a bulk edit writes, as they were.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviousValues {
    time: String,
    starts_at: String,
    registration_url: String,
    #[serde(rename = "type")]
    kind: String,
    series: Option<String>,
    status: String,
    publish_at: Option<String>,
    hidden_at: Option<String>,
    location: Option<Venue>,
    /// Ids of the speakers in order.
    pub speaker_ids: Vec<i64>,
    /// What only the import of a file writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    imported: Option<ImportedValues>,
}

/// The columns that the import of a file writes besides those of a bulk edit, as they were.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ImportedValues {
    title: String,
    date: String,
    duration: String,
    timezone: String,
    summary: Option<String>,
    description: String,
    description_format: DescriptionFormat,
    brandlive_id: Option<String>,
    calendar_links: CalendarLinks,
    recording_url: Option<String>,
}

impl PreviousValues {
    /// The same with everything that the import of a file can write.
    pub fn with_imported(self, event: &Event) -> Self {
        let event = event.clone();
        let imported = ImportedValues {
            title: event.title,
            date: event.date,
            duration: event.duration,
            timezone: event.timezone,
            summary: event.summary,
            description: event.description,
            description_format: event.description_format,
            brandlive_id: event.brandlive_id,
            calendar_links: event.calendar_links,
            recording_url: event.recording_url,
        };
        Self { imported: Some(imported), ..self }
    }
}

/// One event of a bulk edit.
#[derive(Clone, Debug)]
pub struct BulkEditItem {
    pub event_id: i64,
    /// Its title now.
    pub title: String,
    /// Whether it is as the bulk edit has left it.
    pub is_current: bool,
    /// Its values before the bulk edit; `None` if it was created or deleted.
    pub previous: Option<PreviousValues>,
}

#[derive(Clone, Debug)]
pub struct StoredBulkEdit {
    /// Created, changed or deleted.
    pub action: ActivityAction,
    pub at: DateTime<Utc>,
    pub is_undone: bool,
}

impl StoredBulkEdit {
    /// Whether it is too old to be undone.
    pub fn is_expired(&self, now: DateTime<Utc>) -> bool {
        self.at + UNDO_PERIOD <= now
    }
}

/// Until when a bulk edit can be undone, RFC 3339, UTC.
pub fn undo_until(at: DateTime<Utc>) -> String {
    timestamp(at + UNDO_PERIOD)
}

/// Stores a bulk edit and returns its id. Bulk edits that can no longer be undone are deleted.
pub fn insert_bulk_edit(
    transaction: &Transaction<'_>,
    who: &str,
    action: ActivityAction,
    now: DateTime<Utc>,
) -> Result<i64, AppError> {
    purge(transaction, now)?;
    Ok(transaction.prepare_cached("INSERT INTO bulk_edits (at, who, action) VALUES (?1, ?2, ?3)")?.insert(params![
        timestamp(now),
        who,
        action.as_str()
    ])?)
}

/// Adds an event with its present revision to a bulk edit.
pub fn insert_item(
    transaction: &Transaction<'_>,
    bulk_edit_id: i64,
    event_id: i64,
    previous: Option<&PreviousValues>,
) -> Result<(), AppError> {
    let previous = previous.map(serde_json::to_string).transpose().map_err(AppError::internal)?;
    transaction
        .prepare_cached(
            "INSERT INTO bulk_edit_items (bulk_edit_id, event_id, revision, previous)
             SELECT ?1, id, revision, ?3 FROM events WHERE id = ?2",
        )?
        .execute(params![bulk_edit_id, event_id, previous])?;
    Ok(())
}

/// Deletes the bulk edits that can no longer be undone.
pub(super) fn purge(transaction: &Transaction<'_>, now: DateTime<Utc>) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM bulk_edits WHERE at <= ?1")?.execute([timestamp(now - UNDO_PERIOD)])?;
    Ok(())
}

/// The values of an event that a bulk edit can write. `event` is the event as it is stored.
pub fn previous_values(connection: &Connection, event: &Event) -> Result<PreviousValues, AppError> {
    Ok(connection.prepare_cached("SELECT status, publish_at, hidden_at FROM events WHERE id = ?1")?.query_row(
        [event.id],
        |row| {
            Ok(PreviousValues {
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
                imported: None,
            })
        },
    )?)
}

/// Stores what differs between an event and the same event after a bulk edit.
pub fn apply(
    transaction: &Transaction<'_>,
    before: &Event,
    after: &Event,
    new_status: Option<ValidatedStatus>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let has_other_status = before.status != after.status || before.publish_at != after.publish_at;
    status::update(transaction, before.id, new_status.filter(|_| has_other_status), now)?;
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
        replace_venue(transaction, before.id, after.location.as_ref().map(validated_venue).as_ref())?;
    }
    if before.speakers != after.speakers {
        let ids: Vec<i64> = after.speakers.iter().map(|one| one.speaker_id).collect();
        replace_speakers(transaction, before.id, &ids)?;
    }
    Ok(())
}

/// Stores the previous values of an event again.
pub fn restore_previous(transaction: &Transaction<'_>, id: i64, previous: &PreviousValues) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "UPDATE events SET time = ?2, starts_at = ?3, registration_url = ?4, type = ?5, series = ?6, status = ?7,
                 publish_at = ?8, hidden_at = ?9, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![
            id,
            previous.time,
            previous.starts_at,
            previous.registration_url,
            previous.kind,
            previous.series,
            previous.status,
            previous.publish_at,
            previous.hidden_at
        ])?;
    if let Some(imported) = &previous.imported {
        restore_imported(transaction, id, imported)?;
    }
    series::link(transaction, id)?;
    replace_venue(transaction, id, previous.location.as_ref().map(validated_venue).as_ref())?;
    replace_speakers(transaction, id, &previous.speaker_ids)
}

fn restore_imported(transaction: &Transaction<'_>, id: i64, previous: &ImportedValues) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "UPDATE events SET title = ?2, date = ?3, duration = ?4, timezone = ?5, summary = ?6, description = ?7,
                 description_format = ?8, description_html = ?9, calendar_links = ?10, recording_url = ?11, title_key = ?12
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![
            id,
            previous.title,
            previous.date,
            previous.duration,
            previous.timezone,
            previous.summary,
            previous.description,
            previous.description_format,
            previous.description_format.html(&previous.description),
            links_json(&previous.calendar_links),
            previous.recording_url,
            natural_sort_key(&previous.title),
        ])?;
    // Another event may have this id by now, which then stays with that event.
    transaction
        .prepare_cached(
            "UPDATE events SET brandlive_id = ?2
             WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM events o WHERE o.brandlive_id = ?2 AND o.id <> ?1)",
        )?
        .execute(params![id, previous.brandlive_id])?;
    Ok(())
}

fn validated_venue(location: &Venue) -> ValidatedVenue {
    let Venue { venue_name, venue_address, city, state, image_url, place_id } = location.clone();
    ValidatedVenue { venue_name, venue_address, city, state, image_url, place_id }
}

/// The bulk edit with this id; `None` if it is unknown or was purged.
pub fn find_bulk_edit(connection: &Connection, id: i64) -> Result<Option<StoredBulkEdit>, AppError> {
    Ok(connection
        .prepare_cached("SELECT action, at, undone_at IS NOT NULL FROM bulk_edits WHERE id = ?1")?
        .query_row([id], |row| {
            let (action, at): (String, String) = (row.get(0)?, row.get(1)?);
            let at = parse_timestamp(&at).unwrap_or_default();
            Ok(StoredBulkEdit { action: ActivityAction::parse(&action), at, is_undone: row.get(2)? })
        })
        .optional()?)
}

/// The events of a bulk edit. One that was purged is not among them.
pub fn items(
    connection: &Connection,
    bulk_edit_id: i64,
    action: ActivityAction,
) -> Result<Vec<BulkEditItem>, AppError> {
    connection
        .prepare_cached(
            "SELECT i.event_id, e.title, i.revision = e.revision, e.deleted_at IS NOT NULL, i.previous
             FROM bulk_edit_items i JOIN events e ON e.id = i.event_id WHERE i.bulk_edit_id = ?1 ORDER BY i.event_id",
        )?
        .query_map([bulk_edit_id], |row| {
            let (is_same, is_deleted): (bool, bool) = (row.get(2)?, row.get(3)?);
            let previous: Option<String> = row.get(4)?;
            let is_current = is_same && is_deleted == (action == ActivityAction::Deleted);
            Ok((BulkEditItem { event_id: row.get(0)?, title: row.get(1)?, is_current, previous: None }, previous))
        })?
        .map(|row| {
            let (item, previous) = row?;
            let previous = previous.map(|json| serde_json::from_str(&json)).transpose().map_err(AppError::internal)?;
            Ok(BulkEditItem { previous, ..item })
        })
        .collect()
}

/// Records that a bulk edit was undone.
pub fn mark_undone(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<(), AppError> {
    transaction
        .prepare_cached("UPDATE bulk_edits SET undone_at = ?2 WHERE id = ?1")?
        .execute(params![id, timestamp(now)])?;
    Ok(())
}

/// The latest bulk edits that can be undone, newest first.
pub fn recent(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<RecentBulkEdit>, AppError> {
    let bulk_edits = connection
        .prepare_cached(
            "SELECT id, at, who, action FROM bulk_edits WHERE at > ?1 AND undone_at IS NULL
             ORDER BY at DESC, id DESC LIMIT ?2",
        )?
        .query_map(params![timestamp(now - UNDO_PERIOD), LISTED], recent_of)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut listed = Vec::with_capacity(bulk_edits.len());
    for bulk_edit in bulk_edits {
        let events = items(connection, bulk_edit.id, bulk_edit.action)?;
        // One whose events were changed since can't be undone.
        if let Some(first) = events.first().filter(|_| events.iter().all(|item| item.is_current)) {
            listed.push(RecentBulkEdit { count: events.len(), first_title: first.title.clone(), ..bulk_edit });
        }
    }
    Ok(listed)
}

fn recent_of(row: &Row<'_>) -> rusqlite::Result<RecentBulkEdit> {
    let (at, action): (String, String) = (row.get(1)?, row.get(3)?);
    let undo_until = undo_until(parse_timestamp(&at).unwrap_or_default());
    Ok(RecentBulkEdit {
        id: row.get(0)?,
        at,
        who: row.get(2)?,
        action: ActivityAction::parse(&action),
        count: 0,
        first_title: String::new(),
        undo_until,
    })
}
