//! Endpoints of sign-in, sign-out and the current user.

use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use http::HeaderName;
use http::header::SET_COOKIE;

use super::super::extractor::{Admin, cookie_name};
use super::super::rules;
use super::super::store::sessions::{self, Lifetime};
use super::super::store::users;
use super::super::types::{ChangePassword, EndedSessions, RecordedUser, SignIn, SignedOut, User};
use crate::features::activity::{self, Actor, Change};
use crate::platform::client_address::ClientAddress;
use crate::platform::db::Transaction;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Json, MAX_SMALL_BODY, NoBody, NoStoreJson};
use crate::platform::state::AppState;

/// The message for a wrong current password. It is a 400, because a 401 means that there is no session.
const WRONG_PASSWORD: &str = "The current password is wrong";

/// The signed-in user.
#[utoipa::path(get, path = "/api/user", tag = "sessions", security(("session" = [])),
    responses((status = 200, body = User), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_current_user(
    State(app): State<AppState>,
    admin: Result<Admin, AppError>,
    jar: CookieJar,
) -> Result<Response, AppError> {
    match admin {
        Ok(admin) => Ok(NoStoreJson::ok(admin.user).into_response()),
        // The session has expired, so the cookie that indicates one is removed.
        Err(error @ AppError::NotAuthenticated) if jar.get(SIGNED_IN).is_some() => {
            Ok((set_cookies([signed_in_cookie(&app, time::Duration::ZERO)]), error).into_response())
        }
        Err(error) => Err(error),
    }
}

/// Sign in. The response sets the session cookie.
#[utoipa::path(post, path = "/api/auth/login", tag = "sessions", request_body = SignIn,
    responses((status = 200, body = User), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn sign_in(
    State(app): State<AppState>,
    address: ClientAddress,
    jar: CookieJar,
    Json(input): Json<SignIn, MAX_SMALL_BODY>,
) -> Result<Response, AppError> {
    let (email, password) = rules::check_sign_in(input)?;
    let account = email.to_lowercase();
    begin_attempt(&app, &account, address)?;

    let found = app.db.read(move |connection| users::find_by_email(connection, &email)).await?;
    let stored = found.as_ref().map(|(_, hash)| hash.clone());
    let is_match = app.passwords.verify(password, stored).await?;
    let found = found.filter(|_| is_match);
    end_attempt(&app, &account, address, found.is_some());
    let (user, hash) = found.ok_or(AppError::InvalidCredentials)?;

    let token = rules::new_token()?;
    let token_hash = rules::token_hash(&token).ok_or(AppError::InvalidCredentials)?;
    let previous = jar.get(cookie_name(&app)).and_then(|cookie| rules::token_hash(cookie.value()));
    let now = app.clock.now();
    let (lifetime, days) = (Lifetime::new(&app.config.auth), i64::from(app.config.auth.session_max_days));
    let user_id = user.id;
    let is_stored = app
        .db
        .write(move |transaction| {
            if let Some(previous) = previous {
                sessions::delete(transaction, &previous)?;
            }
            sessions::insert(transaction, &token_hash, user_id, &hash, &lifetime, now)
        })
        .await?;
    if !is_stored {
        // The user was deleted, or the password changed, while it was verified.
        return Err(AppError::InvalidCredentials);
    }
    tracing::info!(admin = user.id, address = %address.0, "an admin signed in");
    let cookie = session_cookie(&app, token, time::Duration::days(days));
    let signed_in = signed_in_cookie(&app, time::Duration::days(days));
    Ok((set_cookies([cookie, signed_in]), NoStoreJson::ok(user)).into_response())
}

/// Whether a password of the account may be verified now.
fn begin_attempt(app: &AppState, account: &str, address: ClientAddress) -> Result<(), AppError> {
    let limited = |retry_after| {
        tracing::warn!(address = %address.0, "a sign-in was rate-limited");
        AppError::RateLimited { retry_after }
    };
    app.account_backoff.check(account, address.0).map_err(limited)?;
    // Acquired before the password is verified: concurrent attempts count as well.
    app.sign_in_limiter.acquire(&address.0).map_err(limited)
}

/// Records the result of verifying a password.
fn end_attempt(app: &AppState, account: &str, address: ClientAddress, is_match: bool) {
    if is_match {
        app.sign_in_limiter.release(&address.0);
        app.account_backoff.succeeded(account, address.0);
    } else {
        app.account_backoff.failed(account);
        tracing::warn!(address = %address.0, "a sign-in failed");
    }
}

/// Change your own password, which ends your other sessions. A wrong current password counts as a failed sign-in.
#[utoipa::path(put, path = "/api/user/password", tag = "sessions", request_body = ChangePassword,
    security(("session" = [])),
    responses((status = 200, body = EndedSessions), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_password(
    admin: Admin,
    State(app): State<AppState>,
    address: ClientAddress,
    Json(input): Json<ChangePassword, MAX_SMALL_BODY>,
) -> Result<NoStoreJson<EndedSessions>, AppError> {
    let (current, new) = rules::check_change_password(input)?;
    let wrong = || AppError::Validation(vec![("currentPassword".to_owned(), WRONG_PASSWORD.to_owned())]);
    let (account, user_id) = (admin.user.email.to_lowercase(), admin.user.id);
    begin_attempt(&app, &account, address)?;
    let stored = app.db.read(move |connection| users::find_password_hash(connection, user_id)).await?;
    let is_match = app.passwords.verify(current, stored.clone()).await?;
    end_attempt(&app, &account, address, is_match);
    if !is_match {
        return Err(wrong());
    }
    let hash = app.passwords.hash(new).await?;
    let change = move |transaction: &Transaction<'_>| {
        // Another admin may have changed it while it was verified.
        if users::find_password_hash(transaction, user_id)? != stored {
            return Err(wrong());
        }
        users::set_password(transaction, user_id, &hash)
    };
    end_other_sessions(&app, admin, true, change).await
}

/// End all other sessions of the user.
#[utoipa::path(delete, path = "/api/user/other-sessions", tag = "sessions", security(("session" = [])),
    responses((status = 200, body = EndedSessions), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn delete_other_sessions(
    admin: Admin,
    State(app): State<AppState>,
    _: NoBody,
) -> Result<NoStoreJson<EndedSessions>, AppError> {
    end_other_sessions(&app, admin, false, |_| Ok(())).await
}

/// Makes a change and ends all other sessions of the user, in one transaction.
async fn end_other_sessions(
    app: &AppState,
    admin: Admin,
    new_password: bool,
    change: impl FnOnce(&Transaction<'_>) -> Result<(), AppError> + Send + 'static,
) -> Result<NoStoreJson<EndedSessions>, AppError> {
    let (lifetime, now, user_id) = (Lifetime::new(&app.config.auth), app.clock.now(), admin.user.id);
    let ended_sessions = app
        .db
        .write(move |transaction| {
            change(transaction)?;
            let ended_sessions =
                sessions::delete_others_of_user(transaction, user_id, &admin.token_hash, &lifetime, now)?;
            let after = RecordedUser { user: &admin.user, new_password, ended_sessions };
            activity::record(
                transaction,
                &Actor::from(&admin),
                &Change::Changed(&RecordedUser::new(&admin.user), &after),
            )?;
            Ok(ended_sessions)
        })
        .await?;
    tracing::info!(admin = user_id, new_password, ended_sessions, "an admin ended their other sessions");
    Ok(NoStoreJson::ok(EndedSessions { ended_sessions }))
}

/// Sign out. The response is the same with and without a session.
#[utoipa::path(post, path = "/api/auth/logout", tag = "sessions",
    responses((status = 200, body = SignedOut), (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn sign_out(State(app): State<AppState>, jar: CookieJar, _: NoBody) -> Result<Response, AppError> {
    if let Some(token_hash) = jar.get(cookie_name(&app)).and_then(|cookie| rules::token_hash(cookie.value())) {
        app.db.write(move |transaction| sessions::delete(transaction, &token_hash)).await?;
        tracing::info!("an admin signed out");
    }
    let expired = session_cookie(&app, String::new(), time::Duration::ZERO);
    let cookies = set_cookies([expired, signed_in_cookie(&app, time::Duration::ZERO)]);
    Ok((cookies, NoStoreJson::ok(SignedOut { message: "Logged out" })).into_response())
}

/// Opened by the popup of /login-help. Redirects to the sign-in page, which says whether Replit sign-in is turned off
/// (contract, "/login-help").
#[utoipa::path(get, path = "/api/auth/replit", tag = "sessions",
    responses((status = 303, description = "To the sign-in page")))]
pub async fn start_replit_sign_in() -> Redirect {
    Redirect::to("/admin/login?from=replit")
}

/// `Set-Cookie` headers in this order. A `CookieJar` does not keep the order.
fn set_cookies<const N: usize>(cookies: [Cookie<'static>; N]) -> AppendHeaders<[(HeaderName, String); N]> {
    AppendHeaders(cookies.map(|cookie| (SET_COOKIE, cookie.to_string())))
}

/// A cookie that indicates a session to the page's scripts, which can't read the session cookie. Without it they do not
/// request the current user, which would log a 401 in every visitor's browser.
pub(in super::super) const SIGNED_IN: &str = "lectern_signed_in";

fn signed_in_cookie(app: &AppState, max_age: time::Duration) -> Cookie<'static> {
    Cookie::build((SIGNED_IN, "1")).path("/").same_site(SameSite::Strict).secure(app.https).max_age(max_age).build()
}

fn session_cookie(app: &AppState, value: String, max_age: time::Duration) -> Cookie<'static> {
    Cookie::build((cookie_name(app), value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(app.https)
        .max_age(max_age)
        .build()
}
