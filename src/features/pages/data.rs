//! The events and the content of a page, read from the database.

use chrono::{DateTime, Datelike as _, Months, NaiveDate, Utc};
use rusqlite::Connection;

use super::types::{DateRange, HomeData, NearestEvent};
use crate::features::events::{self, Event};
use crate::features::page_content;
use crate::platform::error::AppError;
use crate::platform::zone;

/// `shown` is a day of the month that the calendar shows; the current month by default. `kind` is the only event type
/// that it shows.
pub(super) fn home(
    connection: &Connection,
    now: DateTime<Utc>,
    shown: Option<NaiveDate>,
    kind: Option<&str>,
) -> Result<HomeData, AppError> {
    let today = zone::local(zone::DEFAULT, now).date_naive();
    let shown = shown.unwrap_or(today);
    let window = days_around(shown);
    let days = (Some(window.from.clone()), Some(window.to.clone()));
    let filter = events::Filter { from: days.0, to: days.1, ..events::Filter::default() };
    let events = events::all(connection, now, &filter)?;

    // On phones, the list of the current month begins today.
    let first = shown.with_day(1).unwrap_or(shown);
    let first_day = if is_same_month(shown, today) { today } else { first }.to_string();
    let has_listed_event =
        events.iter().any(|event| event.date >= first_day && kind.is_none_or(|kind| event.r#type == kind));
    let nearest = if has_listed_event { None } else { nearest_event(connection, now, first, &window.to, kind)? };
    Ok(HomeData {
        content: page_content::find(connection, page_content::HOME)?,
        next_event: events::first_from(connection, now)?,
        nearest_event: nearest.map(|event| NearestEvent { kind: kind.map(str::to_owned), event }),
        events,
        window,
    })
}

/// The first event after the day `to`, or if there is none, the last one before the day `from`.
fn nearest_event(
    connection: &Connection,
    now: DateTime<Utc>,
    from: NaiveDate,
    to: &str,
    kind: Option<&str>,
) -> Result<Option<Event>, AppError> {
    if let Some(next) = events::first_after(connection, now, to, kind)? {
        return Ok(Some(next));
    }
    let Some(before) = from.pred_opt() else { return Ok(None) };
    let filter = events::Filter {
        to: Some(before.to_string()),
        kind: kind.map(str::to_owned),
        last: Some(1),
        ..events::Filter::default()
    };
    Ok(events::all(connection, now, &filter)?.pop())
}

fn is_same_month(one: NaiveDate, other: NaiveDate) -> bool {
    (one.year(), one.month()) == (other.year(), other.month())
}

/// The days whose events a page contains: the month shown, and the months before and after it, which visitors can open
/// without a request.
fn days_around(shown: NaiveDate) -> DateRange {
    let first = shown.with_day(1).unwrap_or(shown);
    let last = (first + Months::new(2)).pred_opt().unwrap_or(first);
    DateRange { from: (first - Months::new(1)).to_string(), to: last.to_string() }
}
