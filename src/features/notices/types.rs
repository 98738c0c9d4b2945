//! Wire types of notices.

use serde::Serialize;
use utoipa::ToSchema;

/// The problems with which `/healthz` is `degraded`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Notices {
    /// One sentence each, without a full stop.
    pub problems: Vec<String>,
}
