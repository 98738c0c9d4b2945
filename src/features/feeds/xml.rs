//! The feed of new events (Atom, RFC 4287) and the sitemap.

use rusqlite::Connection;

use super::rules;
use super::types::Publisher;
use crate::features::events::{self, Event, Filter};
use crate::platform::error::AppError;
use crate::platform::response_cache::Representation;
use crate::platform::zone;

/// How many events the feed holds.
const NEWEST: usize = 50;
/// The most addresses that one sitemap may hold.
const ADDRESSES: usize = 50_000;
/// What stands for a time where there is no event yet: a feed must have one.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// XML, written element by element.
struct Xml(String);

impl Xml {
    fn begin(root: &str) -> Self {
        Self(format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<{root}>\n"))
    }

    fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\t' | '\n' => self.0.push(c),
                // A reader makes a line feed of it, unless it is spelled out.
                '\r' => self.0.push_str("&#13;"),
                // Control characters are not allowed at all (XML 1.0 §2.2).
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                _ => self.0.push(c),
            }
        }
        self
    }

    /// `<start>text</end>`, where `end` is the name of `start`.
    fn element(&mut self, start: &str, text: &str) -> &mut Self {
        let end = start.split(' ').next().unwrap_or(start);
        self.raw("<").raw(start).raw(">").text(text).raw("</").raw(end).raw(">\n")
    }

    /// An element with one address.
    fn link(&mut self, start: &str, address: &str) -> &mut Self {
        self.raw(start).raw(" href=\"").text(address).raw("\"/>\n")
    }

    fn finish(mut self, end: &str) -> Vec<u8> {
        self.raw(end);
        self.0.into_bytes()
    }
}

/// The events that were added last, newest first.
pub(super) fn feed(publisher: &Publisher, connection: &Connection) -> Result<Representation, AppError> {
    let mut events = events::all(connection, &Filter::default())?;
    events.sort_by(|a, b| (&b.created_at, b.id).cmp(&(&a.created_at, a.id)));
    events.truncate(NEWEST);
    let updated = events.iter().map(changed).max().unwrap_or(NEVER);
    let address = publisher.address(super::FEED);
    let mut xml = Xml::begin("feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\"");
    xml.element("id", &address)
        .element("title", &publisher.name)
        .element("subtitle", "New events")
        .element("updated", updated)
        .link("<link rel=\"self\" type=\"application/atom+xml\"", &address)
        .link("<link rel=\"alternate\" type=\"text/html\"", &publisher.address("/"))
        .raw("<author>")
        .element("name", &publisher.name)
        .raw("</author>\n");
    for event in &events {
        entry(&mut xml, publisher, event);
    }
    Ok(Representation::of("application/atom+xml; charset=utf-8", xml.finish("</feed>\n")))
}

/// When an event was changed last; never before it was added.
fn changed(event: &Event) -> &str {
    event.updated_at.as_str().max(&event.created_at)
}

fn entry(xml: &mut Xml, publisher: &Publisher, event: &Event) {
    let added = event.created_at.get(..10).unwrap_or("1970-01-01");
    xml.raw("<entry>\n")
        // It stays the same whatever becomes of the title (RFC 4151).
        .element("id", &format!("tag:{},{added}:event-{}", publisher.host, event.id))
        .element("title type=\"text\"", &event.title)
        .element("published", &event.created_at)
        .element("updated", changed(event))
        .link("<link rel=\"alternate\" type=\"text/html\"", &publisher.address(&event.path))
        .raw("<category term=\"")
        .text(&rules::type_slug(&event.r#type))
        .raw("\" label=\"")
        .text(&event.r#type)
        .raw("\"/>\n");
    for speaker in &event.speakers {
        xml.raw("<contributor>").element("name", &speaker.speaker.name).raw("</contributor>\n");
    }
    let zone = zone::find(&event.timezone).unwrap_or(chrono_tz::America::New_York);
    let mut when = format!("{}, {}", zone::date_label(zone, event.starts()), zone::time_label(zone, event.starts()));
    if let Some(location) = &event.location {
        when.push_str(" · ");
        when.push_str(&location.line());
    }
    let about = rules::about(event);
    if !about.is_empty() {
        when.push_str("\n\n");
        when.push_str(&about);
    }
    xml.element("summary type=\"text\"", &when).raw("</entry>\n");
}

/// Every address that a search engine may show. Months are not among them: they are views of one
/// page, and most are empty.
pub(super) fn sitemap(publisher: &Publisher, connection: &Connection) -> Result<Representation, AppError> {
    let mut events = events::all(connection, &Filter::default())?;
    let updated = events.iter().map(changed).max().map(str::to_owned);
    // By start: where there are too many, the oldest are left out.
    events.drain(..events.len().saturating_sub(ADDRESSES - 2));
    let mut xml = Xml::begin("urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"");
    let mut url = |path: &str, changed: Option<&str>| {
        xml.raw("<url>").element("loc", &publisher.address(path));
        if let Some(changed) = changed {
            xml.element("lastmod", changed);
        }
        xml.raw("</url>\n");
    };
    url("/", updated.as_deref());
    url("/calendar", updated.as_deref());
    for event in &events {
        url(&event.path, Some(changed(event)));
    }
    Ok(Representation::of("application/xml; charset=utf-8", xml.finish("</urlset>\n")))
}
