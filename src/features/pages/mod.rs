//! The HTML of the public routes: metadata, inlined initial data, readable without scripts.

mod document;
mod event;
mod html;
mod types;
mod view;

use std::sync::Arc;

use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, NaiveTime, TimeDelta, Utc};
use http::{HeaderName, HeaderValue, StatusCode};
use rusqlite::Connection;

use crate::features::events::{self, Event};
use crate::features::{feeds, page_content};
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::config::{Config, WebAddress};
use crate::platform::error::AppError;
use crate::platform::response_cache::{CachedRoute, Representation};
use crate::platform::security::Policy;
use crate::platform::zone;

pub use document::Template;
use document::{Head, Site};
pub use event::redirect;
pub use types::{Attendance, FirstData};
use types::{HomeData, PageKind, SiteInfo, Window};

/// Every route of spec §2 that has a page, the search and the embedded calendar.
pub const PATHS: [&str; 9] =
    ["/", "/calendar", "/search", "/auth", "/auth-success", "/login-help", "/admin/login", ADMIN, EMBED];
/// The calendar for embedding in other sites.
const EMBED: &str = "/embed";
/// The themes of the embedded calendar, and the cache key of the page in each.
const EMBED_THEMES: [(&str, &str); 2] = [("light", "/embed?theme=light"), ("dark", "/embed?theme=dark")];
/// The path prefix of event pages.
pub const EVENTS: &str = "/events/";
/// What follows the path of an event in that of its attendance page.
pub const ATTENDANCE: &str = "/attendance";
/// The portal. Its tabs are in the query string; only the sign-in page has a path below it.
const ADMIN: &str = "/admin";
/// The cache key of the page for unknown addresses.
pub const NOT_FOUND: &str = "404";

/// All pages of the site.
#[derive(Clone)]
pub struct Pages(Arc<Site>);

impl Pages {
    /// Without a template (a binary built without the web bundle) the pages show a notice.
    pub fn new(config: &Config, base_url: &str, template: Option<Template>) -> Self {
        Self(Arc::new(Site {
            info: SiteInfo::new(config, base_url),
            company: config.site.clone(),
            identity: feeds::SiteIdentity::new(config, base_url),
            policy: policy(config),
            portal_policy: portal_policy(config),
            frame_ancestors: frame_ancestors(config),
            template,
        }))
    }

    /// The routes of all pages that are the same for every visitor.
    pub fn cached_routes(&self) -> Vec<CachedRoute> {
        let page = |path: &'static str, kind: PageKind, status: StatusCode, title: &'static str| {
            let site = Arc::clone(&self.0);
            CachedRoute::new(path, move |connection, now, query| {
                let theme = EMBED_THEMES.iter().find(|(_, key)| key.strip_prefix(path) == Some(query));
                let definition = PageDefinition { path, kind, status, title, theme: theme.map(|(theme, _)| *theme) };
                build(&site, &definition, connection, now)
            })
            .ignore_query()
        };
        let event_page = {
            let site = Arc::clone(&self.0);
            CachedRoute::new(EVENTS, move |connection, now, rest| event::build(&site, connection, now, rest))
        };
        vec![
            page("/", PageKind::Home, StatusCode::OK, ""),
            page("/calendar", PageKind::Calendar, StatusCode::OK, "Events Calendar"),
            page("/search", PageKind::Other, StatusCode::OK, "Search events"),
            page("/auth", PageKind::SignIn, StatusCode::OK, "Checking authentication"),
            page("/auth-success", PageKind::SignIn, StatusCode::OK, "Completing Authentication"),
            page("/login-help", PageKind::SignIn, StatusCode::OK, "Login Help"),
            page("/admin/login", PageKind::SignIn, StatusCode::OK, "Admin Login"),
            page(ADMIN, PageKind::Other, StatusCode::OK, "Admin Portal"),
            page(EMBED, PageKind::Embed, StatusCode::OK, "Events Calendar").select_by_query(embed_key),
            page(NOT_FOUND, PageKind::Other, StatusCode::NOT_FOUND, "Page not found"),
            event_page.with_subpaths().ignore_query(),
        ]
    }

    /// The attendance page of an event, which differs between visitors and so must not be cached.
    pub fn attendance(
        &self,
        event: &Event,
        attendance: Attendance,
        now: DateTime<Utc>,
    ) -> Result<Representation, AppError> {
        event::attendance(&self.0, event, attendance, now)
    }
}

