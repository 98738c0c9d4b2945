//! The HTTP/1.1 server: an accept loop with limits on time, size and number of connections, and a
//! graceful shutdown.
//!
//! `axum::serve` has no timeout for request headers, so idle half-open connections would pile up.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use futures_util::TryFutureExt as _;
use http::header::{CONNECTION, DATE, HeaderValue};
use http::{Request, Response, StatusCode};
use hyper::body::{Body, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Time for a request's headers, and for the next request on a keep-alive connection.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Time until a connection is closed whose client does not acknowledge data (TCP_USER_TIMEOUT).
const TCP_USER_TIMEOUT_MILLIS: u32 = 30_000;
/// Largest request head in bytes.
const MAX_HEAD_BYTES: usize = 32 * 1024;
/// As [`MAX_HEAD_BYTES`], while more than half of all connections are open: their heads need less than 128 MiB.
const MAX_HEAD_BYTES_UNDER_LOAD: usize = 8 * 1024;
/// Connections at once; further ones wait in the listener's backlog.
const MAX_CONNECTIONS: usize = 4_096;
/// Time for requests in flight to end after the signal to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// The number of open connections; clones share it.
#[derive(Clone, Debug, Default)]
pub struct OpenConnections(Arc<AtomicUsize>);

/// One of them, until it is dropped.
struct OpenConnection(OpenConnections);

impl OpenConnections {
    /// The number.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self) -> OpenConnection {
        self.0.fetch_add(1, Ordering::Relaxed);
        OpenConnection(self.clone())
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Serves connections, which are counted in `open`, until `stop` resolves, then lets requests in flight end.
///
/// `respond` builds the response to a request from a peer's address.
pub async fn serve<S, F, B>(listener: TcpListener, open: OpenConnections, respond: S, stop: impl Future<Output = ()>)
where
    S: Fn(Request<Incoming>, SocketAddr) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send,
    B: Body<Data: Send, Error: Into<axum::BoxError>> + Send + 'static,
{
    serve_at_most(MAX_CONNECTIONS, listener, open, respond, stop).await;
}

/// As [`serve`]; at most `max_connections` are open at once, and further ones wait in the listener's backlog.
pub async fn serve_at_most<S, F, B>(
    max_connections: usize,
    listener: TcpListener,
    open: OpenConnections,
    respond: S,
    stop: impl Future<Output = ()>,
) where
    S: Fn(Request<Incoming>, SocketAddr) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send,
    B: Body<Data: Send, Error: Into<axum::BoxError>> + Send + 'static,
{
    let graceful = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(max_connections));
    let accept = async || {
        let permit = Arc::clone(&permits).acquire_owned().await.map_err(std::io::Error::other)?;
        listener.accept().await.map(|(stream, peer)| (stream, peer, permit))
    };
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Usually out of file descriptors: retry later instead of spinning.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        set_options(&stream);
        let is_under_load = permits.available_permits() < max_connections / 2;
        let respond = respond.clone();
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIMEOUT)
            .max_buf_size(if is_under_load { MAX_HEAD_BYTES_UNDER_LOAD } else { MAX_HEAD_BYTES })
            .auto_date_header(false)
            .serve_connection(
                TokioIo::new(stream),
                service_fn(move |request| respond(request, peer).map_ok(close_after_unread_body).map_ok(with_date)),
            );
        let (connection, open) = (graceful.watch(connection), open.add());
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop((permit, open));
        });
    }
    drop(listener);
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests still in flight after 20 s were aborted");
    }
}

fn set_options(stream: &TcpStream) {
    // Both are optional: a socket that rejects them still works.
    let _ = stream.set_nodelay(true);
    let _ = rustix::net::sockopt::set_tcp_user_timeout(stream, TCP_USER_TIMEOUT_MILLIS);
}

fn close_after_unread_body<B>(mut response: Response<B>) -> Response<B> {
    if response.status() == StatusCode::PAYLOAD_TOO_LARGE {
        // The rest of the body is not read, so the client must not reuse the connection.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// hyper's own date does not follow a clock that is set back. Cached responses already have the header, so replacing
/// its value takes no allocation.
fn with_date<B>(mut response: Response<B>) -> Response<B> {
    response.headers_mut().insert(DATE, date_at(SystemTime::now()));
    response
}

/// The value of the `Date` header (RFC 9110 §6.6.1), formatted once a second on each thread.
pub fn date_at(now: SystemTime) -> HeaderValue {
    thread_local! {
        static LAST: RefCell<(u64, HeaderValue)> = const { RefCell::new((0, HeaderValue::from_static(""))) };
    }
    let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    LAST.with_borrow_mut(|(at, value)| {
        if *at != seconds || value.is_empty() {
            let text = DateTime::<Utc>::from(now).format("%a, %d %b %Y %H:%M:%S GMT").to_string();
            *at = seconds;
            *value = HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""));
        }
        value.clone()
    })
}

/// Raises the soft limit on open files to the hard limit.
pub fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // If the system rejects, the limit stays as it was.
    let _ = setrlimit(Resource::Nofile, limit);
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[test]
    fn the_date_follows_a_clock_that_is_set_back() {
        let later = UNIX_EPOCH + Duration::from_secs(1_795_334_999);
        assert_eq!(date_at(later), "Sun, 22 Nov 2026 08:09:59 GMT");
        assert_eq!(date_at(later + Duration::from_millis(1_001)), "Sun, 22 Nov 2026 08:10:00 GMT");
        assert_eq!(date_at(UNIX_EPOCH + Duration::from_secs(784_111_777)), "Sun, 06 Nov 1994 08:49:37 GMT");
    }

    #[tokio::test]
    async fn a_signal_to_stop_is_noticed_while_all_connections_are_in_use() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let respond = |_, _| async { Ok(Response::new("ok".to_owned())) };
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let open = OpenConnections::default();
        let server = tokio::spawn(serve_at_most(1, listener, open.clone(), respond, async {
            let _ = stopped.await;
        }));
        // The response shows that this connection holds the only permit.
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        assert!(client.read(&mut [0; 1024]).await.unwrap() > 0);
        let _waiting = TcpStream::connect(address).await.unwrap();
        assert_eq!(open.count(), 1);

        stop.send(()).unwrap();
        tokio::time::timeout(Duration::from_secs(8), server).await.expect("the server stops").unwrap();
        assert_eq!(open.count(), 0);
    }
}
