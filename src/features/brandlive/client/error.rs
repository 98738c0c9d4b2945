//! Why the provider's list could not be fetched, as messages for the operator.
//!
//! No message or source contains an API key, a query string or a part of a response body.

use super::MAX_BODY_MB;
use crate::platform::error::ErrorChain;
use crate::platform::http_client::{CA_FILE, certificate_problem, is_dns_error};

/// Why the provider's list could not be fetched. The message has no full stop.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// `base_url` and a path do not make a URL.
    #[error("{setting} under [brandlive] is not a valid URL")]
    InvalidUrl {
        setting: &'static str,
        #[source]
        source: url::ParseError,
    },
    /// The request can't be written, for example because of a header name.
    #[error("The request to Brandlive can't be written; check [brandlive]")]
    InvalidRequest(#[source] Option<http::Error>),
    /// 304
    #[error("Brandlive responded to {path} with 304 (not modified) to an unconditional request")]
    NotModified { path: String },
    /// Another 3xx status.
    #[error(
        "Brandlive responded to {path} with a redirect ({status}), which is not followed; check base_url and the paths \
         under [brandlive]"
    )]
    Redirect { path: String, status: u16 },
    /// 401 or 403
    #[error("Brandlive rejects the key ({status}); check api_key, api_secret and [brandlive.credentials]")]
    Unauthorized { status: u16 },
    /// 404
    #[error("Brandlive has nothing at {path} (404); check the paths under [brandlive]")]
    NotFound { path: String },
    /// Another 4xx status.
    #[error("Brandlive rejects the request to {path} ({status})")]
    Rejected { path: String, status: u16 },
    /// 429
    #[error("Brandlive reports too many requests (429)")]
    RateLimited,
    /// 408 or 5xx
    #[error("Brandlive returned a server error ({status})")]
    Server { status: u16 },
    /// One request took longer than `request_seconds`.
    #[error("Brandlive did not respond in time")]
    Timeout,
    /// All requests together took longer than `total_seconds`.
    #[error("Brandlive took longer than {seconds} seconds in total")]
    TotalTimeout { seconds: u64 },
    /// The last of several failed attempts.
    #[error("{source}{}; gave up after {attempts} attempt{}",
        .retry_after.map_or_else(String::new, |seconds| format!(" and requests a wait of {}", wait(seconds))),
        if *.attempts == 1 { "" } else { "s" })]
    GaveUp {
        source: Box<ProviderError>,
        attempts: u32,
        /// The wait in seconds that the provider requests.
        retry_after: Option<u64>,
    },
    /// DNS knows no such host.
    #[error("Brandlive's host could not be found; check base_url under [brandlive] and the network")]
    UnknownHost(#[source] ureq::Error),
    /// No server listens on the port.
    #[error("Brandlive can't be reached: the connection was refused")]
    ConnectionRefused(#[source] ureq::Error),
    /// The connection ended before the response.
    #[error("The connection to Brandlive was lost")]
    ConnectionLost(#[source] ureq::Error),
    /// The connection ended within the response.
    #[error("Brandlive's response was cut off")]
    ResponseCutOff(#[source] ureq::Error),
    /// The response is not HTTP.
    #[error("Brandlive's response is not HTTP")]
    NotHttp(#[source] ureq::Error),
    /// The server's certificate does not verify.
    #[error("Brandlive's certificate {problem}")]
    Certificate {
        /// What is wrong with it, and what to do.
        problem: String,
        #[source]
        source: ureq::Error,
    },
    /// Any other failure of the HTTP client.
    #[error("Brandlive's response can't be read")]
    Unreadable(#[source] ureq::Error),
    /// The body is larger than the limit.
    #[error("Brandlive's response to {path} is larger than {MAX_BODY_MB} MB; request smaller pages")]
    TooLarge { path: String },
    /// The body is HTML.
    #[error(
        "Brandlive responded to {path} with a web page instead of JSON; check base_url and the paths under [brandlive]"
    )]
    WebPage { path: String },
    /// A response without a body where JSON is expected.
    #[error("Brandlive's response to {path} is empty")]
    EmptyBody { path: String },
    /// The body is not JSON.
    #[error("Brandlive's response to {path} is not complete JSON")]
    InvalidJson {
        path: String,
        /// Where the JSON ends.
        #[source]
        source: serde_json::Error,
    },
    /// None of the pointers in `items` leads to a list.
    #[error(
        "Brandlive's response contains no list of events at any of \"{pointers}\"; 'lectern sync-brandlive --probe' shows \
         what it contains"
    )]
    NoList { pointers: String },
    /// The token response has no token at the configured pointers.
    #[error("Brandlive's response to {path} contains no token where [brandlive.credentials] expects it")]
    NoToken { path: String },
    /// The token has characters that no header can contain.
    #[error("The token in Brandlive's response to {path} can't be sent in a header")]
    InvalidToken {
        path: String,
        #[source]
        source: http::header::InvalidHeaderValue,
    },
    /// A response with status 200 reports an error.
    #[error("Brandlive responded to {path} with status 200, but the body reports an error")]
    ErrorInBody { path: String },
    /// The details contain none of the mapped fields.
    #[error(
        "Brandlive's response to {path} contains no event; check detail_path under [brandlive] and the pointers under \
         [brandlive.mapping]"
    )]
    NoEvent { path: String },
    /// The URL of the next page can't be read.
    #[error("Brandlive's URL of the next page is not valid; what was listed before it is synced")]
    InvalidNextPage(#[source] url::ParseError),
    /// The next page is on another host, which would receive the key.
    #[error(
        "Brandlive's next page is on another host, which is not requested; what was listed before it is synced and no \
         event is hidden"
    )]
    ForeignNextPage,
    /// The next page does not exist.
    #[error("Brandlive names a next page that does not exist ({path}, {status}); what was listed before it is synced")]
    NextPageMissing { path: String, status: u16 },
    /// What names the next page is neither a URL nor a cursor.
    #[error(
        "Brandlive's next page is named in a form that can't be read; what was listed before it is synced and no event \
         is hidden, check next and mode under [brandlive.paging] with 'lectern sync-brandlive --probe'"
    )]
    UnreadableNextPage,
    /// A page names a next one, and the configured mode does not read it.
    #[error(
        "Brandlive's list ended, but it names a next page; what was listed before it is synced and no event is hidden, \
         check mode under [brandlive.paging] (\"next\" and \"cursor\" follow it), or set next = [] there if it means \
         something else"
    )]
    NextPageNotFollowed,
    /// The next page has no list.
    #[error("Brandlive's next page {path} contains no list; what was listed before it is synced")]
    NextPageWithoutList { path: String },
    /// A page states that there are more, and the configured mode does not reach them.
    #[error(
        "Brandlive's list ended, but its last page states that there are more; what was listed is synced and no event is \
         hidden, check mode and more under [brandlive.paging]"
    )]
    EndsBeforeMore,
    /// The list has fewer pages than it states.
    #[error(
        "Brandlive's list ended after {read} of {stated} pages; what was listed is synced and no event is hidden, check \
         [brandlive.paging]"
    )]
    EndsBeforeLastPage {
        /// The number of pages with events.
        read: u64,
        /// The number of pages that the list states.
        stated: u64,
    },
    /// The request for a page other than the first failed.
    #[error("{source}; the pages before it are synced and no event is hidden")]
    PageFailed { source: Box<ProviderError> },
    /// The list can't be read after details were fetched.
    #[error("{source}; the details that were fetched before are synced and no event is hidden")]
    ListFailed { source: Box<ProviderError> },
    /// The list ends before its own total.
    #[error(
        "Brandlive's list ended after {listed} of {total} events; they are synced and none is hidden, check \
         [brandlive.paging]"
    )]
    EndsEarly {
        /// The number of items in the list.
        listed: u64,
        /// The total that it states.
        total: u64,
    },
    /// The configured limits of requests leave no time for another one.
    #[error("The request limit under [brandlive] permits no more requests in this run")]
    RequestLimit,
    /// The limits leave no request after the one for the token.
    #[error("The limits of requests under [brandlive] permit one request in a sync, for the token; allow at least two")]
    LimitOfOne,
    /// The provider's `Retry-After` in an earlier sync ends after the time of this one.
    #[error("Brandlive permits no request before {until} (Retry-After), so none was sent")]
    Paused {
        /// The instant, RFC 3339.
        until: String,
    },
    /// The provider requests a longer wait than the time of the sync, or it does not respond to requests for details.
    #[error("{0}; what was fetched before is synced, and the next sync continues")]
    Interrupted(#[source] Box<ProviderError>),
    /// The same cursor or next URL a second time, or many pages in a row without a new event.
    #[error(
        "Brandlive's paging loops: the same next page is named twice, or the next pages have no new events; what was \
         listed before is synced and no event is hidden"
    )]
    PagingLoop,
    /// More pages than any calendar has.
    #[error(
        "Brandlive's list does not end after {pages} pages; what was listed is synced and no event is hidden, check \
         [brandlive.paging]"
    )]
    TooManyPages { pages: usize },
    /// More items than any calendar has.
    #[error(
        "Brandlive lists more than {items} events; what was listed is synced and no event is hidden, check \
         [brandlive.paging]"
    )]
    TooManyItems { items: usize },
}

