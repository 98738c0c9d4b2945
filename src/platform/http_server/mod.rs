//! The HTTP server: an accept loop with limits on time, size and number of connections, and a graceful shutdown.
//! HTTP/1.1 without TLS, HTTP/2 and HTTP/1.1 with it.
//!
//! `axum::serve` has no timeout for request headers, so idle half-open connections would pile up.

mod addresses;
mod frame_buffer;
mod header_timer;
mod http2;
mod stream;

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use chrono::DateTime;
use futures_util::TryFutureExt as _;
use http::header::{CONNECTION, DATE, HeaderValue};
use http::{Request, Response, StatusCode};
use hyper::body::{Body, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

use super::clock::unix_seconds;
use super::https::Tls;
use frame_buffer::FrameBuffer;
use header_timer::{HeaderTimer, POLL_INTERVAL};
use http2::{ConnectionActivity, TrackedBody};
use stream::WatchedStream;

pub use addresses::AddressLimit;

/// Time for a request's headers, and for the next request on a keep-alive connection.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for a TLS handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time until a connection is closed whose client does not acknowledge data (TCP_USER_TIMEOUT).
const TCP_USER_TIMEOUT_MILLIS: u32 = 30_000;
/// Largest request head in bytes.
const MAX_HEAD_BYTES: usize = 32 * 1024;
/// As [`MAX_HEAD_BYTES`], while more than half of all connections are open: their heads need less than 128 MiB.
const MAX_HEAD_BYTES_UNDER_LOAD: usize = 8 * 1024;
/// Connections at once; further ones wait in the listener's backlog.
pub const MAX_CONNECTIONS: usize = 4_096;
/// Time for requests in flight to end after the signal to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// The number of open connections; clones share it.
#[derive(Clone, Debug, Default)]
pub struct OpenConnections(Arc<AtomicUsize>);

/// One of them, until it is dropped.
struct OpenConnection(OpenConnections);

impl OpenConnections {
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

/// Accepts connections and serves requests.
pub struct Server {
    listener: TcpListener,
    open: OpenConnections,
    max_connections: usize,
    addresses: Option<AddressLimit>,
    tls: Option<Tls>,
}

impl Server {
    /// Serves HTTP/1.1 without TLS to at most 4,096 connections at once, which are counted in `open`.
    pub fn new(listener: TcpListener, open: OpenConnections) -> Self {
        Self { listener, open, max_connections: MAX_CONNECTIONS, addresses: None, tls: None }
    }

    /// Has at most `max` open connections; further ones wait in the listener's backlog.
    #[must_use]
    pub fn at_most(mut self, max: usize) -> Self {
        self.max_connections = max;
        self
    }

    /// Limits the connections from one address; further ones are closed.
    #[must_use]
    pub fn limit_addresses(mut self, limit: AddressLimit) -> Self {
        self.addresses = Some(limit);
        self
    }

    /// Serves HTTP/2 and HTTP/1.1 over TLS.
    #[must_use]
    pub fn with_tls(mut self, tls: Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Serves until `stop` resolves, then lets requests in flight end. `respond` builds the response to a request from
    /// a peer's address.
    pub async fn serve<S, F, B>(self, respond: S, stop: impl Future<Output = ()>)
    where
        S: Fn(Request<Incoming>, SocketAddr) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Result<Response<B>, Infallible>> + Send + 'static,
        B: Body<Data: Send, Error: Into<axum::BoxError>> + Send + Unpin + 'static,
    {
        let Self { listener, open, max_connections, addresses, tls } = self;
        let (stopping, stopped) = watch::channel(());
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
            let counted = match &addresses {
                None => None,
                Some(limit) => {
                    let counted = limit.count(peer);
                    if counted.is_none() {
                        tracing::debug!(address = %peer.ip(), "a connection was closed: too many from this address");
                        continue;
                    }
                    counted
                }
            };
            set_options(&stream);
            let is_under_load = permits.available_permits() < max_connections / 2;
            let connection = Connection {
                peer,
                max_head_bytes: if is_under_load { MAX_HEAD_BYTES_UNDER_LOAD } else { MAX_HEAD_BYTES },
                respond: respond.clone(),
                stopped: stopped.clone(),
            };
            let (tls, open) = (tls.clone(), open.add());
            tokio::spawn(async move {
                let result = match tls {
                    None => connection.serve_http1(stream).await,
                    Some(tls) => connection.serve_tls(stream, &tls).await,
                };
                if let Err(error) = result {
                    tracing::debug!(%error, "a connection ended early");
                }
                drop((permit, open, counted));
            });
        }
        drop((listener, stopped));
        // Each connection has a receiver.
        let _ = stopping.send(());
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, stopping.closed()).await.is_err() {
            tracing::warn!("requests still in flight after 20 s were aborted");
        }
    }
}

/// A connection that was accepted.
struct Connection<S> {
    peer: SocketAddr,
    max_head_bytes: usize,
    respond: S,
    stopped: watch::Receiver<()>,
}

impl<S, F, B> Connection<S>
where
    S: Fn(Request<Incoming>, SocketAddr) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send + 'static,
    B: Body<Data: Send, Error: Into<axum::BoxError>> + Send + Unpin + 'static,
{
    /// The handshake, then the protocol that the client prefers.
    async fn serve_tls(mut self, stream: TcpStream, tls: &Tls) -> Result<(), axum::BoxError> {
        let activity = ConnectionActivity::new();
        let stream = WatchedStream { stream, activity: activity.clone() };
        let handshake = tokio::time::timeout(HANDSHAKE_TIMEOUT, tls.accept(stream));
        let accepted = tokio::select! {
            accepted = handshake => accepted??,
            _ = self.stopped.changed() => return Ok(()),
        };
        match accepted {
            None => Ok(()),
            Some(stream) if stream.get_ref().1.alpn_protocol() == Some(b"h2") => {
                self.serve_http2(stream, activity).await.map_err(Into::into)
            }
            Some(stream) => self.serve_http1(stream).await,
        }
    }

    async fn serve_http1(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    ) -> Result<(), axum::BoxError> {
        let Self { peer, max_head_bytes, respond, stopped } = self;
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(HeaderTimer)
            .header_read_timeout(HEADER_TIMEOUT)
            .max_buf_size(max_head_bytes)
            .auto_date_header(false)
            .serve_connection(
                TokioIo::new(stream),
                service_fn(move |request| {
                    respond(request, peer).map_ok(|response| with_date(close_after_unread_body(response)))
                }),
            );
        let mut connection = std::pin::pin!(connection);
        let mut signal = stopped.clone();
        let mut stop = std::pin::pin!(async move { signal.changed().await });
        let mut tick = std::pin::pin!(tokio::time::sleep(POLL_INTERVAL));
        let mut is_stopping = false;
        // Whether the task is woken by the signal and by the time. Its waker never changes, so most polls, which are for
        // the connection, only read whether these have happened: polling both would take 2 % of a write's processor time.
        let mut is_registered = false;
        std::future::poll_fn(|context| {
            loop {
                if let Poll::Ready(result) = connection.as_mut().poll(context) {
                    return Poll::Ready(result.map_err(Into::into));
                }
                let has_stopped = !is_stopping && stopped.has_changed().unwrap_or(true);
                if is_registered && !has_stopped && !tick.is_elapsed() {
                    return Poll::Pending;
                }
                // Without a budget they do not register the waker; the task is polled again at once.
                is_registered = tokio::task::coop::has_budget_remaining();
                if !is_stopping && stop.as_mut().poll(context).is_ready() {
                    is_stopping = true;
                    connection.as_mut().graceful_shutdown();
                } else if tick.as_mut().poll(context).is_ready() {
                    tick.as_mut().reset(tokio::time::Instant::now() + POLL_INTERVAL);
                } else {
                    return Poll::Pending;
                }
                is_registered = false;
            }
        })
        .await
    }

    async fn serve_http2(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        activity: ConnectionActivity,
    ) -> hyper::Result<()> {
        let Self { peer, max_head_bytes, respond, mut stopped } = self;
        let requests = activity.clone();
        let frames = FrameBuffer::new(stream);
        let connection = http2::builder(max_head_bytes).serve_connection(
            TokioIo::new(frames.clone()),
            service_fn(move |request| {
                let in_flight = requests.begin();
                respond(http2::as_in_http1(request), peer)
                    .map_ok(move |response| TrackedBody::track(with_date(response), in_flight))
            }),
        );
        let mut connection = std::pin::pin!(connection);
        loop {
            tokio::select! {
                result = frames.drive(connection.as_mut()) => return result,
                _ = stopped.changed() => break,
                () = tokio::time::sleep(activity.time_left()) => {
                    if activity.time_left().is_zero() {
                        break;
                    }
                }
            }
        }
        // It tells the client to use another connection, and the requests in flight end.
        connection.as_mut().graceful_shutdown();
        let closing_since = Instant::now();
        loop {
            let left = activity.time_to_close(closing_since);
            if left.is_zero() {
                return Ok(());
            }
            if let Ok(result) = tokio::time::timeout(left, frames.drive(connection.as_mut())).await {
                return result;
            }
        }
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
    response.headers_mut().insert(DATE, date_at(unix_seconds()));
    response
}

/// The value of the `Date` header (RFC 9110 §6.6.1), formatted once a second on each thread.
fn date_at(seconds: i64) -> HeaderValue {
    thread_local! {
        static LAST: RefCell<(i64, HeaderValue)> = const { RefCell::new((0, HeaderValue::from_static(""))) };
    }
    LAST.with_borrow_mut(|(at, value)| {
        if *at != seconds || value.is_empty() {
            let text = DateTime::from_timestamp(seconds, 0)
                .unwrap_or_default()
                .format("%a, %d %b %Y %H:%M:%S GMT")
                .to_string();
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
        assert_eq!(date_at(1_795_334_999), "Sun, 22 Nov 2026 08:09:59 GMT");
        assert_eq!(date_at(1_795_335_000), "Sun, 22 Nov 2026 08:10:00 GMT");
        assert_eq!(date_at(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
    }

    #[tokio::test]
    async fn a_signal_to_stop_is_noticed_while_all_connections_are_in_use() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let respond = |_, _| async { Ok(Response::new("ok".to_owned())) };
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let open = OpenConnections::default();
        let server = Server::new(listener, open.clone()).at_most(1).serve(respond, async {
            let _ = stopped.await;
        });
        let server = tokio::spawn(server);
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
