//! The people who speak at events and host them.

mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::response_cache::{CachedRoute, Representation};
use crate::platform::state::AppState;

pub use rules::NewSpeaker;
pub use store::{image_urls, insert};

/// The endpoints.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(handlers::list_speakers, handlers::create_speaker))
        .routes(routes!(handlers::update_speaker, handlers::delete_speaker))
}

/// The list that every visitor may read.
pub fn cached_routes() -> Vec<CachedRoute> {
    vec![
        CachedRoute::new(handlers::LIST, |connection, _, _| Representation::json(&store::all(connection)?))
            .ignore_query(),
    ]
}
