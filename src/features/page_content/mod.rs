//! The title and subtitle of the home page's hero (spec §3, `page_content`).

mod handlers;
mod rules;
mod store;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::error::AppError;
use crate::platform::response_cache::{CachedRoute, Representation};
use rusqlite::Connection;

pub use rules::ValidatedContent;
pub use store::{find, put};
pub use types::PageContent;

/// The only page with content.
pub const HOME: &str = "home";

/// The key of everything that shows the texts, for shared caches. Migration V13 records it when they change.
pub const CACHE_KEY: &str = "page-content";

/// The home page's content, by default that of the specification.
///
/// # Errors
/// The database can't be read.
pub fn hero(connection: &Connection) -> Result<PageContent, AppError> {
    Ok(store::find(connection, HOME)?.unwrap_or_else(|| PageContent::fallback(HOME)))
}

pub fn endpoints() -> Endpoints {
    Endpoints::new().route(endpoints_at_path!(handlers::get_page_content, handlers::update_page_content))
}

/// The public content.
pub fn cached_routes() -> Vec<CachedRoute> {
    let build = |connection: &Connection, _, _: &str| Ok(Representation::json(&hero(connection)?)?.shared([CACHE_KEY]));
    vec![CachedRoute::new(handlers::PATH, build).ignore_query()]
}
