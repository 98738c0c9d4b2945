//! The page of a series: its events, metadata and structured data.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use http::StatusCode;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::document::{Head, Page, PageContext, SiteView};
use super::event::{meta_description, redirect, set, share_image, structured_data as structured_event};
use super::freshness::FreshnessPeriod;
use super::types::{InitialData, PageKind, SeriesData};
use crate::features::events::{self, Event, Series, presentation};
use crate::features::{share_images, site_settings, speakers};
use crate::platform::error::AppError;
use crate::platform::response_cache::RouteOutput;
use crate::platform::zone;

/// How many events the structured data has: the next ones, or else the last ones.
const STRUCTURED_EVENTS: usize = 20;

/// The response at `/series/{slug}`: the page, 308 to the URL of a series that was renamed, or 404.
pub(super) fn build(
    context: &Arc<PageContext>,
    connection: &Connection,
    now: DateTime<Utc>,
    slug: &str,
) -> Result<RouteOutput, AppError> {
    const NOT_FOUND: AppError = AppError::NotFound("Series");
    let name = slug.to_ascii_lowercase();
    if !events::is_series_slug(&name) {
        return Err(NOT_FOUND);
    }
    let series = events::find_series(connection, &name, now)?.ok_or(NOT_FOUND)?;
    let events = events::events_of_series(connection, series.id, now)?;
    if events.is_empty() {
        return Err(NOT_FOUND);
    }
    if series.slug != slug {
        return Ok(redirect(&series.path()).into());
    }

    let mut freshness = FreshnessPeriod::year_of(now);
    for event in &events {
        freshness.changes_with(event);
    }
    freshness.ends_by(events::next_publication(connection, now)?);
    let description = description(&series, &events, now);
    let site = context.site(connection, now)?;
    freshness.ends_by(site.notice_ends);
    let image = site.identity.absolute_url(&share_images::series_path(&series, &events, now, &site.settings));
    let path = series.path();
    let head = Head {
        title: &series.name,
        description: Some(&description),
        path: Some(&path),
        indexed: true,
        image: Some(&image),
        structured: Some(structured_data(&site, &series, &events, &description, &image, now).to_string()),
        series: Some(&series),
        theme: None,
    };
    let data = InitialData {
        site: site.info.clone(),
        page: PageKind::Series,
        query: String::new(),
        rendered_as_of: freshness.rendered_as_of(),
        home: None,
        event: None,
        interest: None,
        series: Some(SeriesData::new(&series, events)),
        found: None,
    };
    let keys = [
        Cow::Borrowed(site_settings::CACHE_KEY),
        events::series_cache_key(series.id).into(),
        speakers::CACHE_KEY.into(),
    ];
    let page = Page::new(&site, StatusCode::OK, &head, &data, &freshness)?.shared(keys.into());
    Ok(RouteOutput::Deferred(page.deferred(context)))
}

/// `Tax Tuesdays: 5 events. Next: Reading a rent roll, March 10, 2026`. Next is an event that takes place.
fn description(series: &Series, events: &[Event], now: DateTime<Utc>) -> String {
    let count = if events.len() == 1 { "1 event".to_owned() } else { format!("{} events", events.len()) };
    let date = |event: &Event| {
        let zone = zone::find(&event.timezone).unwrap_or(zone::DEFAULT);
        format!("{}, {}", presentation::marked_title(event), zone::date_label(zone, event.starts()))
    };
    match events.iter().find(|event| event.ends() > now && event.status.badge().is_none()) {
        Some(next) => format!("{}: {count}. Next: {}", series.name, date(next)),
        None => format!("{}: {count}. Last: {}", series.name, events.last().map(date).unwrap_or_default()),
    }
}

/// The structured data for search engines (schema.org/EventSeries).
fn structured_data(
    site: &SiteView,
    series: &Series,
    events: &[Event],
    description: &str,
    image: &str,
    now: DateTime<Utc>,
) -> Value {
    let page = site.identity.absolute_url(&series.path());
    let local = |at: DateTime<Utc>, event: &Event| {
        let zone = zone::find(&event.timezone).unwrap_or(zone::DEFAULT);
        zone::local(zone, at).to_rfc3339_opts(SecondsFormat::Secs, false)
    };
    let first_shown = events
        .iter()
        .position(|event| event.ends() > now)
        .unwrap_or(events.len())
        .min(events.len().saturating_sub(STRUCTURED_EVENTS));
    let of_event = |event: &Event| {
        let image = share_image(site, event);
        let mut data = structured_event(site, event, &meta_description(event), &image, now);
        if let Some(keys) = data.as_object_mut() {
            keys.remove("@context");
            keys.remove("superEvent");
        }
        data
    };
    let sub_events: Vec<Value> = events[first_shown..].iter().take(STRUCTURED_EVENTS).map(of_event).collect();
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "EventSeries",
        "@id": page,
        "url": page,
        "name": series.name,
        "description": description,
        "image": [image],
        "organizer": {
            "@type": "Organization", "name": site.identity.name, "url": site.identity.base_url,
        },
        "subEvent": sub_events,
    });
    set(&mut data, "startDate", events.first().map(|event| local(event.starts(), event)));
    set(&mut data, "endDate", events.iter().max_by_key(|event| event.ends()).map(|event| local(event.ends(), event)));
    data
}
