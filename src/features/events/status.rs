//! The status of an event: who sees it, and whether it takes place.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who sees an event, and whether it takes place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventStatus {
    /// Only admins see it. It needs nothing but a title.
    Draft,
    /// Only admins see it until its publication time, from which it is published.
    Scheduled,
    /// Visitors see it.
    #[default]
    Published,
    /// Only admins see it.
    Hidden,
    /// Visitors see that it is cancelled. Registration and attendance are closed.
    Cancelled,
    /// Visitors see that it is postponed. Registration and attendance are closed.
    Postponed,
}

impl EventStatus {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 6] =
        [Self::Draft, Self::Scheduled, Self::Published, Self::Hidden, Self::Cancelled, Self::Postponed];

    /// The stored and sent name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Scheduled => "scheduled",
            Self::Published => "published",
            Self::Hidden => "hidden",
            Self::Cancelled => "cancelled",
            Self::Postponed => "postponed",
        }
    }

    /// The name as the portal shows it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Draft => "Draft",
            Self::Scheduled => "Scheduled",
            Self::Published => "Published",
            Self::Hidden => "Hidden",
            Self::Cancelled => "Cancelled",
            Self::Postponed => "Postponed",
        }
    }

    /// Parses the name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether it is the status of an event that is saved without one, which responses leave out.
    pub fn is_published(&self) -> bool {
        *self == Self::Published
    }

    /// Whether visitors see events with this status. A scheduled event is read as published from its publication time on.
    /// The view `publishable_events` repeats these statuses; a test compares them.
    pub fn is_public(self) -> bool {
        matches!(self, Self::Published | Self::Cancelled | Self::Postponed)
    }

    /// What visitors read next to the title of an event that does not take place as planned: `Cancelled`, `Postponed`.
    /// Such an event has no registration and no attendance.
    pub fn badge(self) -> Option<&'static str> {
        match self {
            Self::Cancelled => Some("Cancelled"),
            Self::Postponed => Some("Postponed"),
            Self::Draft | Self::Scheduled | Self::Published | Self::Hidden => None,
        }
    }
}

impl FromSql for EventStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::parse(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for EventStatus {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}
