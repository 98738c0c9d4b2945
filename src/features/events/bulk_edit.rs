//! Bulk edits: plans, stores and undoes changes of several events, and creates an event on several dates.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::rules::{self, ValidatedBulkEdit, ValidatedEvent};
use super::store::{self, bulk_edit as bulk_edits};
use super::types::{
    AppliedBulkEdit, BulkEdit, BulkEditValues, Event, EventToEdit, PlannedEdit, RepeatedEvents, UndoneBulkEdit,
};
use crate::features::activity::{self, ActivityAction, Actor, Change};
use crate::features::speakers;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;
use crate::platform::messages::limits;

const NO_EVENTS: &str = "Choose at least one event";
const TOO_MANY_EVENTS: &str = "At most 2,000 events can be changed at once";
const NOTHING_CHANGES: &str = "Nothing was saved, because all of these events are already like this";

/// A bulk edit and the events that it names.
pub(super) struct BulkEditPlan {
    bulk_edit: ValidatedBulkEdit,
    pub(super) events: Vec<PlannedEvent>,
}

/// An event, what the bulk edit does to it, and the event after it.
pub(super) struct PlannedEvent {
    pub(super) planned: PlannedEdit,
    before: Event,
    after: Event,
}

/// Plans a bulk edit on the site with this base URL. Nothing is stored.
///
/// # Errors
/// 400 for an invalid bulk edit, 409 if one of the events was changed or deleted since.
pub(super) fn plan(
    connection: &Connection,
    input: BulkEdit,
    site_url: &str,
    now: DateTime<Utc>,
) -> Result<BulkEditPlan, AppError> {
    let rejected = |message: &str| AppError::Validation(vec![("events".to_owned(), message.to_owned())]);
    if input.events.is_empty() {
        return Err(rejected(NO_EVENTS));
    }
    if input.events.len() > limits::BULK_EDIT_EVENTS {
        return Err(rejected(TOO_MANY_EVENTS));
    }
    let named = named_speakers(&input.changes);
    let speakers = speakers::find_all(connection, &named)?;
    let speakers = speakers.iter().map(|(id, speaker)| (*id, speaker.into())).collect();
    let bulk_edit = rules::check_bulk_edit(input.changes, &speakers)?;
    let ids: BTreeSet<i64> = input.events.iter().map(|event| event.id).collect();
    let events = store::find_many(connection, &ids.iter().copied().collect::<Vec<_>>(), now)?;
    if events.len() < ids.len() {
        let message = match ids.len() - events.len() {
            1 => "One of these events was deleted in the meantime. Nothing was saved: choose again.".to_owned(),
            gone => format!("{gone} of these events were deleted in the meantime. Nothing was saved: choose again."),
        };
        return Err(AppError::Conflict { message, field: Some("events") });
    }
    reject_other_revisions(&input.events, &events)?;
    let events = events
        .into_iter()
        .map(|before| {
            let (planned, after) = rules::plan(&before, &bulk_edit, site_url);
            PlannedEvent { planned, before, after }
        })
        .collect();
    Ok(BulkEditPlan { bulk_edit, events })
}

fn named_speakers(values: &BulkEditValues) -> Vec<i64> {
    let Some(speakers) = &values.speakers else { return Vec::new() };
    speakers.add.iter().copied().chain(speakers.replace.map(|both| both.to)).collect()
}

fn reject_other_revisions(requested: &[EventToEdit], events: &[Event]) -> Result<(), AppError> {
    let expected: HashMap<i64, i64> = requested.iter().filter_map(|one| Some((one.id, one.revision?))).collect();
    let is_other = |event: &&Event| expected.get(&event.id).is_some_and(|revision| *revision != event.revision);
    let titles: Vec<&str> = events.iter().filter(is_other).map(|event| event.title.as_str()).collect();
    if titles.is_empty() {
        return Ok(());
    }
    let (subject, verb) = named(&titles);
    let message =
        format!("{subject} {verb} changed by somebody else in the meantime. Nothing was saved: preview again.");
    Err(AppError::Conflict { message, field: Some("events") })
}

