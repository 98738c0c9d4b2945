//! Events, each with its location and speakers as one whole.

mod handlers;
pub mod presentation;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::response_cache::{CachedRoute, Representation};
use crate::platform::state::AppState;

pub use rules::{NewEvent, NewLocation, check, path_of};
pub use store::{Filter, all, delete, find, find_seen, first_from, insert, purge, restore, update};
pub use types::{
    CalendarLinks, Event, EventConflict, EventInput, EventSpeaker, Location, LocationInput, SaveEvent, SpeakerOfEvent,
    UpdateConflict,
};

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(handlers::list_events, handlers::create_event))
        .routes(routes!(handlers::list_hidden_events))
        .routes(routes!(handlers::update_event, handlers::delete_event))
        .routes(routes!(handlers::restore_event))
}

/// The list that every visitor reads.
pub fn cached_routes() -> Vec<CachedRoute> {
    vec![CachedRoute::new(handlers::LIST, |connection, _, _| {
        Representation::json(&store::all(connection, &Filter::default())?)
    })]
}
