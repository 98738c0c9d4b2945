//! Events: the aggregate of an event, its location and the references to its speakers.

mod handlers;
pub mod presentation;
mod rules;
mod status;
mod store;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::response_cache::{CachedRoute, Representation};

pub use rules::{NewEvent, NewLocation, PREVIEW, check, id_in_path, path_of};
pub use status::Status;
pub use store::import::{
    ImportTarget, ImportedField, ImportedValues, NewImport, find_import_target, find_import_target_by_id,
    insert_import, set_hidden, upcoming_public_imports, update_imported_values,
};
pub use store::{
    Filter, all, any, calendar_entries, find, find_preview, find_public, first_after, first_from, get_public,
    has_shown_place, image_urls, insert, next_publication, public_occasion, purge, restore, sequence,
};
pub use types::{
    CalendarEntry, CalendarLinks, Event, EventConflict, EventInput, EventSpeaker, Location, LocationInput, Occasion,
    SaveEvent, SpeakerOfEvent, UpdateConflict,
};

/// The endpoints.
pub fn endpoints() -> Endpoints {
    Endpoints::new()
        .route(endpoints_at_path!(handlers::list_events, handlers::create_event))
        .route(endpoints_at_path!(handlers::list_unpublished_events))
        .route(endpoints_at_path!(handlers::create_preview_link, handlers::delete_preview_link))
        .route(endpoints_at_path!(handlers::list_deleted_events))
        .route(endpoints_at_path!(handlers::update_event, handlers::delete_event))
        .route(endpoints_at_path!(handlers::restore_event))
        .route(endpoints_at_path!(handlers::list_event_activity))
        .route(endpoints_at_path!(handlers::delete_speaker))
}

/// The public list.
pub fn cached_routes() -> Vec<CachedRoute> {
    vec![CachedRoute::new(handlers::LIST, |connection, now, _| {
        let fresh_until = store::next_publication(connection, now)?;
        let list = Representation::json(&store::all(connection, now, &Filter::default())?)?;
        Ok(Representation { fresh_until, ..list })
    })]
}
