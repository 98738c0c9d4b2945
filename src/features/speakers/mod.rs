//! Speakers. The endpoint that deletes one is in `events`, because every event needs a speaker.

mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::response_cache::{CachedRoute, Representation};
use crate::platform::state::AppState;

pub use rules::NewSpeaker;
pub use store::{delete, find, find_all, image_urls, insert};
pub use types::Speaker;

/// The endpoints.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(handlers::list_speakers, handlers::create_speaker))
        .routes(routes!(handlers::update_speaker))
}

/// The public list.
pub fn cached_routes() -> Vec<CachedRoute> {
    vec![
        CachedRoute::new(handlers::LIST, |connection, _, _| Representation::json(&store::all(connection)?))
            .ignore_query(),
    ]
}
