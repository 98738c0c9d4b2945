//! Visitors who plan to attend an in-person event (spec §4, "Interest toggle").

mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use store::add;

/// The endpoints.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::get_interest, handlers::update_interest, handlers::create_interest))
}
