//! Bulk edits: what they do to each event, and why they can't.

use std::collections::HashMap;

use super::{
    UpdateContext, ValidatedStatus, check_status, check_time, check_type, check_update, messages, registration_url_of,
    start_of, trimmed, wall_clock,
};
use crate::features::activity::differences;
use crate::features::events::status::EventStatus;
use crate::features::events::types::{
    BulkEditValues, Event, EventInput, EventSpeaker, PlannedEdit, SaveEvent, VenueInput,
};
use crate::platform::clock::timestamp;
use crate::platform::error::AppError;
use crate::platform::messages::limits;
use crate::platform::validate::FieldErrors;

const NO_CHANGE: &str = "Choose what to change";
const ONLY_DELETE: &str = "Events can't be changed and deleted at once";
const SAME_SPEAKER: &str = "Choose two different speakers";

/// A validated bulk edit, with the speakers that it names.
#[derive(Clone, Debug)]
pub(in crate::features::events) struct ValidatedBulkEdit {
    replace: Option<(i64, EventSpeaker)>,
    remove: Vec<i64>,
    add: Vec<EventSpeaker>,
    time: Option<String>,
    registration_url: Option<String>,
    kind: Option<String>,
    pub(in crate::features::events) status: Option<ValidatedStatus>,
    #[expect(clippy::option_option, reason = "a missing key, null and a value differ")]
    series: Option<Option<String>>,
    pub(in crate::features::events) is_deletion: bool,
}

/// Validates what does not depend on the events. `speakers` are those that exist, by id.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub(in crate::features::events) fn check_bulk_edit(
    values: BulkEditValues,
    speakers: &HashMap<i64, EventSpeaker>,
) -> Result<ValidatedBulkEdit, AppError> {
    let mut errors = FieldErrors::default();
    let BulkEditValues { speakers: of_speakers, time, registration_url, r#type, status, publish_at, series, delete } =
        values;
    let of_speakers = of_speakers.unwrap_or_default();
    let known = |id: i64, errors: &mut FieldErrors| {
        let speaker = speakers.get(&id).cloned();
        if speaker.is_none() {
            errors.add("changes.speakers", messages::SPEAKER_UNKNOWN);
        }
        speaker
    };
    let replace = of_speakers.replace.and_then(|both| {
        if both.from == both.to {
            errors.add("changes.speakers", SAME_SPEAKER);
        }
        Some((both.from, known(both.to, &mut errors)?))
    });
    let add: Vec<_> = of_speakers.add.into_iter().filter_map(|id| known(id, &mut errors)).collect();

    let mut inner = FieldErrors::default();
    let time = trimmed(time).map(|time| {
        check_time(&mut inner, Some(time)).map_or_else(String::new, |time| time.format("%H:%M").to_string())
    });
    let registration_url = inner.optional_url("registrationUrl", registration_url);
    let kind = trimmed(r#type).map(|kind| check_type(&mut inner, Some(kind)));
    let series = series.map(|name| inner.optional("series", name, limits::NAME, messages::SERIES_TOO_LONG));
    let status = check_status(&mut inner, status, publish_at);
    errors.append("changes.", inner);

    let checked = ValidatedBulkEdit {
        replace,
        remove: of_speakers.remove,
        add,
        time,
        registration_url,
        kind,
        status,
        series,
        is_deletion: delete,
    };
    if checked.changes_fields() && delete {
        errors.add("changes", ONLY_DELETE);
    } else if !checked.changes_fields() && !delete {
        errors.add("changes", NO_CHANGE);
    }
    errors.into_result()?;
    Ok(checked)
}

impl ValidatedBulkEdit {
    fn changes_fields(&self) -> bool {
        let Self { replace, remove, add, time, registration_url, kind, status, series, is_deletion: _ } = self;
        replace.is_some()
            || !remove.is_empty()
            || !add.is_empty()
            || time.is_some()
            || registration_url.is_some()
            || kind.is_some()
            || status.is_some()
            || series.is_some()
    }

    /// The event after the bulk edit, on the site with this base URL.
    fn apply(&self, event: &Event, site_url: &str) -> Event {
        let mut after = event.clone();
        if let Some((from, to)) = &self.replace
            && let Some(at) = after.speakers.iter().position(|one| one.speaker_id == *from)
        {
            if after.speakers.iter().any(|one| one.speaker_id == to.speaker_id) {
                after.speakers.remove(at);
            } else {
                after.speakers[at] = to.clone();
            }
        }
        after.speakers.retain(|one| !self.remove.contains(&one.speaker_id));
        for new in &self.add {
            if after.speakers.iter().all(|one| one.speaker_id != new.speaker_id) {
                after.speakers.push(new.clone());
            }
        }
        if let Some(time) = &self.time {
            after.time.clone_from(time);
            if let Some(start) = wall_clock(&after.date, time).and_then(|wall| start_of(wall, &after.timezone)) {
                after.starts_at = timestamp(start);
            }
        }
        if let Some(kind) = &self.kind {
            after.r#type.clone_from(kind);
        }
        if let Some(new) = self.status {
            after.status = new.status();
            after.publish_at = match new {
                ValidatedStatus::Scheduled(at) => Some(timestamp(at)),
                ValidatedStatus::Of(_) => None,
            };
        }
        if after.r#type == messages::IN_PERSON {
            // The form hides the link of such events.
            if is_first_publication(event, &after) {
                after.registration_url = registration_url_of(&after.r#type, &after.registration_url, site_url);
            }
        } else {
            after.location = None;
            // With the site's own URL, an in-person event has no link.
            if event.r#type == messages::IN_PERSON && after.registration_url == site_url {
                after.registration_url.clear();
            }
            if let Some(url) = &self.registration_url {
                after.registration_url.clone_from(url);
            }
        }
        if let Some(series) = &self.series {
            after.series.clone_from(series);
        }
        after
    }

    /// The status to store.
    pub(in crate::features::events) fn new_status(&self) -> Option<ValidatedStatus> {
        self.status
    }
}

/// What a bulk edit does to an event, and the event after it. `site_url` is the base URL of the site.
pub(in crate::features::events) fn plan(
    event: &Event,
    bulk_edit: &ValidatedBulkEdit,
    site_url: &str,
) -> (PlannedEdit, Event) {
    let after = if bulk_edit.is_deletion { event.clone() } else { bulk_edit.apply(event, site_url) };
    let mut differing = differences(event, &after);
    if after.r#type == messages::IN_PERSON {
        // The form does not show it either.
        differing.retain(|change| change.field != "registrationUrl");
    }
    let errors = if differing.is_empty() { Vec::new() } else { new_errors(event, &after) };
    let planned = PlannedEdit {
        id: event.id,
        title: event.title.clone(),
        date: event.date.clone(),
        revision: event.revision,
        is_deleted: bulk_edit.is_deletion,
        changes: differing,
        errors,
    };
    (planned, after)
}

