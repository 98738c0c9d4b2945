//! The events and the content of a page, read from the database.

use chrono::{DateTime, Datelike as _, Months, NaiveDate, Utc};
use rusqlite::Connection;

use super::types::{DateRange, HomeData, LaterEvent};
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
    let today = now.with_timezone(&zone::DEFAULT).date_naive();
    let shown = shown.unwrap_or(today);
    let window = days_around(shown);
    let days = (Some(window.from.clone()), Some(window.to.clone()));
    let filter = events::Filter { from: days.0, to: days.1, ..events::Filter::default() };
    let events = events::all(connection, now, &filter)?;

    // In the current month, the list of phones leads on from the past events.
    let first_day = shown.with_day(1).map_or(shown, |first| if is_same_month(shown, today) { today } else { first });
    let first_day = first_day.to_string();
    let leads_on = events.iter().any(|event| event.date >= first_day && kind.is_none_or(|kind| event.r#type == kind));
    let later = if leads_on { None } else { events::first_after(connection, now, &window.to, kind)? };
    Ok(HomeData {
        content: page_content::find(connection, page_content::HOME)?,
        next_event: events::first_from(connection, now)?,
        later_event: later.map(|event| LaterEvent { kind: kind.map(str::to_owned), event }),
        events,
        window,
    })
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
