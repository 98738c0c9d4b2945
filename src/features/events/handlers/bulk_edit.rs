//! Endpoints of bulk edits: they change several events, create an event on several dates, and undo both.

use axum::extract::State;

use crate::features::activity::Actor;
use crate::features::auth::Admin;
use crate::features::events::types::{
    AppliedBulkEdit, BulkEdit, BulkEditPreview, RecentBulkEdit, RepeatDates, RepeatEvent, RepeatRule, RepeatedEvents,
    UndoneBulkEdit,
};
use crate::features::events::{bulk_edit, rules, store};
use crate::features::idempotency::{self, Created, IdempotentJson};
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Id, Json, NoBody, NoStoreJson};
use crate::platform::state::AppState;

const BULK_EDITS: &str = "/api/events/bulk-edits";
const REPEATS: &str = "/api/events/repeats";

/// What a bulk edit would do to each event. Nothing is saved.
#[utoipa::path(post, path = "/api/events/bulk-edits/preview", tag = "events", request_body = BulkEdit,
    security(("session" = [])),
    responses((status = 200, body = BulkEditPreview), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn preview_bulk_edit(
    _: Admin,
    State(app): State<AppState>,
    Json(input): Json<BulkEdit>,
) -> Result<NoStoreJson<BulkEditPreview>, AppError> {
    let (now, site_url) = (app.clock.now(), app.base_url.clone());
    app.db
        .read(move |connection| {
            let planned = bulk_edit::plan(connection, input, &site_url, now)?.events;
            Ok(BulkEditPreview { events: planned.into_iter().map(|one| one.planned).collect() })
        })
        .await
        .map(NoStoreJson::ok)
}

/// Change several events, all or none. The bulk edit can be undone as a whole for 24 hours. A repeated request with the
/// same `Idempotency-Key` header gets the same response.
#[utoipa::path(post, path = BULK_EDITS, tag = "events", request_body = BulkEdit, security(("session" = [])),
    responses((status = 201, body = AppliedBulkEdit), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn create_bulk_edit(
    admin: Admin,
    State(app): State<AppState>,
    IdempotentJson(input, key): IdempotentJson<BulkEdit>,
) -> Result<Created<AppliedBulkEdit>, AppError> {
    let (actor, admin_id, email) = (Actor::from(&admin), admin.user.id, admin.user.email.clone());
    let (now, site_url) = (app.clock.now(), app.base_url.clone());
    let created = idempotency::create(&app, key, (admin_id, BULK_EDITS), move |transaction| {
        let plan = bulk_edit::plan(transaction, input, &site_url, now)?;
        bulk_edit::apply(transaction, &plan, &actor, &email, now)
    })
    .await?;
    if let Some(saved) = &created.new {
        tracing::info!(admin = admin_id, bulk_edit = saved.id, events = saved.count, "a bulk edit was saved");
    }
    Ok(created)
}

/// The bulk edits of the last 24 hours that can be undone, newest first, at most 10.
#[utoipa::path(get, path = BULK_EDITS, tag = "events", security(("session" = [])),
    responses((status = 200, body = Vec<RecentBulkEdit>), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn list_bulk_edits(
    _: Admin,
    State(app): State<AppState>,
) -> Result<NoStoreJson<Vec<RecentBulkEdit>>, AppError> {
    let now = app.clock.now();
    app.db.read(move |connection| store::bulk_edit::recent(connection, now)).await.map(NoStoreJson::ok)
}

/// Undo a bulk edit, all or none. It is rejected after 24 hours, and if one of the events was changed
/// since.
#[utoipa::path(post, path = "/api/events/bulk-edits/{id}/undo", tag = "events", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = UndoneBulkEdit), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn undo_bulk_edit(
    admin: Admin,
    State(app): State<AppState>,
    Id(id): Id,
    _: NoBody,
) -> Result<NoStoreJson<UndoneBulkEdit>, AppError> {
    let (actor, now) = (Actor::from(&admin), app.clock.now());
    let undone = app.db.write(move |transaction| bulk_edit::undo(transaction, id, &actor, now)).await?;
    tracing::info!(admin = admin.user.id, bulk_edit = id, "a bulk edit was undone");
    Ok(NoStoreJson::ok(undone))
}

/// The dates of a rule by which an event repeats. Nothing is saved.
#[utoipa::path(post, path = "/api/events/repeats/dates", tag = "events", request_body = RepeatRule,
    security(("session" = [])),
    responses((status = 200, body = RepeatDates), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody)))]
pub async fn preview_repeats(_: Admin, Json(rule): Json<RepeatRule>) -> Result<NoStoreJson<RepeatDates>, AppError> {
    rules::dates_of(rule).map(NoStoreJson::ok)
}

/// Create an event on several dates, all or none. It can be undone as a whole for 24 hours. A repeated request with the
/// same `Idempotency-Key` header gets the same response.
#[utoipa::path(post, path = REPEATS, tag = "events", request_body = RepeatEvent, security(("session" = [])),
    responses((status = 201, body = RepeatedEvents), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn create_repeats(
    admin: Admin,
    State(app): State<AppState>,
    IdempotentJson(input, key): IdempotentJson<RepeatEvent>,
) -> Result<Created<RepeatedEvents>, AppError> {
    let new = rules::check_repeated(input)?;
    let (actor, admin_id, email) = (Actor::from(&admin), admin.user.id, admin.user.email.clone());
    let now = app.clock.now();
    let created = idempotency::create(&app, key, (admin_id, REPEATS), move |transaction| {
        bulk_edit::create(transaction, &new, &actor, &email, now)
    })
    .await?;
    if let Some(repeated) = &created.new {
        let events = repeated.events.len();
        tracing::info!(admin = admin_id, bulk_edit = repeated.id, events, "events were created");
    }
    Ok(created)
}
