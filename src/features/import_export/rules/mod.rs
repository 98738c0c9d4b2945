//! Plans an import: what becomes of each row, checked by the rules of the forms.

mod planner;
mod row;
mod speaker_matcher;

use std::collections::{HashMap, HashSet};

use chrono::NaiveTime;
use chrono_tz::Tz;
use sha2::{Digest as _, Sha256};

use super::mapping::{self, Source};
use super::types::{ImportCounts, ImportOptions, ImportPreview, ImportRow, RowAction};
use super::values;
use crate::features::events::{Event, EventStatus, ValidatedEvent};
use crate::features::site_settings::SiteIdentity;
use crate::features::speakers::{Speaker, ValidatedSpeaker};
use crate::platform::error::AppError;
use crate::platform::hex::hex;
use crate::platform::messages::{
    DEFAULT_TIME_ZONE, EVENT_TYPES, STATUS_INVALID, TIME_INVALID, TIMEZONE_INVALID, TYPE_INVALID,
};
use crate::platform::zone;
use planner::Planner;

/// The stored data that an import is compared with.
pub(super) struct StoredData {
    pub(super) events: Vec<Event>,
    pub(super) speakers: Vec<Speaker>,
    /// The ids of events by the UID under which they were imported.
    pub(super) by_import_uid: HashMap<String, i64>,
}

/// What the import does with one row.
pub(super) enum RowStep {
    Create { event: Box<ValidatedEvent>, uid: Option<String> },
    Update { id: i64, event: Box<ValidatedEvent>, uid: Option<String> },
    None,
}

pub(super) struct ImportPlan {
    pub(super) preview: ImportPreview,
    /// One for each row.
    pub(super) steps: Vec<RowStep>,
    /// The speakers to create. In the steps, -1 is the id of the first of them, -2 of the next.
    pub(super) new_speakers: Vec<ValidatedSpeaker>,
}

/// The validated options.
struct Options<'o> {
    zone: Tz,
    time: Option<NaiveTime>,
    kind: Option<&'o str>,
    status: EventStatus,
    /// The types that are meant, by the key of the name in the file.
    types: HashMap<String, Option<&'o str>>,
    given: &'o ImportOptions,
}

fn check(given: &ImportOptions) -> Result<Options<'_>, AppError> {
    let wrong = |message: &str| AppError::Malformed(message.to_owned());
    let zone = given.timezone.as_deref().unwrap_or(DEFAULT_TIME_ZONE);
    let kind = |kind: &Option<String>| match kind.as_deref().filter(|kind| !kind.is_empty()) {
        Some(kind) if !EVENT_TYPES.contains(&kind) => Err(wrong(TYPE_INVALID)),
        _ => Ok(()),
    };
    kind(&given.r#type)?;
    given.types.iter().try_for_each(|choice| kind(&choice.r#type))?;
    let time = match given.time.as_deref().filter(|time| !time.is_empty()) {
        Some(text) => Some(values::time(text).ok_or_else(|| wrong(TIME_INVALID))?.time),
        None => None,
    };
    let status = given.status.unwrap_or_default();
    if !matches!(status, EventStatus::Published | EventStatus::Draft | EventStatus::Hidden) {
        return Err(wrong(STATUS_INVALID));
    }
    Ok(Options {
        zone: zone::find(zone).ok_or_else(|| wrong(TIMEZONE_INVALID))?,
        time,
        kind: given.r#type.as_deref().filter(|kind| !kind.is_empty()),
        status,
        types: given.types.iter().map(|choice| (values::name_key(&choice.name), choice.r#type.as_deref())).collect(),
        given,
    })
}

/// Plans the import of a file. It reads nothing and stores nothing.
///
/// # Errors
/// 400 if an option is wrong.
pub(super) fn plan(
    site: &SiteIdentity,
    source: &Source,
    options: &ImportOptions,
    stored: &StoredData,
) -> Result<ImportPlan, AppError> {
    let options = check(options)?;
    let evident = row::evident_date_order(&source.rows);
    let date_order = options.given.date_order.or(evident);
    let separator = options.given.speaker_separator.clone().filter(|text| !text.is_empty());
    let separator = separator.unwrap_or_else(|| mapping::guess_speaker_separator(&source.rows).to_owned());
    let mut planner = Planner::new(site, source, stored, &options, separator.clone());
    let mut rows = Vec::with_capacity(source.rows.len());
    let mut steps = Vec::with_capacity(source.rows.len());
    let left_out: HashSet<usize> = options.given.leave_out_rows.iter().copied().collect();
    for (number, source_row) in (1..).zip(&source.rows) {
        let (row, step) = if left_out.contains(&number) {
            (planner.left_out(source_row, date_order), RowStep::None)
        } else {
            planner.plan(source_row, date_order)
        };
        rows.push(row);
        steps.push(step);
    }
    let counts = count(&rows);
    let (speakers, unknown_types, totals) = planner.into_parts();
    let preview = ImportPreview {
        format: source.format,
        encoding: source.encoding.to_owned(),
        delimiter: source.delimiter,
        columns: source.columns.clone(),
        date_order,
        ambiguous_date: totals.ambiguous_date,
        speaker_separator: separator,
        unknown_speakers: speakers.unknown(),
        unknown_types,
        without_timezone: totals.without_timezone,
        without_time: totals.without_time,
        without_type: totals.without_type,
        unrounded_durations: totals.unrounded_durations,
        incomplete: totals.incomplete,
        counts,
        plan: fingerprint(&rows)?,
        rows,
    };
    Ok(ImportPlan { preview, steps, new_speakers: speakers.new })
}

fn fingerprint(rows: &[ImportRow]) -> Result<String, AppError> {
    let json = serde_json::to_vec(rows).map_err(AppError::internal)?;
    Ok(hex(&Sha256::digest(json)[..16]))
}

fn count(rows: &[ImportRow]) -> ImportCounts {
    let mut counts = ImportCounts::default();
    for row in rows {
        match row.action {
            RowAction::Create => {
                counts.create += 1;
                counts.drafts += usize::from(row.status == EventStatus::Draft);
            }
            RowAction::Update => counts.update += 1,
            RowAction::Skip => counts.skip += 1,
            RowAction::Unchanged => counts.unchanged += 1,
            RowAction::LeftOut => counts.left_out += 1,
            RowAction::Error => counts.error += 1,
        }
    }
    counts
}
