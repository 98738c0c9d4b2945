//! The period in which a page is fresh: it does not change with time.

use chrono::{DateTime, Datelike as _, Days, NaiveDate, SecondsFormat, TimeDelta, Utc};

use crate::features::events::Event;
use crate::platform::clock::next_minute;
use crate::platform::zone;

/// The period between two instants at which a page changes with time. Within it, the page is the same byte for byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreshnessPeriod {
    pub(super) now: DateTime<Utc>,
    /// Included.
    since: DateTime<Utc>,
    /// Not included.
    pub(super) until: DateTime<Utc>,
}

impl FreshnessPeriod {
    /// The period of a page with the footer, which shows the year in the default zone.
    pub(super) fn year_of(now: DateTime<Utc>) -> Self {
        let year = zone::local(zone::DEFAULT, now).year();
        let start_of = |year| NaiveDate::from_ymd_opt(year, 1, 1).map_or(now, zone::midnight);
        Self { now, since: start_of(year), until: start_of(year + 1) }
    }

    /// The period of a page that shows the current day in the default zone.
    pub(super) fn day_of(now: DateTime<Utc>) -> Self {
        let today = zone::local(zone::DEFAULT, now).date_naive();
        Self { now, since: zone::midnight(today), until: zone::midnight(today + Days::new(1)) }
    }

    /// Limits the period to the start of an event and to the full minute after its end, at which components change.
    pub(super) fn changes_with(&mut self, event: &Event) {
        // An event that starts now is still the next event.
        for instant in [event.starts() + TimeDelta::seconds(1), next_minute(event.ends())] {
            if instant <= self.now {
                self.since = self.since.max(instant);
            } else {
                self.until = self.until.min(instant);
            }
        }
    }

    /// Limits the period to an instant after now at which the page changes.
    pub(super) fn ends_by(&mut self, instant: Option<DateTime<Utc>>) {
        self.until = instant.map_or(self.until, |instant| self.until.min(instant));
    }

    /// The start of the period, in the format of the initial data.
    pub(super) fn rendered_as_of(&self) -> String {
        self.since.to_rfc3339_opts(SecondsFormat::Secs, true)
    }
}
