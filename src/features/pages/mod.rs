//! The HTML of the public routes: metadata, initial data, and the markup of the React components.

mod data;
mod document;
mod event;
mod freshness;
mod handlers;
mod renderer;
mod rules;
mod series;
mod types;

use std::sync::Arc;

use axum::response::Response;
use chrono::{DateTime, Utc};
use http::header::{CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, StatusCode, Uri};
use rusqlite::Connection;

use crate::features::auth::users;
use crate::features::events::{self, Event, Search, SearchResults};
use crate::features::page_content::PageContent;
use crate::features::site_settings::ConfiguredSettings;
use crate::features::{page_content, share_images};
use crate::platform::config::Config;
use crate::platform::error::AppError;
use crate::platform::response_cache::{CachedRoute, RouteOutput};
use crate::platform::state::AppState;

pub use document::Template;
use document::{Head, Page, PageContext};
pub use event::redirect;
use freshness::FreshnessPeriod;
pub use renderer::Renderer;
use types::{HomeData, PageKind, SiteInfo};
pub use types::{InitialData, PageInterest};

/// The paths of all pages except those of events: the routes of spec §2, the search and the embedded calendar.
pub const PATHS: [&str; 9] =
    ["/", "/calendar", "/search", "/auth", "/auth-success", "/login-help", ADMIN_LOGIN, ADMIN, EMBED];
/// The calendar for embedding in other sites.
const EMBED: &str = "/embed";
/// The path prefix of event pages.
pub const EVENT_PATH_PREFIX: &str = "/events/";
/// The suffix of the path of an attendance page, after the path of the event.
pub const ATTENDANCE_PATH_SUFFIX: &str = "/attendance";
/// The portal. Its tabs are in the query string; the sign-in page alone has a subpath.
const ADMIN: &str = "/admin";
/// The sign-in page.
const ADMIN_LOGIN: &str = "/admin/login";
/// The cache key of the page for unknown paths.
pub const NOT_FOUND_KEY: &str = "404";

/// The cache key of the page of deleted events.
const DELETED_KEY: &str = "410";

/// The cache key of the error page for a missing or deleted page; `None` for other errors.
pub fn missing_page(error: &AppError) -> Option<&'static str> {
    match error {
        AppError::NotFound(_) => Some(NOT_FOUND_KEY),
        AppError::Gone(_) => Some(DELETED_KEY),
        _ => None,
    }
}

/// All pages of the site.
#[derive(Clone)]
pub struct Pages {
    context: Arc<PageContext>,
    search: Search,
}

impl Pages {
    /// `template` is called for the first page. If it returns none (in a binary that was built without the web bundle),
    /// the pages show a notice. Without a renderer the browser renders them.
    pub fn new(
        config: &Config,
        settings: &ConfiguredSettings,
        base_url: &str,
        template: fn() -> Option<Template>,
        renderer: Option<Renderer>,
        search: Search,
    ) -> Self {
        Self { context: Arc::new(PageContext::new(config, settings.clone(), base_url, template, renderer)), search }
    }

