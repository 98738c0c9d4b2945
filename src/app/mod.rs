//! The composition root: config → state → router.

mod backups;
mod cache_layer;
pub mod certificates;
mod health;
pub mod metrics;
mod middleware;
mod shared_caches;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use http::header::{ALLOW, CACHE_CONTROL, DATE};
use http::{HeaderValue, Method};

use crate::features::pages::{Pages, Renderer};
use crate::features::{
    auth, events, feeds, idempotency, images, import_export, interest, page_content, pages, share_images,
    site_settings, speakers, venue_photos,
};
use crate::platform::clock::Clock;
use crate::platform::config::Config;
use crate::platform::content_coding::decompress_brotli;
use crate::platform::db::{Db, S3BackupStatus};
use crate::platform::error::{AppError, ErrorChain};
use crate::platform::health::Health;
use crate::platform::https::Tls;
use crate::platform::metrics::{CachePurgeMetrics, RequestMetrics};
use crate::platform::password::PasswordQueue;
use crate::platform::rate_limit::{AccountBackoff, RateLimiter};
use crate::platform::response_cache::{
    CachedRoute, NO_SURROGATE_KEYS, RELEASE_LIFETIME, Representation, ResponseCache, pattern_of_subpaths,
};
use crate::platform::state::{AppState, Components};
use crate::platform::{request_log, security};
use crate::{assets, openapi};

pub use backups::{back_up_on_schedule, upload_on_schedule};
pub use cache_layer::{CachedRouter, ResponseBody};
pub use health::{PROBE_INTERVAL, run_probes};
use middleware::HandlerContext;
pub use shared_caches::purge_shared_caches;

/// The interval at which expired data is deleted and the search index is checked.
const MAINTENANCE_INTERVAL: Duration = Duration::from_hours(1);
/// The delay of the first check of the search index, so that it does not slow down the first requests.
const SEARCH_CHECK_DELAY: Duration = Duration::from_secs(5);
/// The path of the OpenAPI document.
const OPENAPI: &str = "/api/openapi.json";

/// What a reload of the configuration does not replace.
#[derive(Clone, Debug, Default)]
pub struct Retained {
    pub metrics: Option<Arc<RequestMetrics>>,
    pub tls: Option<Tls>,
    /// `None` renders the pages in the browser.
    pub renderer: Option<Renderer>,
}

/// Builds the state and the pages. `listening` is the address to which the listener is bound.
pub fn state(config: Config, db: Db, clock: Clock, listening: SocketAddr, retained: Retained) -> (AppState, Pages) {
    let Retained { metrics, tls, renderer } = retained;
    let base_url = match (&config.server.base_url, config.https.base_url()) {
        (Some(url), _) => url.as_str().to_owned(),
        (None, Some(url)) => url,
        (None, None) => format!("http://{listening}"),
    };
    let https = base_url.starts_with("https://");
    let security_headers = security::headers(https);
    let template = || assets::template().map(|html| pages::Template::new(&html, assets::text));
    let settings = site_settings::ConfiguredSettings::new(&config);
    let search = events::Search::default();
    let pages = Pages::new(&config, &settings, &base_url, template, renderer, search.clone());
    let routes = cached_routes(&config, &settings, &base_url, &pages, &search);
    let mut common_headers = security_headers.clone();
    // Each response replaces their values, which takes less time than adding them.
    for name in [DATE, request_log::REQUEST_ID] {
        common_headers.insert(name, HeaderValue::from_static(""));
    }
    let mut responses = ResponseCache::new(routes, common_headers, &auth::ADMIN_COOKIES, db.clone(), clock.clone())
        .with_shared_caching(&config.cache);
    if let Some(metrics) = &metrics {
        responses = responses.with_metrics(metrics);
    }
    let state = AppState(Arc::new(Components {
        origin: security::origin_of(&base_url),
        https,
        trusted_proxies: config.server.trusted_proxies.iter().map(|network| network.0).collect(),
        sign_in_limiter: RateLimiter::new(config.limits.sign_in()),
        account_backoff: AccountBackoff::default(),
        visitor_limiter: RateLimiter::new(config.limits.visitor()),
        passwords: PasswordQueue::default(),
        image_uploads: images::upload_queue(),
        imports: import_export::import_queue(),
        responses: Arc::new(responses),
        metrics,
        health: Arc::new(Health::default()),
        tls,
        s3_backups: S3BackupStatus::default(),
        cache_purges: CachePurgeMetrics::default(),
        security_headers,
        base_url,
        config,
        clock,
        db,
    }));
    (state, pages)
}

fn cached_routes(
    config: &Config,
    settings: &site_settings::ConfiguredSettings,
    base_url: &str,
    pages: &Pages,
    search: &events::Search,
) -> Vec<CachedRoute> {
    let mut routes = Vec::new();
    routes.extend(events::cached_routes(search));
    routes.extend(speakers::cached_routes());
    routes.extend(page_content::cached_routes());
    routes.extend(pages.cached_routes());
    routes.extend(feeds::cached_routes(settings, base_url, config.feeds.past_days));
    let build = |_: &rusqlite::Connection, _, _: &str| {
        let document = decompress_brotli(openapi::DOCUMENT).map_err(AppError::internal)?;
        Ok(Representation::new("application/json", document).shared(NO_SURROGATE_KEYS))
    };
    routes.push(CachedRoute::new(OPENAPI, build).ignore_query());
    routes
}

