//! The initial data of a page, with which its first view needs no further request.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use crate::features::events::{Event, FoundEvents, Series};
use crate::features::page_content::PageContent;
use crate::features::site_settings::{EffectiveSettings, Notice};
use crate::platform::config::{Config, Contact, Link};
use crate::platform::hex::hex;

/// The initial data in the HTML of a page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InitialData {
    /// The site settings.
    pub site: SiteInfo,
    pub page: PageKind,
    /// The query string with which the page was rendered, with its `?`; empty without one.
    pub query: String,
    /// The start of the period in which the page is the same, RFC 3339; the first render uses it as the current time.
    pub rendered_as_of: String,
    /// Content and events; null on pages other than home, calendar and embed.
    #[schema(required)]
    pub home: Option<HomeData>,
    /// The event; null on pages other than event and attendance pages.
    #[schema(required)]
    pub event: Option<Event>,
    /// The interest in the event; null on pages other than attendance pages and previews.
    #[schema(required)]
    pub interest: Option<PageInterest>,
    /// The series; left out on other pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub series: Option<SeriesData>,
    /// The events on this page of the results of a search; null on other pages, and if there was no search.
    #[schema(required)]
    pub found: Option<FoundEvents>,
}

/// The interest in an event, for the visitor who requested the page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageInterest {
    /// How many plan to attend; null if the event is not in person.
    #[schema(required)]
    pub count: Option<i64>,
    /// Whether this visitor is one of them.
    pub has_interest: bool,
    /// Why the visitor's last change was rejected.
    #[schema(required)]
    pub problem: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PageKind {
    /// The home page.
    Home,
    /// The calendar with its filter.
    Calendar,
    Event,
    /// A series of events.
    Series,
    /// The calendar for embedding in other sites. The query string selects type, theme and view
    /// (`?type=special&theme=dark&view=week`).
    Embed,
    /// The search, with its results.
    Search,
    /// The page for unknown paths.
    NotFound,
    /// The page of deleted events.
    Deleted,
    /// Sign-in and related pages.
    SignIn,
    /// The portal.
    Other,
}

/// Content and events.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HomeData {
    /// The hero's texts; null if no admin has changed them.
    #[schema(required)]
    pub content: Option<PageContent>,
    /// The first event that starts at or after `renderedAsOf`.
    #[schema(required)]
    pub next_event: Option<Event>,
    /// The first event after the window, or if no event follows, the last one before the shown month. Null if the window
    /// has one from the shown month on, today at the earliest. For a past month without events, the first event from
    /// `renderedAsOf` on, or if no event follows, the last one of all.
    #[schema(required)]
    pub nearest_event: Option<NearestEvent>,
    /// All events of the window, ordered by start.
    pub events: Vec<Event>,
    /// The days whose events are included.
    pub window: DateRange,
}

/// An event outside the shown month, to which that leads if it is empty.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NearestEvent {
    /// The event type that the page shows and that the event has; null if the page shows all.
    #[serde(rename = "type")]
    #[schema(required)]
    pub kind: Option<String>,
    /// Whether it is the last one, because no event is later.
    pub is_last: bool,
    pub event: Event,
}

/// A series and its events.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeriesData {
    pub name: String,
    /// Path of its page, such as `/series/tax-tuesdays`.
    pub path: String,
    /// Its public events by the instant of their start, without their descriptions.
    pub events: Vec<Event>,
}

impl SeriesData {
    pub(super) fn new(series: &Series, mut events: Vec<Event>) -> Self {
        for event in &mut events {
            event.description.clear();
            event.series_position = None;
            for one in &mut event.speakers {
                one.speaker.bio = None;
            }
        }
        Self { name: series.name.clone(), path: series.path(), events }
    }
}

/// A span of days.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DateRange {
    /// First day, yyyy-MM-dd.
    pub from: String,
    /// Last day, yyyy-MM-dd.
    pub to: String,
}

/// The site settings (spec §2).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Site)]
pub struct SiteInfo {
    /// The company's name.
    pub name: String,
    /// An image that replaces the built-in logo.
    #[schema(required)]
    pub logo_url: Option<String>,
    /// The target of `Learn More`.
    pub learn_more_url: String,
    /// The target of `Schedule a Call`.
    #[schema(required)]
    pub schedule_call_url: Option<String>,
    /// The target of `Investor Resources`.
    #[schema(required)]
    pub investor_resources_url: Option<String>,
    /// The contact block.
    pub contact: Contact,
    pub social: Vec<Link>,
    /// The four link columns.
    pub columns: Vec<Column>,
    /// The small print.
    pub disclaimer: String,
    /// The notice on all public pages, unless it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub notice: Option<SiteNotice>,
    #[schema(required)]
    pub subscribe: Option<NewsletterForm>,
    /// The key for maps in the browser.
    #[schema(required)]
    pub maps_browser_key: Option<String>,
    /// Whether sign-in through Replit is offered.
    pub replit_login: bool,
    /// The public URL of the site, without a trailing slash.
    pub base_url: String,
    /// Whether there is no account yet; on the sign-in page only, which then shows how to create one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub needs_admin: bool,
}