    /// The search that the results page shows.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The routes of all pages that are the same for every visitor.
    pub fn cached_routes(&self) -> Vec<CachedRoute> {
        let page = |path: &'static str, kind: PageKind, status: StatusCode, title: &'static str| {
            let pages = self.clone();
            CachedRoute::new(path, move |connection, now, query| {
                pages.build(&PageDefinition { path, kind, status, title }, query, connection, now)
            })
            .ignore_query()
            .before_build(self.renderer_loader(kind))
        };
        let event_page = {
            let context = Arc::clone(&self.context);
            CachedRoute::new(EVENT_PATH_PREFIX, move |connection, now, rest| {
                event::build(&context, connection, now, rest)
            })
            .before_build(self.renderer_loader(PageKind::Event))
        };
        let series_page = {
            let context = Arc::clone(&self.context);
            CachedRoute::new(events::SERIES_PATH_PREFIX, move |connection, now, slug| {
                series::build(&context, connection, now, slug)
            })
            .before_build(self.renderer_loader(PageKind::Series))
        };
        vec![
            page("/", PageKind::Home, StatusCode::OK, "").canonical_query(rules::calendar),
            page("/calendar", PageKind::Calendar, StatusCode::OK, "Events Calendar").canonical_query(rules::calendar),
            page("/search", PageKind::Search, StatusCode::OK, "Search events").canonical_query(rules::search),
            page("/auth", PageKind::SignIn, StatusCode::OK, "Checking authentication"),
            page("/auth-success", PageKind::SignIn, StatusCode::OK, "Completing Authentication"),
            page("/login-help", PageKind::SignIn, StatusCode::OK, "Login Help"),
            page(ADMIN_LOGIN, PageKind::SignIn, StatusCode::OK, "Admin Login"),
            page(ADMIN, PageKind::Other, StatusCode::OK, "Admin Portal"),
            page(EMBED, PageKind::Embed, StatusCode::OK, "Events Calendar").canonical_query(rules::calendar),
            page(NOT_FOUND_KEY, PageKind::NotFound, StatusCode::NOT_FOUND, "Page not found"),
            page(DELETED_KEY, PageKind::Deleted, StatusCode::GONE, "This event was deleted"),
            event_page.with_subpaths().ignore_query(),
            series_page.with_subpaths().ignore_query(),
        ]
    }

    /// Loads the renderer of a page of this kind while its data is read.
    fn renderer_loader(&self, kind: PageKind) -> impl Fn() + Send + Sync + use<> {
        let renderer = self.context.renderer.clone().filter(|_| kind.is_rendered());
        move || renderer.iter().for_each(Renderer::load)
    }

    /// The page for a server error instead of its JSON, with the headers of that response.
    pub fn error(&self, mut response: Response, message: &str, request_id: Option<&str>) -> Response {
        let (html, policy) = document::error_page(&self.context, message, request_id);
        let headers = response.headers_mut();
        headers.remove(CONTENT_LENGTH);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(CONTENT_SECURITY_POLICY, policy);
        *response.body_mut() = html.into();
        response
    }

    /// The page of an event that visitors do not see, as it will be, for a request with the secret of its preview link;
    /// `None` for other requests. `count_attending` is how many plan to attend an event.
    ///
    /// # Errors
    /// The database can't be read.
    pub async fn respond_with_preview(
        &self,
        app: &AppState,
        uri: &Uri,
        headers: &HeaderMap,
        count_attending: fn(&Connection, i64) -> Result<i64, AppError>,
    ) -> Result<Option<Response>, AppError> {
        handlers::get_preview(self, app, uri, headers, count_attending).await
    }

    /// The attendance page of an event, which differs between visitors and so must not be cached.
    ///
    /// # Errors
    /// The database can't be read, or the data can't be serialized.
    pub fn attendance(
        &self,
        connection: &Connection,
        event: &Event,
        interest: PageInterest,
        now: DateTime<Utc>,
    ) -> Result<RouteOutput, AppError> {
        event::attendance(&self.context, connection, event, interest, now)
    }
}

/// The properties of a page that do not depend on the database.
#[derive(Clone, Copy)]
struct PageDefinition {
    path: &'static str,
    kind: PageKind,
    status: StatusCode,
    title: &'static str,
}

