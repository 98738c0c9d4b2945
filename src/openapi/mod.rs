//! All endpoints of the API, and the OpenAPI document, from which the web client's types are generated.

#[cfg(test)]
mod generate;

use std::sync::Arc;

use crate::features::{
    auth, brandlive, events, images, import_export, interest, page_content, server_problems, site_settings, speakers,
    venue_photos,
};
use crate::platform::endpoints::Endpoints;

#[cfg(test)]
pub(crate) use generate::{LENGTHS, REQUIRED, document};

/// The document as JSON, compressed with brotli. A test checks that it is up to date.
pub const DOCUMENT: &[u8] = include_bytes!("../openapi.json.br");

/// All API endpoints.
pub fn endpoints(search: &events::Search, photos: &Arc<venue_photos::VenuePhotos>) -> Endpoints {
    Endpoints::new()
        .merge(events::endpoints(search))
        .merge(import_export::endpoints())
        .merge(interest::endpoints())
        .merge(speakers::endpoints())
        .merge(auth::endpoints())
        .merge(page_content::endpoints())
        .merge(brandlive::endpoints())
        .merge(venue_photos::endpoints(photos))
        .merge(images::endpoints())
        .merge(server_problems::endpoints())
        .merge(site_settings::endpoints())
}
