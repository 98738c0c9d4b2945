//! Why a request to S3 failed, as a sentence that names the place and never a key.

use std::fmt;
use std::io;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::platform::{dns, tls};

/// A difference between two clocks that signatures do not tolerate everywhere.
const MAX_CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(5);

/// Where the bucket is, and the time without progress that a request may take there.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) endpoint: String,
    pub(super) bucket: String,
    pub(super) stall: Duration,
}

/// A failed request. The message is a sentence without a full stop; it contains no key, and of what the storage has sent
/// only its code.
#[derive(Debug)]
pub struct S3Error {
    place: Box<Place>,
    kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// There is no connection, for this reason.
    Unreachable(String),
    Certificate(String),
    Stalled,
    /// The connection ended early.
    Cut,
    Refused {
        action: &'static str,
        status: u16,
        code: Option<String>,
    },
    /// The two clocks differ.
    Clock {
        here: DateTime<Utc>,
        there: Option<DateTime<Utc>>,
        status: u16,
        code: Option<String>,
    },
    /// The response is none of S3's.
    Invalid,
    /// The local file.
    File(io::Error),
    /// Nobody waits for it any more.
    Cancelled,
}

/// An error of the local file, within one of the connection that sends it.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) struct LocalFile(pub(super) io::Error);

impl Place {
    pub(super) fn error(&self, kind: Kind) -> S3Error {
        S3Error { place: Box::new(self.clone()), kind }
    }

    /// The failure of a connection.
    pub(super) fn of_transport(&self, error: ureq::Error) -> S3Error {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        use ureq::{Error, Timeout};
        self.error(match error {
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                Kind::Unreachable("it does not accept the connection in time".to_owned())
            }
            Error::Timeout(_) => Kind::Stalled,
            Error::HostNotFound => Kind::Unreachable("there is no host with this name".to_owned()),
            Error::Io(error) if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<LocalFile>) => {
                Kind::File(error)
            }
            Error::Io(error) if dns::is_lookup_error(&error) => {
                Kind::Unreachable("there is no host with this name, or no name server responds".to_owned())
            }
            Error::Io(error) => match tls::certificate_problem(&error, "endpoint under [backup.s3]") {
                Some(problem) => Kind::Certificate(problem),
                None if matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof) => {
                    Kind::Cut
                }
                None => Kind::Unreachable(error.to_string().to_lowercase()),
            },
            Error::ConnectionFailed => Kind::Unreachable("the connection fails".to_owned()),
            Error::Protocol(_) => Kind::Cut,
            _ => Kind::Invalid,
        })
    }

    /// What a response that is no success means.
    pub(super) fn of_response(
        &self,
        action: &'static str,
        status: u16,
        code: Option<String>,
        here: DateTime<Utc>,
        there: Option<DateTime<Utc>>,
    ) -> S3Error {
        let is_refused = matches!(status, 400 | 401 | 403);
        let differs = there.is_some_and(|there| (there - here).abs() > MAX_CLOCK_DIFFERENCE);
        self.error(if code.as_deref() == Some("RequestTimeTooSkewed") || (is_refused && differs) {
            Kind::Clock { here, there, status, code }
        } else {
            Kind::Refused { action, status, code }
        })
    }
}

impl S3Error {
    /// Whether a repeated request may succeed.
    pub(super) fn is_transient(&self) -> bool {
        match &self.kind {
            Kind::Unreachable(_) | Kind::Stalled | Kind::Cut => true,
            Kind::Refused { status, code, .. } => match code.as_deref() {
                Some("BadDigest" | "IncompleteBody" | "RequestTimeout" | "SlowDown" | "InternalError") => true,
                Some("NotImplemented") => false,
                _ => matches!(status, 408 | 429 | 500 | 502..=599),
            },
            Kind::Certificate(_) | Kind::Clock { .. } | Kind::Invalid | Kind::File(_) | Kind::Cancelled => false,
        }
    }

    /// Whether the storage sent this code.
    pub(super) fn has_code(&self, expected: &str) -> bool {
        matches!(&self.kind, Kind::Refused { code: Some(code), .. } if code == expected)
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
        (_, Some("InvalidBucketName")) => "; correct backup.s3.bucket",
        (401 | 403, _) => "; the key needs permission to list, read, write and delete objects",
        (404 | 405, None) => "; check backup.s3.endpoint",
        _ => "",
    }
}

impl fmt::Display for S3Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { endpoint, bucket, stall } = &*self.place;
        let in_words = |status: u16, code: Option<&str>| match code {
            Some(code) => format!("status {status}, {code}"),
            None => format!("status {status}"),
        };
        match &self.kind {
            Kind::Unreachable(reason) => write!(out, "{endpoint} can't be reached: {reason}"),
            Kind::Certificate(problem) => write!(out, "The certificate of {endpoint} {problem}"),
            Kind::Stalled => write!(out, "{endpoint} made no progress for {} seconds", stall.as_secs()),
            Kind::Cut => write!(out, "{endpoint} ended the connection too early"),
            Kind::Refused { action, status, code } => {
                let verb = if *status >= 500 { "fails" } else { "refuses" };
                let code = code.as_deref();
                let (words, help) = (in_words(*status, code), help(*status, code));
                write!(out, "{endpoint} {verb} to {action} the bucket {bucket} ({words}){help}")
            }
            Kind::Clock { here, there, status, code } => {
                let format = "%Y-%m-%d %H:%M:%S UTC";
                write!(
                    out,
                    "{endpoint} refuses the signature because the clocks differ: here it is {}",
                    here.format(format)
                )?;
                if let Some(there) = there {
                    write!(out, ", there {}", there.format(format))?;
                }
                write!(out, " ({}); correct the clock of this machine", in_words(*status, code.as_deref()))
            }
            Kind::Invalid => {
                write!(
                    out,
                    "{endpoint} sent a response that is not of S3; check backup.s3.endpoint and backup.s3.bucket"
                )
            }
            Kind::File(error) => write!(out, "The copy for the bucket {bucket} can't be read or written: {error}"),
            Kind::Cancelled => write!(out, "The transfer was cancelled"),
        }
    }
}

impl std::error::Error for S3Error {}
