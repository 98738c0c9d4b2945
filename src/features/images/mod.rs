//! Uploaded images, stored in the widths that the page uses.

mod decoder;
mod handlers;
mod rules;
mod store;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};

pub use decoder::{DECODER_ARGUMENT, decode_upload};
pub use handlers::{UPLOAD_PATH, serve, upload_queue};
pub use store::{StoredVariant, find_variant, purge};
pub use types::Image;

pub fn endpoints() -> Endpoints {
    Endpoints::new().route(endpoints_at_path!(handlers::create_image))
}
