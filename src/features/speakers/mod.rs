//! Speakers. The endpoint that deletes one is in `events`, because every event needs a speaker.

mod handlers;
mod rules;
mod store;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::response_cache::{CachedRoute, Representation};

pub use rules::{ValidatedSpeaker, check};
pub use store::{all, delete, find, find_all, image_urls, insert};
pub use types::{SaveSpeaker, Speaker};

/// The key of everything that shows many speakers, for shared caches. Migration V13 records it when one changes.
pub const CACHE_KEY: &str = "speakers";

/// The key of what shows this speaker, for shared caches.
pub fn cache_key(id: i64) -> String {
    format!("speaker-{id}")
}

pub fn endpoints() -> Endpoints {
    Endpoints::new()
        .route(endpoints_at_path!(handlers::list_speakers, handlers::create_speaker))
        .route(endpoints_at_path!(handlers::update_speaker))
}

/// The public list.
pub fn cached_routes() -> Vec<CachedRoute> {
    vec![
        CachedRoute::new(handlers::PATH, |connection, _, _| {
            Ok(Representation::json(&store::all(connection)?)?.shared([CACHE_KEY]))
        })
        .ignore_query(),
    ]
}
