//! The document of a page: the template of the web build with head, markup and initial data.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;

use super::html::{Html, json_for_script};
use super::renderer::{RenderError, Renderer};
use super::types::{InitialData, PageKind, SiteInfo};
use super::validity::Validity;
use crate::features::feeds::{self, SiteIdentity};
use crate::platform::blocking::Admission;
use crate::platform::config;
use crate::platform::error::{AppError, Chain};
use crate::platform::response_cache::{DeferredResponse, Representation};
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
    /// The company's settings, which are part of the content of share images.
    pub(super) company: config::Site,
    pub(super) identity: SiteIdentity,
    pub(super) policy: Policy,
    /// The policy of the portal, if it differs from that of other pages.
    pub(super) portal_policy: Option<Policy>,
    /// The `frame-ancestors` of the embedded calendar.
    pub(super) frame_ancestors: Vec<String>,
    pub(super) template: Option<Template>,
    /// Renders the markup; `None` in a binary that was built without the web bundle.
    pub(super) renderer: Option<Renderer>,
}

/// The content of a page's `<head>`.
pub(super) struct Head<'a> {
    pub(super) title: &'a str,
    pub(super) description: Option<&'a str>,
    /// The page's path; `None` for error pages.
    pub(super) path: Option<&'a str>,
    pub(super) indexed: bool,
    /// The absolute URL of the share image, 1200 by 630 pixels.
    pub(super) image: Option<&'a str>,
    /// Structured data for search engines (JSON-LD).
    pub(super) structured: Option<String>,
    /// `light` or `dark`; `None` follows the visitor's preference.
    pub(super) theme: Option<&'static str>,
}

/// A script of some 280 bytes that queues clicks on buttons until the page is hydrated.
const EARLY_TAPS: &str = include_str!("early_taps.js");
/// How long a page whose rendering failed is cached.
const RETRY_AFTER: TimeDelta = TimeDelta::minutes(1);

/// The web build's template with inlined style sheets, so the first paint needs one response only. The
/// content security policy allows inline styles with these hashes only.
#[derive(Debug)]
pub struct Template {
    page: StyledTemplate,
    /// For pages with a separate chunk, by its name.
    with_chunk: HashMap<String, StyledTemplate>,
}

/// A template and the hashes of its inline styles.
#[derive(Clone, Debug)]
struct StyledTemplate {
    html: String,
    hashes: Vec<String>,
}

/// The files that a chunk needs in addition to the main ones, from a comment that the web build writes to the template.
#[derive(Deserialize)]
struct Chunk {
    scripts: Vec<String>,
    styles: Vec<String>,
}

/// The delimiters of that comment.
const CHUNKS: (&str, &str) = ("<!--lectern:chunks", "-->");

impl Template {
    /// Parses the built `index.html`; `file` returns the file at a path of the bundle.
    pub fn new(html: &str, file: impl Fn(&str) -> Option<String>) -> Self {
        let (html, chunks) = without_chunks(html);
        let mut page = StyledTemplate { html, hashes: Vec::new() };
        page.inline_stylesheet(&file);
        let with_chunk = |chunk: &Chunk| {
            let mut page = page.clone();
            for address in &chunk.scripts {
                page.append_to_head(&format!("<link rel=\"modulepreload\" crossorigin href=\"{address}\">"));
            }
            for address in &chunk.styles {
                page.append_to_head(&format!("<link rel=\"stylesheet\" crossorigin href=\"{address}\">"));
                page.inline_stylesheet(&file);
                // Vite does not load a style sheet again if the page has a link to it.
                page.append_to_head(&format!("<link rel=\"stylesheet\" disabled href=\"{address}\">"));
            }
            page
        };
        let with_chunk = chunks.iter().map(|(name, chunk)| (name.clone(), with_chunk(chunk))).collect();
        Self { page, with_chunk }
    }

    fn for_page(&self, kind: PageKind) -> &StyledTemplate {
        kind.chunk().and_then(|name| self.with_chunk.get(name)).unwrap_or(&self.page)
    }
}

impl StyledTemplate {
    /// Replaces the first link to an enabled style sheet by its content.
    fn inline_stylesheet(&mut self, file: impl Fn(&str) -> Option<String>) {
        let Some((tag, href)) = stylesheet(&self.html) else { return };
        // CSS that could end the style element stays linked.
        let Some(css) = file(href.trim_start_matches('/')).filter(|css| !css.contains("</")) else { return };
        self.hashes.push(hash_source(&css));
        self.html = self.html.replacen(tag, &format!("<style>{css}</style>"), 1);
    }

    /// The content of the inlined style sheet.
    fn style(&self) -> Option<&str> {
        let (_, rest) = self.html.split_once("<style>").filter(|_| !self.hashes.is_empty())?;
        rest.split_once("</style>").map(|(css, _)| css)
    }

