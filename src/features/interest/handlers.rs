//! Endpoints for interest.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};

use super::rules::{self, Action};
use super::store;
use super::types::{Interest, InterestQuery, SetInterest};
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Id, Json, MAX_SMALL_BODY, NoBody, NoStoreJson, Query};
use crate::platform::security::ClientAddress;
use crate::platform::state::AppState;

/// The cookie that holds the visitor's id. The page also writes it, which makes a visitor the same on all pages.
const COOKIE: &str = "visitor";

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
    let visitor = rules::visitor(query.user_id)?.or_else(|| visitor_in(&jar));
    app.db.read(move |connection| store::find(connection, id, visitor.as_deref())).await.map(NoStoreJson::ok)
}

/// Plan to attend, or no longer. A repeated request changes nothing.
#[utoipa::path(put, path = "/api/events/{id}/interest", tag = "interest", params(("id" = i64, Path)),
    request_body = SetInterest,
    responses((status = 200, body = Interest), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn update_interest(
    State(app): State<AppState>,
    address: ClientAddress,
    Id(id): Id,
    Json(input): Json<SetInterest, MAX_SMALL_BODY>,
) -> Result<NoStoreJson<Interest>, AppError> {
    let (action, visitor) = rules::check(input)?;
    set(app, address, id, action, visitor).await.map(NoStoreJson::ok)
}

/// Plan to attend, as the visitor in the `visitor` cookie, which is set if it is missing.
#[utoipa::path(post, path = "/api/events/{id}/interest", tag = "interest", params(("id" = i64, Path)),
    responses((status = 200, body = Interest), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 413, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn create_interest(
    State(app): State<AppState>,
    address: ClientAddress,
    Id(id): Id,
    jar: CookieJar,
    _: NoBody,
) -> Result<Response, AppError> {
    if let Some(visitor) = visitor_in(&jar) {
        return Ok(NoStoreJson::ok(set(app, address, id, Action::Add, visitor).await?).into_response());
    }
    let visitor = rules::new_visitor(app.clock.now())?;
    // Not HttpOnly: the page keeps the same id in its local storage (contract, "Calls").
    let cookie = Cookie::build((COOKIE, visitor.clone()))
        .path("/")
        .same_site(SameSite::Lax)
        .secure(app.https)
        .max_age(time::Duration::days(365))
        .build();
    let interest = set(app, address, id, Action::Add, visitor).await?;
    Ok((CookieJar::new().add(cookie), NoStoreJson::ok(interest)).into_response())
}

fn visitor_in(jar: &CookieJar) -> Option<String> {
    jar.get(COOKIE).and_then(|cookie| rules::visitor_of_cookie(cookie.value()))
}

async fn set(
    app: AppState,
    address: ClientAddress,
    id: i64,
    action: Action,
    visitor: String,
) -> Result<Interest, AppError> {
    // The limiter is changed outside of the transaction, which may fail. Only a new visitor needs the permit.
    let permit = match action {
        Action::Add => Some(app.visitors.acquire(&address.0)),
        Action::Remove => None,
    };
    let retry_after = permit.and_then(Result::err);
    let result = app
        .db
        .write(move |transaction| {
            let before = store::find(transaction, id, Some(&visitor))?;
            let effect = match (action, before.has_interest) {
                (Action::Add, true) | (Action::Remove, false) => return Ok((before, Effect::None)),
                (Action::Add, false) => {
                    let is_new = !store::has_visitor(transaction, &visitor)?;
                    if let Some(retry_after) = retry_after.filter(|_| is_new) {
                        return Err(AppError::TooMany { retry_after });
                    }
                    store::add(transaction, id, &visitor)?;
                    if is_new { Effect::VisitorAdded } else { Effect::None }
                }
                (Action::Remove, true) => {
                    store::remove(transaction, id, &visitor)?;
                    if store::has_visitor(transaction, &visitor)? { Effect::None } else { Effect::VisitorRemoved }
                }
            };
            Ok((store::find(transaction, id, Some(&visitor))?, effect))
        })
        .await;
    let acquired = permit == Some(Ok(()));
    match &result {
        Ok((_, Effect::VisitorAdded)) => {}
        // A visitor without any interest left may return without waiting.
        Ok((_, Effect::VisitorRemoved)) => app.visitors.release(&address.0),
        _ if acquired => app.visitors.release(&address.0),
        _ => {}
    }
    result.map(|(interest, _)| interest)
}

/// How a request changed the set of visitors with interest.
enum Effect {
    None,
    VisitorAdded,
    VisitorRemoved,
}
