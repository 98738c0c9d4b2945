//! The sitemap of all indexed pages (sitemaps.org), in parts once there are many events.
//!
//! A part has the events of one range of ids, so that an event stays in its part and a new event changes the last part only.

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::rules::SitemapPart;
use super::xml::Xml;
use crate::features::events::{self, PagePath};
use crate::features::site_settings::SiteIdentity;
use crate::platform::error::AppError;
use crate::platform::response_cache::Representation;

const NAMESPACE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
/// The maximum number of URLs in a sitemap, or of sitemaps in an index (sitemaps.org).
const MAX_URLS: usize = 50_000;

/// The sitemap, or the index of its parts.
pub(super) fn sitemap(
    site: &SiteIdentity,
    connection: &Connection,
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    let last = events::last_sitemap_part(connection)?;
    if last == 0 {
        let mut pages = pages(connection, now)?;
        pages.extend(events::pages_of_sitemap_part(connection, 0, now)?.into_iter().map(Url::from));
        return urls(site, connection, &pages, now);
    }
    let parts = changed_parts(connection, last, now)?;
    let latest = parts.iter().map(|(_, changed_at)| changed_at).max();
    let pages = ("pages.xml".to_owned(), latest.cloned());
    let parts = parts.iter().map(|(part, changed_at)| (format!("events-{part}.xml"), Some(changed_at.clone())));
    let parts = std::iter::once(pages).chain(parts).take(MAX_URLS);
    let parts: Vec<Url> =
        parts.map(|(name, changed_at)| Url { path: format!("{}{name}", super::SITEMAP_PARTS), changed_at }).collect();
    document(site, connection, ("sitemapindex", "sitemap"), &parts, now)
}

/// A part of the sitemap.
///
/// # Errors
/// 404 for a part without URLs; that of the first pages always has some.
pub(super) fn part(
    site: &SiteIdentity,
    connection: &Connection,
    now: DateTime<Utc>,
    part: SitemapPart,
) -> Result<Representation, AppError> {
    let urls_of_part = match part {
        SitemapPart::Pages => pages(connection, now)?,
        SitemapPart::Events(part) => {
            events::pages_of_sitemap_part(connection, part, now)?.into_iter().map(Url::from).collect()
        }
    };
    if urls_of_part.is_empty() {
        return Err(AppError::NotFound("Page"));
    }
    urls(site, connection, &urls_of_part, now)
}

struct Url {
    path: String,
    /// RFC 3339; `None` if nothing is known.
    changed_at: Option<String>,
}

impl From<PagePath> for Url {
    fn from(page: PagePath) -> Self {
        Self { path: page.path, changed_at: Some(page.changed_at) }
    }
}

/// The home page, the calendar and the series.
fn pages(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<Url>, AppError> {
    let last = events::last_sitemap_part(connection)?;
    let latest = changed_parts(connection, last, now)?.into_iter().map(|(_, changed_at)| changed_at).max();
    let of_all = ["/", "/calendar"].map(|path| Url { path: path.to_owned(), changed_at: latest.clone() });
    let series = events::pages_of_series(connection, now)?;
    Ok(of_all.into_iter().chain(series.into_iter().map(Url::from)).take(MAX_URLS).collect())
}

/// The parts with public events, and when they last changed.
fn changed_parts(connection: &Connection, last: i64, now: DateTime<Utc>) -> Result<Vec<(i64, String)>, AppError> {
    let changed = |part| {
        let changed_at = events::sitemap_part_changed_at(connection, part, now);
        changed_at.map(|changed_at| changed_at.map(|changed_at| (part, changed_at))).transpose()
    };
    (0..=last).filter_map(changed).collect()
}

fn urls(
    site: &SiteIdentity,
    connection: &Connection,
    urls: &[Url],
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    document(site, connection, ("urlset", "url"), urls, now)
}

/// A document with the names of its root and of its entries.
fn document(
    site: &SiteIdentity,
    connection: &Connection,
    (root, entry): (&str, &str),
    urls: &[Url],
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    let mut xml = Xml::new(&format!("{root} {NAMESPACE}"));
    for Url { path, changed_at } in urls {
        xml.raw("<").raw(entry).raw(">").element("loc", &site.absolute_url(path));
        if let Some(changed_at) = changed_at {
            xml.element("lastmod", changed_at);
        }
        xml.raw("</").raw(entry).raw(">\n");
    }
    let fresh_until = events::next_publication(connection, now)?;
    let body = xml.finish(&format!("</{root}>\n"));
    Ok(Representation { fresh_until, ..Representation::new("application/xml; charset=utf-8", body) })
}
