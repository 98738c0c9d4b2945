//! From the web build's template to a whole document.

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
/// What stands in for the template where the binary was built without the page.
const NO_PAGE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><!--lectern:head--></head>\
    <body><p>This lectern was built without its web page. Build it with Node.js installed, as the README says.</p>\
    <div id=\"root\"><!--lectern:body--></div><!--lectern:data--></body></html>";

/// What all pages share.
pub(super) struct Site {
    pub(super) info: SiteInfo,
    /// What the company supplied, which the share images show.
    pub(super) company: config::Site,
    /// Who publishes the calendar.
    pub(super) identity: SiteIdentity,
    pub(super) policy: Policy,
    /// Of the portal, where it differs from that of the other pages.
    pub(super) policy_of_portal: Option<Policy>,
    /// Who may show the embedded calendar in a frame, as the content policy says it.
    pub(super) framed_by: Vec<String>,
    pub(super) template: Option<Template>,
}

/// What stands in a page's head.
pub(super) struct Head<'a> {
    pub(super) title: &'a str,
    pub(super) description: Option<&'a str>,
    /// The page's own address, where it has one.
    pub(super) path: Option<&'a str>,
    pub(super) indexed: bool,
    /// The whole address of the picture that stands for the page elsewhere, 1200 by 630.
    pub(super) image: Option<&'a str>,
    /// What search engines read, JSON.
    pub(super) structured: Option<String>,
    /// `light` or `dark` where it is not the visitor's own choice.
    pub(super) theme: Option<&'static str>,
}

/// The web build's template with its style sheets inside, so that the first paint waits for one
/// answer only. The policy names the styles' hashes; nothing else may be inline.
#[derive(Debug)]
pub struct Template {
    page: Styled,
    /// For the pages of events, with the style sheets that only they need.
    event_page: Styled,
}

/// A template, and the hashes of the styles that stand in it.
#[derive(Clone, Debug)]
struct Styled {
    html: String,
    hashes: Vec<String>,
}

/// Where the web build names the events' style sheets, apart from each other by spaces.
const EVENT_STYLES: (&str, &str) = ("<!--lectern:event-styles", "-->");

impl Template {
    /// Takes the built `index.html`; `file` answers for a path of the bundle.
    pub fn new(html: &str, file: impl Fn(&str) -> Option<String>) -> Self {
        let (html, event_styles) = without_event_styles(html);
        let mut page = Styled { html, hashes: Vec::new() };
        page.take_in(&file);
        let mut event_page = page.clone();
        for address in event_styles {
            let link = format!("<link rel=\"stylesheet\" crossorigin href=\"{address}\"></head>");
            event_page.html = event_page.html.replacen("</head>", &link, 1);
            event_page.take_in(&file);
        }
        Self { page, event_page }
    }
}

impl Styled {
    /// Puts the first style sheet that is linked in the place of its link.
    fn take_in(&mut self, file: impl Fn(&str) -> Option<String>) {
        let Some((tag, href)) = stylesheet(&self.html) else { return };
        // A style that could end its own element stays a file.
        let Some(css) = file(href.trim_start_matches('/')).filter(|css| !css.contains("</")) else { return };
        self.hashes.push(format!("'sha256-{}'", STANDARD.encode(Sha256::digest(css.as_bytes()))));
        self.html = self.html.replacen(tag, &format!("<style>{css}</style>"), 1);
    }
}

/// The template without the note of the events' style sheets, and their addresses.
fn without_event_styles(html: &str) -> (String, Vec<String>) {
    let note = html.split_once(EVENT_STYLES.0).and_then(|(before, rest)| {
        let (addresses, after) = rest.split_once(EVENT_STYLES.1)?;
        Some((format!("{before}{after}"), addresses.split_whitespace().map(ToOwned::to_owned).collect()))
    });
    note.unwrap_or_else(|| (html.to_owned(), Vec::new()))
}

/// The first `<link rel="stylesheet" …>` and its address.
fn stylesheet(html: &str) -> Option<(&str, &str)> {
    let start = html.find("<link rel=\"stylesheet\"")?;
    let tag = &html[start..=start + html[start..].find('>')?];
    let href = tag.split_once("href=\"")?.1.split_once('"')?.0;
    Some((tag, href))
}

/// The whole document and its content policy.
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
    let template = styled.map_or(NO_PAGE, |styled| &styled.html);
    let in_head = head_html(site, head);
    let mut html = String::with_capacity(template.len() + body.len() + script.len() + 1024);
    let mut rest = template;
    for (marker, content) in [(HEAD, in_head.as_str()), (BODY, body), (DATA, script.as_str())] {
        if let Some((before, after)) = rest.split_once(marker) {
            html.push_str(before);
            html.push_str(content);
            rest = after;
        }
    }
    html.push_str(rest);
    if let Some(theme) = head.theme {
        html = in_theme(&html, theme);
    }

    if let (Some(super::ADMIN), Some(policy)) = (head.path, &site.policy_of_portal) {
        return Ok((html, policy.header()));
    }
    let mut policy = site.policy.clone();
    if data.page == PageKind::Embed {
        policy.ancestors.clone_from(&site.framed_by);
    }
    policy.styles.extend(styled.into_iter().flat_map(|styled| styled.hashes.iter().cloned()));
    Ok((html, policy.header()))
}

/// The document in one theme from its first paint on, where a script would come too late. Both marks
/// stand in the template's beginning, before anything that people wrote.
fn in_theme(html: &str, theme: &str) -> String {
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

/// Where readers of feeds and calendar programs find what they subscribe to.
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

/// What a chat or a social network shows beside a link (Open Graph, Twitter cards).
fn social(html: &mut Html, site: &Site, head: &Head<'_>, path: &str) {
    let address = site.identity.absolute_url(path);
    let icon = site.identity.absolute_url("/icons/icon-512.png");
    let (image, width, height, card) = match head.image {
        Some(image) => (image, "1200", "630", "summary_large_image"),
        None => (icon.as_str(), "512", "512", "summary"),
    };
    let mut facts = vec![
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
    facts.extend(head.description.map(|description| ("property", "og:description", description)));
    for (kind, name, content) in facts {
        html.raw("<meta").attribute(kind, name).attribute("content", content).raw(">");
    }
}
