//! The site settings, in effect and as they are sent.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::color::{Accent, Color};
use crate::features::activity::{Fields, Subject};
use crate::platform::clock::parse_timestamp;
use crate::platform::config::{Config, Contact, Footer, HttpUrl, Link, Newsletter};

/// The settings by the names of [`SiteValues`].
pub(super) type Values = Map<String, Value>;

/// The keys of the configuration by the names of [`SiteValues`]. The other settings are in the database only.
pub(super) const CONFIGURATION_KEYS: [(&str, &str); 18] = [
    ("name", "site.name"),
    ("logoUrl", "site.logo_url"),
    ("addressLines", "site.contact.address_lines"),
    ("phone", "site.contact.phone"),
    ("email", "site.contact.email"),
    ("whoWeAre", "site.footer.who_we_are"),
    ("investments", "site.footer.investments"),
    ("discover", "site.footer.discover"),
    ("exploreMore", "site.footer.explore_more"),
    ("social", "site.social"),
    ("learnMoreUrl", "site.learn_more_url"),
    ("scheduleCallUrl", "site.schedule_call_url"),
    ("investorResourcesUrl", "site.investor_resources_url"),
    ("disclaimer", "site.disclaimer"),
    ("subscribeScriptUrl", "subscribe.script_url"),
    ("subscribeContainerId", "subscribe.container_id"),
    ("subscribeAttributes", "subscribe.attributes"),
    ("subscribeAllowedHosts", "subscribe.allowed_hosts"),
];

/// The values of all settings. A blank text means that the site has no such text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteValues {
    /// The company's name.
    pub name: String,
    /// An image that replaces the built-in logo: https, or the path of an uploaded image.
    pub logo_url: String,
    /// The accent of the light theme, such as `#fad83e`; blank is that of the design.
    pub accent_light: String,
    /// The accent of the dark theme; blank is that of the design.
    pub accent_dark: String,
    /// Street and city, one line each.
    pub address_lines: Vec<String>,
    /// The phone number as displayed.
    pub phone: String,
    /// The address for mail.
    pub email: String,
    /// Links of the footer's column Who We Are.
    pub who_we_are: Vec<Link>,
    /// Links of the column Investments.
    pub investments: Vec<Link>,
    /// Links of the column Discover.
    pub discover: Vec<Link>,
    /// Links of the column Explore More.
    pub explore_more: Vec<Link>,
    /// Links to social media.
    pub social: Vec<Link>,
    /// The target of `Learn More`; never blank.
    pub learn_more_url: String,
    /// The target of `Schedule a Call`.
    pub schedule_call_url: String,
    /// The target of `Investor Resources`.
    pub investor_resources_url: String,
    /// The small print in the footer.
    pub disclaimer: String,
    /// The script of the newsletter form.
    pub subscribe_script_url: String,
    /// The `id` of the element that the script fills.
    pub subscribe_container_id: String,
    /// Attributes of that element that the script reads.
    pub subscribe_attributes: BTreeMap<String, String>,
    /// Other hosts that the form loads from or sends to.
    pub subscribe_allowed_hosts: Vec<String>,
    /// The notice on all public pages.
    pub notice_text: String,
    /// The text of the notice's link.
    pub notice_link_label: String,
    /// The target of the notice's link.
    pub notice_link_url: String,
    /// The end of the notice, UTC, RFC 3339; blank is no end.
    pub notice_ends_at: String,
}

impl SiteValues {
    /// Those of the configuration.
    pub(super) fn from_config(config: &Config) -> Self {
        let (site, subscribe) = (&config.site, &config.subscribe);
        let text = |url: &Option<HttpUrl>| url.as_ref().map(ToString::to_string).unwrap_or_default();
        Self {
            name: site.name.clone(),
            logo_url: text(&site.logo_url),
            address_lines: site.contact.address_lines.clone(),
            phone: site.contact.phone.clone(),
            email: site.contact.email.clone(),
            who_we_are: site.footer.who_we_are.clone(),
            investments: site.footer.investments.clone(),
            discover: site.footer.discover.clone(),
            explore_more: site.footer.explore_more.clone(),
            social: site.social.clone(),
            learn_more_url: site.learn_more_url.to_string(),
            schedule_call_url: text(&site.schedule_call_url),
            investor_resources_url: text(&site.investor_resources_url),
            disclaimer: site.disclaimer.clone(),
            subscribe_script_url: text(&subscribe.script_url),
            subscribe_container_id: subscribe.container_id.clone(),
            subscribe_attributes: subscribe.attributes.clone(),
            subscribe_allowed_hosts: subscribe.allowed_hosts.iter().map(ToString::to_string).collect(),
            ..Self::default()
        }
    }
}

