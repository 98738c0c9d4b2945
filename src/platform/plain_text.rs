//! Plain text from text or HTML.

use std::collections::{HashMap, HashSet};

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

/// The deepest nesting that the HTML parser gets: its time grows with the square of it.
const MAX_DEPTH: usize = 500;
/// The most attributes of one tag, for the same reason.
const MAX_ATTRIBUTES: usize = 500;
/// The largest HTML in bytes.
const MAX_HTML: usize = 1024 * 1024;
/// The most special characters of HTML times its length: the serializer searches the rest of a text at each of them.
const MAX_SEARCHES: usize = 1_000_000_000;
/// The length in bytes of the parts in which text without tags is decoded, for the same reason.
const PART: usize = 4096;
/// Tags without content, and tags that the next one of their kind closes.
const UNNESTED_TAGS: [&str; 29] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr", "p",
    "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "rp", "rt", "caption",
];

/// Tags whose content is text up to their end tag.
const TEXT_TAGS: [&str; 10] =
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext"];

/// Why a text can't be cleaned, the end of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("is HTML that is nested too deeply")]
    Nesting,
    #[error("is HTML with too many attributes")]
    Attributes,
    #[error("is HTML with too many special characters")]
    SpecialCharacters,
    #[error("is HTML of more than 1 MB")]
    Size,
}

/// Cleans a text to one line of at most `max` characters.
///
/// # Errors
/// HTML for which the parser would take long.
pub fn line(text: &str, max: usize) -> Result<String, TextError> {
    Ok(shortened(&clean(text)?.split_whitespace().collect::<Vec<_>>().join(" "), max))
}

/// Cleans a text to paragraphs separated by blank lines, at most `max` characters in total.
///
/// # Errors
/// HTML for which the parser would take long.
pub fn paragraphs(text: &str, max: usize) -> Result<String, TextError> {
    let text = clean(text)?;
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
    Ok(shortened(&paragraphs, max))
}

/// Plain text with line breaks from the tags of HTML; text without tags retains its line breaks.
fn clean(text: &str) -> Result<String, TextError> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let html = looks_like_html(&text);
    if !html && !text.contains('&') {
        return Ok(without_controls(&text));
    }
    if html {
        check_complexity(&text)?;
    }
    let mut parser = Builder::new();
    parser
        .tags(PARAGRAPH_TAGS.into_iter().chain(LINE_TAGS).collect())
        .clean_content_tags(REMOVED_TAGS.into_iter().collect())
        .generic_attributes(HashSet::new())
        .tag_attributes(HashMap::new())
        .allowed_classes(HashMap::new())
        .link_rel(None);
    let cleaned = if html {
        // In HTML a line break is white space. The parser's output has only the allowed tags, in one notation.
        let normalized = parser.clean(&text.replace('\n', " ")).to_string();
        unescaped(&tags_to_breaks(&normalized))
    } else {
        // The parser only decodes entities.
        let text = text.replace('<', "&lt;");
        parts(&text).map(|part| unescaped(&parser.clean(part).to_string())).collect()
    };
    Ok(without_controls(&cleaned))
}

/// Splits a text into parts of about [`PART`] bytes, not within an entity.
fn parts(mut text: &str) -> impl Iterator<Item = &str> {
    let is_outside_of_entities = |c: char| !c.is_ascii_alphanumeric() && c != '#' && c != ';';
    std::iter::from_fn(move || {
        let start = text.ceil_char_boundary(PART);
        let end = text[start..].find(is_outside_of_entities).map_or(text.len(), |at| start + at);
        let (part, rest) = text.split_at(end);
        text = rest;
        (!part.is_empty()).then_some(part)
    })
}

