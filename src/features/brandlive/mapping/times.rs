//! Time parsing: date, time, zone and duration of an item.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike as _, Utc};
use chrono_tz::Tz;
use serde_json::Value;

use super::{first_value, text_at};
use crate::features::events::{self, SyncedField, SyncedValues};
use crate::platform::config::Brandlive;
use crate::platform::config::brandlive::{DurationUnit, MAX_EVENT_MINUTES, TimeFormat};
use crate::platform::duration::{self, DurationSyntax, Unit};
use crate::platform::zone;

/// A time of the provider.
enum ParsedTime {
    /// An instant in UTC, from a time with an offset or a zone, or from a number.
    Instant(DateTime<Utc>),
    /// What clocks show in a zone that is not known yet.
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
            Self::Instant(instant) => zone::local(zone, *instant).naive_local(),
            Self::WallClock(wall) => *wall,
        }
    }
}

/// Reads date, time, zone and duration of an item. Returns whether it names a zone that can't be read.
pub(super) fn read(config: &Brandlive, item: &[&Value], values: &mut SyncedValues) -> Result<bool, String> {
    let fields = &config.mapping;
    let starts_at = first_value(item, &fields.starts_at);
    // A date alone is a start together with the time in a field of its own.
    let date_alone = text_at(item, &fields.starts_at)
        .filter(|text| config.times.format == TimeFormat::Auto && parse_date(text).is_some())
        .filter(|_| text_at(item, &fields.time).is_some());
    let start = if let (Some(value), None) = (starts_at, &date_alone) {
        parse_time(config, value).ok_or("its start can't be read; see [brandlive.times]")?
    } else {
        let date = date_alone.or_else(|| text_at(item, &fields.date));
        let (Some(date), Some(time)) = (date, text_at(item, &fields.time)) else {
            return Err("it has no start".to_owned());
        };
        let date = parse_date(&date).ok_or("its date can't be read")?;
        let text = format!("{date}T{}", time.trim_start_matches(['T', 't']));
        let parsed = if config.times.format == TimeFormat::Naive { parse_wall_clock(&text) } else { parse_iso(&text) };
        in_configured_zone(config, parsed.ok_or("its time can't be read")?)
    };
    let named = text_at(item, &fields.timezone).as_deref().and_then(zone::find_in_any_case);
    // An object or a list names one as well.
    let has_unknown_zone = named.is_none() && first_value(item, &fields.timezone).is_some();
    let zone = match (named, &start) {
        (Some(zone), _) => zone,
        // An instant is right in any zone; a wall clock in another zone would be hours off.
        (None, ParsedTime::WallClock(_)) if has_unknown_zone => return Err("its time zone is unknown".to_owned()),
        (None, _) => zone::find(&config.defaults.timezone).unwrap_or(zone::DEFAULT),
    };
    let wall = start.wall(zone);
    let day = wall.date().to_string();
    if events::event_day(&day).is_none() {
        return Err("its start is outside of the range 1900-01-01 to 9999-12-30".to_owned());
    }
    values.set(SyncedField::Date, day);
    values.set(SyncedField::Time, wall.format("%H:%M").to_string());
    values.set(SyncedField::Timezone, zone.name());
    let minutes = minutes(config, item, start.instant(zone), zone)?;
    values.set(SyncedField::Duration, format!("{minutes} minutes"));
    Ok(has_unknown_zone)
}

fn minutes(config: &Brandlive, item: &[&Value], start: DateTime<Utc>, zone: Tz) -> Result<i64, String> {
    let duration = first_value(item, &config.mapping.duration);
    let minutes = if let Some(duration) = duration {
        parse_duration(config, duration).ok_or("its duration can't be read")?
    } else if let Some(end) = first_value(item, &config.mapping.ends_at) {
        let end = parse_time(config, end).ok_or("its end can't be read; see [brandlive.times]")?;
        (end.instant(zone) - start).num_minutes()
    } else {
        i64::from(config.defaults.duration)
    };
    let problem = match minutes {
        ..=0 if duration.is_some() => "its duration is not positive",
        ..=0 => "its end is not after its start",
        _ if minutes > i64::from(MAX_EVENT_MINUTES) => "it is longer than four weeks",
        _ => return Ok(minutes),
    };
    Err(problem.to_owned())
}

