//! Wire types of interest (spec §3).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// How many visitors plan to attend, and whether this visitor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Interest {
    /// Investors attending.
    pub count: i64,
    /// Whether this visitor is one of them.
    pub has_interest: bool,
}

/// Whether a visitor plans to attend.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetInterest {
    /// `add` or `remove`
    pub action: Option<String>,
    /// The visitor's anonymous id.
    pub user_id: Option<String>,
}

/// The query string of a request for the interest.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct InterestQuery {
    /// The visitor's anonymous id; by default that of the `visitor` cookie.
    pub user_id: Option<String>,
}

/// How many plan to attend an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttendanceCount {
    pub event_id: i64,
    /// Investors attending.
    pub count: i64,
}

/// How many planned to attend an event at the end of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AttendanceDay {
    /// The day, UTC, yyyy-MM-dd.
    pub day: String,
    /// Investors attending.
    pub count: i64,
}
