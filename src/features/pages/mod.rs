//! The HTML of the public routes: metadata, initial data, and the markup of the React components.

mod document;
mod event;
mod html;
mod renderer;
mod types;
mod validity;

use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::response::Response;
use chrono::{DateTime, Datelike as _, Months, NaiveDate, Utc};
use http::StatusCode;
use http::header::{CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use rusqlite::Connection;

use crate::features::events::{self, Event};
use crate::features::page_content::PageContent;
use crate::features::{feeds, page_content, share_images};
use crate::platform::clock::timestamp;
use crate::platform::config::{Config, WebAddress};
use crate::platform::error::AppError;
use crate::platform::messages::EVENT_TYPES;
use crate::platform::response_cache::{CachedRoute, RouteOutput};
use crate::platform::security::Policy;
use crate::platform::slug::slug;
use crate::platform::zone;

pub use document::Template;
use document::{Head, Page, Site};
pub use event::redirect;
pub use renderer::Renderer;
pub use types::{Attendance, InitialData};
use types::{HomeData, PageKind, SiteInfo, Window};
use validity::Validity;

/// The paths of all pages except those of events: the routes of spec §2, the search and the embedded calendar.
pub const PATHS: [&str; 9] =
    ["/", "/calendar", "/search", "/auth", "/auth-success", "/login-help", "/admin/login", ADMIN, EMBED];
/// The calendar for embedding in other sites.
const EMBED: &str = "/embed";
/// The themes of the embedded calendar.
const EMBED_THEMES: [&str; 2] = ["light", "dark"];
/// The views of a calendar other than the month (spec §2), and the list of the embedded calendar.
const VIEWS: [&str; 3] = ["week", "day", "list"];
/// The length of a search, in characters.
const MAX_SEARCH: usize = 200;
/// The years whose months the server renders.
const YEARS: RangeInclusive<i32> = 2000..=2099;
/// The path prefix of event pages.
pub const EVENTS: &str = "/events/";
/// The suffix of the path of an attendance page, after the path of the event.
pub const ATTENDANCE: &str = "/attendance";
/// The portal. Its tabs are in the query string; the sign-in page alone has a subpath.
const ADMIN: &str = "/admin";
/// The cache key of the page for unknown paths.
pub const NOT_FOUND: &str = "404";

/// The cache key of the page of deleted events.
const DELETED: &str = "410";

/// The cache key of the error page for a missing or deleted page; `None` for other errors.
pub fn missing_page(error: &AppError) -> Option<&'static str> {
    match error {
        AppError::NotFound(_) => Some(NOT_FOUND),
        AppError::Gone(_) => Some(DELETED),
        _ => None,
    }
}

/// All pages of the site.
#[derive(Clone)]
pub struct Pages(Arc<Site>);

impl Pages {
    /// Without a template (in a binary that was built without the web bundle) the pages show a notice. Without a
    /// renderer the browser renders them.
    pub fn new(config: &Config, base_url: &str, template: Option<Template>, renderer: Option<Renderer>) -> Self {
        Self(Arc::new(Site {
            info: SiteInfo::new(config, base_url),
            company: config.site.clone(),
            identity: feeds::SiteIdentity::new(config, base_url),
            policy: policy(config),
            portal_policy: portal_policy(config),
            frame_ancestors: frame_ancestors(config),
            template,
            renderer,
        }))
    }

    /// The routes of all pages that are the same for every visitor.
    pub fn cached_routes(&self) -> Vec<CachedRoute> {
        let page = |path: &'static str, kind: PageKind, status: StatusCode, title: &'static str| {
            let site = Arc::clone(&self.0);
            CachedRoute::new(path, move |connection, now, query| {
                build(&site, &PageDefinition { path, kind, status, title }, query, connection, now)
            })
            .ignore_query()
        };
        let event_page = {
            let site = Arc::clone(&self.0);
            CachedRoute::new(EVENTS, move |connection, now, rest| event::build(&site, connection, now, rest))
        };
        vec![
            page("/", PageKind::Home, StatusCode::OK, "").canonical_query(calendar_query),
            page("/calendar", PageKind::Calendar, StatusCode::OK, "Events Calendar").canonical_query(calendar_query),
            page("/search", PageKind::Search, StatusCode::OK, "Search events").canonical_query(search_query),
            page("/auth", PageKind::SignIn, StatusCode::OK, "Checking authentication"),
            page("/auth-success", PageKind::SignIn, StatusCode::OK, "Completing Authentication"),
            page("/login-help", PageKind::SignIn, StatusCode::OK, "Login Help"),
            page("/admin/login", PageKind::SignIn, StatusCode::OK, "Admin Login"),
            page(ADMIN, PageKind::Other, StatusCode::OK, "Admin Portal"),
            page(EMBED, PageKind::Embed, StatusCode::OK, "Events Calendar").canonical_query(calendar_query),
            page(NOT_FOUND, PageKind::NotFound, StatusCode::NOT_FOUND, "Page not found"),
            page(DELETED, PageKind::Deleted, StatusCode::GONE, "This event was deleted"),
            event_page.with_subpaths().ignore_query(),
        ]
    }

