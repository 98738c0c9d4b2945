//! What carries the calendar to where people look: subscriptions, feeds, addresses that add an
//! event to a calendar, and what search engines and other sites ask for.

mod calendar;
mod files;
mod handlers;
mod ical;
mod links;
mod rules;
mod types;
mod xml;

use axum::Router;
use axum::routing::get;
use rusqlite::Connection;

use crate::features::events::Event;
use crate::platform::error::AppError;
use crate::platform::response_cache::{CachedPrefix, CachedRoute, Representation};
use crate::platform::state::AppState;

pub use links::{AddLinks, calendar_links};
pub use types::Publisher;

/// The whole calendar, for calendar programs.
pub const CALENDAR: &str = "/calendar.ics";
/// The events that were added last.
pub const FEED: &str = "/feed.xml";
/// What an installed page is called and looks like.
pub const MANIFEST: &str = "/site.webmanifest";
const SITEMAP: &str = "/sitemap.xml";
const ROBOTS: &str = "/robots.txt";
const EMBED_SCRIPT: &str = "/embed.js";

/// The addresses whose answers are prepared and have no query.
pub const PATHS: [&str; 5] = [FEED, SITEMAP, ROBOTS, MANIFEST, EMBED_SCRIPT];

/// The addresses that a handler looks at first.
pub fn router() -> Router<AppState> {
    Router::new().route(CALENDAR, get(handlers::calendar))
}

/// Feed, sitemap and the files that browsers and crawlers ask for.
pub fn cached_routes(publisher: &Publisher) -> Vec<CachedRoute> {
    let made = |path, build: fn(&Publisher, &Connection) -> Result<Representation, AppError>| {
        let publisher = publisher.clone();
        CachedRoute::new(path, move |connection, _| build(&publisher, connection)).whatever_the_query()
    };
    vec![
        made(FEED, xml::feed),
        made(SITEMAP, xml::sitemap),
        made(ROBOTS, |publisher, _| Ok(files::robots(publisher))),
        made(MANIFEST, |publisher, _| files::manifest(publisher)),
        made(EMBED_SCRIPT, |_, _| Ok(files::embed_script())),
    ]
}

/// The calendar by type and with reminders, each on demand.
pub fn cached_prefixes(publisher: &Publisher) -> Vec<CachedPrefix> {
    let publisher = publisher.clone();
    let build = move |connection: &Connection, now, query: &str| {
        let wanted = rules::Wanted::read(query.trim_start_matches('?'))?;
        calendar::whole(&publisher, connection, now, &wanted)
    };
    vec![CachedPrefix::new(CALENDAR, build).with_the_query()]
}

/// The file that adds one event to a calendar.
///
/// # Errors
/// The database can't be read.
pub fn event_file(publisher: &Publisher, connection: &Connection, event: &Event) -> Result<Representation, AppError> {
    calendar::one(publisher, connection, event)
}
