//! The values of a row in the notation of the API.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;

use super::super::file::quoted;
use super::super::mapping::{Source, SourceRow};
use super::super::types::{DateOrder, EventFileField, RowError};
use super::super::values::{self, ParsedTime};
use crate::features::events::DescriptionFormat;
use crate::platform::{plain_text, zone};

/// A row in the notation of the API.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The parsed values; those of the type and the speakers as in the file. The zone only if the file names it.
    pub(super) values: BTreeMap<EventFileField, String>,
    pub(super) errors: Vec<RowError>,
    pub(super) zone: Tz,
    /// The start, if it has day and time.
    pub(super) starts_at: Option<DateTime<Utc>>,
    pub(super) lacks_time: bool,
    pub(super) lacks_zone: bool,
    /// A date that can be read in two ways.
    pub(super) ambiguous_date: Option<String>,
    /// The fields whose HTML has become text.
    pub(super) from_html: Vec<EventFileField>,
}

/// What rows without a value of their own get.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defaults {
    pub(super) zone: Tz,
    pub(super) time: Option<NaiveTime>,
    pub(super) date_order: Option<DateOrder>,
}

/// The order of all dates, if one date is right in one order only.
pub(super) fn evident_date_order(rows: &[SourceRow]) -> Option<DateOrder> {
    let fields = [EventFileField::Date, EventFileField::Start, EventFileField::EndDate, EventFileField::End];
    let mut order = None;
    for text in rows.iter().flat_map(|row| fields.iter().filter_map(|field| row.values.get(field))) {
        let evident = values::evident_order(text).or_else(|| values::evident_order(text.split(' ').next()?));
        match (order, evident) {
            (Some(before), Some(now)) if before != now => return None,
            (None, Some(_)) => order = evident,
            _ => {}
        }
    }
    order
}

/// Parses the values of a row.
pub(super) fn parse(source: &Source, source_row: &SourceRow, defaults: Defaults) -> Row {
    let mut parser = Parser {
        source,
        source_row,
        defaults,
        errors: source_row.errors.clone(),
        ambiguous_date: None,
        from_html: Vec::new(),
    };
    let mut values = BTreeMap::new();
    for (field, text) in &source_row.values {
        let value = match field {
            EventFileField::Status => parser.status(text),
            EventFileField::DescriptionFormat => parser.description_format(text),
            EventFileField::Summary | EventFileField::Description => parser.text(*field, text),
            // Parsed together below.
            EventFileField::Date
            | EventFileField::Start
            | EventFileField::Time
            | EventFileField::EndDate
            | EventFileField::EndTime
            | EventFileField::End => None,
            EventFileField::Duration => parser.duration(text),
            EventFileField::Timezone => parser.zone(text).map(|zone| zone.name().to_owned()),
            _ => Some(text.clone()),
        };
        if let Some(value) = value {
            values.insert(*field, value);
        }
    }
    if parser.has(&[EventFileField::Time]) && !parser.has(&[EventFileField::Date, EventFileField::Start]) {
        parser.error(EventFileField::Time, "The row has a time, but no date.".to_owned());
    }
    let named = values.get(&EventFileField::Timezone).and_then(|name| zone::find(name));
    let (date, time) = parser.start();
    let zone =
        named.or_else(|| time.as_ref().and_then(|time| time.zone)).filter(|zone| *zone != Tz::UTC || named.is_some());
    let is_utc = time.as_ref().is_some_and(|time| time.zone == Some(Tz::UTC)) && zone != Some(Tz::UTC);
    let (lacks_zone, zone) = (zone.is_none(), zone.unwrap_or(defaults.zone));
    let mut wall = date.zip(time.as_ref().map(|time| time.time)).map(|(date, time)| date.and_time(time));
    if is_utc {
        wall = wall.map(|wall| zone::local(zone, wall.and_utc()).naive_local());
    }
    let lacks_time = time.is_none() && !parser.has(&[EventFileField::Time]);
    let wall = wall.or_else(|| Some(date?.and_time(defaults.time.filter(|_| lacks_time)?)));
    if let Some(date) = wall.map(|wall| wall.date()).or(date) {
        values.insert(EventFileField::Date, values::date_text(date));
    }
    if let Some(wall) = wall {
        values.insert(EventFileField::Time, values::time_text(wall.time()));
        if !values.contains_key(&EventFileField::Duration)
            && let Some(minutes) = parser.minutes_to_end(wall.date(), wall.time(), time.as_ref())
        {
            values.insert(EventFileField::Duration, format!("{minutes} minutes"));
        }
    }
    if let (None, Some(time)) = (wall, &time) {
        values.insert(EventFileField::Time, values::time_text(time.time));
    }
    if !lacks_zone {
        values.insert(EventFileField::Timezone, zone.name().to_owned());
    }
    Row {
        values,
        errors: parser.errors,
        zone,
        starts_at: wall.map(|wall| zone::instant_of(zone, wall)),
        lacks_time,
        lacks_zone,
        ambiguous_date: parser.ambiguous_date,
        from_html: parser.from_html,
    }
}

struct Parser<'s> {
    source: &'s Source,
    source_row: &'s SourceRow,
    defaults: Defaults,
    errors: Vec<RowError>,
    ambiguous_date: Option<String>,
    from_html: Vec<EventFileField>,
}

