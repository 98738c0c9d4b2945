//! Time zones. The web client runs the same cases.

use std::collections::BTreeMap;

use chrono::{NaiveDateTime, Offset as _, TimeZone as _};
use serde::Deserialize;

use crate::features::events::presentation;
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::messages::DEFAULT_TIME_ZONE;
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
fn every_wall_clock_time_of_the_table_is_the_listed_instant() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("rule_cases/wall_clock.json")).unwrap();
    for case in cases {
        let wall = NaiveDateTime::parse_from_str(&format!("{} {}", case.date, case.time), "%Y-%m-%d %H:%M").unwrap();
        let instant = zone::instant_of(zone::find(&case.zone).unwrap(), wall);
        assert_eq!(timestamp(instant), case.utc, "{} {} in {}: {}", case.date, case.time, case.zone, case.note);
    }
}

#[test]
fn the_default_zone_is_that_of_the_form() {
    assert_eq!(zone::DEFAULT.name(), DEFAULT_TIME_ZONE);
}

#[derive(Deserialize)]
struct AlternateCase {
    zone: String,
    utc: String,
    label: String,
    note: String,
}

#[test]
fn alternate_times_name_their_day_if_it_is_another() {
    let cases: Vec<AlternateCase> = serde_json::from_str(include_str!("rule_cases/alternate_times.json")).unwrap();
    for case in cases {
        let label = presentation::alternate_times(parse_timestamp(&case.utc).unwrap(), zone::find(&case.zone).unwrap());
        assert_eq!(label, case.label, "{} in {}: {}", case.utc, case.zone, case.note);
    }
}

/// `UPDATE_GENERATED=1 cargo test generated` updates the table.
#[test]
fn the_generated_table_of_abbreviations_lists_every_zone() {
    let mut zones: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let [winter, summer] =
        ["2026-01-15T18:00:00Z", "2026-07-15T18:00:00Z"].map(|instant| parse_timestamp(instant).unwrap());
    for zone in chrono_tz::TZ_VARIANTS {
        let label = format!("{} {}", zone::abbreviation(zone, winter), zone::abbreviation(zone, summer));
        zones.entry(label).or_default().push(zone.name());
    }
    let lines: Vec<String> = zones.iter().map(|(label, zones)| format!("  {label:?}: {zones:?}")).collect();
    let table = format!("{{\n{}\n}}\n", lines.join(",\n"));

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/rule_cases/zone_abbreviations.json");
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(path, &table).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap_or_default() == table, "{path} is stale");
}

#[test]
fn a_zone_without_an_abbreviation_shows_its_offset() {
    let winter = parse_timestamp("2026-01-15T18:00:00Z").unwrap();
    for (name, label) in [
        ("America/New_York", "ET"),
        ("Europe/London", "GMT"),
        ("Asia/Kathmandu", "GMT+5:45"),
        ("America/St_Johns", "GMT-3:30"),
        ("Asia/Tokyo", "GMT+9"),
        ("Etc/UTC", "UTC"),
        ("Africa/Abidjan", "GMT"),
    ] {
        assert_eq!(zone::abbreviation(zone::find(name).unwrap(), winter), label, "{name}");
    }
}

#[test]
fn the_clocks_of_every_zone_were_those_of_another_table_from_2000_to_2025() {
    let mut different = std::collections::BTreeSet::new();
    for zone in chrono_tz::TZ_VARIANTS {
        for month in 0..12 * (2026 - 2000) {
            let at = chrono::NaiveDate::from_ymd_opt(2000, 1, 15).unwrap() + chrono::Months::new(month);
            let at = at.and_hms_opt(9, 30, 0).unwrap();
            let expected = zone.offset_from_utc_datetime(&at).fix();
            if zone::offset(zone, at.and_utc()) != expected {
                different.insert(zone.name());
            }
        }
    }
    assert_eq!(different.into_iter().collect::<Vec<_>>(), Vec::<&str>::new());
}
