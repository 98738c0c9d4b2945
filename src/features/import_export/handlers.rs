//! Endpoints for the import and export of events.

use axum::extract::{FromRequest as _, Request, State};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use http::HeaderMap;
use http::header::CONTENT_LENGTH;

use super::file::{self, MAX_BYTES};
use super::mapping::{self, Source};
use super::types::{ExportRequest, ImportPreview, ImportRequest, ImportResult, UndoImport, UndoneImport};
use super::{apply, export};
use crate::features::activity::Actor;
use crate::features::auth::Admin;
use crate::features::events::{self, Event};
use crate::features::idempotency::{self, Created, IdempotentJson};
use crate::features::site_settings::{ConfiguredSettings, SiteIdentityReader};
use crate::platform::blocking::{Admission, BlockingQueue};
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Json, NoStoreJson};
use crate::platform::state::AppState;

const IMPORT: &str = "/api/events/import";
/// The largest body: a file in base64, and the options.
const MAX_BODY: usize = MAX_BYTES.div_ceil(3) * 4 + 512 * 1024;
const NOT_BASE64: &str = "The file must be sent as base64";
const HAS_ERRORS: &str =
    "Some rows have errors, so nothing was imported. Correct the file, or choose to leave out these rows.";
const CHANGED: &str =
    "The events or speakers have changed since the preview, so nothing was imported. Look at the preview again.";

/// The queue of imports, whose files are held in memory while they wait.
pub fn import_queue() -> BlockingQueue {
    BlockingQueue::with_byte_limit(1, 7, 4 * MAX_BODY)
}

/// Preview the import of a file: what it would create and update, and the errors by line and column. Nothing is stored.
#[utoipa::path(post, path = "/api/events/import/preview", tag = "events", request_body = ImportRequest,
    security(("session" = [])),
    responses((status = 200, body = ImportPreview), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn preview_import(
    _: Admin,
    State(app): State<AppState>,
    request: Request,
) -> Result<NoStoreJson<ImportPreview>, AppError> {
    let admission = admit(&app, request.headers())?;
    let Json(request) = Json::<ImportRequest, MAX_BODY>::from_request(request, &app).await?;
    let (now, site) = (app.clock.now(), SiteIdentityReader::new(ConfiguredSettings::new(&app.config), &app.base_url));
    let (source, request) = read_file(admission, request, now).await?;
    let preview = app
        .db
        .read(move |connection| {
            Ok(apply::plan(connection, &site.read(connection)?, &source, &request.options, now)?.preview)
        })
        .await?;
    Ok(NoStoreJson::ok(preview))
}

/// Import a file in one transaction. A repeated request with the same `Idempotency-Key` header gets the same response.
#[utoipa::path(post, path = IMPORT, tag = "events", request_body = ImportRequest, security(("session" = [])),
    responses((status = 201, body = ImportResult), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn import_events(
    admin: Admin,
    State(app): State<AppState>,
    request: Request,
) -> Result<Created<ImportResult>, AppError> {
    let admission = admit(&app, request.headers())?;
    let IdempotentJson(request, key) = IdempotentJson::<ImportRequest, MAX_BODY>::from_request(request, &app).await?;
    let (now, site) = (app.clock.now(), SiteIdentityReader::new(ConfiguredSettings::new(&app.config), &app.base_url));
    let (source, request) = read_file(admission, request, now).await?;
    let (actor, admin_id, email) = (Actor::from(&admin), admin.user.id, admin.user.email.clone());
    let created = idempotency::create(&app, key, (admin_id, IMPORT), move |transaction| {
        let plan = apply::plan(transaction, &site.read(transaction)?, &source, &request.options, now)?;
        if request.plan.is_some_and(|expected| expected != plan.preview.plan) {
            return Err(AppError::Conflict { message: CHANGED.to_owned(), field: None });
        }
        if plan.preview.counts.error > 0 && !request.options.leave_out_errors {
            return Err(AppError::Malformed(HAS_ERRORS.to_owned()));
        }
        apply::apply(transaction, (&actor, &email), plan, now)
    })
    .await?;
    if let Some(result) = &created.new {
        let (created, updated) = (result.created.len(), result.updated.len());
        tracing::info!(admin = admin_id, created, updated, "events were imported from a file");
    }
    Ok(created)
}

/// Undo an import, all or nothing: revert its updates, delete the events that it created, and the speakers whom it created
/// unless they have other events. It is rejected if an updated event was changed since, and after 24 hours.
#[utoipa::path(post, path = "/api/events/import/undo", tag = "events", request_body = UndoImport,
    security(("session" = [])),
    responses((status = 200, body = UndoneImport), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn undo_import(
    admin: Admin,
    State(app): State<AppState>,
    Json(undo): Json<UndoImport>,
) -> Result<NoStoreJson<UndoneImport>, AppError> {
    let (actor, now) = (Actor::from(&admin), app.clock.now());
    let undone = app.db.write(move |transaction| apply::undo(transaction, undo, &actor, now)).await?;
    tracing::info!(admin = admin.user.id, events = undone.events, "an import was undone");
    Ok(NoStoreJson::ok(undone))
}

/// Export events with all fields: as CSV, which an import reads back without a change, as iCalendar, or as JSON. Events of
/// every status can be exported; a calendar has those with a start.
#[utoipa::path(post, path = "/api/events/export", tag = "events", request_body = ExportRequest,
    security(("session" = [])),
    responses((status = 200, content((Vec<Event> = "application/json"), (String = "text/csv"), (String = "text/calendar"))),
        (status = 400, body = ErrorBody), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn export_events(
    _: Admin,
    State(app): State<AppState>,
    Json(request): Json<ExportRequest>,
) -> Result<Response, AppError> {
    let (now, site) = (app.clock.now(), SiteIdentityReader::new(ConfiguredSettings::new(&app.config), &app.base_url));
    let file = app
        .db
        .read(move |connection| {
            let events = events::find_many(connection, &request.ids, now)?;
            export::file(request.format, &site.read(connection)?, connection, &events, now)
        })
        .await?;
    Ok(app.responses.respond_uncached(file, &HeaderMap::new()).await?.into_response())
}

/// Reserves memory for a file before it is read.
fn admit(app: &AppState, headers: &HeaderMap) -> Result<Admission, AppError> {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()).and_then(|text| text.parse().ok());
    app.imports.admit(length.unwrap_or(MAX_BODY).min(MAX_BODY))
}

/// Reads the rows of a file on the blocking pool.
async fn read_file(
    admission: Admission,
    mut request: ImportRequest,
    now: DateTime<Utc>,
) -> Result<(Source, ImportRequest), AppError> {
    admission
        .run(move || {
            let encoded = std::mem::take(&mut request.file);
            let bytes = STANDARD.decode(encoded).map_err(|_| AppError::Malformed(NOT_BASE64.to_owned()))?;
            let text = file::decode(&bytes)?;
            drop(bytes);
            Ok((mapping::read(&text, &request.options, now)?, request))
        })
        .await?
}
