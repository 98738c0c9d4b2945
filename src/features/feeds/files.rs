//! The files that browsers, crawlers and other sites ask for.

use http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use serde_json::json;

use super::SITEMAP;
use super::types::Publisher;
use crate::platform::error::AppError;
use crate::platform::response_cache::Representation;

/// Where crawlers may go. Sign-in, the portal and the embedded calendar say `noindex` themselves,
/// which is only seen by a crawler that may fetch them; what is under /api/ is no page.
pub(super) fn robots(publisher: &Publisher) -> Representation {
    let text = format!("User-agent: *\nDisallow: /api/\n\nSitemap: {}\n", publisher.address(SITEMAP));
    Representation::of("text/plain; charset=utf-8", text.into_bytes())
}

/// How the site is called and looks where it was put on a home screen.
pub(super) fn manifest(publisher: &Publisher) -> Result<Representation, AppError> {
    let icon = |name: &str, size: &str, purpose: &str| json!({ "src": format!("/icons/{name}.png"), "sizes": size, "type": "image/png", "purpose": purpose });
    let manifest = json!({
        "id": "/",
        "name": publisher.name,
        "short_name": publisher.name,
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

/// The script that puts the calendar into another site's page, which must be allowed to load it.
pub(super) fn embed_script() -> Representation {
    let mut draft = Representation::of("text/javascript; charset=utf-8", include_bytes!("embed.js").to_vec());
    draft
        .headers
        .insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    draft.headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    draft
}
