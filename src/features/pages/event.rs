//! The page of one event: its paths, metadata and structured data.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use http::header::{HeaderValue, LOCATION};
use http::{HeaderMap, StatusCode};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::document::{Head, Page, PageContext, SiteView};
use super::types::{InitialData, PageInterest, PageKind};
use super::{ATTENDANCE_PATH_SUFFIX, EVENT_PATH_PREFIX, FreshnessPeriod};
use crate::features::events::{self, Event, EventStatus, presentation};
use crate::features::{feeds, share_images, site_settings};
use crate::platform::error::AppError;
use crate::platform::messages::{IN_PERSON, TIME_ZONES};
use crate::platform::response_cache::{Representation, RouteOutput};
use crate::platform::zone;

/// Length of the description for search engines and link previews, in characters.
const DESCRIPTION_LENGTH: usize = 200;

/// The response at `/events/{rest}`: the page or the calendar file of an event, 308 to its canonical path, 410, or 404.
pub(super) fn build(
    context: &Arc<PageContext>,
    connection: &Connection,
    now: DateTime<Utc>,
    rest: &str,
) -> Result<RouteOutput, AppError> {
    let (name, ending) = rest.strip_suffix(".ics").map_or((rest, ""), |name| (name, ".ics"));
    let id = events::id_in_path(name).ok_or(AppError::NotFound("Event"))?;
    let event = events::get_public(connection, id, now)?;

    let path = format!("{}{ending}", event.path);
    if path.strip_prefix(EVENT_PATH_PREFIX) != Some(rest) {
        return Ok(redirect(&path).into());
    }
    if ending.is_empty() {
        html(&context.site(connection, now)?, context, connection, event, now)
    } else {
        let file = feeds::event_file(&context.site(connection, now)?.identity, connection, &event, now)?;
        Ok(file.shared(surrogate_keys(&event)).into())
    }
}

/// The keys under which shared caches store what shows one event.
fn surrogate_keys(event: &Event) -> Vec<Cow<'static, str>> {
    let mut keys = vec![Cow::Borrowed(site_settings::CACHE_KEY)];
    keys.extend(events::cache_keys(event));
    keys
}

/// 308 to an event's canonical path.
pub fn redirect(path: &str) -> Representation {
    let mut headers = HeaderMap::new();
    // The path is generated and ASCII.
    headers.extend(HeaderValue::from_str(path).ok().map(|path| (LOCATION, path)));
    let status = StatusCode::PERMANENT_REDIRECT;
    Representation { status, headers, ..Representation::new("text/plain; charset=utf-8", Vec::new()) }
}

/// The page depends on the event, its series and the site only, so changes of other events do not invalidate it.
fn html(
    site: &Arc<SiteView>,
    context: &Arc<PageContext>,
    connection: &Connection,
    event: Event,
    now: DateTime<Utc>,
) -> Result<RouteOutput, AppError> {
    let description = meta_description(&event);
    let image = share_image(site, &event);
    let head = Head {
        title: &presentation::marked_title(&event),
        description: Some(&description),
        path: Some(&event.path),
        indexed: true,
        image: Some(&image),
        structured: Some(structured_data(site, &event, &description, &image, now).to_string()),
        series: None,
        theme: None,
    };
    // Another event of its series changes its position there.
    let until = if event.series_id.is_some() { events::next_publication(connection, now)? } else { None };
    let page = page(site, &head, &event, String::new(), None, (now, until))?.shared(surrogate_keys(&event));
    Ok(RouteOutput::Deferred(page.deferred(context)))
}

