//! The paths of calendars and feeds.

use super::{CALENDAR_PATH, FEED_PATH};
use crate::features::events::Series;

/// The path and query string of the calendar of a series.
pub fn calendar_of_series(series: &Series) -> String {
    format!("{CALENDAR_PATH}?series={}", series.slug)
}

/// The path and query string of the feed of a series.
pub fn feed_of_series(series: &Series) -> String {
    format!("{FEED_PATH}?series={}", series.slug)
}
