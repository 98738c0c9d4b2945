//! Series of events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The path prefix of the pages of series.
pub const SERIES_PATH_PREFIX: &str = "/series/";

/// A named group of events, with a page, a calendar and a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    pub id: i64,
    pub name: String,
    pub slug: String,
}

impl Series {
    /// The path of its page: `/series/tax-tuesdays`.
    pub fn path(&self) -> String {
        path_of_series(&self.slug)
    }
}

pub(in crate::features::events) fn path_of_series(slug: &str) -> String {
    format!("{SERIES_PATH_PREFIX}{slug}")
}

/// The position of a public event in its series: among its public events, by their start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeriesPosition {
    /// Path of the page of the series, such as `/series/tax-tuesdays`.
    pub path: String,
    /// From 1.
    pub number: usize,
    /// How many public events the series has.
    pub count: usize,
    /// The event before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub previous: Option<SeriesNeighbor>,
    /// The event after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next: Option<SeriesNeighbor>,
}

/// The event before or after another one of its series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeriesNeighbor {
    pub title: String,
    /// Path of its page.
    pub path: String,
}
