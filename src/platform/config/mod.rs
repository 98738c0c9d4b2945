//! The configuration: a TOML file, environment variables and flags, read and validated once at the start.

mod backup;
pub mod brandlive;
mod cache;
mod environment;
mod error;
mod https;
mod load;
mod network;
mod values;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use backup::{Backup, Keep, S3};
pub use brandlive::Brandlive;
pub use cache::{Cache, Purge};
pub use environment::is_known as is_known_variable;
pub use error::ConfigError;
pub use https::{Domain, Https};
pub use load::{DEFAULT_FILE, Overrides, SYSTEM_FILE, contains_secret, default_file, load};
pub use network::{CaFile, OutgoingNetwork};
pub use values::{BaseUrl, HttpUrl, Listen, Network, Secret, is_attribute_name};

use super::rate_limit::Quota;

/// Every setting. `config.example.toml` lists them with their defaults.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub server: Server,
    pub https: Https,
    pub database: Database,
    pub backup: Backup,
    pub log: Log,
    /// Metrics for monitoring.
    pub metrics: Metrics,
    pub auth: Auth,
    pub limits: Limits,
    /// Shared caches, such as a CDN.
    pub cache: Cache,
    /// The company's name, links and contact data.
    pub site: Site,
    /// A provider's newsletter form.
    pub subscribe: Newsletter,
    /// The calendar that other sites embed.
    pub embed: Embed,
    /// Calendar subscriptions and the feed of new events.
    pub feeds: Feeds,
    pub network: OutgoingNetwork,
    pub places: Places,
    /// Brandlive, the event provider.
    #[serde(deserialize_with = "brandlive::checked")]
    pub brandlive: Brandlive,
}

/// `[server]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Address and port.
    pub listen: Listen,
    /// The public URL of the site; by default the address on which the server listens.
    #[serde(deserialize_with = "values::or_blank")]
    pub base_url: Option<BaseUrl>,
    /// Networks of proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
}

/// `[database]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Database {
    #[serde(deserialize_with = "values::path_or_default")]
    pub path: std::path::PathBuf,
}

impl Default for Database {
    fn default() -> Self {
        Self { path: "lectern.db".into() }
    }
}

/// `[log]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    /// The least severe level that is logged.
    pub level: LogLevel,
    /// Whether every request is logged.
    pub requests: bool,
    /// How a line is written.
    pub format: LogFormat,
}

/// `[metrics]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Metrics {
    /// Address and port of `/metrics`; without it no metrics are served.
    #[serde(deserialize_with = "values::or_blank")]
    pub listen: Option<Listen>,
}

/// The severity of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Something may need attention.
    Warn,
    /// What happened.
    #[default]
    Info,
    /// Details for a diagnosis.
    Debug,
}

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// `[auth]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Auth {
    /// Hours without a request after which a session ends.
    #[serde(deserialize_with = "values::at_least_one")]
    pub session_idle_hours: u32,
    /// Days after which a session ends in any case.
    #[serde(deserialize_with = "values::at_least_one")]
    pub session_max_days: u32,
    /// Whether sign-in through Replit is offered.
    pub replit_login: bool,
}

impl Default for Auth {
    fn default() -> Self {
        Self { session_idle_hours: 12, session_max_days: 7, replit_login: false }
    }
}

/// `[limits]`; a burst of 0 disables a limit.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Failed sign-ins at once, per client address.
    pub sign_in_burst: u32,
    /// Failed sign-ins per minute after that.
    #[serde(deserialize_with = "values::at_least_one")]
    pub sign_in_per_minute: u32,
    /// New visitors who show interest at once, per client address.
    pub visitor_burst: u32,
    /// New visitors per minute after that.
    #[serde(deserialize_with = "values::at_least_one")]
    pub visitor_per_minute: u32,
    /// Venue photos per minute and client address; 0 disables the limit.
    pub photo_per_minute: u32,
    /// Paid lookups of venue photos per day (UTC) of all clients; 0 disables the limit.
    pub photo_per_day: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sign_in_burst: 10,
            sign_in_per_minute: 1,
            visitor_burst: 100,
            visitor_per_minute: 60,
            photo_per_minute: 30,
            photo_per_day: 500,
        }
    }
}

impl Limits {
    /// The quota of failed sign-ins.
    pub fn sign_in(&self) -> Quota {
        Quota { burst: self.sign_in_burst, per_minute: self.sign_in_per_minute }
    }

    /// The quota of new visitors.
    pub fn visitor(&self) -> Quota {
        Quota { burst: self.visitor_burst, per_minute: self.visitor_per_minute }
    }
}

/// A link with its visible text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Not blank, because a link needs an accessible name.
    #[serde(deserialize_with = "values::not_blank")]
    pub label: String,
    #[schema(value_type = String)]
    pub url: HttpUrl,
}

