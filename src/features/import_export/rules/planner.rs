//! Plans one row after the other.

use std::collections::{BTreeMap, HashMap};

use super::super::fields::{SPEAKER_SEPARATOR, values_of};
use super::super::file::{quoted, shortened};
use super::super::mapping::{Source, SourceRow, names_in};
use super::super::types::{
    DateOrder, EventFileField, ExistingEvents, ImportRow, RowAction, RowChange, RowError, UnknownName,
};
use super::super::values::{event_type, minutes, name_key};
use super::row::{self, Defaults, Row};
use super::speaker_matcher::{SpeakerLookup, SpeakerMatcher};
use super::{Options, RowStep, StoredData};
use crate::features::events::{
    self, CalendarLinks, Event, EventInput, EventStatus, SaveEvent, UpdateContext, ValidatedEvent, Venue, VenueInput,
};
use crate::features::site_settings::SiteIdentity;
use crate::platform::clock::timestamp;
use crate::platform::error::AppError;
use crate::platform::messages::{DEFAULT_DURATION, IN_PERSON, SPEAKERS_TOO_MANY, limits};

/// Length of a value in the list of changes, in characters.
const MAX_SHOWN: usize = 120;

/// The number of rows that a choice of the admin concerns.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) ambiguous_date: Option<String>,
    pub(super) without_timezone: usize,
    pub(super) without_time: usize,
    pub(super) without_type: usize,
    pub(super) unrounded_durations: usize,
    pub(super) incomplete: usize,
}

/// Title and start, by which events are recognized; of a draft without a start its date and time.
type StartKey = (String, String);

/// What identifies the event of a row.
#[derive(PartialEq, Eq, Hash)]
enum RowKey {
    /// The id of the stored event.
    Id(i64),
    Uid(String),
    /// With the venue, or blank.
    Start(StartKey, String),
}

/// A row of the file for an event.
#[derive(Clone, Copy)]
struct SeenRow {
    line: usize,
    has_uid: bool,
}

pub(super) struct Planner<'p> {
    site: &'p SiteIdentity,
    source: &'p Source,
    options: &'p Options<'p>,
    by_id: HashMap<i64, &'p Event>,
    by_start: HashMap<StartKey, Vec<i64>>,
    by_import_uid: &'p HashMap<String, i64>,
    speakers: SpeakerMatcher,
    separator: String,
    unknown_types: BTreeMap<String, UnknownName>,
    /// The lines of the events so far, by what identifies them.
    seen: HashMap<RowKey, SeenRow>,
    totals: Totals,
}

impl<'p> Planner<'p> {
    pub(super) fn new(
        site: &'p SiteIdentity,
        source: &'p Source,
        stored: &'p StoredData,
        options: &'p Options<'p>,
        separator: String,
    ) -> Self {
        let start = |event: &Event| match event.starts_at.as_str() {
            "" => format!("{}|{}", event.date, event.time),
            instant => instant.to_owned(),
        };
        let mut by_start: HashMap<StartKey, Vec<i64>> = HashMap::new();
        for event in &stored.events {
            by_start.entry((name_key(&event.title), start(event))).or_default().push(event.id);
        }
        Self {
            site,
            source,
            options,
            by_id: stored.events.iter().map(|event| (event.id, event)).collect(),
            by_start,
            by_import_uid: &stored.by_import_uid,
            speakers: SpeakerMatcher::new(&stored.speakers, &options.given.speakers),
            separator,
            unknown_types: BTreeMap::new(),
            seen: HashMap::new(),
            totals: Totals::default(),
        }
    }

    pub(super) fn into_parts(self) -> (SpeakerMatcher, Vec<UnknownName>, Totals) {
        (self.speakers, self.unknown_types.into_values().collect(), self.totals)
    }

    /// A row that the admin has left out, which needs no choices.
    pub(super) fn left_out(&self, source_row: &SourceRow, date_order: Option<DateOrder>) -> ImportRow {
        let defaults = Defaults { zone: self.options.zone, time: self.options.time, date_order };
        let row = row::parse(self.source, source_row, defaults);
        ImportRow { action: RowAction::LeftOut, notes: Vec::new(), ..self.row_of(source_row, &row) }
    }

