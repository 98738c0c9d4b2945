//! What is done for every request that reaches the router. There is one layer with several steps, because every layer of
//! the router allocates for each request.

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Either, lazy};
use http::header::ACCEPT;
use tower::layer::layer_fn;
use tower::{Layer, Service};

use crate::features::pages::Pages;
use crate::features::{brandlive, images};
use crate::platform::error::{AppError, ErrorMessage, panic_message};
use crate::platform::metrics::{RequestMetrics, RouteMetrics};
use crate::platform::request_log::RequestScope;
use crate::platform::state::AppState;
use crate::platform::{request_log, security};

/// Timeout of a request, from its headers to its response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);
/// Timeout of an image upload: 8 MB at 0.5 Mbit/s take 2¼ minutes.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(150);
/// Folders of files, which are counted as one route each.
const FOLDERS: [&str; 2] = ["/pictures/", "/assets/"];

/// What the layer uses.
pub(super) struct HandlerContext {
    pub(super) app: AppState,
    pub(super) pages: Pages,
}

/// Counts the request, assigns its id, checks it, runs the handler with a time limit, and adds the security headers.
///
/// A service with a single future instead of a chain of `async` functions: each of them would contain the request or the future
/// of the next one twice, and the allocator is slower for more than 1 KB.
#[derive(Clone)]
pub(super) struct HandlerService<S> {
    inner: S,
    context: Arc<HandlerContext>,
}

/// The layer that adds [`HandlerService`].
pub(super) fn handler_layer<S>(context: HandlerContext) -> impl Layer<S, Service = HandlerService<S>> + Clone {
    let context = Arc::new(context);
    layer_fn(move |inner| HandlerService { inner, context: Arc::clone(&context) })
}

impl<S> Service<Request> for HandlerService<S>
where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send + 'static> + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let context = Arc::clone(&self.context);
        let scope = RequestScope::new(&request, &context.app.trusted_proxies);
        let counted = context.app.metrics.as_ref().map(|metrics| {
            let route = route_metrics(metrics, &request);
            (Instant::now(), request.method().clone(), route)
        });
        let response = match security::check_request(&context.app, &request) {
            Ok(()) => Either::Left(self.respond(request)),
            Err(error) => Either::Right(lazy(|_| security::rejection(error))),
        };
        let response = scope.serve(response.map(move |mut response| {
            security::set_headers(&context.app, &mut response);
            response
        }));
        Box::pin(response.map(move |response| {
            if let Some((started, method, route)) = counted {
                route.count(&method, response.status(), started);
            }
            Ok(response)
        }))
    }
}

impl<S> HandlerService<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    /// Runs the handler with a time limit. A server error, also that of a handler that panics, is a page for clients that
    /// accept HTML.
    fn respond(&mut self, request: Request) -> impl Future<Output = Response> + use<S> {
        let context = Arc::clone(&self.context);
        let (wants_page, limit, is_safe) = (wants_page(&request), time_limit(&request), request.method().is_safe());
        // The state that handlers share has no invariant that a panic breaks.
        let run = AssertUnwindSafe(self.inner.call(request)).catch_unwind();
        let run = run.map(|result| result.map_or_else(panic_response, |Ok(response)| response));
        tokio::time::timeout(limit, run).map(move |response| {
            let response = response.unwrap_or_else(|_| AppError::timed_out(is_safe).into_response());
            if wants_page { with_error_page(&context.pages, response) } else { response }
        })
    }
}

/// The time that the handler of a request may take.
fn time_limit(request: &Request) -> Duration {
    match request.uri().path() {
        images::UPLOAD_PATH => UPLOAD_TIMEOUT,
        brandlive::PATH => brandlive::REQUEST_TIMEOUT,
        _ => REQUEST_TIMEOUT,
    }
}

/// The metrics of the route pattern that a request matches, or of its folder of files.
fn route_metrics(metrics: &RequestMetrics, request: &Request) -> Arc<RouteMetrics> {
    let path = request.uri().path();
    match request.extensions().get::<MatchedPath>() {
        Some(pattern) => metrics.route(pattern.as_str()),
        None => metrics.route(FOLDERS.into_iter().find(|folder| path.starts_with(folder)).unwrap_or("other")),
    }
}

fn wants_page(request: &Request) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|types| types.contains("text/html")) && !request.uri().path().starts_with("/api/")
}

/// The error page instead of the JSON of a server error.
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
