//! `[brandlive]`: the provider's endpoints and the mapping of its responses. Their documentation is not public;
//! `config.example.toml` states which defaults are published and which are assumed; `--probe` shows which of them are wrong.

mod checks;
mod types;

use serde::Deserialize;

pub(super) use checks::brandlive as checked;
use types::pointers;
pub use types::{
    CredentialsMode, DetailPath, DurationUnit, MAX_EVENT_MINUTES, PagingMode, Pointer, TimeFormat, UrlPath,
};

use super::values::{self, HttpUrl, Secret};
use crate::platform::messages::{DEFAULT_TIME_ZONE, EVENT_TYPES};

/// `[brandlive]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Brandlive {
    #[serde(deserialize_with = "types::url_without_query")]
    pub base_url: HttpUrl,
    #[serde(deserialize_with = "values::secret_or_blank")]
    pub api_key: Option<Secret>,
    #[serde(deserialize_with = "values::secret_or_blank")]
    pub api_secret: Option<Secret>,
    /// The list of events, from `base_url` on.
    pub list_path: UrlPath,
    /// The path of one event, and when it is requested.
    pub detail_path: DetailPath,
    /// Pointers to the list of events in a response; the first that refers to a list is used.
    #[serde(deserialize_with = "types::non_empty_pointers")]
    pub items: Vec<Pointer>,
    /// Timeout of one request, in seconds.
    #[serde(alias = "call_seconds", deserialize_with = "types::at_most_15")]
    pub request_seconds: u32,
    /// Timeout of all requests of a sync with their retries, in seconds.
    #[serde(deserialize_with = "types::at_most_90")]
    pub total_seconds: u32,
    /// The request limit per minute; 0 for none.
    pub requests_per_minute: u32,
    /// The request limit per hour; 0 for none.
    pub requests_per_hour: u32,
    /// How the key is sent.
    #[serde(deserialize_with = "checks::credentials")]
    pub credentials: Credentials,
    /// How a long list is split into pages.
    #[serde(deserialize_with = "checks::paging")]
    pub paging: Paging,
    /// The fields of an event in an item.
    #[serde(deserialize_with = "checks::mapping")]
    pub mapping: Mapping,
    /// How times are written.
    pub times: Times,
    /// The meaning of the provider's status values.
    #[serde(deserialize_with = "checks::status")]
    pub status: Status,
    /// Values for fields that the provider omits.
    pub defaults: Defaults,
}

impl Default for Brandlive {
    fn default() -> Self {
        Self {
            base_url: HttpUrl::literal("https://api.brandlive.com"),
            api_key: None,
            api_secret: None,
            list_path: UrlPath("/v1/events".to_owned()),
            detail_path: DetailPath::Auto,
            items: pointers(&["", "/data", "/events", "/items", "/results", "/data/events", "/data/items"]),
            request_seconds: 15,
            total_seconds: 90,
            requests_per_minute: 0,
            requests_per_hour: 0,
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
    /// Whether there is an API key.
    pub fn is_configured(&self) -> bool {
        self.api_key.is_some()
    }
}

/// `[brandlive.credentials]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Credentials {
    /// How the key is sent.
    #[serde(alias = "way")]
    pub mode: CredentialsMode,
    /// Header or parameter for the key.
    pub key_name: String,
    /// Header or parameter for the secret.
    pub secret_name: String,
    /// The path of the token endpoint.
    pub token_path: UrlPath,
    /// Its request body; `{key}` and `{secret}` are placeholders.
    pub token_body: String,
    /// Pointers to the token in its response.
    pub token: Vec<Pointer>,
}

impl Default for Credentials {
    fn default() -> Self {
        Self {
            mode: CredentialsMode::Basic,
            key_name: "X-Api-Key".to_owned(),
            secret_name: "X-Api-Secret".to_owned(),
            token_path: UrlPath("/v1/token".to_owned()),
            token_body: r#"{"api_key": "{key}", "api_secret": "{secret}"}"#.to_owned(),
            token: pointers(&["/access_token", "/token", "/data/token"]),
        }
    }
}

/// `[brandlive.paging]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Paging {
    /// How the pages are requested.
    #[serde(alias = "way")]
    pub mode: PagingMode,
    /// The parameter for page, offset or cursor.
    pub parameter: String,
    /// The first page's number.
    pub first: u32,
    /// The parameter for the page size; blank sends none.
    pub size_parameter: String,
    /// Items on a page.
    #[serde(deserialize_with = "values::at_least_one")]
    pub size: u32,
    /// Pointers to the next cursor or URL in a response.
    pub next: Vec<Pointer>,
    /// Pointers to a flag that states whether there are more pages.
    pub more: Vec<Pointer>,
    /// Pointers to the number of events on all pages.
    pub total: Vec<Pointer>,
    /// Pointers to the number of pages.
    pub total_pages: Vec<Pointer>,
}

