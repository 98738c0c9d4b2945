//! HTTP/2 (RFC 9113): limits of a connection and its streams, and requests and responses in the form of HTTP/1.1.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use http::header::{COOKIE, HOST, HeaderValue};
use http::{HeaderMap, Request, Response};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::rt::Executor;
use hyper::server::conn::http2;
use hyper_util::rt::TokioTimer;

use super::HEADER_TIMEOUT;

/// Requests at once on one connection. hyper's default is 200; nginx allows 128, browsers use up to 100.
const MAX_STREAMS: u32 = 100;
/// Bytes of request bodies that a client may send before they are read: per stream, and per connection. hyper's
/// default is 1 MiB for each, which 4,096 connections would multiply.
const STREAM_WINDOW: u32 = 128 * 1024;
const CONNECTION_WINDOW: u32 = 256 * 1024;
/// Bytes of a response that are buffered per stream; hyper's default is 400 KiB.
const MAX_SEND_BUFFER: usize = 128 * 1024;
/// Streams that the client opened and reset before they were handled ("rapid reset"). The default of h2.
const MAX_PENDING_RESETS: usize = 20;
/// Streams that this server reset because of errors of the client; hyper's default is 1,024.
const MAX_ERROR_RESETS: usize = 128;
/// Time without a request after which a connection is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Time without progress of the requests in flight after which a connection is closed: longer than any request takes.
const STALL_TIMEOUT: Duration = Duration::from_mins(3);
/// Time for the responses of a connection that is being closed.
const CLOSE_TIMEOUT: Duration = Duration::from_mins(10);

/// Settings of a connection; the size limit is that of the headers of one request.
pub(super) fn builder(max_head_bytes: usize) -> http2::Builder<PollFirst> {
    let mut builder = http2::Builder::new(PollFirst);
    builder
        .timer(TokioTimer::new())
        .auto_date_header(false)
        .max_concurrent_streams(MAX_STREAMS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_header_list_size(u32::try_from(max_head_bytes).unwrap_or(u32::MAX))
        .max_send_buf_size(MAX_SEND_BUFFER)
        .max_pending_accept_reset_streams(MAX_PENDING_RESETS)
        .max_local_error_reset_streams(MAX_ERROR_RESETS);
    builder
}

/// Runs the future of a stream on the task of its connection while it makes progress, and spawns it only when it waits:
/// a cached response is ready at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct PollFirst;

impl<F: Future<Output: Send> + Send + 'static> Executor<F> for PollFirst {
    fn execute(&self, future: F) {
        let mut future = Box::pin(future);
        // A future that is polled by another task replaces this waker.
        if future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            tokio::spawn(future);
        }
    }
}

/// Gives a request the headers that it would have in HTTP/1.1: `Host`, and one `Cookie` (RFC 9113 §8.2.3, §8.3.1).
pub(super) fn as_in_http1(mut request: Request<Incoming>) -> Request<Incoming> {
    let authority = request.uri().authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok());
    let headers = request.headers_mut();
    if let Some(authority) = authority {
        match headers.get(HOST) {
            Some(host) if *host == authority => {}
            // A request with two hosts is rejected.
            Some(_) => drop(headers.append(HOST, authority)),
            None => drop(headers.insert(HOST, authority)),
        }
    }
    join_cookies(headers);
    request
}

fn join_cookies(headers: &mut HeaderMap) {
    let mut fields = headers.get_all(COOKIE).iter();
    if fields.next().is_none() || fields.next().is_none() {
        return;
    }
    let fields: Vec<&[u8]> = headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes).collect();
    if let Ok(joined) = HeaderValue::from_bytes(&fields.join(&b"; "[..])) {
        headers.insert(COOKIE, joined);
    }
}

/// What happens on a connection; clones share it.
#[derive(Clone, Debug)]
pub(super) struct ConnectionActivity(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    began: Instant,
    requests: AtomicUsize,
    in_flight: AtomicUsize,
    /// Milliseconds since `began`: when a request began, made progress or ended, and when bytes were sent. Bytes alone
    /// are not progress, because each ping of the client is acknowledged.
    last_progress: AtomicU64,
    last_write: AtomicU64,
}

