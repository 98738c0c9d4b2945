//! The query string of the calendar, the period of calendars and feeds, and texts that they share.

use std::fmt::Write as _;

use chrono::{DateTime, Days, Utc};

use crate::features::events::{self, Event, presentation};
use crate::features::site_settings;
use crate::platform::error::AppError;
use crate::platform::messages::{EVENT_TYPES, IN_PERSON};
use crate::platform::zone;

/// The longest time between a reminder and its event, in minutes: a week.
const MAX_ALARM_MINUTES: u16 = 10_080;
/// Length of the excerpt of a description that replaces a missing summary, in characters.
const EXCERPT_LENGTH: usize = 500;

/// The validated query string of a calendar request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CalendarOptions {
    /// Only events of this type.
    pub(super) kind: Option<&'static str>,
    /// The slug of a series: only its events.
    pub(super) series: Option<String>,
    /// Minutes between a reminder and its event; `None` for no reminders.
    pub(super) alarm: Option<u16>,
}

impl CalendarOptions {
    /// Parses `type=<slug>&series=<slug>&alarm=<minutes>`; other keys and blank values are ignored.
    ///
    /// # Errors
    /// 404 for an unknown type or a text that is no slug of a series, 400 if `alarm` is not a number of minutes up to a week.
    pub(super) fn parse(query: &str) -> Result<Self, AppError> {
        let mut options = Self::default();
        for (key, value) in url::form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty()) {
            match &*key {
                "type" => {
                    let kind = presentation::type_of_slug(&value);
                    options.kind = Some(kind.ok_or(AppError::NotFound("Event type"))?);
                }
                "series" => options.series = Some(series_slug(&value).ok_or(NO_SERIES)?),
                "alarm" => {
                    let minutes = value.parse().ok().filter(|minutes| *minutes <= MAX_ALARM_MINUTES);
                    options.alarm = Some(minutes.ok_or_else(|| {
                        AppError::Malformed(format!("alarm must be a number of minutes from 0 to {MAX_ALARM_MINUTES}"))
                    })?);
                }
                _ => {}
            }
        }
        Ok(options)
    }

    /// The query string in canonical order, with its question mark; empty without options.
    pub(super) fn query(&self) -> String {
        let mut query = String::new();
        if let Some(kind) = self.kind {
            let _ = write!(query, "?type={}", presentation::type_slug(kind));
        }
        if let Some(series) = &self.series {
            let _ = write!(query, "{}series={series}", if query.is_empty() { '?' } else { '&' });
        }
        if let Some(alarm) = self.alarm {
            let _ = write!(query, "{}alarm={alarm}", if query.is_empty() { '?' } else { '&' });
        }
        query
    }
}

/// The keys under which shared caches store calendars, feeds and the sitemap. Those of one series have the keys of all events,
/// too, because the URL of a series can later be that of another series.
pub(super) fn surrogate_keys() -> impl Iterator<Item = &'static str> {
    events::LIST_CACHE_KEYS.into_iter().chain([site_settings::CACHE_KEY])
}

/// The instant after which an event must end to be in calendars and feeds: the midnight, in the default zone, that
/// begins the day `past_days` before that of `now`.
pub(super) fn window_start(now: DateTime<Utc>, past_days: u32) -> DateTime<Utc> {
    let today = zone::local(zone::DEFAULT, now).date_naive();
    zone::midnight(today.checked_sub_days(Days::new(u64::from(past_days))).unwrap_or(today))
}

/// The next midnight in the default zone, at which events leave calendars and feeds.
pub(super) fn next_midnight(now: DateTime<Utc>) -> DateTime<Utc> {
    zone::midnight(zone::local(zone::DEFAULT, now).date_naive() + Days::new(1))
}

/// The part of the sitemap that a path after `/sitemap-` names: `pages.xml`, or `events-3.xml` for the events of part 3.
pub(super) fn sitemap_part(name: &str) -> Option<SitemapPart> {
    let name = name.strip_suffix(".xml")?;
    if name == "pages" {
        return Some(SitemapPart::Pages);
    }
    let number = name.strip_prefix("events-")?;
    // One URL for each part.
    let is_canonical = number == "0" || (!number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit()));
    number.parse::<u32>().ok().filter(|_| is_canonical).map(|part| SitemapPart::Events(part.into()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SitemapPart {
    /// The home page, the calendar and the series.
    Pages,
    /// The events of one range of ids.
    Events(i64),
}

/// 404: there is no such series.
pub(super) const NO_SERIES: AppError = AppError::NotFound("Series");

fn series_slug(text: &str) -> Option<String> {
    let slug = text.to_ascii_lowercase();
    events::is_series_slug(&slug).then_some(slug)
}

/// The canonical query string of the feed: the slug of a series, if it has one.
pub(super) fn feed_query(query: &str) -> Option<String> {
    let series = series_parameter(query)?;
    Some(format!("series={}", series_slug(&series).unwrap_or_default()))
}

/// The slug of the series in a query string.
pub(super) fn series_parameter(query: &str) -> Option<String> {
    let query = query.trim_start_matches('?');
    url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "series").map(|(_, value)| value.into_owned())
}

/// The slugs of all types, separated by commas.
pub(super) fn type_slugs() -> String {
    EVENT_TYPES.map(presentation::type_slug).join(", ")
}

/// The summary, or the beginning of the description.
pub(super) fn summary_or_excerpt(event: &Event) -> String {
    if let Some(summary) = &event.summary {
        return summary.clone();
    }
    let text = event.description_text();
    presentation::truncate(&text, EXCERPT_LENGTH).unwrap_or_else(|| text.into_owned())
}

/// The line with the registration URL; in-person, cancelled and postponed events have no registration.
pub(super) fn register_line(event: &Event) -> Option<String> {
    let is_open = event.r#type != IN_PERSON && event.status.badge().is_none();
    is_open.then(|| format!("Register: {}", event.registration_url))
}

/// The line with the URL of the recording.
pub(super) fn recording_line(event: &Event) -> Option<String> {
    event.recording_url.as_ref().map(|url| format!("Recording: {url}"))
}
