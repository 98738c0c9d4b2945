//! The errors of ACME, with messages that tell what to do.

use std::time::Duration;

use instant_acme::{Error, Problem};

use super::http::NoResponse;
use crate::platform::https::ChallengeKind;

/// An attempt to get a certificate that failed.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct AcmeError {
    /// The message for the operator, without a full stop. It is public, so it contains no path.
    pub problem: String,
    /// The error of the authority or of a library, for the log.
    #[source]
    pub(super) cause: Option<Box<dyn std::error::Error + Send + Sync>>,
    /// The time after which the authority allows another attempt.
    pub retry_after: Option<Duration>,
    pub(super) kind: Kind,
}

/// What another attempt can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Another kind of challenge may succeed.
    Validation,
    /// Another account may succeed.
    Account,
    /// The authority responded, so an order without `replaces` may succeed.
    Rejected,
    /// Nothing.
    Other,
}

impl AcmeError {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), cause: None, retry_after: None, kind: Kind::Other }
    }

    pub(super) fn caused_by(self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// The error of a file beside the database.
    pub fn from_storage(error: std::io::Error) -> Self {
        let reason = match error.kind() {
            std::io::ErrorKind::StorageFull => "the disk is full; free some space".to_owned(),
            std::io::ErrorKind::PermissionDenied => {
                "this user may not write there; correct the owner of the folder".to_owned()
            }
            _ => error.to_string(),
        };
        Self::new(format!("The certificate can't be stored beside the database: {reason}")).caused_by(error)
    }

    /// Any error of the library. `authority` is the host of the authority.
    pub(super) fn from_acme(error: Error, authority: &str) -> Self {
        let problem = match &error {
            Error::Api(problem) => return Self::from_problem(problem, None, authority),
            Error::Other(cause) if cause.is::<NoResponse>() => format!("The certificate authority {authority} {cause}"),
            Error::Timeout(_) => {
                format!("The certificate authority {authority} takes too long to issue the certificate")
            }
            Error::Json(_) | Error::Str(_) => format!(
                "The certificate authority {authority} does not respond as ACME requires; check https.directory_url"
            ),
            Error::Unsupported(_) => format!("The certificate authority {authority} lacks a feature ({error})"),
            _ => format!("The request to the certificate authority {authority} failed ({error})"),
        };
        let kind = if matches!(error, Error::Unsupported(_)) { Kind::Rejected } else { Kind::Other };
        Self { kind, ..Self::new(problem).caused_by(error) }
    }

    /// A problem that the authority has reported (RFC 8555 §6.7), of a validation if `validated` names the domain and the
    /// challenge.
    pub(super) fn from_problem(problem: &Problem, validated: Option<(&str, ChallengeKind)>, authority: &str) -> Self {
        let kind = problem.r#type.as_deref().unwrap_or_default();
        let kind = kind.rsplit_once(':').map_or(kind, |(_, name)| name);
        let named = problem.subproblems.iter().find_map(|problem| problem.identifier.as_ref());
        let named = named.map(|identifier| identifier.authorized(false).to_string());
        let domain = validated.map(|(domain, _)| domain.to_owned()).or(named);
        let domain = domain.as_deref().unwrap_or("one of the domains");
        let detail = problem.detail.as_deref().unwrap_or("without an explanation").trim_end_matches('.');
        // It becomes a part of a line of the log.
        let detail = detail.replace(char::is_control, " ");
        let text = match (kind, validated) {
            ("dns", _) => format!(
                "The DNS has no address for {domain}; add an A record (IPv4) or AAAA record (IPv6) that leads to this \
                 server"
            ),
            ("connection", Some((_, challenge))) => format!(
                "The certificate authority can't connect to {domain} on port {port}; check that its DNS records (A and \
                 AAAA) lead to this server and that the firewall allows port {port}",
                port = challenge.port()
            ),
            ("unauthorized" | "incorrectResponse" | "tls", Some((_, challenge))) => format!(
                "Another server responds for {domain} on port {}; check that its DNS records (A and AAAA) lead to this \
                 server, and not to a proxy",
                challenge.port()
            ),
            ("caa", _) => format!(
                "The DNS of {domain} does not allow this authority; add {authority}'s name to the CAA record, or \
                 remove the record"
            ),
            ("rateLimited", _) => format!("The certificate authority limits requests at the moment ({detail})"),
            ("rejectedIdentifier" | "unsupportedIdentifier", _) => {
                format!(
                    "The certificate authority issues no certificate for {domain} ({detail}); correct https.domains"
                )
            }
            ("invalidContact" | "unsupportedContact", _) => {
                format!("The certificate authority rejects the address ({detail}); correct https.email")
            }
            ("externalAccountRequired", _) => format!(
                "The certificate authority {authority} requires an account of its own (external account binding), \
                 which lectern does not support; use another https.directory_url"
            ),
            ("invalidProfile", _) => format!(
                "The certificate authority does not offer this kind of certificate ({detail}); correct https.profile"
            ),
            ("userActionRequired", _) => {
                format!("The certificate authority {authority} requires an action of the operator ({detail})")
            }
            ("serverInternal", _) => format!("The certificate authority {authority} has an internal error ({detail})"),
            (_, Some((domain, challenge))) => {
                format!("The certificate authority could not check {domain} on port {} ({detail})", challenge.port())
            }
            (_, None) => format!("The certificate authority {authority} rejects the request ({detail})"),
        };
        let kind = match kind {
            "accountDoesNotExist" => Kind::Account,
            "rateLimited" | "serverInternal" => Kind::Other,
            _ if validated.is_some() => Kind::Validation,
            _ => Kind::Rejected,
        };
        Self { kind, ..Self::new(text).caused_by(problem.clone()) }
    }
}
