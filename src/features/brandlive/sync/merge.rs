//! The three-way merge of one item: last sync, stored event, provider. No I/O.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use super::super::mapping::{Item, ItemStatus};
use super::super::store::{ListingStatus, StoredState, SyncRecord};
use crate::features::events::{EventStatus, SyncedEvent, SyncedField, SyncedValues};
use crate::platform::zone;

/// What the sync does with one item.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SyncStep {
    /// Nothing.
    Skip,
    /// Create an event.
    Create,
    /// Update the event or its sync record.
    Update(Update),
}

impl SyncStep {
    /// Whether the step hides the event.
    pub(super) fn hides(&self) -> bool {
        matches!(self, Self::Update(update) if update.hides())
    }
}

/// An update of a stored event and its sync record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Update {
    /// The database's id of the event.
    pub(super) event_id: i64,
    /// The stored values; equal to `after` if no field changes.
    pub(super) before: SyncedValues,
    /// The values after the update.
    pub(super) after: SyncedValues,
    /// Whether to hide the event (`true`) or to show it again (`false`).
    pub(super) hide: Option<bool>,
    /// The new base of the sync record.
    pub(super) base: SyncedValues,
    /// The new status of the sync record.
    pub(super) status: ListingStatus,
    /// The new update time of the details.
    pub(super) details_updated_at: Option<String>,
}

impl Update {
    /// Whether the update hides the event.
    pub(super) fn hides(&self) -> bool {
        self.hide == Some(true)
    }

    /// Whether the event's fields change, not only its sync record.
    pub(super) fn changes_fields(&self) -> bool {
        self.before != self.after
    }
}

/// The step for an item of the list.
pub(super) fn step_for_listed(item: &Item, stored: &StoredState, now: &str) -> SyncStep {
    if stored.event.as_ref().is_some_and(|event| event.is_deleted) {
        return SyncStep::Skip;
    }
    let Some(values) = incoming(item, stored.record.as_ref()) else { return SyncStep::Skip };
    match (item.status, &stored.record, &stored.event) {
        (ItemStatus::Live, None, None) => SyncStep::Create,
        (ItemStatus::Unknown, Some(record), _) if record.status == ListingStatus::Cancelled => SyncStep::Skip,
        (ItemStatus::Live, None, Some(event)) => {
            // An admin wrote this event and gave it the id: all its values are the admin's.
            let (before, after) = (event.values.clone(), event.values.clone());
            let (base, status, details_updated_at) =
                (values.into_owned(), ListingStatus::Listed, item.details_updated_at.clone());
            SyncStep::Update(Update { event_id: event.id, before, after, hide: None, base, status, details_updated_at })
        }
        (ItemStatus::Live | ItemStatus::Unknown, Some(record), Some(event)) if is_linked(event, &item.id) => {
            let after = merge_fields(&record.base, &event.values, &values);
            let is_new_update_time =
                item.details_updated_at.is_some() && item.details_updated_at != record.details_updated_at;
            let is_same = after == event.values && record.base == *values && !is_new_update_time;
            if is_same && record.status == ListingStatus::Listed && record.event_id == Some(event.id) {
                return SyncStep::Skip;
            }
            let show = event.status == EventStatus::Hidden && record.status.is_hidden();
            SyncStep::Update(Update {
                event_id: event.id,
                before: event.values.clone(),
                after,
                hide: show.then_some(false),
                base: values.into_owned(),
                status: ListingStatus::Listed,
                details_updated_at: item.details_updated_at.clone(),
            })
        }
        (ItemStatus::Cancelled, Some(record), Some(event))
            if is_linked(event, &item.id)
                && !record.status.is_hidden()
                && is_upcoming(event, now)
                && !has_own_status(record, event) =>
        {
            SyncStep::Update(with_status(stored, event, ListingStatus::Cancelled))
        }
        // Purged, given another id by an admin, or not public.
        _ => SyncStep::Skip,
    }
}

/// The provider's values: those of the item, and the last synced ones for what it lacks.
fn incoming<'v>(item: &'v Item, record: Option<&'v SyncRecord>) -> Option<Cow<'v, SyncedValues>> {
    match (&item.values, record) {
        (Some(values), Some(record)) if !item.lacking.is_empty() => {
            let mut values = values.clone();
            for field in &item.lacking {
                values.set(*field, record.base.get(*field));
            }
            Some(Cow::Owned(values))
        }
        (Some(values), _) => Some(Cow::Borrowed(values)),
        (None, record) => record.map(|record| Cow::Borrowed(&record.base)),
    }
}

/// The step for a synced event that a complete list does not contain. An accepted removal is not repeated by a
/// second list.
pub(super) fn step_for_missing(id: &str, stored: &StoredState, now: &str, is_accepted: bool) -> SyncStep {
    match (&stored.record, &stored.event) {
        (Some(record), Some(event)) if !event.is_deleted && is_linked(event, id) && is_upcoming(event, now) => {
            match record.status {
                ListingStatus::Listed if !is_accepted => {
                    SyncStep::Update(with_status(stored, event, ListingStatus::Missing))
                }
                ListingStatus::Listed | ListingStatus::Missing if has_own_status(record, event) => SyncStep::Skip,
                ListingStatus::Listed | ListingStatus::Missing => {
                    SyncStep::Update(with_status(stored, event, ListingStatus::Removed))
                }
                ListingStatus::Removed | ListingStatus::Cancelled => SyncStep::Skip,
            }
        }
        _ => SyncStep::Skip,
    }
}

fn with_status(stored: &StoredState, event: &SyncedEvent, status: ListingStatus) -> Update {
    let base = stored.record.as_ref().map(|record| record.base.clone()).unwrap_or_default();
    let (before, after) = (event.values.clone(), event.values.clone());
    let hide = (status.is_hidden() && event.status == EventStatus::Published).then_some(true);
    Update { event_id: event.id, before, after, hide, base, status, details_updated_at: None }
}

/// Whether an admin chose the status, which the provider then does not change, as with any other field.
fn has_own_status(record: &SyncRecord, event: &SyncedEvent) -> bool {
    match event.status {
        EventStatus::Published => false,
        EventStatus::Hidden => !record.status.is_hidden(),
        EventStatus::Draft | EventStatus::Scheduled | EventStatus::Cancelled | EventStatus::Postponed => true,
    }
}

fn is_linked(event: &SyncedEvent, id: &str) -> bool {
    event.brandlive_id.as_deref() == Some(id)
}

fn is_upcoming(event: &SyncedEvent, now: &str) -> bool {
    event.starts_at.as_str() > now
}

/// Merges field by field: what an admin changed stays, the rest follows the provider.
pub(super) fn merge_fields(base: &SyncedValues, stored: &SyncedValues, incoming: &SyncedValues) -> SyncedValues {
    let is_local = |field| base.get(field) != stored.get(field);
    let mut after = stored.clone();
    for field in SyncedField::ALL {
        // An admin's time is meant in the stored zone: another zone would move it by hours.
        let stays = is_local(field) || (field == SyncedField::Timezone && is_local(SyncedField::Time));
        if !stays {
            after.set(field, incoming.get(field));
        }
    }
    after
}

/// The instant of start; `None` if date, time or zone is not valid.
pub(super) fn starts_at(values: &SyncedValues) -> Option<DateTime<Utc>> {
    let date = NaiveDate::parse_from_str(values.get(SyncedField::Date), "%Y-%m-%d").ok()?;
    let time = NaiveTime::parse_from_str(values.get(SyncedField::Time), "%H:%M").ok()?;
    Some(zone::instant_of(zone::find(values.get(SyncedField::Timezone))?, date.and_time(time)))
}