    /// A row of the preview before it is planned.
    fn row_of(&self, source_row: &SourceRow, row: &Row) -> ImportRow {
        let value = |field| row.values.get(&field).cloned().unwrap_or_default();
        ImportRow {
            line: source_row.line,
            action: RowAction::Error,
            title: shortened(&value(EventFileField::Title), limits::TITLE),
            date: value(EventFileField::Date),
            time: value(EventFileField::Time),
            timezone: row.zone.name().to_owned(),
            status: self.options.status,
            event_id: None,
            errors: Vec::new(),
            notes: source_row.notes.clone(),
            changes: Vec::new(),
        }
    }

    pub(super) fn plan(&mut self, source_row: &SourceRow, date_order: Option<DateOrder>) -> (ImportRow, RowStep) {
        let defaults = Defaults { zone: self.options.zone, time: self.options.time, date_order };
        let row = row::parse(self.source, source_row, defaults);
        let mut planned = self.row_of(source_row, &row);
        // The cells of such a row are in the wrong columns.
        if source_row.errors.iter().any(|error| error.column.is_none()) {
            planned.errors.clone_from(&source_row.errors);
            return (planned, RowStep::None);
        }
        if let Some(date) = &row.ambiguous_date {
            self.totals.ambiguous_date.get_or_insert_with(|| date.clone());
        }
        let existing = self.existing(&row);
        let seen = SeenRow { line: source_row.line, has_uid: row.values.contains_key(&EventFileField::Uid) };
        let keys = keys_of(&row, existing);
        if let Some(line) = self.seen_before(&keys, seen) {
            planned.action = RowAction::Skip;
            planned.notes.push(format!("The same event as in line {line}."));
            planned.event_id = existing.map(|event| event.id);
            return (planned, RowStep::None);
        }
        let (planned, step) = match existing {
            Some(event) => self.plan_existing(source_row, row, event, planned),
            None => self.plan_new(row, planned),
        };
        // A later row may have what is wrong in this one.
        if planned.action != RowAction::Error {
            self.seen.extend(keys.into_iter().map(|key| (key, seen)));
        }
        (planned, step)
    }

