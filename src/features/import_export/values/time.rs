//! Times of day as people and programs write them.

use chrono::{NaiveTime, Timelike as _};
use chrono_tz::Tz;

use super::date::{ParsedDate, date};
use super::zone::zone;

/// A parsed time with what may follow it: `7:00 PM ET`, `7–8:30 PM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::features::import_export) struct ParsedTime {
    pub(in crate::features::import_export) time: NaiveTime,
    /// The end of a range.
    pub(in crate::features::import_export) end: Option<NaiveTime>,
    pub(in crate::features::import_export) zone: Option<Tz>,
}

/// Parses a time: `19:00`, `7:00 PM`, `7pm ET`, `19.00`, `7:00 PM - 8:30 PM`.
pub(in crate::features::import_export) fn time(text: &str) -> Option<ParsedTime> {
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
    let zone = zone(name.trim_end_matches(')'))?;
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
pub(in crate::features::import_export) fn date_and_time(text: &str) -> Option<(ParsedDate, Option<ParsedTime>)> {
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

/// `19:00`
pub(in crate::features::import_export) fn time_text(time: NaiveTime) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

#[cfg(test)]
mod tests {
    use super::super::date::date_text;
    use super::*;

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
}
