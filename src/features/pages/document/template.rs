//! The template of the web build, with its style sheets inline.

use std::collections::HashMap;

use serde::Deserialize;

use super::super::types::PageKind;
use super::policies::hash_source;

/// The web build's template with inlined style sheets, so the first paint needs one response only. The
/// content security policy allows inline styles with these hashes only.
#[derive(Debug)]
pub struct Template {
    pub(super) page: StyledTemplate,
    /// For pages with a separate chunk, by its name.
    with_chunk: HashMap<String, StyledTemplate>,
}

/// A template and the hashes of its inline styles.
#[derive(Clone, Debug)]
pub(super) struct StyledTemplate {
    pub(super) html: String,
    pub(super) hashes: Vec<String>,
}

/// A script that loads the page's script after the first paint: the markup, its images and its font come first, and the
/// page works without it. `data-src` has its URL. A page that is not visible is not painted.
pub(super) const LOAD_SCRIPT: &str = include_str!("load_script.js");

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
        let main = stylesheet(&page.html).map(|(_, href)| href.to_owned());
        page.inline_stylesheet(&file);
        // Chunks that import the main one need its styles as well.
        if let Some(url) = main.filter(|_| !page.hashes.is_empty()) {
            page.append_inlined_link(&url);
        }
        let with_chunk = |chunk: &Chunk| {
            let mut page = page.clone();
            for url in &chunk.scripts {
                page.append_to_head(&format!(
                    "<link rel=\"modulepreload\" fetchpriority=\"low\" crossorigin href=\"{url}\">"
                ));
            }
            for url in &chunk.styles {
                page.append_to_head(&format!("<link rel=\"stylesheet\" crossorigin href=\"{url}\">"));
                page.inline_stylesheet(&file);
                page.append_inlined_link(url);
            }
            page
        };
        let with_chunk = chunks.iter().map(|(name, chunk)| (name.clone(), with_chunk(chunk))).collect();
        Self { page, with_chunk }
    }

    pub(super) fn for_page(&self, kind: PageKind) -> &StyledTemplate {
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
    pub(super) fn style(&self) -> Option<&str> {
        let (_, rest) = self.html.split_once("<style>").filter(|_| !self.hashes.is_empty())?;
        rest.split_once("</style>").map(|(css, _)| css)
    }

    /// Appends a link that keeps Vite from loading this style sheet again. Chromium requests the target of a disabled
    /// link as well, unless its media query does not match.
    fn append_inlined_link(&mut self, url: &str) {
        self.append_to_head(&format!("<link rel=\"stylesheet\" media=\"not all\" disabled href=\"{url}\">"));
    }

    fn append_to_head(&mut self, markup: &str) {
        self.html = self.html.replacen("</head>", &format!("{markup}</head>"), 1);
    }
}

/// The document whose script is loaded after the first paint. The first script with a URL is that of the template.
pub(super) fn with_late_script(html: &str) -> Option<String> {
    const END: &str = "</script>";
    let start = html.find("<script type=\"module\"")?;
    let tag = &html[start..html[start..].find(END)? + start + END.len()];
    let src = tag.split_once("src=\"")?.1.split_once('"')?.0;
    Some(html.replacen(tag, &format!("<script data-src=\"{src}\">{}{END}", LOAD_SCRIPT.trim_end()), 1))
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
