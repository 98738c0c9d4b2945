//! Uploaded images, kept in the sizes that the page uses inside of the database (issue 4).

mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use handlers::{UPLOAD, serve};
pub use store::{Stored, file, sweep};
pub use types::Picture;

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::create_picture))
}