impl ProviderError {
    /// A complete body that is not JSON.
    pub(super) fn invalid_json(path: &str, body: &[u8], source: serde_json::Error) -> Self {
        let path = path.to_owned();
        if body.trim_ascii_start().starts_with(b"<") {
            Self::WebPage { path }
        } else if body.trim_ascii().is_empty() {
            Self::EmptyBody { path }
        } else {
            Self::InvalidJson { path, source }
        }
    }

    /// A failure before the response headers were read.
    pub(super) fn from_transport(error: ureq::Error) -> Self {
        match error {
            ureq::Error::Timeout(_) => Self::Timeout,
            ureq::Error::HostNotFound => Self::UnknownHost(error),
            ureq::Error::Io(ref io) if io.kind() == std::io::ErrorKind::ConnectionRefused => {
                Self::ConnectionRefused(error)
            }
            ureq::Error::Io(ref io) if is_dns_error(io) => Self::UnknownHost(error),
            ureq::Error::Io(ref io) => match certificate_problem(io, "base_url under [brandlive]", CA_FILE) {
                Some(problem) => Self::Certificate { problem, source: error },
                None => Self::ConnectionLost(error),
            },
            ureq::Error::ConnectionFailed | ureq::Error::BodyStalled => Self::ConnectionLost(error),
            ureq::Error::Protocol(_) => Self::NotHttp(error),
            ureq::Error::Http(source) => Self::InvalidRequest(Some(source)),
            // Its message repeats the URL, which may contain the key.
            ureq::Error::BadUri(_) => Self::InvalidRequest(None),
            _ => Self::Unreadable(error),
        }
    }

