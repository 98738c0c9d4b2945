//! Reads a file to rows: which column has which field.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::csv::{self, CsvRecord};
use super::file::{MAX_ROWS, TextFile, quoted, shortened};
use super::ics;
use super::types::{EventFileField, FileColumn, FileFormat, ImportOptions, RowError};
use super::values;
use crate::platform::error::AppError;
use crate::platform::messages::{DEFAULT_TIME_ZONE, TIMEZONE_INVALID};
use crate::platform::slug::slug;
use crate::platform::zone;

/// The most columns.
const MAX_COLUMNS: usize = 200;
/// Blank lines and the headings.
const SAMPLES: usize = 3;

/// A row or an event of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceRow {
    pub(super) line: usize,
    /// The values that are not blank.
    pub(super) values: BTreeMap<EventFileField, String>,
    pub(super) errors: Vec<RowError>,
    pub(super) notes: Vec<String>,
}

/// What a file contains.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) format: FileFormat,
    pub(super) encoding: &'static str,
    pub(super) delimiter: Option<char>,
    pub(super) columns: Vec<FileColumn>,
    pub(super) rows: Vec<SourceRow>,
}

impl Source {
    /// The name of the column, or of the property, with this field.
    pub(super) fn column_of(&self, field: EventFileField) -> String {
        if self.format == FileFormat::Ics {
            return ics::property_of(field).to_owned();
        }
        let has = |column: &&FileColumn| column.field == Some(field);
        let column = self.columns.iter().find(has).filter(|column| !column.heading.is_empty());
        column.map_or_else(|| field.heading().to_owned(), |column| column.heading.clone())
    }
}

/// Reads the rows.
///
/// # Errors
/// 400 if the file can't be read as a whole, or if an option is wrong.
pub(super) fn read(file: &TextFile, options: &ImportOptions, now: DateTime<Utc>) -> Result<Source, AppError> {
    if file.format == FileFormat::Ics {
        let name = options.timezone.as_deref().unwrap_or(DEFAULT_TIME_ZONE);
        let zone = zone::find(name).ok_or_else(|| AppError::Malformed(TIMEZONE_INVALID.to_owned()))?;
        let rows = ics::read(&file.text, zone, now)?.into_iter().map(row_of).collect();
        return Ok(Source { format: file.format, encoding: file.encoding, delimiter: None, columns: Vec::new(), rows });
    }
    read_csv(file, options)
}

fn row_of(event: ics::CalendarEvent) -> SourceRow {
    let errors = event.errors.into_iter();
    let errors = errors.map(|(property, message)| RowError { column: Some(property), message }).collect();
    SourceRow { line: event.line, values: event.values, errors, notes: event.notes }
}

fn read_csv(file: &TextFile, options: &ImportOptions) -> Result<Source, AppError> {
    let wrong = |message: String| AppError::Malformed(message);
    let named = csv::named_delimiter(&file.text);
    let delimiter = options.delimiter.or(named).unwrap_or_else(|| csv::guess_delimiter(&file.text));
    let mut records = csv::read(&file.text, delimiter, MAX_ROWS + 3).map_err(|csv::UnclosedQuote(line)| {
        wrong(format!(
            "Line {line}: a quotation mark is opened and never closed, so the rest of the file can't be read. Close it, or \
             remove it."
        ))
    })?;
    if named.is_some() && !records.is_empty() {
        records.remove(0);
    }
    if records.len() > MAX_ROWS + 1 {
        return Err(wrong(format!("The file has more than {MAX_ROWS} rows. Split it into several files.")));
    }
    let mut records = records.into_iter();
    let headings: Vec<String> = records.next().map(|record| record.cells).unwrap_or_default();
    let records: Vec<CsvRecord> = records.collect();
    if records.is_empty() {
        return Err(wrong("The file has no rows below its headings.".to_owned()));
    }
    if headings.len() > MAX_COLUMNS {
        return Err(wrong(format!("The file has more than {MAX_COLUMNS} columns.")));
    }
    let fields = match &options.columns {
        Some(chosen) => chosen.iter().copied().chain(std::iter::repeat(None)).take(headings.len()).collect(),
        None => times_beside_dates(guess(&headings), &records),
    };
    for (index, field) in fields.iter().enumerate() {
        if let Some(field) = field.filter(|_| fields[..index].contains(field)) {
            return Err(wrong(format!("Two columns are “{}”. Choose one of them.", field.heading())));
        }
    }
    let columns = headings.iter().zip(&fields).enumerate().map(|(index, (heading, field))| {
        let cells = records.iter().filter_map(|record| record.cells.get(index));
        let samples = cells.filter(|cell| !cell.trim().is_empty()).take(SAMPLES);
        FileColumn {
            heading: shortened(heading, 60),
            samples: samples.map(|cell| shortened(csv::unescape_formula(cell), 40)).collect(),
            field: *field,
        }
    });
    let columns = columns.collect();
    let rows = records.into_iter().map(|record| with_fields(record, &fields)).collect();
    Ok(Source { format: file.format, encoding: file.encoding, delimiter: Some(delimiter), columns, rows })
}

