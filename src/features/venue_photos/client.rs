//! Client for Google Places (Places API, New), which finds the photo of a place.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::types::Attribution;
use crate::platform::config::{OutgoingNetwork, Places, Secret};
use crate::platform::http_client::{self, CA_FILE, certificate_problem};

/// Timeout of one request. A lookup takes two, which fit into the timeout of a request to this server.
const TIMEOUT: Duration = Duration::from_secs(7);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The largest accepted response body in bytes.
const MAX_BODY_BYTES: u64 = 2 * 1024 * 1024;
/// Width of the photo in pixels, enough for the card on a large screen.
const PHOTO_WIDTH: &str = "1600";
/// The maximum number of authors credited next to a photo.
const MAX_ATTRIBUTIONS: usize = 10;

/// Sends requests to the provider. It blocks, so it may be used on the blocking pool only.
#[derive(Clone)]
pub(super) struct Client {
    agent: ureq::Agent,
    base: Url,
    key: Secret,
}

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client").field("base", &self.base.as_str()).finish_non_exhaustive()
    }
}

/// A photo. The provider's terms forbid storing it.
#[derive(Clone, Debug)]
pub(super) struct Photo {
    /// The URL of the image, valid for a few minutes.
    pub(super) url: String,
    /// The authors who must be credited next to it.
    pub(super) attributions: Vec<Attribution>,
}

/// Why a lookup failed. The messages contain neither the key nor text of the provider.
#[derive(Debug, thiserror::Error)]
pub(super) enum PhotoError {
    #[error("a place id can't be a path segment")]
    InvalidPlaceId,
    #[error("places.base_url can't have a path")]
    InvalidBaseUrl,
    #[error("Google Places could not be reached")]
    Unreachable(#[source] ureq::Error),
    #[error("Google Places' certificate {problem}")]
    Certificate { problem: String, source: ureq::Error },
    #[error("Google Places did not respond in time")]
    Timeout(#[source] ureq::Error),
    #[error("Google Places sent too large a response")]
    TooLarge(#[source] ureq::Error),
    #[error("Google Places responded with status {0}")]
    Status(u16),
    #[error("Google Places sent invalid JSON in line {line}, column {column}")]
    InvalidJson { line: usize, column: usize },
    #[error("Google Places sent a photo name of an unknown form")]
    UnknownPhotoName,
    #[error("Google Places sent an unsafe photo URL")]
    UnsafePhotoUrl,
}

#[derive(Deserialize)]
struct Details {
    #[serde(default)]
    photos: Vec<PhotoName>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PhotoName {
    name: String,
    #[serde(default)]
    author_attributions: Vec<Author>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Author {
    #[serde(default)]
    display_name: String,
    uri: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Media {
    photo_uri: String,
}

impl Client {
    /// A client, or `None` without an API key.
    pub(super) fn new(config: &Places, network: &OutgoingNetwork) -> Option<Self> {
        let agent = http_client::api_config(CONNECT_TIMEOUT).timeout_global(Some(TIMEOUT)).build();
        Some(Self {
            agent: network.agent(agent),
            base: Url::parse(config.base_url.as_str()).ok()?,
            key: config.server_key.clone()?,
        })
    }

    /// The first photo of a place; `None` if the place has none or is unknown to the provider.
    pub(super) fn find_photo(&self, place_id: &str) -> Result<Option<Photo>, PhotoError> {
        let details_url = self.url(&["v1", "places", place_id])?;
        let Some(details) = self.get_json::<Details>(&details_url)? else { return Ok(None) };
        let Some(photo) = details.photos.into_iter().next() else { return Ok(None) };

        let segments: Vec<&str> = photo.name.split('/').collect();
        let ["places", place, "photos", reference] = segments[..] else {
            return Err(PhotoError::UnknownPhotoName);
        };
        let mut media_url = self.url(&["v1", "places", place, "photos", reference, "media"])?;
        media_url.query_pairs_mut().append_pair("maxWidthPx", PHOTO_WIDTH).append_pair("skipHttpRedirect", "true");
        let Some(media) = self.get_json::<Media>(&media_url)? else { return Ok(None) };
        Ok(Some(Photo {
            url: self.check_photo_url(&media.photo_uri)?,
            attributions: photo
                .author_attributions
                .into_iter()
                .take(MAX_ATTRIBUTIONS)
                .filter_map(attribution)
                .collect(),
        }))
    }

    fn url(&self, segments: &[&str]) -> Result<Url, PhotoError> {
        // `.` and `..` would change the path.
        if segments.iter().any(|segment| segment.is_empty() || segment.chars().all(|c| c == '.')) {
            return Err(PhotoError::InvalidPlaceId);
        }
        let mut url = self.base.clone();
        url.path_segments_mut().map_err(|()| PhotoError::InvalidBaseUrl)?.pop_if_empty().extend(segments);
        Ok(url)
    }

    /// Sends a GET request; `None` for a 404.
    fn get_json<T: DeserializeOwned>(&self, url: &Url) -> Result<Option<T>, PhotoError> {
        let request = self
            .agent
            .get(url.as_str())
            .header("X-Goog-Api-Key", self.key.reveal())
            .header("X-Goog-FieldMask", "photos")
            .call();
        let mut response = request.map_err(request_error)?;
        match response.status().as_u16() {
            200 => {}
            404 => return Ok(None),
            status => return Err(PhotoError::Status(status)),
        }
        let body = response.body_mut().with_config().limit(MAX_BODY_BYTES).read_to_vec();
        let body = body.map_err(request_error)?;
        serde_json::from_slice(&body)
            .map(Some)
            .map_err(|error| PhotoError::InvalidJson { line: error.line(), column: error.column() })
    }

    /// Checks a photo's URL, to which clients are redirected: https, or the provider's own origin.
    fn check_photo_url(&self, photo_url: &str) -> Result<String, PhotoError> {
        let url = Url::parse(photo_url).map_err(|_| PhotoError::UnsafePhotoUrl)?;
        let safe = url.scheme() == "https" || url.origin() == self.base.origin();
        let plain = url.host().is_some() && url.username().is_empty() && url.password().is_none();
        if safe && plain && url.as_str().len() <= 4_000 { Ok(url.into()) } else { Err(PhotoError::UnsafePhotoUrl) }
    }
}

fn request_error(error: ureq::Error) -> PhotoError {
    let problem = if let ureq::Error::Io(io) = &error {
        certificate_problem(io, "base_url under [places]", CA_FILE)
    } else {
        None
    };
    match (problem, &error) {
        (Some(problem), _) => PhotoError::Certificate { problem, source: error },
        (None, ureq::Error::Timeout(_)) => PhotoError::Timeout(error),
        (None, ureq::Error::BodyExceedsLimit(_)) => PhotoError::TooLarge(error),
        (None, _) => PhotoError::Unreachable(error),
    }
}

/// The attribution of an author who has a name. Only http and https URLs become links.
fn attribution(author: Author) -> Option<Attribution> {
    let name: String = author.display_name.trim().chars().take(200).collect();
    // The provider omits the scheme.
    let uri = author.uri.map(|uri| if uri.starts_with("//") { format!("https:{uri}") } else { uri });
    let uri = uri.filter(|uri| crate::platform::validate::is_web_url(uri));
    (!name.is_empty()).then_some(Attribution { name, uri })
}
