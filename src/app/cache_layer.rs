//! The layer around the router that sends cached responses before routing.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use bytes::Bytes;
use futures_util::TryFutureExt as _;
use futures_util::future::Either;
use http::{Request, Response};
use http_body_util::Full;
use ipnet::IpNet;
use tower::ServiceExt as _;

use crate::platform::host_header::has_one_host;
use crate::platform::request_log;
use crate::platform::response_cache::ResponseCache;

/// The body of a cached response, which takes no allocation, or of a response of the router.
pub type ResponseBody = http_body_util::Either<Full<Bytes>, Body>;

/// The router behind the response cache (docs/decisions/0024). All requests pass through it, also those of tests.
#[derive(Clone, Debug)]
pub struct CachedRouter {
    cache: Arc<ResponseCache>,
    router: Router,
    trusted_proxies: Arc<[IpNet]>,
}

impl CachedRouter {
    /// Wraps the router, which handles requests without a cached response. The `trusted_proxies` may choose the id of a
    /// request.
    pub fn new(cache: Arc<ResponseCache>, router: Router, trusted_proxies: Arc<[IpNet]>) -> Self {
        Self { cache, router, trusted_proxies }
    }

    /// The response to a request from `peer`.
    pub fn respond<B>(
        &self,
        mut request: Request<B>,
        peer: SocketAddr,
    ) -> impl Future<Output = Result<Response<ResponseBody>, Infallible>> + Send + use<B>
    where
        B: axum::body::HttpBody<Data = Bytes, Error: Into<axum::BoxError>> + Send + 'static,
    {
        if let Some(mut response) = self.cached_response(&request) {
            let id = request_log::id_of(request.headers(), Some(peer), &self.trusted_proxies);
            request_log::set_id(&mut response, id);
            return Either::Left(ready(Ok(response.map(ResponseBody::Left))));
        }
        // Only now, because extensions and the router's body are allocated.
        request.extensions_mut().insert(ConnectInfo(peer));
        let response = self.router.clone().oneshot(request.map(Body::new));
        Either::Right(response.map_ok(|response| response.map(ResponseBody::Right)))
    }

    fn cached_response<B>(&self, request: &Request<B>) -> Option<Response<Full<Bytes>>> {
        // The router rejects other requests.
        if has_one_host(request) { self.cache.respond_if_cached(request) } else { None }
    }
}