/// A duration in whole minutes, which can be negative: `90`, `"90"`, `"90 minutes"`, `"1h 30m"`, `"1:30:00"`, `"PT1H30M"`.
fn parse_duration(config: &Brandlive, value: &Value) -> Option<i64> {
    let unit = if config.times.duration_unit == DurationUnit::Seconds { Unit::Second } else { Unit::Minute };
    match value {
        Value::Number(number) => Some(duration::minutes_of(number.as_f64()?, unit)),
        Value::String(text) => duration::minutes(text, unit, DurationSyntax::Strict),
        _ => None,
    }
}

/// Whether a text instead of a flag is an instant; the zero of a database or a programming language is none. `None`
/// for a text that is not a time.
pub(super) fn is_instant(text: &str) -> Option<bool> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).collect();
    if digits.len() >= 8 && digits.iter().all(|digit| *digit == b'0') {
        return Some(false);
    }
    let date = match parse_iso(text) {
        Some(ParsedTime::Instant(instant)) => instant.date_naive(),
        Some(ParsedTime::WallClock(wall)) => wall.date(),
        None if text.len() > 8 && text.parse::<i64>().is_ok_and(|number| number > 0) => return Some(true),
        None => parse_date(text)?,
    };
    Some(date.year() >= 1900)
}

fn parse_time(config: &Brandlive, value: &Value) -> Option<ParsedTime> {
    // A number in quotes is a number, unless it is a date in the basic form.
    let text = value.as_str().map(|text| text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}'));
    let number = value.as_i64().or_else(|| value.as_f64().and_then(whole)).or_else(|| text.and_then(whole_number));
    let time = match config.times.format {
        TimeFormat::Seconds => DateTime::from_timestamp(number?, 0).map(ParsedTime::Instant),
        TimeFormat::Milliseconds => DateTime::from_timestamp_millis(number?).map(ParsedTime::Instant),
        TimeFormat::Rfc3339 => parse_iso(text?).filter(|time| matches!(time, ParsedTime::Instant(_))),
        // An offset in spite of the setting is ignored.
        TimeFormat::Naive => parse_wall_clock(text?),
        TimeFormat::Auto => match number {
            // Eight digits are a date without a time. Seconds have nine since 1973 and twelve from the year 5138 on.
            Some(100_000_000..100_000_000_000) => DateTime::from_timestamp(number?, 0).map(ParsedTime::Instant),
            Some(100_000_000_000..100_000_000_000_000) => {
                digits_only(number?).or_else(|| DateTime::from_timestamp_millis(number?).map(ParsedTime::Instant))
            }
            Some(_) => None,
            None => parse_iso(text?),
        },
    };
    let time = time.map(|time| in_configured_zone(config, time))?;
    // The calendar's library can't convert the first and the last of its years to another zone.
    let year = match &time {
        ParsedTime::Instant(instant) => instant.year(),
        ParsedTime::WallClock(wall) => wall.year(),
    };
    (-1..=10_000).contains(&year).then_some(time)
}

/// The whole part of a number in a text.
fn whole_number(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    fraction.bytes().all(|byte| byte.is_ascii_digit()).then(|| whole.parse().ok()).flatten()
}

/// A wall clock in the zone under `[brandlive.times]`, if there is one, is an instant.
fn in_configured_zone(config: &Brandlive, time: ParsedTime) -> ParsedTime {
    match (time, config.times.zone.as_deref().and_then(zone::find)) {
        (ParsedTime::WallClock(wall), Some(zone)) => ParsedTime::Instant(zone::instant_of(zone, wall)),
        (time, _) => time,
    }
}

/// A wall clock of 12 or 14 digits, such as 20310312190000. As milliseconds it would be in 1976 or after 2570.
fn digits_only(number: i64) -> Option<ParsedTime> {
    let text = number.to_string();
    let (date, time) = text.split_at_checked(8).filter(|(_, time)| matches!(time.len(), 4 | 6))?;
    let date = parse_date(date).filter(|date| (1_900..2_200).contains(&date.year()))?;
    Some(ParsedTime::WallClock(date.and_time(parse_clock(time)?)))
}

#[expect(clippy::cast_possible_truncation, reason = "the range is checked first")]
fn whole(number: f64) -> Option<i64> {
    (number.abs() < 1e15).then_some(number as i64)
}

