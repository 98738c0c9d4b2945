//! Share images: the preview of an event, a series or the home page in link previews of chats and social networks.

mod handlers;
mod renderer;
mod rendering;
mod types;

use std::sync::Arc;

use axum::routing::get;
use axum::{Extension, Router};

use crate::platform::state::AppState;

pub use renderer::BundleFile;
pub use types::{home_path, path, series_path};

pub fn router(bundle_file: BundleFile) -> Router<AppState> {
    let renderer = Arc::new(renderer::Renderer::new(bundle_file));
    Router::new().route("/share/{name}", get(handlers::get_share_image)).layer(Extension(renderer))
}
