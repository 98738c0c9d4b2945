//! Why a request to S3 failed, as a message that names the endpoint and never credentials.

use std::fmt;
use std::io;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::platform::error::is_connection_closed;
use crate::platform::http_client::{CA_FILE, certificate_problem, is_dns_error, transport_cause};

/// The difference between two clocks from which some implementations reject signatures.
const MAX_CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(5);

/// Where the bucket is, and the time without progress that a request may take there.
#[derive(Clone, Debug)]
pub(super) struct BucketLocation {
    pub(super) endpoint: String,
    pub(super) bucket: String,
    pub(super) stall: Duration,
}

/// A failed request. The message has no full stop; it contains no credentials, and of what the storage
/// has sent only its code.
#[derive(Debug)]
pub struct S3Error {
    location: Box<BucketLocation>,
    kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// There is no connection; the reason is that of the source if none is given.
    Unreachable(Option<&'static str>, ureq::Error),
    Certificate(String, ureq::Error),
    Stalled(ureq::Error),
    /// The connection ended early.
    ConnectionClosed(Option<ureq::Error>),
    Rejected {
        action: &'static str,
        status: u16,
        code: Option<String>,
    },
    /// The two clocks differ.
    ClockSkew {
        local: DateTime<Utc>,
        remote: Option<DateTime<Utc>>,
        status: u16,
        code: Option<String>,
    },
    /// Not an S3 response.
    NotS3,
    /// Any other failure of the HTTP client.
    Failed(Option<ureq::Error>),
    /// The local file.
    File(io::Error),
    /// The caller cancelled it.
    Cancelled,
}

/// An error of the local file, within one of the connection that sends it.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) struct LocalFileError(pub(super) io::Error);

impl BucketLocation {
    pub(super) fn error(&self, kind: Kind) -> S3Error {
        S3Error { location: Box::new(self.clone()), kind }
    }

    /// The failure of a connection.
    pub(super) fn transport_error(&self, error: ureq::Error) -> S3Error {
        use ureq::{Error, Timeout};
        let is_local = |error: &io::Error| {
            error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<LocalFileError>)
        };
        let kind = match &error {
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                Kind::Unreachable(Some("it does not accept the connection in time"), error)
            }
            Error::Timeout(_) => Kind::Stalled(error),
            Error::HostNotFound => Kind::Unreachable(Some("there is no host with this name"), error),
            Error::Io(io) if is_local(io) => Kind::File(error.into_io()),
            Error::Io(io) if is_dns_error(io) => {
                Kind::Unreachable(Some("there is no host with this name, or no name server responds"), error)
            }
            Error::Io(io) => match certificate_problem(io, "endpoint under [backup.s3]", CA_FILE) {
                Some(problem) => Kind::Certificate(problem, error),
                None if is_connection_closed(io) => Kind::ConnectionClosed(Some(error)),
                None => Kind::Unreachable(None, error),
            },
            Error::ConnectionFailed => Kind::Unreachable(None, error),
            Error::Protocol(_) => Kind::ConnectionClosed(Some(error)),
            // Its text repeats the URL, which contains the signature.
            Error::BadUri(_) => Kind::Failed(None),
            _ => Kind::Failed(Some(error)),
        };
        self.error(kind)
    }

    /// The failure that a response without success means.
    pub(super) fn response_error(
        &self,
        action: &'static str,
        status: u16,
        code: Option<String>,
        local: DateTime<Utc>,
        remote: Option<DateTime<Utc>>,
    ) -> S3Error {
        let is_rejected = matches!(status, 400 | 401 | 403);
        let differs = remote.is_some_and(|remote| (remote - local).abs() > MAX_CLOCK_DIFFERENCE);
        self.error(if code.as_deref() == Some("RequestTimeTooSkewed") || (is_rejected && differs) {
            Kind::ClockSkew { local, remote, status, code }
        } else {
            Kind::Rejected { action, status, code }
        })
    }
}

impl S3Error {
    /// Whether a repeated request may succeed.
    pub(super) fn is_transient(&self) -> bool {
        match &self.kind {
            Kind::Unreachable(..) | Kind::Stalled(_) | Kind::ConnectionClosed(_) => true,
            Kind::Rejected { status, code, .. } => match code.as_deref() {
                Some("BadDigest" | "IncompleteBody" | "RequestTimeout" | "SlowDown" | "InternalError") => true,
                Some("NotImplemented") => false,
                _ => matches!(status, 408 | 429 | 500 | 502..=599),
            },
            Kind::Certificate(..)
            | Kind::ClockSkew { .. }
            | Kind::NotS3
            | Kind::Failed(_)
            | Kind::File(_)
            | Kind::Cancelled => false,
        }
    }

    /// Whether the storage sent this code.
    pub(super) fn has_code(&self, expected: &str) -> bool {
        matches!(&self.kind, Kind::Rejected { code: Some(code), .. } if code == expected)
    }
}

