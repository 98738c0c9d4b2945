//! The endpoint `/calendar.ics`, which validates the query string.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::CALENDAR_PATH;
use super::rules::{CalendarOptions, type_slugs};
use crate::platform::error::AppError;
use crate::platform::response_cache::Representation;
use crate::platform::state::AppState;

/// The calendar of all events, of one type or of one series, with or without reminders. Errors are plain text, because users may open
/// the URL in a browser.
pub(super) async fn get_calendar(
    State(app): State<AppState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let response = match CalendarOptions::parse(&query.unwrap_or_default()) {
        Ok(options) => app.responses.respond(&format!("{CALENDAR_PATH}{}", options.query()), &headers).await,
        Err(error) => Err(error),
    };
    let (status, message) = match response {
        Err(AppError::NotFound("Series")) => (StatusCode::NOT_FOUND, "There is no such series.\n".to_owned()),
        Err(AppError::NotFound(_)) => {
            (StatusCode::NOT_FOUND, format!("There is no such event type. The types are {}.\n", type_slugs()))
        }
        Err(error @ AppError::Malformed(_)) => (error.status(), format!("{error}.\n")),
        response => return response,
    };
    let error = Representation { status, ..Representation::new("text/plain; charset=utf-8", message.into_bytes()) };
    app.responses.respond_uncached(error, &headers).await
}
