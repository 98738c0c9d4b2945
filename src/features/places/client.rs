//! Only the provider's addresses and JSON (Places API, New): from a place to a fresh photo.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::types::Attribution;
use crate::platform::config::{OutgoingNetwork, Places, Secret};

/// Two calls make one look-up, and both fit into the time of one request to us.
const CALL: Duration = Duration::from_secs(7);
const CONNECT: Duration = Duration::from_secs(5);
/// The largest answer that is read, in bytes.
const LARGEST: u64 = 2 * 1024 * 1024;
/// Wide enough for the card on a large screen, in pixels.
const WIDTH: &str = "1600";
/// More people are not named beside a photo.
const PEOPLE: usize = 10;

/// Speaks to the provider. It blocks: for the blocking pool only.
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

/// A photo as the provider has it now. Its terms let it be used at once, and not be stored.
#[derive(Clone, Debug)]
pub(super) struct Photo {
    /// Where the picture is for a short while.
    pub(super) address: String,
    /// Whom to name beside it.
    pub(super) attributions: Vec<Attribution>,
}

/// Why there is no answer, for the log: never with the key, never with what the provider wrote.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Trouble(String);

impl Trouble {
    fn new(sentence: &str) -> Self {
        Self(sentence.to_owned())
    }
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
    /// `None` without a key.
    pub(super) fn new(config: &Places, network: &OutgoingNetwork) -> Option<Self> {
        let config_of_agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .tls_config(network.tls())
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(CALL))
            .build();
        Some(Self {
            agent: config_of_agent.into(),
            base: Url::parse(config.base_url.as_str()).ok()?,
            key: config.server_key.clone()?,
        })
    }

    /// The first photo of a place, `None` where it has none or the provider no longer knows it.
    pub(super) fn look_up(&self, place_id: &str) -> Result<Option<Photo>, Trouble> {
        let details = self.address(&["v1", "places", place_id])?;
        let Some(details) = self.ask::<Details>(&details)? else { return Ok(None) };
        let Some(photo) = details.photos.into_iter().next() else { return Ok(None) };

        let steps: Vec<&str> = photo.name.split('/').collect();
        let ["places", place, "photos", reference] = steps[..] else {
            return Err(Trouble::new("a photo's name is not of the form that is known"));
        };
        let mut media = self.address(&["v1", "places", place, "photos", reference, "media"])?;
        media.query_pairs_mut().append_pair("maxWidthPx", WIDTH).append_pair("skipHttpRedirect", "true");
        let Some(media) = self.ask::<Media>(&media)? else { return Ok(None) };
        Ok(Some(Photo {
            address: self.checked(&media.photo_uri)?,
            attributions: photo.author_attributions.into_iter().take(PEOPLE).filter_map(named).collect(),
        }))
    }

    fn address(&self, steps: &[&str]) -> Result<Url, Trouble> {
        // `.` and `..` would be steps of their own.
        if steps.iter().any(|step| step.is_empty() || step.chars().all(|letter| letter == '.')) {
            return Err(Trouble::new("an id can't stand in an address"));
        }
        let mut url = self.base.clone();
        url.path_segments_mut()
            .map_err(|()| Trouble::new("places.base_url is no address of a server"))?
            .pop_if_empty()
            .extend(steps);
        Ok(url)
    }

    /// `None` for a 404.
    fn ask<T: DeserializeOwned>(&self, url: &Url) -> Result<Option<T>, Trouble> {
        let request = self
            .agent
            .get(url.as_str())
            .header("X-Goog-Api-Key", self.key.reveal())
            .header("X-Goog-FieldMask", "photos")
            .call();
        let mut answer = request.map_err(|error| unreachable(&error))?;
        match answer.status().as_u16() {
            200 => {}
            404 => return Ok(None),
            status => return Err(Trouble(format!("Google Places answered with status {status}"))),
        }
        let body = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
        let body = body.map_err(|error| unreachable(&error))?;
        serde_json::from_slice(&body).map(Some).map_err(|_| Trouble::new("Google Places sent what can't be read"))
    }

    /// A photo's address that browsers may be sent to: https, or the server that was asked itself.
    fn checked(&self, address: &str) -> Result<String, Trouble> {
        let refused = || Trouble::new("Google Places sent a photo's address that is not safe to follow");
        let url = Url::parse(address).map_err(|_| refused())?;
        let safe = url.scheme() == "https" || url.origin() == self.base.origin();
        let plain = url.host().is_some() && url.username().is_empty() && url.password().is_none();
        if safe && plain && url.as_str().len() <= 4_000 { Ok(url.into()) } else { Err(refused()) }
    }
}

fn unreachable(error: &ureq::Error) -> Trouble {
    Trouble::new(match error {
        ureq::Error::Timeout(_) => "Google Places did not answer in time",
        ureq::Error::BodyExceedsLimit(_) => "Google Places sent more than is read",
        _ => "Google Places could not be reached",
    })
}

/// An author with a name; only web addresses are links.
fn named(author: Author) -> Option<Attribution> {
    let name: String = author.display_name.trim().chars().take(200).collect();
    // The provider leaves the scheme out.
    let uri = author.uri.map(|uri| if uri.starts_with("//") { format!("https:{uri}") } else { uri });
    let uri = uri.filter(|uri| crate::platform::validate::is_web_url(uri));
    (!name.is_empty()).then_some(Attribution { name, uri })
}
