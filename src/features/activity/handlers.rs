//! The call for an event's history.

use axum::extract::State;

use super::store::{self, Wanted};
use super::types::ActivityEntry;
use crate::features::auth::Admin;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Id, NoStoreJson};
use crate::platform::state::AppState;

/// How many entries are sent at most.
const MOST: u32 = 100;

/// What was done to an event, the newest first, at most 100 entries. One that was deleted still has its history.
#[utoipa::path(get, path = "/api/events/{id}/activity", tag = "events", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = Vec<ActivityEntry>), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_event_activity(
    _: Admin,
    State(app): State<AppState>,
    Id(id): Id,
) -> Result<NoStoreJson<Vec<ActivityEntry>>, AppError> {
    app.db
        .read(move |connection| {
            if !store::knows_event(connection, id)? {
                return Err(AppError::NotFound("Event"));
            }
            let wanted = Wanted { event: Some(id), ..Wanted::default() };
            Ok(store::latest(connection, &wanted, MOST)?.into_iter().map(|line| line.entry).collect())
        })
        .await
        .map(NoStoreJson::ok)
}
