//! Parses dates, times, durations, time zones, types and names as people and programs write them.

use chrono::{Datelike as _, Days, NaiveDate, NaiveTime, Timelike as _};
use chrono_tz::Tz;

use super::types::DateOrder;
use crate::features::events::Status;
use crate::platform::messages::{EVENT_TYPES, NAME_TITLES};
use crate::platform::slug::slug;
use crate::platform::zone;

/// A parsed date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParsedDate {
    Date(NaiveDate),
    /// The date with the month first, and with the day first.
    Ambiguous(NaiveDate, NaiveDate),
}

impl ParsedDate {
    /// The date in this order; `None` if it is ambiguous and there is no order.
    pub(super) fn in_order(self, order: Option<DateOrder>) -> Option<NaiveDate> {
        match (self, order) {
            (Self::Date(date), _)
            | (Self::Ambiguous(date, _), Some(DateOrder::MonthFirst))
            | (Self::Ambiguous(_, date), Some(DateOrder::DayFirst)) => Some(date),
            (Self::Ambiguous(..), None) => None,
        }
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Parses a date: `2031-03-12`, `3/12/2031`, `12.3.2031`, `March 12, 2031`, `Wed 12 Mar 2031`, or Excel's number of a day.
pub(super) fn date(text: &str) -> Option<ParsedDate> {
    let lower = text.trim().to_lowercase();
    if lower.len() > 60 {
        return None;
    }
    let parts: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let day_of = |year: i32, month: u32, day: u32| NaiveDate::from_ymd_opt(year, month, day).map(ParsedDate::Date);
    if let [one] = parts.as_slice() {
        if one.len() == 8 && one.bytes().all(|byte| byte.is_ascii_digit()) {
            return day_of(one[..4].parse().ok()?, one[4..6].parse().ok()?, one[6..].parse().ok()?);
        }
        // The days since 1899-12-30, which Excel shows for a date without a format.
        let serial = one.parse::<u64>().ok().filter(|days| one.len() == 5 && (20_000..80_000).contains(days))?;
        return NaiveDate::from_ymd_opt(1899, 12, 30)?.checked_add_days(Days::new(serial)).map(ParsedDate::Date);
    }
    let month = parts.iter().find_map(|part| month(part));
    if let Some(month) = month {
        let numbers: Vec<&str> = parts.iter().filter_map(|part| number_of(part)).collect();
        let is_word = |part: &&&str| number_of(part).is_none() && self::month(part).is_none();
        if parts.iter().filter(is_word).any(|word| !is_weekday(word) && *word != "of") {
            return None;
        }
        return match numbers.as_slice() {
            [year, day] if year.len() == 4 => day_of(year.parse().ok()?, month, day.parse().ok()?),
            [day, year] => day_of(year_of(year)?, month, day.parse().ok()?),
            _ => None,
        };
    }
    let parts: Vec<&str> = parts.into_iter().filter(|part| !is_weekday(part)).collect();
    let [a, b, c] = parts.as_slice() else { return None };
    if [a, b, c].iter().any(|part| !part.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    if a.len() == 4 {
        return day_of(a.parse().ok()?, b.parse().ok()?, c.parse().ok()?);
    }
    let (first, second, year) = (a.parse::<u32>().ok()?, b.parse::<u32>().ok()?, year_of(c)?);
    // Dots are the notation of countries that write the day first.
    if lower.contains('.') {
        return day_of(year, second, first);
    }
    let month_first = NaiveDate::from_ymd_opt(year, first, second);
    let day_first = NaiveDate::from_ymd_opt(year, second, first);
    match (month_first, day_first) {
        (Some(one), Some(other)) if one != other => Some(ParsedDate::Ambiguous(one, other)),
        (Some(date), _) | (None, Some(date)) => Some(ParsedDate::Date(date)),
        (None, None) => None,
    }
}

/// The order of a date that is right in one order only, such as 3/25/2031.
pub(super) fn evident_order(text: &str) -> Option<DateOrder> {
    let lower = text.trim();
    if lower.contains('.') || !matches!(date(lower), Some(ParsedDate::Date(_))) {
        return None;
    }
    let parts: Vec<u32> = lower.split(['/', '-', ' ']).map_while(|part| part.parse().ok()).collect();
    match parts.as_slice() {
        [13..=31, 1..=12, ..] => Some(DateOrder::DayFirst),
        [1..=12, 13..=31, ..] => Some(DateOrder::MonthFirst),
        _ => None,
    }
}

fn month(word: &str) -> Option<u32> {
    let is_month =
        |name: &&str| word.len() >= 3 && (name.starts_with(word) || (word == "sept" && *name == "september"));
    let index = MONTHS.iter().position(is_month)?;
    u32::try_from(index + 1).ok()
}

fn is_weekday(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    word.len() >= 2 && DAYS.iter().any(|day| day.starts_with(word) || (word == "thurs" && *day == "thursday"))
}

/// The digits of `12` and `12th`.
fn number_of(part: &str) -> Option<&str> {
    let digits = part.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_number = !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && ["", "st", "nd", "rd", "th"].contains(&&part[digits.len()..])).then_some(digits)
}

fn year_of(digits: &str) -> Option<i32> {
    let year: i32 = digits.parse().ok()?;
    match digits.len() {
        4 => Some(year),
        2 => Some(2000 + year),
        _ => None,
    }
}

/// A parsed time with what may follow it: `7:00 PM ET`, `7–8:30 PM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParsedTime {
    pub(super) time: NaiveTime,
    /// The end of a range.
    pub(super) end: Option<NaiveTime>,
    pub(super) zone: Option<Tz>,
}

/// Parses a time: `19:00`, `7:00 PM`, `7pm ET`, `19.00`, `7:00 PM - 8:30 PM`.
pub(super) fn time(text: &str) -> Option<ParsedTime> {
    let lower = text.trim().to_lowercase().replace("a.m.", "am").replace("p.m.", "pm").replace('\u{202f}', " ");
    if lower.is_empty() || lower.len() > 60 {
        return None;
    }
    let single = |time| ParsedTime { time, end: None, zone: None };
    if let Some(time) = clock(&lower) {
        return Some(single(time));
    }
    // Excel's fraction of a day, which it shows for a time without a format.
    if let Some(day) = lower.strip_prefix("0.").and_then(|_| lower.parse::<f64>().ok()).filter(|_| lower.len() > 4) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and 1440")]
        let minutes = (day * 1440.0).round() as u32;
        return NaiveTime::from_hms_opt(minutes / 60, minutes % 60, 0).map(single);
    }
    for separator in [" - ", " – ", " — ", " to ", "–", "—", "-"] {
        let Some((start, end)) = lower.split_once(separator) else { continue };
        let Some(end) = self::time(end).filter(|end| end.end.is_none()) else { continue };
        // In `7–8:30 PM` both are in the evening.
        let half = ["am", "pm"].into_iter().find(|half| lower.contains(half)).filter(|_| !start.ends_with('m'));
        let start = half.and_then(|half| clock(&format!("{start} {half}"))).or_else(|| clock(start))?;
        return Some(ParsedTime { time: start, end: Some(end.time), zone: end.zone });
    }
    let (time, name) = lower.rsplit_once([' ', '('])?;
    let zone = self::zone(name.trim_end_matches(')'))?;
    Some(ParsedTime { time: clock(time.trim_end_matches([' ', '(']))?, end: None, zone: Some(zone) })
}

