//! Endpoints of the site settings.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;

use super::types::{SaveSiteSettings, SiteSettings, SiteSettingsConflict};
use super::{ConfiguredSettings, rules, store};
use crate::features::activity::{self, Actor, Change};
use crate::features::auth::Admin;
use crate::platform::clock::timestamp;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Json, NoStoreJson};
use crate::platform::state::AppState;

const EDITED_MEANWHILE: &str = "These settings were changed while you were editing them";

/// The site settings, and which keys of the configuration have precedence.
#[utoipa::path(get, path = "/api/site-settings", tag = "site settings", security(("session" = [])),
    responses((status = 200, body = SiteSettings), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_site_settings(_: Admin, State(app): State<AppState>) -> Result<NoStoreJson<SiteSettings>, AppError> {
    let configured = ConfiguredSettings::new(&app.config);
    app.db.read(move |connection| configured.for_portal(connection)).await.map(NoStoreJson::ok)
}

/// Change the site settings. All pages show them at once.
#[utoipa::path(put, path = "/api/site-settings", tag = "site settings", request_body = SaveSiteSettings,
    security(("session" = [])),
    responses((status = 200, body = SiteSettings), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = SiteSettingsConflict), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_site_settings(
    admin: Admin,
    State(app): State<AppState>,
    Json(input): Json<SaveSiteSettings>,
) -> Result<Response, AppError> {
    let configured = ConfiguredSettings::new(&app.config);
    let base_revision = input.revision;
    let new = rules::check(input, configured.defaults()?, |name| configured.is_locked(name))?;
    let (actor, now) = (Actor::from(&admin), timestamp(app.clock.now()));
    let saved = app
        .db
        .write(move |transaction| {
            let before = configured.for_portal(transaction)?;
            if base_revision.is_some_and(|revision| revision != before.revision) {
                return Ok(Err(before));
            }
            let stored = store::find(transaction)?;
            store::put(transaction, &configured.to_store(&new, stored.values), &now)?;
            let after = configured.for_portal(transaction)?;
            activity::record(transaction, &actor, &Change::Changed(&before.values, &after.values))?;
            Ok(Ok(after))
        })
        .await?;
    match saved {
        Ok(settings) => {
            tracing::info!(admin = admin.user.id, "the site settings were changed");
            Ok(NoStoreJson::ok(settings).into_response())
        }
        Err(current) => {
            let conflict = SiteSettingsConflict { error: EDITED_MEANWHILE.to_owned(), current };
            Ok(NoStoreJson(StatusCode::CONFLICT, conflict).into_response())
        }
    }
}
