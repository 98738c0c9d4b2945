//! Time parsing: date, time, zone and duration of an item.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use serde_json::Value;

use super::text_at;
use crate::features::brandlive::client::first_value;
use crate::features::events::{ImportedField, ImportedValues};
use crate::platform::config::Brandlive;
use crate::platform::config::brandlive::{DurationUnit, TimeFormat};
use crate::platform::zone;

/// The longest event, in minutes: four weeks.
const MAX_MINUTES: i64 = 28 * 24 * 60;

/// A parsed time.
enum ParsedTime {
    Instant(DateTime<Utc>),
    WallClock(NaiveDateTime),
}

impl ParsedTime {
    fn instant(&self, zone: Tz) -> DateTime<Utc> {
        match self {
            Self::Instant(instant) => *instant,
            Self::WallClock(wall) => zone::instant_of(zone, *wall),
        }
    }

    fn wall(&self, zone: Tz) -> NaiveDateTime {
        match self {
            Self::Instant(instant) => instant.with_timezone(&zone).naive_local(),
            Self::WallClock(wall) => *wall,
        }
    }
}

/// Reads date, time, zone and duration of an item.
pub(super) fn read(config: &Brandlive, item: &[&Value], values: &mut ImportedValues) -> Result<(), String> {
    let fields = &config.mapping;
    let start = if let Some(value) = first_value(item, &fields.starts_at) {
        parse_time(config, value).ok_or("its start can't be read; see [brandlive.times]")?
    } else {
        let (Some(date), Some(time)) = (text_at(item, &fields.date), text_at(item, &fields.time)) else {
            return Err("it has no start".to_owned());
        };
        let date = NaiveDate::parse_from_str(&date, "%Y-%m-%d").map_err(|_| "its date can't be read")?;
        ParsedTime::WallClock(date.and_time(parse_clock(&time).ok_or("its time can't be read")?))
    };
    let name = text_at(item, &fields.timezone);
    let zone = match (name.as_deref().and_then(zone::find), &start) {
        (Some(zone), _) => zone,
        // An instant is right in any zone; a wall clock in another zone would be hours off.
        (None, ParsedTime::WallClock(_)) if name.is_some() => return Err("its time zone is unknown".to_owned()),
        (None, _) => zone::find(&config.defaults.timezone).unwrap_or(Tz::America__New_York),
    };
    let wall = start.wall(zone);
    let day = wall.date().to_string();
    if !("1900-01-01".."9999-12-31").contains(&day.as_str()) || day.len() != 10 {
        return Err("its start is outside of the years 1900 to 9999".to_owned());
    }
    values.set(ImportedField::Date, day);
    values.set(ImportedField::Time, wall.format("%H:%M").to_string());
    values.set(ImportedField::Timezone, zone.name());
    let minutes = minutes(config, item, start.instant(zone), zone)?;
    values.set(ImportedField::Duration, format!("{minutes} minutes"));
    Ok(())
}

fn minutes(config: &Brandlive, item: &[&Value], start: DateTime<Utc>, zone: Tz) -> Result<i64, String> {
    let minutes = if let Some(length) = first_value(item, &config.mapping.duration) {
        parse_duration(config, length).ok_or("its duration can't be read")?
    } else if let Some(end) = first_value(item, &config.mapping.ends_at) {
        let end = parse_time(config, end).ok_or("its end can't be read; see [brandlive.times]")?;
        (end.instant(zone) - start).num_minutes()
    } else {
        i64::from(config.defaults.duration)
    };
    match minutes {
        1..=MAX_MINUTES => Ok(minutes),
        ..=0 => Err("it ends before it starts".to_owned()),
        _ => Err("it is longer than four weeks".to_owned()),
    }
}

/// `90`, `"90"`, `"90 minutes"`, `"1:30:00"`.
fn parse_duration(config: &Brandlive, value: &Value) -> Option<i64> {
    let text = match value {
        Value::Number(number) => {
            number.as_f64().filter(|number| number.is_finite()).map(|number| format!("{number:.0}"))?
        }
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    if text.contains(':') {
        let parts: Vec<i64> = text.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        return match parts.as_slice() {
            [hours, minutes] | [hours, minutes, _] if (0..1_000).contains(hours) && (0..60).contains(minutes) => {
                Some(hours * 60 + minutes)
            }
            _ => None,
        };
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).map_or(text.as_str(), |end| &text[..end]);
    let number: i64 = digits.parse().ok()?;
    let unit = text[digits.len()..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()).trim().to_lowercase();
    Some(match unit.as_str() {
        "" if config.times.duration_unit == DurationUnit::Seconds => number / 60,
        "s" | "sec" | "secs" | "second" | "seconds" => number / 60,
        "h" | "hr" | "hrs" | "hour" | "hours" => number.checked_mul(60)?,
        "" | "m" | "min" | "mins" | "minute" | "minutes" => number,
        _ => return None,
    })
}

fn parse_time(config: &Brandlive, value: &Value) -> Option<ParsedTime> {
    // A number in quotes is a number.
    let number =
        value.as_i64().or_else(|| value.as_f64().and_then(whole)).or_else(|| value.as_str()?.trim().parse().ok());
    let text = value.as_str().map(str::trim);
    match config.times.format {
        TimeFormat::Seconds => DateTime::from_timestamp(number?, 0).map(ParsedTime::Instant),
        TimeFormat::Milliseconds => DateTime::from_timestamp_millis(number?).map(ParsedTime::Instant),
        TimeFormat::Rfc3339 => parse_instant(text?),
        // An offset in spite of the setting is ignored.
        TimeFormat::Naive => parse_wall_clock(text?).or_else(|| {
            DateTime::parse_from_rfc3339(text?).ok().map(|instant| ParsedTime::WallClock(instant.naive_local()))
        }),
        TimeFormat::Auto => match (number, text) {
            // Seconds reach this number in the year 5138, milliseconds reached it in 1973.
            (Some(number), _) if number.abs() < 100_000_000_000 => {
                DateTime::from_timestamp(number, 0).map(ParsedTime::Instant)
            }
            (Some(number), _) => DateTime::from_timestamp_millis(number).map(ParsedTime::Instant),
            (None, Some(text)) => parse_instant(text).or_else(|| parse_wall_clock(text)),
            (None, None) => None,
        },
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the range is checked first")]
fn whole(number: f64) -> Option<i64> {
    (number.abs() < 1e15).then_some(number as i64)
}

fn parse_instant(text: &str) -> Option<ParsedTime> {
    let parsed = DateTime::parse_from_rfc3339(text)
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f%z"))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f %z"));
    parsed.ok().map(|instant| ParsedTime::Instant(instant.to_utc()))
}

fn parse_wall_clock(text: &str) -> Option<ParsedTime> {
    let (date, time) = text.split_once(['T', ' '])?;
    let date = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?;
    Some(ParsedTime::WallClock(date.and_time(parse_clock(time)?)))
}

fn parse_clock(text: &str) -> Option<NaiveTime> {
    let text = text.trim();
    ["%H:%M:%S%.f", "%H:%M", "%I:%M %p", "%I:%M%p"]
        .iter()
        .find_map(|form| NaiveTime::parse_from_str(text, form).ok())
        .map(|time| time - TimeDelta::nanoseconds(i64::from(chrono::Timelike::nanosecond(&time))))
}
