//! Endpoints for speakers.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode};

use super::types::{SaveSpeaker, Speaker, SpeakerEditConflict};
use super::{rules, store};
use crate::features::activity::{self, Actor, Change};
use crate::features::auth::Admin;
use crate::features::idempotency::{self, Created, IdempotentJson};
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Id, Json, NoStoreJson};
use crate::platform::state::AppState;

pub(super) const PATH: &str = "/api/speakers";

const EDITED_MEANWHILE: &str = "This speaker was changed while you were editing it";

/// All speakers, by name.
#[utoipa::path(get, path = PATH, tag = "speakers",
    responses((status = 200, body = Vec<Speaker>), (status = 304, description = "The client has the current response"),
        (status = 503, body = ErrorBody)))]
pub async fn list_speakers(State(app): State<AppState>, headers: HeaderMap) -> Result<Response, AppError> {
    app.responses.respond(PATH, &headers).await
}

/// Create a speaker. A repeated request with the same `Idempotency-Key` header gets the same response.
#[utoipa::path(post, path = PATH, tag = "speakers", request_body = SaveSpeaker, security(("session" = [])),
    responses((status = 201, body = Speaker), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn create_speaker(
    admin: Admin,
    State(app): State<AppState>,
    IdempotentJson(input, key): IdempotentJson<SaveSpeaker>,
) -> Result<Created<Speaker>, AppError> {
    let new = rules::check(input)?;
    let (actor, admin_id) = (Actor::from(&admin), admin.user.id);
    let created = idempotency::create(&app, key, (admin_id, PATH), move |transaction| {
        let id = store::insert(transaction, &new)?;
        let speaker = store::find(transaction, id)?.ok_or(AppError::NotFound("Speaker"))?;
        activity::record(transaction, &actor, &Change::Created(&speaker))?;
        Ok(speaker)
    })
    .await?;
    if let Some(speaker) = &created.new {
        tracing::info!(admin = admin_id, speaker = speaker.id, "a speaker was created");
    }
    Ok(created)
}

/// Change a speaker.
#[utoipa::path(put, path = "/api/speakers/{id}", tag = "speakers", params(("id" = i64, Path)),
    request_body = SaveSpeaker, security(("session" = [])),
    responses((status = 200, body = Speaker), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = SpeakerEditConflict),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_speaker(
    admin: Admin,
    State(app): State<AppState>,
    Id(id): Id,
    Json(input): Json<SaveSpeaker>,
) -> Result<Response, AppError> {
    let base_revision = input.revision;
    let new = rules::check(input)?;
    let actor = Actor::from(&admin);
    let saved = app
        .db
        .write(move |transaction| {
            let before = store::find(transaction, id)?.ok_or(AppError::NotFound("Speaker"))?;
            if base_revision.is_some_and(|revision| revision != before.revision) {
                return Ok(Err(before));
            }
            store::update(transaction, id, &new)?;
            let speaker = store::find(transaction, id)?.ok_or(AppError::NotFound("Speaker"))?;
            activity::record(transaction, &actor, &Change::Changed(&before, &speaker))?;
            Ok(Ok(speaker))
        })
        .await?;
    match saved {
        Ok(speaker) => {
            tracing::info!(admin = admin.user.id, speaker = id, "a speaker was changed");
            Ok(NoStoreJson::ok(speaker).into_response())
        }
        Err(current) => {
            let conflict = SpeakerEditConflict { error: EDITED_MEANWHILE.to_owned(), current };
            Ok(NoStoreJson(StatusCode::CONFLICT, conflict).into_response())
        }
    }
}