    /// The page for a server error in place of its JSON, with the headers of that response.
    pub fn error(&self, mut response: Response, sentence: &str, request_id: Option<&str>) -> Response {
        let (html, policy) = document::error_page(&self.0, sentence, request_id);
        let headers = response.headers_mut();
        headers.remove(CONTENT_LENGTH);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(CONTENT_SECURITY_POLICY, policy);
        *response.body_mut() = html.into();
        response
    }

    /// The attendance page of an event, which differs between visitors and so must not be cached.
    ///
    /// # Errors
    /// 500 if the data can't be serialized.
    pub fn attendance(
        &self,
        event: &Event,
        attendance: Attendance,
        now: DateTime<Utc>,
    ) -> Result<RouteOutput, AppError> {
        event::attendance(&self.0, event, attendance, now)
    }
}

/// The first value of a parameter, which the browser uses as well.
fn parameter(query: &str, name: &str) -> Option<String> {
    url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// A day in the query string of a calendar, in a month that the server renders: `day=2026-12-24` or `month=2026-12`.
fn day(query: &str) -> Option<NaiveDate> {
    let text = parameter(query, "day").or_else(|| parameter(query, "month").map(|month| format!("{month}-01")))?;
    let day = NaiveDate::parse_from_str(&text, "%Y-%m-%d").ok().filter(|_| text.len() == 10)?;
    YEARS.contains(&day.year()).then_some(day)
}

/// The theme in the query string of the embedded calendar.
fn theme(query: &str) -> Option<&'static str> {
    let theme = parameter(query, "theme")?;
    EMBED_THEMES.into_iter().find(|known| *known == theme)
}

/// The canonical query string of a calendar: only the parameters on which it depends, in a fixed order.
fn calendar_query(query: &str) -> Option<String> {
    let kind = parameter(query, "type").and_then(|requested| {
        EVENT_TYPES.into_iter().find(|kind| *kind == requested || slug(kind, usize::MAX) == requested)?;
        Some(requested)
    });
    let view = parameter(query, "view").filter(|view| VIEWS.contains(&view.as_str()));
    let shown = day(query).map(|day| {
        if parameter(query, "day").is_some() {
            ("day", day.to_string())
        } else {
            ("month", day.format("%Y-%m").to_string())
        }
    });
    let parameters = [("type", kind), ("theme", theme(query).map(str::to_owned)), ("view", view)];
    let parameters = parameters.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(shown);
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    (!query.is_empty()).then_some(query)
}

/// The canonical query string of the search: the query and the number of the page of results; `None` without a query.
fn search_query(query: &str) -> Option<String> {
    let text = parameter(query, "q").filter(|text| !text.trim().is_empty())?;
    let text: String = text.chars().take(MAX_SEARCH).collect();
    let page = parameter(query, "page").and_then(|page| page.parse::<u16>().ok()).filter(|page| *page > 1);
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("q", &text);
    if let Some(page) = page {
        query.append_pair("page", &page.to_string());
    }
    Some(query.finish())
}

/// All events without the fields that the search does not show.
fn searched_events(connection: &Connection) -> Result<Vec<Event>, AppError> {
    let mut all = events::all(connection, &events::Filter { from: None, to: None, kind: None })?;
    for event in &mut all {
        event.summary = None;
        event.description.clear();
        for one in &mut event.speakers {
            one.speaker.bio = None;
        }
    }
    Ok(all)
}

/// The properties of a page that do not depend on the database.
#[derive(Clone, Copy)]
struct PageDefinition {
    path: &'static str,
    kind: PageKind,
    status: StatusCode,
    title: &'static str,
}

/// The sites that may embed the calendar: the configured ones, or any.
fn frame_ancestors(config: &Config) -> Vec<String> {
    if config.embed.allowed_hosts.is_empty() {
        return vec!["*".to_owned()];
    }
    // `'self'` is for the preview in the portal.
    std::iter::once("'self'".to_owned()).chain(config.embed.allowed_hosts.iter().map(WebAddress::origin)).collect()
}

/// The policy of public pages with the hosts of the configured newsletter form.
fn policy(config: &Config) -> Policy {
    let mut hosts: Vec<String> = config.subscribe.allowed_hosts.iter().map(WebAddress::origin).collect();
    if let Some(script) = &config.subscribe.script_url {
        hosts.push(script.origin());
    } else {
        hosts.clear();
    }
    hosts.sort();
    hosts.dedup();
    Policy { scripts: hosts.clone(), frames: hosts.clone(), connections: hosts, ..Policy::default() }
}

