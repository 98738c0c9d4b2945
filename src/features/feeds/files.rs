//! robots.txt, the web app manifest and the script of the embedded calendar.

use http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use serde_json::json;

use super::SITEMAP_PATH;
use crate::features::site_settings::SiteIdentity;
use crate::platform::error::AppError;
use crate::platform::response_cache::{RELEASE_LIFETIME, Representation};

/// robots.txt. Sign-in, the portal and the embedded calendar are not disallowed, because a crawler must fetch them to
/// read their `noindex`.
pub(super) fn robots(site: &SiteIdentity) -> Representation {
    let text = format!("User-agent: *\nDisallow: /api/\n\nSitemap: {}\n", site.absolute_url(SITEMAP_PATH));
    Representation::new("text/plain; charset=utf-8", text.into_bytes())
}

/// The web app manifest.
pub(super) fn manifest(site: &SiteIdentity) -> Result<Representation, AppError> {
    let icon = |name: &str, size: &str, purpose: &str| json!({ "src": format!("/icons/{name}.png"), "sizes": size, "type": "image/png", "purpose": purpose });
    let manifest = json!({
        "id": "/",
        "name": site.name,
        "short_name": site.name,
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "lang": "en",
        "background_color": "#f2f7f8",
        "theme_color": "#caeaef",
        "icons": [
            icon("icon-192", "192x192", "any"),
            icon("icon-512", "512x512", "any"),
            icon("icon-maskable-512", "512x512", "maskable"),
        ],
    });
    Ok(Representation { content_type: "application/manifest+json", ..Representation::json(&manifest)? })
}

/// The script that embeds the calendar in pages of other sites, which are allowed to load it.
pub(super) fn embed_script() -> Representation {
    let mut script = Representation::new("text/javascript; charset=utf-8", include_bytes!("embed.js").to_vec());
    script
        .headers
        .insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    script.headers.insert(CACHE_CONTROL, RELEASE_LIFETIME);
    script
}