/// A date and a time of RFC 3339 or ISO 8601, extended or basic, with or without seconds, fraction and offset, and with
/// the zone and other parts in brackets that some libraries add (RFC 9557). An offset has precedence over the zone.
fn parse_iso(text: &str) -> Option<ParsedTime> {
    let (text, bracket) = match text.split_once('[') {
        Some((text, suffix)) => {
            let name = suffix.strip_suffix(']')?.split(']').next()?;
            (text.trim_end(), Some(name.trim_start_matches('!')))
        }
        None => (text, None),
    };
    let (clock, offset) = split_offset(text)?;
    let ParsedTime::WallClock(wall) = parse_wall_clock(clock)? else { return None };
    match (offset, bracket) {
        (Some(seconds), _) => {
            Some(ParsedTime::Instant(wall.checked_sub_signed(TimeDelta::seconds(i64::from(seconds)))?.and_utc()))
        }
        (None, Some(name)) => Some(ParsedTime::Instant(zone::instant_of(zone::find(name)?, wall))),
        (None, None) => Some(ParsedTime::WallClock(wall)),
    }
}

/// Splits the offset from the end of a time; `None` if it is not valid.
fn split_offset(text: &str) -> Option<(&str, Option<i32>)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock.trim_end(), Some(0)));
    }
    if let Some(clock) = text.strip_suffix(" UTC").or_else(|| text.strip_suffix(" GMT")) {
        return Some((clock.trim_end(), Some(0)));
    }
    // A hyphen before the time belongs to the date.
    let time = text.find(['T', 't', ' ', '_'])?;
    let Some(at) = text[time..].find(['+', '-', '\u{2212}']).map(|at| time + at) else { return Some((text, None)) };
    let (clock, offset) = text.split_at(at);
    let sign = if offset.starts_with('+') { 1 } else { -1 };
    let digits: String = offset.chars().skip(1).filter(|c| *c != ':').collect();
    if !matches!(digits.len(), 2 | 4 | 6) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |range: std::ops::Range<usize>| digits.get(range).map_or(Some(0), |part| part.parse::<i32>().ok());
    let (hours, minutes, seconds) = (part(0..2)?, part(2..4)?, part(4..6)?);
    (hours < 24 && minutes < 60 && seconds < 60)
        .then(|| (clock.trim_end(), Some(sign * (hours * 3_600 + minutes * 60 + seconds))))
}

/// The date and the time of a text, without regard to an offset.
fn parse_wall_clock(text: &str) -> Option<ParsedTime> {
    let text = text.split_once('[').map_or(text, |(text, _)| text.trim_end());
    let text = split_offset(text)?.0;
    let (date, time) = text.split_once(['T', 't', ' ', '_'])?;
    let date = parse_date(date)?;
    if time.trim().trim_end_matches('0').trim_end_matches([':', '0', '.', ',']) == "24" {
        return Some(ParsedTime::WallClock(date.succ_opt()?.and_time(NaiveTime::MIN)));
    }
    Some(ParsedTime::WallClock(date.and_time(parse_clock(time)?)))
}

fn parse_date(text: &str) -> Option<NaiveDate> {
    let format = if text.len() == 8 { "%Y%m%d" } else { "%Y-%m-%d" };
    // The library reads years with a sign and more digits as well.
    NaiveDate::parse_from_str(text.trim(), format).ok().filter(|date| (0..10_000).contains(&date.year()))
}

/// A wall clock time; seconds and fractions are left out.
fn parse_clock(text: &str) -> Option<NaiveTime> {
    let text = text.trim();
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let minute = || Some(u32::from(format!("{fraction:0<2}").get(..2)?.parse::<u8>().ok()?) * 60 / 100);
    let has_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let iso = match (whole.len(), whole.contains(':')) {
        (8, true) => "%H:%M:%S",
        (6, false) => "%H%M%S",
        (5, true) => "%H:%M",
        (4, false) => "%H%M",
        (2, false) if has_fraction => return NaiveTime::from_hms_opt(whole.parse().ok()?, minute()?, 0),
        _ => "",
    };
    let parsed = if has_fraction && !iso.is_empty() { NaiveTime::parse_from_str(whole, iso).ok() } else { None };
    parsed
        .or_else(|| ["%H:%M", "%I:%M %p", "%I:%M%p"].iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok()))
        .and_then(|time| NaiveTime::from_hms_opt(time.hour(), time.minute(), 0))
}