/// Parses `7pm`, `7:00 pm`, `19:00`, `19:00:00`, `19.00`, `19h00`, `noon`.
fn clock(lower: &str) -> Option<NaiveTime> {
    let text = lower.trim();
    if text == "noon" {
        return NaiveTime::from_hms_opt(12, 0, 0);
    }
    let half = ["am", "pm"].into_iter().find(|half| text.ends_with(half));
    let digits = half.map_or(text, |half| text.trim_end_matches(half)).trim();
    let parts: Vec<u32> =
        digits.split([':', '.', 'h']).map(|part| number_within(part, 2)).collect::<Option<Vec<_>>>()?;
    let (hour, minute) = match parts.as_slice() {
        [hour] if half.is_some() => (*hour, 0),
        [hour, minute] | [hour, minute, _] => (*hour, *minute),
        _ => return None,
    };
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some("am") => hour % 12,
        Some(_) => hour % 12 + 12,
        None => hour,
    };
    NaiveTime::from_hms_opt(hour, minute, 0)
}

fn number_within(part: &str, max_digits: usize) -> Option<u32> {
    let valid = (1..=max_digits).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if valid { part.parse().ok() } else { None }
}

/// Splits day and time that stand in one text: `2031-03-12T19:00`, `3/12/2031 7:00 PM`, `March 12, 2031 at 7 PM ET`.
pub(super) fn date_and_time(text: &str) -> Option<(ParsedDate, Option<ParsedTime>)> {
    let text = text.trim();
    if let Some(date) = date(text) {
        return Some((date, None));
    }
    let splits = text.char_indices().filter(|(_, c)| matches!(c, ' ' | 'T' | ',')).take(20);
    for (at, _) in splits {
        let rest = text[at + 1..].trim_start_matches([' ', ',']).trim_start_matches("at ").trim_end_matches('Z');
        if let (Some(date), Some(time)) = (date(&text[..at]), time(rest)) {
            let zone = if text.ends_with('Z') { Some(Tz::UTC) } else { time.zone };
            return Some((date, Some(ParsedTime { zone, ..time })));
        }
    }
    None
}

