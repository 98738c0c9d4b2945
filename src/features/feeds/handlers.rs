//! The endpoint `/calendar.ics`, which validates the query string.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::CALENDAR;
use super::rules::{CalendarOptions, type_slugs};
use crate::platform::error::AppError;
use crate::platform::response_cache::Representation;
use crate::platform::state::AppState;

/// The calendar of all events or of one type, with or without reminders. Errors are plain text, because users may open
/// the URL in a browser.
pub(super) async fn get_calendar(
    State(app): State<AppState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let (status, message) = match CalendarOptions::parse(&query.unwrap_or_default()) {
        Ok(options) => return app.responses.respond(&format!("{CALENDAR}{}", options.query()), &headers).await,
        Err(AppError::NotFound(_)) => {
            (StatusCode::NOT_FOUND, format!("There is no such event type. The types are {}.\n", type_slugs()))
        }
        Err(error) => (error.status(), format!("{error}.\n")),
    };
    let error = Representation { status, ..Representation::of("text/plain; charset=utf-8", message.into_bytes()) };
    app.responses.respond_uncached(error, &headers).await
}
