//! A client of S3-compatible storage: lists, uploads, downloads and deletes the objects of a bucket. It blocks.

mod error;
mod transfer;
mod xml;

use std::fmt;
use std::io::Read;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use chrono::{DateTime, Utc};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, DATE, HeaderName, RANGE};
use http::{HeaderMap, Response};
use jiff::Timestamp;
use rusty_s3::{Bucket, Credentials, Method};
use ureq::{Agent, Body, SendBody};

pub use error::S3Error;
use error::{BucketLocation, Kind};
use transfer::Part;
use xml::Document;

use super::backoff::Backoff;
use super::clock::Clock;
use super::config::{OutgoingNetwork, S3};
use super::error::ErrorChain;
use super::http_client::{self, retry_after};
use super::progress::ProgressMonitor;

/// Size of a part of an upload or a download in bytes. The parts are transferred one after the other.
const PART_BYTES: u64 = 8 * 1024 * 1024;
/// The most parts that a multipart upload can have.
const MAX_PARTS: u64 = 10_000;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time without progress after which a request fails. Its total time depends on the connection.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest time of a request with one part, and the validity of its signature.
const REQUEST_TIMEOUT: Duration = Duration::from_hours(1);
/// The attempts of a request, and the delays between them.
const ATTEMPTS: u32 = 4;
const BACKOFF: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(4));
/// The longest delay that the storage may request.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(1);
/// The largest response that is read as a whole; a thousand long keys take 2 MB.
const MAX_RESPONSE_BYTES: u64 = 8 * 1024 * 1024;
/// The most objects that are listed, against a storage whose list never ends.
const MAX_OBJECTS: usize = 100_000;

/// An object in the bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub key: String,
    pub bytes: u64,
}

/// A multipart upload that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Upload {
    key: String,
    id: String,
    started_at: Option<DateTime<Utc>>,
}

/// The limits on time, which tests make short.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) stall: Duration,
    pub(crate) backoff: Backoff,
}

impl Default for Limits {
    fn default() -> Self {
        Self { stall: STALL_TIMEOUT, backoff: BACKOFF }
    }
}

#[derive(Clone)]
pub struct Client {
    agent: Agent,
    bucket: Bucket,
    credentials: Credentials,
    location: BucketLocation,
    clock: Clock,
    backoff: Backoff,
}

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client").field("bucket", &self.bucket.base_url().as_str()).finish_non_exhaustive()
    }
}

/// What is sent with a request.
#[derive(Clone, Copy)]
enum RequestBody<'c> {
    None,
    Text(&'c str),
    Part(Part<'c>),
}

/// A request, apart from its signature.
#[derive(Clone, Copy)]
struct Request<'r> {
    method: Method,
    /// The object; without one, the bucket.
    key: Option<&'r str>,
    /// Sorted by name, as a signature needs them.
    query: &'r [(&'r str, &'r str)],
    content: RequestBody<'r>,
    range: Option<(u64, u64)>,
    /// What the request does, for messages: `list`, `write to`.
    action: &'static str,
}

/// A failed attempt, and the wait that the storage requests.
struct FailedAttempt {
    error: S3Error,
    retry_after: Option<Duration>,
}

impl From<S3Error> for FailedAttempt {
    fn from(error: S3Error) -> Self {
        Self { error, retry_after: None }
    }
}

impl Client {
    /// The configured bucket; `None` without one.
    pub fn new(config: &S3, network: &OutgoingNetwork, clock: &Clock) -> Option<Self> {
        Self::with_limits(config, network, clock, Limits::default())
    }