    /// A failure while the response body was read.
    pub(super) fn from_body(error: std::io::Error) -> Self {
        // The library wraps its own errors in I/O errors.
        match ureq::Error::from(error) {
            ureq::Error::Timeout(_) => Self::Timeout,
            error => Self::ResponseCutOff(error),
        }
    }

    /// The message followed by its causes. That of a certificate is complete, and its cause would repeat it.
    pub fn with_causes(&self) -> String {
        if matches!(self, Self::Certificate { .. }) { self.to_string() } else { ErrorChain(self).to_string() }
    }

    /// Whether the provider may respond otherwise to other credentials.
    pub(super) fn is_rejection(&self) -> bool {
        match self {
            Self::GaveUp { source, .. } => source.is_rejection(),
            Self::Unauthorized { .. } | Self::Rejected { .. } | Self::NotFound { .. } => true,
            error => matches!(error, Self::Redirect { .. } | Self::Server { .. } | Self::WebPage { .. }),
        }
    }

    /// Whether the next sync can continue where this error ended the current one.
    pub(super) fn interrupts(&self) -> bool {
        matches!(self, Self::RequestLimit | Self::TotalTimeout { .. } | Self::GaveUp { retry_after: Some(_), .. })
    }

    /// Whether the response to one URL is the reason, not the connection or the credentials.
    pub(super) fn concerns_url(&self) -> bool {
        match self {
            Self::GaveUp { source, .. } => source.concerns_url(),
            Self::NotModified { .. }
            | Self::Redirect { .. }
            | Self::NotFound { .. }
            | Self::Rejected { .. }
            | Self::Server { .. }
            | Self::ResponseCutOff(_)
            | Self::TooLarge { .. }
            | Self::WebPage { .. }
            | Self::EmptyBody { .. }
            | Self::InvalidJson { .. }
            | Self::NoList { .. }
            | Self::ErrorInBody { .. } => true,
            _ => false,
        }
    }

    /// Whether another attempt may succeed.
    pub(super) fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::RateLimited
                | Self::Server { status: 0..=500 | 502.. }
                | Self::Timeout
                | Self::UnknownHost(_)
                | Self::ConnectionRefused(_)
                | Self::ConnectionLost(_)
                | Self::ResponseCutOff(_)
                | Self::NotHttp(_)
        )
    }
}

/// A time to wait, as part of a message.
fn wait(seconds: u64) -> String {
    const YEAR: u64 = 365 * 24 * 60 * 60;
    if seconds > YEAR { "more than a year".to_owned() } else { format!("{seconds} seconds") }
}
