//! `[cache]`: how long shared caches, such as a CDN, may store responses, and which caches are purged.

use std::fmt;

use serde::{Deserialize, Deserializer, de::Error as _, de::Visitor};

use super::values::{HttpUrl, Secret, or_blank, secret_or_blank, text_or_blank};

/// The longest time for which shared caches may store a response: a day. What they store changes earlier in any case, when
/// an event begins or ends.
const MAX_SECONDS: u32 = 24 * 60 * 60;
/// The value with a purge and without seconds.
const SECONDS_WITH_PURGE: u32 = 60;

/// `[cache]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cache {
    /// As it is set; [`Cache::seconds`] is the value in effect.
    #[serde(deserialize_with = "seconds")]
    pub seconds: Option<u32>,
    pub purge: Purge,
}

/// `[cache.purge]`: the caches to purge after changes.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Purge {
    pub fastly: Fastly,
    pub cloudflare: Cloudflare,
    /// Every Varnish gets every ban.
    pub varnish: CacheServers,
    /// Every nginx gets one request after any change.
    pub nginx: CacheServers,
    pub url: PurgeUrl,
}

/// `[cache.purge.fastly]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fastly {
    /// The service; blank turns off purges at Fastly.
    #[serde(deserialize_with = "id")]
    pub service_id: Option<String>,
    /// An API token with the scope `purge_select`.
    #[serde(deserialize_with = "secret_or_blank")]
    pub token: Option<Secret>,
    pub base_url: HttpUrl,
}

impl Default for Fastly {
    fn default() -> Self {
        Self { service_id: None, token: None, base_url: HttpUrl::literal("https://api.fastly.com") }
    }
}

/// `[cache.purge.cloudflare]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cloudflare {
    /// The zone; blank turns off purges at Cloudflare.
    #[serde(deserialize_with = "id")]
    pub zone_id: Option<String>,
    /// An API token with the permission to purge this zone.
    #[serde(deserialize_with = "secret_or_blank")]
    pub token: Option<Secret>,
    pub base_url: HttpUrl,
}

impl Default for Cloudflare {
    fn default() -> Self {
        Self { zone_id: None, token: None, base_url: HttpUrl::literal("https://api.cloudflare.com/client/v4") }
    }
}

/// `[cache.purge.varnish]` and `[cache.purge.nginx]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CacheServers {
    /// Where each of them expects its requests.
    pub urls: Vec<HttpUrl>,
}

/// `[cache.purge.url]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PurgeUrl {
    /// What receives the keys as JSON.
    #[serde(deserialize_with = "or_blank")]
    pub url: Option<HttpUrl>,
    /// Sent as `Authorization: Bearer`.
    #[serde(deserialize_with = "secret_or_blank")]
    pub token: Option<Secret>,
}

impl Cache {
    /// The longest time in seconds for which shared caches may store a response; 0 if they must not.
    pub fn seconds(&self) -> u32 {
        let default = if self.purge.is_enabled() { SECONDS_WITH_PURGE } else { 0 };
        self.seconds.unwrap_or(default)
    }

    /// Checks the settings that depend on each other, which variables and credentials set one after the other. Only the
    /// environment of the server may have the tokens.
    ///
    /// # Errors
    /// A sentence about what is missing.
    pub(super) fn check(&self, needs_tokens: bool) -> Result<(), String> {
        let (fastly, cloudflare) = (&self.purge.fastly, &self.purge.cloudflare);
        let cases = [
            ("fastly.service_id", fastly.service_id.is_some(), "fastly.token", fastly.token.is_some()),
            ("cloudflare.zone_id", cloudflare.zone_id.is_some(), "cloudflare.token", cloudflare.token.is_some()),
        ];
        for (id, has_id, token, has_token) in cases {
            if needs_tokens && has_id && !has_token {
                return Err(format!(
                    "cache.purge.{id} is set without cache.purge.{token}; set the token, or leave both blank"
                ));
            }
        }
        Ok(())
    }
}

impl Purge {
    /// Whether any cache is purged.
    pub fn is_enabled(&self) -> bool {
        self.fastly.service_id.is_some()
            || self.cloudflare.zone_id.is_some()
            || self.url.url.is_some()
            || !self.varnish.urls.is_empty()
            || !self.nginx.urls.is_empty()
    }

    /// Whether responses carry their keys as `Surrogate-Key`.
    pub fn uses_surrogate_keys(&self) -> bool {
        self.fastly.service_id.is_some() || self.url.url.is_some() || !self.varnish.urls.is_empty()
    }

    /// Whether responses carry their keys as `Cache-Tag`.
    pub fn uses_cache_tags(&self) -> bool {
        self.cloudflare.zone_id.is_some()
    }
}

/// A number of seconds; blank means unset.
fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    struct Seconds;

    impl Visitor<'_> for Seconds {
        type Value = Option<u32>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "a whole number from 0 to {MAX_SECONDS}, or \"\"")
        }

        fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Self::Value, E> {
            let seconds = u32::try_from(number).ok().filter(|seconds| *seconds <= MAX_SECONDS);
            seconds.map(Some).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Signed(number), &self))
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
            if text.trim().is_empty() {
                Ok(None)
            } else {
                Err(E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
    }

    from.deserialize_any(Seconds)
}

/// An id in the URL of an API; blank means unset.
fn id<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let Some(id) = text_or_blank(from)? else { return Ok(None) };
    if id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        Ok(Some(id))
    } else {
        Err(D::Error::custom(format!("`{id}` is not an id; it has letters and digits only")))
    }
}
