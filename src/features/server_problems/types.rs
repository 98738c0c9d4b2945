//! Wire types of the problems of the server.

use serde::Serialize;
use utoipa::ToSchema;

/// The problems with which `/healthz` is `degraded`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ServerProblems {
    /// One message each, without a full stop.
    pub problems: Vec<String>,
}
