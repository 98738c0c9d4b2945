//! The values of stored events as text by field: the cells of an export, and what an import compares.

use std::collections::BTreeMap;

use super::types::Field;
use crate::features::events::Event;
use crate::features::site_settings::SiteIdentity;

/// The columns of an export, which an import reads back without a change.
pub(super) const EXPORTED: [Field; 26] = [
    Field::Uid,
    Field::Title,
    Field::Date,
    Field::Time,
    Field::Duration,
    Field::Timezone,
    Field::Type,
    Field::Series,
    Field::Summary,
    Field::Description,
    Field::DescriptionFormat,
    Field::RegistrationUrl,
    Field::Speakers,
    Field::Status,
    Field::PublishAt,
    Field::RecordingUrl,
    Field::VenueName,
    Field::VenueAddress,
    Field::City,
    Field::State,
    Field::VenueImageUrl,
    Field::PlaceId,
    Field::BrandliveId,
    Field::GoogleLink,
    Field::OutlookLink,
    Field::IcalLink,
];
/// The text between the names of speakers.
pub(super) const SPEAKER_SEPARATOR: &str = "; ";

/// The values of an event that are not blank.
pub(super) fn values_of(site: &SiteIdentity, event: &Event) -> BTreeMap<Field, String> {
    let location = event.location.as_ref();
    let names: Vec<&str> = event.speakers.iter().map(|entry| entry.speaker.name.as_str()).collect();
    let links = &event.calendar_links;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let values = EXPORTED.map(|field| {
        let value = match field {
            Field::Uid => site.uid(event.id),
            Field::Title => event.title.clone(),
            Field::Date => event.date.clone(),
            Field::Time => event.time.clone(),
            Field::Duration => event.duration.clone(),
            Field::Timezone => event.timezone.clone(),
            Field::Type => event.r#type.clone(),
            Field::Series => text(&event.series),
            Field::Summary => text(&event.summary),
            Field::Description => event.description.clone(),
            Field::DescriptionFormat => event.description_format.as_str().to_owned(),
            Field::RegistrationUrl => event.registration_url.clone(),
            Field::Speakers => names.join(SPEAKER_SEPARATOR),
            Field::Status => event.status.as_str().to_owned(),
            Field::PublishAt => text(&event.publish_at),
            Field::RecordingUrl => text(&event.recording_url),
            Field::VenueName => location.map(|at| at.venue_name.clone()).unwrap_or_default(),
            Field::VenueAddress => location.map(|at| at.venue_address.clone()).unwrap_or_default(),
            Field::City => location.map(|at| at.city.clone()).unwrap_or_default(),
            Field::State => location.map(|at| at.state.clone()).unwrap_or_default(),
            Field::VenueImageUrl => location.map(|at| text(&at.image_url)).unwrap_or_default(),
            Field::PlaceId => location.map(|at| text(&at.place_id)).unwrap_or_default(),
            Field::BrandliveId => text(&event.brandlive_id),
            Field::GoogleLink => text(&links.google),
            Field::OutlookLink => text(&links.outlook),
            Field::IcalLink => text(&links.ical),
            // Read from other files only.
            Field::Start | Field::EndDate | Field::EndTime | Field::End => String::new(),
        };
        (field, value)
    });
    values.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}