/// The cache key of the embedded calendar in the theme of a query string; `None` without a valid
/// theme. The first `theme` counts, as it does in the browser.
fn embed_key(query: &str) -> Option<&'static str> {
    let (_, value) = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "theme")?;
    EMBED_THEMES.iter().find(|(theme, _)| *theme == value).map(|(_, key)| *key)
}

/// The properties of a page that do not depend on the database.
#[derive(Clone, Copy)]
struct PageDefinition {
    path: &'static str,
    kind: PageKind,
    status: StatusCode,
    title: &'static str,
    theme: Option<&'static str>,
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

/// The policy of the portal if a key for the venue search is configured: Google's script loads further scripts, requests
/// places and inserts style elements and fonts. Hashes would make browsers ignore `'unsafe-inline'`, so the inline styles
/// have none here. The map would also need `'unsafe-eval'` and workers; the search does not.
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
    site: &Site,
    definition: &PageDefinition,
    connection: &Connection,
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    let PageDefinition { path, kind, status, title, theme } = *definition;
    let home = match kind {
        PageKind::Home | PageKind::Calendar | PageKind::Embed => Some(home_data(connection, now)?),
        PageKind::Event | PageKind::SignIn | PageKind::Other => None,
    };
    let fresh_until = Some(fresh_until(home.as_ref(), now));
    let data = FirstData { site: site.info.clone(), page: kind, home, event: None, attendance: None };
    let content = data.home.as_ref().and_then(|home| home.content.as_ref());
    let hero = view::Hero::of(content);
    let head = Head {
        title: if title.is_empty() { &hero.title } else { title },
        description: if data.home.is_some() { Some(&hero.subtitle) } else { None },
        path: if status == StatusCode::OK { Some(path) } else { None },
        // Search engines must not list sign-in and the portal.
        indexed: matches!(kind, PageKind::Home | PageKind::Calendar),
        image: None,
        structured: None,
        theme,
    };
    Ok(Representation { status, fresh_until, ..self::page(site, &head, &data, now)? })
}

/// Renders a page with status 200.
fn page(site: &Site, head: &Head<'_>, data: &FirstData, now: DateTime<Utc>) -> Result<Representation, AppError> {
    let body = view::body(data, head, now);
    let (html, policy) = document::render(site, head, &body, data)?;
    let mut page = Representation::of("text/html; charset=utf-8", html.into_bytes());
    page.headers.insert(HeaderName::from_static("content-security-policy"), policy);
    if data.page == PageKind::Embed {
        page.framed = true;
        let any_site = HeaderValue::from_static("cross-origin");
        page.headers.insert(HeaderName::from_static("cross-origin-resource-policy"), any_site);
    }
    Ok(page)
}

fn home_data(connection: &Connection, now: DateTime<Utc>) -> Result<HomeData, AppError> {
    let window = window(now.date_naive());
    let filter = events::Filter { from: Some(window.from.clone()), to: Some(window.to.clone()), kind: None };
    Ok(HomeData {
        content: page_content::find(connection, page_content::HOME)?,
        next_event: events::first_from(connection, &timestamp(now))?,
        events: events::all(connection, &filter)?,
        window,
    })
}

/// The days whose events a page contains: the month grids of the current month in any time zone and of the next month,
/// which lets visitors go to the next month without a request.
fn window(today: NaiveDate) -> Window {
    let first = |day: NaiveDate| day.with_day(1).unwrap_or(day);
    let from = first(today - Days::new(1)) - Days::new(7);
    let to = first(today + Days::new(1)) + Months::new(2) + Days::new(6);
    Window { from: from.to_string(), to: to.to_string() }
}

/// A page is fresh until the next event has started, at most until [`next_midnight`].
fn fresh_until(home: Option<&HomeData>, now: DateTime<Utc>) -> DateTime<Utc> {
    let midnight = next_midnight(now);
    home.and_then(|home| home.next_event.as_ref())
        .and_then(|event| parse_timestamp(&event.starts_at))
        .map_or(midnight, |start| midnight.min(start + TimeDelta::seconds(1)))
}

/// The next midnight in UTC, on which [`Window`] depends, or in the default zone, on which the footer's year depends.
fn next_midnight(now: DateTime<Utc>) -> DateTime<Utc> {
    let after = |today: NaiveDate| (today + Days::new(1)).and_time(NaiveTime::MIN);
    let in_default_zone = zone::instant_of(zone::DEFAULT, after(now.with_timezone(&zone::DEFAULT).date_naive()));
    after(now.date_naive()).and_utc().min(in_default_zone)
}
