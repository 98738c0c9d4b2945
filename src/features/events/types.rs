//! Events as they are sent and received (spec §3, §7).

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::features::activity::{Fields, Subject};
use crate::platform::clock::parse_timestamp;
use crate::platform::error::ErrorBody;

/// An event with its location and speakers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Number of the event.
    pub id: i64,
    /// Where its page is, such as `/events/12-reading-an-operating-agreement`; made by the server.
    #[serde(default)]
    #[schema(required)]
    pub path: String,
    /// The provider's id; set for imported events.
    #[schema(required)]
    pub brandlive_id: Option<String>,
    /// The series that it belongs to.
    #[schema(required)]
    pub series: Option<String>,
    /// Title.
    pub title: String,
    /// Day in the event's own zone, yyyy-MM-dd.
    pub date: String,
    /// Wall clock in the event's own zone, HH:mm.
    pub time: String,
    /// `60 minutes`
    pub duration: String,
    /// One or two sentences for cards.
    #[schema(required)]
    pub summary: Option<String>,
    /// The whole text; paragraphs are parted by blank lines.
    pub description: String,
    /// Where visitors register.
    pub registration_url: String,
    /// One of the event types; imported events may have another.
    pub r#type: String,
    /// Addresses that add it to a calendar.
    pub calendar_links: CalendarLinks,
    /// IANA name of the zone.
    pub timezone: String,
    /// UTC, RFC 3339.
    pub created_at: String,
    /// UTC, RFC 3339.
    pub updated_at: String,
    /// The instant of start, UTC, RFC 3339.
    pub starts_at: String,
    /// Rises with every save; sent back with a change, it tells of another editor's save in between.
    pub revision: i64,
    /// The venue of an in-person event.
    #[schema(required)]
    pub location: Option<Location>,
    /// Who speaks, in the editor's order.
    pub speakers: Vec<EventSpeaker>,
}

impl Subject for Event {
    const KIND: &'static str = "event";

    fn number(&self) -> Option<i64> {
        Some(self.id)
    }

    fn name(&self) -> String {
        self.title.clone()
    }

