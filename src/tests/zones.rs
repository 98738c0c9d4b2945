//! From wall clock to instant, over the table that the page's tests run too.

use chrono::NaiveDateTime;
use serde::Deserialize;

use crate::platform::clock::timestamp;
use crate::platform::zone;

#[derive(Deserialize)]
struct Case {
    zone: String,
    date: String,
    time: String,
    utc: String,
    note: String,
}

#[test]
fn every_wall_clock_time_of_the_table_is_the_instant_that_it_says() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("rule_cases/wall_clock.json")).unwrap();
    for case in cases {
        let wall = NaiveDateTime::parse_from_str(&format!("{} {}", case.date, case.time), "%Y-%m-%d %H:%M").unwrap();
        let instant = zone::instant_of(zone::find(&case.zone).unwrap(), wall);
        assert_eq!(timestamp(instant), case.utc, "{} {} in {}: {}", case.date, case.time, case.zone, case.note);
    }
}
