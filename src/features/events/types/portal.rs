//! Wire types of the portal's list of events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Event;
use crate::features::events::status::EventStatus;

/// Which events the portal's list shows: by their start, or by their status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventStatusFilter {
    /// Those that start now or later, and drafts without a date.
    Upcoming,
    /// Those that started before now.
    Past,
    Draft,
    /// Those whose publication time has not come yet.
    Scheduled,
    Hidden,
    Cancelled,
    Postponed,
}

impl EventStatusFilter {
    /// All of them, in the order in which the portal offers them.
    pub const ALL: [Self; 7] =
        [Self::Upcoming, Self::Past, Self::Draft, Self::Scheduled, Self::Hidden, Self::Cancelled, Self::Postponed];

    /// The status of the events that it selects; `None` if it selects by their start.
    pub fn event_status(self) -> Option<EventStatus> {
        match self {
            Self::Upcoming | Self::Past => None,
            Self::Draft => Some(EventStatus::Draft),
            Self::Scheduled => Some(EventStatus::Scheduled),
            Self::Hidden => Some(EventStatus::Hidden),
            Self::Cancelled => Some(EventStatus::Cancelled),
            Self::Postponed => Some(EventStatus::Postponed),
        }
    }
}

/// The order of the portal's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventSort {
    /// Drafts without a date, then upcoming events, the soonest first, then past events, the latest first.
    #[default]
    Upcoming,
    Earliest,
    Latest,
    /// By title without case and diacritics, numbers by their value.
    Title,
    /// The last changed first.
    Changed,
}

/// A page of the portal's list, and what its filters offer.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventPage {
    /// How many events match.
    pub count: usize,
    /// The number of this page, from 1; the last one for a greater number.
    pub page: usize,
    /// Whether the requested event is among the matches, and so on this page; left out if none was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub is_found: Option<bool>,
    pub events: Vec<Event>,
    /// Whether there is any event, matching or not.
    pub has_events: bool,
    /// Whether an in-person event is among the matches.
    pub has_in_person: bool,
    /// The statuses other than `published` that events have.
    pub statuses: Vec<EventStatusFilter>,
}

/// What the portal knows of each event that matches: by what it can be selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventMatch {
    pub id: i64,
    /// Day in the event's own zone, yyyy-MM-dd; empty for a draft without a date.
    pub date: String,
    /// The name of its series.
    #[schema(required)]
    pub series: Option<String>,
}
