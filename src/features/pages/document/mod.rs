//! The document of a page: the template of the web build with head, markup and initial data.

mod context;
mod error_page;
mod head;
mod html;
mod policies;
mod template;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use chrono::TimeDelta;
use http::{HeaderName, HeaderValue, StatusCode};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;

use super::freshness::FreshnessPeriod;
use super::renderer::PendingMarkup;
use super::types::{InitialData, PageKind, SiteNotice};
use crate::platform::blocking::Admission;
use crate::platform::clock::timestamp;
use crate::platform::error::{AppError, ErrorChain};
use crate::platform::response_cache::{DeferredResponse, Representation};

pub(super) use context::{PageContext, SiteView};
pub(super) use error_page::error_page;
pub(super) use head::Head;
use html::{Html, json_for_script};
pub use template::Template;

const HEAD: &str = "<!--lectern:head-->";
const BODY: &str = "<!--lectern:body-->";
const DATA: &str = "<!--lectern:data-->";
/// Replaces the template in a binary that was built without the web bundle.
const FALLBACK_TEMPLATE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><!--lectern:head--></head>\
    <body><p>This lectern was built without its web page. Build it with Node.js installed, as the README says.</p>\
    <div id=\"root\"><!--lectern:body--></div><!--lectern:data--></body></html>";

/// A script that replays clicks on buttons: the last one before the page is hydrated takes effect afterwards. If the
/// page's code could not be loaded, it reloads the page first, and says so if that does not help. A choice in a select
/// needs no code then: the page is loaded with the choice in its URL, under the select's name. A page that reloads
/// itself for one of its sections (`reloadPage` in `web/`) has the focus there; for the menu of a link (`reloadToClick`),
/// the link is clicked, in a dialog that the URL opens when the dialog is there. The second click of a double-click that has
/// opened the page does nothing, because nobody has aimed at what is there, unless only the query has changed, as for the
/// next month.
const EARLY_CLICKS: &str = include_str!("early_clicks.js");
/// A script that hides the notice before the first paint if the visitor has dismissed it. `data-notice` has its id.
const NOTICE: &str = include_str!("notice.js");
/// How long a page whose rendering failed is cached.
const FAILED_PAGE_LIFETIME: TimeDelta = TimeDelta::minutes(1);

/// A page without its markup.
pub(super) struct Page {
    status: StatusCode,
    kind: PageKind,
    title: String,
    is_portal: bool,
    theme: Option<&'static str>,
    /// The path and query string for which the components are rendered.
    url: String,
    /// The site settings.
    site: Arc<SiteView>,
    /// The content of `<head>`.
    head: String,
    /// The initial data as JSON.
    data: Arc<str>,
    /// The position of a search in the queue of the renderer.
    admission: Option<Admission>,
    freshness: FreshnessPeriod,
    /// As in [`Representation::surrogate_keys`].
    surrogate_keys: Option<Vec<Cow<'static, str>>>,
}

impl Page {
    pub(super) fn new(
        site: &Arc<SiteView>,
        status: StatusCode,
        head: &Head<'_>,
        data: &InitialData,
        freshness: &FreshnessPeriod,
    ) -> Result<Self, AppError> {
        Ok(Self {
            status,
            kind: data.page,
            title: head.title.to_owned(),
            is_portal: head.path == Some(super::ADMIN),
            theme: head.theme,
            // Error pages are rendered at paths that no other page has.
            url: match data.page {
                PageKind::Deleted => "/410".to_owned(),
                _ => format!("{}{}", head.path.unwrap_or("/404"), data.query),
            },
            site: Arc::clone(site),
            head: head::html(site, head),
            data: serde_json::to_string(data).map_err(AppError::internal)?.into(),
            admission: None,
            freshness: *freshness,
            surrogate_keys: None,
        })
    }

    /// A page that waits for its position in the queue.
    pub(super) fn admitted(self, admission: Admission) -> Self {
        Self { admission: Some(admission), ..self }
    }

    /// A page that shared caches may store until the content with one of these keys changes.
    pub(super) fn shared(self, keys: Vec<Cow<'static, str>>) -> Self {
        Self { surrogate_keys: Some(keys), ..self }
    }

    /// The page as a response that is rendered without a database connection.
    pub(super) fn deferred(self, context: &Arc<PageContext>) -> DeferredResponse {
        let mut input = Sha256::new();
        // Two pages that differ only in how long they are fresh are different responses.
        let until = timestamp(self.freshness.until);
        let policy = self.site.policy.header();
        let keys = self.surrogate_keys.as_deref().unwrap_or_default().join(" ");
        let style = self.site.style.as_deref().unwrap_or_default();
        let parts = [self.url.as_str(), &self.head, &self.data, &until, style, &keys];
        for part in parts.map(str::as_bytes).into_iter().chain([policy.as_bytes()]) {
            input.update(part.len().to_le_bytes());
            input.update(part);
        }
        let context = Arc::clone(context);
        DeferredResponse { input_hash: input.finalize().into(), build: Box::new(move || Ok(self.render(&context))) }
    }

