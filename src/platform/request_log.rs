//! The log of the server: its format, the request in each line that is logged for it, the `x-request-id` header, and
//! optionally a line for every request.

use std::cell::Cell;
use std::fmt;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use futures_util::FutureExt as _;
use futures_util::future::Either;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::{Method, Uri};
use hyper::body::Body;
use ipnet::IpNet;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::config::LogFormat;
use super::error::AppError;
use super::hex::hex;
use super::security::{client_address, is_trusted};

/// The response header with the id of the request in the log.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

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

/// Sets the `x-request-id` of a response.
pub fn set_id<B>(response: &mut http::Response<B>, id: HeaderValue) {
    response.headers_mut().insert(REQUEST_ID, id);
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

/// The id that a trusted proxy has assigned to the request, or a new one.
pub fn id_of(headers: &HeaderMap, peer: Option<SocketAddr>, trusted: &[IpNet]) -> HeaderValue {
    peer.and_then(|peer| forwarded_id(headers, peer, trusted)).unwrap_or_else(new_id)
}

/// The id that a trusted proxy has assigned to the request.
fn forwarded_id(headers: &HeaderMap, peer: SocketAddr, trusted: &[IpNet]) -> Option<HeaderValue> {
    const MAX_LENGTH: usize = 64;
    if !is_trusted(peer.ip(), trusted) {
        return None;
    }
    let id = headers.get(REQUEST_ID)?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let is_valid = (1..=MAX_LENGTH).contains(&id.len()) && id.as_bytes().iter().all(is_plain);
    is_valid.then(|| id.clone())
}

/// 64 bits in hexadecimal digits, unique while the server runs.
fn new_id() -> HeaderValue {
    // An odd step of this size visits every number, and consecutive ids differ in most digits.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    thread_local! {
        // One for each thread, because they would wait for each other's access. Without random numbers, ids may repeat,
        // which is better than failing requests.
        static NEXT: Cell<u64> = Cell::new(getrandom::u64().unwrap_or_default());
    }
    let bits = NEXT.replace(NEXT.get().wrapping_add(STEP));
    HeaderValue::try_from(hex(&bits.to_be_bytes())).unwrap_or(HeaderValue::from_static("0"))
}

/// Formats a line of the log: time (UTC), level, the request if there is one, message and fields. The query string of
/// a request is never logged.
impl<S, N> FormatEvent<S, N> for LogFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let current = CURRENT.try_with(Clone::clone).ok();
        match self {
            Self::Text => {
                SystemTime.format_time(&mut writer)?;
                write!(writer, " {:>5} ", event.metadata().level())?;
                if let Some(current) = current {
                    let (id, method, path) = (current.id(), current.method.as_str(), current.uri.path());
                    write!(writer, "request{{id={id:?} method={method:?} path={path:?}}}: ")?;
                }
                context.field_format().format_fields(writer.by_ref(), event)?;
                writeln!(writer)
            }
            Self::Json => {
                let mut time = String::new();
                SystemTime.format_time(&mut Writer::new(&mut time))?;
                let mut fields = JsonFields(Map::new());
                fields.0.insert("time".to_owned(), time.into());
                fields.0.insert("level".to_owned(), event.metadata().level().as_str().to_lowercase().into());
                event.record(&mut fields);
                if let Some(current) = current {
                    let request = json!({
                        "id": current.id(), "method": current.method.as_str(), "path": current.uri.path(),
                    });
                    fields.0.insert("request".to_owned(), request);
                }
                writeln!(writer, "{}", Value::Object(fields.0))
            }
        }
    }
}

/// The fields of an event as a JSON object.
struct JsonFields(Map<String, Value>);

impl Visit for JsonFields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }
}
