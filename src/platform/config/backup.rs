//! `[backup]`: copies of the database on a schedule.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::text_or_blank;

/// `[backup]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Backup {
    /// The folder of the copies; without it there is no schedule.
    #[serde(deserialize_with = "folder")]
    pub dir: Option<PathBuf>,
    /// The time between two copies.
    #[serde(deserialize_with = "interval")]
    pub every: Duration,
    /// Which copies are kept.
    pub keep: Keep,
}

impl Default for Backup {
    fn default() -> Self {
        Self { dir: None, every: Duration::from_hours(24), keep: Keep::default() }
    }
}

/// `[backup.keep]`: of how many days, weeks and months the newest copy is kept. The newest of all always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Keep {
    /// Days (UTC) with a copy.
    pub daily: u32,
    /// Weeks (ISO 8601) with a copy.
    pub weekly: u32,
    /// Months with a copy.
    pub monthly: u32,
}

impl Default for Keep {
    fn default() -> Self {
        Self { daily: 7, weekly: 4, monthly: 12 }
    }
}

fn folder<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(text_or_blank(from)?.map(PathBuf::from))
}

/// `30 minutes`, `6 hours` or `1 day`, a year at the most.
fn interval<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(from)?;
    let parse = || {
        let (number, unit) = text.trim().split_once(' ')?;
        let seconds = match unit.trim().trim_end_matches('s') {
            "minute" => 60,
            "hour" => 60 * 60,
            "day" => 24 * 60 * 60,
            _ => return None,
        };
        let seconds = number.parse::<u64>().ok()?.checked_mul(seconds)?;
        (60..=366 * 24 * 60 * 60).contains(&seconds).then(|| Duration::from_secs(seconds))
    };
    parse().ok_or_else(|| {
        D::Error::custom(format!(
            "`{text}` is not an interval; use a number and a unit such as `30 minutes`, `6 hours` or `1 day`"
        ))
    })
}
