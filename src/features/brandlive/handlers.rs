//! HTTP endpoints of the sync.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;

use super::sync::{SyncError, SyncReport};
use super::types::{EventSync, SyncRequest, SyncResult};
use super::{store, sync};
use crate::features::auth::Admin;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Id, NoStoreJson, OptionalJson};
use crate::platform::request_log;
use crate::platform::state::AppState;

/// The path of the endpoint that starts a sync.
pub const PATH: &str = "/api/sync-brandlive";
/// The timeout of that endpoint: 90 s for the provider, the rest for the database.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(150);

/// Sync the events with the provider.
#[utoipa::path(post, path = PATH, tag = "brandlive", request_body = Option<SyncRequest>, security(("session" = [])),
    responses((status = 200, body = SyncResult), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 502, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn sync_brandlive(
    admin: Admin,
    State(app): State<AppState>,
    OptionalJson(request): OptionalJson<SyncRequest>,
) -> Result<NoStoreJson<SyncResult>, AppError> {
    tracing::info!(admin = admin.user.id, "a Brandlive sync was requested");
    let sync = request_log::run_detached(async move {
        let on_progress = Arc::new(|_| {});
        match sync::run(&app.db, &app.config, app.clock.now(), request.accept_removals, on_progress).await {
            Ok(report) => Ok(report.into()),
            Err(error) => {
                let problem = Some(error.to_string());
                let SyncError::EmptyList { pending_removals } = error else { return Err(error.into()) };
                let report = SyncReport { pending_removals, ..SyncReport::default() }.finish();
                Ok(SyncResult { problem, ..SyncResult::from(report) })
            }
        }
    });
    Ok(NoStoreJson::ok(sync.await?))
}

/// The last sync of an event, field by field; 404 for one that was not synced.
#[utoipa::path(get, path = "/api/events/{id}/sync", tag = "brandlive", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = EventSync), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_event_sync(
    _: Admin,
    State(app): State<AppState>,
    Id(id): Id,
) -> Result<NoStoreJson<EventSync>, AppError> {
    let synced = app.db.read(move |connection| store::event_sync(connection, id)).await?;
    synced.map(NoStoreJson::ok).ok_or(AppError::NotFound("Sync"))
}

impl From<SyncReport> for SyncResult {
    fn from(report: SyncReport) -> Self {
        let SyncReport { message, failed, pending_removals, problem, notes, .. } = report;
        Self { message, failed, pending_removals, problem, notes }
    }
}
