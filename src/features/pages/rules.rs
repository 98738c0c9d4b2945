//! The query strings of the pages, reduced to the parameters on which a page depends.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use chrono::{Datelike as _, NaiveDate};

use crate::features::events::{self, presentation};
use crate::features::{page_content, site_settings};
use crate::platform::messages::EVENT_TYPES;

/// The themes of the embedded calendar.
const EMBED_THEMES: [&str; 2] = ["light", "dark"];
/// The views of a calendar other than the month (spec §2), and the list of the embedded calendar.
const VIEWS: [&str; 3] = ["week", "day", "list"];
/// The views whose period is a day in the query string; that of the others is a month.
const VIEWS_WITH_DAY: [&str; 2] = ["week", "day"];
/// The years whose months the server renders.
const YEARS: RangeInclusive<i32> = 2000..=2099;

/// The keys under which shared caches store a page with or without the texts of the home page and a list of events.
pub(super) fn surrogate_keys(shows_texts: bool, shows_events: bool) -> Vec<Cow<'static, str>> {
    let mut keys = vec![site_settings::CACHE_KEY];
    keys.extend(shows_texts.then_some(page_content::CACHE_KEY));
    keys.extend(events::LIST_CACHE_KEYS.into_iter().filter(|_| shows_events));
    keys.into_iter().map(Cow::Borrowed).collect()
}

/// The first value of a parameter, which the browser uses as well.
pub(super) fn parameter(query: &str, name: &str) -> Option<String> {
    url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

fn has_day(query: &str) -> bool {
    parameter(query, "view").is_some_and(|view| VIEWS_WITH_DAY.contains(&view.as_str()))
}

/// A day in the query string of a calendar, in a month that the server renders: `view=day&day=2026-12-24` or
/// `month=2026-12`.
pub(super) fn day(query: &str) -> Option<NaiveDate> {
    let text = if has_day(query) {
        parameter(query, "day")?
    } else {
        parameter(query, "month").map(|month| format!("{month}-01"))?
    };
    let day = NaiveDate::parse_from_str(&text, "%Y-%m-%d").ok().filter(|_| text.len() == 10)?;
    YEARS.contains(&day.year()).then_some(day)
}

/// The only event type that a calendar shows, by its name in the query string; the embedded calendar also accepts its
/// slug.
pub(super) fn event_type(query: &str, accepts_slug: bool) -> Option<&'static str> {
    let requested = parameter(query, "type")?;
    let named = EVENT_TYPES.into_iter().find(|kind| *kind == requested);
    named.or_else(|| presentation::type_of_slug(&requested).filter(|_| accepts_slug))
}

/// The theme in the query string of the embedded calendar.
pub(super) fn theme(query: &str) -> Option<&'static str> {
    let theme = parameter(query, "theme")?;
    EMBED_THEMES.into_iter().find(|known| *known == theme)
}

/// The canonical query string of a calendar: only the parameters on which it depends, in a fixed order.
pub(super) fn calendar(query: &str) -> Option<String> {
    let kind = parameter(query, "type").filter(|_| event_type(query, true).is_some());
    let view = parameter(query, "view").filter(|view| VIEWS.contains(&view.as_str()));
    let shown = day(query)
        .map(|day| if has_day(query) { ("day", day.to_string()) } else { ("month", day.format("%Y-%m").to_string()) });
    let parameters = [("type", kind), ("theme", theme(query).map(str::to_owned)), ("view", view)];
    let parameters = parameters.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(shown);
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    (!query.is_empty()).then_some(query)
}

/// The canonical query string of the search: the query and the number of the page of results; `None` without a query.
pub(super) fn search(query: &str) -> Option<String> {
    // HTML can't contain NUL and most other control characters.
    let text = parameter(query, "q")?.replace(char::is_control, " ");
    let text = Some(text).filter(|text| !text.trim().is_empty())?;
    let text: String = text.chars().take(events::MAX_SEARCH_QUERY).collect();
    let page = parameter(query, "page").and_then(|page| page.parse::<u16>().ok()).filter(|page| *page > 1);
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("q", &text);
    if let Some(page) = page {
        query.append_pair("page", &page.to_string());
    }
    Some(query.finish())
}