/// The policy of the portal if a key for the venue search is configured: Google's script loads further scripts,
/// requests places and inserts style elements and fonts. It has no hashes of inline styles, which would make browsers
/// ignore `'unsafe-inline'`. The map would also need `'unsafe-eval'` and workers; the search does not.
fn portal_policy(config: &Config) -> Option<Policy> {
    config.places.browser_key.as_ref()?;
    let hosts = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Some(Policy {
        scripts: hosts(&["https://maps.googleapis.com", "https://maps.gstatic.com"]),
        connections: hosts(&[
            "https://maps.googleapis.com",
            "https://places.googleapis.com",
            "https://maps.gstatic.com",
        ]),
        styles: hosts(&["'unsafe-inline'", "https://fonts.googleapis.com"]),
        fonts: hosts(&["https://fonts.gstatic.com"]),
        ..Policy::default()
    })
}

fn build(
    site: &Arc<Site>,
    definition: &PageDefinition,
    query: &str,
    connection: &Connection,
    now: DateTime<Utc>,
) -> Result<RouteOutput, AppError> {
    let PageDefinition { path, kind, status, title } = *definition;
    let query = query.trim_start_matches('?');
    let theme = theme(query);
    let home = match kind {
        PageKind::Home | PageKind::Calendar | PageKind::Embed => Some(home_data(connection, now, day(query))?),
        PageKind::Search
        | PageKind::Event
        | PageKind::NotFound
        | PageKind::Deleted
        | PageKind::SignIn
        | PageKind::Other => None,
    };
    let query = if kind == PageKind::Search { search_query(query) } else { calendar_query(query) };
    // The renderer filters them.
    let renderer = site.renderer.as_ref().filter(|_| kind == PageKind::Search && query.is_some());
    let admission = renderer.map(Renderer::admit_search).transpose()?;
    let found = admission.is_some().then(|| searched_events(connection)).transpose()?;
    let mut validity = home.as_ref().map_or_else(|| Validity::of_year(now), |home| home_validity(home, now));
    for event in found.iter().flatten() {
        validity.changes_with(event);
    }
    let content =
        home.as_ref().map(|home| home.content.clone().unwrap_or_else(|| PageContent::fallback(page_content::HOME)));
    let hero = content.as_ref().map(|content| (content.hero_title.as_str(), content.hero_subtitle.as_str()));
    let image = home.as_ref().zip(hero).filter(|_| kind == PageKind::Home).map(|(home, (title, _))| {
        site.identity.absolute_url(&share_images::home_path(title, home.next_event.as_ref(), &site.company))
    });
    let head = Head {
        title: hero.filter(|_| title.is_empty()).map_or(title, |(title, _)| title),
        description: hero.map(|(_, subtitle)| subtitle),
        path: if status == StatusCode::OK { Some(path) } else { None },
        // Search engines must not list sign-in and the portal.
        indexed: matches!(kind, PageKind::Home | PageKind::Calendar),
        image: image.as_deref(),
        structured: None,
        theme,
    };
    let data = InitialData {
        site: site.info.clone(),
        page: kind,
        query: query.map(|query| format!("?{query}")).unwrap_or_default(),
        made_at: validity.made_at(),
        home,
        event: None,
        attendance: None,
        found,
    };
    let page = Page::new(site, status, &head, &data, &validity)?;
    let page = match admission {
        Some(admission) => page.searched(data, admission),
        None => page,
    };
    Ok(RouteOutput::Deferred(page.deferred(site)))
}

/// `shown` is a day of the month that the calendar shows; the current month by default.
fn home_data(connection: &Connection, now: DateTime<Utc>, shown: Option<NaiveDate>) -> Result<HomeData, AppError> {
    let window = window(shown.unwrap_or_else(|| now.with_timezone(&zone::DEFAULT).date_naive()));
    let filter = events::Filter { from: Some(window.from.clone()), to: Some(window.to.clone()), kind: None };
    Ok(HomeData {
        content: page_content::find(connection, page_content::HOME)?,
        next_event: events::first_from(connection, &timestamp(now))?,
        events: events::all(connection, &filter)?,
        window,
    })
}

/// The days whose events a page contains: the month shown, and the months before and after it, which visitors can open
/// without a request.
fn window(shown: NaiveDate) -> Window {
    let first = shown.with_day(1).unwrap_or(shown);
    let last = (first + Months::new(2)).pred_opt().unwrap_or(first);
    Window { from: (first - Months::new(1)).to_string(), to: last.to_string() }
}

/// The page changes with the day and when one of its events starts or ends.
fn home_validity(home: &HomeData, now: DateTime<Utc>) -> Validity {
    let mut validity = Validity::of_day(now);
    for event in home.events.iter().chain(&home.next_event) {
        validity.changes_with(event);
    }
    validity
}
