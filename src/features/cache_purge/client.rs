//! Requests that purge shared caches. They block.

use std::fmt;
use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, LOCATION};
use http::{Method, Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use ureq::Agent;
use url::Url;

use super::types::PurgeRequest;
use crate::platform::config::{self, OutgoingNetwork, Secret};
use crate::platform::error::{io_message, is_connection_closed};
use crate::platform::http_client::{self, CA_FILE, certificate_problem, is_dns_error, retry_after, transport_cause};
use crate::platform::response_cache::EVERYTHING;

/// Timeouts of a connection and of a request (hardening, "Outbound").
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest response that is read; that of Fastly has some bytes for each key.
const MAX_RESPONSE_BYTES: u64 = 256 * 1024;
/// The most keys in one request to Fastly, and to caches that set no limit themselves.
const MAX_KEYS: usize = 256;
/// The most tags in one request to Cloudflare.
const MAX_CLOUDFLARE_TAGS: usize = 100;

#[derive(Clone)]
pub struct Target {
    kind: Kind,
    /// What it is called in messages: its position in `urls` tells several of a kind apart, and is no secret.
    name: String,
    /// Without a trailing slash. Its path or its user name may be a secret.
    url: String,
    token: Option<Secret>,
    agent: Agent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fastly,
    Cloudflare,
    Varnish,
    Nginx,
    Url,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Fastly => "Fastly",
            Self::Cloudflare => "Cloudflare",
            Self::Varnish => "Varnish",
            Self::Nginx => "nginx",
            Self::Url => "cache.purge.url",
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Target").field("name", &self.name).field("origin", &self.origin()).finish_non_exhaustive()
    }
}

/// Why a purge failed, as a sentence for the log, without secrets and without a full stop.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct PurgeError {
    message: String,
    /// The wait that the cache requests.
    pub retry_after: Option<Duration>,
    /// Whether the cache only limits the request rate.
    pub is_rate_limit: bool,
}

impl Target {
    /// What the configuration names.
    pub fn all(purge: &config::Purge, network: &OutgoingNetwork) -> Vec<Self> {
        let http = http_client::api_config(CONNECT_TIMEOUT)
            // BAN and PURGE.
            .allow_non_standard_methods(true)
            .timeout_global(Some(REQUEST_TIMEOUT))
            .build();
        let agent = network.agent(http);
        let new = |kind: Kind, url: String, token: Option<&Secret>| Self {
            kind,
            name: kind.name().to_owned(),
            url,
            token: token.cloned(),
            agent: agent.clone(),
        };
        let config::Purge { fastly, cloudflare, varnish, nginx, url } = purge;
        let servers = |kind: Kind, urls: &[config::HttpUrl]| {
            let name = |index: usize| match urls {
                [_] => kind.name().to_owned(),
                _ => format!("{} (urls[{index}])", kind.name()),
            };
            let server = |(index, url): (usize, &config::HttpUrl)| Self {
                name: name(index),
                ..new(kind, url.as_str().to_owned(), None)
            };
            urls.iter().enumerate().map(server).collect::<Vec<_>>()
        };
        let mut targets = Vec::new();
        targets.extend(fastly.service_id.as_ref().map(|id| {
            new(Kind::Fastly, format!("{}/service/{id}/purge", fastly.base_url.as_str()), fastly.token.as_ref())
        }));
        targets.extend(cloudflare.zone_id.as_ref().map(|id| {
            new(
                Kind::Cloudflare,
                format!("{}/zones/{id}/purge_cache", cloudflare.base_url.as_str()),
                cloudflare.token.as_ref(),
            )
        }));
        targets.extend(servers(Kind::Varnish, &varnish.urls));
        targets.extend(servers(Kind::Nginx, &nginx.urls));
        targets.extend(url.url.as_ref().map(|target| new(Kind::Url, target.as_str().to_owned(), url.token.as_ref())));
        targets
    }

