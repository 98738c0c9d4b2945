//! Endpoints for interest, and the attendance page.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use http::header::{CACHE_CONTROL, HeaderMap, HeaderValue, RETRY_AFTER};
use http::{StatusCode, Uri};
use serde::Deserialize;
use utoipa::IntoParams;

use super::rules::{self, InterestAction};
use super::store;
use super::types::{AttendanceCount, AttendanceDay, Interest, InterestQuery, SetInterest};
use crate::features::auth::Admin;
use crate::features::events;
use crate::features::pages::{self, PageInterest, Pages};
use crate::platform::client_address::ClientAddress;
use crate::platform::clock::timestamp;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Form, Id, Json, MAX_SMALL_BODY, NoBody, NoStoreJson, Query};
use crate::platform::messages::{IN_PERSON, NOT_IN_PERSON};
use crate::platform::response_cache::{Representation, RouteOutput};
use crate::platform::state::AppState;
use crate::platform::validate::id_list;

/// The cookie that contains the visitor's id. The page also reads and writes it, so a visitor has the same id with and
/// without scripts.
const COOKIE: &str = "visitor";
const EVENTS_INVALID: &str = "Events must be ids with commas between them";
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const PRIVATE_NO_STORE: HeaderValue = HeaderValue::from_static("private, no-store");