    /// As [`Self::new`], with other limits on time.
    pub(crate) fn with_limits(config: &S3, network: &OutgoingNetwork, clock: &Clock, limits: Limits) -> Option<Self> {
        let (bucket, credentials) = config.target()?;
        let agent = http_client::api_config(CONNECT_TIMEOUT)
            .accept_encoding("identity")
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .timeout_per_read(Some(limits.stall))
            .timeout_per_write(Some(limits.stall))
            .timeout_global(Some(REQUEST_TIMEOUT))
            .build();
        let location = BucketLocation {
            endpoint: config.endpoint.as_ref()?.as_str().to_owned(),
            bucket: bucket.name().to_owned(),
            stall: limits.stall,
        };
        Some(Self {
            agent: network.agent(agent),
            bucket,
            credentials,
            location,
            clock: clock.clone(),
            backoff: limits.backoff,
        })
    }

    pub fn bucket(&self) -> &str {
        self.bucket.name()
    }

    /// The objects whose key begins with `prefix`.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn list(&self, prefix: &str) -> Result<Vec<Object>, S3Error> {
        let mut objects = Vec::new();
        let mut token: Option<String> = None;
        loop {
            let next = token.iter().map(|token| ("continuation-token", token.as_str()));
            let rest = [("list-type", "2"), ("prefix", prefix)];
            let query: Vec<_> = next.chain(rest).collect();
            let document = self.document(&Request::get("list", &query), &ProgressMonitor::default())?;
            let list = document.list().ok_or_else(|| self.not_s3())?;
            objects.extend(list.objects);
            match list.next {
                None => return Ok(objects),
                next if next == token || objects.len() > MAX_OBJECTS => return Err(self.not_s3()),
                next => token = next,
            }
        }
    }

    /// Deletes an object; one that does not exist is deleted already.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn delete(&self, key: &str) -> Result<(), S3Error> {
        let request = Request { method: Method::Delete, key: Some(key), ..Request::get("delete from", &[]) };
        self.send(&request, &ProgressMonitor::default(), |response| self.text_of(response).map(drop))
    }

    /// Aborts incomplete multipart uploads, which are billed, if they began before `before` and `is_own` accepts their
    /// key. Returns their number.
    ///
    /// # Errors
    /// See [`S3Error`].
    pub fn abort_uploads(
        &self,
        prefix: &str,
        before: DateTime<Utc>,
        is_own: impl Fn(&str) -> bool,
    ) -> Result<usize, S3Error> {
        let query = [("prefix", prefix), ("uploads", "")];
        let document = self.document(&Request::get("list uploads in", &query), &ProgressMonitor::default())?;
        let uploads = document.uploads().ok_or_else(|| self.not_s3())?;
        let is_abandoned = |upload: &&Upload| upload.started_at.is_some_and(|at| at < before) && is_own(&upload.key);
        let abandoned: Vec<_> = uploads.iter().filter(is_abandoned).collect();
        abandoned.iter().try_for_each(|upload| self.abort_upload(&upload.key, &upload.id))?;
        Ok(abandoned.len())
    }

    /// Sends a request and reads its XML.
    fn document(&self, request: &Request<'_>, monitor: &ProgressMonitor) -> Result<Document, S3Error> {
        self.send(request, monitor, |response| {
            let status = response.status().as_u16();
            let text = self.text_of(response)?;
            let document = Document::parse(text).ok_or_else(|| self.not_s3())?;
            // An upload can be rejected after the status was sent.
            match document.error_code() {
                Some(code) => Err(self.rejected(request, status, Some(code), None)),
                None => Ok(document),
            }
        })
    }

    /// Sends a request until it succeeds, fails for good or the attempts are used up. `read` receives a successful
    /// response.
    fn send<T>(
        &self,
        request: &Request<'_>,
        monitor: &ProgressMonitor,
        read: impl Fn(Response<Body>) -> Result<T, S3Error>,
    ) -> Result<T, S3Error> {
        let mut attempts = 1;
        loop {
            if monitor.is_cancelled() {
                return Err(self.location.error(Kind::Cancelled));
            }
            let result = self.attempt(request, monitor).and_then(|response| Ok(read(response)?));
            monitor.record_progress();
            let FailedAttempt { error, retry_after } = match result {
                Ok(value) => return Ok(value),
                // The file is not read to its end when the transfer is cancelled.
                Err(_) if monitor.is_cancelled() => return Err(self.location.error(Kind::Cancelled)),
                Err(failed) => failed,
            };
            if attempts == ATTEMPTS || !error.is_transient() {
                return Err(error);
            }
            tracing::debug!(error = %ErrorChain(&error), attempts, "a request to S3 is repeated");
            let delay = self.backoff.delay_with_jitter(attempts, 1.0..=1.5);
            std::thread::sleep(delay.max(retry_after.unwrap_or_default().min(MAX_RETRY_AFTER)));
            monitor.record_progress();
            attempts += 1;
        }
    }

    fn attempt(&self, request: &Request<'_>, monitor: &ProgressMonitor) -> Result<Response<Body>, FailedAttempt> {
        let url = match request.key {
            Some(key) => self.bucket.object_url(key),
            None => self.bucket.base_url().clone(),
        };
        let now = Timestamp::from_second(self.clock.now().timestamp()).unwrap_or_default();
        let url = rusty_s3::signing::sign(
            &now,
            request.method,
            url,
            self.credentials.key(),
            self.credentials.secret(),
            None,
            self.bucket.region(),
            REQUEST_TIMEOUT.as_secs(),
            request.query.iter().copied(),
            std::iter::empty(),
        );
        let mut builder = http::Request::builder().method(request.method.to_str()).uri(url.as_str());
        if let Some((first, last)) = request.range {
            builder = builder.header(RANGE, format!("bytes={first}-{last}"));
        }
        let invalid = |error: http::Error| self.location.transport_error(error.into());
        let result = match request.content {
            RequestBody::None => self.agent.run(builder.body(()).map_err(invalid)?),
            RequestBody::Text(text) => {
                let request = builder.header(CONTENT_TYPE, "application/xml").body(text);
                self.agent.run(request.map_err(invalid)?)
            }
            RequestBody::Part(part) => {
                let md5 = part.md5(monitor).map_err(|error| self.location.error(Kind::File(error)))?;
                builder = builder.header(HeaderName::from_static("content-md5"), BASE64.encode(md5));
                builder = builder.header(CONTENT_LENGTH, part.bytes);
                let mut reader = part.reader(monitor);
                let body = SendBody::from_reader(&mut reader);
                self.agent.run(builder.body(body).map_err(invalid)?)
            }
        };
        let response = result.map_err(|error| self.location.transport_error(error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = self.text_of(response)?;
        let code = Document::parse(text).and_then(|document| document.error_code());
        let error = self.rejected(request, status, code, date_of(&headers));
        Err(FailedAttempt { error, retry_after: retry_after(&headers) })
    }

    /// A body of at most [`MAX_RESPONSE_BYTES`].
    fn text_of(&self, response: Response<Body>) -> Result<String, S3Error> {
        let mut bytes = Vec::new();
        let mut body = response.into_body().into_reader().take(MAX_RESPONSE_BYTES);
        body.read_to_end(&mut bytes).map_err(|error| self.location.transport_error(error.into()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn rejected(
        &self,
        request: &Request<'_>,
        status: u16,
        code: Option<String>,
        date: Option<DateTime<Utc>>,
    ) -> S3Error {
        self.location.response_error(request.action, status, code, self.clock.now(), date)
    }

    fn not_s3(&self) -> S3Error {
        self.location.error(Kind::NotS3)
    }
}

impl<'r> Request<'r> {
    /// A GET request for the bucket.
    fn get(action: &'static str, query: &'r [(&'r str, &'r str)]) -> Self {
        Self { method: Method::Get, key: None, query, content: RequestBody::None, range: None, action }
    }
}

/// The time of the storage's clock, from the header `Date`.
fn date_of(headers: &HeaderMap) -> Option<DateTime<Utc>> {
    let text = headers.get(DATE)?.to_str().ok()?;
    DateTime::parse_from_rfc2822(text).ok().map(|date| date.to_utc())
}
