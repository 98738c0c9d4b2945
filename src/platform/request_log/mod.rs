//! The log of the server: its format, how it is written to stderr, the request in each line that is logged for it, the id of a
//! request, and optionally a line for every request.

mod format;
mod id;
mod writer;

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use futures_util::FutureExt as _;
use futures_util::future::Either;
use http::header::HeaderValue;
use http::{Method, Uri};
use hyper::body::Body;
use ipnet::IpNet;

pub use id::{REQUEST_ID, id_of, set_id};
pub use writer::LogWriter;

use super::client_address::client_address;
use super::error::AppError;

tokio::task_local! {
    /// The request that the task serves. A tracing span would be formatted for each request; this is formatted only for
    /// those that log something.
    static CURRENT: CurrentRequest;
}

#[derive(Clone, Debug)]
struct CurrentRequest {
    id: HeaderValue,
    method: Method,
    uri: Uri,
}

impl CurrentRequest {
    fn new<B>(request: &http::Request<B>, peer: Option<SocketAddr>, trusted: &[IpNet]) -> Self {
        Self {
            id: id_of(request.headers(), peer, trusted),
            method: request.method().clone(),
            uri: request.uri().clone(),
        }
    }

    fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }
}

/// The request in the lines that are logged while it is served, and its id.
#[derive(Debug)]
pub struct RequestScope(Option<CurrentRequest>);

impl RequestScope {
    /// Assigns the id. Call it in the task that serves the request.
    pub fn new(request: &Request, trusted: &[IpNet]) -> Self {
        // [`RequestLine::log`] has set it.
        if CURRENT.try_with(|_| ()).is_ok() {
            return Self(None);
        }
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer);
        Self(Some(CurrentRequest::new(request, peer, trusted)))
    }

    /// Serves the request with its id, which is in the lines that are logged for it and in a header of the response.
    pub fn serve<F: Future<Output = Response>>(self, response: F) -> impl Future<Output = Response> + use<F> {
        let Some(current) = self.0 else { return Either::Left(response) };
        let id = current.id.clone();
        // Not an async block, which would contain the future twice.
        Either::Right(CURRENT.scope(current, response).map(move |mut response| {
            set_id(&mut response, id);
            response
        }))
    }
}

/// The id of the request that the task serves.
pub fn current_id() -> Option<String> {
    CURRENT.try_with(|current| current.id().to_owned()).ok()
}

/// Runs a part of a request to its end, even if the client disconnects. What it logs contains the request. Its error is
/// logged here if no response reports it.
///
/// # Errors
/// Those of `part`; an internal error if it panics.
pub async fn run_detached<T: Send + 'static>(
    part: impl Future<Output = Result<T, AppError>> + Send + 'static,
) -> Result<T, AppError> {
    // The receiver is dropped with the request.
    let (client, _connected) = tokio::sync::oneshot::channel::<()>();
    let part = async move {
        let result = part.await;
        if let (Err(error), true) = (&result, client.is_closed()) {
            error.log();
        }
        result
    };
    let task = match CURRENT.try_with(Clone::clone) {
        Ok(current) => tokio::spawn(CURRENT.scope(current, part)),
        Err(_) => tokio::spawn(part),
    };
    task.await.map_err(AppError::internal)?
}

#[derive(Debug)]
pub struct RequestLine {
    started: Instant,
    address: IpAddr,
    current: CurrentRequest,
}

impl RequestLine {
    /// Begins with a request from `peer`, which may be one of the `trusted` proxies.
    pub fn new<B>(request: &http::Request<B>, peer: SocketAddr, trusted: &[IpNet]) -> Self {
        Self {
            started: Instant::now(),
            address: client_address(peer.ip(), request.headers(), trusted),
            current: CurrentRequest::new(request, Some(peer), trusted),
        }
    }

    /// Waits for the response and logs the method, the path without its query string, the status, the milliseconds
    /// until the response was ready to send, the bytes of its body if they are known by then, and the client's address.
    ///
    /// # Errors
    /// Those of `response`.
    pub async fn log<R: Body, E>(
        self,
        response: impl Future<Output = Result<http::Response<R>, E>>,
    ) -> Result<http::Response<R>, E> {
        let id = self.current.id.clone();
        let log_response = async {
            let response = response.await?;
            tracing::info!(
                status = response.status().as_u16(),
                ms = (self.started.elapsed().as_secs_f64() * 1e5).round() / 1e2,
                bytes = response.body().size_hint().exact(),
                address = %self.address,
                "response"
            );
            Ok(response)
        };
        let mut response = CURRENT.scope(self.current, log_response).await?;
        set_id(&mut response, id);
        Ok(response)
    }
}