/// How many plan to attend, and whether this visitor does.
#[utoipa::path(get, path = "/api/events/{id}/interest", tag = "interest", params(("id" = i64, Path), InterestQuery),
    responses((status = 200, body = Interest), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn get_interest(
    State(app): State<AppState>,
    Id(id): Id,
    Query(query): Query<InterestQuery>,
    jar: CookieJar,
) -> Result<NoStoreJson<Interest>, AppError> {
    let (visitor, now) = (rules::visitor(query.user_id)?.or_else(|| visitor_in(&jar)), app.clock.now());
    app.db.read(move |connection| store::find(connection, id, visitor.as_deref(), now)).await.map(NoStoreJson::ok)
}

/// Plan to attend, or no longer. A repeated request changes nothing. After the event only its removal is possible.
#[utoipa::path(put, path = "/api/events/{id}/interest", tag = "interest", params(("id" = i64, Path)),
    request_body = SetInterest,
    responses((status = 200, body = Interest), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_interest(
    State(app): State<AppState>,
    address: ClientAddress,
    Id(id): Id,
    Json(input): Json<SetInterest, MAX_SMALL_BODY>,
) -> Result<NoStoreJson<Interest>, AppError> {
    let (action, visitor) = rules::check(input)?;
    set(&app, address, id, action, visitor).await.map(NoStoreJson::ok)
}

/// Plan to attend, as the visitor in the `visitor` cookie, which is set if it is missing.
#[utoipa::path(post, path = "/api/events/{id}/interest", tag = "interest", params(("id" = i64, Path)),
    responses((status = 200, body = Interest), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn create_interest(
    State(app): State<AppState>,
    address: ClientAddress,
    Id(id): Id,
    jar: CookieJar,
    _: NoBody,
) -> Result<Response, AppError> {
    let (visitor, cookie) = visitor_or_new(&app, &jar)?;
    let interest = set(&app, address, id, InterestAction::Add, visitor).await?;
    Ok((cookie, NoStoreJson::ok(interest)).into_response())
}

/// The events of which the attendance is read.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct AttendanceQuery {
    /// Ids with commas between them: `3,7,12`. All events if it is left out.
    events: Option<String>,
}

/// How many plan to attend each event that somebody planned to attend.
#[utoipa::path(get, path = "/api/attendance", tag = "interest", params(AttendanceQuery), security(("session" = [])),
    responses((status = 200, body = Vec<AttendanceCount>), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_attendance(
    _: Admin,
    State(app): State<AppState>,
    Query(query): Query<AttendanceQuery>,
) -> Result<NoStoreJson<Vec<AttendanceCount>>, AppError> {
    let invalid = || AppError::Validation(vec![("events".to_owned(), EVENTS_INVALID.to_owned())]);
    let ids = query.events.map(|text| id_list(&text).ok_or_else(invalid)).transpose()?;
    app.db
        .read(move |connection| match ids {
            Some(ids) => store::counts_of(connection, &ids),
            None => store::counts(connection),
        })
        .await
        .map(NoStoreJson::ok)
}

/// How many planned to attend an event at the end of each day on which that number changed, the oldest first. Of the days
/// before the release that introduced this, only the last one is known.
#[utoipa::path(get, path = "/api/events/{id}/attendance", tag = "interest", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = Vec<AttendanceDay>), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_attendance_days(
    _: Admin,
    State(app): State<AppState>,
    Id(id): Id,
) -> Result<NoStoreJson<Vec<AttendanceDay>>, AppError> {
    let now = app.clock.now();
    let days = app.db.read(move |connection| {
        events::find(connection, id, now)?.ok_or(AppError::NotFound("Event"))?;
        store::days(connection, id)
    });
    days.await.map(NoStoreJson::ok)
}

/// The attendance page of an event: the count, and a form with which the visitor in the cookie is added or removed.
pub async fn get_attendance(
    State(app): State<AppState>,
    Extension(pages): Extension<Pages>,
    uri: Uri,
    jar: CookieJar,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    respond(&app, pages, &uri, visitor_in(&jar), None, &headers).await
}

/// As [`update_interest`], for an HTML form. Redirects to the attendance page.
pub async fn submit_attendance(
    State(app): State<AppState>,
    Extension(pages): Extension<Pages>,
    address: ClientAddress,
    uri: Uri,
    jar: CookieJar,
    headers: HeaderMap,
    form: Form,
) -> Result<Response, AppError> {
    let changed = async {
        let id = event_in(&uri)?;
        let (visitor, cookie) = visitor_or_new(&app, &jar)?;
        let (action, visitor) = rules::check(SetInterest { action: form.value("action"), user_id: Some(visitor) })?;
        set(&app, address, id, action, visitor).await?;
        Ok::<_, AppError>(cookie)
    };
    match changed.await {
        Ok(cookie) => Ok((cookie, [(CACHE_CONTROL, NO_STORE)], Redirect::to(uri.path())).into_response()),
        Err(error) => respond(&app, pages, &uri, visitor_in(&jar), Some(error), &headers).await,
    }
}

/// The attendance page, with the message of an error if there was one; or the error page of a missing event.
async fn respond(
    app: &AppState,
    pages: Pages,
    uri: &Uri,
    visitor: Option<String>,
    error: Option<AppError>,
    headers: &HeaderMap,
) -> Result<Response, AppError> {
    let page = async {
        let (id, now, path, is_error) = (event_in(uri)?, app.clock.now(), uri.path().to_owned(), error.is_some());
        let problem = error.as_ref().map(AppError::message);
        let read = move |connection: &rusqlite::Connection| {
            let event = events::get_public(connection, id, now)?;
            let canonical = format!("{}{}", event.path, pages::ATTENDANCE_PATH_SUFFIX);
            if !is_error && canonical != path {
                return Ok((pages::redirect(&canonical).into(), StatusCode::PERMANENT_REDIRECT));
            }
            let is_in_person = event.r#type == IN_PERSON;
            let interest =
                if is_in_person { Some(store::find(connection, id, visitor.as_deref(), now)?) } else { None };
            let interest = PageInterest {
                count: interest.map(|interest| interest.count),
                has_interest: interest.is_some_and(|interest| interest.has_interest),
                problem: problem.or_else(|| (!is_in_person).then(|| NOT_IN_PERSON.to_owned())),
            };
            let status = if is_in_person { StatusCode::OK } else { StatusCode::BAD_REQUEST };
            Ok::<(RouteOutput, StatusCode), AppError>((pages.attendance(connection, &event, interest, now)?, status))
        };
        let (page, status) = app.db.read(read).await?;
        Ok(Representation { status, ..page.complete().await? })
    };
    let mut page = match page.await {
        Ok(page) => page,
        Err(error) => match pages::missing_page(&error) {
            Some(key) => return app.responses.respond(key, headers).await,
            None => return Err(error),
        },
    };
    page.headers.insert(CACHE_CONTROL, PRIVATE_NO_STORE);
    if let Some(error) = error {
        page.status = error.status();
        // `into_response` logs the error.
        let retry_after = error.into_response().headers_mut().remove(RETRY_AFTER);
        page.headers.extend(retry_after.map(|seconds| (RETRY_AFTER, seconds)));
    }
    app.responses.respond_uncached(page, headers).await
}

/// The id of the event in the URL of its attendance page.
fn event_in(uri: &Uri) -> Result<i64, AppError> {
    let name = uri
        .path()
        .strip_prefix(pages::EVENT_PATH_PREFIX)
        .and_then(|rest| rest.strip_suffix(pages::ATTENDANCE_PATH_SUFFIX));
    name.and_then(events::id_in_path).ok_or(AppError::NotFound("Event"))
}

fn visitor_in(jar: &CookieJar) -> Option<String> {
    jar.get(COOKIE).and_then(|cookie| rules::visitor_of_cookie(cookie.value()))
}

/// The visitor in the cookie, or a new one with the cookie to set.
fn visitor_or_new(app: &AppState, jar: &CookieJar) -> Result<(String, CookieJar), AppError> {
    if let Some(visitor) = visitor_in(jar) {
        return Ok((visitor, CookieJar::new()));
    }
    let visitor = rules::new_visitor(app.clock.now())?;
    // Not HttpOnly: the page stores the same id in its local storage (contract, "Calls").
    let cookie = Cookie::build((COOKIE, visitor.clone()))
        .path("/")
        .same_site(SameSite::Lax)
        .secure(app.https)
        .max_age(time::Duration::days(365))
        .build();
    Ok((visitor, CookieJar::new().add(cookie)))
}

async fn set(
    app: &AppState,
    address: ClientAddress,
    id: i64,
    action: InterestAction,
    visitor: String,
) -> Result<Interest, AppError> {
    match action {
        InterestAction::Add => add(app, address, id, visitor).await,
        InterestAction::Remove => remove(app, address, id, visitor).await,
    }
}

/// Each visitor with any interest holds a token of the client address that sent the first request.
async fn add(app: &AppState, address: ClientAddress, id: i64, visitor: String) -> Result<Interest, AppError> {
    let now = app.clock.now();
    // Acquired outside of the transaction, because a transaction that fails can't undo it.
    let token = app.visitor_limiter.acquire(&address.0);
    let stored_now = timestamp(now);
    let added = app
        .db
        .write_statement(move |transaction| {
            let before = store::find_before_adding(transaction, id, &visitor, &stored_now)?;
            if let Some(message) = rules::closed_reason(&before.conditions, now) {
                return Err(AppError::Conflict { message: message.to_owned(), field: None });
            }
            if !before.is_known_visitor {
                token.map_err(|retry_after| AppError::RateLimited { retry_after })?;
            }
            let is_added = store::add(transaction, id, &visitor, &stored_now)?;
            let interest = Interest { count: before.count + i64::from(is_added), has_interest: true };
            Ok((interest, !before.is_known_visitor))
        })
        .await;
    let is_used = matches!(added, Ok((_, true)));
    if token.is_ok() && !is_used {
        app.visitor_limiter.release(&address.0);
    }
    added.map(|(interest, _)| interest)
}

async fn remove(app: &AppState, address: ClientAddress, id: i64, visitor: String) -> Result<Interest, AppError> {
    let now = app.clock.now();
    let (interest, is_last) = app
        .db
        .write_statement(move |transaction| {
            store::require_in_person(transaction, id, now)?;
            let is_removed = store::remove(transaction, id, &visitor)?;
            let interest = Interest { count: store::count(transaction, id)?, has_interest: false };
            Ok((interest, is_removed && !store::has_visitor(transaction, &visitor)?))
        })
        .await?;
    if is_last {
        app.visitor_limiter.release(&address.0);
    }
    Ok(interest)
}