/// The titles of a few events in quotes, with the verb that follows.
fn named(titles: &[&str]) -> (String, &'static str) {
    const MAX_NAMED: usize = 3;
    let list = titles.iter().take(MAX_NAMED).map(|title| format!("“{title}”")).collect::<Vec<_>>().join(", ");
    match titles.len() {
        1 => (list, "was"),
        count if count > MAX_NAMED => (format!("{list} and {} more", count - MAX_NAMED), "were"),
        _ => (list, "were"),
    }
}

fn reject_errors(events: &[PlannedEvent]) -> Result<(), AppError> {
    let wrong: Vec<&PlannedEdit> =
        events.iter().map(|event| &event.planned).filter(|event| !event.errors.is_empty()).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let message = |event: &PlannedEdit| format!("“{}”: {}", event.title, event.errors.join(". "));
    Err(AppError::Validation(wrong.iter().map(|event| (format!("events.{}", event.id), message(event))).collect()))
}

/// Stores a plan.
///
/// # Errors
/// 400 with the errors of each event, or if no event would change.
pub(super) fn apply(
    transaction: &Transaction<'_>,
    plan: &BulkEditPlan,
    actor: &Actor,
    email: &str,
    now: DateTime<Utc>,
) -> Result<AppliedBulkEdit, AppError> {
    reject_errors(&plan.events)?;
    let is_deletion = plan.bulk_edit.is_deletion;
    let changed: Vec<&PlannedEvent> =
        plan.events.iter().filter(|event| is_deletion || !event.planned.changes.is_empty()).collect();
    if changed.is_empty() {
        return Err(AppError::Validation(vec![("changes".to_owned(), NOTHING_CHANGES.to_owned())]));
    }
    let action = if is_deletion { ActivityAction::Deleted } else { ActivityAction::Changed };
    let id = bulk_edits::insert_bulk_edit(transaction, email, action, now)?;
    for PlannedEvent { before, after, .. } in &changed {
        if is_deletion {
            store::delete(transaction, before.id, now)?;
            bulk_edits::insert_item(transaction, id, before.id, None)?;
            activity::record(transaction, actor, &Change::Deleted(before))?;
        } else {
            let previous = bulk_edits::previous_values(transaction, before)?;
            bulk_edits::apply(transaction, before, after, plan.bulk_edit.new_status(), now)?;
            bulk_edits::insert_item(transaction, id, before.id, Some(&previous))?;
        }
    }
    let ids: Vec<i64> = changed.iter().map(|event| event.before.id).collect();
    store::index_pending(transaction)?;
    let events = store::find_many(transaction, &ids, now)?;
    let after: HashMap<i64, &Event> = events.iter().map(|event| (event.id, event)).collect();
    for PlannedEvent { before, .. } in &changed {
        if let Some(after) = after.get(&before.id) {
            activity::record(transaction, actor, &Change::Changed(before, *after))?;
        }
    }
    Ok(AppliedBulkEdit { id, count: changed.len(), undo_until: bulk_edits::undo_until(now) })
}

/// Updates of events by the import of a file, which can be undone as one bulk edit.
pub struct ImportedUpdates {
    /// The id of the bulk edit; `None` before the first update.
    pub id: Option<i64>,
    who: String,
    now: DateTime<Utc>,
}

impl ImportedUpdates {
    /// Updates by the admin with this e-mail address.
    pub fn new(who: &str, now: DateTime<Utc>) -> Self {
        Self { id: None, who: who.to_owned(), now }
    }

    /// Updates an event, whose stored values are `before`.
    ///
    /// # Errors
    /// As [`store::update`].
    pub fn update(
        &mut self,
        transaction: &Transaction<'_>,
        before: &Event,
        new: &ValidatedEvent,
    ) -> Result<(), AppError> {
        let previous = bulk_edits::previous_values(transaction, before)?.with_imported(before);
        store::update(transaction, before.id, new, self.now)?;
        let id = match self.id {
            Some(id) => id,
            None => bulk_edits::insert_bulk_edit(transaction, &self.who, ActivityAction::Changed, self.now)?,
        };
        self.id = Some(id);
        bulk_edits::insert_item(transaction, id, before.id, Some(&previous))
    }
}

