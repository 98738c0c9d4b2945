//! The feed of new events (Atom, RFC 4287).

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::rules;
use super::xml::Xml;
use crate::features::events::{self, Event, presentation};
use crate::features::site_settings::SiteIdentity;
use crate::platform::error::AppError;
use crate::platform::response_cache::Representation;
use crate::platform::zone;

/// The maximum number of events in the feed.
const FEED_EVENTS: usize = 50;
/// The required update time of a feed without events.
const EPOCH: &str = "1970-01-01T00:00:00Z";

/// The Atom feed of the latest events that ended at most `past_days` ago, newest first; with the slug of a series in the
/// query string, of its events.
pub(super) fn feed(
    site: &SiteIdentity,
    connection: &Connection,
    now: DateTime<Utc>,
    query: &str,
    past_days: u32,
) -> Result<Representation, AppError> {
    let series = match rules::series_parameter(query) {
        Some(slug) => Some(events::find_series(connection, &slug, now)?.ok_or(rules::NO_SERIES)?),
        None => None,
    };
    let since = rules::window_start(now, past_days);
    let series_id = series.as_ref().map(|series| series.id);
    let events = events::latest_published(connection, now, since, series_id, FEED_EVENTS)?;
    let updated = events.iter().map(updated_at).max().unwrap_or(EPOCH);
    let (path, page, title) = match &series {
        Some(series) if events::is_public_series(connection, series.id, now)? => {
            (super::feed_of_series(series), series.path(), format!("{}: {}", site.name, series.name))
        }
        // The name of a series of which visitors see nothing is not public.
        Some(series) => (super::feed_of_series(series), "/".to_owned(), site.name.clone()),
        None => (super::FEED_PATH.to_owned(), "/".to_owned(), site.name.clone()),
    };
    let url = site.absolute_url(&path);
    let mut xml = Xml::new("feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\"");
    xml.element("id", &url)
        .element("title", &title)
        .element("subtitle", "New events")
        .element("updated", updated)
        .link("<link rel=\"self\" type=\"application/atom+xml\"", &url)
        .link("<link rel=\"alternate\" type=\"text/html\"", &site.absolute_url(&page))
        .raw("<author>")
        .element("name", &site.name)
        .raw("</author>\n");
    for event in &events {
        entry(&mut xml, site, event);
    }
    let publication = events::next_publication(connection, now)?;
    let fresh_until = publication.into_iter().chain([rules::next_midnight(now)]).min();
    let body = xml.finish("</feed>\n");
    Ok(Representation { fresh_until, ..Representation::new("application/atom+xml; charset=utf-8", body) })
}

/// The time of the last change; at the earliest the time of publication.
fn updated_at(event: &Event) -> &str {
    event.updated_at.as_str().max(event.first_published())
}

fn entry(xml: &mut Xml, site: &SiteIdentity, event: &Event) {
    let added = event.created_at.get(..10).unwrap_or("1970-01-01");
    xml.raw("<entry>\n")
        // A tag URI (RFC 4151), which does not change with the title.
        .element("id", &format!("tag:{},{added}:event-{}", site.host, event.id))
        .element("title type=\"text\"", &presentation::marked_title(event))
        .element("published", event.first_published())
        .element("updated", updated_at(event))
        .link("<link rel=\"alternate\" type=\"text/html\"", &site.absolute_url(&event.path))
        .raw("<category term=\"")
        .text(&presentation::type_slug(&event.r#type))
        .raw("\" label=\"")
        .text(&event.r#type)
        .raw("\"/>\n");
    for speaker in &event.speakers {
        xml.raw("<contributor>").element("name", &speaker.speaker.name).raw("</contributor>\n");
    }
    let zone = zone::find(&event.timezone).unwrap_or(zone::DEFAULT);
    let mut text = format!("{}, {}", zone::date_label(zone, event.starts()), zone::time_label(zone, event.starts()));
    if let Some(location) = &event.location {
        text.push_str(" · ");
        text.push_str(&location.line());
    }
    let summary = rules::summary_or_excerpt(event);
    if !summary.is_empty() {
        text.push_str("\n\n");
        text.push_str(&summary);
    }
    xml.element("summary type=\"text\"", &text).raw("</entry>\n");
}
