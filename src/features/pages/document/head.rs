//! The `<head>` of a page: title, metadata for search engines and link previews, links to feeds.

use super::context::SiteView;
use super::html::{Html, json_for_script};
use crate::features::events::Series;
use crate::features::feeds;

/// The content of a page's `<head>`.
pub(in super::super) struct Head<'a> {
    pub(in super::super) title: &'a str,
    pub(in super::super) description: Option<&'a str>,
    /// The page's path; `None` for error pages.
    pub(in super::super) path: Option<&'a str>,
    pub(in super::super) indexed: bool,
    /// The absolute URL of the share image, 1200 by 630 pixels.
    pub(in super::super) image: Option<&'a str>,
    /// Structured data for search engines (JSON-LD).
    pub(in super::super) structured: Option<String>,
    /// The series of the page, whose feeds are announced instead of those of all events.
    pub(in super::super) series: Option<&'a Series>,
    /// `light` or `dark`; `None` follows the visitor's preference.
    pub(in super::super) theme: Option<&'static str>,
}

/// The markup of a `<head>`.
pub(super) fn html(site: &SiteView, head: &Head<'_>) -> String {
    let mut html = Html::default();
    let name = &site.info.name;
    let title = if head.title == name { head.title.to_owned() } else { format!("{} — {name}", head.title) };
    html.raw("<title>").text(&title).raw("</title>");
    if let Some(description) = head.description {
        html.raw("<meta name=\"description\"").attribute("content", description).raw(">");
    }
    html.raw("<link rel=\"icon\" href=\"/favicon.ico\" sizes=\"32x32\">")
        .raw("<link rel=\"apple-touch-icon\" href=\"/icons/apple-touch-icon.png\"><link rel=\"manifest\"")
        .attribute("href", feeds::MANIFEST_PATH)
        .raw(">");
    if !head.indexed {
        html.raw("<meta name=\"robots\" content=\"noindex\">");
    }
    if let (Some(path), true) = (head.path, head.indexed) {
        html.raw("<link rel=\"canonical\"").attribute("href", &site.identity.absolute_url(path)).raw(">");
        feed_links(&mut html, name, head.series);
        preview_metadata(&mut html, site, head, path);
    }
    if let Some(json) = &head.structured {
        html.raw("<script type=\"application/ld+json\">").raw(&json_for_script(json)).raw("</script>");
    }
    html.finish()
}

/// Links for the discovery of the feed and the calendar.
fn feed_links(html: &mut Html, name: &str, series: Option<&Series>) {
    let (name, feed, calendar) = match series {
        Some(of) => (&format!("{name}: {}", of.name), feeds::feed_of_series(of), feeds::calendar_of_series(of)),
        None => (&name.to_owned(), feeds::FEED_PATH.to_owned(), feeds::CALENDAR_PATH.to_owned()),
    };
    for (kind, title, path) in [
        ("application/atom+xml", format!("{name}: new events"), feed),
        ("text/calendar", format!("{name}: calendar"), calendar),
    ] {
        html.raw("<link rel=\"alternate\"")
            .attribute("type", kind)
            .attribute("title", &title)
            .attribute("href", &path)
            .raw(">");
    }
}

/// Metadata for link previews (Open Graph, Twitter cards).
fn preview_metadata(html: &mut Html, site: &SiteView, head: &Head<'_>, path: &str) {
    let url = site.identity.absolute_url(path);
    let icon = site.identity.absolute_url("/icons/icon-512.png");
    let (image, width, height, card) = match head.image {
        Some(image) => (image, "1200", "630", "summary_large_image"),
        None => (icon.as_str(), "512", "512", "summary"),
    };
    let mut tags = vec![
        ("property", "og:type", "website"),
        ("property", "og:title", head.title),
        ("property", "og:site_name", &site.info.name),
        ("property", "og:url", &url),
        ("property", "og:image", image),
        ("property", "og:image:type", "image/png"),
        ("property", "og:image:width", width),
        ("property", "og:image:height", height),
        ("property", "og:image:alt", head.title),
        ("name", "twitter:card", card),
    ];
    tags.extend(head.description.map(|description| ("property", "og:description", description)));
    for (kind, name, content) in tags {
        html.raw("<meta").attribute(kind, name).attribute("content", content).raw(">");
    }
}
