//! Plans, stores and undoes imports of files.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::mapping::Source;
use super::rules::{self, ImportPlan, RowStep, StoredData};
use super::types::{EventFileField, ImportOptions, ImportResult, UndoImport, UndoneImport};
use crate::features::activity::{self, Actor, Change};
use crate::features::events::ImportedUpdates;
use crate::features::site_settings::SiteIdentity;
use crate::features::{events, speakers};
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// Plans an import of the rows of a file. Nothing is stored.
///
/// # Errors
/// 400 for invalid options.
pub(super) fn plan(
    connection: &Connection,
    site: &SiteIdentity,
    source: &Source,
    options: &ImportOptions,
    now: DateTime<Utc>,
) -> Result<ImportPlan, AppError> {
    rules::plan(site, source, options, &stored(connection, source, now)?)
}

/// What the import is compared with.
fn stored(connection: &Connection, source: &Source, now: DateTime<Utc>) -> Result<StoredData, AppError> {
    let mut by_import_uid = HashMap::new();
    for uid in source.rows.iter().filter_map(|row| row.values.get(&EventFileField::Uid)) {
        if let Some(id) = events::find_by_import_uid(connection, uid)? {
            by_import_uid.insert(uid.clone(), id);
        }
    }
    Ok(StoredData {
        events: events::all_not_deleted(connection, now)?,
        speakers: speakers::all(connection)?,
        by_import_uid,
    })
}

/// Stores a plan.
///
/// # Errors
/// 409 for a Brandlive id that another event has, deleted ones included.
pub(super) fn apply(
    transaction: &Transaction<'_>,
    (actor, email): (&Actor, &str),
    plan: ImportPlan,
    now: DateTime<Utc>,
) -> Result<ImportResult, AppError> {
    let ImportPlan { preview, steps, new_speakers } = plan;
    let mut result =
        ImportResult { counts: preview.counts, created: vec![], updated: vec![], speakers: vec![], bulk_edit: None };
    let mut updates = ImportedUpdates::new(email, now);
    let is_used = |id: i64| {
        steps.iter().any(|step| match step {
            RowStep::Create { event, .. } | RowStep::Update { event, .. } => event.speaker_ids.contains(&id),
            RowStep::None => false,
        })
    };
    // The ids of speakers by the negative ids in the steps.
    let mut speaker_ids = HashMap::new();
    for (placeholder, new) in (1_i64..).map(|number| -number).zip(&new_speakers) {
        if !is_used(placeholder) {
            continue;
        }
        let id = speakers::insert(transaction, new)?;
        let speaker = speakers::find(transaction, id)?.ok_or(AppError::NotFound("Speaker"))?;
        activity::record(transaction, actor, &Change::Created(&speaker))?;
        speaker_ids.insert(placeholder, id);
        result.speakers.push(id);
    }
    for (row, step) in preview.rows.iter().zip(steps) {
        // The Brandlive id of a deleted event, which the plan does not know.
        let of_row = |error| match error {
            AppError::Conflict { message, .. } => {
                AppError::Conflict { message: format!("Line {}: {message}.", row.line), field: None }
            }
            error => error,
        };
        match step {
            RowStep::Create { mut event, uid } => {
                replace_speakers(&mut event.speaker_ids, &speaker_ids);
                let id = events::insert(transaction, &event).map_err(of_row)?;
                if let Some(uid) = uid {
                    events::set_import_uid(transaction, id, &uid)?;
                }
                let created = events::find(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
                activity::record(transaction, actor, &Change::Created(&created))?;
                result.created.push(id);
            }
            RowStep::Update { id, mut event, uid } => {
                replace_speakers(&mut event.speaker_ids, &speaker_ids);
                let before = events::find(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
                updates.update(transaction, &before, &event).map_err(of_row)?;
                if let Some(uid) = uid {
                    events::set_import_uid(transaction, id, &uid)?;
                }
                let after = events::find(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
                activity::record(transaction, actor, &Change::Changed(&before, &after))?;
                result.updated.push(id);
            }
            RowStep::None => {}
        }
    }
    result.bulk_edit = updates.id;
    Ok(result)
}

fn replace_speakers(ids: &mut [i64], created: &HashMap<i64, i64>) {
    for id in ids {
        *id = created.get(id).copied().unwrap_or(*id);
    }
}

/// Undoes the updates of an import, deletes the events that it has created, and the speakers whom it has created unless
/// they have other events.
///
/// # Errors
/// 409 if an updated event was changed since, or if the time for it is over.
pub(super) fn undo(
    transaction: &Transaction<'_>,
    undo: UndoImport,
    actor: &Actor,
    now: DateTime<Utc>,
) -> Result<UndoneImport, AppError> {
    let mut undone = UndoneImport { events: 0, updates: 0, speakers: 0 };
    if let Some(id) = undo.bulk_edit {
        undone.updates = events::undo_imported_updates(transaction, id, actor, now)?;
    }
    for id in undo.created {
        if let Some(event) = events::delete(transaction, id, now)? {
            activity::record(transaction, actor, &Change::Deleted(&event))?;
            undone.events += 1;
        }
    }
    for id in undo.speakers {
        let Some(speaker) = speakers::find(transaction, id)? else { continue };
        if !events::has_speaker(transaction, id)? {
            speakers::delete(transaction, id)?;
            activity::record(transaction, actor, &Change::Deleted(&speaker))?;
            undone.speakers += 1;
        }
    }
    Ok(undone)
}
