//! Events that repeat by a rule: the dates, by the wall clock of the event's zone.

use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, NaiveDateTime, Utc};
use chrono_tz::Tz;

use super::{ValidatedEvent, check, check_date, check_time, day, messages, trimmed};
use crate::features::events::types::{
    CalendarLinks, EventInput, RepeatDate, RepeatDates, RepeatEvent, RepeatRule, SaveEvent,
};
use crate::platform::clock::timestamp;
use crate::platform::error::AppError;
use crate::platform::messages::limits::REPEAT_DATES;
use crate::platform::validate::FieldErrors;
use crate::platform::zone;

const EVERY_INVALID: &str = "Choose how the event repeats";
const NOT_LAST: &str = "The first date is not in the last seven days of its month";
const DATES_REQUIRED: &str = "Choose at least one date";
const DATES_TOO_MANY: &str = "An event can have at most 100 dates";
const DATE_REPEATED: &str = "This date is in the list twice";

/// How an event repeats, from its first date on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frequency {
    Weeks(u64),
    /// The same day of each month.
    MonthDay,
    /// Such as the 2nd Tuesday.
    MonthWeekday,
    /// Such as the last Friday.
    MonthLastWeekday,
}

impl Frequency {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "week" => Self::Weeks(1),
            "two-weeks" => Self::Weeks(2),
            "month-day" => Self::MonthDay,
            "month-weekday" => Self::MonthWeekday,
            "month-last-weekday" => Self::MonthLastWeekday,
            _ => return None,
        })
    }

    /// The date of a repetition, 0 for the first; `None` after the last day of the calendar.
    fn date(self, first: NaiveDate, repetition: u32) -> Option<Result<NaiveDate, SkippedMonth>> {
        if let Self::Weeks(weeks) = self {
            return first.checked_add_days(Days::new(7 * weeks * u64::from(repetition))).map(Ok);
        }
        let month = first.with_day(1)?.checked_add_months(Months::new(repetition))?;
        let (weekday, nth) = (first.weekday(), u8::try_from(first.day0() / 7 + 1).unwrap_or(5));
        let in_month = |nth| NaiveDate::from_weekday_of_month_opt(month.year(), month.month(), weekday, nth);
        let (date, lacking) = match self {
            Self::MonthLastWeekday => (in_month(5).or_else(|| in_month(4)), String::new()),
            Self::MonthWeekday => (in_month(nth), format!("{} {}", ordinal(nth), first.format("%A"))),
            _ => (month.with_day(first.day()), format!("day {}", first.day())),
        };
        Some(date.ok_or_else(|| SkippedMonth { month, reason: format!("{} has no {lacking}", month.format("%B %Y")) }))
    }
}

/// A month that lacks the day of a rule.
struct SkippedMonth {
    /// Its first day.
    month: NaiveDate,
    reason: String,
}

fn ordinal(number: u8) -> &'static str {
    ["1st", "2nd", "3rd", "4th", "5th"][usize::from(number.clamp(1, 5)) - 1]
}

