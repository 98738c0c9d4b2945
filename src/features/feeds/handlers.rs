//! The calendar's own address, whose query is read before an answer is looked for.

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::CALENDAR;
use super::rules::{Wanted, known_types};
use crate::platform::error::AppError;
use crate::platform::response_cache::Representation;
use crate::platform::state::AppState;

/// The calendar, whole or of one type, with or without reminders. What can't be read is answered
/// with a sentence, because whoever subscribes may see it in a browser first.
pub(super) async fn calendar(
    State(app): State<AppState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let (status, sentence) = match Wanted::read(&query.unwrap_or_default()) {
        Ok(wanted) => {
            let address = format!("{CALENDAR}{}", wanted.query());
            return Ok(app.responses.answer(&address, &headers).await?.map(Body::new));
        }
        Err(AppError::NotFound(_)) => {
            (StatusCode::NOT_FOUND, format!("There is no such event type. The types are {}.\n", known_types()))
        }
        Err(error) => (error.status(), format!("{error}.\n")),
    };
    let draft = Representation { status, ..Representation::of("text/plain; charset=utf-8", sentence.into_bytes()) };
    Ok(app.responses.respond_uncached(draft, &headers).await?.map(Body::new))
}
