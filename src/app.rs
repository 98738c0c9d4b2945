//! The composition root: settings → parts → router.

use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use http::{HeaderMap, Method};
use serde::Serialize;
use tower_http::catch_panic::CatchPanicLayer;

use crate::features::{
    brandlive, events, feeds, idempotency, images, page_content, pages, places, share_images, speakers,
};
use crate::platform::clock::Clock;
use crate::platform::config::Config;
use crate::platform::db::{self, Db};
use crate::platform::error::AppError;
use crate::platform::extract::NoStoreJson;
use crate::platform::password::PasswordHasher;
use crate::platform::rate_limit::{AccountWaits, RateLimiter};
use crate::platform::request_log;
use crate::platform::response_cache::{CachedPrefix, CachedRoute, Representation, ResponseCache};
use crate::platform::security;
use crate::platform::state::{AppState, Parts};
use crate::{assets, openapi};

/// Time for one request, from its headers to its answer.
const REQUEST: Duration = Duration::from_secs(15);
/// Time for a picture to be sent, over a slow line too: 8 MB at half a megabit a second take 2¼ minutes.
const PICTURE: Duration = Duration::from_secs(150);
/// Where the OpenAPI document is.
const OPENAPI: &str = "/api/openapi.json";

/// Puts the parts together. `listening` is the address that the server really has.
pub fn state(config: Config, db: Db, clock: Clock, listening: SocketAddr) -> AppState {
    let base_url = match &config.server.base_url {
        Some(address) => address.as_str().to_owned(),
        None => format!("http://{listening}"),
    };
    let https = base_url.starts_with("https://");
    let security_headers = security::headers(https);
    let (cached_routes, cached_prefixes) = cached_routes(&config, &base_url);
    let responses =
        ResponseCache::new(cached_routes, cached_prefixes, security_headers.clone(), db.clone(), clock.clone());
    AppState(Arc::new(Parts {
        origin: security::origin_of(&base_url),
        https,
        trusted_proxies: config.server.trusted_proxies.iter().map(|network| network.0).collect(),
        sign_ins: RateLimiter::new(config.limits.sign_in()),
        accounts: AccountWaits::default(),
        visitors: RateLimiter::new(config.limits.visitor()),
        passwords: PasswordHasher::default(),
        image_uploads: images::upload_queue(),
        responses: Arc::new(responses),
        security_headers,
        base_url,
        config,
        clock,
        db,
    }))
}

fn cached_routes(config: &Config, base_url: &str) -> (Vec<CachedRoute>, Vec<CachedPrefix>) {
    let mut all = Vec::new();
    all.extend(events::cached_routes());
    all.extend(speakers::cached_routes());
    all.extend(page_content::cached_routes());
    let template = assets::template().map(|html| pages::Template::new(&html, assets::text));
    let (pages, mut cached_prefixes) = pages::cached_routes(config, base_url, template);
    all.extend(pages);
    let publisher = feeds::Publisher::new(config, base_url);
    all.extend(feeds::cached_routes(&publisher));
    cached_prefixes.extend(feeds::cached_prefixes(&publisher));
    // The description never changes while the program runs, so its text is made once.
    let document = std::sync::OnceLock::new();
    let build = move |_: &rusqlite::Connection, _| {
        let body = document.get_or_init(openapi::document).clone().into_bytes();
        Ok(Representation { body, ..Representation::json(&())? })
    };
    all.push(CachedRoute::new(OPENAPI, build).whatever_the_query());
    (all, cached_prefixes)
}

