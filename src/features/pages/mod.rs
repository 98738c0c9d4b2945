//! The HTML of the public routes: metadata, the first data inlined, readable without scripts.

mod document;
mod event;
mod html;
mod types;
mod view;

use std::sync::Arc;

use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, TimeDelta, Utc};
use http::{HeaderName, HeaderValue, StatusCode};
use rusqlite::Connection;

use crate::features::{events, feeds, page_content};
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::config::{Config, WebAddress};
use crate::platform::error::AppError;
use crate::platform::response_cache::{CachedPrefix, CachedRoute, Representation};
use crate::platform::security::Policy;

pub use document::Template;
use document::{Head, Site};
pub use types::FirstData;
use types::{HomeData, PageKind, SiteInfo, Window};

/// Every route of spec §2 that has a page, and the calendar for other sites.
pub const PATHS: [&str; 8] = ["/", "/calendar", "/auth", "/auth-success", "/login-help", "/admin/login", ADMIN, EMBED];
/// The calendar alone, for other sites' pages.
const EMBED: &str = "/embed";
/// Its themes, and under which name the page in each is prepared.
const EMBED_THEMES: [(&str, &str); 2] = [("light", "/embed?theme=light"), ("dark", "/embed?theme=dark")];
/// What the address of every event begins with.
pub const EVENTS: &str = "/events/";
/// The portal's page. Its tabs are in the query, so nothing but the sign-in page lies under it.
const ADMIN: &str = "/admin";
/// The page that says that there is nothing here; not an address of its own.
pub const NOT_FOUND: &str = "404";

/// All pages. Without a template (a binary built without the page) they say so.
pub fn cached_routes(
    config: &Config,
    base_url: &str,
    template: Option<Template>,
) -> (Vec<CachedRoute>, Vec<CachedPrefix>) {
    let site = Arc::new(Site {
        info: SiteInfo::new(config, base_url),
        company: config.site.clone(),
        publisher: feeds::Publisher::new(config, base_url),
        policy: policy(config),
        policy_of_portal: policy_of_portal(config),
        framed_by: framed_by(config),
        template,
    });
    let route = |name: &'static str, plan: Plan| {
        let site = Arc::clone(&site);
        CachedRoute::new(name, move |connection, now| build(&site, &plan, connection, now))
    };
    let page = |path: &'static str, kind: PageKind, status: StatusCode, title: &'static str| {
        route(path, Plan { path, kind, status, title, theme: None }).whatever_the_query()
    };
    let embed =
        Plan { path: EMBED, kind: PageKind::Embed, status: StatusCode::OK, title: "Events Calendar", theme: None };
    let of_event = {
        let site = Arc::clone(&site);
        CachedPrefix::new(EVENTS, move |connection, now, rest| event::build(&site, connection, now, rest))
    };
    let mut pages = vec![
        page("/", PageKind::Home, StatusCode::OK, ""),
        page("/calendar", PageKind::Calendar, StatusCode::OK, "Events Calendar"),
        page("/auth", PageKind::SignIn, StatusCode::OK, "Checking authentication"),
        page("/auth-success", PageKind::SignIn, StatusCode::OK, "Completing Authentication"),
        page("/login-help", PageKind::SignIn, StatusCode::OK, "Login Help"),
        page("/admin/login", PageKind::SignIn, StatusCode::OK, "Admin Login"),
        page(ADMIN, PageKind::Other, StatusCode::OK, "Admin Portal"),
        route(EMBED, embed).chosen_by_query(theme_in),
        page(NOT_FOUND, PageKind::Other, StatusCode::NOT_FOUND, "Page not found"),
    ];
    pages.extend(EMBED_THEMES.map(|(theme, name)| route(name, Plan { theme: Some(theme), ..embed })));
    (pages, vec![of_event])
}

/// Which of the embedded calendar's pages a query string asks for; the one without a theme of its
/// own where it names none that there is. The first `theme` counts, as it does in the browser.
fn theme_in(query: &str) -> Option<&'static str> {
    let (_, wanted) = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "theme")?;
    EMBED_THEMES.iter().find(|(theme, _)| *theme == wanted).map(|(_, name)| *name)
}

