//! From the web build's template to a whole document.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use sha2::{Digest as _, Sha256};

use super::html::{Html, json_for_script};
use super::types::{FirstData, SiteInfo};
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
    pub(super) policy: Policy,
    /// Of the portal, where it differs from that of the other pages.
    pub(super) policy_of_portal: Option<Policy>,
    pub(super) template: Option<Template>,
}

/// What stands in a page's head.
pub(super) struct Head<'a> {
    pub(super) title: &'a str,
    pub(super) description: Option<&'a str>,
    /// The page's own address, where it has one.
    pub(super) path: Option<&'a str>,
    pub(super) indexed: bool,
    /// The largest picture of the first view, which is asked for before anything else.
    pub(super) picture: Option<String>,
}

/// The web build's template with its style sheet inside, so that the first paint waits for one
/// answer only. The policy names the style's hash; nothing else may be inline.
#[derive(Debug)]
pub struct Template {
    html: String,
    style_hash: Option<String>,
}

impl Template {
    /// Takes the built `index.html`; `file` answers for a path of the bundle.
    pub fn new(html: &str, file: impl Fn(&str) -> Option<String>) -> Self {
        let inlined = stylesheet(html).and_then(|(tag, href)| {
            let css = file(href.trim_start_matches('/'))?;
            // A style that could end its own element stays a file.
            (!css.contains("</")).then(|| (html.replacen(tag, &format!("<style>{css}</style>"), 1), css))
        });
        match inlined {
            Some((html, css)) => {
                let hash = STANDARD.encode(Sha256::digest(css.as_bytes()));
                Self { html, style_hash: Some(format!("'sha256-{hash}'")) }
            }
            None => Self { html: html.to_owned(), style_hash: None },
        }
    }
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
    let json = serde_json::to_string(data).map_err(|error| AppError::Internal(error.to_string()))?;
    let mut script = String::from("<script type=\"application/json\" id=\"first-data\">");
    script.push_str(&json_for_script(&json));
    script.push_str("</script>");

    let template = site.template.as_ref().map_or(NO_PAGE, |template| &template.html);
    let mut html = String::with_capacity(template.len() + body.len() + script.len() + 1024);
    let mut rest = template;
    for (marker, content) in [(HEAD, head_html(&site.info, head).as_str()), (BODY, body), (DATA, script.as_str())] {
        if let Some((before, after)) = rest.split_once(marker) {
            html.push_str(before);
            html.push_str(content);
            rest = after;
        }
    }
    html.push_str(rest);

    if let (Some(super::ADMIN), Some(policy)) = (head.path, &site.policy_of_portal) {
        return Ok((html, policy.header()));
    }
    let mut policy = site.policy.clone();
    policy.styles.extend(site.template.as_ref().and_then(|template| template.style_hash.clone()));
    Ok((html, policy.header()))
}

fn head_html(site: &SiteInfo, head: &Head<'_>) -> String {
    let mut html = Html::default();
    let title =
        if head.title == site.name { head.title.to_owned() } else { format!("{} — {}", head.title, site.name) };
    html.raw("<title>").text(&title).raw("</title>");
    if let Some(description) = head.description {
        html.raw("<meta name=\"description\"").attribute("content", description).raw(">");
    }
    if let Some(picture) = &head.picture {
        html.raw("<link rel=\"preload\" as=\"image\" fetchpriority=\"high\"").attribute("href", picture).raw(">");
    }
    if !head.indexed {
        html.raw("<meta name=\"robots\" content=\"noindex\">");
    }
    if let (Some(path), true) = (head.path, head.indexed) {
        let address = format!("{}{}", site.base_url, path);
        html.raw("<link rel=\"canonical\"").attribute("href", &address).raw(">");
        html.raw("<meta property=\"og:type\" content=\"website\">");
        for (property, content) in
            [("og:title", head.title), ("og:site_name", site.name.as_str()), ("og:url", address.as_str())]
        {
            html.raw("<meta").attribute("property", property).attribute("content", content).raw(">");
        }
        if let Some(description) = head.description {
            html.raw("<meta property=\"og:description\"").attribute("content", description).raw(">");
        }
    }
    html.finish()
}
