//! Wire types of the sync (spec §3).

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::ImportedField;

/// The result of a sync.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SyncResult {
    /// One sentence for the admin.
    pub message: String,
}

/// An imported event compared with its last import.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventImport {
    /// Since when the public does not see the event, UTC, RFC 3339.
    #[schema(required)]
    pub hidden_since: Option<String>,
    /// Every field that follows the provider, in the order of the form.
    pub fields: Vec<ImportedValue>,
}

/// One field of an imported event.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedValue {
    /// Which field.
    pub field: ImportedField,
    /// The value of the last import, blank for none.
    pub imported: String,
    /// Whether an editor's value differs, which no sync replaces.
    pub is_local: bool,
}