    /// The stored event that a row describes: with its UID, else with its title and start.
    fn existing(&self, row: &Row) -> Option<&'p Event> {
        let by_uid = row.values.get(&EventFileField::Uid).and_then(|uid| {
            // First, because the ids of another database of this site are those of other events.
            let imported = self.by_import_uid.get(uid).copied();
            imported.or_else(|| self.site.id_of_uid(uid).filter(|id| self.by_id.contains_key(id)))
        });
        let id = by_uid.or_else(|| self.id_by_start(row))?;
        self.by_id.get(&id).copied()
    }

    /// The stored event with a row's title and start: that at the row's venue, else one that no row before has.
    fn id_by_start(&self, row: &Row) -> Option<i64> {
        let ids = self.by_start.get(&start_key(row)?)?;
        let venue_of = |id: i64| Some(name_key(&self.by_id.get(&id)?.location.as_ref()?.venue_name));
        let venue = venue_key(row);
        let is_new = |id: &&i64| !self.seen.contains_key(&RowKey::Id(**id));
        let at_venue: Vec<&i64> = ids.iter().filter(|id| venue_of(**id) == venue).collect();
        let found = at_venue.iter().copied().find(is_new).or(at_venue.first().copied());
        found.or_else(|| ids.iter().find(is_new)).copied()
    }

    /// The line of an earlier row for the same event. Rows with different UIDs are different events, whatever else they
    /// have in common.
    fn seen_before(&self, keys: &[RowKey], row: SeenRow) -> Option<usize> {
        let is_other =
            |key: &RowKey, earlier: &SeenRow| matches!(key, RowKey::Start(..)) && row.has_uid && earlier.has_uid;
        let same = keys.iter().find_map(|key| self.seen.get(key).filter(|earlier| !is_other(key, earlier)));
        same.map(|earlier| earlier.line)
    }

    /// Removes what a calendar file of this site adds to an event's own texts, or has instead of them. `row` is from such
    /// a file if its UID is the event's.
    fn without_additions(&self, event: &Event, row: &Row, changed: &mut BTreeMap<EventFileField, String>) {
        if row.values.get(&EventFileField::Uid).and_then(|uid| self.site.id_of_uid(uid)) != Some(event.id) {
            return;
        }
        // Its location is the whole venue in one line.
        let line = event.location.as_ref().map(Venue::line);
        if changed.get(&EventFileField::VenueName).is_some_and(|name| line.is_some_and(|line| is_same(name, &line))) {
            changed.remove(&EventFileField::VenueName);
        }
        let site_url = format!("{}/", self.site.base_url);
        // It has the URL of the event's page.
        if changed.get(&EventFileField::RegistrationUrl).is_some_and(|url| url.starts_with(&site_url)) {
            changed.remove(&EventFileField::RegistrationUrl);
        }
        if let Some(text) = changed.remove(&EventFileField::Description) {
            let own = without_appended(&text, &site_url);
            if !is_same(own, &event.description) && !is_same(own, &event.description_text()) {
                changed.insert(EventFileField::Description, own.to_owned());
            }
        }
        if let Some(title) = changed.remove(&EventFileField::Title) {
            let badge = event.status.badge().map(|badge| format!("{badge}: "));
            let own = badge.and_then(|badge| title.strip_prefix(&badge).map(str::to_owned)).unwrap_or(title);
            if !is_same(&own, &event.title) {
                changed.insert(EventFileField::Title, own);
            }
        }
    }

    fn plan_existing(
        &mut self,
        source_row: &SourceRow,
        row: Row,
        event: &Event,
        mut planned: ImportRow,
    ) -> (ImportRow, RowStep) {
        let stored = values_of(self.site, event);
        (planned.event_id, planned.status) = (Some(event.id), event.status);
        if planned.title.is_empty() {
            planned.title.clone_from(&event.title);
        }
        let is_stored =
            |field: &EventFileField, text: &str| stored.get(field).is_some_and(|value| is_same(value, text));
        planned.action = RowAction::Unchanged;
        if source_row.values.iter().all(|(field, text)| *field == EventFileField::Uid || is_stored(field, text)) {
            return (planned, RowStep::None);
        }
        let mut row = row;
        let is_stored_duration =
            row.values.get(&EventFileField::Duration).is_some_and(|text| is_stored(&EventFileField::Duration, text));
        self.round_duration(&mut row.values, &mut planned, is_stored_duration);
        let mut changed: BTreeMap<EventFileField, String> = BTreeMap::new();
        for (field, value) in &row.values {
            let is_raw = source_row.values.get(field).is_some_and(|raw| is_stored(field, raw));
            if *field != EventFileField::Uid && !is_raw && !is_stored(field, value) {
                changed.insert(*field, value.clone());
            }
        }
        self.without_additions(event, &row, &mut changed);
        without_same_start(event, &row, &mut changed);
        let (mut kind_error, mut names) = (None, None);
        if let Some(text) = changed.remove(&EventFileField::Type) {
            match self.kind_of(&text) {
                Ok(Some(kind)) if kind != event.r#type => {
                    changed.insert(EventFileField::Type, kind);
                }
                Ok(_) => {}
                Err(error) => kind_error = Some(error),
            }
        }
        if let Some(text) = changed.remove(&EventFileField::Speakers) {
            let listed = names_in(&text, &self.separator);
            let key = |names: &[String]| names.iter().map(|name| name_key(name)).collect::<Vec<_>>();
            let before: Vec<String> = event.speakers.iter().map(|entry| entry.speaker.name.clone()).collect();
            if key(&listed) != key(&before) {
                changed.insert(EventFileField::Speakers, listed.join(SPEAKER_SEPARATOR));
                names = Some(listed);
            }
        }
        if changed.is_empty() && row.errors.is_empty() && kind_error.is_none() {
            return (planned, RowStep::None);
        }
        let shown = |values: &BTreeMap<EventFileField, String>, field: &EventFileField| {
            values.get(field).map(|value| shortened(value, MAX_SHOWN)).unwrap_or_default()
        };
        let change = |(field, _): (&EventFileField, &String)| RowChange {
            field: field.heading().to_owned(),
            before: shown(&stored, field),
            after: shown(&changed, field),
        };
        planned.changes = changed.iter().map(change).collect();
        let from_html = row.from_html.iter().filter(|field| changed.contains_key(field));
        planned.notes.extend(from_html.map(|field| self.html_note(*field)));
        if self.options.given.existing_events == ExistingEvents::Skip {
            planned.action = RowAction::Skip;
            return (planned, RowStep::None);
        }
        planned.errors = row.errors.iter().cloned().chain(kind_error).collect();
        let mut speaker_ids: Vec<i64> = event.speakers.iter().map(|entry| entry.speaker_id).collect();
        if let Some(names) = names {
            let found = self.speaker_ids(&names, Some(event), &mut planned);
            if found.is_empty() && planned.errors.is_empty() {
                planned.changes.retain(|change| change.field != EventFileField::Speakers.heading());
            } else {
                speaker_ids = found;
            }
        }
        let mut values = stored;
        let changes_status =
            changed.contains_key(&EventFileField::Status) || changed.contains_key(&EventFileField::PublishAt);
        values.extend(changed);
        let status =
            values.get(&EventFileField::Status).and_then(|text| EventStatus::parse(text)).filter(|_| changes_status);
        planned.status = status.unwrap_or(planned.status);
        let uid = self.uid_of_other_calendar(&row.values);
        let stored = UpdateContext { duration: event.duration.clone(), status: event.status };
        let save = |status| events::check_update(input_of(values.clone(), speaker_ids.clone(), status), Some(&stored));
        let mut checked = save(status);
        if checked.is_err()
            && event.status == EventStatus::Draft
            && let Ok(draft) = save(None)
        {
            planned.notes.push("Stays a draft: a required field is missing.".to_owned());
            planned.changes.retain(|change| change.field != EventFileField::Status.heading());
            planned.status = EventStatus::Draft;
            checked = Ok(draft);
        }
        if let Some(event_to_store) = self.checked(checked, &mut planned) {
            planned.action = if planned.changes.is_empty() { RowAction::Unchanged } else { RowAction::Update };
            if planned.action == RowAction::Update {
                return (planned, RowStep::Update { id: event.id, event: Box::new(event_to_store), uid });
            }
        }
        (planned, RowStep::None)
    }

    fn plan_new(&mut self, row: Row, mut planned: ImportRow) -> (ImportRow, RowStep) {
        let options = self.options;
        let lacks_time = row.lacks_time && row.values.contains_key(&EventFileField::Date);
        self.totals.without_time += usize::from(lacks_time);
        self.totals.without_timezone += usize::from(row.lacks_zone && row.values.contains_key(&EventFileField::Date));
        let (mut values, uid) = (row.values.clone(), self.uid_of_other_calendar(&row.values));
        planned.notes.extend(row.from_html.iter().map(|field| self.html_note(*field)));
        planned.errors = row.errors;
        let mut lacks = Vec::new();
        let names =
            values.get(&EventFileField::Speakers).map(|text| names_in(text, &self.separator)).unwrap_or_default();
        let errors = planned.errors.len();
        let speaker_ids = self.speaker_ids(&names, None, &mut planned);
        if speaker_ids.is_empty() && planned.errors.len() == errors {
            lacks.push("no speaker");
        }
        let type_text = values.remove(&EventFileField::Type);
        self.totals.without_type += usize::from(type_text.is_none());
        let kind = match type_text.map(|text| self.kind_of(&text)) {
            None => Ok(options.kind.map(str::to_owned)),
            Some(found) => found,
        };
        match kind {
            Ok(Some(kind)) => {
                values.insert(EventFileField::Type, kind);
            }
            Ok(None) => {
                lacks.push("no type");
                // Else the venue would be lost.
                if values.get(&EventFileField::VenueName).is_some_and(|location| is_venue(location)) {
                    values.insert(EventFileField::Type, IN_PERSON.to_owned());
                    planned.notes.push(format!("Type set to {IN_PERSON}, because the event has a venue."));
                }
            }
            Err(error) => planned.errors.push(error),
        }
        if lacks_time && options.time.is_none() {
            lacks.push("no time");
        }
        let is_in_person = values.get(&EventFileField::Type).is_some_and(|kind| kind == IN_PERSON);
        if values.contains_key(&EventFileField::VenueName) && !is_in_person {
            planned.notes.push(format!("Venue left out: only {IN_PERSON} have one."));
        }
        let given = values.get(&EventFileField::Status).and_then(|text| EventStatus::parse(text));
        let default =
            if values.contains_key(&EventFileField::PublishAt) { EventStatus::Scheduled } else { options.status };
        planned.status = given.unwrap_or(default);
        if !lacks.is_empty() && planned.status != EventStatus::Draft {
            planned.notes.push(format!("Becomes a draft: it has {}.", lacks.join(" and ")));
            planned.status = EventStatus::Draft;
        }
        if is_in_person && planned.status != EventStatus::Draft {
            values
                .entry(EventFileField::RegistrationUrl)
                .or_insert_with(|| events::registration_url_of(IN_PERSON, "", &self.site.base_url));
        }
        self.round_duration(&mut values, &mut planned, false);
        values.entry(EventFileField::Timezone).or_insert_with(|| row.zone.name().to_owned());
        let mut checked = events::check(input_of(values.clone(), speaker_ids.clone(), Some(planned.status)));
        if checked.is_err() && planned.errors.is_empty() {
            let as_draft = events::check(input_of(values, speaker_ids, Some(EventStatus::Draft)));
            if let Some(draft) = as_draft.ok().filter(|_| planned.status != EventStatus::Draft) {
                self.totals.incomplete += 1;
                if options.given.incomplete_as_drafts {
                    let missing = checked.err().map(|error| error.message()).unwrap_or_default();
                    planned.notes.push(format!("Becomes a draft: {missing}."));
                    planned.status = EventStatus::Draft;
                    checked = Ok(draft);
                }
            }
        }
        match self.checked(checked, &mut planned) {
            Some(event) => {
                planned.action = RowAction::Create;
                (planned, RowStep::Create { event: Box::new(event), uid })
            }
            None => (planned, RowStep::None),
        }
    }

    /// The validated event, if neither the validation nor the row has an error.
    fn checked(&self, checked: Result<ValidatedEvent, AppError>, planned: &mut ImportRow) -> Option<ValidatedEvent> {
        planned.action = RowAction::Error;
        match checked {
            Ok(event) if planned.errors.is_empty() => return Some(event),
            Ok(_) => {}
            Err(AppError::Validation(fields)) => {
                for (name, message) in fields {
                    let column = field_of(&name).map(|field| self.source.column_of(field));
                    // A value that can't be read counts as missing, which has been reported.
                    if !planned.errors.iter().any(|error| error.column == column && column.is_some()) {
                        planned.errors.push(RowError { column, message: format!("{message}.") });
                    }
                }
            }
            Err(error) => planned.errors.push(RowError { column: None, message: error.message() }),
        }
        None
    }

    /// The ids of the speakers with these names; names that need a choice are errors.
    fn speaker_ids(&mut self, names: &[String], event: Option<&Event>, planned: &mut ImportRow) -> Vec<i64> {
        let mut ids = Vec::new();
        if names.len() > limits::SPEAKERS {
            let column = Some(self.source.column_of(EventFileField::Speakers));
            planned.errors.push(RowError { column, message: format!("{SPEAKERS_TOO_MANY}.") });
            return ids;
        }
        for name in names {
            let shown = shortened(name, limits::NAME);
            match self.speakers.find(&shown, event) {
                SpeakerLookup::Id(id) => ids.push(id),
                SpeakerLookup::Similar(id, known) => {
                    ids.push(id);
                    planned.notes.push(format!("Matched {shown} to the speaker {known}."));
                }
                SpeakerLookup::LeftOut => planned.notes.push(format!("Speaker {shown} left out.")),
                SpeakerLookup::Error(message) => {
                    let column = Some(self.source.column_of(EventFileField::Speakers));
                    planned.errors.push(RowError { column, message });
                }
            }
        }
        ids
    }

    /// The event type that a text means; `None` if the admin has chosen none for it.
    fn kind_of(&mut self, text: &str) -> Result<Option<String>, RowError> {
        if let Some(kind) = event_type(text) {
            return Ok(Some(kind.to_owned()));
        }
        let (key, name) = (name_key(text), shortened(text, limits::NAME));
        let unknown = UnknownName { name, rows: 0, candidates: Vec::new() };
        self.unknown_types.entry(key.clone()).or_insert(unknown).rows += 1;
        match self.options.types.get(&key) {
            Some(chosen) => Ok(chosen.map(str::to_owned)),
            None => Err(RowError {
                column: Some(self.source.column_of(EventFileField::Type)),
                message: format!("{} is not an event type. Choose the right one.", quoted(text)),
            }),
        }
    }

    fn html_note(&self, field: EventFileField) -> String {
        format!("The HTML of {} has become text.", quoted(&self.source.column_of(field)))
    }

    /// Counts a duration that is not allowed, and rounds it up if the admin has chosen that.
    fn round_duration(
        &mut self,
        values: &mut BTreeMap<EventFileField, String>,
        planned: &mut ImportRow,
        is_stored: bool,
    ) {
        let Some(length) = values.get(&EventFileField::Duration).and_then(|text| minutes(text)) else { return };
        let rounded = length.div_ceil(limits::DURATION_STEP).max(1).saturating_mul(limits::DURATION_STEP);
        let rounded = rounded.min(limits::DURATION_MAX);
        if rounded == length || is_stored {
            return;
        }
        self.totals.unrounded_durations += 1;
        if self.options.given.round_durations {
            planned.notes.push(format!("Duration rounded from {length} to {rounded} minutes."));
            values.insert(EventFileField::Duration, format!("{rounded} minutes"));
        }
    }

    /// The UID of an event of another calendar.
    fn uid_of_other_calendar(&self, values: &BTreeMap<EventFileField, String>) -> Option<String> {
        let uid = values.get(&EventFileField::Uid)?;
        let is_own = self.site.id_of_uid(uid).is_some_and(|id| self.by_id.contains_key(&id));
        // An id of this length is none that calendars make; the event is recognized by its title and start.
        (!is_own && uid.len() <= 1000).then(|| uid.clone())
    }
}

