//! The accept loop: HTTP/1.1 with a limit on time, size and number, and an orderly end.
//!
//! `axum::serve` has no time limit on headers; a thousand half-open connections would stop a site.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use bytes::Bytes;
use http::header::{CONNECTION, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use super::response_cache::ResponseCache;

/// Time for a request's headers, and for the next request on a connection that is kept.
const HEADERS: Duration = Duration::from_secs(10);
/// Time for the peer to take what was sent; a stalled reader does not keep its place.
const STALLED_MILLIS: u32 = 30_000;
/// Largest request head in bytes.
const HEAD_BYTES: usize = 32 * 1024;
/// Connections at once; more wait to be accepted.
const CONNECTIONS: usize = 4_096;
/// Time for requests in flight to end after the signal to stop.
const DRAIN: Duration = Duration::from_secs(20);

type Answer = Response<Either<Full<Bytes>, Body>>;

/// Serves until `stop` resolves, then lets requests in flight end. Prepared answers go out from
/// the shelf at once; everything else goes through the router.
pub async fn serve(
    listener: TcpListener,
    shelf: Arc<ResponseCache>,
    router: axum::Router,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut stop = std::pin::pin!(stop);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of descriptors, most likely: wait for some to come back instead of spinning.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        set_up(&stream);
        let service = {
            let (shelf, router) = (Arc::clone(&shelf), router.clone());
            service_fn(move |request| answer(request, peer, Arc::clone(&shelf), router.clone()))
        };
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were still in flight after 20 s and were cut off");
    }
}

fn set_up(stream: &TcpStream) {
    // Both are improvements only: a socket that refuses them still works.
    let _ = stream.set_nodelay(true);
    let _ = rustix::net::sockopt::set_tcp_user_timeout(stream, STALLED_MILLIS);
}

async fn answer(
    request: Request<Incoming>,
    peer: SocketAddr,
    shelf: Arc<ResponseCache>,
    router: axum::Router,
) -> Result<Answer, Infallible> {
    if let Some(ready) = shelf.respond_if_cached(&request) {
        return Ok(ready.map(Either::Left));
    }
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    let mut response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
    if response.status() == StatusCode::PAYLOAD_TOO_LARGE {
        // The rest of the body is not read, so the connection ends; a client who is not told would
        // send the next request into it.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(Either::Right))
}

/// Raises the soft limit on open files to the hard one, so that it is not what ends a busy day.
pub fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // What the system does not allow stays as it was.
    let _ = setrlimit(Resource::Nofile, limit);
}