/// What to do about an error with this status and code.
fn help(status: u16, code: Option<&str>) -> &'static str {
    match (status, code) {
        (_, Some("InvalidAccessKeyId")) => "; check backup.s3.access_key",
        (_, Some("SignatureDoesNotMatch")) => "; check backup.s3.secret_key and backup.s3.region",
        (
            _,
            Some(
                "AuthorizationHeaderMalformed"
                | "AuthorizationQueryParametersError"
                | "IllegalLocationConstraintException"
                | "PermanentRedirect",
            ),
        )
        | (300..=399, _) => "; check backup.s3.region and backup.s3.endpoint",
        (_, Some("NoSuchBucket")) => "; create the bucket, or correct backup.s3.bucket",
        (_, Some("InvalidObjectState")) => "; the object is archived: restore it in the storage's console first",
        (_, Some("InvalidBucketName")) => "; correct backup.s3.bucket",
        (401 | 403, _) => "; the key needs permission to list, read, write and delete objects",
        (404 | 405, None) => "; check backup.s3.endpoint",
        _ => "",
    }
}

impl fmt::Display for S3Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BucketLocation { endpoint, bucket, stall } = &*self.location;
        let detail_of = |status: u16, code: Option<&str>| match code {
            Some(code) => format!("status {status}, {code}"),
            None => format!("status {status}"),
        };
        match &self.kind {
            Kind::Unreachable(Some(reason), _) => write!(out, "{endpoint} can't be reached: {reason}"),
            Kind::Unreachable(None, _) => write!(out, "{endpoint} can't be reached"),
            Kind::Certificate(problem, _) => write!(out, "The certificate of {endpoint} {problem}"),
            Kind::Stalled(_) => write!(out, "{endpoint} made no progress for {} seconds", stall.as_secs()),
            Kind::ConnectionClosed(_) => write!(out, "{endpoint} ended the connection too early"),
            Kind::Rejected { action, status, code } => {
                let code = code.as_deref();
                // The completion of a multipart upload can have the status 200 and fail.
                let fails = *status >= 500 || code == Some("InternalError");
                let verb = if fails { "fails" } else { "rejects the request" };
                let (detail, help) = (detail_of(*status, code), help(*status, code));
                write!(out, "{endpoint} {verb} to {action} the bucket {bucket} ({detail}){help}")
            }
            Kind::ClockSkew { local, remote, status, code } => {
                let format = "%Y-%m-%d %H:%M:%S UTC";
                write!(
                    out,
                    "{endpoint} rejects the signature because the clocks differ: here it is {}",
                    local.format(format)
                )?;
                if let Some(remote) = remote {
                    write!(out, ", there {}", remote.format(format))?;
                }
                write!(out, " ({}); correct the clock of this machine", detail_of(*status, code.as_deref()))
            }
            Kind::NotS3 => {
                write!(
                    out,
                    "{endpoint} sent something that is not an S3 response; check backup.s3.endpoint and \
                     backup.s3.bucket"
                )
            }
            Kind::Failed(_) => write!(out, "The request to {endpoint} failed"),
            Kind::File(_) => write!(out, "The backup for the bucket {bucket} can't be read or written"),
            Kind::Cancelled => write!(out, "The transfer was cancelled"),
        }
    }
}

impl std::error::Error for S3Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Unreachable(_, error) | Kind::Certificate(_, error) | Kind::Stalled(error) => {
                Some(transport_cause(error))
            }
            Kind::ConnectionClosed(error) | Kind::Failed(error) => error.as_ref().map(transport_cause),
            Kind::File(error) => Some(error),
            Kind::Rejected { .. } | Kind::ClockSkew { .. } | Kind::NotS3 | Kind::Cancelled => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::error::ErrorChain;

    #[test]
    fn failures_of_the_http_client_are_not_called_a_response() {
        let location = BucketLocation {
            endpoint: "https://s3.example.com".to_owned(),
            bucket: "backups".to_owned(),
            stall: Duration::from_secs(30),
        };
        let message = |error: ureq::Error| {
            let error = location.transport_error(error);
            assert!(!error.is_transient() || matches!(error.kind, Kind::Unreachable(..)), "{error:?}");
            ErrorChain(&error).to_string()
        };
        let text = message(ureq::Error::Tls("no provider"));
        assert!(
            text.starts_with("The request to https://s3.example.com failed: ") && text.contains("no provider"),
            "{text}"
        );
        let text = message(ureq::Error::BadUri("https://s3.example.com/?X-Amz-Signature=hush".to_owned()));
        assert_eq!(text, "The request to https://s3.example.com failed");
        let text = message(io::Error::from(io::ErrorKind::ConnectionRefused).into());
        assert_eq!(text, "https://s3.example.com can't be reached: connection refused");
    }
}