/// The whole site: calls, pages, files, and what stands around them.
pub fn router(state: AppState) -> Router {
    let (calls, _) = openapi::router().split_for_parts();
    let paths = pages::PATHS.iter().chain(&feeds::PATHS);
    let pages = paths.fold(Router::new(), |router, path| router.route(path, get(prepared)));
    calls
        .merge(pages)
        .merge(share_images::router(assets::bytes))
        .merge(feeds::router())
        .route(&format!("{}{{event}}", pages::EVENTS), get(event_page))
        .route(OPENAPI, get(prepared))
        .route("/healthz", get(health))
        .method_not_allowed_fallback(|| async { AppError::MethodNotAllowed })
        .fallback(file_or_nothing)
        .layer(Extension(Arc::new(places::Photos::new(&state.config))))
        .layer(middleware::from_fn(in_time))
        .layer(CatchPanicLayer::custom(|panic: Box<dyn Any + Send>| {
            let detail = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("a handler panicked");
            AppError::internal(detail.to_owned()).into_response()
        }))
        .layer(middleware::from_fn_with_state(state.clone(), security::guard))
        .layer(middleware::from_fn_with_state(state.clone(), request_log::layer))
        .with_state(state)
}

async fn prepared(State(app): State<AppState>, request: Request) -> Result<Response, AppError> {
    let uri = request.uri();
    let address = uri.path_and_query().map_or(uri.path(), |whole| whole.as_str());
    Ok(app.responses.answer(address, request.headers()).await?.map(Body::new))
}

/// The page of an event, or the one that says that there is nothing here.
async fn event_page(State(app): State<AppState>, request: Request) -> Result<Response, AppError> {
    let answer = match app.responses.answer(request.uri().path(), request.headers()).await {
        Err(AppError::NotFound(_)) => app.responses.answer(pages::NOT_FOUND, request.headers()).await?,
        answer => answer?,
    };
    Ok(answer.map(Body::new))
}

async fn in_time(request: Request, next: Next) -> Response {
    let limit = match request.uri().path() {
        images::UPLOAD_PATH => PICTURE,
        brandlive::PATH => brandlive::REQUEST_TIMEOUT,
        _ => REQUEST,
    };
    let is_safe = request.method().is_safe();
    let response = tokio::time::timeout(limit, next.run(request)).await;
    response.unwrap_or_else(|_| AppError::timed_out(is_safe).into_response())
}

/// Removes what was only kept for a while. To be called when the server starts.
///
/// # Errors
/// The storage can't be written now; the server can go on without.
pub async fn tidy(db: &Db, clock: &Clock) -> Result<(), AppError> {
    let now = clock.now();
    db.write(move |transaction| {
        events::purge(transaction, now)?;
        idempotency::purge(transaction, now)?;
        // After it, because a deleted event may have been the last to refer to a picture.
        images::purge(transaction, now)
    })
    .await
}

/// A file of the page or an uploaded picture, else a 404: JSON for calls, a page for people.
async fn file_or_nothing(State(app): State<AppState>, request: Request) -> Result<Response, AppError> {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return Err(AppError::NotFound("Call"));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(AppError::MethodNotAllowed);
    }
    if let Some(picture) = images::serve(&app, request.uri(), request.headers()).await? {
        return Ok(picture);
    }
    if let Some(file) = assets::serve(path, request.headers()) {
        return Ok(file);
    }
    // A slash too many is no other page.
    let has_page = |page: &&str| pages::PATHS.contains(page) || page.starts_with(pages::EVENTS);
    if let Some(page) = path.strip_suffix('/').filter(has_page) {
        return Ok(Redirect::permanent(page).into_response());
    }
    Ok(app.responses.answer(pages::NOT_FOUND, request.headers()).await?.map(Body::new))
}

/// What a monitor wants to know.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Health {
    status: &'static str,
    version: &'static str,
    schema_version: u32,
    free_disk_bytes: Option<u64>,
}

async fn health(State(app): State<AppState>, _: HeaderMap) -> Result<NoStoreJson<Health>, AppError> {
    let schema_version = app
        .db
        .read(|connection| {
            // A row of real content, so that "healthy" means that visitors can be served.
            db::content_version(connection)?;
            let steps = db::status(connection)?;
            Ok(steps.iter().filter(|step| step.applied_at.is_some()).map(|step| step.version).max().unwrap_or(0))
        })
        .await?;
    let free_disk_bytes =
        rustix::fs::statvfs(app.db.path()).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    Ok(NoStoreJson::ok(Health { status: "ok", version: env!("CARGO_PKG_VERSION"), schema_version, free_disk_bytes }))
}
