//! The document of a page: the web build's template with head, body and data inserted.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use sha2::{Digest as _, Sha256};

use super::html::{Html, json_for_script};
use super::types::{FirstData, PageKind, SiteInfo};
use crate::features::feeds::{self, SiteIdentity};
use crate::platform::config;
use crate::platform::error::AppError;
use crate::platform::security::Policy;

const HEAD: &str = "<!--lectern:head-->";
const BODY: &str = "<!--lectern:body-->";
const DATA: &str = "<!--lectern:data-->";
/// Replaces the template in a binary that was built without the web bundle.
const FALLBACK_TEMPLATE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><!--lectern:head--></head>\
    <body><p>This lectern was built without its web page. Build it with Node.js installed, as the README says.</p>\
    <div id=\"root\"><!--lectern:body--></div><!--lectern:data--></body></html>";

/// Data that all pages share.
pub(super) struct Site {
    pub(super) info: SiteInfo,
    /// The company's settings, from which the paths of share images are derived.
    pub(super) company: config::Site,
    pub(super) identity: SiteIdentity,
    pub(super) policy: Policy,
    /// The policy of the portal, if it differs from that of other pages.
    pub(super) portal_policy: Option<Policy>,
    /// The `frame-ancestors` of the embedded calendar.
    pub(super) frame_ancestors: Vec<String>,
    pub(super) template: Option<Template>,
}

/// The content of a page's `<head>`.
pub(super) struct Head<'a> {
    pub(super) title: &'a str,
    pub(super) description: Option<&'a str>,
    /// The page's path; `None` for the page of unknown addresses.
    pub(super) path: Option<&'a str>,
    pub(super) indexed: bool,
    /// The absolute URL of the share image, 1200 by 630 pixels.
    pub(super) image: Option<&'a str>,
    /// Structured data for search engines (JSON-LD).
    pub(super) structured: Option<String>,
    /// `light` or `dark`; `None` follows the visitor's preference.
    pub(super) theme: Option<&'static str>,
}

/// The web build's template with inlined style sheets, so the first paint needs one response only. The
/// content security policy allows inline styles with these hashes only.
#[derive(Debug)]
pub struct Template {
    page: StyledTemplate,
    /// For event pages, with their additional style sheets.
    event_page: StyledTemplate,
}

/// A template and the hashes of its inline styles.
#[derive(Clone, Debug)]
struct StyledTemplate {
    html: String,
    hashes: Vec<String>,
}

/// The start and end of the comment in which the web build lists the style sheets of event pages.
const EVENT_STYLES: (&str, &str) = ("<!--lectern:event-styles", "-->");

impl Template {
    /// Parses the built `index.html`; `file` returns the file at a path of the bundle.
    pub fn new(html: &str, file: impl Fn(&str) -> Option<String>) -> Self {
        let (html, event_styles) = without_event_styles(html);
        let mut page = StyledTemplate { html, hashes: Vec::new() };
        page.inline_stylesheet(&file);
        let mut event_page = page.clone();
        for address in event_styles {
            let link = format!("<link rel=\"stylesheet\" crossorigin href=\"{address}\"></head>");
            event_page.html = event_page.html.replacen("</head>", &link, 1);
            event_page.inline_stylesheet(&file);
        }
        Self { page, event_page }
    }
}

impl StyledTemplate {
    /// Replaces the first link to a style sheet by its content.
    fn inline_stylesheet(&mut self, file: impl Fn(&str) -> Option<String>) {
        let Some((tag, href)) = stylesheet(&self.html) else { return };
        // CSS that could end the style element stays linked.
        let Some(css) = file(href.trim_start_matches('/')).filter(|css| !css.contains("</")) else { return };
        self.hashes.push(format!("'sha256-{}'", STANDARD.encode(Sha256::digest(css.as_bytes()))));
        self.html = self.html.replacen(tag, &format!("<style>{css}</style>"), 1);
    }
}

/// The template without that comment, and the addresses in it.
fn without_event_styles(html: &str) -> (String, Vec<String>) {
    let found = html.split_once(EVENT_STYLES.0).and_then(|(before, rest)| {
        let (addresses, after) = rest.split_once(EVENT_STYLES.1)?;
        Some((format!("{before}{after}"), addresses.split_whitespace().map(ToOwned::to_owned).collect()))
    });
    found.unwrap_or_else(|| (html.to_owned(), Vec::new()))
}

/// The first `<link rel="stylesheet" …>` and its `href`.
fn stylesheet(html: &str) -> Option<(&str, &str)> {
    let start = html.find("<link rel=\"stylesheet\"")?;
    let tag = &html[start..=start + html[start..].find('>')?];
    let href = tag.split_once("href=\"")?.1.split_once('"')?.0;
    Some((tag, href))
}

