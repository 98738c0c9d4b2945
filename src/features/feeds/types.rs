//! Who publishes the calendar.

use crate::platform::config::Config;

/// Who publishes the calendar, and from where.
#[derive(Clone, Debug)]
pub struct Publisher {
    /// The company's name.
    pub name: String,
    /// Where visitors reach the site, without a slash at the end.
    pub base_url: String,
    /// The site's host, part of what calendars and feeds know an event by.
    ///
    /// Nothing of it is stored. When a site moves to another host, whoever subscribed follows the
    /// new address anyway and gets all events anew from there; a single event that somebody put
    /// into their own calendar before stays as it was.
    pub host: String,
}

impl Publisher {
    /// What the operator configured.
    pub fn new(config: &Config, base_url: &str) -> Self {
        let host = url::Url::parse(base_url).ok().and_then(|url| url.host_str().map(str::to_owned));
        Self {
            name: config.site.name.clone(),
            base_url: base_url.to_owned(),
            host: host.unwrap_or_else(|| "localhost".to_owned()),
        }
    }

    /// The whole address of a path of this site; other addresses stay as they are.
    pub fn address(&self, path: &str) -> String {
        if path.starts_with('/') { format!("{}{path}", self.base_url) } else { path.to_owned() }
    }
}
