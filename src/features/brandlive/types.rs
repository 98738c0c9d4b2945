//! The sync's answer (spec §3), and what an imported event is compared with.

use serde::Serialize;
use utoipa::ToSchema;

/// What a sync did.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SyncResult {
    /// One sentence for the admin.
    pub message: String,
}

/// What the provider says of an event that was imported from it.
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
    /// What the provider said last; blank where it said nothing.
    pub imported: String,
    /// Whether an editor's value stands instead, which no sync replaces.
    pub is_local: bool,
}

/// The fields of an event that follow the provider, as the form names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImportedField {
    /// Title.
    Title,
    /// Day, yyyy-MM-dd.
    Date,
    /// Wall clock, HH:mm.
    Time,
    /// IANA name.
    Timezone,
    /// `X minutes`
    Duration,
    /// Summary.
    Summary,
    /// Description.
    Description,
    /// Where visitors register.
    RegistrationUrl,
}