/// The dates of a rule.
///
/// # Errors
/// 400 with a message for each field that is wrong.
pub(in crate::features::events) fn dates_of(rule: RepeatRule) -> Result<RepeatDates, AppError> {
    let mut errors = FieldErrors::default();
    let RepeatRule { date, time, timezone, every, until, count } = rule;
    let first = check_date(&mut errors, date);
    let time = check_time(&mut errors, time);
    let zone = zone::find(&trimmed(timezone).unwrap_or_else(|| messages::DEFAULT_TIME_ZONE.to_owned()));
    if zone.is_none() {
        errors.add("timezone", messages::TIMEZONE_INVALID);
    }
    let every = trimmed(every).and_then(|text| Frequency::parse(&text));
    let is_last = |first: NaiveDate| (first + Days::new(7)).month() != first.month();
    match every {
        None => errors.add("every", EVERY_INVALID),
        Some(Frequency::MonthLastWeekday) if first.is_some_and(|first| !is_last(first)) => {
            errors.add("every", NOT_LAST);
        }
        Some(_) => {}
    }
    let until = trimmed(until);
    let last = until.as_deref().and_then(day);
    if until.is_some() && last.is_none() {
        errors.add("until", messages::DATE_INVALID);
    } else if last.zip(first).is_some_and(|(last, first)| last < first) {
        errors.add("until", messages::REPEAT_UNTIL_TOO_EARLY);
    }
    if count.is_some_and(|count| !(1..=REPEAT_DATES).contains(&(count as usize))) {
        errors.add("count", messages::REPEAT_COUNT_INVALID);
    } else if count.is_none() && until.is_none() {
        errors.add("until", messages::REPEAT_END_REQUIRED);
    }
    errors.into_result()?;
    let (Some(first), Some(time), Some(zone), Some(every)) = (first, time, zone, every) else {
        return Err(AppError::internal("a rule was not validated"));
    };

    let max_dates = count.map_or(usize::MAX, |count| count as usize);
    let mut found = RepeatDates { dates: Vec::new(), skipped: Vec::new(), is_limited: false };
    for repetition in 0.. {
        let date = match every.date(first, repetition) {
            None => break,
            Some(Ok(date)) => date,
            Some(Err(missing)) => {
                if found.dates.len() >= max_dates || last.is_some_and(|last| missing.month > last) {
                    break;
                }
                if found.dates.len() < REPEAT_DATES {
                    found.skipped.push(missing.reason);
                }
                continue;
            }
        };
        if last.is_some_and(|last| date > last) || date >= LAST_DAY || found.dates.len() >= max_dates {
            break;
        }
        if found.dates.len() == REPEAT_DATES {
            found.is_limited = true;
            break;
        }
        found.dates.push(repeat_date(date.and_time(time), zone));
    }
    Ok(found)
}

/// As [`check_date`] allows.
const LAST_DAY: NaiveDate = match NaiveDate::from_ymd_opt(9999, 12, 31) {
    Some(day) => day,
    None => NaiveDate::MAX,
};

fn repeat_date(wall: NaiveDateTime, zone: Tz) -> RepeatDate {
    let start: DateTime<Utc> = zone::instant_of(zone, wall);
    RepeatDate {
        date: wall.date().to_string(),
        starts_at: timestamp(start),
        is_shifted: zone::local(zone, start).naive_local() != wall,
    }
}

/// Validates an event that is created on several dates, and returns one event for each, by date.
///
/// # Errors
/// 400 as [`check`]; the fields of wrong dates are `dates.0` and so on.
pub(in crate::features::events) fn check_repeated(input: RepeatEvent) -> Result<Vec<ValidatedEvent>, AppError> {
    let RepeatEvent { event, location, speaker_ids, mut dates } = input;
    let mut errors = FieldErrors::default();
    match dates.len() {
        0 => errors.add("dates", DATES_REQUIRED),
        1..=REPEAT_DATES => {}
        _ => errors.add("dates", DATES_TOO_MANY),
    }
    for (at, date) in dates.iter().enumerate().take(REPEAT_DATES) {
        if day(date).is_none() {
            errors.add(&format!("dates.{at}"), messages::DATE_INVALID);
        } else if dates[..at].contains(date) {
            errors.add(&format!("dates.{at}"), DATE_REPEATED);
        }
    }
    errors.into_result()?;
    dates.sort_unstable();
    let event = event.unwrap_or_default();
    dates
        .into_iter()
        .enumerate()
        .map(|(at, date)| {
            let mut event = EventInput { date: Some(date), ..event.clone() };
            if at > 0 {
                // The provider's id and the calendar links belong to one date.
                event.brandlive_id = None;
                event.calendar_links = Some(Some(CalendarLinks::default()));
            }
            check(SaveEvent {
                event: Some(event),
                location: location.clone(),
                speaker_ids: speaker_ids.clone(),
                revision: None,
            })
        })
        .collect()
}
