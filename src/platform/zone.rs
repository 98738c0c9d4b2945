//! From the wall clock of a zone to an instant, and back (contract, "Date and time").

use chrono::{DateTime, LocalResult, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

use super::messages::TIME_ZONES;

/// Finds a zone by its IANA name; `None` for an unknown one.
pub fn find(name: &str) -> Option<Tz> {
    name.parse().ok()
}

/// The instant at which clocks in `zone` show `wall`.
///
/// A time that does not exist (spring) is the instant that the clock jumps to as many minutes
/// later: 02:30 is 03:30 of the new time. One that exists twice (autumn) is the first.
pub fn instant_of(zone: Tz, wall: NaiveDateTime) -> DateTime<Utc> {
    match zone.from_local_datetime(&wall) {
        LocalResult::Single(instant) | LocalResult::Ambiguous(instant, _) => instant.to_utc(),
        // In a gap the offset that held before it still says how far `wall` lies from UTC, and the
        // clocks show the result as many minutes after the jump. No gap is as long as a day.
        LocalResult::None => {
            let before = zone.offset_from_utc_datetime(&(wall - TimeDelta::days(1))).fix();
            (wall - TimeDelta::seconds(i64::from(before.local_minus_utc()))).and_utc()
        }
    }
}

/// The short name that is printed behind a time: `ET` for the six of the specification, the zone's
/// own abbreviation at that instant for any other.
pub fn abbreviation(zone: Tz, at: DateTime<Utc>) -> String {
    TIME_ZONES
        .iter()
        .find(|(name, _, _)| *name == zone.name())
        .map_or_else(|| at.with_timezone(&zone).format("%Z").to_string(), |(_, _, short)| (*short).to_owned())
}

/// `8:00 PM ET` (spec §3).
pub fn time_label(zone: Tz, at: DateTime<Utc>) -> String {
    format!("{} {}", at.with_timezone(&zone).format("%-I:%M %p"), abbreviation(zone, at))
}

/// `March 10, 2026` (spec §3), the date that the zone's calendar shows.
pub fn date_label(zone: Tz, at: DateTime<Utc>) -> String {
    at.with_timezone(&zone).format("%B %-d, %Y").to_string()
}

/// The zones whose time is shown beside the event's own: the other of ET and PT, both for every
/// other zone (spec §3).
pub fn alternates(zone: Tz) -> &'static [Tz] {
    const EASTERN: Tz = Tz::America__New_York;
    const PACIFIC: Tz = Tz::America__Los_Angeles;
    match zone {
        EASTERN => &[PACIFIC],
        PACIFIC => &[EASTERN],
        _ => &[EASTERN, PACIFIC],
    }
}
