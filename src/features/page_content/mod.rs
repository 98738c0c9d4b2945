//! The title and subtitle of the home page's hero (spec §3, `page_content`).

mod handlers;
mod rules;
mod store;
mod types;

use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::error::AppError;
use crate::platform::response_cache::{CachedRoute, Representation};
use crate::platform::state::AppState;

pub use rules::NewContent;
pub use store::{find, put};
pub use types::PageContent;

/// The only page with content.
pub const HOME: &str = "home";

/// The home page's content, by default that of the specification.
///
/// # Errors
/// The database can't be read.
pub fn hero(connection: &Connection) -> Result<PageContent, AppError> {
    Ok(store::find(connection, HOME)?.unwrap_or_else(|| PageContent::fallback(HOME)))
}

/// The endpoints.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::get_page_content, handlers::update_page_content))
}

/// The public content.
pub fn cached_routes() -> Vec<CachedRoute> {
    let build = |connection: &Connection, _, _: &str| Representation::json(&hero(connection)?);
    vec![CachedRoute::new(handlers::PATH, build).ignore_query()]
}