/// What identifies the event of a row.
fn keys_of(row: &Row, existing: Option<&Event>) -> Vec<RowKey> {
    let keys = [
        existing.map(|event| RowKey::Id(event.id)),
        row.values.get(&EventFileField::Uid).cloned().map(RowKey::Uid),
        start_key(row).map(|start| RowKey::Start(start, venue_key(row).unwrap_or_default())),
    ];
    keys.into_iter().flatten().collect()
}

fn venue_key(row: &Row) -> Option<String> {
    row.values.get(&EventFileField::VenueName).map(|name| name_key(name))
}

/// What identifies a row without a UID; `None` without a title or a date.
fn start_key(row: &Row) -> Option<StartKey> {
    let title = row.values.get(&EventFileField::Title)?;
    let start = match row.starts_at {
        Some(instant) => timestamp(instant),
        None => format!("{}|", row.values.get(&EventFileField::Date)?),
    };
    Some((name_key(title), start))
}

/// Whether two texts differ at most in their line breaks, which programs change, and in white space around them.
fn is_same(a: &str, b: &str) -> bool {
    a.trim() == b.trim() || a.trim().replace("\r\n", "\n") == b.trim().replace("\r\n", "\n")
}

/// The description in a calendar file of this site, without the paragraphs that the export appends: speakers and links,
/// the last of which leads to the event's page.
fn without_appended<'t>(text: &'t str, site_url: &str) -> &'t str {
    let paragraph = |text: &'t str| text.rsplit_once("\n\n").unwrap_or(("", text));
    let (before, links) = paragraph(text.trim_end());
    if !links.lines().last().is_some_and(|line| line.starts_with(site_url)) {
        return text;
    }
    match paragraph(before) {
        (description, last) if last.starts_with("Speakers: ") => description,
        _ => before,
    }
}