/// Parses a duration to minutes: `60`, `60 minutes`, `1.5 hours`, `1h 30m`, `1:30`, `PT1H30M`.
pub(super) fn minutes(text: &str) -> Option<u32> {
    let lower = text.trim().to_lowercase();
    if lower.is_empty() || lower.len() > 40 {
        return None;
    }
    if let Some((hours, rest)) = lower.split_once(':') {
        let minutes = rest.split(':').next().and_then(|part| number_within(part, 2)).filter(|minutes| *minutes < 60)?;
        return Some(number_within(hours.trim(), 2)? * 60 + minutes);
    }
    let (mut total, mut number, mut unit) = (0.0, String::new(), String::new());
    let mut found = false;
    let iso = lower.strip_prefix('p').unwrap_or(&lower).replace('t', " ");
    let lower = if lower.starts_with('p') { iso.as_str() } else { lower.as_str() };
    let mut add = |number: &mut String, unit: &mut String| -> Option<()> {
        let value: f64 = std::mem::take(number).replace(',', ".").parse().ok()?;
        let factor = match std::mem::take(unit).trim_end_matches('.') {
            "" | "m" | "min" | "mins" | "minute" | "minutes" => 1.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 60.0,
            "d" | "day" | "days" => 1440.0,
            "w" | "week" | "weeks" => 10_080.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0 / 60.0,
            _ => return None,
        };
        total += value * factor;
        found = true;
        Some(())
    };
    for c in lower.chars() {
        match c {
            '0'..='9' | '.' | ',' if unit.is_empty() => number.push(c),
            '0'..='9' => {
                add(&mut number, &mut unit)?;
                number.push(c);
            }
            ' ' => {}
            c if number.is_empty() && unit.is_empty() && c == '+' => {}
            c => unit.push(c),
        }
        if unit == "and" && number.is_empty() {
            unit.clear();
        }
        if let Some(word) = unit.strip_suffix("and").map(str::to_owned)
            && !word.is_empty()
        {
            unit = word;
            add(&mut number, &mut unit)?;
        }
    }
    if !number.is_empty() || !unit.is_empty() {
        add(&mut number, &mut unit)?;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the limits")]
    let minutes = (found && (0.0..1_000_000.0).contains(&total)).then(|| total.round() as u32);
    minutes
}

/// Names of time zones that are not IANA names: abbreviations, labels, and those of Windows (CLDR `windowsZones`).
const ZONE_NAMES: [(&str, &str); 60] = [
    ("et", "America/New_York"),
    ("est", "America/New_York"),
    ("edt", "America/New_York"),
    ("eastern", "America/New_York"),
    ("us eastern", "America/New_York"),
    ("new york", "America/New_York"),
    ("ct", "America/Chicago"),
    ("cst", "America/Chicago"),
    ("cdt", "America/Chicago"),
    ("central", "America/Chicago"),
    ("chicago", "America/Chicago"),
    ("mt", "America/Denver"),
    ("mst", "America/Denver"),
    ("mdt", "America/Denver"),
    ("mountain", "America/Denver"),
    ("denver", "America/Denver"),
    ("us mountain", "America/Phoenix"),
    ("arizona", "America/Phoenix"),
    ("pt", "America/Los_Angeles"),
    ("pst", "America/Los_Angeles"),
    ("pdt", "America/Los_Angeles"),
    ("pacific", "America/Los_Angeles"),
    ("los angeles", "America/Los_Angeles"),
    ("ht", "Pacific/Honolulu"),
    ("hst", "Pacific/Honolulu"),
    ("hawaii", "Pacific/Honolulu"),
    ("hawaiian", "Pacific/Honolulu"),
    ("akt", "America/Anchorage"),
    ("akst", "America/Anchorage"),
    ("akdt", "America/Anchorage"),
    ("alaska", "America/Anchorage"),
    ("alaskan", "America/Anchorage"),
    ("atlantic", "America/Halifax"),
    ("newfoundland", "America/St_Johns"),
    ("central america", "America/Guatemala"),
    ("canada central", "America/Regina"),
    ("central standard time (mexico)", "America/Mexico_City"),
    ("sa pacific", "America/Bogota"),
    ("e south america", "America/Sao_Paulo"),
    ("argentina", "America/Buenos_Aires"),
    ("gmt", "Europe/London"),
    ("bst", "Europe/London"),
    ("w europe", "Europe/Berlin"),
    ("central europe", "Europe/Budapest"),
    ("central european", "Europe/Warsaw"),
    ("romance", "Europe/Paris"),
    ("cet", "Europe/Berlin"),
    ("cest", "Europe/Berlin"),
    ("e europe", "Europe/Chisinau"),
    ("fle", "Europe/Kiev"),
    ("gtb", "Europe/Bucharest"),
    ("russian", "Europe/Moscow"),
    ("israel", "Asia/Jerusalem"),
    ("arabian", "Asia/Dubai"),
    ("india", "Asia/Calcutta"),
    ("china", "Asia/Shanghai"),
    ("singapore", "Asia/Singapore"),
    ("tokyo", "Asia/Tokyo"),
    ("aus eastern", "Australia/Sydney"),
    ("new zealand", "Pacific/Auckland"),
];

/// Finds a time zone by its IANA name in any case, its abbreviation, its label (`Eastern Time (US & Canada)`) or its name in
/// Windows (`Eastern Standard Time`).
pub(super) fn zone(text: &str) -> Option<Tz> {
    let text = text.trim().trim_matches('"');
    if text.is_empty() || text.len() > 100 {
        return None;
    }
    let lower = text.to_lowercase();
    if matches!(lower.as_str(), "utc" | "z" | "coordinated universal time") {
        return Some(Tz::UTC);
    }
    let named = |name: &str| ZONE_NAMES.iter().find(|(known, _)| *known == name).and_then(|(_, zone)| zone::find(zone));
    // Abbreviations before IANA names: there is a zone EST, which has no daylight-saving time.
    if let Some(zone) = named(&lower).or_else(|| zone::find_in_any_case(text)) {
        return Some(zone);
    }
    // `(UTC-05:00) Eastern Time (US & Canada)`, `Eastern Standard Time`
    let label = lower.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(lower.as_str(), |(_, rest)| rest);
    let label = label.split('(').next().unwrap_or_default().replace('.', "");
    let words: Vec<&str> =
        label.split_whitespace().filter(|word| !["standard", "daylight", "time", "zone"].contains(word)).collect();
    if let Some(zone) = named(&words.join(" ")) {
        return Some(zone);
    }
    // `/freeassociation.sourceforge.net/America/New_York`
    let parts: Vec<&str> = text.split('/').collect();
    (1..parts.len()).find_map(|start| zone::find_in_any_case(&parts[start..].join("/")).filter(|_| start > 0))
}

/// A name without case, accents and punctuation, to compare names.
pub(super) fn name_key(name: &str) -> String {
    let key = slug(name, usize::MAX);
    if key.is_empty() { name.trim().to_lowercase() } else { key }
}

/// The key of a person's name without titles before it and degrees after a comma: `ada-bell` for `Dr. Ada Bell, MD`.
pub(super) fn person_key(name: &str) -> String {
    let name = name.split(',').next().unwrap_or_default();
    let is_title = |word: &&str| NAME_TITLES.contains(&word.trim_end_matches('.').to_lowercase().as_str());
    let words: Vec<&str> = name.split_whitespace().skip_while(is_title).collect();
    name_key(&words.join(" "))
}

/// Finds an event type by its name, a part of it (`IRA`, `in person`) or with a typing error; `None` if it is not clear.
pub(super) fn event_type(text: &str) -> Option<&'static str> {
    const GENERIC: [&str; 8] = ["event", "events", "webinar", "webinars", "related", "the", "on", "of"];
    if text.len() > 200 {
        return None;
    }
    let key = slug(text, usize::MAX);
    if let Some(kind) = EVENT_TYPES.into_iter().find(|kind| slug(kind, usize::MAX) == key) {
        return Some(kind);
    }
    let only = |mut found: Vec<&'static str>| if found.len() == 1 { found.pop() } else { None };
    let joined = key.replace('-', "");
    let words: Vec<&str> = key.split('-').filter(|word| !GENERIC.contains(word)).collect();
    if words.is_empty() {
        return None;
    }
    let singular = |word: &str| word.trim_end_matches('s').to_owned();
    let by_words = EVENT_TYPES.into_iter().filter(|kind| {
        let kind = slug(kind, usize::MAX);
        let of_kind: Vec<String> = kind.split('-').map(singular).collect();
        words.iter().all(|word| of_kind.contains(&singular(word)))
            || (joined.len() >= 5 && kind.replace('-', "").starts_with(&joined))
    });
    only(by_words.collect()).or_else(|| {
        let close = |kind: &&'static str| distance(&slug(kind, usize::MAX), &key) <= 2 && key.len() >= 6;
        only(EVENT_TYPES.into_iter().filter(close).collect())
    })
}

