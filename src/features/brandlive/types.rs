//! The sync's answer (spec §3).

use serde::Serialize;
use utoipa::ToSchema;

/// What a sync did.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SyncResult {
    /// One sentence for the admin.
    pub message: String,
}
