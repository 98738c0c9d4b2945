//! Who changed what, and when: written in the same transaction as the change (issue 4).

mod handlers;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use types::{Action, ActivityChange, ActivityEntry};

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::list_event_activity))
}
