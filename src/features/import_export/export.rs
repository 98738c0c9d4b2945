//! Events as CSV, iCalendar or JSON.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use rusqlite::Connection;

use super::csv;
use super::fields::{EXPORTED, values_of};
use super::types::FileFormat;
use crate::features::events::Event;
use crate::features::site_settings::SiteIdentity;
use crate::features::{feeds, interest};
use crate::platform::error::AppError;
use crate::platform::messages::IN_PERSON;
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
            (Representation::new("text/csv; charset=utf-8", csv_of(site, events).into_bytes()), "events.csv")
        }
        FileFormat::Ics => (feeds::events_file(site, connection, events, now)?, "events.ics"),
        FileFormat::Json => (Representation::json(&events)?, "events.json"),
        FileFormat::Attendance => {
            let csv = attendance_of(connection, events)?;
            (Representation::new("text/csv; charset=utf-8", csv.into_bytes()), "attendance.csv")
        }
    };
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).map_err(AppError::internal)?;
    file.headers.insert(CONTENT_DISPOSITION, disposition);
    Ok(file)
}

/// The columns of the attendance.
const ATTENDANCE: [&str; 9] = ["Title", "Date", "Time", "Time zone", "Venue", "City", "State", "Status", "Attending"];

/// How many plan to attend each in-person event, with the byte order mark.
fn attendance_of(connection: &Connection, events: &[Event]) -> Result<String, AppError> {
    let ids: Vec<i64> = events.iter().map(|event| event.id).collect();
    let counts: HashMap<i64, i64> =
        interest::counts_of(connection, &ids)?.into_iter().map(|one| (one.event_id, one.count)).collect();
    let mut out = String::from("\u{feff}");
    csv::write(&mut out, ATTENDANCE);
    for event in events.iter().filter(|event| event.r#type == IN_PERSON) {
        let count = counts.get(&event.id).copied().unwrap_or_default().to_string();
        let [venue, city, state] =
            event.location.as_ref().map_or([""; 3], |at| [at.venue_name.as_str(), at.city.as_str(), at.state.as_str()]);
        csv::write(
            &mut out,
            [
                &*event.title,
                &*event.date,
                &*event.time,
                &*event.timezone,
                venue,
                city,
                state,
                event.status.label(),
                &count,
            ],
        );
    }
    Ok(out)
}

/// All fields, with the byte order mark by which spreadsheets recognize UTF-8.
fn csv_of(site: &SiteIdentity, events: &[Event]) -> String {
    let mut out = String::from("\u{feff}");
    csv::write(&mut out, EXPORTED.map(super::types::EventFileField::heading));
    for event in events {
        let values = values_of(site, event);
        csv::write(&mut out, EXPORTED.iter().map(|field| values.get(field).map_or("", String::as_str)));
    }
    out
}
