//! The values of stored events as text by field: the cells of an export, and what an import compares.

use std::collections::BTreeMap;

use super::types::EventFileField;
use crate::features::events::Event;
use crate::features::site_settings::SiteIdentity;

/// The columns of an export, which an import reads back without a change.
pub(super) const EXPORTED: [EventFileField; 26] = [
    EventFileField::Uid,
    EventFileField::Title,
    EventFileField::Date,
    EventFileField::Time,
    EventFileField::Duration,
    EventFileField::Timezone,
    EventFileField::Type,
    EventFileField::Series,
    EventFileField::Summary,
    EventFileField::Description,
    EventFileField::DescriptionFormat,
    EventFileField::RegistrationUrl,
    EventFileField::Speakers,
    EventFileField::Status,
    EventFileField::PublishAt,
    EventFileField::RecordingUrl,
    EventFileField::VenueName,
    EventFileField::VenueAddress,
    EventFileField::City,
    EventFileField::State,
    EventFileField::VenueImageUrl,
    EventFileField::PlaceId,
    EventFileField::BrandliveId,
    EventFileField::GoogleLink,
    EventFileField::OutlookLink,
    EventFileField::IcalLink,
];
/// The text between the names of speakers.
pub(super) const SPEAKER_SEPARATOR: &str = "; ";

/// The values of an event that are not blank.
pub(super) fn values_of(site: &SiteIdentity, event: &Event) -> BTreeMap<EventFileField, String> {
    let location = event.location.as_ref();
    let names: Vec<&str> = event.speakers.iter().map(|entry| entry.speaker.name.as_str()).collect();
    let links = &event.calendar_links;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let values = EXPORTED.map(|field| {
        let value = match field {
            EventFileField::Uid => site.uid(event.id),
            EventFileField::Title => event.title.clone(),
            EventFileField::Date => event.date.clone(),
            EventFileField::Time => event.time.clone(),
            EventFileField::Duration => event.duration.clone(),
            EventFileField::Timezone => event.timezone.clone(),
            EventFileField::Type => event.r#type.clone(),
            EventFileField::Series => text(&event.series),
            EventFileField::Summary => text(&event.summary),
            EventFileField::Description => event.description.clone(),
            EventFileField::DescriptionFormat => event.description_format.as_str().to_owned(),
            EventFileField::RegistrationUrl => event.registration_url.clone(),
            EventFileField::Speakers => names.join(SPEAKER_SEPARATOR),
            EventFileField::Status => event.status.as_str().to_owned(),
            EventFileField::PublishAt => text(&event.publish_at),
            EventFileField::RecordingUrl => text(&event.recording_url),
            EventFileField::VenueName => location.map(|at| at.venue_name.clone()).unwrap_or_default(),
            EventFileField::VenueAddress => location.map(|at| at.venue_address.clone()).unwrap_or_default(),
            EventFileField::City => location.map(|at| at.city.clone()).unwrap_or_default(),
            EventFileField::State => location.map(|at| at.state.clone()).unwrap_or_default(),
            EventFileField::VenueImageUrl => location.map(|at| text(&at.image_url)).unwrap_or_default(),
            EventFileField::PlaceId => location.map(|at| text(&at.place_id)).unwrap_or_default(),
            EventFileField::BrandliveId => text(&event.brandlive_id),
            EventFileField::GoogleLink => text(&links.google),
            EventFileField::OutlookLink => text(&links.outlook),
            EventFileField::IcalLink => text(&links.ical),
            // Read from other files only.
            EventFileField::Start | EventFileField::EndDate | EventFileField::EndTime | EventFileField::End => {
                String::new()
            }
        };
        (field, value)
    });
    values.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}
