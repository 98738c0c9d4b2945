//! Time zones: from the wall clock of a zone to an instant and back, and labels (contract, "Calls").

use std::sync::LazyLock;

use chrono::{
    DateTime, Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, Timelike as _, Utc,
};
use chrono_tz::{TZ_VARIANTS, Tz};
use jiff::Timestamp;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

use super::messages::{OTHER_ABBREVIATIONS, TIME_ZONES};

/// [`super::messages::DEFAULT_TIME_ZONE`], the zone of an event without one, and of the year in the footer.
pub const DEFAULT: Tz = EASTERN;
const EASTERN: Tz = Tz::America__New_York;
const PACIFIC: Tz = Tz::America__Los_Angeles;

/// Finds a zone by its IANA name; `None` for an unknown one.
pub fn find(name: &str) -> Option<Tz> {
    name.parse().ok()
}

/// Finds a zone by its IANA name in any case, such as `utc`; `None` for an unknown one.
pub fn find_in_any_case(name: &str) -> Option<Tz> {
    find(name).or_else(|| TZ_VARIANTS.into_iter().find(|zone| zone.name().eq_ignore_ascii_case(name)))
}

/// The clocks of a zone.
fn clocks(zone: Tz) -> TimeZone {
    static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);
    DATABASE.get(zone.name()).unwrap_or(TimeZone::UTC)
}

/// How far the clocks of a zone are ahead of UTC at an instant.
pub fn offset(zone: Tz, at: DateTime<Utc>) -> FixedOffset {
    // Instants beyond the year 9999 have the offset of its end.
    let at = Timestamp::from_second(at.timestamp()).unwrap_or(Timestamp::MAX);
    fixed(clocks(zone).to_offset(at))
}

fn fixed(offset: jiff::tz::Offset) -> FixedOffset {
    FixedOffset::east_opt(offset.seconds()).unwrap_or(Utc.fix())
}

/// An instant as the clocks of a zone show it.
pub fn local(zone: Tz, at: DateTime<Utc>) -> DateTime<FixedOffset> {
    at.with_timezone(&offset(zone, at))
}

/// The instant at which clocks in `zone` show `wall`.
///
/// A time that is skipped in spring is as many minutes after the change: 02:30 is 03:30 of the new time. One that is
/// repeated in autumn is the first.
pub fn instant_of(zone: Tz, wall: NaiveDateTime) -> DateTime<Utc> {
    let date = i16::try_from(wall.year()).ok().and_then(|year| {
        let [month, day, hour, minute, second] =
            [wall.month(), wall.day(), wall.hour(), wall.minute(), wall.second()].map(|part| i8::try_from(part).ok());
        jiff::civil::DateTime::new(year, month?, day?, hour?, minute?, second?, 0).ok()
    });
    let Some(date) = date else { return wall.and_utc() };
    let offset = match clocks(zone).to_ambiguous_timestamp(date).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset,
        AmbiguousOffset::Gap { before, .. } | AmbiguousOffset::Fold { before, .. } => before,
    };
    wall.and_local_timezone(fixed(offset)).single().unwrap_or_default().to_utc()
}

/// The instant at which a day begins in the default zone.
pub fn midnight(day: NaiveDate) -> DateTime<Utc> {
    instant_of(DEFAULT, day.and_time(NaiveTime::MIN))
}

/// The abbreviation after a time: `ET` for a zone of spec §3, that in [`OTHER_ABBREVIATIONS`], or the offset from GMT
/// (`GMT+5:45`). The web page computes the same; both are tested with `rule_cases/zone_abbreviations.json`.
pub fn abbreviation(zone: Tz, at: DateTime<Utc>) -> String {
    if let Some((_, _, abbreviation)) = TIME_ZONES.iter().find(|(name, _, _)| *name == zone.name()) {
        return (*abbreviation).to_owned();
    }
    let minutes = offset(zone, at).local_minus_utc().div_euclid(60);
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
pub fn time_label(zone: Tz, at: DateTime<Utc>) -> String {
    format!("{} {}", local(zone, at).format("%-I:%M %p"), abbreviation(zone, at))
}

/// `March 10, 2026` (spec §3), the date in the zone.
pub fn date_label(zone: Tz, at: DateTime<Utc>) -> String {
    local(zone, at).format("%B %-d, %Y").to_string()
}

/// The zones whose time is shown in addition to the event's own: the other of ET and PT, or both for an event
/// in another zone (spec §3).
pub fn alternates(zone: Tz) -> &'static [Tz] {
    match zone {
        EASTERN => &[PACIFIC],
        PACIFIC => &[EASTERN],
        _ => &[EASTERN, PACIFIC],
    }
}
