//! Endpoints for events, and the deletion of speakers, which must not leave an event without one.

pub(super) mod bulk_edit;
pub(super) mod portal;
pub(super) mod search;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::{HeaderMap, StatusCode, Uri};
use rusqlite::Connection;
use serde::Deserialize;
use utoipa::IntoParams;

use super::description::DescriptionFormat;
use super::rules::{self, day};
use super::status::EventStatus;
use super::store::{self, Filter};
use super::types::{
    DeletedEvent, DescriptionInput, Event, EventEditConflict, PreviewLink, RenderedDescription, SaveEvent,
    SpeakerDeletionConflict, UpdateConflict,
};
use crate::features::activity::{self, ActivityAction, ActivityEntry, Actor, Change, Subject as _};
use crate::features::auth::Admin;
use crate::features::idempotency::{self, Created, IdempotentJson};
use crate::features::speakers;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Id, Json, NoBody, NoStoreJson, Query};
use crate::platform::messages::{DATE_INVALID, DESCRIPTION_TOO_LONG, EVENT_TYPES, TYPE_INVALID, limits};
use crate::platform::response_cache::Representation;
use crate::platform::state::AppState;
use crate::platform::validate::{FieldErrors, trimmed};

pub(super) const PATH: &str = "/api/events";

/// The maximum number of entries of an event's activity in a response.
const ACTIVITY_LIMIT: u32 = 100;
const EDITED_MEANWHILE: &str = "This event was changed while you were editing it";

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// First day, yyyy-MM-dd.
    from: Option<String>,
    /// Last day, inclusive, yyyy-MM-dd.
    to: Option<String>,
    r#type: Option<String>,
    /// The last part of the path of a series, such as `tax-tuesdays`.
    series: Option<String>,
    /// The event with this id.
    id: Option<i64>,
    /// At most this number of events, the first by their start.
    limit: Option<u32>,
    /// At most this number of events, the last by their start.
    last: Option<u32>,
}

