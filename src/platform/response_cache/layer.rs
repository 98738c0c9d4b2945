//! The outermost layer of the router.

use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::response::Response;
use futures_util::future::Either;
use http::Request;
use tower::Service;

use super::ResponseCache;

/// Sends cached responses before the inner service routes a request.
#[derive(Clone, Debug)]
pub struct ServeFromCache<S> {
    cache: Arc<ResponseCache>,
    inner: S,
}

impl<S> ServeFromCache<S> {
    /// Wraps a service, which builds what is not cached.
    pub fn new(cache: Arc<ResponseCache>, inner: S) -> Self {
        Self { cache, inner }
    }
}

impl<S, B> Service<Request<B>> for ServeFromCache<S>
where
    S: Service<Request<B>, Response = Response>,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Either<Ready<Result<Response, S::Error>>, S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        match self.cache.respond_if_cached(&request) {
            Some(response) => Either::Left(ready(Ok(response))),
            None => Either::Right(self.inner.call(request)),
        }
    }
}
