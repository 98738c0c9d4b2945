//! What is done for every request that reaches the router. There is one layer with several steps, because every layer of
//! the router allocates for each request.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use http::header::ACCEPT;

use crate::features::pages::Pages;
use crate::features::places::Photos;
use crate::features::{brandlive, images};
use crate::platform::error::{AppError, ErrorMessage, panic_message};
use crate::platform::metrics::{RequestMetrics, RouteMetrics};
use crate::platform::state::AppState;
use crate::platform::{request_log, security};

/// Timeout of a request, from its headers to its response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);
/// Timeout of an image upload: 8 MB at 0.5 Mbit/s take 2¼ minutes.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(150);
/// Folders of files, which are counted as one route each.
const FOLDERS: [&str; 2] = ["/pictures/", "/assets/"];

/// What the layer uses and passes to handlers.
pub(super) struct Site {
    pub(super) app: AppState,
    pub(super) pages: Pages,
    pub(super) photos: Arc<Photos>,
}

/// Counts the request, assigns its id, runs [`security::protect`], and then the handler with a time limit.
pub(super) async fn around_handlers(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let app = &site.app;
    let protect = |request| security::protect(app, request, |request| respond(&site, request, next));
    let Some(metrics) = &app.metrics else {
        return request_log::with_id(request, &app.trusted_proxies, protect).await;
    };
    let (started, method, route) = (Instant::now(), request.method().clone(), route_metrics(metrics, &request));
    let response = request_log::with_id(request, &app.trusted_proxies, protect).await;
    route.count(&method, response.status(), started);
    response
}

/// The metrics of the route pattern that a request matches, or of its folder of files.
fn route_metrics(metrics: &RequestMetrics, request: &Request) -> Arc<RouteMetrics> {
    let path = request.uri().path();
    match request.extensions().get::<MatchedPath>() {
        Some(pattern) => metrics.route(pattern.as_str()),
        None => metrics.route(FOLDERS.into_iter().find(|folder| path.starts_with(folder)).unwrap_or("other")),
    }
}

/// Runs the handler with a time limit. A server error, also that of a handler that panics, is a page for clients that
/// accept HTML.
async fn respond(site: &Site, mut request: Request, next: Next) -> Response {
    let wants_page = wants_page(&request);
    request.extensions_mut().insert(site.pages.clone());
    request.extensions_mut().insert(Arc::clone(&site.photos));
    let response = within_time_limit(request, next).await;
    if wants_page { with_error_page(&site.pages, response) } else { response }
}

async fn within_time_limit(request: Request, next: Next) -> Response {
    let limit = match request.uri().path() {
        images::UPLOAD_PATH => UPLOAD_TIMEOUT,
        brandlive::PATH => brandlive::REQUEST_TIMEOUT,
        _ => REQUEST_TIMEOUT,
    };
    let is_safe = request.method().is_safe();
    // The state that handlers share has no invariant that a panic breaks.
    let run = AssertUnwindSafe(next.run(request)).catch_unwind();
    let run = run.map(|response| response.unwrap_or_else(panic_response));
    let response = tokio::time::timeout(limit, run).await;
    response.unwrap_or_else(|_| AppError::timed_out(is_safe).into_response())
}

fn wants_page(request: &Request) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|types| types.contains("text/html")) && !request.uri().path().starts_with("/api/")
}

/// The error page in place of the JSON of a server error.
fn with_error_page(pages: &Pages, response: Response) -> Response {
    match response.extensions().get().cloned() {
        Some(ErrorMessage(message)) => pages.error(response, &message, request_log::current_id().as_deref()),
        None => response,
    }
}

/// The response to a request whose handler panicked.
fn panic_response(panic: Box<dyn Any + Send>) -> Response {
    let detail = panic_message(&*panic).unwrap_or("a handler panicked");
    AppError::internal(detail.to_owned()).into_response()
}
