//! The page of one event: whether an address leads to it, and what search engines are told.

use chrono::{DateTime, SecondsFormat, Utc};
use http::header::{HeaderValue, LOCATION};
use http::{HeaderMap, StatusCode};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::document::Head;
use super::types::{FirstData, PageKind};
use super::{EVENTS, Site, midnight_after, page};
use crate::features::events::{self, Event};
use crate::features::{feeds, share_images};
use crate::platform::error::AppError;
use crate::platform::messages::{IN_PERSON, TIME_ZONES};
use crate::platform::response_cache::Representation;
use crate::platform::zone;

/// How much of a text search engines and chats are told, in characters.
const DESCRIPTION: usize = 200;

/// The answer at `/events/` and `rest`: the page or the calendar file of an event, 308 to its right
/// address, or 404. The number decides; words are for people, and change with the title.
pub(super) fn build(
    site: &Site,
    connection: &Connection,
    now: DateTime<Utc>,
    rest: &str,
) -> Result<Representation, AppError> {
    let nothing = || AppError::NotFound("Event");
    let (name, ending) = rest.strip_suffix(".ics").map_or((rest, ""), |name| (name, ".ics"));
    let number = name.split_once('-').map_or(name, |(number, _)| number);
    let id = number.bytes().all(|c| c.is_ascii_digit()).then(|| number.parse().ok()).flatten().ok_or_else(nothing)?;
    let event = events::find_public(connection, id)?.ok_or_else(nothing)?;

    let address = format!("{}{ending}", event.path);
    if address.strip_prefix(EVENTS) != Some(rest) {
        return Ok(elsewhere(&address));
    }
    if ending.is_empty() { html(site, event, now) } else { feeds::event_file(&site.publisher, connection, &event) }
}

fn elsewhere(address: &str) -> Representation {
    let mut headers = HeaderMap::new();
    // The path is ASCII of our own making.
    headers.extend(HeaderValue::from_str(address).ok().map(|address| (LOCATION, address)));
    let status = StatusCode::PERMANENT_REDIRECT;
    Representation { status, headers, ..Representation::of("text/plain; charset=utf-8", Vec::new()) }
}

fn html(site: &Site, event: Event, now: DateTime<Utc>) -> Result<Representation, AppError> {
    let description = in_short(&event);
    let image = share_image(site, &event);
    let head = Head {
        title: &event.title,
        description: Some(&description),
        path: Some(&event.path),
        indexed: true,
        image: Some(&image),
        structured: Some(structured(site, &event, &description, &image, now).to_string()),
        theme: None,
    };
    let data = FirstData { site: site.info.clone(), page: PageKind::Event, home: None, event: Some(event.clone()) };
    let mut draft = page(site, &head, &data, now)?;
    // The year in the footer, and whether it has taken place.
    let midnight = midnight_after(now);
    let end = event.ends();
    draft.fresh_until = Some(if end > now { midnight.min(end) } else { midnight });
    Ok(draft)
}

/// The summary, or how the description begins, on one line.
fn in_short(event: &Event) -> String {
    let text = event.summary.as_ref().unwrap_or(&event.description);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(DESCRIPTION) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// The whole address of the picture that a chat shows beside a link to the event.
fn share_image(site: &Site, event: &Event) -> String {
    site.publisher.address(&share_images::address(event, &site.company))
}

/// What search engines read (schema.org/Event, by Google's rules).
fn structured(site: &Site, event: &Event, description: &str, image: &str, now: DateTime<Utc>) -> Value {
    let zone = zone::find(&event.timezone).unwrap_or(chrono_tz::America::New_York);
    // The wall clock with the offset that holds at that instant, on both nights of the change too.
    let local = |at: DateTime<Utc>| at.with_timezone(&zone).to_rfc3339_opts(SecondsFormat::Secs, false);
    let whole = |address: &str| site.publisher.address(address);
    let page = whole(&event.path);
    let in_person = event.r#type == IN_PERSON;
    let venue_picture = event.location.as_ref().and_then(|location| location.image_url.as_deref()).map(whole);
    let images: Vec<String> = std::iter::once(image.to_owned()).chain(venue_picture).collect();
    let performers: Vec<Value> = event
        .speakers
        .iter()
        .map(|entry| {
            let mut person = json!({ "@type": "Person", "name": entry.speaker.name, "jobTitle": entry.speaker.title });
            put(&mut person, "image", entry.speaker.image_url.as_deref().map(whole));
            person
        })
        .collect();

    let mut told = json!({
        "@context": "https://schema.org",
        "@type": "Event",
        "@id": page,
        "url": page,
        "name": event.title,
        "description": description,
        "startDate": local(event.starts()),
        "endDate": local(event.ends()),
        "eventStatus": "https://schema.org/EventScheduled",
        "eventAttendanceMode": if in_person {
            "https://schema.org/OfflineEventAttendanceMode"
        } else {
            "https://schema.org/OnlineEventAttendanceMode"
        },
        "location": if in_person { place(event) } else {
            json!({ "@type": "VirtualLocation", "url": event.registration_url })
        },
        "organizer": { "@type": "Organization", "name": site.publisher.name, "url": site.publisher.base_url },
    });
    put(&mut told, "image", Some(images));
    put(&mut told, "performer", (!performers.is_empty()).then_some(performers));
    // Nobody registers for an event in person or one that is over; what one costs is not known here.
    let offer = json!({
        "@type": "Offer",
        "url": event.registration_url,
        "availability": "https://schema.org/InStock",
        "validFrom": event.created_at,
    });
    put(&mut told, "offers", (!in_person && event.ends() > now).then_some(offer));
    told
}

fn place(event: &Event) -> Value {
    let Some(location) = &event.location else {
        return json!({ "@type": "Place", "name": "To be announced", "address": "To be announced" });
    };
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut address = json!({ "@type": "PostalAddress" });
    put(&mut address, "streetAddress", given(&location.venue_address));
    put(&mut address, "addressLocality", given(&location.city));
    put(&mut address, "addressRegion", given(&location.state));
    // Venues are searched in the United States only (spec §5); in another zone nobody knows.
    let american = TIME_ZONES.iter().any(|(name, _, _)| *name == event.timezone);
    put(&mut address, "addressCountry", american.then_some("US"));
    json!({ "@type": "Place", "name": location.venue_name, "address": address })
}

fn put(object: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[key] = value.into();
    }
}
