//! What a sync did, for people and for machines.

use serde::Serialize;

use super::super::mapping::Failure;
use super::super::types::ImportedField;
use super::merge::Change;

/// What a sync did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The counts in one line.
    pub message: String,
    /// Whether nothing was written because only the difference was asked for.
    pub dry_run: bool,
    /// New events.
    pub created: usize,
    /// Events that changed or are shown again.
    pub updated: usize,
    /// Items that called for nothing.
    pub unchanged: usize,
    /// Events that the public no longer sees.
    pub hidden: usize,
    /// Items that could not be imported.
    pub failed: Vec<Failure>,
    /// What changed, in the order of the list.
    pub changes: Vec<Changed>,
}

/// One event that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// What happened.
    pub action: Action,
    /// The provider's id.
    pub id: String,
    /// What the event is called now.
    pub title: String,
    /// The fields that differ.
    pub fields: Vec<Difference>,
}

/// What happened to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
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
pub struct Difference {
    /// Which.
    pub field: ImportedField,
    /// What was stored; blank for a new event.
    pub before: String,
    /// What is stored now.
    pub after: String,
}

impl Report {
    /// Counts an event that changed.
    pub(super) fn note(&mut self, changed: Changed) {
        match changed.action {
            Action::Created => self.created += 1,
            Action::Updated | Action::Shown => self.updated += 1,
            Action::Hidden => self.hidden += 1,
        }
        self.changes.push(changed);
    }

    /// Puts the counts into words: `2 created, 1 updated, 14 unchanged, 1 hidden, 1 failed`; the last
    /// two only where there are any.
    pub(super) fn finish(mut self) -> Self {
        self.message = format!("{} created, {} updated, {} unchanged", self.created, self.updated, self.unchanged);
        for (count, word) in [(self.hidden, "hidden"), (self.failed.len(), "failed")] {
            if count > 0 {
                self.message.extend([", ", &count.to_string(), " ", word]);
            }
        }
        self
    }
}

/// What changes of an event, for the report; `None` where it is only what is remembered of it.
pub(super) fn of_change(id: &str, change: &Change) -> Option<Changed> {
    let action = match change.hide {
        Some(true) => Action::Hidden,
        Some(false) => Action::Shown,
        None if change.touches_fields() => Action::Updated,
        None => return None,
    };
    let fields = ImportedField::ALL.into_iter().filter_map(|field| {
        let (before, after) = (change.before.get(field), change.after.get(field));
        (before != after).then(|| Difference { field, before: before.to_owned(), after: after.to_owned() })
    });
    let title = change.after.get(ImportedField::Title).to_owned();
    Some(Changed { action, id: id.to_owned(), title, fields: fields.collect() })
}
