//! Calendar subscriptions, the feed of new events, and the files for search engines and embedding sites.

mod atom;
mod calendar;
mod files;
mod handlers;
mod ical;
mod rules;
mod sitemap;
mod types;
mod xml;

use axum::Router;
use axum::routing::get;
use chrono::{DateTime, Utc};
use rusqlite::Connection;

use crate::features::events::Event;
use crate::features::site_settings::{self, ConfiguredSettings, SiteIdentity, SiteIdentityReader};
use crate::platform::error::AppError;
use crate::platform::response_cache::{CachedRoute, NO_SURROGATE_KEYS, Representation};
use crate::platform::state::AppState;

pub use types::{calendar_of_series, feed_of_series};

/// The calendar as iCalendar.
pub const CALENDAR_PATH: &str = "/calendar.ics";
/// The Atom feed of new events.
pub const FEED_PATH: &str = "/feed.xml";
/// The web app manifest.
pub const MANIFEST_PATH: &str = "/site.webmanifest";
const SITEMAP_PATH: &str = "/sitemap.xml";
/// The path prefix of the parts of the sitemap.
pub const SITEMAP_PARTS: &str = "/sitemap-";
const ROBOTS_PATH: &str = "/robots.txt";
const EMBED_SCRIPT_PATH: &str = "/embed.js";

/// The cached paths whose query string is ignored.
pub const PATHS: [&str; 5] = [FEED_PATH, SITEMAP_PATH, ROBOTS_PATH, MANIFEST_PATH, EMBED_SCRIPT_PATH];

/// The calendar, whose query string a handler validates.
pub fn router() -> Router<AppState> {
    Router::new().route(CALENDAR_PATH, get(handlers::get_calendar))
}

/// The cached routes: the calendar with each query string, feed, sitemap and the fixed files. `past_days` limits calendar
/// and feed.
pub fn cached_routes(settings: &ConfiguredSettings, base_url: &str, past_days: u32) -> Vec<CachedRoute> {
    let site = SiteIdentityReader::new(settings.clone(), base_url);
    let route = |path, build: fn(&SiteIdentity, &Connection, DateTime<Utc>) -> Result<Representation, AppError>| {
        let site = site.clone();
        CachedRoute::new(path, move |connection, now, _| build(&site.read(connection)?, connection, now)).ignore_query()
    };
    let calendar = {
        let site = site.clone();
        CachedRoute::new(CALENDAR_PATH, move |connection, now, query| {
            let options = rules::CalendarOptions::parse(query.trim_start_matches('?'))?;
            let calendar = calendar::calendar(&site.read(connection)?, connection, now, &options, past_days)?;
            Ok(calendar.shared(rules::surrogate_keys()))
        })
    };
    let feed = {
        let site = site.clone();
        CachedRoute::new(FEED_PATH, move |connection, now, query| {
            Ok(atom::feed(&site.read(connection)?, connection, now, query, past_days)?.shared(rules::surrogate_keys()))
        })
    };
    let sitemap_part = {
        let site = site.clone();
        CachedRoute::new(SITEMAP_PARTS, move |connection, now, name| {
            let part = rules::sitemap_part(name).ok_or(AppError::NotFound("Page"))?;
            Ok(sitemap::part(&site.read(connection)?, connection, now, part)?.shared(rules::surrogate_keys()))
        })
    };
    vec![
        calendar.query_in_key(),
        feed.canonical_query(rules::feed_query),
        route(SITEMAP_PATH, |site, connection, now| {
            Ok(sitemap::sitemap(site, connection, now)?.shared(rules::surrogate_keys()))
        }),
        sitemap_part.with_subpaths().ignore_query(),
        route(ROBOTS_PATH, |site, _, _| Ok(files::robots(site).shared(NO_SURROGATE_KEYS))),
        route(MANIFEST_PATH, |site, _, _| Ok(files::manifest(site)?.shared([site_settings::CACHE_KEY]))),
        route(EMBED_SCRIPT_PATH, |_, _, _| Ok(files::embed_script().shared(NO_SURROGATE_KEYS))),
    ]
}

/// An iCalendar file of events of any status. Those without a start are left out.
///
/// # Errors
/// The database can't be read.
pub fn events_file(
    site: &SiteIdentity,
    connection: &Connection,
    events: &[Event],
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    calendar::events_file(site, connection, events, now)
}

/// The iCalendar file of one event.
///
/// # Errors
/// The database can't be read.
pub fn event_file(
    site: &SiteIdentity,
    connection: &Connection,
    event: &Event,
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    calendar::event_file(site, connection, event, now)
}
