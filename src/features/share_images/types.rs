//! The content of a share image and its path.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::features::events::{Event, Series, presentation};
use crate::features::site_settings::EffectiveSettings;
use crate::platform::hex::hex;

/// Increase it when the layout changes, which changes the paths of all images.
const LAYOUT_VERSION: u32 = 2;
/// Length of the displayed name of a venue, in characters.
const VENUE_LENGTH: usize = 30;

/// The content of an image. Events with the same content have the same image. The names in the serialized form are part
/// of the hash, so they stay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ShareImageContent {
    layout: u32,
    /// The site's name.
    pub(super) site: String,
    /// Whether the built-in logo is shown next to it; false if a logo is configured.
    #[serde(rename = "mark")]
    pub(super) shows_logo: bool,
    /// The path of the company's logo if this server has it; other images are not fetched. Left out of the hash of
    /// images without one, whose paths stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) logo: Option<String>,
    /// The event's title.
    pub(super) title: String,
    /// The event's type.
    pub(super) kind: String,
    /// `March 10, 2026`
    pub(super) date: String,
    /// `8:00 PM ET`
    pub(super) time: String,
    /// The times in other zones for an online event, the venue for an in-person event.
    pub(super) detail: String,
    /// The speakers in the admin's order.
    pub(super) speakers: Vec<Speaker>,
    /// `Cancelled` or `Postponed`. Left out of the hash of other images, whose paths stay.
    #[serde(rename = "notice", skip_serializing_if = "Option::is_none")]
    pub(super) badge: Option<&'static str>,
}

/// A speaker in an image.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Speaker {
    pub(super) name: String,
    /// The path of the portrait if this server has it; other images are not fetched.
    pub(super) portrait: Option<String>,
}

impl ShareImageContent {
    /// The content of the image of an event.
    pub(super) fn from_event(event: &Event, settings: &EffectiveSettings) -> Self {
        let (start, zone) = presentation::start_of(event);
        let detail = match &event.location {
            Some(location) => {
                // Shortened as on the card (spec §9), which leaves space for the city.
                let venue = presentation::truncate(&location.venue_name, VENUE_LENGTH)
                    .unwrap_or_else(|| location.venue_name.clone());
                let parts = [venue.as_str(), &location.city, &location.state];
                parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
            }
            None => presentation::alternate_times(start, zone),
        };
        let speakers = event.speakers.iter().map(|entry| Speaker {
            name: entry.speaker.name.clone(),
            portrait: entry.speaker.image_url.clone().filter(|url| url.starts_with("/pictures/")),
        });
        Self {
            layout: LAYOUT_VERSION,
            site: settings.name.clone(),
            shows_logo: settings.logo_url.is_none(),
            logo: logo_of(settings),
            title: event.title.clone(),
            kind: event.r#type.clone(),
            date: presentation::date_label(start, zone),
            time: presentation::time_label(start, zone),
            detail,
            speakers: speakers.collect(),
            badge: event.status.badge(),
        }
    }

    /// The content of the image of the home page: its title, and the next event.
    pub(super) fn from_home(title: &str, next: Option<&Event>, settings: &EffectiveSettings) -> Self {
        let content = match next {
            Some(event) => Self {
                // A badge beside the title of the page would be read as the page's own.
                detail: presentation::marked_title(event).into_owned(),
                badge: None,
                ..Self::from_event(event, settings)
            },
            None => Self {
                layout: LAYOUT_VERSION,
                site: settings.name.clone(),
                shows_logo: settings.logo_url.is_none(),
                logo: logo_of(settings),
                title: String::new(),
                kind: "Events Calendar".to_owned(),
                date: "Stay Tuned for Upcoming Events".to_owned(),
                time: String::new(),
                detail: String::new(),
                speakers: Vec::new(),
                badge: None,
            },
        };
        Self { title: title.to_owned(), ..content }
    }

    /// The content of the image of a series: its name, and its next or else its last event.
    pub(super) fn from_series(
        series: &Series,
        events: &[Event],
        now: DateTime<Utc>,
        settings: &EffectiveSettings,
    ) -> Self {
        let shown = events.iter().find(|event| event.ends() > now).or(events.last());
        Self::from_home(&series.name, shown, settings)
    }

    /// The hash of the content, 16 hexadecimal digits.
    pub(super) fn hash(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        hex(&Sha256::digest(&json)[..8])
    }
}

fn logo_of(settings: &EffectiveSettings) -> Option<String> {
    settings.logo_url.clone().filter(|url| url.starts_with("/pictures/"))
}

/// The path of the image of an event: `/share/12-0123456789abcdef.png`. It changes with the content,
/// so clients may cache the image forever.
pub fn path(event: &Event, settings: &EffectiveSettings) -> String {
    ShareImagePage::Event(event.id).path(&ShareImageContent::from_event(event, settings).hash())
}

/// The path of the image of the home page, `/share/home-0123456789abcdef.png`: it shows the page's title and the next
/// event.
pub fn home_path(title: &str, next: Option<&Event>, settings: &EffectiveSettings) -> String {
    ShareImagePage::Home.path(&ShareImageContent::from_home(title, next, settings).hash())
}

/// The path of the image of a series, `/share/series-3-0123456789abcdef.png`. `events` are its public events.
pub fn series_path(series: &Series, events: &[Event], now: DateTime<Utc>, settings: &EffectiveSettings) -> String {
    ShareImagePage::Series(series.id).path(&ShareImageContent::from_series(series, events, now, settings).hash())
}

/// The page that an image previews.
#[derive(Clone, Copy, Debug)]
pub(super) enum ShareImagePage {
    Home,
    /// The event with this id.
    Event(i64),
    /// The series with this id.
    Series(i64),
}

impl ShareImagePage {
    /// The path of the image with this hash.
    pub(super) fn path(self, hash: &str) -> String {
        match self {
            Self::Home => format!("/share/home-{hash}.png"),
            Self::Event(id) => format!("/share/{id}-{hash}.png"),
            Self::Series(id) => format!("/share/series-{id}-{hash}.png"),
        }
    }
}
