//! What a share image shows, and the address that follows from it.

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::features::events::{Event, presentation};
use crate::platform::config::Site;

/// Rises when the drawing itself changes, so that pictures drawn before have other addresses.
const DRAWING: u32 = 1;
/// So many characters of a venue's name are shown.
const VENUE: usize = 30;

/// Everything that a picture shows. Two events with the same content have the same picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Content {
    drawing: u32,
    /// The site's name.
    pub(super) site: String,
    /// Whether the built-in mark stands beside it: a company with a logo of its own is not shown with ours.
    pub(super) mark: bool,
    /// The event's title.
    pub(super) title: String,
    /// The event's type, in its own words.
    pub(super) kind: String,
    /// `March 10, 2026`
    pub(super) date: String,
    /// `8:00 PM ET`
    pub(super) time: String,
    /// The time elsewhere of an online event, the place of one in person.
    pub(super) beside: String,
    /// Who speaks, in the editor's order.
    pub(super) speakers: Vec<Speaker>,
}

/// What a picture shows of a speaker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Speaker {
    pub(super) name: String,
    /// Where the portrait is, where it is a picture of this server. Others are never fetched.
    pub(super) portrait: Option<String>,
}

impl Content {
    /// What the picture of an event shows.
    pub(super) fn of(event: &Event, site: &Site) -> Self {
        let (start, zone) = presentation::start_of(event);
        let beside = match &event.location {
            Some(place) => {
                // As on the card (spec §9), so that the city is still there behind a long name.
                let venue = presentation::cut(&place.venue_name, VENUE).unwrap_or_else(|| place.venue_name.clone());
                let parts = [venue.as_str(), &place.city, &place.state];
                parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
            }
            None => presentation::alternates(start, zone),
        };
        let speakers = event.speakers.iter().map(|entry| Speaker {
            name: entry.speaker.name.clone(),
            portrait: entry.speaker.image_url.clone().filter(|address| address.starts_with("/pictures/")),
        });
        Self {
            drawing: DRAWING,
            site: site.name.clone(),
            mark: site.logo_url.is_none(),
            title: event.title.clone(),
            kind: event.r#type.clone(),
            date: presentation::date(start, zone),
            time: presentation::time(start, zone),
            beside,
            speakers: speakers.collect(),
        }
    }

    /// Of everything that is shown, 16 hexadecimal digits.
    pub(super) fn hash(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        Sha256::digest(&json)[..8].iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

/// Where the picture of an event is, below the site's own address: `/share/12-0123456789abcdef.png`.
/// It is another address as soon as the picture would be another, so it may be kept for ever.
pub fn address(event: &Event, site: &Site) -> String {
    address_of(event.id, &Content::of(event, site).hash())
}

/// The address of the picture with this hash.
pub(super) fn address_of(id: i64, hash: &str) -> String {
    format!("/share/{id}-{hash}.png")
}
