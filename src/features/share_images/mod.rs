//! The picture of an event that a chat or a search result shows beside a link to it.

mod cache;
mod draw;
mod handlers;
mod types;

use std::sync::Arc;

use axum::routing::get;
use axum::{Extension, Router};

use crate::platform::state::AppState;

pub use cache::{Files, Studio};
pub use types::address;

/// The address of the pictures; `files` answers for the page's own files.
pub fn router(files: Files) -> Router<AppState> {
    Router::new().route("/share/{name}", get(handlers::get_share_image)).layer(Extension(Arc::new(Studio::new(files))))
}