impl ListQuery {
    fn check(self) -> Result<Filter, AppError> {
        let mut errors = FieldErrors::default();
        let (from, to, kind) = (trimmed(self.from), trimmed(self.to), trimmed(self.r#type));
        for (field, value) in [("from", &from), ("to", &to)] {
            if value.as_deref().is_some_and(|text| day(text).is_none()) {
                errors.add(field, DATE_INVALID);
            }
        }
        if kind.as_deref().is_some_and(|kind| !EVENT_TYPES.contains(&kind)) {
            errors.add("type", TYPE_INVALID);
        }
        errors.into_result()?;
        Ok(Filter { from, to, kind, series: trimmed(self.series), id: self.id, limit: self.limit, last: self.last })
    }
}

/// All events by the instant of their start, with location and speakers. There can be thousands: name what you need.
#[utoipa::path(get, path = PATH, tag = "events", params(ListQuery),
    responses((status = 200, body = Vec<Event>), (status = 304, description = "The client has the current response"),
        (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_events(
    State(app): State<AppState>,
    Query(query): Query<ListQuery>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let filter = query.check()?;
    app.responses.respond(&format!("{PATH}{}", canonical_query(&filter)), &headers).await
}

/// The query string of the public list in canonical order, with its question mark; empty for all events.
fn canonical_query(filter: &Filter) -> String {
    let Filter { from, to, kind, series, id, limit, last } = filter;
    let id = id.map(|id| id.to_string());
    let [limit, last] = [limit, last].map(|count| count.map(|count| count.to_string()));
    let parameters = [
        ("from", from.as_deref()),
        ("to", to.as_deref()),
        ("type", kind.as_deref()),
        ("series", series.as_deref()),
        ("id", id.as_deref()),
        ("limit", limit.as_deref()),
        ("last", last.as_deref()),
    ];
    let parameters = parameters.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    if query.is_empty() { query } else { format!("?{query}") }
}

/// The list with a canonical query string.
pub(super) fn build_list(connection: &Connection, now: DateTime<Utc>, query: &str) -> Result<Representation, AppError> {
    let uri: Uri = format!("{PATH}{query}").parse().map_err(AppError::internal)?;
    let axum::extract::Query(query) =
        axum::extract::Query::<ListQuery>::try_from_uri(&uri).map_err(AppError::internal)?;
    let list = Representation::json(&store::all_public(connection, now, &query.check()?)?)?;
    let fresh_until = store::next_publication(connection, now)?;
    Ok(Representation { fresh_until, ..list }.shared(rules::LIST_CACHE_KEYS))
}

/// Create an event with its location and speakers. A repeated request with the same `Idempotency-Key` header gets the same response.
#[utoipa::path(post, path = PATH, tag = "events", request_body = SaveEvent, security(("session" = [])),
    responses((status = 201, body = Event), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn create_event(
    admin: Admin,
    State(app): State<AppState>,
    IdempotentJson(input, key): IdempotentJson<SaveEvent>,
) -> Result<Created<Event>, AppError> {
    let new = rules::check(input)?;
    let (actor, admin_id, now) = (Actor::from(&admin), admin.user.id, app.clock.now());
    let created = idempotency::create(&app, key, (admin_id, PATH), move |transaction| {
        let id = store::insert(transaction, &new)?;
        let event = store::find(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
        activity::record(transaction, &actor, &Change::Created(&event))?;
        Ok(event)
    })
    .await?;
    if let Some(event) = &created.new {
        tracing::info!(admin = admin_id, event = event.id, "an event was created");
    }
    Ok(created)
}

/// Change an event with its location and speakers.
#[utoipa::path(put, path = "/api/events/{id}", tag = "events", params(("id" = i64, Path)), request_body = SaveEvent,
    security(("session" = [])),
    responses((status = 200, body = Event), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = UpdateConflict),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_event(
    admin: Admin,
    State(app): State<AppState>,
    Id(id): Id,
    Json(input): Json<SaveEvent>,
) -> Result<Response, AppError> {
    let base_revision = input.revision;
    let stored = app.db.read(move |connection| store::find_for_validation(connection, id)).await?;
    let new = rules::check_update(input, stored.as_ref())?;
    let (actor, now) = (Actor::from(&admin), app.clock.now());
    let saved = app
        .db
        .write(move |transaction| {
            let before = store::find(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
            // A draft that was published after the validation must lack nothing.
            let is_validated = stored.is_none_or(|stored| stored.status != EventStatus::Draft)
                || before.status == EventStatus::Draft
                || new.status.is_some();
            if base_revision.is_some_and(|revision| revision != before.revision) || !is_validated {
                return Ok(Err(before));
            }
            store::update(transaction, id, &new, now)?;
            let event = store::find(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
            activity::record(transaction, &actor, &Change::Changed(&before, &event))?;
            Ok(Ok(event))
        })
        .await?;
    match saved {
        Ok(event) => {
            tracing::info!(admin = admin.user.id, event = id, "an event was changed");
            Ok(NoStoreJson::ok(event).into_response())
        }
        Err(current) => {
            let conflict = EventEditConflict { error: EDITED_MEANWHILE.to_owned(), current };
            Ok(NoStoreJson(StatusCode::CONFLICT, conflict).into_response())
        }
    }
}

/// Delete an event. It can be restored for 30 days.
#[utoipa::path(delete, path = "/api/events/{id}", tag = "events", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn delete_event(admin: Admin, State(app): State<AppState>, Id(id): Id) -> Result<StatusCode, AppError> {
    let (actor, now) = (Actor::from(&admin), app.clock.now());
    app.db
        .write(move |transaction| {
            let event = store::delete(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
            activity::record(transaction, &actor, &Change::Deleted(&event))
        })
        .await?;
    tracing::info!(admin = admin.user.id, event = id, "an event was deleted");
    Ok(StatusCode::NO_CONTENT)
}

/// Restore an event that was deleted in the last 30 days, with its location, its interests and its speakers who still
/// exist.
#[utoipa::path(post, path = "/api/events/{id}/restore", tag = "events", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = Event), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn restore_event(
    admin: Admin,
    State(app): State<AppState>,
    Id(id): Id,
    _: NoBody,
) -> Result<NoStoreJson<Event>, AppError> {
    let (actor, now) = (Actor::from(&admin), app.clock.now());
    let event = app
        .db
        .write(move |transaction| {
            let event = store::restore(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
            activity::record(transaction, &actor, &Change::Restored(&event))?;
            Ok(event)
        })
        .await?;
    tracing::info!(admin = admin.user.id, event = id, "a deleted event was restored");
    Ok(NoStoreJson::ok(event))
}

/// The events that visitors do not see: drafts, scheduled and hidden events, by the instant of their start.
#[utoipa::path(get, path = "/api/events/unpublished", tag = "events", security(("session" = [])),
    responses((status = 200, body = Vec<Event>), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_unpublished_events(
    _: Admin,
    State(app): State<AppState>,
) -> Result<NoStoreJson<Vec<Event>>, AppError> {
    let now = app.clock.now();
    app.db.read(move |connection| store::all_unpublished(connection, now)).await.map(NoStoreJson::ok)
}

/// The secret link to the page of an event as it will be, for people without an account. It is created with the first
/// request. When the event is public, the link leads to its page.
#[utoipa::path(post, path = "/api/events/{id}/preview-link", tag = "events", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = PreviewLink), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn create_preview_link(
    _: Admin,
    State(app): State<AppState>,
    Id(id): Id,
    _: NoBody,
) -> Result<NoStoreJson<PreviewLink>, AppError> {
    let now = app.clock.now();
    let link = app
        .db
        .write(move |transaction| {
            let token = store::preview_token(transaction, id)?.ok_or(AppError::NotFound("Event"))?;
            let event = store::find(transaction, id, now)?.ok_or(AppError::NotFound("Event"))?;
            Ok(PreviewLink { path: format!("{}?{}={token}", event.path, rules::PREVIEW_PARAMETER) })
        })
        .await?;
    Ok(NoStoreJson::ok(link))
}

/// Make the preview link of an event invalid. The next request for it creates another.
#[utoipa::path(delete, path = "/api/events/{id}/preview-link", tag = "events", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn delete_preview_link(_: Admin, State(app): State<AppState>, Id(id): Id) -> Result<StatusCode, AppError> {
    let is_deleted = app.db.write(move |transaction| store::delete_preview_token(transaction, id)).await?;
    if is_deleted { Ok(StatusCode::NO_CONTENT) } else { Err(AppError::NotFound("Event")) }
}

/// Format a description with Markdown, for the preview of a form. Nothing is stored.
#[utoipa::path(post, path = "/api/events/description", tag = "events", request_body = DescriptionInput,
    security(("session" = [])),
    responses((status = 200, body = RenderedDescription), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody)))]
pub async fn render_description(
    _: Admin,
    Json(input): Json<DescriptionInput>,
) -> Result<NoStoreJson<RenderedDescription>, AppError> {
    let mut errors = FieldErrors::default();
    let text = errors.optional("description", input.description, limits::DESCRIPTION, DESCRIPTION_TOO_LONG);
    errors.into_result()?;
    let html = DescriptionFormat::Markdown.html(&text.unwrap_or_default()).unwrap_or_default();
    Ok(NoStoreJson::ok(RenderedDescription { html }))
}

/// The events that were deleted in the last 30 days, the latest deletion first.
#[utoipa::path(get, path = "/api/events/deleted", tag = "events", security(("session" = [])),
    responses((status = 200, body = Vec<DeletedEvent>), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn list_deleted_events(
    _: Admin,
    State(app): State<AppState>,
) -> Result<NoStoreJson<Vec<DeletedEvent>>, AppError> {
    let now = app.clock.now();
    app.db
        .read(move |connection| {
            let mut deleted = store::all_deleted(connection, now)?;
            for entry in &mut deleted {
                entry.deleted_by =
                    activity::last_actor(connection, Event::KIND, entry.event.id, ActivityAction::Deleted)?;
            }
            Ok(deleted)
        })
        .await
        .map(NoStoreJson::ok)
}

/// The activity of an event, newest first, at most 100 entries. A deleted event still has its activity.
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
            let filter = activity::Filter { event: Some(id), ..activity::Filter::default() };
            let entries = activity::latest(connection, &filter, ACTIVITY_LIMIT)?;
            if entries.is_empty() && !store::has_row(connection, id)? {
                return Err(AppError::NotFound("Event"));
            }
            Ok(entries.into_iter().map(|logged| logged.entry).collect())
        })
        .await
        .map(NoStoreJson::ok)
}

/// Delete a speaker who is not the only one of any event.
#[utoipa::path(delete, path = "/api/speakers/{id}", tag = "speakers", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = SpeakerDeletionConflict),
        (status = 503, body = ErrorBody)))]
pub async fn delete_speaker(admin: Admin, State(app): State<AppState>, Id(id): Id) -> Result<Response, AppError> {
    let actor = Actor::from(&admin);
    let conflict = app
        .db
        .write(move |transaction| {
            let speaker = speakers::find(transaction, id)?.ok_or(AppError::NotFound("Speaker"))?;
            let conflict = rules::speaker_conflict(store::with_only_speaker(transaction, id)?);
            if conflict.is_none() {
                speakers::delete(transaction, id)?;
                store::index_pending(transaction)?;
                activity::record(transaction, &actor, &Change::Deleted(&speaker))?;
            }
            Ok(conflict)
        })
        .await?;
    if let Some(conflict) = conflict {
        return Ok(NoStoreJson(StatusCode::CONFLICT, conflict).into_response());
    }
    tracing::info!(admin = admin.user.id, speaker = id, "a speaker was deleted");
    Ok(StatusCode::NO_CONTENT.into_response())
}
