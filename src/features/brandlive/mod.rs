//! The sync from the event provider. Until the provider is configured it refuses in one sentence.

mod handlers;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

/// What is said where no key is configured.
pub const NOT_CONFIGURED: &str = "Brandlive is not configured";

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::sync_brandlive)).routes(routes!(handlers::get_import))
}
