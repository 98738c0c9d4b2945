//! Uploaded images, stored in the widths that the page uses.

mod decoder;
mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use decoder::{DECODER_ARGUMENT, decode_upload};
pub use handlers::{UPLOAD_PATH, serve, upload_queue};
pub use store::{StoredVariant, find_variant, purge};
pub use types::Image;

/// The endpoints.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::create_image))
}