    /// What it is called in messages: `Varnish`, or `Varnish (urls[1])` for the second one of several, as in errors
    /// of the configuration.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is called in metrics and in the configuration.
    pub fn label(&self) -> &'static str {
        match self.kind {
            Kind::Fastly => "fastly",
            Kind::Cloudflare => "cloudflare",
            Kind::Varnish => "varnish",
            Kind::Nginx => "nginx",
            Kind::Url => "url",
        }
    }

    /// Where its requests are sent, such as `http://127.0.0.1:6081`: without what may be a secret.
    pub fn origin(&self) -> String {
        origin(&self.url).unwrap_or_default()
    }

    /// The most keys in one request.
    pub fn max_keys(&self) -> usize {
        match self.kind {
            Kind::Cloudflare => MAX_CLOUDFLARE_TAGS,
            // It has no keys: everything is purged.
            Kind::Nginx => 1,
            Kind::Fastly | Kind::Varnish | Kind::Url => MAX_KEYS,
        }
    }

    /// Sends a purge. It blocks for some seconds at most.
    ///
    /// # Errors
    /// The cache can't be reached, does not respond in time or rejects the request.
    pub fn send(&self, purge: &PurgeRequest) -> Result<(), PurgeError> {
        let keys = match purge {
            PurgeRequest::Keys(keys) => keys.as_slice(),
            PurgeRequest::Everything => &[EVERYTHING.to_owned()],
        };
        let token = self.token.as_ref().map_or("", Secret::reveal);
        let bearer = || format!("Bearer {token}");
        let mut request = Request::builder().uri(&self.url);
        let body = match self.kind {
            Kind::Fastly => {
                request = request.method(Method::POST).header("fastly-key", token);
                Some(json!({ "surrogate_keys": keys }))
            }
            Kind::Cloudflare => {
                request = request.method(Method::POST).header(AUTHORIZATION, bearer());
                Some(json!({ "tags": keys }))
            }
            Kind::Varnish => {
                request = request.method("BAN").header("surrogate-key", keys.join(" "));
                None
            }
            Kind::Nginx => {
                request = request.method("PURGE");
                None
            }
            Kind::Url => {
                request = request.method(Method::POST);
                if self.token.is_some() {
                    request = request.header(AUTHORIZATION, bearer());
                }
                Some(match purge {
                    PurgeRequest::Keys(keys) => json!({ "keys": keys }),
                    PurgeRequest::Everything => json!({ "everything": true }),
                })
            }
        };
        let response = match body {
            Some(body) => self.run(request.header(CONTENT_TYPE, "application/json"), Some(&body)),
            None => self.run(request, None),
        };
        let (status, headers, body) = response?;
        if !status.is_success() {
            return Err(self.rejected(status, &headers));
        }
        if self.kind == Kind::Cloudflare && !is_successful(&body) {
            let help = format!("check zone_id under [cache.purge.{}] and {}", self.label(), self.credentials());
            return Err(self.failed(&format!("responds that the purge failed; {help}")));
        }
        Ok(())
    }

    fn run(
        &self,
        request: http::request::Builder,
        body: Option<&Value>,
    ) -> Result<(StatusCode, HeaderMap, Vec<u8>), PurgeError> {
        let invalid = |_| self.failed(&format!("can't be sent a request; check {}", self.setting()));
        let response = match body {
            Some(body) => self.agent.run(request.body(body.to_string()).map_err(invalid)?),
            None => self.agent.run(request.body(()).map_err(invalid)?),
        };
        let response = response.map_err(|error| self.unreachable(&error))?;
        let (parts, mut body) = response.into_parts();
        // What a server sends after the status does not matter, except for Cloudflare.
        let body = body.with_config().limit(MAX_RESPONSE_BYTES).read_to_vec().unwrap_or_default();
        Ok((parts.status, parts.headers, body))
    }

    fn failed(&self, what: &str) -> PurgeError {
        PurgeError { message: format!("{} {what}", self.name()), retry_after: None, is_rate_limit: false }
    }

    fn rejected(&self, status: StatusCode, headers: &HeaderMap) -> PurgeError {
        let (code, setting) = (status.as_u16(), self.setting());
        let what = match code {
            301 | 302 | 303 | 307 | 308 => {
                let target = headers.get(LOCATION).and_then(|target| origin(target.to_str().ok()?));
                let target = target.map_or_else(String::new, |target| format!(" to {target}"));
                format!("redirects the purge{target} ({code}); set {setting} to the URL to which it leads")
            }
            401 | 403 => format!("rejects the purge ({code}); check {}", self.credentials()),
            404 => format!("does not know the purge's URL (404); check {setting}"),
            405 | 501 => format!("does not accept the purge's method ({code}); check its configuration"),
            429 => "limits the rate of purges (429)".to_owned(),
            500..=599 => format!("responds to the purge with the status {code}; see its log"),
            _ => format!("responds to the purge with the status {code}; check its configuration and {setting}"),
        };
        PurgeError { retry_after: retry_after(headers), is_rate_limit: code == 429, ..self.failed(&what) }
    }

    fn unreachable(&self, error: &ureq::Error) -> PurgeError {
        let (setting, help) = (self.setting(), self.connection_help());
        self.failed(&match error {
            ureq::Error::Timeout(_) => format!("does not respond in time; {help}"),
            ureq::Error::Io(io) if is_dns_error(io) => {
                format!("can't be reached: there is no host with this name; check {setting}")
            }
            ureq::Error::Io(io) => match certificate_problem(io, &setting, CA_FILE) {
                Some(problem) => format!("can't be trusted: its certificate {problem}"),
                None if is_connection_closed(io) => format!("has ended the connection; {help}"),
                None => format!("can't be reached ({}); {help}", io_message(io)),
            },
            // Its text repeats the URL.
            ureq::Error::BadUri(_) => format!("has no valid URL; check {setting}"),
            error => format!("can't be reached ({}); {help}", transport_cause(error)),
        })
    }

    /// What to check if there is no connection to it.
    fn connection_help(&self) -> String {
        let (origin, setting) = (self.origin(), self.setting());
        match self.kind {
            Kind::Fastly | Kind::Cloudflare => {
                format!("check that this server and its firewall allow connections to {origin}, and {setting}")
            }
            Kind::Varnish | Kind::Nginx => {
                format!("check that the cache runs and listens at {origin}, and {setting}")
            }
            Kind::Url => format!("check that its server runs and listens at {origin}, and {setting}"),
        }
    }

    /// The setting with its URL.
    fn setting(&self) -> String {
        let key = match self.kind {
            Kind::Fastly => "service_id and base_url",
            Kind::Cloudflare => "zone_id and base_url",
            Kind::Varnish | Kind::Nginx => "urls",
            Kind::Url => "url",
        };
        format!("{key} under [cache.purge.{}]", self.label())
    }

    /// What lets this server purge it.
    fn credentials(&self) -> String {
        match self.kind {
            Kind::Fastly => "the token and its scope purge_select".to_owned(),
            Kind::Cloudflare => "the token and its permission Cache Purge".to_owned(),
            Kind::Varnish | Kind::Nginx => "that its configuration allows purges from this address".to_owned(),
            Kind::Url => "the token".to_owned(),
        }
    }
}

/// The scheme, host and port of a URL.
fn origin(url: &str) -> Option<String> {
    Url::parse(url).ok().map(|url| url.origin().ascii_serialization())
}

/// Whether Cloudflare reports success, which is in the body.
fn is_successful(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Outcome {
        success: bool,
    }

    serde_json::from_slice::<Outcome>(body).is_ok_and(|outcome| outcome.success)
}
