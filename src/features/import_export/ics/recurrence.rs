//! Expands the repetition of an event (RFC 5545 §3.3.10): daily, weekly on weekdays, monthly on a day or a weekday of the
//! month, and yearly. Other rules are reported.

use std::collections::BTreeSet;

use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, NaiveDateTime, TimeDelta, Utc, Weekday};

use super::lines::Component;
use super::shown;
use super::times::{self, Start, Zones};
use crate::platform::zone;

/// The most dates of one event.
const MAX_DATES: usize = 366;
/// The most steps in which a rule may find no date, such as "February 30".
const MAX_STEPS: u32 = 2_000;
/// How far an endless rule is expanded from now.
const HORIZON: TimeDelta = TimeDelta::days(365);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frequency {
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

#[derive(Debug)]
struct Rule {
    frequency: Frequency,
    interval: u32,
    count: Option<usize>,
    until: Option<NaiveDateTime>,
    /// With the number in the month, from its end if negative; 0 for each.
    weekdays: Vec<(i32, Weekday)>,
    month_days: Vec<i32>,
    months: Vec<u32>,
}

/// The starts of an event that repeats, and a note about those that are left out.
pub(super) fn expand(
    component: &Component,
    zones: &Zones,
    start: Start,
    now: DateTime<Utc>,
) -> Result<(BTreeSet<NaiveDateTime>, Option<String>), String> {
    let mut dates = BTreeSet::from([start.wall]);
    let mut note = None;
    let mut rules = component.all("RRULE");
    if let Some(property) = rules.next() {
        if rules.next().is_some() || component.first("EXRULE").is_some() {
            return Err("The event has more than one rule for its repetition. Export its dates one by one.".to_owned());
        }
        let rule = parse(&property.value, start).map_err(|reason| {
            format!("The repetition {} can't be read: {reason}. Export its dates one by one.", shown(property))
        })?;
        let horizon = now.naive_utc().max(start.wall) + HORIZON;
        let is_endless = rule.count.is_none() && rule.until.is_none();
        let last = if is_endless { horizon } else { rule.until.unwrap_or(NaiveDateTime::MAX) };
        dates.extend(rule.dates(start.wall, last));
        if is_endless {
            note = Some(format!("Repeats without an end: imported until {}.", horizon.format("%B %-d, %Y")));
        }
    }
    for property in component.all("RDATE") {
        dates.extend(zones.starts(property).map(|added| wall_in(added, start)));
    }
    for property in component.all("EXDATE") {
        for excluded in zones.starts(property) {
            if excluded.is_all_day {
                dates.retain(|wall| wall.date() != excluded.wall.date());
            } else {
                dates.remove(&wall_in(excluded, start));
            }
        }
    }
    if dates.len() > MAX_DATES {
        return Err(format!(
            "The event repeats more than {MAX_DATES} times. Give its repetition an end, or export a shorter period."
        ));
    }
    Ok((dates, note))
}

/// The wall clock of another start in the zone of the event.
fn wall_in(other: Start, start: Start) -> NaiveDateTime {
    if other.zone == start.zone || other.is_all_day {
        other.wall
    } else {
        zone::local(start.zone, other.instant()).naive_local()
    }
}

fn parse(text: &str, start: Start) -> Result<Rule, String> {
    let mut frequency = None;
    let mut rule = Rule {
        frequency: Frequency::Daily,
        interval: 1,
        count: None,
        until: None,
        weekdays: Vec::new(),
        month_days: Vec::new(),
        months: Vec::new(),
    };
    for part in text.trim().split(';').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("“{part}” has no value"))?;
        let (name, value) = (name.to_uppercase(), value.to_uppercase());
        let wrong = || format!("its {name} is wrong");
        match name.as_str() {
            "FREQ" => {
                frequency = Some(match value.as_str() {
                    "DAILY" => Frequency::Daily,
                    "WEEKLY" => Frequency::Weekly,
                    "MONTHLY" => Frequency::Monthly,
                    "YEARLY" => Frequency::Yearly,
                    _ => return Err(format!("it repeats {}", value.to_lowercase())),
                });
            }
            "INTERVAL" => {
                rule.interval = value.parse().ok().filter(|step| (1..=1000).contains(step)).ok_or_else(wrong)?;
            }
            "COUNT" => rule.count = Some(value.parse().ok().filter(|count| *count > 0).ok_or_else(wrong)?),
            "UNTIL" => rule.until = Some(until(&value, start).ok_or_else(wrong)?),
            "BYDAY" => rule.weekdays = list(&value, weekday).ok_or_else(wrong)?,
            "BYMONTHDAY" => {
                let day = |text: &str| text.parse().ok().filter(|day: &i32| (1..=31).contains(&day.abs()));
                rule.month_days = list(&value, day).ok_or_else(wrong)?;
            }
            "BYMONTH" => {
                let month = |text: &str| text.parse().ok().filter(|month| (1..=12).contains(month));
                rule.months = list(&value, month).ok_or_else(wrong)?;
            }
            // It matters only for rules with both an interval and weekdays before it; Monday is the default.
            "WKST" if value == "MO" || rule.interval == 1 => {}
            _ => return Err(format!("{name} is not supported")),
        }
    }
    rule.frequency = frequency.ok_or("it has no FREQ")?;
    let has_numbers = rule.weekdays.iter().any(|(number, _)| *number != 0);
    let is_supported = match rule.frequency {
        Frequency::Daily | Frequency::Weekly => !has_numbers && rule.month_days.is_empty(),
        Frequency::Monthly => rule.weekdays.is_empty() || rule.month_days.is_empty(),
        Frequency::Yearly => {
            (rule.weekdays.is_empty() || (has_numbers && !rule.months.is_empty())) && rule.month_days.len() <= 1
        }
    };
    if is_supported { Ok(rule) } else { Err("its parts are not supported together".to_owned()) }
}

