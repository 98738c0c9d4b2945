//! Events that repeat by a rule.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Event, EventInput, VenueInput};

/// Request body for the dates of a rule.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepeatRule {
    /// The first day, yyyy-MM-dd.
    pub date: Option<String>,
    /// Wall clock in the zone, HH:mm.
    pub time: Option<String>,
    /// IANA name; America/New_York by default.
    pub timezone: Option<String>,
    /// `week`, `two-weeks`, `month-day` (the same day of the month), `month-weekday` (such as the 2nd Tuesday) or
    /// `month-last-weekday` (such as the last Friday). The first day says which day that is.
    #[schema(example = "month-weekday")]
    pub every: Option<String>,
    /// The last possible day, yyyy-MM-dd.
    pub until: Option<String>,
    /// How many dates, the first one included, at most 100. A rule needs this or `until`.
    pub count: Option<u32>,
}

/// The dates of a rule.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepeatDates {
    /// At most 100, ascending, the first day included.
    pub dates: Vec<RepeatDate>,
    /// Messages about months that lack the day: `February 2031 has no day 31`.
    pub skipped: Vec<String>,
    /// Whether there would be more than 100 dates.
    pub is_limited: bool,
}

/// One date of a rule.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepeatDate {
    /// Day in the zone, yyyy-MM-dd.
    pub date: String,
    /// The start, UTC, RFC 3339.
    pub starts_at: String,
    /// Whether clocks skip the time on this day, so the event starts later by the clock.
    pub is_shifted: bool,
}

/// Request body to create an event on several dates.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepeatEvent {
    /// The event; its own date is ignored. Calendar links and a Brandlive id are stored with the first date only.
    pub event: Option<EventInput>,
    /// The venue; ignored for other types than In-Person Events.
    pub location: Option<VenueInput>,
    /// Ids of the speakers in order; at least one.
    pub speaker_ids: Option<Vec<i64>>,
    /// 1 to 100 days, yyyy-MM-dd.
    #[serde(default)]
    pub dates: Vec<String>,
}

/// Events that were created together.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepeatedEvents {
    /// Id of the bulk edit, with which it can be undone.
    pub id: i64,
    /// Until when it can be undone, UTC, RFC 3339.
    pub undo_until: String,
    /// The events by the instant of their start.
    pub events: Vec<Event>,
}
