//! A database filled with events.

use std::path::Path;

use lectern::platform::db::{self, BusyTimeout};

use crate::sample;

/// Fills a new database with `count` events of up to four speakers; event 1 is in person.
pub fn fill(path: &Path, count: usize) {
    db::migrate_file(path).expect("a new database");
    let connection = db::connect(path, BusyTimeout::CommandLine).expect("a connection");
    db::in_transaction(&connection, |transaction| {
        let ids = sample::insert_speakers(transaction)?;
        // Attendance can only be added before an event ends.
        let first = chrono::Utc::now().date_naive() + chrono::Days::new(1);
        for number in 0..count {
            let day = first + chrono::Days::new(number as u64 / 2);
            sample::insert_event(transaction, number, day, None, &ids)?;
        }
        Ok(())
    })
    .expect("the events are written");
}
