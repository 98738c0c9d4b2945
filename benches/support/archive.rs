//! A database filled with the archive of a company: the same number of events each month, from months ago until half a year
//! ahead.

use std::path::Path;

use chrono::{Datelike as _, Months, NaiveDate, Utc};
use lectern::platform::db::{self, BusyTimeout};

use crate::sample;

/// Months with events after the current one.
const MONTHS_AHEAD: u32 = 6;
/// Series; every fourth event is part of one.
const SERIES: usize = 10;

/// Fills a new database with `count` events, `per_month` of them in each month. More events reach back further.
pub fn fill(path: &Path, count: usize, per_month: usize) {
    db::migrate_file(path).expect("a new database");
    let connection = db::connect(path, BusyTimeout::CommandLine).expect("a connection");
    db::in_transaction(&connection, |transaction| {
        let ids = sample::insert_speakers(transaction)?;
        // The latest month is the same with every count. Older events have smaller ids.
        for number in 0..count {
            let months_before_last = (count - 1 - number) / per_month;
            let day = 1 + (number % per_month) * 28 / per_month;
            let series = number.is_multiple_of(4).then(|| format!("Series number {}", number / 4 % SERIES));
            sample::insert_event(transaction, number, date(months_before_last, day), series, &ids)?;
        }
        Ok(())
    })
    .expect("the events are written");
}

/// The day of a month before the last one.
fn date(months_before_last: usize, day: usize) -> NaiveDate {
    let number = |number: usize| u32::try_from(number).expect("a small number");
    let today = Utc::now().date_naive();
    let first = today.with_day(1).expect("a first day") + Months::new(MONTHS_AHEAD);
    (first - Months::new(number(months_before_last))).with_day(number(day)).expect("a day until the 28th")
}
