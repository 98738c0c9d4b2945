//! The HTTP client of ACME: that of all outgoing connections, on blocking threads.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use ureq::Agent;

use crate::platform::config::OutgoingNetwork;
use crate::platform::error::io_message;
use crate::platform::http_client::{self, certificate_problem, is_dns_error, retry_after, transport_cause};

/// Timeouts of a connection and of a request (hardening, "Outbound"); authorities are slow at times.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// The largest response; a chain of certificates has some KiB.
const MAX_BYTES: u64 = 256 * 1024;

/// A request that got no response of an authority. The messages follow its name, such as `can't be reached (…)`.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoResponse {
    #[error("{}", reason(.0))]
    Transport(#[source] Box<ureq::Error>),
    /// A page of a proxy or an overloaded authority.
    #[error("responds with status {}", shown(*.0))]
    Status(StatusCode),
}

impl From<ureq::Error> for NoResponse {
    fn from(error: ureq::Error) -> Self {
        Self::Transport(Box::new(error))
    }
}

/// The client; clones share what it has seen.
#[derive(Clone, Debug)]
pub(super) struct Http {
    agent: Agent,
    retry_after: Arc<Mutex<Option<Duration>>>,
}

impl Http {
    pub(super) fn new(network: &OutgoingNetwork) -> Self {
        let config = http_client::api_config(CONNECT_TIMEOUT).timeout_global(Some(REQUEST_TIMEOUT)).build();
        Self { agent: network.agent(config), retry_after: Arc::default() }
    }

    /// Discards the wait that an earlier response has requested.
    pub(super) fn begin(&self) {
        *self.retry_after.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The time after which the last failed request may be repeated.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        *self.retry_after.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request on this thread.
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Full<Bytes>>, NoResponse> {
        // GET and HEAD have no body, not even an empty one.
        let response =
            if request.body().is_empty() { self.agent.run(request.map(|_| ())) } else { self.agent.run(request) };
        let (parts, mut body) = response?.into_parts();
        let body = body.with_config().limit(MAX_BYTES).read_to_vec()?;
        if !parts.status.is_success() {
            let wait = retry_after(&parts.headers);
            *self.retry_after.lock().unwrap_or_else(PoisonError::into_inner) = wait;
            // Proxies and overloaded authorities respond with a page instead of a problem (RFC 7807).
            let is_problem = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&body)
                .is_ok_and(|problem| problem.contains_key("type"));
            if !is_problem {
                return Err(NoResponse::Status(parts.status));
            }
        }
        Ok(Response::from_parts(parts, Full::from(body)))
    }
}

impl HttpClient for Http {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let http = self.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let Ok(body) = body.collect().await;
            let request = Request::from_parts(parts, body.to_bytes().to_vec());
            let sent = tokio::task::spawn_blocking(move || http.send(request)).await;
            let response = sent.map_err(|panic| Error::Other(Box::new(panic)))?;
            response.map(BytesResponse::from).map_err(|error| Error::Other(Box::new(error)))
        })
    }
}

fn shown(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("{} ({reason})", status.as_u16()),
        None => status.as_u16().to_string(),
    }
}

fn reason(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Io(io) if is_dns_error(io) => {
            "can't be reached: its host was not found; check the DNS server of this machine and https.directory_url"
                .to_owned()
        }
        ureq::Error::Io(io) => {
            if let Some(problem) = certificate_problem(io, "https.directory_url", "https.ca_file") {
                format!("can't be trusted: its own certificate {problem}")
            } else {
                format!("can't be reached ({})", io_message(io))
            }
        }
        ureq::Error::Timeout(_) => "does not respond in time; check the firewall for outgoing connections".to_owned(),
        error => format!("can't be reached ({})", transport_cause(error)),
    }
}