/// Leaves out date, time and zone if the event already starts then, in that zone.
fn without_same_start(event: &Event, row: &Row, changed: &mut BTreeMap<EventFileField, String>) {
    let same_start = row.starts_at.is_some_and(|start| timestamp(start) == event.starts_at);
    let has_other_zone = !row.lacks_zone && row.zone.name() != event.timezone;
    if same_start && !has_other_zone {
        for field in [EventFileField::Date, EventFileField::Time, EventFileField::Timezone] {
            changed.remove(&field);
        }
    } else if row.starts_at.is_some() && row.zone.name() != event.timezone {
        // The date and time of a row without a zone are those of the default zone.
        changed.insert(EventFileField::Timezone, row.zone.name().to_owned());
    }
}

/// Whether a location is a venue and not the name of a service for meetings.
fn is_venue(location: &str) -> bool {
    const ONLINE: [&str; 7] = ["zoom", "online", "virtual", "teams", "google meet", "webinar", "webex"];
    let lower = location.to_lowercase();
    !ONLINE.iter().any(|word| lower.contains(word)) && !lower.contains("://")
}

/// The request that saves an event with these values.
fn input_of(
    mut values: BTreeMap<EventFileField, String>,
    speaker_ids: Vec<i64>,
    status: Option<EventStatus>,
) -> SaveEvent {
    let venue = [
        EventFileField::VenueName,
        EventFileField::VenueAddress,
        EventFileField::City,
        EventFileField::State,
        EventFileField::VenueImageUrl,
        EventFileField::PlaceId,
    ];
    let has_venue = venue.iter().any(|field| values.contains_key(field));
    let mut take = |field| values.remove(&field);
    let location = VenueInput {
        venue_name: take(EventFileField::VenueName),
        venue_address: Some(take(EventFileField::VenueAddress).unwrap_or_default()),
        city: Some(take(EventFileField::City).unwrap_or_default()),
        state: Some(take(EventFileField::State).unwrap_or_default()),
        image_url: take(EventFileField::VenueImageUrl),
        place_id: take(EventFileField::PlaceId),
    };
    let links = CalendarLinks {
        google: take(EventFileField::GoogleLink),
        outlook: take(EventFileField::OutlookLink),
        ical: take(EventFileField::IcalLink),
    };
    let event = EventInput {
        title: take(EventFileField::Title),
        date: take(EventFileField::Date),
        time: take(EventFileField::Time),
        duration: take(EventFileField::Duration).or_else(|| Some(DEFAULT_DURATION.to_owned())),
        r#type: take(EventFileField::Type),
        summary: take(EventFileField::Summary),
        description: take(EventFileField::Description),
        description_format: take(EventFileField::DescriptionFormat),
        registration_url: take(EventFileField::RegistrationUrl),
        timezone: take(EventFileField::Timezone),
        brandlive_id: Some(take(EventFileField::BrandliveId)),
        series: Some(take(EventFileField::Series)),
        calendar_links: Some(Some(links)),
        status: status.map(|status| status.as_str().to_owned()),
        publish_at: take(EventFileField::PublishAt),
        recording_url: Some(take(EventFileField::RecordingUrl)),
    };
    SaveEvent {
        event: Some(event),
        location: has_venue.then_some(location),
        speaker_ids: Some(speaker_ids),
        ..SaveEvent::default()
    }
}

