//! The sync from the event provider: the same for the call and for the command line.

mod client;
mod handlers;
mod mapping;
mod store;
mod sync;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use client::{Key, Probe, probe};
pub use handlers::{LONGEST, PATH};
pub use mapping::Failure;
pub use sync::{Action, Changed, Difference, Progress, Report, SyncError, Tell, run};
pub use types::ImportedField;

/// What is said where no key is configured.
pub const NOT_CONFIGURED: &str = "Brandlive is not configured";

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::sync_brandlive)).routes(routes!(handlers::get_import))
}