impl ConnectionActivity {
    pub(super) fn new() -> Self {
        Self(Arc::new(Counters {
            began: Instant::now(),
            requests: AtomicUsize::new(0),
            in_flight: AtomicUsize::new(0),
            last_progress: AtomicU64::new(0),
            last_write: AtomicU64::new(0),
        }))
    }

    fn now(&self) -> u64 {
        u64::try_from(self.0.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Records that bytes were sent.
    pub(super) fn wrote(&self) {
        self.0.last_write.store(self.now(), Ordering::Relaxed);
    }

    /// Records that a part of a response was read.
    fn progressed(&self) {
        self.0.last_progress.store(self.now(), Ordering::Relaxed);
    }

    /// Records a request, which is in flight until the result is dropped.
    pub(super) fn begin(&self) -> InFlight {
        self.0.requests.fetch_add(1, Ordering::Relaxed);
        self.0.in_flight.fetch_add(1, Ordering::Relaxed);
        self.progressed();
        InFlight(self.clone())
    }

    /// The time after which the connection must be closed unless something happens.
    pub(super) fn time_left(&self) -> Duration {
        let since = self.0.last_progress.load(Ordering::Relaxed);
        let limit = match (self.0.in_flight.load(Ordering::Relaxed), self.0.requests.load(Ordering::Relaxed)) {
            (0, 0) => HEADER_TIMEOUT,
            (0, _) => IDLE_TIMEOUT,
            _ => STALL_TIMEOUT,
        };
        limit.saturating_sub(Duration::from_millis(self.now().saturating_sub(since)))
    }

    /// The time that a connection which is being closed has left, while the client receives responses.
    pub(super) fn time_to_close(&self, closing_since: Instant) -> Duration {
        let idle = Duration::from_millis(self.now().saturating_sub(self.0.last_write.load(Ordering::Relaxed)));
        let idle = idle.min(closing_since.elapsed());
        let in_flight = self.0.in_flight.load(Ordering::Relaxed) > 0;
        let limit = if in_flight { STALL_TIMEOUT } else { IDLE_TIMEOUT };
        limit.saturating_sub(idle).min(CLOSE_TIMEOUT.saturating_sub(closing_since.elapsed()))
    }
}

/// A request in flight.
#[derive(Debug)]
pub(super) struct InFlight(ConnectionActivity);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.0.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.0.progressed();
    }
}

/// The body of a response, whose request is in flight until it is sent.
#[derive(Debug)]
pub(super) struct TrackedBody<B> {
    body: B,
    in_flight: InFlight,
}

impl<B> TrackedBody<B> {
    pub(super) fn track(response: Response<B>, in_flight: InFlight) -> Response<Self> {
        response.map(|body| Self { body, in_flight })
    }
}

impl<B: Body + Unpin> Body for TrackedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if frame.is_ready() {
            self.in_flight.0.progressed();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_in_several_fields_become_one() {
        let mut headers = HeaderMap::new();
        for value in ["a=1", "b=2; c=3", "d=4"] {
            headers.append(COOKIE, HeaderValue::from_static(value));
        }
        join_cookies(&mut headers);
        assert_eq!(headers.get_all(COOKIE).iter().collect::<Vec<_>>(), ["a=1; b=2; c=3; d=4"]);
    }

    #[test]
    fn a_connection_without_requests_is_closed_earlier_than_an_idle_one() {
        let activity = ConnectionActivity::new();
        assert!(activity.time_left() <= HEADER_TIMEOUT);
        let request = activity.begin();
        assert!(activity.time_left() > IDLE_TIMEOUT);
        drop(request);
        assert!(activity.time_left() > HEADER_TIMEOUT && activity.time_left() <= IDLE_TIMEOUT);
    }
}
