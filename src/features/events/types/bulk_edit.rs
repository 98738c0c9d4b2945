//! Bulk edits of events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::present;
use crate::features::activity::{ActivityAction, ActivityChange};

/// Request body of a bulk edit, which changes several events, or of its preview.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkEdit {
    /// The events, at most 2,000.
    #[serde(default)]
    pub events: Vec<EventToEdit>,
    /// What changes.
    #[serde(default)]
    pub changes: BulkEditValues,
}

/// An event to edit.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventToEdit {
    /// Id of the event.
    pub id: i64,
    /// The revision on which the edit is based (optimistic locking). If it differs from the stored revision, nothing is
    /// saved.
    pub revision: Option<i64>,
}

/// What changes; what is missing stays as it is in each event.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkEditValues {
    /// Speakers to add, remove or replace.
    pub speakers: Option<SpeakerChanges>,
    /// Wall clock, HH:mm, in the time zone of each event.
    pub time: Option<String>,
    /// Where visitors register; in-person events have no such link and are left as they are.
    pub registration_url: Option<String>,
    /// An event type. With another type than In-Person Events, an event loses its venue.
    pub r#type: Option<String>,
    /// `draft`, `scheduled`, `published`, `hidden`, `cancelled` or `postponed`.
    pub status: Option<String>,
    /// When `scheduled` events become visible, RFC 3339; the same instant for all. Required with that status.
    pub publish_at: Option<String>,
    /// The series; null removes the events from theirs.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    #[expect(clippy::option_option, reason = "a missing key, null and a value differ")]
    pub series: Option<Option<String>>,
    /// Deletes the events; no other change is possible with it.
    #[serde(default)]
    pub delete: bool,
}

/// Changes of the speakers of events, in this order: replaced, removed, added.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpeakerChanges {
    /// Replaces one speaker by another; events without the other stay as they are.
    pub replace: Option<SpeakerReplacement>,
    /// Ids of speakers to remove.
    #[serde(default)]
    pub remove: Vec<i64>,
    /// Ids of speakers to add at the end.
    #[serde(default)]
    pub add: Vec<i64>,
}

/// Replaces one speaker by another.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct SpeakerReplacement {
    /// Id of the speaker who is replaced.
    pub from: i64,
    /// Id of the other speaker.
    pub to: i64,
}

/// What a bulk edit would do.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BulkEditPreview {
    /// The events by the instant of their start.
    pub events: Vec<PlannedEdit>,
}

/// What a bulk edit would do to one event.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedEdit {
    /// Id of the event.
    pub id: i64,
    pub title: String,
    /// Day in the event's own zone, yyyy-MM-dd.
    pub date: String,
    /// To be sent back with the bulk edit.
    pub revision: i64,
    /// Whether it would be deleted.
    pub is_deleted: bool,
    /// The fields that differ, in the order of the form; none if the event stays as it is.
    pub changes: Vec<ActivityChange>,
    /// Why the event can't be changed like this; none if it can.
    pub errors: Vec<String>,
}

/// A bulk edit that was saved.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedBulkEdit {
    /// Id of the bulk edit.
    pub id: i64,
    /// How many events were changed; those that would have stayed as they are do not count.
    pub count: usize,
    /// Until when it can be undone, UTC, RFC 3339.
    pub undo_until: String,
}

/// A bulk edit of the last 24 hours, or the creation of an event on several dates.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecentBulkEdit {
    /// Id of the bulk edit.
    pub id: i64,
    /// UTC, RFC 3339.
    pub at: String,
    /// The admin's e-mail address at that time.
    pub who: String,
    /// `created`, `changed` or `deleted`.
    pub action: ActivityAction,
    /// How many events.
    pub count: usize,
    /// The title of the first of them.
    pub first_title: String,
    /// Until when it can be undone, UTC, RFC 3339.
    pub undo_until: String,
}

/// A bulk edit that was undone.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct UndoneBulkEdit {
    /// How many events are as they were.
    pub count: usize,
}
