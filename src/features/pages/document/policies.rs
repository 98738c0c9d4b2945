//! The content security policies of the pages.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::platform::config::{Config, HttpUrl, Newsletter};
use crate::platform::security::ContentSecurityPolicy;

/// The sites that may embed the calendar: the configured ones, or any.
pub(super) fn frame_ancestors(config: &Config) -> Vec<String> {
    if config.embed.allowed_hosts.is_empty() {
        return vec!["*".to_owned()];
    }
    // `'self'` is for the preview in the portal.
    std::iter::once("'self'".to_owned()).chain(config.embed.allowed_hosts.iter().map(HttpUrl::origin)).collect()
}

/// The policy of public pages with the hosts of the newsletter form.
pub(super) fn public_policy(newsletter: &Newsletter) -> ContentSecurityPolicy {
    let mut hosts: Vec<String> = newsletter.allowed_hosts.iter().map(HttpUrl::origin).collect();
    if let Some(script) = &newsletter.script_url {
        hosts.push(script.origin());
    } else {
        hosts.clear();
    }
    hosts.sort();
    hosts.dedup();
    ContentSecurityPolicy {
        scripts: hosts.clone(),
        frames: hosts.clone(),
        connections: hosts,
        ..ContentSecurityPolicy::default()
    }
}

/// The policy of the portal if a key for the venue search is configured: Google's script loads further scripts,
/// requests places and inserts style elements and fonts. It has no hashes of inline styles, which would make browsers
/// ignore `'unsafe-inline'`. The map would also need `'unsafe-eval'` and workers; the search does not.
pub(super) fn portal_policy(config: &Config) -> Option<ContentSecurityPolicy> {
    config.places.browser_key.as_ref()?;
    let hosts = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Some(ContentSecurityPolicy {
        scripts: hosts(&["https://maps.googleapis.com", "https://maps.gstatic.com"]),
        connections: hosts(&[
            "https://maps.googleapis.com",
            "https://places.googleapis.com",
            "https://maps.gstatic.com",
        ]),
        styles: hosts(&["'unsafe-inline'", "https://fonts.googleapis.com"]),
        fonts: hosts(&["https://fonts.gstatic.com"]),
        ..ContentSecurityPolicy::default()
    })
}

/// The source of a content security policy that allows this inline style or script.
pub(super) fn hash_source(content: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content.as_bytes())))
}