/// `[site]`: content that the company supplies.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Site {
    /// The company's name, next to the logo and in titles; not blank.
    #[serde(deserialize_with = "values::not_blank")]
    pub name: String,
    /// An image that replaces the built-in logo; https.
    #[serde(deserialize_with = "values::image_or_blank")]
    pub logo_url: Option<HttpUrl>,
    /// The target of `Learn More`.
    pub learn_more_url: HttpUrl,
    /// The target of `Schedule a Call`; without it the button is omitted.
    #[serde(deserialize_with = "values::or_blank")]
    pub schedule_call_url: Option<HttpUrl>,
    /// The target of `Investor Resources`; without it the button is omitted.
    #[serde(deserialize_with = "values::or_blank")]
    pub investor_resources_url: Option<HttpUrl>,
    /// The disclaimer in the footer.
    pub disclaimer: String,
    pub contact: Contact,
    pub social: Vec<Link>,
    /// The four link columns.
    pub footer: Footer,
}

/// `[site.contact]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default, rename_all(serialize = "camelCase"))]
#[schema(rename_all = "camelCase")]
pub struct Contact {
    /// Street and city, one line each.
    pub address_lines: Vec<String>,
    /// Telephone number as displayed; omitted if blank.
    pub phone: String,
    /// E-mail address; omitted if blank.
    pub email: String,
}

/// `[site.footer]`: the columns Who We Are, Investments, Discover, Explore More (spec §2).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Footer {
    pub who_we_are: Vec<Link>,
    pub investments: Vec<Link>,
    pub discover: Vec<Link>,
    pub explore_more: Vec<Link>,
}

fn link(label: &str, page: &str) -> Link {
    Link { label: label.to_owned(), url: HttpUrl::example(page) }
}

impl Default for Site {
    fn default() -> Self {
        Self {
            name: "Your Company".to_owned(),
            logo_url: None,
            learn_more_url: HttpUrl::example(""),
            schedule_call_url: Some(HttpUrl::example("schedule-a-call")),
            investor_resources_url: Some(HttpUrl::example("investor-resources")),
            disclaimer: "Past performance is no guarantee of future results.".to_owned(),
            contact: Contact::default(),
            social: ["LinkedIn", "YouTube", "Facebook", "Instagram"]
                .map(|name| link(name, &name.to_lowercase()))
                .to_vec(),
            footer: Footer::default(),
        }
    }
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            address_lines: vec!["100 Example Street".to_owned(), "Your City, ST 00000".to_owned()],
            phone: "(555) 555-0100".to_owned(),
            email: "hello@example.com".to_owned(),
        }
    }
}

impl Default for Footer {
    fn default() -> Self {
        Self {
            who_we_are: vec![link("About Us", "about"), link("Our Team", "team"), link("Contact", "contact")],
            investments: vec![link("How It Works", "how-it-works"), link("Current Offerings", "offerings")],
            discover: vec![link("Articles", "articles"), link("Podcast", "podcast")],
            explore_more: vec![link("Glossary", "glossary"), link("Privacy Policy", "privacy")],
        }
    }
}

/// `[subscribe]`: the newsletter form, which a provider's script inserts into the page. Subscriptions of the calendar are
/// in the feature `feeds`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Newsletter {
    /// The URL of the script; without it there is no form.
    #[serde(deserialize_with = "values::or_blank")]
    pub script_url: Option<HttpUrl>,
    /// The `id` of the element that the script fills.
    pub container_id: String,
    /// Attributes of that element that the script reads.
    #[serde(deserialize_with = "values::attributes")]
    pub attributes: std::collections::BTreeMap<String, String>,
    /// Other hosts that the form loads from or sends to, such as `https://forms.example.com`.
    pub allowed_hosts: Vec<HttpUrl>,
}

/// `[embed]`: the calendar in pages of other sites.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Embed {
    /// The sites that may embed it; empty means any.
    pub allowed_hosts: Vec<HttpUrl>,
}

/// `[feeds]`: calendar subscriptions and the feed of new events.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Feeds {
    /// The days before today whose events they contain.
    #[serde(deserialize_with = "values::number")]
    pub past_days: u32,
}

impl Default for Feeds {
    fn default() -> Self {
        Self { past_days: 365 }
    }
}

/// `[places]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Places {
    /// Key for venue photos, never sent to browsers.
    #[serde(deserialize_with = "values::secret_or_blank")]
    pub server_key: Option<Secret>,
    /// Key for the map and the venue search, visible in browsers.
    #[serde(deserialize_with = "values::text_or_blank")]
    pub browser_key: Option<String>,
    /// The URL of the provider's API.
    pub base_url: HttpUrl,
}

impl Default for Places {
    fn default() -> Self {
        let base_url = HttpUrl::literal("https://places.googleapis.com");
        Self { server_key: None, browser_key: None, base_url }
    }
}