/// The site as a service: API, pages, files and middleware behind the response cache.
pub fn router(state: AppState, pages: Pages) -> CachedRouter {
    let paths = pages::PATHS.iter().chain(&feeds::PATHS);
    let cached_pages = paths.fold(Router::new(), |router, path| router.route(path, get(cached)));
    let cache = Arc::clone(&state.responses);
    let trusted_proxies = state.trusted_proxies.clone().into();
    let photos = Arc::new(venue_photos::VenuePhotos::new(&state.config));
    let subpaths = [pages::EVENT_PATH_PREFIX, events::SERIES_PATH_PREFIX, feeds::SITEMAP_PARTS];
    let cached_subpaths = subpaths
        .iter()
        .fold(Router::new(), |router, path| router.route(&pattern_of_subpaths(path), get(cached_subpath)));
    let router = openapi::endpoints(pages.search(), &photos)
        .into_router()
        .merge(cached_pages)
        .merge(cached_subpaths.layer(Extension(pages.clone())))
        .merge(interest::pages(&pages))
        .merge(share_images::router(assets::bytes))
        .merge(feeds::router())
        .route(OPENAPI, get(cached))
        .route("/healthz", get(health::report))
        .method_not_allowed_fallback(|| async { AppError::MethodNotAllowed })
        .fallback(file_or_not_found)
        .layer(middleware::handler_layer(HandlerContext { app: state.clone(), pages }))
        .with_state(state);
    CachedRouter::new(cache, router, trusted_proxies)
}

async fn cached(State(app): State<AppState>, request: Request) -> Result<Response, AppError> {
    let uri = request.uri();
    let path_and_query = uri.path_and_query().map_or(uri.path(), |both| both.as_str());
    app.responses.respond(path_and_query, request.headers()).await
}

/// The page of an event or a series, a part of the sitemap, the preview of an event, or the error page for one that does not
/// exist or was deleted.
async fn cached_subpath(
    State(app): State<AppState>,
    Extension(pages): Extension<Pages>,
    request: Request,
) -> Result<Response, AppError> {
    match app.responses.respond(request.uri().path(), request.headers()).await {
        Err(AppError::NotFound(_)) => {
            let (uri, headers) = (request.uri(), request.headers());
            match pages.respond_with_preview(&app, uri, headers, interest::count).await? {
                Some(preview) => Ok(preview),
                None => app.responses.respond(pages::NOT_FOUND_KEY, headers).await,
            }
        }
        Err(error) => match pages::missing_page(&error) {
            Some(key) => app.responses.respond(key, request.headers()).await,
            None => Err(error),
        },
        response => response,
    }
}

/// Deletes what has expired: deleted events that can no longer be restored, idempotency keys and unreferenced images. Runs at the start and every hour.
///
/// # Errors
/// The database can't be written at the moment; the server can start nevertheless.
pub async fn delete_expired(db: &Db, clock: &Clock) -> Result<(), AppError> {
    let now = clock.now();
    db.write(move |transaction| {
        events::purge(transaction, now)?;
        idempotency::purge(transaction, now)?;
        // Last, because a deleted event may have had the last reference to an image.
        images::purge(transaction, now)
    })
    .await
}

/// Gives events of earlier releases the pages of their series. Called when the server starts.
///
/// # Errors
/// The database can't be written at the moment; the server can start nevertheless.
pub async fn link_series(db: &Db) -> Result<(), AppError> {
    db.write(events::link_series).await
}

/// Rebuilds a search index that does not match the events: soon after the start and every hour, until the server stops.
pub async fn repair_search_index_on_schedule(app: AppState) {
    let mut delay = SEARCH_CHECK_DELAY;
    loop {
        tokio::time::sleep(delay).await;
        match app.db.write(events::rebuild_index_if_wrong).await {
            Ok(false) => {}
            Ok(true) => tracing::warn!("the search index did not match the events and was rebuilt"),
            Err(error) => tracing::warn!(error = %ErrorChain(&error), "the search index could not be checked"),
        }
        delay = MAINTENANCE_INTERVAL;
    }
}

/// Deletes expired data every hour until the server stops.
pub async fn delete_expired_on_schedule(app: AppState) {
    loop {
        tokio::time::sleep(MAINTENANCE_INTERVAL).await;
        if let Err(error) = delete_expired(&app.db, &app.clock).await {
            tracing::warn!(error = %ErrorChain(&error), "expired data could not be deleted");
        }
    }
}

/// A file of the web bundle or an uploaded image; otherwise 404, as JSON under `/api/` and as a page elsewhere.
async fn file_or_not_found(State(app): State<AppState>, request: Request) -> Result<Response, AppError> {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return Err(AppError::NotFound("Endpoint"));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        // RFC 9110 §15.5.6
        return Ok(([(ALLOW, HeaderValue::from_static("GET,HEAD"))], AppError::MethodNotAllowed).into_response());
    }
    if let Some(image) = images::serve(&app, request.uri(), request.headers()).await? {
        return Ok(image);
    }
    if let Some(mut file) = assets::serve(path, request.headers()) {
        // Pages that were loaded before an upgrade may still need the immutable ones of their release.
        if !assets::is_immutable(path) {
            app.responses.add_surrogate_keys_of_release(file.headers_mut());
        }
        return Ok(file);
    }
    // A path with a trailing slash redirects to the page, for every visitor and until a release changes the paths.
    let has_page = |page: &&str| {
        pages::PATHS.contains(page)
            || [pages::EVENT_PATH_PREFIX, events::SERIES_PATH_PREFIX].iter().any(|prefix| page.starts_with(prefix))
    };
    if let Some(page) = path.strip_suffix('/').filter(has_page) {
        let mut redirect = Redirect::permanent(page).into_response();
        // Without one, caches may choose how long they store it.
        redirect.headers_mut().insert(CACHE_CONTROL, RELEASE_LIFETIME);
        app.responses.add_surrogate_keys_of_release(redirect.headers_mut());
        return Ok(redirect);
    }
    app.responses.respond(pages::NOT_FOUND_KEY, request.headers()).await
}
