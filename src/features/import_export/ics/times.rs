//! Dates and times of calendars (RFC 5545 §3.3.4, §3.3.5) and the time zones that they name.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use chrono_tz::Tz;

use super::super::file::quoted;
use super::super::values;
use super::lines::{Component, Property};
use crate::platform::zone;

/// The start of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// The wall clock in the zone; midnight for a day without a time.
    pub(super) wall: NaiveDateTime,
    pub(super) zone: Tz,
    /// Whether the file names the zone.
    pub(super) has_zone: bool,
    pub(super) is_all_day: bool,
}

impl Start {
    pub(super) fn instant(self) -> DateTime<Utc> {
        zone::instant_of(self.zone, self.wall)
    }
}

/// The time zones of a calendar.
#[derive(Clone, Debug)]
pub(super) struct Zones {
    default: Tz,
    /// Whether the calendar names the default zone.
    is_named: bool,
    /// By the calendar's own ids.
    own: HashMap<String, Tz>,
}

impl Zones {
    pub(super) fn new(calendar: &[Component], default: Tz) -> Self {
        let named = calendar.iter().find_map(|component| component.first("X-WR-TIMEZONE"));
        let named = named.and_then(|property| values::zone(&property.value)).filter(|zone| *zone != Tz::UTC);
        let own = calendar.iter().filter(|component| component.name == "VTIMEZONE").filter_map(|component| {
            let id = component.first("TZID")?.value.trim().to_owned();
            let location = component.first("X-LIC-LOCATION").and_then(|property| values::zone(&property.value));
            Some((id.clone(), location.or_else(|| values::zone(&id))?))
        });
        Self { default: named.unwrap_or(default), is_named: named.is_some(), own: own.collect() }
    }

    /// Parses a date with or without a time. A time in UTC is shown in the calendar's zone, else in the default zone.
    pub(super) fn start(&self, property: &Property) -> Result<Start, String> {
        self.start_of(&property.value, property)
    }

    /// Parses one of the values of a property.
    fn start_of(&self, value: &str, property: &Property) -> Result<Start, String> {
        let text = value.trim();
        let error = || format!("{} is not a valid date and time.", quoted(text));
        if property.parameter("VALUE") == Some("DATE") || text.len() == 8 {
            let wall = date(text).ok_or_else(error)?.and_time(NaiveTime::MIN);
            return Ok(Start { wall, zone: self.default, has_zone: self.is_named, is_all_day: true });
        }
        let (wall, is_utc) = text.strip_suffix(['Z', 'z']).map_or((text, false), |wall| (wall, true));
        let wall = date_time(wall).ok_or_else(error)?;
        if is_utc {
            let wall = zone::local(self.default, wall.and_utc()).naive_local();
            return Ok(Start { wall, zone: self.default, has_zone: self.is_named, is_all_day: false });
        }
        let Some(id) = property.parameter("TZID") else {
            return Ok(Start { wall, zone: self.default, has_zone: self.is_named, is_all_day: false });
        };
        let zone = self.own.get(id.trim()).copied().or_else(|| values::zone(id));
        let zone = zone.ok_or_else(|| {
            format!(
                "The time zone {} is not known. Replace it in the file by a name such as America/New_York.",
                quoted(id)
            )
        })?;
        Ok(Start { wall, zone, has_zone: true, is_all_day: false })
    }

    /// Parses the values of a list of dates, such as EXDATE.
    pub(super) fn starts(&self, property: &Property) -> impl Iterator<Item = Start> {
        property.value.split(',').filter_map(|value| {
            // Of a period only the start counts.
            self.start_of(value.split('/').next().unwrap_or_default(), property).ok()
        })
    }
}

/// `20310312`
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    let shape = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    // Years before 1900 are errors, as in the form.
    if shape && text >= "1900" { NaiveDate::parse_from_str(text, "%Y%m%d").ok() } else { None }
}

/// `20310312T190000`
pub(super) fn date_time(text: &str) -> Option<NaiveDateTime> {
    let (day, time) = text.split_once(['T', 't'])?;
    let shape = matches!(time.len(), 4 | 6) && time.bytes().all(|byte| byte.is_ascii_digit());
    let number = |at: usize| time.get(at..at + 2).and_then(|part| part.parse().ok());
    let time = NaiveTime::from_hms_opt(number(0).filter(|_| shape)?, number(2)?, 0)?;
    Some(date(day)?.and_time(time))
}
