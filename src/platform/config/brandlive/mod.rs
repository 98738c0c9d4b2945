//! `[brandlive]`: where the provider's calls are and how its answers are read. Its documentation of
//! both is not public, so every default here is a guess that `--probe` helps to correct.

mod shape;

use serde::Deserialize;

use shape::pointers;
pub use shape::{CredentialsWay, DurationUnit, PagingWay, Path, Pointer, TimeForm};

use super::values::{self, Secret, WebAddress};
use crate::platform::messages::{DEFAULT_TIME_ZONE, EVENT_TYPES};

/// `[brandlive]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Brandlive {
    /// Where the provider's calls are.
    pub base_url: WebAddress,
    /// The key.
    #[serde(deserialize_with = "values::secret_or_blank")]
    pub api_key: Option<Secret>,
    /// Its secret.
    #[serde(deserialize_with = "values::secret_or_blank")]
    pub api_secret: Option<Secret>,
    /// The list of events, from `base_url` on.
    pub list_path: Path,
    /// One event, with `{id}` in it; blank where the list says enough.
    #[serde(deserialize_with = "shape::detail_path")]
    pub detail_path: Path,
    /// Where an answer holds its list of events; the first that leads to a list counts.
    #[serde(deserialize_with = "shape::somewhere")]
    pub items: Vec<Pointer>,
    /// Longest wait for one call, in seconds.
    #[serde(deserialize_with = "shape::at_most_15")]
    pub call_seconds: u32,
    /// Longest time for all calls of a sync with their retries, in seconds.
    #[serde(deserialize_with = "shape::at_most_90")]
    pub total_seconds: u32,
    /// How the key is sent.
    pub credentials: Credentials,
    /// How a long list is parted.
    pub paging: Paging,
    /// Where an item holds what an event needs.
    pub mapping: Mapping,
    /// How times are written.
    pub times: Times,
    /// What the words for an event's state mean.
    pub status: Status,
    /// What an imported event is where the provider says nothing.
    pub defaults: Defaults,
}

impl Default for Brandlive {
    fn default() -> Self {
        Self {
            base_url: WebAddress::known("https://api.brandlive.com"),
            api_key: None,
            api_secret: None,
            list_path: Path("/v1/events".to_owned()),
            detail_path: Path(String::new()),
            items: pointers(&["", "/data", "/events", "/items", "/results", "/data/events", "/data/items"]),
            call_seconds: 15,
            total_seconds: 90,
            credentials: Credentials::default(),
            paging: Paging::default(),
            mapping: Mapping::default(),
            times: Times::default(),
            status: Status::default(),
            defaults: Defaults::default(),
        }
    }
}

impl Brandlive {
    /// Whether there is a key to speak to the provider with.
    pub fn is_configured(&self) -> bool {
        self.api_key.is_some()
    }
}

/// `[brandlive.credentials]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Credentials {
    /// The way.
    pub way: CredentialsWay,
    /// Header or parameter for the key.
    pub key_name: String,
    /// Header or parameter for the secret.
    pub secret_name: String,
    /// Where a token is fetched.
    pub token_path: Path,
    /// What is sent there; `{key}` and `{secret}` stand for the two.
    pub token_body: String,
    /// Where its answer holds the token.
    pub token: Vec<Pointer>,
}

impl Default for Credentials {
    fn default() -> Self {
        Self {
            way: CredentialsWay::Headers,
            key_name: "X-Api-Key".to_owned(),
            secret_name: "X-Api-Secret".to_owned(),
            token_path: Path("/v1/token".to_owned()),
            token_body: r#"{"api_key": "{key}", "api_secret": "{secret}"}"#.to_owned(),
            token: pointers(&["/access_token", "/token", "/data/token"]),
        }
    }
}

/// `[brandlive.paging]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Paging {
    /// The way.
    pub way: PagingWay,
    /// The parameter for page, offset or cursor.
    pub parameter: String,
    /// The first page's number.
    pub first: u32,
    /// The parameter for the size of a page; blank asks for none.
    pub size_parameter: String,
    /// Items on a page.
    #[serde(deserialize_with = "values::at_least_one")]
    pub size: u32,
    /// Where an answer holds the next cursor or address.
    pub next: Vec<Pointer>,
}