/// The document and its content security policy.
pub(super) fn render(
    site: &Site,
    head: &Head<'_>,
    body: &str,
    data: &FirstData,
) -> Result<(String, HeaderValue), AppError> {
    let json = serde_json::to_string(data).map_err(AppError::internal)?;
    let mut script = String::from("<script type=\"application/json\" id=\"first-data\">");
    script.push_str(&json_for_script(&json));
    script.push_str("</script>");

    let styled = site.template.as_ref().map(|template| match data.event {
        Some(_) => &template.event_page,
        None => &template.page,
    });
    let template = styled.map_or(FALLBACK_TEMPLATE, |styled| &styled.html);
    let head_markup = head_html(site, head);
    let mut html = String::with_capacity(template.len() + body.len() + script.len() + 1024);
    let mut rest = template;
    for (marker, content) in [(HEAD, head_markup.as_str()), (BODY, body), (DATA, script.as_str())] {
        if let Some((before, after)) = rest.split_once(marker) {
            html.push_str(before);
            html.push_str(content);
            rest = after;
        }
    }
    html.push_str(rest);
    if let Some(theme) = head.theme {
        html = with_theme(&html, theme);
    }

    if let (Some(super::ADMIN), Some(policy)) = (head.path, &site.portal_policy) {
        return Ok((html, policy.header()));
    }
    let mut policy = site.policy.clone();
    if data.page == PageKind::Embed {
        policy.ancestors.clone_from(&site.frame_ancestors);
    }
    policy.styles.extend(styled.into_iter().flat_map(|styled| styled.hashes.iter().cloned()));
    Ok((html, policy.header()))
}

/// Sets the theme in the markup, because a script would run after the first paint. The first match of each pattern is
/// in the template, before any user content.
fn with_theme(html: &str, theme: &str) -> String {
    html.replacen("<html lang=\"en\"", &format!("<html lang=\"en\" data-theme=\"{theme}\""), 1).replacen(
        "name=\"color-scheme\" content=\"light dark\"",
        &format!("name=\"color-scheme\" content=\"{theme}\""),
        1,
    )
}

fn head_html(site: &Site, head: &Head<'_>) -> String {
    let mut html = Html::default();
    let name = &site.info.name;
    let title = if head.title == name { head.title.to_owned() } else { format!("{} — {name}", head.title) };
    html.raw("<title>").text(&title).raw("</title>");
    if let Some(description) = head.description {
        html.raw("<meta name=\"description\"").attribute("content", description).raw(">");
    }
    html.raw("<link rel=\"icon\" href=\"/favicon.ico\" sizes=\"32x32\">")
        .raw("<link rel=\"apple-touch-icon\" href=\"/icons/apple-touch-icon.png\"><link rel=\"manifest\"")
        .attribute("href", feeds::MANIFEST)
        .raw(">");
    if !head.indexed {
        html.raw("<meta name=\"robots\" content=\"noindex\">");
    }
    if let (Some(path), true) = (head.path, head.indexed) {
        html.raw("<link rel=\"canonical\"").attribute("href", &site.identity.absolute_url(path)).raw(">");
        subscriptions(&mut html, name);
        social(&mut html, site, head, path);
    }
    if let Some(json) = &head.structured {
        html.raw("<script type=\"application/ld+json\">").raw(&json_for_script(json)).raw("</script>");
    }
    html.finish()
}

/// Links for the discovery of the feed and the calendar.
fn subscriptions(html: &mut Html, name: &str) {
    for (kind, title, address) in [
        ("application/atom+xml", format!("{name}: new events"), feeds::FEED),
        ("text/calendar", format!("{name}: calendar"), feeds::CALENDAR),
    ] {
        html.raw("<link rel=\"alternate\"")
            .attribute("type", kind)
            .attribute("title", &title)
            .attribute("href", address)
            .raw(">");
    }
}

/// Metadata for link previews (Open Graph, Twitter cards).
fn social(html: &mut Html, site: &Site, head: &Head<'_>, path: &str) {
    let address = site.identity.absolute_url(path);
    let icon = site.identity.absolute_url("/icons/icon-512.png");
    let (image, width, height, card) = match head.image {
        Some(image) => (image, "1200", "630", "summary_large_image"),
        None => (icon.as_str(), "512", "512", "summary"),
    };
    let mut tags = vec![
        ("property", "og:type", "website"),
        ("property", "og:title", head.title),
        ("property", "og:site_name", &site.info.name),
        ("property", "og:url", &address),
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
