//! The people who speak at events and host them.

mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::prepared::{Draft, Recipe};
use crate::platform::state::AppState;

pub use rules::NewSpeaker;
pub use store::insert;

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(handlers::list_speakers, handlers::create_speaker))
        .routes(routes!(handlers::update_speaker, handlers::delete_speaker))
}

/// The list that every visitor may read.
pub fn recipes() -> Vec<Recipe> {
    vec![Recipe::new(handlers::LIST, |connection, _| Draft::json(&store::all(connection)?)).whatever_the_query()]
}