impl Parser<'_> {
    fn has(&self, fields: &[EventFileField]) -> bool {
        fields.iter().any(|field| self.source_row.values.contains_key(field))
    }

    fn error(&mut self, field: EventFileField, message: String) {
        let column = Some(self.source.column_of(field));
        self.errors.push(RowError { column, message });
    }

    fn status(&mut self, text: &str) -> Option<String> {
        let status = values::status(text);
        if status.is_none() {
            let allowed = "draft, scheduled, published, hidden, cancelled or postponed";
            self.error(EventFileField::Status, format!("{} is not a valid status. Use {allowed}.", quoted(text)));
        }
        status.map(|status| status.as_str().to_owned())
    }

    fn description_format(&mut self, text: &str) -> Option<String> {
        let format = values::description_format(text);
        if format.is_none() {
            let message = format!("{} is not a valid description format. Use plain or markdown.", quoted(text));
            self.error(EventFileField::DescriptionFormat, message);
        }
        format.map(|format| format.as_str().to_owned())
    }

    /// Text instead of HTML, which calendars such as Google's have. Markdown may have tags of its own.
    fn text(&mut self, field: EventFileField, text: &str) -> Option<String> {
        let format = self.source_row.values.get(&EventFileField::DescriptionFormat);
        let is_markdown = format.and_then(|name| values::description_format(name)) == Some(DescriptionFormat::Markdown);
        if is_markdown || !plain_text::has_html_tag(text) {
            return Some(text.to_owned());
        }
        match plain_text::paragraphs(text, usize::MAX) {
            Ok(cleaned) => {
                self.from_html.push(field);
                Some(cleaned).filter(|text| !text.is_empty())
            }
            Err(error) => {
                self.error(field, format!("The text {error}."));
                None
            }
        }
    }

    fn duration(&mut self, text: &str) -> Option<String> {
        let minutes = values::minutes(text);
        if minutes.is_none() {
            let message = format!("{} is not a valid duration. Use 60 or 1:30.", quoted(text));
            self.error(EventFileField::Duration, message);
        }
        minutes.map(|minutes| format!("{minutes} minutes"))
    }

    fn zone(&mut self, text: &str) -> Option<Tz> {
        let zone = values::zone(text);
        if zone.is_none() {
            let message = format!("{} is not a valid time zone. Use America/New_York or ET.", quoted(text));
            self.error(EventFileField::Timezone, message);
        }
        zone
    }

    /// Day and time of the start: from one column, or from two.
    fn start(&mut self) -> (Option<NaiveDate>, Option<ParsedTime>) {
        let (date, time) =
            self.day(if self.has(&[EventFileField::Date]) { EventFileField::Date } else { EventFileField::Start });
        let own_time = self.time(EventFileField::Time);
        (date, own_time.or(time))
    }

    fn day(&mut self, field: EventFileField) -> (Option<NaiveDate>, Option<ParsedTime>) {
        let Some(text) = self.source_row.values.get(&field) else { return (None, None) };
        let Some((date, time)) = values::date_and_time(text) else {
            let message = format!("{} is not a valid date. Use 2031-03-12 or March 12, 2031.", quoted(text));
            self.error(field, message);
            return (None, None);
        };
        let date = date.in_order(self.defaults.date_order);
        if date.is_none() {
            let message = format!("{} is ambiguous. Choose the order of day and month.", quoted(text));
            self.error(field, message);
            self.ambiguous_date.get_or_insert_with(|| text.clone());
        }
        (date, time)
    }

    fn time(&mut self, field: EventFileField) -> Option<ParsedTime> {
        let text = self.source_row.values.get(&field)?;
        let time = values::time(text);
        if time.is_none() {
            self.error(field, format!("{} is not a valid time. Use 7:00 PM or 19:00.", quoted(text)));
        }
        time
    }

    /// The minutes from the start to the end, if the row has an end.
    fn minutes_to_end(&mut self, date: NaiveDate, start: NaiveTime, range: Option<&ParsedTime>) -> Option<i64> {
        let mut end_day = None;
        let mut end_time = range.and_then(|range| range.end);
        if self.has(&[EventFileField::EndTime]) {
            end_time = Some(self.time(EventFileField::EndTime)?.time);
        }
        if self.has(&[EventFileField::EndDate]) {
            end_day = Some(self.day(EventFileField::EndDate).0?);
        }
        if let Some(text) = self.source_row.values.get(&EventFileField::End) {
            if let Some(time) = values::time(text) {
                end_time = Some(time.time);
            } else {
                let (day, time) = self.day(EventFileField::End);
                (end_day, end_time) = (Some(day?), time.map(|time| time.time).or(end_time));
            }
        }
        let end = end_day.unwrap_or(date).and_time(end_time?);
        let mut length = end - date.and_time(start);
        // A time alone after midnight.
        if end_day.is_none() && length < TimeDelta::zero() {
            length += TimeDelta::days(1);
        }
        if length <= TimeDelta::zero() {
            let field = [EventFileField::EndTime, EventFileField::End, EventFileField::EndDate]
                .into_iter()
                .find(|field| self.has(&[*field]));
            self.error(field.unwrap_or(EventFileField::Time), "The event ends before it starts.".to_owned());
            return None;
        }
        Some(length.num_minutes())
    }
}
