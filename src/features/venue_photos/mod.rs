//! Photos of venues, looked up at the maps provider for venues of events that are public or have a preview link.

mod client;
mod handlers;
mod photos;
mod store;
mod types;

use std::sync::Arc;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};

pub use photos::VenuePhotos;

pub fn endpoints(photos: &Arc<VenuePhotos>) -> Endpoints {
    Endpoints::new()
        .route(endpoints_at_path!(handlers::get_place_photo))
        .route(endpoints_at_path!(handlers::get_place_image))
        .with_extension(Arc::clone(photos))
}
