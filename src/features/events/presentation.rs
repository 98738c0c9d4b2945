//! The presentation of events: artwork of types, dates and times, initials of speakers.

use std::borrow::Cow;
use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::types::Event;
use crate::platform::clock::parse_timestamp;
use crate::platform::messages::{EVENT_TYPES, NAME_TITLES};
use crate::platform::slug::slug;
use crate::platform::zone;

/// The slug of an event type, in query strings and in the `data-type` attribute that selects its colors (design guide
/// §2): `ira-related-webinars`.
pub fn type_slug(kind: &str) -> String {
    slug(kind, usize::MAX)
}

pub fn type_of_slug(slug: &str) -> Option<&'static str> {
    EVENT_TYPES.into_iter().find(|kind| type_slug(kind) == slug)
}

/// The banner of a type as SVG, 1600 by 1200; that of Investor Insights for an unknown type (spec §3).
pub fn banner(slug: &str) -> &'static str {
    macro_rules! art {
        ($name:literal) => {
            include_str!(concat!("../../../web/public/art/banner-", $name, ".svg"))
        };
    }
    match slug {
        "pillars-of-wealthbuilding" => art!("pillars-of-wealthbuilding"),
        "physician-on-fire" => art!("physician-on-fire"),
        "in-person-events" => art!("in-person-events"),
        "ira-related-webinars" => art!("ira-related-webinars"),
        "special" => art!("special"),
        _ => art!("investor-insights"),
    }
}

/// The banner as a data URL (RFC 2397), for images in the first paint.
pub fn banner_data_url(slug: &str) -> String {
    let mut url = String::from("data:image/svg+xml,");
    for c in banner(slug).trim_end().chars() {
        match c {
            // Invalid in a URL, the start of the fragment, or longer when it is escaped for HTML.
            '"' | '%' | '#' | '<' | '>' | ' ' | '\n' => {
                let _ = write!(url, "%{:02X}", u32::from(c));
            }
            _ => url.push(c),
        }
    }
    url
}

/// The icon of a type as an SVG path in a view box of 12 by 12.
pub fn type_icon_path(slug: &str) -> &'static str {
    match slug {
        "investor-insights" => "M1 8h2.6v3H1zM4.7 5h2.6v6H4.7zM8.4 1H11v10H8.4z",
        "pillars-of-wealthbuilding" => "M.8 1h10.4v2H.8zM2 3.9h2.5v4.3H2zM7.5 3.9H10v4.3H7.5zM.8 9.1h10.4V11H.8z",
        "physician-on-fire" => {
            "M6 .4c.6 2.5 4.1 3.8 4.1 7.1a4.1 4.1 0 0 1-8.2 0c0-1.8 1.2-2.7 1.6-4.3 1.1.6 1.5 1.3 1.6 2.2C6 4.1 6.4 2.5 6 .4z"
        }
        "in-person-events" => "M1.6 11V5.4a4.4 4.4 0 0 1 8.8 0V11H7.7V7.8a1.7 1.7 0 0 0-3.4 0V11z",
        "ira-related-webinars" => {
            "M6 .8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 6 .8zm0 2.3a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8z"
        }
        "special" => "M6 0c.5 4.2 1.8 5.5 6 6-4.2.5-5.5 1.8-6 6-.5-4.2-1.8-5.5-6-6 4.2-.5 5.5-1.8 6-6z",
        _ => "M6 1l5 5-5 5-5-5z",
    }
}

/// The title, with the badge before that of a cancelled or postponed event: `Cancelled: Reading a rent roll`. Where only
/// titles are shown, such as in search results and feed readers, nothing else tells the status.
pub fn marked_title(event: &Event) -> Cow<'_, str> {
    match event.status.badge() {
        None => Cow::Borrowed(&event.title),
        Some(badge) => Cow::Owned(format!("{badge}: {}", event.title)),
    }
}

/// The instant of an event's start and its zone.
pub fn start_of(event: &Event) -> (DateTime<Utc>, Tz) {
    let zone = zone::find(&event.timezone).unwrap_or(zone::DEFAULT);
    (parse_timestamp(&event.starts_at).unwrap_or_default(), zone)
}

/// `March 10, 2026`
pub fn date_label(start: DateTime<Utc>, zone: Tz) -> String {
    zone::date_label(zone, start)
}

/// `8:00 PM ET`
pub fn time_label(start: DateTime<Utc>, zone: Tz) -> String {
    zone::time_label(zone, start)
}

/// `5:00 PM PT`, or two such times (spec §3). If one is on another day than the event's, each names its day:
/// `March 9 at 10:00 PM PT`.
pub fn alternate_times(start: DateTime<Utc>, zone: Tz) -> String {
    let others = zone::alternates(zone);
    let day_in = |zone: &Tz| zone::local(*zone, start).date_naive();
    let is_one_day = others.iter().all(|other| day_in(other) == day_in(&zone));
    let times: Vec<String> = others
        .iter()
        .map(|other| {
            let time = zone::time_label(*other, start);
            if is_one_day { time } else { format!("{} at {time}", day_in(other).format("%B %-d")) }
        })
        .collect();
    times.join(" / ")
}

/// Truncates a text of more than `limit` characters and appends an ellipsis (spec §9); `None` for a shorter text.
pub fn truncate(text: &str, limit: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(limit)?;
    Some(format!("{}…", text[..end].trim_end()))
}

/// The initials of the first and last name, without leading titles and text after a comma.
pub fn initials(name: &str) -> String {
    let is_title = |word: &&str| {
        let word = word.strip_suffix('.').unwrap_or(word).to_lowercase();
        NAME_TITLES.contains(&word.as_str())
    };
    let words: Vec<&str> = name.split(',').next().unwrap_or_default().split_whitespace().collect();
    let first = words.iter().position(|word| !is_title(word)).unwrap_or(0);
    let names = &words[first.min(words.len())..];
    let ends = match names {
        [] => return String::new(),
        [only] => vec![*only],
        [first, .., last] => vec![*first, *last],
    };
    ends.into_iter()
        .filter_map(|word| word.chars().find(|c| c.is_alphanumeric()))
        .flat_map(char::to_uppercase)
        .collect()
}