fn with_fields(record: CsvRecord, fields: &[Option<EventFileField>]) -> SourceRow {
    let mut read = SourceRow { line: record.line, ..SourceRow::default() };
    let extra: Vec<&String> = record.cells.iter().skip(fields.len()).filter(|cell| !cell.trim().is_empty()).collect();
    if let Some(cell) = extra.first() {
        let message = format!(
            "The row has {} cells, but there are {} headings; {} has none. Put a text with the separator of the columns in \
             quotation marks.",
            record.cells.len(),
            fields.len(),
            quoted(cell),
        );
        read.errors.push(RowError { column: None, message });
    }
    for (cell, field) in record.cells.iter().zip(fields) {
        let text = csv::unescape_formula(cell.trim_matches([' ', '\u{a0}', '\n'])).trim();
        if let Some(field) = field.filter(|_| !text.is_empty()) {
            read.values.insert(field, text.to_owned());
        }
    }
    read
}

/// The slugs of headings by field, besides the field's own.
const HEADINGS: [(EventFileField, &[&str]); 28] = [
    (EventFileField::Uid, &["id", "event-id", "event-uid", "ical-uid"]),
    (EventFileField::Title, &["subject", "event", "event-name", "name", "event-title", "topic", "webinar"]),
    (EventFileField::Date, &["start-date", "day", "event-date", "event-start-date", "starts-on", "date-start"]),
    (EventFileField::Time, &["start-time", "event-start-time", "event-time", "time-start", "starts"]),
    (
        EventFileField::Start,
        &[
            "starts-at",
            "start-date-time",
            "start-datetime",
            "date-time",
            "datetime",
            "date-and-time",
            "when",
            "begin",
            "dtstart",
        ],
    ),
    (EventFileField::EndDate, &["event-end-date", "ends-on", "date-end"]),
    (EventFileField::EndTime, &["event-end-time", "time-end", "ends"]),
    (EventFileField::End, &["ends-at", "end-date-time", "end-datetime", "dtend", "finish"]),
    (
        EventFileField::Duration,
        &["length", "minutes", "duration-minutes", "duration-min", "duration-in-minutes", "duration-mins"],
    ),
    (EventFileField::Timezone, &["timezone", "zone", "tz", "tzid", "event-time-zone", "event-timezone"]),
    (EventFileField::Type, &["event-type", "category", "categories", "kind"]),
    (EventFileField::Series, &["event-series", "program"]),
    (EventFileField::Summary, &["short-description", "teaser", "abstract", "excerpt"]),
    (
        EventFileField::Description,
        &["details", "about", "body", "long-description", "event-description", "notes", "text"],
    ),
    (EventFileField::DescriptionFormat, &["text-format", "format-of-description", "format"]),
    (
        EventFileField::RegistrationUrl,
        &[
            "registration-link",
            "registration",
            "register",
            "url",
            "link",
            "event-url",
            "event-link",
            "ticket-url",
            "sign-up",
            "website",
        ],
    ),
    (
        EventFileField::Speakers,
        &["speaker", "hosts", "host", "presenters", "presenter", "panelists", "speaker-names", "speaker-s"],
    ),
    (EventFileField::Status, &["state-of-event", "event-status", "visibility"]),
    (EventFileField::PublishAt, &["publish-on", "publish-date", "publication-date", "published-at"]),
    (EventFileField::RecordingUrl, &["recording", "recording-link", "replay", "replay-url", "video"]),
    (EventFileField::VenueName, &["venue-name", "location", "place", "location-name", "where"]),
    (EventFileField::VenueAddress, &["venue-address", "street", "street-address", "location-address"]),
    (EventFileField::City, &["venue-city", "town"]),
    (EventFileField::State, &["venue-state", "region", "province"]),
    (EventFileField::VenueImageUrl, &["venue-image", "image", "image-url"]),
    (EventFileField::GoogleLink, &["google-link", "google"]),
    (EventFileField::OutlookLink, &["outlook"]),
    (EventFileField::IcalLink, &["ical-link", "ical", "ics"]),
];

/// The fields of the columns by their headings; no field twice.
fn guess(headings: &[String]) -> Vec<Option<EventFileField>> {
    let slugs: Vec<String> = headings.iter().map(|heading| slug(heading, 60)).collect();
    let mut fields: Vec<Option<EventFileField>> = vec![None; headings.len()];
    let mut assign = |field: EventFileField, slug: &str| {
        let at = slugs.iter().position(|found| found == slug);
        if let Some(at) = at.filter(|at| fields[*at].is_none() && !fields.contains(&Some(field))) {
            fields[at] = Some(field);
        }
    };
    for field in EventFileField::ALL {
        assign(field, &slug(field.heading(), 60));
    }
    for (field, names) in HEADINGS {
        for name in names {
            assign(field, name);
        }
    }
    // Calendars call the title a summary.
    if !fields.contains(&Some(EventFileField::Title))
        && let Some(at) = fields.iter().position(|field| *field == Some(EventFileField::Summary))
    {
        fields[at] = Some(EventFileField::Title);
    }
    fields
}