impl Default for Paging {
    fn default() -> Self {
        Self {
            way: PagingWay::Page,
            parameter: "page".to_owned(),
            first: 1,
            size_parameter: "limit".to_owned(),
            size: 100,
            next: pointers(&["/next", "/next_cursor", "/meta/next_cursor", "/links/next", "/paging/next"]),
        }
    }
}

/// `[brandlive.mapping]`: for each, where it may be; the first that is there and not null counts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mapping {
    /// The provider's id.
    #[serde(deserialize_with = "shape::somewhere")]
    pub id: Vec<Pointer>,
    /// Title.
    #[serde(deserialize_with = "shape::somewhere")]
    pub title: Vec<Pointer>,
    /// Start, day and time in one.
    pub starts_at: Vec<Pointer>,
    /// Day, where day and time are apart.
    pub date: Vec<Pointer>,
    /// Time, where day and time are apart.
    pub time: Vec<Pointer>,
    /// Zone.
    pub timezone: Vec<Pointer>,
    /// Length.
    pub duration: Vec<Pointer>,
    /// End, where there is no length.
    pub ends_at: Vec<Pointer>,
    /// Summary.
    pub summary: Vec<Pointer>,
    /// Description.
    pub description: Vec<Pointer>,
    /// Where visitors register.
    pub registration_url: Vec<Pointer>,
    /// State.
    pub status: Vec<Pointer>,
    /// Event type, used when the event is created.
    pub r#type: Vec<Pointer>,
    /// Series, used when the event is created.
    pub series: Vec<Pointer>,
}

impl Default for Mapping {
    fn default() -> Self {
        Self {
            id: pointers(&["/uuid", "/id"]),
            title: pointers(&["/title", "/name"]),
            starts_at: pointers(&["/start_date", "/starts_at", "/start_time", "/startDate", "/start"]),
            date: Vec::new(),
            time: Vec::new(),
            timezone: pointers(&["/timezone", "/time_zone", "/timeZone"]),
            duration: pointers(&["/duration"]),
            ends_at: pointers(&["/end_date", "/ends_at", "/end_time", "/endDate", "/end"]),
            summary: pointers(&["/summary", "/short_description"]),
            description: pointers(&["/description", "/body"]),
            registration_url: pointers(&["/registration_url", "/registrationUrl", "/url"]),
            status: pointers(&["/status", "/state"]),
            r#type: pointers(&["/type"]),
            series: pointers(&["/series"]),
        }
    }
}

/// `[brandlive.times]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Times {
    /// How start and end are written.
    pub form: TimeForm,
    /// What a number for the length counts.
    pub duration_unit: DurationUnit,
}

impl Default for Times {
    fn default() -> Self {
        Self { form: TimeForm::Auto, duration_unit: DurationUnit::Minutes }
    }
}

/// `[brandlive.status]`: words, compared without regard to case.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Status {
    /// Imported.
    pub live: Vec<String>,
    /// As if it were not listed.
    pub skipped: Vec<String>,
    /// Hidden from the public.
    pub cancelled: Vec<String>,
}

impl Default for Status {
    fn default() -> Self {
        let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
        Self {
            live: words(&["live", "published", "scheduled", "upcoming", "active", "ended", "completed", "on_demand"]),
            skipped: words(&["draft", "archived", "template", "private"]),
            cancelled: words(&["cancelled", "canceled"]),
        }
    }
}

/// `[brandlive.defaults]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// One of the event types.
    #[serde(deserialize_with = "shape::event_type")]
    pub r#type: String,
    /// IANA name.
    #[serde(deserialize_with = "shape::zone_name")]
    pub timezone: String,
    /// In minutes.
    #[serde(deserialize_with = "values::at_least_one")]
    pub duration: u32,
    /// An address with `{id}` in it; blank where the provider always says one.
    #[serde(deserialize_with = "shape::address_of_one")]
    pub registration_url: Option<String>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            r#type: EVENT_TYPES[0].to_owned(),
            timezone: DEFAULT_TIME_ZONE.to_owned(),
            duration: 60,
            registration_url: None,
        }
    }
}