/// Rejects HTML for which the parser would take long, in one pass over the tags.
fn check_complexity(html: &str) -> Result<(), TextError> {
    if html.len() > MAX_HTML {
        return Err(TextError::Size);
    }
    // 0xC2 is the first byte of a non-breaking space, which the serializer escapes as well.
    let special = html.bytes().filter(|byte| matches!(byte, b'&' | 0xC2)).count();
    if special * html.len() > MAX_SEARCHES {
        return Err(TextError::SpecialCharacters);
    }
    let mut open: HashMap<String, usize> = HashMap::new();
    let mut depth = 0;
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        if after.starts_with("!--") {
            // `<!-->` is a complete comment.
            let ends = |(at, _): &(usize, &str)| after[1..*at].ends_with("--") || after[1..*at].ends_with("--!");
            rest = after.match_indices('>').find(ends).map_or("", |(at, _)| &after[at + 1..]);
            continue;
        }
        let (is_end, tag) = after.strip_prefix('/').map_or((false, after), |tag| (true, tag));
        rest = after;
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let name_end = tag.find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').unwrap_or(tag.len());
        let name = tag[..name_end].to_ascii_lowercase();
        let (attributes, end) = count_attributes(&tag[name_end..]);
        if attributes > MAX_ATTRIBUTES {
            return Err(TextError::Attributes);
        }
        rest = &tag[name_end + end..];
        if !is_end && TEXT_TAGS.contains(&name.as_str()) {
            let content = text_content(&name, rest);
            // Within these the content is markup or not, and in a comment a script can contain its end tag.
            let is_uncertain = ["svg", "math", "select"].iter().any(|name| open.contains_key(*name))
                || (name == "script" && content.contains("<!--"));
            if is_uncertain {
                return check_every_tag(rest, depth);
            }
            rest = &rest[content.len()..];
            continue;
        }
        if UNNESTED_TAGS.contains(&name.as_str()) {
            continue;
        }
        let count = open.entry(name).or_default();
        if !is_end {
            *count += 1;
            depth += 1;
        } else if *count > 0 {
            *count -= 1;
            depth -= 1;
        }
        if depth > MAX_DEPTH {
            return Err(TextError::Nesting);
        }
    }
    Ok(())
}

/// The beginning of a text up to the end tag of this name.
fn text_content<'h>(name: &str, html: &'h str) -> &'h str {
    let is_end = |(at, _): &(usize, &str)| {
        let tag = &html.as_bytes()[at + 2..];
        tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
            && tag.get(name.len()).is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
    };
    html.match_indices("</").find(is_end).map_or(html, |(at, _)| &html[..at])
}

/// Counts everything that may be a tag as nested, on top of this depth.
fn check_every_tag(html: &str, mut depth: usize) -> Result<(), TextError> {
    for tag in html.match_indices('<').map(|(at, _)| &html[at + 1..]) {
        if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            depth += 1;
            if depth > MAX_DEPTH {
                return Err(TextError::Nesting);
            }
            if count_attributes(tag).0 > MAX_ATTRIBUTES {
                return Err(TextError::Attributes);
            }
        }
    }
    Ok(())
}

/// The number of attributes up to the end of a tag, and the length up to there (HTML standard, 13.2.5.32 to 40).
fn count_attributes(tag: &str) -> (usize, usize) {
    #[derive(Clone, Copy)]
    enum At {
        Separator,
        Name,
        AfterName,
        Equals,
        Value,
        Quoted(u8),
    }
    let mut at = At::Separator;
    let mut count = 0;
    for (index, byte) in tag.bytes().enumerate() {
        let is_space = matches!(byte, b' ' | b'\n' | b'\t' | 12);
        at = match at {
            At::Quoted(quote) if byte == quote => At::Separator,
            At::Quoted(_) => at,
            _ if byte == b'>' => return (count, index),
            At::Equals if matches!(byte, b'"' | b'\'') => At::Quoted(byte),
            At::Equals | At::Separator if is_space => at,
            At::Equals => At::Value,
            At::Value => {
                if is_space {
                    At::Separator
                } else {
                    at
                }
            }
            At::Name | At::AfterName if byte == b'=' => At::Equals,
            At::Name | At::AfterName if is_space => At::AfterName,
            _ if byte == b'/' => At::Separator,
            At::Name => at,
            At::Separator | At::AfterName => {
                count += 1;
                At::Name
            }
        };
    }
    (count, tag.len())
}

/// Whether a text has a tag that texts have in HTML. Programs for calendars also write addresses between `<` and `>`.
pub fn has_html_tag(text: &str) -> bool {
    const INLINE_TAGS: [&str; 10] = ["a", "b", "strong", "i", "em", "u", "span", "font", "html", "body"];
    tag_starts(text).any(|tag| {
        let tag = tag.trim_start_matches('/');
        let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let mut known = PARAGRAPH_TAGS.iter().chain(&LINE_TAGS).chain(&INLINE_TAGS);
        tag[end..].starts_with(['>', ' ', '/', '\n', '\r', '\t'])
            && known.any(|name| name.eq_ignore_ascii_case(&tag[..end]))
    })
}

fn looks_like_html(text: &str) -> bool {
    tag_starts(text).any(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!'))
}

/// What follows each `<` that has a `>` after it.
fn tag_starts(text: &str) -> impl Iterator<Item = &str> {
    let last_end = text.rfind('>').unwrap_or_default();
    text[..last_end].match_indices('<').map(|(at, _)| &text[at + 1..])
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
    let prefix: String = text.chars().take(max - 1).collect();
    let end = prefix.rfind(char::is_whitespace).filter(|end| *end > prefix.len() / 2).unwrap_or(prefix.len());
    format!("{}…", prefix[..end].trim_end())
}