/// A notice on all public pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SiteNotice {
    /// Changes with the notice, so that a visitor who has dismissed it sees the next one.
    pub id: String,
    /// What it says.
    pub text: String,
    #[schema(required)]
    pub link: Option<Link>,
}

impl From<&Notice> for SiteNotice {
    fn from(notice: &Notice) -> Self {
        let link = notice.link.as_ref().map(|link| format!("{}\n{}", link.label, link.url)).unwrap_or_default();
        let hash = Sha256::digest(format!("{}\n{link}", notice.text));
        Self { id: hex(&hash[..6]), text: notice.text.clone(), link: notice.link.clone() }
    }
}

/// A column of links.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Column {
    /// Its heading.
    pub title: String,
    pub links: Vec<Link>,
}

/// The newsletter form, which the provider's script inserts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewsletterForm {
    pub script_url: String,
    /// The `id` of the element that the script fills.
    pub container_id: String,
    /// Attributes of that element.
    pub attributes: BTreeMap<String, String>,
}

impl PageKind {
    /// Whether the server renders its markup. Other pages are rendered by the browser only.
    pub(super) fn is_rendered(self) -> bool {
        !matches!(self, Self::SignIn | Self::Other)
    }

    /// Whether it is a page for visitors, which shared caches may store.
    pub(super) fn is_publicly_cacheable(self) -> bool {
        matches!(self, Self::Home | Self::Calendar | Self::Embed | Self::Search | Self::Event | Self::Series)
    }

    /// Whether it has the header of the public pages.
    pub(super) fn has_header(self) -> bool {
        self.is_rendered() && self != Self::Embed
    }

    /// The chunk of the web build with the components and styles of the page; `None` if they are in the main chunk.
    pub(super) fn chunk(self) -> Option<&'static str> {
        match self {
            Self::Event => Some("event-route"),
            Self::Series => Some("series-route"),
            Self::Embed => Some("embed-route"),
            Self::Search => Some("search-route"),
            Self::NotFound | Self::Deleted => Some("not-found-route"),
            Self::Home | Self::Calendar => Some("lazy-sections"),
            Self::SignIn | Self::Other => None,
        }
    }
}

impl SiteInfo {
    /// The settings that the page needs.
    pub(super) fn new(settings: &EffectiveSettings, deployment: &Deployment, now: DateTime<Utc>) -> Self {
        let column = |title: &str, links: &[Link]| Column { title: title.to_owned(), links: links.to_vec() };
        let (footer, subscribe) = (&settings.footer, &settings.subscribe);
        Self {
            name: settings.name.clone(),
            logo_url: settings.logo_url.clone(),
            learn_more_url: settings.learn_more_url.clone(),
            schedule_call_url: settings.schedule_call_url.clone(),
            investor_resources_url: settings.investor_resources_url.clone(),
            contact: settings.contact.clone(),
            social: settings.social.clone(),
            columns: vec![
                column("Who We Are", &footer.who_we_are),
                column("Investments", &footer.investments),
                column("Discover", &footer.discover),
                column("Explore More", &footer.explore_more),
            ],
            disclaimer: settings.disclaimer.clone(),
            notice: settings.notice.as_ref().filter(|notice| notice.is_shown(now)).map(SiteNotice::from),
            subscribe: subscribe.script_url.as_ref().map(|script| NewsletterForm {
                script_url: script.to_string(),
                container_id: subscribe.container_id.clone(),
                attributes: subscribe.attributes.clone(),
            }),
            maps_browser_key: deployment.maps_browser_key.clone(),
            replit_login: deployment.replit_login,
            base_url: deployment.base_url.clone(),
            needs_admin: false,
        }
    }
}

/// The settings of the operator that pages need.
pub(super) struct Deployment {
    maps_browser_key: Option<String>,
    replit_login: bool,
    /// The public URL of the site, without a trailing slash.
    pub(super) base_url: String,
}

impl Deployment {
    pub(super) fn new(config: &Config, base_url: &str) -> Self {
        Self {
            maps_browser_key: config.places.browser_key.clone(),
            replit_login: config.auth.replit_login,
            base_url: base_url.to_owned(),
        }
    }
}
