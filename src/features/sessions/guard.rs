//! The extractor that lets only admins through (spec §6).

use axum::extract::FromRequestParts;
use axum_extra::extract::CookieJar;
use chrono::TimeDelta;
use http::request::Parts;

use super::{rules, store};
use crate::features::activity::Actor;
use crate::features::users::User;
use crate::platform::error::AppError;
use crate::platform::state::AppState;

/// The session cookie where visitors come by http.
pub const COOKIE: &str = "lectern_session";
/// The session cookie where visitors come by https; browsers bind this name to the host.
pub const SECURE_COOKIE: &str = "__Host-lectern_session";
/// How often the time of the last request is written, in minutes.
const TOUCH_MINUTES: i64 = 5;

/// A signed-in admin. As an extractor it answers 401 for everybody else.
#[derive(Clone, Debug)]
pub struct Admin {
    /// Who it is.
    pub user: User,
    /// The hash of this session's secret.
    pub token_hash: [u8; 32],
}

impl From<&Admin> for Actor {
    fn from(admin: &Admin) -> Self {
        Self::admin(admin.user.id, &admin.user.email)
    }
}

/// The name of the session cookie on this site.
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
            .read(move |connection| store::find(connection, &token_hash))
            .await?
            .ok_or(AppError::NotAuthenticated)?;

        let now = app.clock.now();
        let idle = TimeDelta::hours(i64::from(app.config.auth.session_idle_hours));
        let oldest = TimeDelta::days(i64::from(app.config.auth.session_max_days));
        // A clock that was set back must not bring an ended session to life, so both ways count.
        if (now - session.last_seen_at).abs() > idle || (now - session.created_at).abs() > oldest {
            app.db.write(move |transaction| store::delete(transaction, &token_hash)).await?;
            return Err(AppError::NotAuthenticated);
        }
        if now - session.last_seen_at >= TimeDelta::minutes(TOUCH_MINUTES) {
            // Not being able to write it down is no reason to send an admin away.
            let _ = app.db.write(move |transaction| store::touch(transaction, &token_hash, now)).await;
        }
        Ok(Self { user: session.user, token_hash })
    }
}