    /// The response. If rendering fails, the page is sent without markup, and the browser renders it.
    fn render(mut self, context: &PageContext) -> Representation {
        let renderer = context.renderer.as_ref().filter(|_| self.kind.is_rendered());
        let admission = self.admission.take();
        // Held until the page is rendered. The threads of the blocking pool have a handle to the runtime.
        let _permit = admission.map(|admission| Handle::current().block_on(admission.acquire_permit()));
        let pending = renderer.map(|renderer| renderer.render(self.url.clone(), Arc::clone(&self.data)));
        // While the first page is rendered.
        LazyLock::force(&context.template);
        let markup = pending.map(|pending| pending.and_then(PendingMarkup::wait));
        let fresh_until = match &markup {
            Some(Err(error)) => {
                tracing::error!(error = %ErrorChain(error), page = self.url, "a page is sent without its markup");
                self.freshness.until.min(self.freshness.now + FAILED_PAGE_LIFETIME)
            }
            _ => self.freshness.until,
        };
        let (html, policy) = self.document(context, markup.and_then(Result::ok).as_deref());

        let mut page = Representation::new("text/html; charset=utf-8", html.into_bytes());
        page.status = self.status;
        page.fresh_until = Some(fresh_until);
        page.surrogate_keys = self.surrogate_keys;
        page.headers.insert(HeaderName::from_static("content-security-policy"), policy);
        if self.kind == PageKind::Embed {
            page.may_be_framed = true;
            let any_site = HeaderValue::from_static("cross-origin");
            page.headers.insert(HeaderName::from_static("cross-origin-resource-policy"), any_site);
        }
        page
    }

    /// The document and its content security policy.
    fn document(&self, context: &PageContext, markup: Option<&str>) -> (String, HeaderValue) {
        let styled = context.template.as_ref().map(|template| template.for_page(self.kind));
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
                HEAD => {
                    html.push_str(&self.head);
                    if let Some(notice) = self.notice() {
                        // The id is a number in hexadecimal digits.
                        let id = notice.id.as_str();
                        html.extend(["<script data-notice=\"", id, "\">", NOTICE.trim_end(), "</script>"]);
                    }
                    if markup.is_some() {
                        html.extend(["<script>", EARLY_CLICKS.trim_end(), "</script>"]);
                    }
                }
                BODY => html.push_str(body),
                _ => {
                    if markup.is_none() {
                        html.push_str(&self.text_without_scripts());
                    }
                    html.extend(["<script type=\"application/json\" id=\"initial-data\">", &data, "</script>"]);
                }
            }
        }
        html.push_str(rest);
        if markup.is_some() {
            html = template::with_late_script(&html).unwrap_or(html);
        }
        if let Some(theme) = self.theme {
            html = with_theme(&html, theme);
        }
        if let Some(style) = &self.site.style {
            // After the tokens that it replaces. The first match is in the template.
            html = html.replacen("</head>", &format!("<style>{style}</style></head>"), 1);
        }

        if let (true, Some(policy)) = (self.is_portal, &context.portal_policy) {
            return (html, policy.header());
        }
        let mut policy = self.site.policy.clone();
        if self.kind == PageKind::Embed {
            policy.ancestors.clone_from(&context.frame_ancestors);
        }
        if self.notice().is_some() {
            policy.scripts.push(policies::hash_source(NOTICE.trim_end()));
        }
        if markup.is_some() {
            policy.scripts.push(policies::hash_source(EARLY_CLICKS.trim_end()));
            policy.scripts.push(policies::hash_source(template::LOAD_SCRIPT.trim_end()));
        }
        policy.styles.extend(self.site.style.as_deref().map(policies::hash_source));
        policy.styles.extend(styled.into_iter().flat_map(|styled| styled.hashes.iter().cloned()));
        (html, policy.header())
    }

    /// The notice that the page shows above its header.
    fn notice(&self) -> Option<&SiteNotice> {
        self.site.info.notice.as_ref().filter(|_| self.kind.has_header())
    }

    /// The text on a page without markup for visitors without scripts.
    fn text_without_scripts(&self) -> String {
        let text = if self.kind.is_rendered() {
            "This page currently requires JavaScript. Please try again later."
        } else {
            "Signing in requires JavaScript."
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

/// Sets the theme in the markup, because a script would run after the first paint. The first match of each pattern is
/// in the template, before any user content.
fn with_theme(html: &str, theme: &str) -> String {
    html.replacen("<html lang=\"en\"", &format!("<html lang=\"en\" data-theme=\"{theme}\""), 1).replacen(
        "name=\"color-scheme\" content=\"light dark\"",
        &format!("name=\"color-scheme\" content=\"{theme}\""),
        1,
    )
}