/// `Start` and `End` beside a column with the date are mostly times: they are, if all of their values are.
fn times_beside_dates(mut fields: Vec<Option<EventFileField>>, records: &[CsvRecord]) -> Vec<Option<EventFileField>> {
    if !fields.contains(&Some(EventFileField::Date)) {
        return fields;
    }
    for (both, time) in [(EventFileField::Start, EventFileField::Time), (EventFileField::End, EventFileField::EndTime)]
    {
        let Some(at) = fields.iter().position(|field| *field == Some(both)) else { continue };
        let mut cells =
            records.iter().filter_map(|record| Some(record.cells.get(at)?.trim())).filter(|cell| !cell.is_empty());
        if !fields.contains(&Some(time)) && cells.all(|cell| values::time(cell).is_some()) {
            fields[at] = Some(time);
        }
    }
    fields
}

/// The separator with which the names of speakers are most likely written.
pub(super) fn guess_speaker_separator(rows: &[SourceRow]) -> &'static str {
    let mut cells = rows.iter().filter_map(|row| row.values.get(&EventFileField::Speakers));
    let has = |separator: &str| cells.clone().any(|cell| cell.contains(separator));
    [";", "|", "\n", "/"].into_iter().find(|separator| has(separator)).unwrap_or_else(|| {
        // A comma may also come before a degree; `and` and `&` separate the last names of such a list.
        if cells.any(|cell| [",", " and ", " & "].iter().any(|separator| cell.contains(separator))) { "," } else { ";" }
    })
}

/// The names in a cell. After a comma, degrees and suffixes are part of the name before it.
pub(super) fn names_in(cell: &str, separator: &str) -> Vec<String> {
    const SUFFIXES: [&str; 20] = [
        "md", "do", "phd", "cpa", "esq", "jr", "sr", "ii", "iii", "mba", "cfa", "cfp", "jd", "dds", "dmd", "rn", "pe",
        "dr", "ms", "ma",
    ];
    let mut names: Vec<String> = Vec::new();
    let pieces = cell.split(separator).flat_map(|piece| {
        let is_list = separator == ",";
        let and = if is_list { piece.split_once(" and ").or_else(|| piece.split_once(" & ")) } else { None };
        let piece = if is_list { piece.trim().strip_prefix("and ").unwrap_or(piece) } else { piece };
        and.map_or_else(|| vec![piece], |(before, after)| vec![before, after])
    });
    for piece in pieces {
        let piece = piece.split_whitespace().collect::<Vec<_>>().join(" ");
        if piece.is_empty() {
            continue;
        }
        let key = piece.replace('.', "").to_lowercase();
        match names.last_mut() {
            Some(name) if separator == "," && SUFFIXES.contains(&key.as_str()) => {
                name.push_str(", ");
                name.push_str(&piece);
            }
            _ => names.push(piece),
        }
    }
    let mut once = Vec::new();
    names.retain(|name| {
        let key = values::name_key(name);
        let is_new = !once.contains(&key);
        once.push(key);
        is_new
    });
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_recognized_by_their_headings() {
        let fields = |headings: &[&str]| guess(&headings.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            fields(&["Subject", "Start Date", "Start Time", "End Date", "End Time", "All Day Event", "Location"]),
            [
                Some(EventFileField::Title),
                Some(EventFileField::Date),
                Some(EventFileField::Time),
                Some(EventFileField::EndDate),
                Some(EventFileField::EndTime),
                None,
                Some(EventFileField::VenueName)
            ]
        );
        assert_eq!(
            fields(&["Summary", "DTSTART", "summary"]),
            [Some(EventFileField::Title), Some(EventFileField::Start), None]
        );
        let all: Vec<&str> = EventFileField::ALL.iter().map(|field| field.heading()).collect();
        assert_eq!(fields(&all), EventFileField::ALL.map(Some));
    }

    #[test]
    fn names_are_separated_but_not_from_their_degrees() {
        assert_eq!(
            names_in("Ada Bell, MD, Grace Obi and Imani Cole", ","),
            ["Ada Bell, MD", "Grace Obi", "Imani Cole"]
        );
        assert_eq!(names_in("Bell, Ada; Grace  Obi;;grace obi", ";"), ["Bell, Ada", "Grace Obi"]);
        assert_eq!(names_in("Ada Bell, Grace Obi, and Imani Cole", ","), ["Ada Bell", "Grace Obi", "Imani Cole"]);
    }
}
