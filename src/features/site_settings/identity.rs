//! The name and URL of the site, and values derived from them: ids of events in calendars and feeds, absolute URLs.

use std::sync::Arc;

use rusqlite::Connection;

use super::ConfiguredSettings;
use crate::platform::error::AppError;

/// The name and URL of the site.
#[derive(Clone, Debug)]
pub struct SiteIdentity {
    /// The company's name.
    pub name: String,
    /// The public URL of the site, without a trailing slash.
    pub base_url: String,
    /// The site's host, a part of the ids of events in calendars and feeds.
    ///
    /// If the host changes, all events get new ids: subscriptions update, but events that were added to a calendar
    /// individually do not.
    pub host: String,
}

impl SiteIdentity {
    /// The site at a public URL.
    pub fn new(name: &str, base_url: &str) -> Self {
        let host = url::Url::parse(base_url).ok().and_then(|url| url.host_str().map(str::to_owned));
        Self {
            name: name.to_owned(),
            base_url: base_url.to_owned(),
            host: host.unwrap_or_else(|| "localhost".to_owned()),
        }
    }

    /// The id of an event in calendars (RFC 5545 §3.8.4.7).
    pub fn uid(&self, id: i64) -> String {
        format!("event-{id}@{}", self.host)
    }

    /// The event's id in a [`Self::uid`] of this site.
    pub fn id_of_uid(&self, uid: &str) -> Option<i64> {
        uid.strip_prefix("event-")?.strip_suffix(&self.host)?.strip_suffix('@')?.parse().ok()
    }

    /// The absolute URL of a path of this site; other URLs are returned unchanged.
    pub fn absolute_url(&self, path: &str) -> String {
        if path.starts_with('/') { format!("{}{path}", self.base_url) } else { path.to_owned() }
    }
}

/// Reads the name and URL of the site.
#[derive(Clone)]
pub struct SiteIdentityReader {
    settings: ConfiguredSettings,
    base_url: Arc<str>,
}

impl SiteIdentityReader {
    /// The site settings, and the public URL of the site.
    pub fn new(settings: ConfiguredSettings, base_url: &str) -> Self {
        Self { settings, base_url: base_url.into() }
    }

    /// The name and URL of the site as they are stored now.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn read(&self, connection: &Connection) -> Result<SiteIdentity, AppError> {
        Ok(SiteIdentity::new(&self.settings.effective(connection)?.name, &self.base_url))
    }
}
