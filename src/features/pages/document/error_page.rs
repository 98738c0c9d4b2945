//! The page for server errors.

use http::header::HeaderValue;

use super::context::PageContext;
use super::html::Html;
use super::policies;
use super::template::StyledTemplate;
use crate::platform::security::ContentSecurityPolicy;

/// The page for a server error and its content security policy. It uses neither the database nor the renderer, which
/// may have failed, and looks like the error page of the application.
pub(in super::super) fn error_page(
    context: &PageContext,
    message: &str,
    request_id: Option<&str>,
) -> (String, HeaderValue) {
    const TITLE: &str = "This page can’t be shown";
    let site = context.latest_site();
    let template = context.template.as_ref().map(|template| &template.page);
    let mut html = Html::default();
    html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">")
        .raw("<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\"><title>")
        .text(&format!("{TITLE} — {}", site.info.name))
        .raw("</title><link rel=\"icon\" href=\"/favicon.ico\" sizes=\"32x32\">");
    if let Some(css) = template.and_then(StyledTemplate::style) {
        html.raw("<style>").raw(css).raw("</style>");
    }
    if let Some(css) = &site.style {
        html.raw("<style>").raw(css).raw("</style>");
    }
    html.raw("</head><body><main class=\"error-page__root\"><div class=\"error-page__card\" role=\"alert\">")
        .raw("<h1 class=\"error-page__title\">")
        .text(TITLE)
        .raw("</h1><p>")
        .text(message)
        .raw("</p><a class=\"button__root button__primary\" href=\"\">Try Again</a>");
    if let Some(id) = request_id {
        html.raw("<p class=\"error-page__request\">Request id: ").text(id).raw("</p>");
    }
    html.raw("</div><div class=\"skyline__root\" aria-hidden=\"true\">")
        .raw("<img class=\"skyline__image day-only\" src=\"/art/hero-skyline-day.svg\" alt=\"\">")
        .raw("<img class=\"skyline__image night-only\" src=\"/art/hero-skyline-night.svg\" alt=\"\" loading=\"lazy\">")
        .raw("</div></main></body></html>");
    let mut styles = template.map(|page| page.hashes.clone()).unwrap_or_default();
    styles.extend(site.style.as_deref().map(policies::hash_source));
    (html.finish(), ContentSecurityPolicy { styles, ..ContentSecurityPolicy::default() }.header())
}
