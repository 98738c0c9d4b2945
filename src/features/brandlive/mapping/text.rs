//! Clean text from what may be HTML.

use std::collections::HashSet;

use ammonia::Builder;

/// What parts paragraphs.
const BLOCKS: [&str; 16] = [
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
/// What begins a new line.
const LINES: [&str; 4] = ["br", "li", "tr", "dt"];
/// What is no text at all.
const NO_TEXT: [&str; 9] = ["script", "style", "head", "title", "template", "noscript", "iframe", "object", "textarea"];

/// One line of at most so many characters.
pub(super) fn line(text: &str, most: usize) -> String {
    shortened(&clean(text).split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// Paragraphs parted by blank lines, at most so many characters in all.
pub(super) fn paragraphs(text: &str, most: usize) -> String {
    let text = clean(text);
    let mut whole = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")) {
        if line.is_empty() {
            blank += 1;
            continue;
        }
        if !whole.is_empty() {
            whole.push_str(if blank > 0 { "\n\n" } else { "\n" });
        }
        blank = 0;
        whole.push_str(&line);
    }
    shortened(&whole, most)
}

/// The text of HTML with its breaks. Text without a tag keeps the breaks that it has.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let html = looks_like_html(&text);
    if !html && !text.contains('&') {
        return without_controls(&text);
    }
    let kept: HashSet<&str> = if html { BLOCKS.into_iter().chain(LINES).collect() } else { HashSet::new() };
    // In HTML a line break is a blank like any other.
    let source = if html { text.replace('\n', " ") } else { text };
    // A real parser first, so that what is left is a handful of tags that are written in one way only.
    let tidy = Builder::new()
        .tags(kept)
        .clean_content_tags(NO_TEXT.into_iter().collect())
        .generic_attributes(HashSet::new())
        .tag_attributes(std::collections::HashMap::new())
        .allowed_classes(std::collections::HashMap::new())
        .link_rel(None)
        .clean(&source)
        .to_string();
    without_controls(&unescaped(&tags_to_breaks(&tidy)))
}

fn looks_like_html(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!')
            && text[at..].contains('>')
    })
}

fn tags_to_breaks(tidy: &str) -> String {
    let mut out = String::with_capacity(tidy.len());
    let mut rest = tidy;
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

/// Undoes the few escapes that the parser writes.
fn unescaped(text: &str) -> String {
    text.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn without_controls(text: &str) -> String {
    // Marks that turn the direction of what follows, and blanks of no width, are for no reader.
    let unseen = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200b}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(|c| !unseen(*c)).collect()
}

/// At most so many characters, cut between words.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most - 1).collect();
    let end = cut.rfind(char::is_whitespace).filter(|end| *end > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end())
}