/// The site settings in effect.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectiveSettings {
    /// The company's name.
    pub name: String,
    /// An image that replaces the built-in logo: https, or the path of an uploaded image.
    pub logo_url: Option<String>,
    /// The target of `Learn More`.
    pub learn_more_url: String,
    /// The target of `Schedule a Call`.
    pub schedule_call_url: Option<String>,
    /// The target of `Investor Resources`.
    pub investor_resources_url: Option<String>,
    /// The small print in the footer.
    pub disclaimer: String,
    /// The contact block.
    pub contact: Contact,
    /// Links to social media.
    pub social: Vec<Link>,
    /// The columns of links.
    pub footer: Footer,
    /// The newsletter form.
    pub subscribe: Newsletter,
    /// The accent colors.
    pub accent: Accent,
    /// The notice on all public pages.
    pub notice: Option<Notice>,
}

/// A notice on all public pages.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// What it says.
    pub text: String,
    pub link: Option<Link>,
    /// Until when it is shown.
    pub ends_at: Option<DateTime<Utc>>,
}

impl Notice {
    /// Whether it is shown at an instant.
    pub fn is_shown(&self, now: DateTime<Utc>) -> bool {
        self.ends_at.is_none_or(|end| end > now)
    }
}

impl From<SiteValues> for EffectiveSettings {
    fn from(values: SiteValues) -> Self {
        let filled = |text: String| Some(text).filter(|text| !text.is_empty());
        let url = |text: &str| text.parse::<HttpUrl>().ok();
        let link = url(&values.notice_link_url).map(|url| Link { label: values.notice_link_label, url });
        Self {
            name: values.name,
            logo_url: filled(values.logo_url),
            learn_more_url: values.learn_more_url,
            schedule_call_url: filled(values.schedule_call_url),
            investor_resources_url: filled(values.investor_resources_url),
            disclaimer: values.disclaimer,
            contact: Contact { address_lines: values.address_lines, phone: values.phone, email: values.email },
            social: values.social,
            footer: Footer {
                who_we_are: values.who_we_are,
                investments: values.investments,
                discover: values.discover,
                explore_more: values.explore_more,
            },
            subscribe: Newsletter {
                script_url: url(&values.subscribe_script_url),
                container_id: values.subscribe_container_id,
                attributes: values.subscribe_attributes,
                allowed_hosts: values.subscribe_allowed_hosts.iter().filter_map(|host| url(host)).collect(),
            },
            accent: Accent { light: Color::parse(&values.accent_light), dark: Color::parse(&values.accent_dark) },
            notice: filled(values.notice_text).map(|text| Notice {
                text,
                link,
                ends_at: parse_timestamp(&values.notice_ends_at),
            }),
        }
    }
}

/// The settings for the portal's form.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSettings {
    /// The values in effect.
    pub values: SiteValues,
    /// The keys of the configuration that have precedence, by the name of the setting, such as `site.name`.
    pub locked: BTreeMap<String, String>,
    /// Increases with every change.
    pub revision: i64,
    /// UTC, RFC 3339; null until the first change in the portal.
    #[schema(required)]
    pub updated_at: Option<String>,
}

impl Subject for SiteValues {
    const KIND: &'static str = "site settings";