impl Default for Paging {
    fn default() -> Self {
        Self {
            mode: PagingMode::Page,
            parameter: "page".to_owned(),
            first: 1,
            size_parameter: "limit".to_owned(),
            size: 100,
            next: pointers(&[
                "/next",
                "/next_cursor",
                "/nextCursor",
                "/next_page_token",
                "/nextPageToken",
                "/next_page_url",
                "/next_url",
                "/nextLink",
                "/links/next",
                "/_links/next",
                "/meta/next",
                "/meta/next_cursor",
                "/paging/next",
                "/pagination/next",
                "/pagination/next_cursor",
                "/data/next",
                "/data/next_cursor",
                "/next_page",
                "/nextPage",
                "/meta/next_page",
                "/pagination/next_page",
            ]),
            more: pointers(&[
                "/has_more",
                "/hasMore",
                "/has_next",
                "/hasNext",
                "/hasNextPage",
                "/pageInfo/hasNextPage",
                "/meta/has_more",
                "/meta/hasMore",
                "/paging/has_more",
                "/paging/hasMore",
                "/pagination/has_more",
                "/pagination/hasMore",
                "/pagination/has_next",
                "/data/has_more",
                "/data/hasMore",
            ]),
            total: pointers(&[
                "/total",
                "/total_count",
                "/totalCount",
                "/total_items",
                "/totalItems",
                "/totalElements",
                "/meta/total",
                "/meta/total_count",
                "/meta/totalCount",
                "/meta/pagination/total",
                "/page/totalElements",
                "/pagination/total",
                "/pagination/total_count",
                "/data/total",
                "/data/total_count",
                "/count",
            ]),
            total_pages: pointers(&[
                "/total_pages",
                "/totalPages",
                "/page_count",
                "/pageCount",
                "/last_page",
                "/meta/total_pages",
                "/meta/totalPages",
                "/meta/last_page",
                "/meta/pagination/pageCount",
                "/page/totalPages",
                "/pagination/total_pages",
                "/pagination/totalPages",
                "/data/total_pages",
                "/data/totalPages",
            ]),
        }
    }
}

/// `[brandlive.mapping]`: pointers for each field; the first that refers to a value other than null and blank is used.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mapping {
    /// The provider's id.
    #[serde(deserialize_with = "types::non_empty_pointers")]
    pub id: Vec<Pointer>,
    #[serde(deserialize_with = "types::non_empty_pointers")]
    pub title: Vec<Pointer>,
    /// Start with date and time.
    pub starts_at: Vec<Pointer>,
    /// Date, if date and time are separate.
    pub date: Vec<Pointer>,
    /// Time, if date and time are separate.
    pub time: Vec<Pointer>,
    pub timezone: Vec<Pointer>,
    pub duration: Vec<Pointer>,
    /// End, used without a duration.
    pub ends_at: Vec<Pointer>,
    pub summary: Vec<Pointer>,
    pub description: Vec<Pointer>,
    pub registration_url: Vec<Pointer>,
    pub status: Vec<Pointer>,
    /// A flag, or the time of the cancellation.
    pub cancelled: Vec<Pointer>,
    /// When the item changed last, to request details only after a change.
    pub updated_at: Vec<Pointer>,
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
            cancelled: pointers(&["/cancelled", "/canceled", "/is_cancelled", "/is_canceled", "/isCancelled"]),
            updated_at: pointers(&["/updated_at", "/updatedAt", "/modified_at", "/modifiedAt"]),
            r#type: pointers(&["/type"]),
            series: pointers(&["/series"]),
        }
    }
}

impl Mapping {
    /// Every field with its pointers.
    pub fn fields(&self) -> [(&'static str, &[Pointer]); 16] {
        [
            ("id", &self.id),
            ("title", &self.title),
            ("starts_at", &self.starts_at),
            ("date", &self.date),
            ("time", &self.time),
            ("timezone", &self.timezone),
            ("duration", &self.duration),
            ("ends_at", &self.ends_at),
            ("summary", &self.summary),
            ("description", &self.description),
            ("registration_url", &self.registration_url),
            ("status", &self.status),
            ("cancelled", &self.cancelled),
            ("updated_at", &self.updated_at),
            ("type", &self.r#type),
            ("series", &self.series),
        ]
    }
}

/// `[brandlive.times]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Times {
    /// The format of start and end.
    #[serde(alias = "form")]
    pub format: TimeFormat,
    /// The zone of times without an offset; `None` for the event's own.
    #[serde(deserialize_with = "types::optional_zone")]
    pub zone: Option<String>,
    /// The unit of a duration without a unit.
    pub duration_unit: DurationUnit,
}

impl Default for Times {
    fn default() -> Self {
        Self { format: TimeFormat::Auto, zone: None, duration_unit: DurationUnit::Minutes }
    }
}

/// `[brandlive.status]`: status values, compared case-insensitively.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Status {
    /// Synced.
    pub live: Vec<String>,
    /// Treated as not listed.
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
    #[serde(deserialize_with = "types::event_type")]
    pub r#type: String,
    /// IANA name.
    #[serde(deserialize_with = "types::zone_name")]
    pub timezone: String,
    /// In minutes.
    #[serde(deserialize_with = "types::minutes")]
    pub duration: u32,
    /// A URL with `{id}` in it; blank if the provider always has one.
    #[serde(deserialize_with = "types::registration_url_template")]
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
