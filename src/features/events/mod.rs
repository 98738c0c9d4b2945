//! Events: the aggregate of an event, its location and the references to its speakers.

mod description;
mod handlers;
pub mod presentation;
mod rules;
mod status;
mod store;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::response_cache::{CachedRoute, Representation};

pub use description::DescriptionFormat;
use handlers::changes;
pub use rules::{
    NewEvent, NewLocation, PREVIEW, StoredEvent, check, check_update, id_in_path, is_series_slug, path_of,
};
pub use status::Status;
pub use store::import::{
    ImportTarget, ImportedField, ImportedValues, NewImport, find_import_target, find_import_target_by_id,
    insert_import, set_hidden, upcoming_public_imports, update_imported_values,
};
pub use store::{
    Filter, all, all_existing, any, calendar_entries, delete, events_of_series, find, find_attendance_conditions,
    find_by_import_uid, find_preview, find_public, find_series, find_series_by_id, first_after, first_from, get_public,
    has_shown_place, has_speaker, image_urls, insert, link_series, next_publication, purge, restore, sequence,
    set_import_uid, update,
};
pub use types::{
    AttendanceConditions, CalendarEntry, CalendarLinks, Event, EventConflict, EventInput, EventSpeaker, Location,
    LocationInput, SERIES, SaveEvent, Series, SpeakerOfEvent, UpdateConflict,
};

/// The endpoints.
pub fn endpoints() -> Endpoints {
    Endpoints::new()
        .route(endpoints_at_path!(handlers::list_events, handlers::create_event))
        .route(endpoints_at_path!(handlers::list_unpublished_events))
        .route(endpoints_at_path!(handlers::create_preview_link, handlers::delete_preview_link))
        .route(endpoints_at_path!(handlers::list_deleted_events))
        .route(endpoints_at_path!(handlers::render_description))
        .route(endpoints_at_path!(handlers::update_event, handlers::delete_event))
        .route(endpoints_at_path!(changes::preview_changes))
        .route(endpoints_at_path!(changes::create_changes, changes::list_changes))
        .route(endpoints_at_path!(changes::undo_changes))
        .route(endpoints_at_path!(changes::preview_repeats))
        .route(endpoints_at_path!(changes::create_repeats))
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