fn list<T>(value: &str, item: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    const MAX_LENGTH: usize = 1000;
    if value.len() > MAX_LENGTH { None } else { value.split(',').map(|text| item(text.trim())).collect() }
}

fn weekday(text: &str) -> Option<(i32, Weekday)> {
    let (number, day) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let day = match day {
        "MO" => Weekday::Mon,
        "TU" => Weekday::Tue,
        "WE" => Weekday::Wed,
        "TH" => Weekday::Thu,
        "FR" => Weekday::Fri,
        "SA" => Weekday::Sat,
        "SU" => Weekday::Sun,
        _ => return None,
    };
    let number =
        if number.is_empty() { 0 } else { number.parse().ok().filter(|n: &i32| (1..=5).contains(&n.abs()))? };
    Some((number, day))
}

/// The last moment of a rule in the zone of the event; a day includes its end.
fn until(text: &str, start: Start) -> Option<NaiveDateTime> {
    if let Some(date) = times::date(text) {
        return date.and_hms_opt(23, 59, 59);
    }
    match text.strip_suffix('Z') {
        Some(wall) => Some(zone::local(start.zone, times::date_time(wall)?.and_utc()).naive_local()),
        None => times::date_time(text),
    }
}

impl Rule {
    /// The dates from the start on, up to the last moment, and one more than [`MAX_DATES`] at most.
    fn dates(&self, start: NaiveDateTime, last: NaiveDateTime) -> Vec<NaiveDateTime> {
        // The start is the first date, even if the rule does not include it (RFC 5545 §3.3.10).
        let mut dates = vec![start];
        let count = self.count.unwrap_or(usize::MAX).min(MAX_DATES + 1);
        for step in 0..MAX_STEPS {
            let Some(mut candidates) = self.period(start.date(), step) else { break };
            candidates.sort_unstable();
            candidates.dedup();
            for date in candidates {
                let wall = date.and_time(start.time());
                if wall > last || dates.len() >= count {
                    return dates;
                }
                if wall > start && (self.months.is_empty() || self.months.contains(&date.month())) {
                    dates.push(wall);
                }
            }
        }
        dates
    }

    /// The dates of the rule in one period; `None` past the last year.
    fn period(&self, start: NaiveDate, step: u32) -> Option<Vec<NaiveDate>> {
        let step = step.checked_mul(self.interval)?;
        let is_listed =
            |date: &NaiveDate| self.weekdays.is_empty() || self.weekdays.iter().any(|(_, day)| *day == date.weekday());
        let next = match self.frequency {
            Frequency::Daily => start.checked_add_days(Days::new(step.into()))?,
            Frequency::Weekly => start.checked_add_days(Days::new(u64::from(step) * 7))?,
            Frequency::Monthly => start.with_day(1)?.checked_add_months(Months::new(step))?,
            Frequency::Yearly => start.with_day(1)?.checked_add_months(Months::new(step.checked_mul(12)?))?,
        };
        // The last day of 9999 is the last that is valid.
        if next.year() > 9998 {
            return None;
        }
        Some(match self.frequency {
            Frequency::Daily => vec![next].into_iter().filter(is_listed).collect(),
            Frequency::Weekly if self.weekdays.is_empty() => vec![next],
            Frequency::Weekly => next.week(Weekday::Mon).first_day().iter_days().take(7).filter(is_listed).collect(),
            Frequency::Monthly => self.in_month(next, start.day()),
            Frequency::Yearly if self.months.is_empty() => self.in_month(next, start.day()),
            Frequency::Yearly => {
                let months = self.months.iter().filter_map(|month| next.with_month(*month));
                months.flat_map(|first| self.in_month(first, start.day())).collect()
            }
        })
    }

    /// The dates of the rule in the month of this first day.
    fn in_month(&self, first: NaiveDate, day_of_start: u32) -> Vec<NaiveDate> {
        let days: Vec<NaiveDate> = first.iter_days().take_while(|date| date.month() == first.month()).collect();
        let from_end = |index: i32, list: &[NaiveDate]| -> Option<NaiveDate> {
            let length = i32::try_from(list.len()).ok()?;
            let at = if index > 0 { index - 1 } else { length + index };
            usize::try_from(at).ok().and_then(|at| list.get(at)).copied()
        };
        if !self.weekdays.is_empty() {
            let of = |(number, weekday): &(i32, Weekday)| -> Vec<NaiveDate> {
                let all: Vec<_> = days.iter().copied().filter(|date| date.weekday() == *weekday).collect();
                if *number == 0 { all } else { from_end(*number, &all).into_iter().collect() }
            };
            return self.weekdays.iter().flat_map(of).collect();
        }
        if !self.month_days.is_empty() {
            return self.month_days.iter().filter_map(|day| from_end(*day, &days)).collect();
        }
        days.into_iter().filter(|date| date.day() == day_of_start).collect()
    }
}
