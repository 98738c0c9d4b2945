//! Endpoints for page content.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode};

use super::types::{PageContent, PageContentConflict, SavePageContent};
use super::{HOME, rules, store};
use crate::features::activity::{self, Actor, Change};
use crate::features::auth::Admin;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Json, NoStoreJson};
use crate::platform::state::AppState;

/// The path of the home page's content.
pub(super) const PATH: &str = "/api/page-content/home";

const EDITED_MEANWHILE: &str = "This page was changed while you were editing it";

/// The hero's title and subtitle.
#[utoipa::path(get, path = PATH, tag = "page content",
    responses((status = 200, body = PageContent), (status = 304, description = "The client has the current response"),
        (status = 503, body = ErrorBody)))]
pub async fn get_page_content(State(app): State<AppState>, headers: HeaderMap) -> Result<Response, AppError> {
    app.responses.respond(PATH, &headers).await
}

/// Change the hero's title and subtitle.
#[utoipa::path(put, path = PATH, tag = "page content", request_body = SavePageContent, security(("session" = [])),
    responses((status = 200, body = PageContent), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = PageContentConflict), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_page_content(
    admin: Admin,
    State(app): State<AppState>,
    Json(input): Json<SavePageContent>,
) -> Result<Response, AppError> {
    let base_revision = input.revision;
    let new = rules::check(input)?;
    let actor = Actor::from(&admin);
    let saved = app
        .db
        .write(move |transaction| {
            let before = store::find(transaction, HOME)?.unwrap_or_else(|| PageContent::fallback(HOME));
            if base_revision.is_some_and(|revision| revision != before.revision) {
                return Ok(Err(before));
            }
            store::put(transaction, HOME, &new)?;
            let content = store::find(transaction, HOME)?.ok_or(AppError::NotFound("Page content"))?;
            activity::record(transaction, &actor, &Change::Changed(&before, &content))?;
            Ok(Ok(content))
        })
        .await?;
    match saved {
        Ok(content) => {
            tracing::info!(admin = admin.user.id, "the page content was changed");
            Ok(NoStoreJson::ok(content).into_response())
        }
        Err(current) => {
            let conflict = PageContentConflict { error: EDITED_MEANWHILE.to_owned(), current };
            Ok(NoStoreJson(StatusCode::CONFLICT, conflict).into_response())
        }
    }
}
