//! Dates as people and programs write them.

use chrono::{Datelike as _, Days, NaiveDate};

use crate::features::import_export::types::DateOrder;
use crate::platform::month::month_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::features::import_export) enum ParsedDate {
    Date(NaiveDate),
    /// The date with the month first, and with the day first.
    Ambiguous(NaiveDate, NaiveDate),
}

impl ParsedDate {
    /// The date in this order; `None` if it is ambiguous and there is no order.
    pub(in crate::features::import_export) fn in_order(self, order: Option<DateOrder>) -> Option<NaiveDate> {
        match (self, order) {
            (Self::Date(date), _)
            | (Self::Ambiguous(date, _), Some(DateOrder::MonthFirst))
            | (Self::Ambiguous(_, date), Some(DateOrder::DayFirst)) => Some(date),
            (Self::Ambiguous(..), None) => None,
        }
    }
}

/// Parses a date: `2031-03-12`, `3/12/2031`, `12.3.2031`, `March 12, 2031`, `Wed 12 Mar 2031`, or Excel's number of a day.
pub(in crate::features::import_export) fn date(text: &str) -> Option<ParsedDate> {
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
    let month = parts.iter().find_map(|part| month_of(part));
    if let Some(month) = month {
        let numbers: Vec<&str> = parts.iter().filter_map(|part| number_of(part)).collect();
        let is_word = |part: &&&str| number_of(part).is_none() && month_of(part).is_none();
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
    // Countries that write the day first separate with dots.
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
pub(in crate::features::import_export) fn evident_order(text: &str) -> Option<DateOrder> {
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

/// `2031-03-12`
pub(in crate::features::import_export) fn date_text(date: NaiveDate) -> String {
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
}
