//! Events: the aggregate of an event, its location and the references to its speakers.

mod bulk_edit;
mod description;
mod handlers;
pub mod presentation;
mod rules;
mod search;
mod status;
mod store;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::response_cache::CachedRoute;

pub use bulk_edit::{ImportedUpdates, undo_imported_updates};
pub use description::DescriptionFormat;
use handlers::{bulk_edit as bulk_edit_handlers, portal as portal_handlers, search as search_handlers};
pub use rules::{
    LIST_CACHE_KEYS, PREVIEW_PARAMETER, UpdateContext, ValidatedEvent, ValidatedVenue, cache_keys, check, check_update,
    event_day, id_in_path, is_series_slug, path_of, registration_url_of, series_cache_key,
};
pub use search::{MAX_SEARCH_QUERY, ResultsPage, SEARCH_PAGE_SIZE, Search, SearchResults};
pub use status::EventStatus;
pub use store::brandlive_sync::{
    NewSyncedEvent, SyncedEvent, SyncedField, SyncedValues, find_synced_event, find_synced_event_by_id, insert_synced,
    set_hidden, upcoming_public_synced, update_synced_values,
};
pub use store::{
    Filter, PageRequest, PortalFilter, all_not_deleted, all_public, any_row, calendar_entries, delete,
    events_of_series, find, find_by_import_uid, find_interest_conditions, find_many, find_preview, find_public,
    find_series, find_series_by_id, first_public_after, first_public_from, get_public, has_speaker, image_urls, insert,
    interest_conditions, interest_conditions_query, is_public_series, is_shown_venue, last_sitemap_part,
    latest_published, link_series, next_publication, pages_of_series, pages_of_sitemap_part, portal_page, purge,
    rebuild_index_if_wrong, restore, sequence, set_import_uid, sitemap_part_changed_at, update,
};
pub use types::{
    CalendarEntry, CalendarLinks, Event, EventEditConflict, EventInput, EventSort, EventSpeaker, EventStatusFilter,
    FoundEvent, FoundEvents, InterestConditions, PagePath, SERIES_PATH_PREFIX, SaveEvent, Series, SpeakerSummary,
    UpdateConflict, Venue, VenueInput,
};

pub fn endpoints(search: &Search) -> Endpoints {
    let with_search = Endpoints::new()
        .route(endpoints_at_path!(portal_handlers::list_events_for_portal))
        .route(endpoints_at_path!(portal_handlers::list_matches_for_portal))
        .with_extension(search.clone());
    Endpoints::new()
        .route(endpoints_at_path!(handlers::list_events, handlers::create_event))
        .route(endpoints_at_path!(search_handlers::search_events))
        .route(endpoints_at_path!(handlers::list_unpublished_events))
        .merge(with_search)
        .route(endpoints_at_path!(portal_handlers::list_events_by_id))
        .route(endpoints_at_path!(portal_handlers::list_overlaps))
        .route(endpoints_at_path!(portal_handlers::list_months))
        .route(endpoints_at_path!(portal_handlers::list_series_names))
        .route(endpoints_at_path!(handlers::create_preview_link, handlers::delete_preview_link))
        .route(endpoints_at_path!(handlers::list_deleted_events))
        .route(endpoints_at_path!(handlers::render_description))
        .route(endpoints_at_path!(handlers::update_event, handlers::delete_event))
        .route(endpoints_at_path!(bulk_edit_handlers::preview_bulk_edit))
        .route(endpoints_at_path!(bulk_edit_handlers::create_bulk_edit, bulk_edit_handlers::list_bulk_edits))
        .route(endpoints_at_path!(bulk_edit_handlers::undo_bulk_edit))
        .route(endpoints_at_path!(bulk_edit_handlers::preview_repeats))
        .route(endpoints_at_path!(bulk_edit_handlers::create_repeats))
        .route(endpoints_at_path!(handlers::restore_event))
        .route(endpoints_at_path!(handlers::list_event_activity))
        .route(endpoints_at_path!(handlers::delete_speaker))
}

/// The public list and the search, whose query strings handlers validate.
pub fn cached_routes(search: &Search) -> Vec<CachedRoute> {
    let search = search.clone();
    let build_search =
        move |connection: &_, now, query: &str| search_handlers::build_search(&search, connection, now, query);
    vec![
        CachedRoute::new(handlers::PATH, handlers::build_list).query_in_key(),
        CachedRoute::new(search_handlers::SEARCH, build_search).query_in_key(),
    ]
}
