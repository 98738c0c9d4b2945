//! Text cleaning: plain text from text or HTML.

use std::collections::HashSet;

use ammonia::Builder;

/// Tags that separate paragraphs.
const PARAGRAPH_TAGS: [&str; 16] = [
    "p",
    "div",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "table",
    "blockquote",
    "section",
    "article",
    "pre",
    "hr",
];
/// Tags that begin a new line.
const LINE_TAGS: [&str; 4] = ["br", "li", "tr", "dt"];
/// Tags whose content is not text.
const REMOVED_TAGS: [&str; 9] =
    ["script", "style", "head", "title", "template", "noscript", "iframe", "object", "textarea"];

/// Cleans a text to one line of at most `max` characters.
pub(super) fn line(text: &str, max: usize) -> String {
    shortened(&clean(text).split_whitespace().collect::<Vec<_>>().join(" "), max)
}

/// Cleans a text to paragraphs separated by blank lines, at most `max` characters in all.
pub(super) fn paragraphs(text: &str, max: usize) -> String {
    let text = clean(text);
    let mut paragraphs = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")) {
        if line.is_empty() {
            blank += 1;
            continue;
        }
        if !paragraphs.is_empty() {
            paragraphs.push_str(if blank > 0 { "\n\n" } else { "\n" });
        }
        blank = 0;
        paragraphs.push_str(&line);
    }
    shortened(&paragraphs, max)
}

/// Plain text with line breaks from the tags of HTML; text without tags keeps its own breaks.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let html = looks_like_html(&text);
    if !html && !text.contains('&') {
        return without_controls(&text);
    }
    let allowed: HashSet<&str> =
        if html { PARAGRAPH_TAGS.into_iter().chain(LINE_TAGS).collect() } else { HashSet::new() };
    // In HTML a line break is white space.
    let source = if html { text.replace('\n', " ") } else { text };
    // An HTML5 parser first: its output has only the allowed tags, in one notation.
    let normalized = Builder::new()
        .tags(allowed)
        .clean_content_tags(REMOVED_TAGS.into_iter().collect())
        .generic_attributes(HashSet::new())
        .tag_attributes(std::collections::HashMap::new())
        .allowed_classes(std::collections::HashMap::new())
        .link_rel(None)
        .clean(&source)
        .to_string();
    without_controls(&unescaped(&tags_to_breaks(&normalized)))
}

fn looks_like_html(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!')
            && text[at..].contains('>')
    })
}

fn tags_to_breaks(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let Some((tag, next)) = after.split_once('>') else { break };
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match (name, tag.starts_with('/')) {
            ("br", _) | ("tr" | "dt", false) => out.push('\n'),
            ("li", false) => out.push_str("\n• "),
            ("li" | "tr" | "dt", true) => {}
            _ => out.push_str("\n\n"),
        }
        rest = next;
    }
    out.push_str(rest);
    out
}

/// Decodes the entities that the serializer writes.
fn unescaped(text: &str) -> String {
    text.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn without_controls(text: &str) -> String {
    // Includes bidirectional overrides and zero-width spaces.
    let is_invisible = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200b}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(|c| !is_invisible(*c)).collect()
}

/// Shortens a text to at most `max` characters, between words.
fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let cut: String = text.chars().take(max - 1).collect();
    let end = cut.rfind(char::is_whitespace).filter(|end| *end > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end())
}
