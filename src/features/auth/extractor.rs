//! The session check: the extractor [`Admin`] authenticates requests by their session cookie (spec §6).

use axum::extract::FromRequestParts;
use axum_extra::extract::CookieJar;
use chrono::TimeDelta;
use http::request::Parts;

use super::rules;
use super::store::sessions::{self, Lifetime};
use super::types::User;
use crate::features::activity::Actor;
use crate::platform::error::AppError;
use crate::platform::state::AppState;

/// The session cookie on http.
pub const COOKIE: &str = "lectern_session";
/// The session cookie on https; browsers bind a name with this prefix to the host.
pub const SECURE_COOKIE: &str = "__Host-lectern_session";
/// The time of the last request is written at most this often.
const TOUCH_MINUTES: i64 = 5;

/// A signed-in admin. The extractor rejects requests without a session with 401.
#[derive(Clone, Debug)]
pub struct Admin {
    pub user: User,
    /// The hash of this session's token.
    pub token_hash: [u8; 32],
}

pub(super) fn cookie_name(app: &AppState) -> &'static str {
    if app.https { SECURE_COOKIE } else { COOKIE }
}

impl FromRequestParts<AppState> for Admin {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let token_hash = CookieJar::from_headers(&parts.headers)
            .get(cookie_name(app))
            .and_then(|cookie| rules::token_hash(cookie.value()))
            .ok_or(AppError::NotAuthenticated)?;
        let session = app
            .db
            .read(move |connection| sessions::find(connection, &token_hash))
            .await?
            .ok_or(AppError::NotAuthenticated)?;

        let now = app.clock.now();
        if Lifetime::new(&app.config.auth).has_expired(session.created_at, session.last_seen_at, now) {
            app.db.write(move |transaction| sessions::delete(transaction, &token_hash)).await?;
            return Err(AppError::NotAuthenticated);
        }
        if now - session.last_seen_at >= TimeDelta::minutes(TOUCH_MINUTES) {
            // The request is accepted even if the write fails.
            let _ = app.db.write(move |transaction| sessions::touch(transaction, &token_hash, now)).await;
        }
        Ok(Self { user: session.user, token_hash })
    }
}

impl From<&Admin> for Actor {
    fn from(admin: &Admin) -> Self {
        Self::admin(admin.user.id, &admin.user.email)
    }
}
