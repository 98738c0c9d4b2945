//! What is done for every request that reaches the router. There are few layers with several steps each, because a layer
//! allocates for every request.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::ACCEPT;

use crate::features::pages::Pages;
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

/// The outermost layer: counts the request, assigns its id, and runs [`security::protect`].
pub(super) async fn count_identify_protect(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let protect = |request| security::protect(&app, request, next);
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

/// Limits the time of a request, and sends a server error as a page to clients that accept HTML.
pub(super) async fn limit_time_and_show_errors(State(pages): State<Pages>, request: Request, next: Next) -> Response {
    let wants_page = wants_page(&request);
    let response = within_time_limit(request, next).await;
    if wants_page { with_error_page(&pages, response) } else { response }
}

async fn within_time_limit(request: Request, next: Next) -> Response {
    let limit = match request.uri().path() {
        images::UPLOAD_PATH => UPLOAD_TIMEOUT,
        brandlive::PATH => brandlive::REQUEST_TIMEOUT,
        _ => REQUEST_TIMEOUT,
    };
    let is_safe = request.method().is_safe();
    let response = tokio::time::timeout(limit, next.run(request)).await;
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
pub(super) fn panic_response(panic: Box<dyn Any + Send>) -> Response {
    let detail = panic_message(&*panic).unwrap_or("a handler panicked");
    AppError::internal(detail.to_owned()).into_response()
}