/// The field of an error of the validation.
fn field_of(name: &str) -> Option<EventFileField> {
    Some(match name {
        "title" => EventFileField::Title,
        "date" => EventFileField::Date,
        "time" => EventFileField::Time,
        "duration" => EventFileField::Duration,
        "timezone" => EventFileField::Timezone,
        "type" => EventFileField::Type,
        "series" => EventFileField::Series,
        "summary" => EventFileField::Summary,
        "description" => EventFileField::Description,
        "descriptionFormat" => EventFileField::DescriptionFormat,
        "registrationUrl" => EventFileField::RegistrationUrl,
        "speakerIds" => EventFileField::Speakers,
        "status" => EventFileField::Status,
        "publishAt" => EventFileField::PublishAt,
        "recordingUrl" => EventFileField::RecordingUrl,
        "brandliveId" => EventFileField::BrandliveId,
        "location.venueName" => EventFileField::VenueName,
        "location.venueAddress" => EventFileField::VenueAddress,
        "location.city" => EventFileField::City,
        "location.state" => EventFileField::State,
        "location.imageUrl" => EventFileField::VenueImageUrl,
        "location.placeId" => EventFileField::PlaceId,
        "calendarLinks.google" => EventFileField::GoogleLink,
        "calendarLinks.outlook" => EventFileField::OutlookLink,
        "calendarLinks.ical" => EventFileField::IcalLink,
        _ => return None,
    })
}