/// The Levenshtein distance of two short texts.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in b.iter().enumerate() {
            let next = (diagonal + usize::from(c != *d)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// Finds a status by its name here or in other programs.
pub(super) fn status(text: &str) -> Option<Status> {
    let key = slug(text, 40);
    Status::of(&key).or_else(|| {
        Some(match key.as_str() {
            "live" | "public" | "confirmed" | "active" | "publish" | "started" | "ended" | "completed" => {
                Status::Published
            }
            "tentative" | "pending" | "unpublished" => Status::Draft,
            "canceled" | "cancel" => Status::Cancelled,
            "private" | "unlisted" => Status::Hidden,
            "rescheduled" => Status::Postponed,
            _ => return None,
        })
    })
}

/// `19:00`
pub(super) fn time_text(time: NaiveTime) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// `2031-03-12`
pub(super) fn date_text(date: NaiveDate) -> String {
    format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_many_notations() {
        for text in [
            "2031-03-12",
            "2031/3/12",
            "20310312",
            "12.03.2031",
            "12.3.31",
            "March 12, 2031",
            "Mar. 12th, 2031",
            "Wed, 12 March 2031",
            "Wednesday, March 12, 2031",
            "2031 March 12",
            "47919",
        ] {
            let parsed = date(text).and_then(|parsed| parsed.in_order(None)).map(date_text);
            assert_eq!(parsed.as_deref(), Some("2031-03-12"), "{text}");
        }
        for text in ["3/4/2031", "03-04-31"] {
            let parsed = date(text).expect("it is a date");
            let in_order = |order| parsed.in_order(order).map(date_text).unwrap_or_default();
            assert_eq!(in_order(Some(DateOrder::MonthFirst)), "2031-03-04", "{text}");
            assert_eq!(in_order(Some(DateOrder::DayFirst)), "2031-04-03", "{text}");
            assert_eq!(in_order(None), "", "{text}");
        }
        assert_eq!(evident_order("25/3/2031"), Some(DateOrder::DayFirst));
        assert_eq!(evident_order("3/25/2031"), Some(DateOrder::MonthFirst));
        assert_eq!(evident_order("2031-03-25"), None);
        for text in ["", "soon", "2031", "31/31/2031", "2031-02-30", "12 Foo 2031", "1/2/3/4", "March", "99999999999"] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn times_are_read_in_many_notations() {
        for text in ["19:00", "7:00 PM", "7pm", "7 p.m.", "19:00:00", "19.00", "19h00", "7:00\u{202f}PM", "0.791666667"]
        {
            assert_eq!(time(text).map(|parsed| time_text(parsed.time)).as_deref(), Some("19:00"), "{text}");
        }
        let parsed = |text| {
            let ParsedTime { time, end, zone } = time(text).expect("it is a time");
            (time_text(time), end.map(time_text), zone.map(chrono_tz::Tz::name))
        };
        assert_eq!(parsed("12:15 am"), ("00:15".to_owned(), None, None));
        assert_eq!(parsed("7:00 PM ET"), ("19:00".to_owned(), None, Some("America/New_York")));
        assert_eq!(parsed("7:00 PM (PT)"), ("19:00".to_owned(), None, Some("America/Los_Angeles")));
        for text in ["7:00 PM - 8:30 PM", "7–8:30 pm", "19:00-20:30", "7 to 8:30pm"] {
            assert_eq!(parsed(text), ("19:00".to_owned(), Some("20:30".to_owned()), None), "{text}");
        }
        assert_eq!(parsed("11 AM – 1 PM CT"), ("11:00".to_owned(), Some("13:00".to_owned()), Some("America/Chicago")));
        for text in ["", "25:00", "7", "19:75", "13 pm", "evening", "7:00 PM XX", "-", "1234"] {
            assert_eq!(time(text), None, "{text}");
        }
    }

    #[test]
    fn day_and_time_in_one_text_are_split() {
        for text in ["2031-03-12T19:00:00", "2031-03-12 19:00", "March 12, 2031 at 7:00 PM", "12.03.2031, 19:00"] {
            let (date, time) = date_and_time(text).expect("it is both");
            assert_eq!(date.in_order(None).map(date_text).as_deref(), Some("2031-03-12"), "{text}");
            assert_eq!(time.map(|time| time_text(time.time)).as_deref(), Some("19:00"), "{text}");
        }
        let (_, time) = date_and_time("2031-03-12T19:00:00Z").expect("it is both");
        assert_eq!(time.and_then(|time| time.zone), Some(Tz::UTC));
    }

    #[test]
    fn durations_are_read_in_many_notations() {
        for text in [
            "90",
            "90 minutes",
            "90min",
            "1.5 hours",
            "1,5 h",
            "1h 30m",
            "1 hour and 30 minutes",
            "1:30",
            "01:30:00",
            "PT1H30M",
        ] {
            assert_eq!(minutes(text), Some(90), "{text}");
        }
        assert_eq!(minutes("P1D"), Some(1440));
        for text in ["", "long", "1:75", "h", "1 fortnight", "-15", "1.2.3"] {
            assert_eq!(minutes(text), None, "{text}");
        }
    }

    #[test]
    fn time_zones_are_found_by_any_of_their_names() {
        for (text, name) in [
            ("America/New_York", "America/New_York"),
            ("america/chicago", "America/Chicago"),
            ("EST", "America/New_York"),
            ("Eastern", "America/New_York"),
            ("Eastern Time (US & Canada)", "America/New_York"),
            ("(UTC-08:00) Pacific Time (US & Canada)", "America/Los_Angeles"),
            ("Mountain Standard Time", "America/Denver"),
            ("W. Europe Standard Time", "Europe/Berlin"),
            ("/freeassociation.sourceforge.net/Tzfile/Europe/Paris", "Europe/Paris"),
            ("UTC", "UTC"),
        ] {
            assert_eq!(zone(text).map(chrono_tz::Tz::name), Some(name), "{text}");
        }
        assert_eq!(zone("Mars Standard Time"), None);
    }

    #[test]
    fn types_are_found_by_a_part_of_their_name_and_with_typing_errors() {
        for (text, kind) in [
            ("In-Person Events", "In-Person Events"),
            ("in person", "In-Person Events"),
            ("InPerson", "In-Person Events"),
            ("IRA", "IRA-Related Webinars"),
            ("Investor Insight", "Investor Insights"),
            ("physician fire", "Physician on FIRE"),
            ("Physican on FIRE", "Physician on FIRE"),
            ("Pillars of wealth building", "Pillars of Wealthbuilding"),
            ("special event", "Special"),
        ] {
            assert_eq!(event_type(text), Some(kind), "{text}");
        }
        for text in ["", "Event", "Webinar", "Meetup", "on"] {
            assert_eq!(event_type(text), None, "{text}");
        }
    }

    #[test]
    fn people_are_compared_without_titles_and_degrees() {
        assert_eq!(person_key("Dr. Ada Bell, MD"), person_key("ada  bell"));
        assert_eq!(name_key("José Núñez"), name_key("Jose Nunez"));
        assert_ne!(name_key("李明"), name_key("王芳"));
    }
}
