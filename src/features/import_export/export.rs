//! Events as CSV, iCalendar or JSON.

use chrono::{DateTime, Utc};
use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use rusqlite::Connection;

use super::csv;
use super::fields::{EXPORTED, values_of};
use super::types::FileFormat;
use crate::features::events::Event;
use crate::features::feeds;
use crate::features::site_settings::SiteIdentity;
use crate::platform::error::AppError;
use crate::platform::response_cache::Representation;

/// The file with these events.
pub(super) fn file(
    format: FileFormat,
    site: &SiteIdentity,
    connection: &Connection,
    events: &[Event],
    now: DateTime<Utc>,
) -> Result<Representation, AppError> {
    let (mut file, name) = match format {
        FileFormat::Csv => {
            (Representation::of("text/csv; charset=utf-8", csv_of(site, events).into_bytes()), "events.csv")
        }
        FileFormat::Ics => (feeds::events_file(site, connection, events, now)?, "events.ics"),
        FileFormat::Json => (Representation::json(&events)?, "events.json"),
    };
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).map_err(AppError::internal)?;
    file.headers.insert(CONTENT_DISPOSITION, disposition);
    Ok(file)
}

/// All fields, with the byte order mark by which spreadsheets recognise UTF-8.
fn csv_of(site: &SiteIdentity, events: &[Event]) -> String {
    let mut out = String::from("\u{feff}");
    csv::write(&mut out, EXPORTED.map(super::types::Field::heading));
    for event in events {
        let values = values_of(site, event);
        csv::write(&mut out, EXPORTED.iter().map(|field| values.get(field).map_or("", String::as_str)));
    }
    out
}