impl Pages {
    fn build(
        &self,
        definition: &PageDefinition,
        query: &str,
        connection: &Connection,
        now: DateTime<Utc>,
    ) -> Result<RouteOutput, AppError> {
        let context = &self.context;
        let PageDefinition { path, kind, status, title } = *definition;
        let query = query.trim_start_matches('?');
        let theme = rules::theme(query);
        let site = context.site(connection, now)?;
        let home = match kind {
            PageKind::Home | PageKind::Calendar | PageKind::Embed => {
                // The home page has no filter.
                let event_type = rules::event_type(query, kind == PageKind::Embed).filter(|_| kind != PageKind::Home);
                Some(data::home(connection, now, rules::day(query), event_type)?)
            }
            PageKind::Search
            | PageKind::Event
            | PageKind::Series
            | PageKind::NotFound
            | PageKind::Deleted
            | PageKind::SignIn
            | PageKind::Other => None,
        };
        let query = if kind == PageKind::Search { rules::search(query) } else { rules::calendar(query) };
        // Every query is a separate page, so only some may wait for the renderer.
        let renderer = context.renderer.as_ref().filter(|_| kind == PageKind::Search && query.is_some());
        let admission = renderer.map(Renderer::admit_search).transpose()?;
        let searched = query.as_deref().filter(|_| kind == PageKind::Search);
        let results = searched.map(|query| self.find(connection, now, query)).transpose()?;
        let mut freshness =
            home.as_ref().map_or_else(|| FreshnessPeriod::year_of(now), |home| home_freshness(home, now));
        if let Some(results) = &results {
            results.events.events.iter().for_each(|found| freshness.changes_with(&found.event));
            freshness.ends_by(results.changes_at);
        }
        if home.is_some() || results.is_some() {
            freshness.ends_by(events::next_publication(connection, now)?);
        }
        freshness.ends_by(site.notice_ends);
        let texts =
            home.as_ref().map(|home| home.content.clone().unwrap_or_else(|| PageContent::fallback(page_content::HOME)));
        let hero = texts.as_ref().map(|texts| (texts.hero_title.as_str(), texts.hero_subtitle.as_str()));
        let image = home.as_ref().zip(hero).filter(|_| kind == PageKind::Home).map(|(home, (title, _))| {
            site.identity.absolute_url(&share_images::home_path(title, home.next_event.as_ref(), &site.settings))
        });
        let head = Head {
            title: hero.filter(|_| title.is_empty()).map_or(title, |(title, _)| title),
            description: hero.map(|(_, subtitle)| subtitle),
            path: if status == StatusCode::OK { Some(path) } else { None },
            // Search engines must not list sign-in and the portal.
            indexed: matches!(kind, PageKind::Home | PageKind::Calendar),
            image: image.as_deref(),
            structured: None,
            series: None,
            theme,
        };
        let (shows_texts, shows_events) = (home.is_some(), home.is_some() || results.is_some());
        let needs_admin = path == ADMIN_LOGIN && !users::any(connection)?;
        let data = InitialData {
            site: SiteInfo { needs_admin, ..site.info.clone() },
            page: kind,
            query: query.map(|query| format!("?{query}")).unwrap_or_default(),
            rendered_as_of: freshness.rendered_as_of(),
            home,
            event: None,
            interest: None,
            series: None,
            found: results.map(|results| results.events),
        };
        let page = Page::new(&site, status, &head, &data, &freshness)?;
        let page = match admission {
            Some(admission) => page.admitted(admission),
            None => page,
        };
        let page = if status == StatusCode::OK && kind.is_publicly_cacheable() {
            page.shared(rules::surrogate_keys(shows_texts, shows_events))
        } else {
            page
        };
        Ok(RouteOutput::Deferred(page.deferred(context)))
    }

    /// The events on the page of results that a canonical query string names.
    fn find(&self, connection: &Connection, now: DateTime<Utc>, query: &str) -> Result<SearchResults, AppError> {
        let text = rules::parameter(query, "q").unwrap_or_default();
        let page = rules::parameter(query, "page").and_then(|page| page.parse().ok()).unwrap_or(1);
        self.search.find(connection, now, &text, events::ResultsPage { number: page, size: events::SEARCH_PAGE_SIZE })
    }
}

/// The page changes with the day and when one of its events starts or ends.
fn home_freshness(home: &HomeData, now: DateTime<Utc>) -> FreshnessPeriod {
    let mut freshness = FreshnessPeriod::day_of(now);
    let nearest = home.nearest_event.as_ref().map(|nearest| &nearest.event);
    for event in home.events.iter().chain(&home.next_event).chain(nearest) {
        freshness.changes_with(event);
    }
    freshness
}
