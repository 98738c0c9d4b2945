//! The report of a sync, as text and as JSON.

use serde::Serialize;

use super::super::client::Secrets;
use super::super::mapping::{Item, SyncFailure};
use super::super::types::PendingRemoval;
use super::merge::{SyncStep, Update};
use crate::features::events::{SyncedField, SyncedValues};

/// What a message counts, and what an admin has to look at.
const FAILED: &str = "failed";
const PENDING_REMOVALS: &str = "to be confirmed before they are hidden";

/// What a sync did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SyncReport {
    /// The counts in one line.
    pub message: String,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// New events.
    pub created: usize,
    /// Events that changed or are shown again.
    pub updated: usize,
    /// Items without a change.
    pub unchanged: usize,
    /// Events that the public no longer sees.
    pub hidden: usize,
    /// Items that could not be synced, or only without their details.
    pub failed: Vec<SyncFailure>,
    /// Events that are hidden as soon as an admin confirms it; they stay until then, because they are too many.
    pub pending_removals: Vec<PendingRemoval>,
    /// Items whose details are left to the next sync.
    pub deferred: usize,
    /// Why the list ended early; what was listed before it is synced.
    pub problem: Option<String>,
    /// Further notes for the operator.
    pub notes: Vec<String>,
    /// The changes in the order of the list.
    pub changes: Vec<ChangedEvent>,
}

/// One event that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedEvent {
    /// What happened.
    pub action: SyncAction,
    /// The provider's id.
    pub id: String,
    /// The new title.
    pub title: String,
    /// The fields that differ.
    pub fields: Vec<FieldChange>,
}

/// What happened to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SyncAction {
    /// It is new.
    Created,
    /// Fields changed.
    Updated,
    /// The public no longer sees it.
    Hidden,
    /// The public sees it again.
    Shown,
}

/// One field before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldChange {
    /// The field.
    pub field: SyncedField,
    /// The former value; blank for a new event.
    pub before: String,
    /// The new value.
    pub after: String,
}

impl SyncReport {
    /// Counts the step of one item. A step for an event outside of the list has no `item`.
    pub(super) fn add(&mut self, id: &str, step: &SyncStep, item: Option<&Item>) {
        let Some(changed) = changed_event(id, step, item) else {
            self.unchanged += usize::from(item.is_some_and(|item| item.is_current));
            return;
        };
        match changed.action {
            SyncAction::Created => self.created += 1,
            SyncAction::Updated | SyncAction::Shown => self.updated += 1,
            SyncAction::Hidden => self.hidden += 1,
        }
        self.changes.push(changed);
    }

    /// Whether everything that the provider lists is synced.
    pub fn is_clean(&self) -> bool {
        self.failed.is_empty() && self.pending_removals.is_empty() && self.problem.is_none()
    }

    /// Replaces credentials that a provider repeats.
    pub(super) fn redact(&mut self, secrets: &Secrets) {
        let failed = self.failed.iter_mut().flat_map(|failure| failure.id.iter_mut().chain([&mut failure.reason]));
        let pending = self.pending_removals.iter_mut().flat_map(|event| [&mut event.id, &mut event.title]);
        let changes = self.changes.iter_mut().flat_map(|change| {
            let fields = change.fields.iter_mut().flat_map(|field| [&mut field.before, &mut field.after]);
            fields.chain([&mut change.id, &mut change.title])
        });
        let texts = failed.chain(pending).chain(changes).chain(&mut self.problem).chain(&mut self.notes);
        for text in texts {
            *text = secrets.redact(text);
        }
    }

    /// Adds the counts of a later part.
    pub(super) fn append(&mut self, part: Self) {
        self.created += part.created;
        self.updated += part.updated;
        self.unchanged += part.unchanged;
        self.hidden += part.hidden;
        self.changes.extend(part.changes);
    }

    /// Writes the message, such as `2 created, 1 updated, 14 unchanged, 1 hidden, 1 failed`; counts from
    /// the fourth on only if they are not zero.
    pub(in super::super) fn finish(mut self) -> Self {
        self.message = format!("{} created, {} updated, {} unchanged", self.created, self.updated, self.unchanged);
        let optional = [
            (self.hidden, "hidden"),
            (self.failed.len(), FAILED),
            (self.pending_removals.len(), PENDING_REMOVALS),
            (self.deferred, "left to the next sync"),
        ];
        for (count, label) in optional {
            if count > 0 {
                self.message.extend([", ", &count.to_string(), " ", label]);
            }
        }
        self
    }
}

/// Whether the message of a sync says that an admin has to look: items failed, or removals wait.
pub fn needs_admin(message: &str) -> bool {
    [FAILED, PENDING_REMOVALS].iter().any(|label| message.split(", ").any(|part| part.ends_with(label)))
}

/// The visible change of a step; `None` if only the sync record changes.
fn changed_event(id: &str, step: &SyncStep, item: Option<&Item>) -> Option<ChangedEvent> {
    let blank = SyncedValues::default();
    let (action, before, after) = match (step, item) {
        (SyncStep::Create, Some(item)) => (SyncAction::Created, &blank, item.values.as_ref()?),
        (SyncStep::Update(update), _) => (action_of(update)?, &update.before, &update.after),
        _ => return None,
    };
    let fields = SyncedField::ALL.into_iter().filter_map(|field| {
        let (before, after) = (before.get(field), after.get(field));
        (before != after).then(|| FieldChange { field, before: before.to_owned(), after: after.to_owned() })
    });
    let title = after.get(SyncedField::Title).to_owned();
    Some(ChangedEvent { action, id: id.to_owned(), title, fields: fields.collect() })
}

fn action_of(update: &Update) -> Option<SyncAction> {
    match update.hide {
        Some(true) => Some(SyncAction::Hidden),
        Some(false) => Some(SyncAction::Shown),
        None => update.changes_fields().then_some(SyncAction::Updated),
    }
}