    fn fields(&self) -> Fields {
        let location = self.location.as_ref();
        let venue = |of: fn(&Location) -> &String| location.map(|at| of(at).as_str());
        Fields::default()
            .with("title", Some(&self.title))
            .with("date", Some(&self.date))
            .with("time", Some(&self.time))
            .with("duration", Some(&self.duration))
            .with("timezone", Some(&self.timezone))
            .with("type", Some(&self.r#type))
            .with("series", self.series.as_deref())
            .with("summary", self.summary.as_deref())
            .with("description", Some(&self.description))
            .with("registrationUrl", Some(&self.registration_url))
            .with("brandliveId", self.brandlive_id.as_deref())
            .with("calendarLinks.google", self.calendar_links.google.as_deref())
            .with("calendarLinks.outlook", self.calendar_links.outlook.as_deref())
            .with("calendarLinks.ical", self.calendar_links.ical.as_deref())
            .with("location.venueName", venue(|at| &at.venue_name))
            .with("location.venueAddress", venue(|at| &at.venue_address))
            .with("location.city", venue(|at| &at.city))
            .with("location.state", venue(|at| &at.state))
            .with("location.imageUrl", location.and_then(|at| at.image_url.as_deref()))
            .with("location.placeId", location.and_then(|at| at.place_id.as_deref()))
            .with("speakers", Some(&names_of(&self.speakers)))
    }
}

fn names_of(speakers: &[EventSpeaker]) -> String {
    speakers.iter().map(|one| one.speaker.name.as_str()).collect::<Vec<_>>().join(", ")
}

impl Event {
    /// The instant of start.
    pub fn starts(&self) -> DateTime<Utc> {
        parse_timestamp(&self.starts_at).unwrap_or_default()
    }

    /// The instant of end: the duration is a text with a number of minutes in it, an hour where
    /// there is none (spec §3).
    pub fn ends(&self) -> DateTime<Utc> {
        let is_part = |c: &char| c.is_ascii_digit() || *c == '.';
        let number: String = self.duration.chars().skip_while(|c| !c.is_ascii_digit()).take_while(is_part).collect();
        let seconds = number.parse::<f64>().ok().filter(|minutes| *minutes > 0.0).unwrap_or(60.0) * 60.0;
        let length =
            std::time::Duration::try_from_secs_f64(seconds).ok().and_then(|time| TimeDelta::from_std(time).ok());
        length.and_then(|length| self.starts().checked_add_signed(length)).unwrap_or(self.starts())
    }
}

impl Location {
    /// `city, state`; nothing where the address says the city already (spec §2).
    pub fn city_line(&self) -> String {
        let Self { venue_address, city, state, .. } = self;
        if !city.is_empty() && venue_address.to_lowercase().contains(&city.to_lowercase()) {
            return String::new();
        }
        [city.as_str(), state.as_str()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// The whole place in one line.
    pub fn line(&self) -> String {
        let parts = [self.venue_name.as_str(), self.venue_address.as_str(), &self.city_line()];
        parts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// An event as calendar subscriptions report it.
#[derive(Clone, Debug)]
pub struct CalendarEntry {
    /// The event.
    pub event: Event,
    /// Rises when time, venue, visibility or deletion change (RFC 5545 §3.8.7.4).
    pub sequence: i64,
    /// When the event was deleted or hidden; `None` while it is public.
    pub cancelled_at: Option<DateTime<Utc>>,
}

/// Addresses that add an event to a calendar; each may be missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CalendarLinks {
    /// Google Calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub google: Option<String>,
    /// Outlook.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub outlook: Option<String>,
    /// An iCalendar file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ical: Option<String>,
}

/// The venue of an in-person event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// Name of the venue.
    pub venue_name: String,
    /// Street address; may be blank.
    pub venue_address: String,
    /// City; may be blank.
    pub city: String,
    /// State; may be blank.
    pub state: String,
    /// Picture of the venue.
    #[schema(required)]
    pub image_url: Option<String>,
    /// The maps provider's id of the place.
    #[schema(required)]
    pub place_id: Option<String>,
}

/// One speaker of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventSpeaker {
    /// Number of the speaker.
    pub speaker_id: i64,
    /// The speaker.
    pub speaker: SpeakerOfEvent,
}

/// What an event says of a speaker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpeakerOfEvent {
    /// Number of the speaker.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Position.
    pub title: String,
    /// Portrait.
    #[schema(required)]
    pub image_url: Option<String>,
    /// A few sentences.
    #[schema(required)]
    pub bio: Option<String>,
}

/// What is sent to create or change an event.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveEvent {
    /// The event itself; required.
    pub event: Option<EventInput>,
    /// The venue; ignored for other types than In-Person Events.
    pub location: Option<LocationInput>,
    /// Who speaks, in order; at least one.
    pub speaker_ids: Option<Vec<i64>>,
    /// The revision that the editor began with. Where it is given and is not the stored one any more, nothing is saved.
    pub revision: Option<i64>,
}

/// Why a change was not saved: somebody else saved the event since the editor began.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct EventConflict {
    /// The sentence for the editor.
    pub error: String,
    /// The event as it is stored now.
    pub current: Event,
}

/// What a change of an event may contradict.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum UpdateConflict {
    /// Another editor's save.
    Edited(Box<EventConflict>),
    /// A value that another event has.
    Taken(ErrorBody),
}

/// The event itself, as it is typed. Every field may be missing here; the rules say what is required.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventInput {
    /// Required.
    pub title: Option<String>,
    /// Required, yyyy-MM-dd.
    pub date: Option<String>,
    /// Required, HH:mm.
    pub time: Option<String>,
    /// `X minutes`, 15 to 180 in steps of 15; `60 minutes` where it is missing.
    pub duration: Option<String>,
    /// Required.
    pub r#type: Option<String>,
    /// Required.
    pub summary: Option<String>,
    /// Required.
    pub description: Option<String>,
    /// Required.
    pub registration_url: Option<String>,
    /// IANA name; America/New_York where it is missing.
    pub timezone: Option<String>,
    /// Where it is missing, what is stored stays.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub brandlive_id: Option<Option<String>>,
    /// Where it is missing, what is stored stays.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub series: Option<Option<String>>,
    /// Where it is missing, what is stored stays.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<CalendarLinks>)]
    pub calendar_links: Option<Option<CalendarLinks>>,
}

/// The venue, as it is typed.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocationInput {
    /// Required.
    pub venue_name: Option<String>,
    /// Required, may be blank.
    pub venue_address: Option<String>,
    /// Required, may be blank.
    pub city: Option<String>,
    /// Required, may be blank.
    pub state: Option<String>,
    /// A URL.
    pub image_url: Option<String>,
    /// The maps provider's id.
    pub place_id: Option<String>,
}

#[expect(clippy::option_option, reason = "missing, null and a value are three things here")]
/// Tells a key that is null from one that is missing.
fn given<'de, D, T>(from: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(from).map(Some)
}
