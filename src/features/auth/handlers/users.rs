//! Endpoints of users.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;

use super::super::extractor::Admin;
use super::super::rules;
use super::super::store::sessions::{self, Lifetime};
use super::super::store::users;
use super::super::types::{RecordedUser, SaveUser, User, UserConflict, UserEditConflict};
use crate::features::activity::{self, Actor, Change};
use crate::features::idempotency::{self, Created, IdempotentJson};
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Id, Json, NoStoreJson};
use crate::platform::state::AppState;

const PATH: &str = "/api/users";

const EDITED_MEANWHILE: &str = "This user was changed while you were editing it";

/// All users.
#[utoipa::path(get, path = PATH, tag = "users", security(("session" = [])),
    responses((status = 200, body = Vec<User>), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_users(_: Admin, State(app): State<AppState>) -> Result<NoStoreJson<Vec<User>>, AppError> {
    app.db.read(users::all).await.map(NoStoreJson::ok)
}

/// Create a user. A repeated request with the same `Idempotency-Key` header gets the same response.
#[utoipa::path(post, path = PATH, tag = "users", request_body = SaveUser, security(("session" = [])),
    responses((status = 201, body = User), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn create_user(
    admin: Admin,
    State(app): State<AppState>,
    IdempotentJson(input, key): IdempotentJson<SaveUser>,
) -> Result<Created<User>, AppError> {
    let new = rules::check_user(input, true)?;
    let hash = app.passwords.hash(new.password.unwrap_or_default()).await?;
    let (actor, admin_id) = (Actor::from(&admin), admin.user.id);
    let created = idempotency::create(&app, key, (admin_id, PATH), move |transaction| {
        let id = users::insert(transaction, &new.email, &hash, &new.role)?;
        let user = users::find(transaction, id)?.ok_or(AppError::NotFound("User"))?;
        activity::record(transaction, &actor, &Change::Created(&RecordedUser::new(&user)))?;
        Ok(user)
    })
    .await?;
    if let Some(user) = &created.new {
        tracing::info!(admin = admin_id, user = user.id, "a user was created");
    }
    Ok(created)
}

/// One user.
#[utoipa::path(get, path = "/api/users/{id}", tag = "users", params(("id" = i64, Path)), security(("session" = [])),
    responses((status = 200, body = User), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_user(_: Admin, State(app): State<AppState>, Id(id): Id) -> Result<NoStoreJson<User>, AppError> {
    let user = app.db.read(move |connection| users::find(connection, id)).await?;
    user.map(NoStoreJson::ok).ok_or(AppError::NotFound("User"))
}

/// Change a user. A new password ends the user's other sessions.
#[utoipa::path(put, path = "/api/users/{id}", tag = "users", params(("id" = i64, Path)), request_body = SaveUser,
    security(("session" = [])),
    responses((status = 200, body = User), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = UserConflict),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_user(
    admin: Admin,
    State(app): State<AppState>,
    Id(id): Id,
    Json(input): Json<SaveUser>,
) -> Result<Response, AppError> {
    let base_revision = input.revision;
    let new = rules::check_user(input, false)?;
    let hash = match new.password {
        Some(password) => Some(app.passwords.hash(password).await?),
        None => None,
    };
    let own_session = admin.token_hash;
    let actor = Actor::from(&admin);
    let (lifetime, now) = (Lifetime::new(&app.config.auth), app.clock.now());
    let saved = app
        .db
        .write(move |transaction| {
            let before = users::find(transaction, id)?.ok_or(AppError::NotFound("User"))?;
            if base_revision.is_some_and(|revision| revision != before.revision) {
                return Ok(Err(before));
            }
            users::update(transaction, id, &new.email, &new.role)?;
            let new_password = hash.is_some();
            if let Some(hash) = hash {
                users::set_password(transaction, id, &hash)?;
                sessions::delete_others_of_user(transaction, id, &own_session, &lifetime, now)?;
            }
            let user = users::find(transaction, id)?.ok_or(AppError::NotFound("User"))?;
            let after = RecordedUser { new_password, ..RecordedUser::new(&user) };
            activity::record(transaction, &actor, &Change::Changed(&RecordedUser::new(&before), &after))?;
            Ok(Ok(user))
        })
        .await?;
    match saved {
        Ok(user) => {
            tracing::info!(admin = admin.user.id, user = id, "a user was changed");
            Ok(NoStoreJson::ok(user).into_response())
        }
        Err(current) => {
            let conflict = UserConflict::Revision(UserEditConflict { error: EDITED_MEANWHILE.to_owned(), current });
            Ok(NoStoreJson(StatusCode::CONFLICT, conflict).into_response())
        }
    }
}

/// Delete a user; the user's sessions end at once. Admins can't delete their own account.
#[utoipa::path(delete, path = "/api/users/{id}", tag = "users", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn delete_user(admin: Admin, State(app): State<AppState>, Id(id): Id) -> Result<StatusCode, AppError> {
    if id == admin.user.id {
        return Err(AppError::Forbidden("You can't delete your own account".to_owned()));
    }
    let actor = Actor::from(&admin);
    app.db
        .write(move |transaction| {
            let user = users::find(transaction, id)?.ok_or(AppError::NotFound("User"))?;
            users::delete(transaction, id)?;
            activity::record(transaction, &actor, &Change::Deleted(&RecordedUser::new(&user)))
        })
        .await?;
    tracing::info!(admin = admin.user.id, user = id, "a user was deleted");
    Ok(StatusCode::NO_CONTENT)
}
