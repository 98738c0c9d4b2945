//! Who changed what, and when: written in the same transaction as the change (issue 4).
//!
//! ```ignore
//! activity::record(transaction, &Actor::named("Brandlive sync"), &Change::Changed(&before, &after))?;
//! ```

mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use rules::{Actor, Change, Fields, Subject};
pub use store::{Wanted, latest, record};
pub use types::{Action, ActivityChange, ActivityEntry, LogEntry};

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::list_event_activity))
}
