//! Photos of venues, looked up at the maps provider for venues of public events only.

mod client;
mod handlers;
mod photos;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use photos::Photos;

/// The endpoints. They need an `Extension` with [`Photos`].
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::get_place_photo)).routes(routes!(handlers::get_place_image))
}
