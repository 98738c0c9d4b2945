//! The request id: the `x-request-id` header, and the request in each line that is logged for it.

use std::fmt;
use std::net::SocketAddr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{HeaderName, HeaderValue};
use http::{Method, Uri};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::security::{self, is_trusted};
use super::state::AppState;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

tokio::task_local! {
    /// The request that the task serves. A tracing span would be formatted for each request, this is formatted only
    /// for the few that log something.
    static CURRENT: Current;
}

struct Current {
    id: HeaderValue,
    method: Method,
    uri: Uri,
}

/// The outermost layer of the router. It includes [`security::guard`], because each layer allocates for every request.
pub async fn layer(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let id = forwarded_id(&request, &app).unwrap_or_else(new_id);
    let current = Current { id: id.clone(), method: request.method().clone(), uri: request.uri().clone() };
    let mut response = CURRENT.scope(current, security::guard(&app, request, next)).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// The id that a trusted proxy has given the request.
fn forwarded_id(request: &Request, app: &AppState) -> Option<HeaderValue> {
    const MAX_LENGTH: usize = 64;
    let id = request.headers().get(REQUEST_ID)?;
    let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let is_valid = (1..=MAX_LENGTH).contains(&id.len()) && id.as_bytes().iter().all(is_plain);
    (is_valid && is_trusted(peer.ip(), &app.trusted_proxies)).then(|| id.clone())
}

/// 64 bits in hexadecimal digits, unique while the server runs.
fn new_id() -> HeaderValue {
    // Without random numbers the ids of two runs may be the same, which is no reason to fail requests.
    static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(getrandom::u64().unwrap_or_default()));
    // An odd step of this size visits every number, and the digits of neighbours differ.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let bits = NEXT.fetch_add(STEP, Ordering::Relaxed);
    HeaderValue::from_str(&format!("{bits:016x}")).unwrap_or(HeaderValue::from_static("0"))
}

/// Formats a line of the log: time (UTC), level, the request if there is one, message and fields. The query string of
/// a request is never logged.
#[derive(Debug)]
pub struct LineFormat;

impl<S, N> FormatEvent<S, N> for LineFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        SystemTime.format_time(&mut writer)?;
        write!(writer, " {:>5} ", event.metadata().level())?;
        let request = CURRENT.try_with(|Current { id, method, uri }| {
            let id = id.to_str().unwrap_or_default();
            write!(writer, "request{{id={id:?} method={:?} path={:?}}}: ", method.as_str(), uri.path())
        });
        request.unwrap_or(Ok(()))?;
        context.field_format().format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}