/// Whether a draft gets a status that requires everything.
fn is_first_publication(before: &Event, after: &Event) -> bool {
    before.status == EventStatus::Draft && after.status != EventStatus::Draft
}

/// The errors that the bulk edit introduces. Synced and imported events may lack what the form
/// requires, and can be hidden nevertheless.
fn new_errors(before: &Event, after: &Event) -> Vec<String> {
    let stored = UpdateContext { duration: before.duration.clone(), status: before.status };
    let errors_of = |event: &Event| match check_update(save_of(event), Some(&stored)) {
        Err(AppError::Validation(fields)) => fields,
        _ => Vec::new(),
    };
    let known = errors_of(before);
    let is_first_publication = is_first_publication(before, after);
    let is_new = |error: &(String, String)| is_first_publication || !known.contains(error);
    errors_of(after).into_iter().filter(is_new).map(|(_, message)| message).collect()
}

/// The event as the form saves it.
fn save_of(event: &Event) -> SaveEvent {
    let location = event.location.as_ref().map(|location| VenueInput {
        venue_name: Some(location.venue_name.clone()),
        venue_address: Some(location.venue_address.clone()),
        city: Some(location.city.clone()),
        state: Some(location.state.clone()),
        image_url: location.image_url.clone(),
        place_id: location.place_id.clone(),
    });
    SaveEvent {
        event: Some(EventInput {
            title: Some(event.title.clone()),
            date: Some(event.date.clone()),
            time: Some(event.time.clone()),
            duration: Some(event.duration.clone()),
            r#type: Some(event.r#type.clone()),
            summary: event.summary.clone(),
            description: Some(event.description.clone()),
            registration_url: Some(event.registration_url.clone()),
            timezone: Some(event.timezone.clone()),
            series: Some(event.series.clone()),
            status: Some(event.status.as_str().to_owned()),
            publish_at: event.publish_at.clone(),
            ..EventInput::default()
        }),
        location,
        speaker_ids: Some(event.speakers.iter().map(|one| one.speaker_id).collect()),
        revision: None,
    }
}
