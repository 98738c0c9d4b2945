//! The events and the content of a page, read from the database.

use chrono::{DateTime, Datelike as _, Months, NaiveDate, Utc};
use rusqlite::Connection;

use super::types::{DateRange, HomeData, NearestEvent};
use crate::features::events;
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
    let events = events::all_public(connection, now, &filter)?;

    let first = shown.with_day(1).unwrap_or(shown);
    let is_past = first < today && !is_same_month(shown, today);
    // On phones, the list of the current month begins today.
    let from = if is_same_month(shown, today) { today } else { first }.to_string();
    // The months after a past one do not matter: it leads to the next event from now on.
    let to = if is_past { last_of_month(first).to_string() } else { window.to.clone() };
    let has_listed_event = events
        .iter()
        .filter(|event| kind.is_none_or(|kind| event.r#type == kind))
        .any(|event| (&from..=&to).contains(&&event.date));
    let after = if is_past { None } else { Some(window.to.as_str()) };
    let nearest = if has_listed_event { None } else { nearest_event(connection, now, first, after, kind)? };
    Ok(HomeData {
        content: page_content::find(connection, page_content::HOME)?,
        next_event: events::first_public_from(connection, now, None)?,
        nearest_event: nearest,
        events,
        window,
    })
}

/// The first event after the day `after`, or if no event follows, the last one before the day `from`. Without `after`, the
/// first one from now on, or if no event follows, the last one of all.
fn nearest_event(
    connection: &Connection,
    now: DateTime<Utc>,
    from: NaiveDate,
    after: Option<&str>,
    kind: Option<&str>,
) -> Result<Option<NearestEvent>, AppError> {
    let next = match after {
        Some(day) => events::first_public_after(connection, now, day, kind)?,
        None => events::first_public_from(connection, now, kind)?,
    };
    let is_last = next.is_none();
    let nearest = if is_last {
        let filter = events::Filter {
            to: after.and(from.pred_opt()).map(|day| day.to_string()),
            kind: kind.map(str::to_owned),
            last: Some(1),
            ..events::Filter::default()
        };
        events::all_public(connection, now, &filter)?.pop()
    } else {
        next
    };
    Ok(nearest.map(|event| NearestEvent { kind: kind.map(str::to_owned), is_last, event }))
}

fn is_same_month(one: NaiveDate, other: NaiveDate) -> bool {
    (one.year(), one.month()) == (other.year(), other.month())
}

/// The days whose events a page contains: the month shown, and the months before and after it, which visitors can open
/// without a request.
fn days_around(shown: NaiveDate) -> DateRange {
    let first = shown.with_day(1).unwrap_or(shown);
    DateRange { from: (first - Months::new(1)).to_string(), to: last_of_month(first + Months::new(1)).to_string() }
}

/// The last day of the month that begins with this day.
fn last_of_month(first: NaiveDate) -> NaiveDate {
    (first + Months::new(1)).pred_opt().unwrap_or(first)
}
