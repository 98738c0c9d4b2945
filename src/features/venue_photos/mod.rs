//! Photos of venues, looked up at the maps provider for venues of events that are public or have a preview link.

mod client;
mod handlers;
mod photos;
mod store;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};

pub use photos::VenuePhotos;

/// The endpoints. They need an `Extension` with [`VenuePhotos`].
pub fn endpoints() -> Endpoints {
    Endpoints::new()
        .route(endpoints_at_path!(handlers::get_place_photo))
        .route(endpoints_at_path!(handlers::get_place_image))
}