    fn id(&self) -> Option<i64> {
        None
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn fields(&self) -> Fields {
        let values = serde_json::to_value(self).unwrap_or_default();
        let all = values.as_object().into_iter().flatten();
        all.fold(Fields::default(), |fields, (name, value)| fields.with(name, Some(&text_of(value))))
    }
}

/// A value as text: lists have a line per item, and links their text and target.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        Value::Object(parts) => match (parts.get("label"), parts.get("url")) {
            (Some(label), Some(url)) => format!("{} {}", text_of(label), text_of(url)),
            _ => parts.iter().map(|(name, value)| format!("{name}={}", text_of(value))).collect::<Vec<_>>().join("\n"),
        },
        other => other.to_string(),
    }
}

/// Request body of a change. A setting that is missing or null gets its default. Settings that the configuration has
/// precedence over are ignored.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveSiteSettings {
    /// Not blank, at most 200 characters.
    pub name: Option<String>,
    /// An https URL or the path of an uploaded image; blank is the built-in logo.
    #[schema(example = "https://example.com/logo.png")]
    pub logo_url: Option<String>,
    /// Three or six hexadecimal digits, whose contrast is checked; blank is the accent of the design.
    #[schema(example = "#fad83e")]
    pub accent_light: Option<String>,
    /// The same for the dark theme.
    #[schema(example = "#fad83e")]
    pub accent_dark: Option<String>,
    /// At most 6 lines.
    #[schema(example = json!(["100 Example Street"]))]
    pub address_lines: Option<Vec<String>>,
    /// At most 50 characters.
    pub phone: Option<String>,
    /// Blank omits it.
    pub email: Option<String>,
    /// At most 20 links.
    #[schema(example = json!([{ "label": "About Us", "url": "https://example.com/about" }]))]
    pub who_we_are: Option<Vec<SiteLinkInput>>,
    /// At most 20 links.
    #[schema(example = json!([]))]
    pub investments: Option<Vec<SiteLinkInput>>,
    /// At most 20 links.
    #[schema(example = json!([]))]
    pub discover: Option<Vec<SiteLinkInput>>,
    /// At most 20 links.
    #[schema(example = json!([]))]
    pub explore_more: Option<Vec<SiteLinkInput>>,
    /// At most 20 links.
    #[schema(example = json!([]))]
    pub social: Option<Vec<SiteLinkInput>>,
    /// Not blank.
    #[schema(example = "https://example.com/")]
    pub learn_more_url: Option<String>,
    /// Blank omits the button.
    #[schema(example = "https://example.com/call")]
    pub schedule_call_url: Option<String>,
    /// Blank omits the button.
    #[schema(example = "https://example.com/resources")]
    pub investor_resources_url: Option<String>,
    /// At most 2,000 characters.
    pub disclaimer: Option<String>,
    /// An https URL; blank is no form.
    #[schema(example = "https://forms.example.com/embed.js")]
    pub subscribe_script_url: Option<String>,
    /// Without spaces.
    #[schema(example = "form")]
    pub subscribe_container_id: Option<String>,
    /// At most 20 attributes by name.
    #[schema(example = json!({ "data-form": "1234" }))]
    pub subscribe_attributes: Option<BTreeMap<String, String>>,
    /// At most 20 https URLs.
    #[schema(example = json!(["https://api.example.com"]))]
    pub subscribe_allowed_hosts: Option<Vec<String>>,
    /// At most 200 characters; blank is no notice.
    pub notice_text: Option<String>,
    /// Required with a target.
    pub notice_link_label: Option<String>,
    /// Required with a text of the link.
    #[schema(example = "https://example.com/news")]
    pub notice_link_url: Option<String>,
    /// RFC 3339; blank is no end.
    #[schema(example = "2031-11-24T14:00:00Z")]
    pub notice_ends_at: Option<String>,
    /// The revision on which the edit is based (optimistic locking). If it differs from the stored revision, the
    /// response is 409 and nothing is saved.
    pub revision: Option<i64>,
}

/// A link in a request. A link without text and target is ignored.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct SiteLinkInput {
    /// At most 100 characters.
    pub label: Option<String>,
    /// http or https.
    pub url: Option<String>,
}

/// Response to a change that conflicts with another admin's change.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SiteSettingsConflict {
    /// Message for the admin.
    pub error: String,
    /// The settings as they are now.
    pub current: SiteSettings,
}
