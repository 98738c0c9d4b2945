//! Wire types of the sync (spec §3).

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::mapping::SyncFailure;
use crate::features::events::SyncedField;

/// What a sync is to do; the body can be left out.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SyncRequest {
    /// Hide the events that the provider cancelled or no longer lists, however many they are.
    pub accept_removals: bool,
}

/// The result of a sync.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncResult {
    /// The counts in one line for the admin.
    pub message: String,
    /// Items that could not be synced, or only without their details.
    pub failed: Vec<SyncFailure>,
    /// Events that a sync with `acceptRemovals` would hide; without it they stay, because they are too many.
    pub pending_removals: Vec<PendingRemoval>,
    /// Why the list ended early; what was listed before it is synced.
    #[schema(required)]
    pub problem: Option<String>,
    /// Further notes for the admin, a message each, without a full stop.
    pub notes: Vec<String>,
}

/// An event that is hidden (a removal never deletes one) as soon as an admin confirms it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PendingRemoval {
    /// The provider's id.
    pub id: String,
    pub title: String,
}

/// A synced event compared with its last sync.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventSync {
    /// Since when the public does not see the event, UTC, RFC 3339.
    #[schema(required)]
    pub hidden_since: Option<String>,
    /// Every field that follows the provider, in the order of the form.
    pub fields: Vec<SyncedValue>,
}

/// One field of a synced event.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncedValue {
    pub field: SyncedField,
    /// The value of the last sync, blank for none.
    pub synced: String,
    /// Whether an admin's value differs, which no sync replaces.
    pub is_local: bool,
}

/// A sync that has ended.
#[derive(Clone, Debug)]
pub struct LastSync {
    /// How many have ended since the database was created, with this one.
    pub number: i64,
    /// When it ended (UTC).
    pub ended_at: DateTime<Utc>,
    /// Its counts in one line.
    pub message: String,
}
