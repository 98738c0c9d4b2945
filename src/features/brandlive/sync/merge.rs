//! The three-way merge of one item: last import, stored event, provider (issue 5). No I/O.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use super::super::mapping::{Item, ItemStatus};
use super::super::store::{ImportStatus, StoredState};
use crate::features::events::{ImportTarget, ImportedField, ImportedValues};
use crate::platform::zone;

/// What the sync does with one item.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Nothing.
    Skip,
    /// Create an event.
    Create,
    /// Update the event or its import record.
    Update(Update),
}

/// An update of a stored event and its import record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Update {
    pub(super) event_id: i64,
    /// The stored values; equal to `after` if no field changes.
    pub(super) before: ImportedValues,
    pub(super) after: ImportedValues,
    /// Whether to hide the event (`true`) or to show it again (`false`).
    pub(super) hide: Option<bool>,
    /// The new snapshot of the import record.
    pub(super) snapshot: ImportedValues,
    /// The new status of the import record.
    pub(super) status: ImportStatus,
}

impl Update {
    /// Whether the event's fields change, not only its import record.
    pub(super) fn changes_fields(&self) -> bool {
        self.before != self.after
    }
}

/// The step for an item of the listing.
pub(super) fn of_listed(item: &Item, stored: &StoredState, now: &str) -> Step {
    if stored.event.as_ref().is_some_and(|event| event.is_deleted) {
        return Step::Skip;
    }
    match (item.status, &stored.record, &stored.event) {
        (ItemStatus::Live, None, None) => Step::Create,
        (ItemStatus::Live, None, Some(event)) => {
            // An editor wrote this event and gave it the id: all its values are the editor's.
            let (before, after) = (event.values.clone(), event.values.clone());
            let (snapshot, status) = (item.values.clone(), ImportStatus::Listed);
            Step::Update(Update { event_id: event.id, before, after, hide: None, snapshot, status })
        }
        (ItemStatus::Live, Some(record), Some(event)) if is_linked(event, &item.id) => {
            let after = merged(&record.snapshot, &event.values, &item.values);
            let is_same = after == event.values && record.snapshot == item.values;
            if is_same && record.status == ImportStatus::Listed && record.event_id == Some(event.id) {
                return Step::Skip;
            }
            let show = event.hidden_at.is_some() && record.status.is_hidden();
            Step::Update(Update {
                event_id: event.id,
                before: event.values.clone(),
                after,
                hide: show.then_some(false),
                snapshot: item.values.clone(),
                status: ImportStatus::Listed,
            })
        }
        (ItemStatus::Cancelled, Some(record), Some(event))
            if is_linked(event, &item.id) && !record.status.is_hidden() && is_upcoming(event, now) =>
        {
            Step::Update(with_status(stored, event, ImportStatus::Cancelled))
        }
        // Purged, given another id by an editor, or not public.
        _ => Step::Skip,
    }
}

/// The step for an imported event that a complete listing does not hold.
pub(super) fn of_missing(id: &str, stored: &StoredState, now: &str) -> Step {
    match (&stored.record, &stored.event) {
        (Some(record), Some(event)) if !event.is_deleted && is_linked(event, id) && is_upcoming(event, now) => {
            match record.status {
                ImportStatus::Listed => Step::Update(with_status(stored, event, ImportStatus::Missing)),
                ImportStatus::Missing => Step::Update(with_status(stored, event, ImportStatus::Removed)),
                ImportStatus::Removed | ImportStatus::Cancelled => Step::Skip,
            }
        }
        _ => Step::Skip,
    }
}

fn with_status(stored: &StoredState, event: &ImportTarget, status: ImportStatus) -> Update {
    let snapshot = stored.record.as_ref().map(|record| record.snapshot.clone()).unwrap_or_default();
    let (before, after) = (event.values.clone(), event.values.clone());
    let hide = (status.is_hidden() && event.hidden_at.is_none()).then_some(true);
    Update { event_id: event.id, before, after, hide, snapshot, status }
}

fn is_linked(event: &ImportTarget, id: &str) -> bool {
    event.brandlive_id.as_deref() == Some(id)
}

fn is_upcoming(event: &ImportTarget, now: &str) -> bool {
    event.starts_at.as_str() > now
}

/// Merges field by field: what an editor changed stays, the rest follows the provider.
pub(super) fn merged(base: &ImportedValues, stored: &ImportedValues, incoming: &ImportedValues) -> ImportedValues {
    let is_local = |field| base.get(field) != stored.get(field);
    let mut after = stored.clone();
    for field in ImportedField::ALL {
        // An editor's time is meant in the stored zone: another zone would move it by hours.
        let stays = is_local(field) || (field == ImportedField::Timezone && is_local(ImportedField::Time));
        if !stays {
            after.set(field, incoming.get(field));
        }
    }
    after
}

/// The instant of start; `None` if date, time or zone is not valid.
pub(super) fn starts_at(values: &ImportedValues) -> Option<DateTime<Utc>> {
    let date = NaiveDate::parse_from_str(values.get(ImportedField::Date), "%Y-%m-%d").ok()?;
    let time = NaiveTime::parse_from_str(values.get(ImportedField::Time), "%H:%M").ok()?;
    Some(zone::instant_of(zone::find(values.get(ImportedField::Timezone))?, date.and_time(time)))
}
