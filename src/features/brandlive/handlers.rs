//! The calls of the sync.

use axum::extract::State;

use super::{NOT_CONFIGURED, store};
use super::types::{EventImport, SyncResult};
use crate::features::sessions::Admin;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Fresh, Id, NoBody};
use crate::platform::state::AppState;

/// Import events from the provider.
#[utoipa::path(post, path = "/api/sync-brandlive", tag = "brandlive", security(("session" = [])),
    responses((status = 200, body = SyncResult), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 413, body = ErrorBody), (status = 502, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn sync_brandlive(_: Admin, _: NoBody) -> Result<Fresh<SyncResult>, AppError> {
    Err(AppError::Unavailable(NOT_CONFIGURED.to_owned()))
}

/// What the provider says of an imported event, field by field; 404 for one that was not imported.
#[utoipa::path(get, path = "/api/events/{id}/import", tag = "brandlive", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = EventImport), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_import(_: Admin, State(app): State<AppState>, Id(id): Id) -> Result<Fresh<EventImport>, AppError> {
    let found = app.db.read(move |connection| store::import_of(connection, id)).await?;
    found.map(Fresh::ok).ok_or(AppError::NotFound("Import"))
}