/// Undoes the updates of an import unless they were undone before; returns how many events are as they were.
///
/// # Errors
/// As `undo`.
pub fn undo_imported_updates(
    transaction: &Transaction<'_>,
    id: i64,
    actor: &Actor,
    now: DateTime<Utc>,
) -> Result<usize, AppError> {
    if bulk_edits::find_bulk_edit(transaction, id)?.is_some_and(|bulk_edit| bulk_edit.is_undone) {
        return Ok(0);
    }
    Ok(undo(transaction, id, actor, now)?.count)
}

/// Creates events that can be undone as one.
pub(super) fn create(
    transaction: &Transaction<'_>,
    new: &[ValidatedEvent],
    actor: &Actor,
    email: &str,
    now: DateTime<Utc>,
) -> Result<RepeatedEvents, AppError> {
    let id = bulk_edits::insert_bulk_edit(transaction, email, ActivityAction::Created, now)?;
    let mut ids = Vec::with_capacity(new.len());
    for event in new {
        let event_id = store::insert(transaction, event)?;
        bulk_edits::insert_item(transaction, id, event_id, None)?;
        ids.push(event_id);
    }
    let events = store::find_many(transaction, &ids, now)?;
    for event in &events {
        activity::record(transaction, actor, &Change::Created(event))?;
    }
    Ok(RepeatedEvents { id, undo_until: bulk_edits::undo_until(now), events })
}

/// Undoes a bulk edit, all or none.
///
/// # Errors
/// 404 for an unknown one; 409 if it is too old, was undone, or an event was changed or a speaker deleted since.
pub(super) fn undo(
    transaction: &Transaction<'_>,
    id: i64,
    actor: &Actor,
    now: DateTime<Utc>,
) -> Result<UndoneBulkEdit, AppError> {
    let rejected = |message: String| AppError::Conflict { message, field: None };
    let bulk_edit = bulk_edits::find_bulk_edit(transaction, id)?.ok_or(AppError::NotFound("Change"))?;
    if bulk_edit.is_undone {
        return Err(rejected("This change was undone already".to_owned()));
    }
    if bulk_edit.is_expired(now) {
        return Err(rejected("A change can be undone for 24 hours, which are over".to_owned()));
    }
    let items = bulk_edits::items(transaction, id, bulk_edit.action)?;
    let titles: Vec<&str> = items.iter().filter(|item| !item.is_current).map(|item| item.title.as_str()).collect();
    if !titles.is_empty() {
        let (subject, verb) = named(&titles);
        return Err(rejected(format!(
            "{subject} {verb} changed since then, so nothing was undone. Change the events one by one."
        )));
    }
    let speaker_ids: BTreeSet<i64> = items
        .iter()
        .filter_map(|item| item.previous.as_ref())
        .flat_map(|previous| previous.speaker_ids.clone())
        .collect();
    let speaker_ids: Vec<i64> = speaker_ids.into_iter().collect();
    if speakers::find_all(transaction, &speaker_ids)?.len() < speaker_ids.len() {
        let message =
            "A speaker of these events was deleted since then, so nothing was undone. Change the events one by one.";
        return Err(rejected(message.to_owned()));
    }

    let ids: Vec<i64> = items.iter().map(|item| item.event_id).collect();
    let before: HashMap<i64, Event> =
        store::find_many(transaction, &ids, now)?.into_iter().map(|event| (event.id, event)).collect();
    for item in &items {
        match (bulk_edit.action, &item.previous) {
            (ActivityAction::Deleted, _) => {
                store::restore(transaction, item.event_id, now)?;
            }
            (_, Some(previous)) => bulk_edits::restore_previous(transaction, item.event_id, previous)?,
            (_, None) => {
                store::delete(transaction, item.event_id, now)?;
            }
        }
    }
    store::index_pending(transaction)?;
    let events = store::find_many(transaction, &ids, now)?;
    let after: HashMap<i64, &Event> = events.iter().map(|event| (event.id, event)).collect();
    for item in &items {
        let recorded = match (before.get(&item.event_id), after.get(&item.event_id)) {
            (Some(before), Some(after)) => Change::Changed(before, *after),
            (Some(before), None) => Change::Deleted(before),
            (None, Some(after)) => Change::Restored(*after),
            (None, None) => continue,
        };
        activity::record(transaction, actor, &recorded)?;
    }
    bulk_edits::mark_undone(transaction, id, now)?;
    Ok(UndoneBulkEdit { count: items.len() })
}
