//! One request with retries and back-off, within the time of the sync.

use std::io::Read as _;
use std::time::Duration;

use http::{HeaderMap, Response};

use super::{Client, MAX_BODY, ProviderError, json_stream};
use crate::platform::backoff::Backoff;
use crate::platform::http_client::retry_after;

/// The delays between attempts, unless the provider requests a longer one.
const BACKOFF: Backoff = Backoff::new(Duration::from_millis(400), Duration::from_secs(15));

/// The body of a successful response.
pub(super) struct ResponseBody {
    /// Whether the status is 204.
    pub(super) is_no_content: bool,
    /// The headers of the response.
    pub(super) headers: HeaderMap,
    bytes: Vec<u8>,
}

impl ResponseBody {
    /// The body without a byte order mark.
    pub(super) fn json(&self) -> &[u8] {
        self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes)
    }
}

/// A failed attempt, and the wait that the provider requests before the next.
struct FailedAttempt {
    error: ProviderError,
    retry_after: Option<Duration>,
}

impl From<ProviderError> for FailedAttempt {
    fn from(error: ProviderError) -> Self {
        Self { error, retry_after: None }
    }
}

impl Client<'_> {
    /// Sends a request until it succeeds, fails for good, or the sync's time limit is reached. `send` receives the
    /// timeout of the attempt.
    pub(super) fn send_with_retries(
        &self,
        path: &str,
        max_attempts: u32,
        send: impl Fn(Duration) -> Result<Response<ureq::Body>, ureq::Error>,
    ) -> Result<ResponseBody, ProviderError> {
        let total = Duration::from_secs(u64::from(self.config.total_seconds));
        let per_request = Duration::from_secs(u64::from(self.config.request_seconds));
        let mut previous: Option<ProviderError> = None;
        for attempts in 1_u32.. {
            if let Err(limit) = self.wait_for_permit(total) {
                // The provider's failure is the reason, not the limit that permits no further attempt.
                return Err(previous.map_or(limit, |error| gave_up(error, attempts - 1, None)));
            }
            let left = total.saturating_sub(self.started.elapsed());
            let result = if left.is_zero() {
                Err(ProviderError::Timeout.into())
            } else {
                read_response(path, send(per_request.min(left)))
            };
            let FailedAttempt { error, retry_after } = match result {
                Ok(body) => return Ok(body),
                Err(failed) if !failed.error.is_transient() => return Err(failed.error),
                Err(failed) => failed,
            };
            // An attempt that failed because the sync's time limit was reached is not a failure of the provider.
            let is_timeout = matches!(error, ProviderError::Timeout);
            if left <= per_request && (is_timeout || self.started.elapsed() >= total) {
                return Err(match previous {
                    None => ProviderError::TotalTimeout { seconds: total.as_secs() },
                    Some(error) => gave_up(error, attempts, None),
                });
            }
            // The back-off applies to a `Retry-After` of 0 as well.
            let pause = BACKOFF.delay_with_jitter(attempts, 0.5..=1.5).max(retry_after.unwrap_or_default());
            if self.started.elapsed().saturating_add(pause) >= total {
                let retry_after = retry_after.filter(|wait| self.started.elapsed().saturating_add(*wait) >= total);
                if let Some(wait) = retry_after {
                    self.budget.borrow_mut().pause(wait);
                }
                return Err(gave_up(error, attempts, retry_after));
            }
            if attempts >= max_attempts {
                return Err(gave_up(error, attempts, None));
            }
            previous = Some(error);
            tracing::debug!(attempts, path, "retrying a request to Brandlive");
            std::thread::sleep(pause);
        }
        Err(ProviderError::Timeout)
    }

    /// Waits until the configured limits permit a request.
    fn wait_for_permit(&self, total: Duration) -> Result<(), ProviderError> {
        let wait = self.budget.borrow().wait();
        if !wait.is_zero() {
            if self.started.elapsed().saturating_add(wait) >= total {
                return Err(ProviderError::RequestLimit);
            }
            std::thread::sleep(wait);
        }
        self.budget.borrow_mut().add();
        Ok(())
    }
}

fn gave_up(source: ProviderError, attempts: u32, retry_after: Option<Duration>) -> ProviderError {
    ProviderError::GaveUp { source: Box::new(source), attempts, retry_after: retry_after.map(|wait| wait.as_secs()) }
}

fn read_response(path: &str, result: Result<Response<ureq::Body>, ureq::Error>) -> Result<ResponseBody, FailedAttempt> {
    let response = result.map_err(ProviderError::from_transport)?;
    let status = response.status().as_u16();
    let path = path.to_owned();
    let error = match status {
        200..=299 => {
            let headers = response.headers().clone();
            let mut bytes = read_body(path, response)?;
            json_stream::repair_json(&mut bytes);
            return Ok(ResponseBody { is_no_content: status == 204, headers, bytes });
        }
        304 => ProviderError::NotModified { path },
        300..=399 => ProviderError::Redirect { path, status },
        401 | 403 => ProviderError::Unauthorized { status },
        404 => ProviderError::NotFound { path },
        429 => ProviderError::RateLimited,
        408 | 500..=599 => ProviderError::Server { status },
        _ => ProviderError::Rejected { path, status },
    };
    Err(FailedAttempt { error, retry_after: retry_after(response.headers()) })
}

fn read_body(path: String, response: Response<ureq::Body>) -> Result<Vec<u8>, ProviderError> {
    let body = response.into_body();
    if body.content_length().is_some_and(|length| length > MAX_BODY) {
        return Err(ProviderError::TooLarge { path });
    }
    let mut bytes = Vec::new();
    match body.into_reader().take(MAX_BODY + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > MAX_BODY => Err(ProviderError::TooLarge { path }),
        Ok(_) => Ok(bytes),
        Err(error) => Err(ProviderError::from_body(error)),
    }
}