    fn append_to_head(&mut self, markup: &str) {
        self.html = self.html.replacen("</head>", &format!("{markup}</head>"), 1);
    }
}

/// The template without the comment, and the chunks that the comment lists.
fn without_chunks(html: &str) -> (String, HashMap<String, Chunk>) {
    let found = html.split_once(CHUNKS.0).and_then(|(before, rest)| {
        let (json, after) = rest.split_once(CHUNKS.1)?;
        Some((format!("{before}{after}"), serde_json::from_str(json).ok()?))
    });
    found.unwrap_or_else(|| (html.to_owned(), HashMap::new()))
}

/// The first `<link rel="stylesheet" crossorigin …>` and its `href`.
fn stylesheet(html: &str) -> Option<(&str, &str)> {
    let start = html.find("<link rel=\"stylesheet\" crossorigin")?;
    let tag = &html[start..=start + html[start..].find('>')?];
    let href = tag.split_once("href=\"")?.1.split_once('"')?.0;
    Some((tag, href))
}

/// The source of a content security policy that allows this inline style or script.
fn hash_source(content: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content.as_bytes())))
}

/// A page without its markup.
pub(super) struct Page {
    status: StatusCode,
    kind: PageKind,
    title: String,
    is_portal: bool,
    theme: Option<&'static str>,
    /// The path and query string for which the components are rendered.
    address: String,
    /// The content of `<head>`.
    head: String,
    /// The initial data as JSON.
    data: Arc<str>,
    /// The initial data of a search, which contains all events until it is filtered, and the position in the queue.
    search: Option<(InitialData, Admission)>,
    validity: Validity,
}

impl Page {
    pub(super) fn new(
        site: &Site,
        status: StatusCode,
        head: &Head<'_>,
        data: &InitialData,
        validity: &Validity,
    ) -> Result<Self, AppError> {
        Ok(Self {
            status,
            kind: data.page,
            title: head.title.to_owned(),
            is_portal: head.path == Some(super::ADMIN),
            theme: head.theme,
            // Error pages are rendered at paths that no other page has.
            address: match data.page {
                PageKind::Deleted => "/410".to_owned(),
                _ => format!("{}{}", head.path.unwrap_or("/404"), data.query),
            },
            head: head_html(site, head),
            data: serde_json::to_string(data).map_err(AppError::internal)?.into(),
            search: None,
            validity: *validity,
        })
    }

    /// A search page: the events in `data` are filtered when it is rendered.
    pub(super) fn searched(self, data: InitialData, admission: Admission) -> Self {
        Self { search: Some((data, admission)), ..self }
    }

    /// The page as a response that is rendered without a database connection.
    pub(super) fn deferred(self, site: &Arc<Site>) -> DeferredResponse {
        let mut input = Sha256::new();
        for part in [self.address.as_str(), &self.head, &self.data] {
            input.update(part.len().to_le_bytes());
            input.update(part);
        }
        let site = Arc::clone(site);
        DeferredResponse { input_hash: input.finalize().into(), build: Box::new(move || Ok(self.render(&site))) }
    }

    /// The response. If rendering fails, the page is sent without markup, and the browser renders it.
    fn render(mut self, site: &Site) -> Representation {
        let renderer = site.renderer.as_ref().filter(|_| self.kind.is_rendered());
        let (search, admission) = self.search.take().unzip();
        // Held until the page is rendered. The threads of the blocking pool have a handle to the runtime.
        let _permit = admission.map(|admission| Handle::current().block_on(admission.start()));
        let found = search.map(|data| self.filter_events(renderer, data));
        let markup = renderer.map(|renderer| {
            found.unwrap_or(Ok(()))?;
            renderer.render(self.address.clone(), Arc::clone(&self.data))
        });
        let fresh_until = match &markup {
            Some(Err(error)) => {
                tracing::error!(error = %Chain(error), page = self.address, "a page is sent without its markup");
                self.validity.until.min(self.validity.now + RETRY_AFTER)
            }
            _ => self.validity.until,
        };
        let (html, policy) = self.document(site, markup.and_then(Result::ok).as_deref());

        let mut page = Representation::of("text/html; charset=utf-8", html.into_bytes());
        page.status = self.status;
        page.fresh_until = Some(fresh_until);
        page.headers.insert(HeaderName::from_static("content-security-policy"), policy);
        if self.kind == PageKind::Embed {
            page.framed = true;
            let any_site = HeaderValue::from_static("cross-origin");
            page.headers.insert(HeaderName::from_static("cross-origin-resource-policy"), any_site);
        }
        page
    }