/// The page of an event that visitors do not see, as it will be. `attending` is how many plan to attend.
pub(super) fn preview(
    context: &Arc<PageContext>,
    connection: &Connection,
    mut event: Event,
    attending: i64,
    now: DateTime<Utc>,
) -> Result<RouteOutput, AppError> {
    if !event.status.is_public() {
        event.status = EventStatus::Published;
        event.publish_at = None;
    }
    let head = Head {
        title: &format!("Preview: {}", event.title),
        description: None,
        path: Some(&event.path),
        indexed: false,
        image: None,
        structured: None,
        series: None,
        theme: None,
    };
    let count = (event.r#type == IN_PERSON).then_some(attending);
    let interest = PageInterest { count, has_interest: false, problem: None };
    // Without the secret, which must not be logged.
    let page = page(
        &context.site(connection, now)?,
        &head,
        &event,
        format!("?{}", events::PREVIEW_PARAMETER),
        Some(interest),
        (now, None),
    )?;
    Ok(RouteOutput::Deferred(page.deferred(context)))
}

/// As [`super::Pages::attendance`].
pub(super) fn attendance(
    context: &Arc<PageContext>,
    connection: &Connection,
    event: &Event,
    interest: PageInterest,
    now: DateTime<Utc>,
) -> Result<RouteOutput, AppError> {
    let head = Head {
        title: &format!("Planning to Attend: {}", event.title),
        description: None,
        path: Some(&format!("{}{ATTENDANCE_PATH_SUFFIX}", event.path)),
        indexed: false,
        image: None,
        structured: None,
        series: None,
        theme: None,
    };
    let site = context.site(connection, now)?;
    let page = page(&site, &head, event, String::new(), Some(interest), (now, None))?;
    Ok(RouteOutput::Deferred(page.deferred(context)))
}

fn page(
    site: &Arc<SiteView>,
    head: &Head<'_>,
    event: &Event,
    query: String,
    interest: Option<PageInterest>,
    (now, until): (DateTime<Utc>, Option<DateTime<Utc>>),
) -> Result<Page, AppError> {
    let mut freshness = FreshnessPeriod::year_of(now);
    freshness.changes_with(event);
    freshness.ends_by(until);
    freshness.ends_by(site.notice_ends);
    let data = InitialData {
        site: site.info.clone(),
        page: PageKind::Event,
        query,
        rendered_as_of: freshness.rendered_as_of(),
        home: None,
        event: Some(event.clone()),
        interest,
        series: None,
        found: None,
    };
    Page::new(site, StatusCode::OK, head, &data, &freshness)
}

/// The summary or the beginning of the description, on one line.
pub(super) fn meta_description(event: &Event) -> String {
    let text = event.summary.as_deref().map_or_else(|| event.description_text(), Into::into);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    presentation::truncate(&line, DESCRIPTION_LENGTH).unwrap_or(line)
}

/// The absolute URL of the share image.
pub(super) fn share_image(site: &SiteView, event: &Event) -> String {
    site.identity.absolute_url(&share_images::path(event, &site.settings))
}

/// The structured data for search engines (schema.org/Event, Google's guidelines).
pub(super) fn structured_data(
    site: &SiteView,
    event: &Event,
    description: &str,
    image: &str,
    now: DateTime<Utc>,
) -> Value {
    let zone = zone::find(&event.timezone).unwrap_or(zone::DEFAULT);
    // Local time with the offset at that instant.
    let local = |at: DateTime<Utc>| zone::local(zone, at).to_rfc3339_opts(SecondsFormat::Secs, false);
    let absolute_url = |path: &str| site.identity.absolute_url(path);
    let page = absolute_url(&event.path);
    let in_person = event.r#type == IN_PERSON;
    let venue_image = event.location.as_ref().and_then(|location| location.image_url.as_deref()).map(absolute_url);
    let images: Vec<String> = std::iter::once(image.to_owned()).chain(venue_image).collect();
    let performers: Vec<Value> = event
        .speakers
        .iter()
        .map(|entry| {
            let mut person = json!({ "@type": "Person", "name": entry.speaker.name, "jobTitle": entry.speaker.title });
            set(&mut person, "image", entry.speaker.image_url.as_deref().map(absolute_url));
            person
        })
        .collect();

    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "Event",
        "@id": page,
        "url": page,
        "name": event.title,
        "description": description,
        "startDate": local(event.starts()),
        "endDate": local(event.ends()),
        "eventStatus": match event.status {
            EventStatus::Cancelled => "https://schema.org/EventCancelled",
            EventStatus::Postponed => "https://schema.org/EventPostponed",
            _ => "https://schema.org/EventScheduled",
        },
        "eventAttendanceMode": if in_person {
            "https://schema.org/OfflineEventAttendanceMode"
        } else {
            "https://schema.org/OnlineEventAttendanceMode"
        },
        "location": if in_person { location(event) } else {
            json!({ "@type": "VirtualLocation", "url": event.registration_url })
        },
        "organizer": { "@type": "Organization", "name": site.identity.name, "url": site.identity.base_url },
    });
    set(&mut data, "image", Some(images));
    set(&mut data, "performer", (!performers.is_empty()).then_some(performers));
    let series = event.series_position.as_ref().map(|position| {
        let page = absolute_url(&position.path);
        json!({ "@type": "EventSeries", "@id": page, "url": page, "name": event.series })
    });
    set(&mut data, "superEvent", series);
    let recording = event.recording_url.as_ref().filter(|_| event.ends() <= now);
    set(
        &mut data,
        "recordedIn",
        recording.map(|url| json!({ "@type": "VideoObject", "name": event.title, "url": url })),
    );
    // In-person, past, cancelled and postponed events have no registration. The price is unknown.
    let offer = json!({
        "@type": "Offer",
        "url": event.registration_url,
        "availability": "https://schema.org/InStock",
        "validFrom": event.first_published(),
    });
    set(&mut data, "offers", (!in_person && event.status.badge().is_none() && event.ends() > now).then_some(offer));
    data
}

fn location(event: &Event) -> Value {
    let Some(location) = &event.location else {
        return json!({ "@type": "Place", "name": "To be announced", "address": "To be announced" });
    };
    let non_empty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut address = json!({ "@type": "PostalAddress" });
    set(&mut address, "streetAddress", non_empty(&location.venue_address));
    set(&mut address, "addressLocality", non_empty(&location.city));
    set(&mut address, "addressRegion", non_empty(&location.state));
    // The venue search is limited to the United States (spec §5); outside its zones the country is unknown.
    let is_american = TIME_ZONES.iter().any(|(name, _, _)| *name == event.timezone);
    set(&mut address, "addressCountry", is_american.then_some("US"));
    json!({ "@type": "Place", "name": location.venue_name, "address": address })
}

pub(super) fn set(object: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[key] = value.into();
    }
}
