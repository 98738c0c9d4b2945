//! What is to become of one item: the comparison of what was imported last, what is stored, and what
//! the provider says now (issue 5). No I/O.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use super::super::mapping::{Item, State, Values};
use super::super::store::{Known, Stored};
use super::super::types::ImportedField;
use crate::platform::zone;

/// The mark of an event that the sync hid because it was listed no more.
pub(super) const GONE: i64 = 2;
/// The mark of an event that the sync hid because it was cancelled.
pub(super) const CANCELLED: i64 = 3;

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Nothing at all.
    Nothing,
    /// A new event.
    Create,
    /// Something of an event that is there.
    Change(Change),
}

/// What changes of an event that is there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    pub(super) event_id: i64,
    /// What is stored, and what shall be stored; alike where no field changes.
    pub(super) before: Values,
    pub(super) after: Values,
    /// Whether it shall be hidden (`true`) or shown again (`false`).
    pub(super) hide: Option<bool>,
    /// What is to be remembered of the import.
    pub(super) snapshot: Values,
    /// See [`super::super::store::Import`].
    pub(super) missed: i64,
}

impl Change {
    /// Whether the event itself changes, and not only what is remembered of it.
    pub(super) fn touches_fields(&self) -> bool {
        self.before != self.after
    }
}

/// What is to become of an item that is listed.
pub(super) fn of_listed(item: &Item, known: &Known, now: &str) -> Step {
    match (item.state, &known.import, &known.event) {
        (_, _, Some(event)) if event.is_deleted => Step::Nothing,
        (State::Live, None, None) => Step::Create,
        (State::Live, None, Some(event)) => {
            // An editor wrote this event and gave it the id: all of it is the editor's.
            let (before, after) = (event.values.clone(), event.values.clone());
            let snapshot = item.values.clone();
            Step::Change(Change { event_id: event.id, before, after, hide: None, snapshot, missed: 0 })
        }
        (State::Live, Some(import), Some(event)) if is_linked(event, &item.id) => {
            let after = merged(&import.snapshot, &event.values, &item.values);
            let show = event.hidden_at.is_some() && import.missed >= GONE;
            let same = after == event.values && import.snapshot == item.values;
            if same && import.missed == 0 && import.event_id == Some(event.id) {
                return Step::Nothing;
            }
            Step::Change(Change {
                event_id: event.id,
                before: event.values.clone(),
                after,
                hide: show.then_some(false),
                snapshot: item.values.clone(),
                missed: 0,
            })
        }
        (State::Cancelled, Some(import), Some(event))
            if is_linked(event, &item.id) && import.missed < GONE && lies_ahead(event, now) =>
        {
            Step::Change(hidden(known, event, CANCELLED))
        }
        // Deleted here, given another id by an editor, or nothing to do with the public.
        _ => Step::Nothing,
    }
}

/// What is to become of an event that a complete listing does not hold.
pub(super) fn of_gone(id: &str, known: &Known, now: &str) -> Step {
    match (&known.import, &known.event) {
        (_, Some(event)) if event.is_deleted => Step::Nothing,
        (Some(import), Some(event)) if is_linked(event, id) && import.missed < GONE && lies_ahead(event, now) => {
            let mut change = hidden(known, event, import.missed + 1);
            if change.missed < GONE {
                change.hide = None;
            }
            Step::Change(change)
        }
        _ => Step::Nothing,
    }
}

fn hidden(known: &Known, event: &Stored, missed: i64) -> Change {
    let snapshot = known.import.as_ref().map(|import| import.snapshot.clone()).unwrap_or_default();
    let (before, after) = (event.values.clone(), event.values.clone());
    let hide = event.hidden_at.is_none().then_some(true);
    Change { event_id: event.id, before, after, hide, snapshot, missed }
}

fn is_linked(event: &Stored, id: &str) -> bool {
    event.brandlive_id.as_deref() == Some(id)
}

fn lies_ahead(event: &Stored, now: &str) -> bool {
    event.starts_at.as_str() > now
}

/// Field by field: what an editor changed stays, the rest follows the provider.
pub(super) fn merged(base: &Values, stored: &Values, incoming: &Values) -> Values {
    let is_local = |field| base.get(field) != stored.get(field);
    let mut after = stored.clone();
    for field in ImportedField::ALL {
        // An editor's time means the zone that it was typed in: another zone would move it by hours.
        let stays = is_local(field) || (field == ImportedField::Timezone && is_local(ImportedField::Time));
        if !stays {
            after.set(field, incoming.get(field));
        }
    }
    after
}

/// The instant of start of these values; `None` where they say none.
pub(super) fn starts_at(values: &Values) -> Option<DateTime<Utc>> {
    let date = NaiveDate::parse_from_str(values.get(ImportedField::Date), "%Y-%m-%d").ok()?;
    let time = NaiveTime::parse_from_str(values.get(ImportedField::Time), "%H:%M").ok()?;
    Some(zone::instant_of(zone::find(values.get(ImportedField::Timezone))?, date.and_time(time)))
}