    /// Filters the events of a search. If it fails, the browser searches.
    fn filter_events(&mut self, renderer: Option<&Renderer>, mut data: InitialData) -> Result<(), RenderError> {
        let query = super::parameter(data.query.trim_start_matches('?'), "q").unwrap_or_default();
        let found = renderer.map(|renderer| renderer.find(query, Arc::clone(&self.data))).transpose();
        match (&found, &mut data.found) {
            (Ok(Some(ids)), Some(all)) => all.retain(|event| ids.contains(&event.id)),
            (_, all) => *all = None,
        }
        self.data = serde_json::to_string(&data)?.into();
        found.map(drop)
    }

    /// The document and its content security policy.
    fn document(&self, site: &Site, markup: Option<&str>) -> (String, HeaderValue) {
        let styled = site.template.as_ref().map(|template| template.for_page(self.kind));
        let template = styled.map_or(FALLBACK_TEMPLATE, |styled| &styled.html);
        let data = json_for_script(&self.data);
        let body = markup.unwrap_or_default();
        let mut html = String::with_capacity(template.len() + self.head.len() + body.len() + data.len() + 1024);
        let mut rest = template;
        for marker in [HEAD, BODY, DATA] {
            let Some((before, after)) = rest.split_once(marker) else { continue };
            html.push_str(before);
            rest = after;
            match marker {
                HEAD if markup.is_some() => html.extend([&self.head, "<script>", EARLY_TAPS.trim_end(), "</script>"]),
                HEAD => html.push_str(&self.head),
                BODY => html.push_str(body),
                _ => {
                    if markup.is_none() {
                        html.push_str(&self.notice());
                    }
                    html.extend(["<script type=\"application/json\" id=\"initial-data\">", &data, "</script>"]);
                }
            }
        }
        html.push_str(rest);
        if let Some(theme) = self.theme {
            html = with_theme(&html, theme);
        }

        if let (true, Some(policy)) = (self.is_portal, &site.portal_policy) {
            return (html, policy.header());
        }
        let mut policy = site.policy.clone();
        if self.kind == PageKind::Embed {
            policy.ancestors.clone_from(&site.frame_ancestors);
        }
        if markup.is_some() {
            policy.scripts.push(hash_source(EARLY_TAPS.trim_end()));
        }
        policy.styles.extend(styled.into_iter().flat_map(|styled| styled.hashes.iter().cloned()));
        (html, policy.header())
    }

    /// The notice on a page without markup for visitors without scripts.
    fn notice(&self) -> String {
        let text = if self.kind.is_rendered() {
            "This page takes a browser with JavaScript turned on at the moment. Please try again later."
        } else {
            "Signing in takes a browser with JavaScript turned on."
        };
        let mut html = Html::default();
        html.raw("<noscript><div class=\"wrap\"><h1>")
            .text(&self.title)
            .raw("</h1><p>")
            .raw(text)
            .raw("</p><p><a href=\"/\">Back to Events</a></p></div></noscript>");
        html.finish()
    }
}

/// The page for a server error and its content security policy. It uses neither the database nor the renderer, which
/// may have failed, and looks like the error page of the application.
pub(super) fn error_page(site: &Site, sentence: &str, request_id: Option<&str>) -> (String, HeaderValue) {
    const TITLE: &str = "This page can’t be shown";
    let template = site.template.as_ref().map(|template| &template.page);
    let mut html = Html::default();
    html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">")
        .raw("<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\"><title>")
        .text(&format!("{TITLE} — {}", site.info.name))
        .raw("</title><link rel=\"icon\" href=\"/favicon.ico\" sizes=\"32x32\">");
    if let Some(css) = template.and_then(StyledTemplate::style) {
        html.raw("<style>").raw(css).raw("</style>");
    }
    html.raw("</head><body><main class=\"error-page__root\"><div class=\"error-page__card\" role=\"alert\">")
        .raw("<h1 class=\"error-page__title\">")
        .text(TITLE)
        .raw("</h1><p>")
        .text(sentence)
        .raw("</p><a class=\"button__root button__primary\" href=\"\">Try Again</a>");
    if let Some(id) = request_id {
        html.raw("<p class=\"error-page__request\">Request id: ").text(id).raw("</p>");
    }
    html.raw("</div><div class=\"skyline__root\" aria-hidden=\"true\">")
        .raw("<img class=\"skyline__picture day-only\" src=\"/art/hero-skyline-day.svg\" alt=\"\">")
        .raw(
            "<img class=\"skyline__picture night-only\" src=\"/art/hero-skyline-night.svg\" alt=\"\" loading=\"lazy\">",
        )
        .raw("</div></main></body></html>");
    let styles = template.map(|page| page.hashes.clone()).unwrap_or_default();
    (html.finish(), Policy { styles, ..Policy::default() }.header())
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