/// What is fixed about a page, whatever the database holds.
#[derive(Clone, Copy)]
struct Plan {
    path: &'static str,
    kind: PageKind,
    status: StatusCode,
    title: &'static str,
    theme: Option<&'static str>,
}

/// Who may show the embedded calendar: the configured sites, or any.
fn framed_by(config: &Config) -> Vec<String> {
    if config.embed.allowed_hosts.is_empty() {
        return vec!["*".to_owned()];
    }
    // This site too, so that an admin can look at it.
    std::iter::once("'self'".to_owned()).chain(config.embed.allowed_hosts.iter().map(WebAddress::origin)).collect()
}

/// The hosts that the configured form and map need, beyond this server.
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

/// What the venue search of the event form needs, in the portal alone and only with a key: Google's
/// script, which loads more of itself, asks for places, and puts style elements and letters into the
/// page. A policy that names a hash would make browsers ignore `'unsafe-inline'`, so the page's own
/// style has no hash here. Maps would want `'unsafe-eval'` and workers as well; the search does not.
fn policy_of_portal(config: &Config) -> Option<Policy> {
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

fn build(site: &Site, plan: &Plan, connection: &Connection, now: DateTime<Utc>) -> Result<Representation, AppError> {
    let Plan { path, kind, status, title, theme } = *plan;
    let home = match kind {
        PageKind::Home | PageKind::Calendar | PageKind::Embed => Some(home_data(connection, now)?),
        PageKind::Event | PageKind::SignIn | PageKind::Other => None,
    };
    let fresh_until = home.as_ref().map(|home| fresh_until(home, now));
    let data = FirstData { site: site.info.clone(), page: kind, home, event: None };
    let content = data.home.as_ref().and_then(|home| home.content.as_ref());
    let hero = view::Hero::of(content);
    let head = Head {
        title: if title.is_empty() { &hero.title } else { title },
        description: if data.home.is_some() { Some(&hero.subtitle) } else { None },
        path: if status == StatusCode::OK { Some(path) } else { None },
        // Sign-in and the portal are nobody's search result.
        indexed: matches!(kind, PageKind::Home | PageKind::Calendar),
        image: None,
        structured: None,
        theme,
    };
    Ok(Representation { status, fresh_until, ..self::page(site, &head, &data, now)? })
}

/// The whole page, 200 and true as long as the content stays.
fn page(site: &Site, head: &Head<'_>, data: &FirstData, now: DateTime<Utc>) -> Result<Representation, AppError> {
    let body = view::body(data, head, now);
    let (html, policy) = document::render(site, head, &body, data)?;
    let mut draft = Representation::of("text/html; charset=utf-8", html.into_bytes());
    draft.headers.insert(HeaderName::from_static("content-security-policy"), policy);
    if data.page == PageKind::Embed {
        draft.framed = true;
        let anybody = HeaderValue::from_static("cross-origin");
        draft.headers.insert(HeaderName::from_static("cross-origin-resource-policy"), anybody);
    }
    Ok(draft)
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

/// The days of which a page carries all events: the month grids of whatever month it is where the
/// visitor is and of the month after it, so that a step ahead asks for nothing.
fn window(today: NaiveDate) -> Window {
    let first = |day: NaiveDate| day.with_day(1).unwrap_or(day);
    let from = first(today - Days::new(1)) - Days::new(7);
    let to = first(today + Days::new(1)) + Months::new(2) + Days::new(6);
    Window { from: from.to_string(), to: to.to_string() }
}

/// A page is true until the next event has begun, and no longer than until midnight.
fn fresh_until(home: &HomeData, now: DateTime<Utc>) -> DateTime<Utc> {
    let midnight = midnight_after(now);
    home.next_event
        .as_ref()
        .and_then(|event| parse_timestamp(&event.starts_at))
        .map_or(midnight, |start| midnight.min(start + TimeDelta::seconds(1)))
}

fn midnight_after(now: DateTime<Utc>) -> DateTime<Utc> {
    (now.date_naive() + Days::new(1)).and_time(chrono::NaiveTime::MIN).and_utc()
}
