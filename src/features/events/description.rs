//! The format of descriptions: plain text, or the part of Markdown that events need (paragraphs, lists, bold, links).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::LazyLock;

use ammonia::Builder;
use pulldown_cmark::{Event as Part, Parser, Tag, TagEnd, TextMergeStream};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::validate::{is_email, is_web_url};

/// How a description is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DescriptionFormat {
    /// The text as it is.
    #[default]
    Plain,
    /// Paragraphs, lists, bold text and links in Markdown.
    Markdown,
}

impl DescriptionFormat {
    /// The stored and sent name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Markdown => "markdown",
        }
    }

    /// Parses the name.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Plain, Self::Markdown].into_iter().find(|format| format.as_str() == text)
    }

    /// Whether it is the default, which responses leave out.
    pub fn is_plain(&self) -> bool {
        *self == Self::Plain
    }

    /// The sanitized HTML of a description in this format; `None` for plain text.
    pub fn html(self, description: &str) -> Option<String> {
        match self {
            Self::Plain => None,
            Self::Markdown => Some(html(description)),
        }
    }

    /// A description without Markdown syntax.
    pub fn text(self, description: &str) -> Cow<'_, str> {
        match self {
            Self::Plain => Cow::Borrowed(description),
            Self::Markdown => Cow::Owned(text(description)),
        }
    }
}

impl ToSql for DescriptionFormat {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for DescriptionFormat {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::parse(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

/// Deeper lists are written as lines, because the time to parse HTML grows with the depth of its elements.
const MAX_LISTS: usize = 4;
/// Links in descriptions are marked for search engines as user-generated content.
const LINK_REL: &str = "noopener nofollow ugc";
/// The end of a link that opens a new tab, with what the page's other links have for screen readers.
const WEB_LINK_END: &str = "<span class=\"visually-hidden\"> (opens in a new tab)</span></a>";

/// Allows only what [`Writer`] writes, so that an error there could not lead to other elements or URLs.
static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut sanitizer = Builder::new();
    sanitizer
        .tags(HashSet::from(["p", "br", "strong", "em", "ul", "ol", "li", "a", "span"]))
        .generic_attributes(HashSet::new())
        .tag_attributes(HashMap::from([("a", HashSet::from(["href", "target"])), ("ol", HashSet::from(["start"]))]))
        .allowed_classes(HashMap::from([("span", HashSet::from(["visually-hidden"]))]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .link_rel(Some(LINK_REL));
    sanitizer
});

fn parts(markdown: &str) -> impl Iterator<Item = Part<'_>> {
    TextMergeStream::new(Parser::new(markdown))
}

/// Raw HTML in the Markdown is text.
fn html(markdown: &str) -> String {
    let mut writer = Writer::default();
    for part in parts(markdown) {
        writer.part(part);
    }
    SANITIZER.clean(&writer.html).to_string()
}

/// Writes the HTML of Markdown. Elements that descriptions do not have become paragraphs or text.
#[derive(Default)]
struct Writer {
    html: String,
    strong: usize,
    emphasis: usize,
    lists: usize,
    /// The end tag of the open link; empty for a URL that is no link.
    link: Option<&'static str>,
}

impl Writer {
    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Start(tag) => self.start(&tag),
            Part::End(tag) => self.end(tag),
            Part::Text(text) | Part::Code(text) | Part::Html(text) | Part::InlineHtml(text) => self.text(&text),
            Part::SoftBreak | Part::HardBreak => self.html.push_str("<br>"),
            // Rules separate paragraphs; the other parts are extensions that are off.
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock => self.html.push_str("<p>"),
            Tag::Heading { .. } => {
                self.html.push_str("<p>");
                self.open_strong();
            }
            Tag::Strong => self.open_strong(),
            Tag::Emphasis => {
                self.emphasis += 1;
                self.html.push_str(if self.emphasis == 1 { "<em>" } else { "" });
            }
            Tag::List(first) => {
                self.lists += 1;
                if self.lists <= MAX_LISTS {
                    match first {
                        None => self.html.push_str("<ul>"),
                        Some(1) => self.html.push_str("<ol>"),
                        Some(number) => drop(write!(self.html, "<ol start=\"{number}\">")),
                    }
                }
            }
            Tag::Item => self.html.push_str(if self.lists <= MAX_LISTS { "<li>" } else { "<br>" }),
            Tag::Link { dest_url, .. } => self.link = Some(self.open_link(dest_url)),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.html.push_str("</p>"),
            TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                let length = self.html.trim_end_matches("<br>").len();
                self.html.truncate(length);
                self.html.push_str("</p>");
            }
            TagEnd::Heading(_) => {
                self.close_strong();
                self.html.push_str("</p>");
            }
            TagEnd::Strong => self.close_strong(),
            TagEnd::Emphasis => {
                self.emphasis -= 1;
                self.html.push_str(if self.emphasis == 0 { "</em>" } else { "" });
            }
            TagEnd::List(is_ordered) => {
                if self.lists <= MAX_LISTS {
                    self.html.push_str(if is_ordered { "</ol>" } else { "</ul>" });
                }
                self.lists -= 1;
            }
            TagEnd::Item => self.html.push_str(if self.lists <= MAX_LISTS { "</li>" } else { "" }),
            TagEnd::Link => {
                let end = self.link.take().unwrap_or_default();
                self.html.push_str(end);
            }
            _ => {}
        }
    }

    fn open_strong(&mut self) {
        self.strong += 1;
        self.html.push_str(if self.strong == 1 { "<strong>" } else { "" });
    }

    fn close_strong(&mut self) {
        self.strong -= 1;
        self.html.push_str(if self.strong == 0 { "</strong>" } else { "" });
    }

    /// Writes the start tag of a link and returns its end tag; both are empty for a URL that is not public.
    fn open_link(&mut self, url: &str) -> &'static str {
        let is_web = is_web_url(url);
        if !is_web && !is_mail(url) {
            return "";
        }
        self.html.push_str("<a href=\"");
        self.escaped(url);
        self.html.push_str(if is_web { "\" target=\"_blank\">" } else { "\">" });
        if is_web { WEB_LINK_END } else { "</a>" }
    }

    fn text(&mut self, text: &str) {
        if self.link.is_some() {
            self.escaped(text);
            return;
        }
        let mut rest = text;
        while let Some((before, found)) = next_url(rest) {
            self.escaped(before);
            rest = &rest[before.len() + found.len()..];
            let url = if is_web_url(found) { found.to_owned() } else { format!("https://{found}") };
            let end = self.open_link(&url);
            self.escaped(found);
            self.html.push_str(end);
        }
        self.escaped(rest);
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                '\n' => self.html.push_str("<br>"),
                _ => self.html.push(c),
            }
        }
    }
}

/// The text of Markdown: paragraphs are separated by blank lines, list items start with a bullet or their number, and
/// links are followed by their URL.
fn text(markdown: &str) -> String {
    let mut writer = TextWriter::default();
    for part in parts(markdown) {
        writer.part(part);
    }
    writer.text.trim().to_owned()
}

#[derive(Default)]
struct TextWriter {
    text: String,
    /// The next number of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    /// Where the text of the open link starts, and its URL.
    link: Option<(usize, String)>,
}

impl TextWriter {
    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Text(text) | Part::Code(text) | Part::Html(text) | Part::InlineHtml(text) => {
                self.text.push_str(&text);
            }
            Part::SoftBreak | Part::HardBreak => self.text.push('\n'),
            // The first paragraph of a list item follows its bullet.
            Part::Start(Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Heading { .. })
                if !self.text.is_empty() && !self.text.ends_with(' ') =>
            {
                self.end_lines(2);
            }
            Part::Start(Tag::List(first)) => {
                if !self.text.is_empty() {
                    self.end_lines(if self.lists.is_empty() { 2 } else { 1 });
                }
                self.lists.push(first);
            }
            Part::Start(Tag::Item) => self.start_item(),
            Part::Start(Tag::Link { dest_url, .. }) => self.link = Some((self.text.len(), dest_url.to_string())),
            Part::End(TagEnd::Link) => self.end_link(),
            Part::End(TagEnd::List(_)) => drop(self.lists.pop()),
            _ => {}
        }
    }

    /// Ends the text with `count` line feeds.
    fn end_lines(&mut self, count: usize) {
        let length = self.text.trim_end_matches('\n').len();
        self.text.truncate(length);
        self.text.extend(std::iter::repeat_n('\n', count));
    }

    fn start_item(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.end_lines(1);
        }
        match self.lists.last_mut() {
            Some(Some(number)) => {
                let _ = write!(self.text, "{number}. ");
                *number = number.saturating_add(1);
            }
            _ => self.text.push_str("• "),
        }
    }

    fn end_link(&mut self) {
        let Some((start, url)) = self.link.take() else { return };
        let label = &self.text[start..];
        let is_shown = url == label || url.strip_prefix("mailto:") == Some(label);
        if !is_shown && (is_web_url(&url) || is_mail(&url)) {
            let _ = write!(self.text, " ({url})");
        }
    }
}

/// Whether it is the URL of an email to one address, which may give a subject.
fn is_mail(url: &str) -> bool {
    let rest = url.strip_prefix("mailto:");
    rest.is_some_and(|rest| is_email(rest.split_once('?').map_or(rest, |(address, _)| address)))
}

/// The first URL in a text that does not continue a word or another URL, and the text before it. As in the
/// page's `LinkedText`, punctuation at its end belongs to the sentence.
fn next_url(text: &str) -> Option<(&str, &str)> {
    let lowercase = text.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let found = ["https://", "http://", "www."].iter().filter_map(|start| lowercase[from..].find(start)).min();
        let start = from + found?;
        let (before, rest) = text.split_at(start);
        let is_without_scheme = lowercase[start..].starts_with("www.");
        let end = rest.find(|c: char| c.is_whitespace() || "<>\"“”".contains(c)).unwrap_or(rest.len());
        let url = without_punctuation(&rest[..end]);
        let continues = |c: char| c.is_alphanumeric() || (is_without_scheme && ".@/_-".contains(c));
        let is_url = if is_without_scheme {
            // A name with two dots at least.
            url.get(4..).is_some_and(|name| name.contains('.')) && is_web_url(&format!("https://{url}"))
        } else {
            is_web_url(url)
        };
        if is_url && !before.ends_with(continues) {
            return Some((before, url));
        }
        // All of the three starts are longer than this, and ASCII.
        from = start + 4;
    }
}

/// Without the punctuation after the URL, and without a bracket that was opened before it.
fn without_punctuation(url: &str) -> &str {
    let mut url = url;
    while let Some(last) = url.chars().next_back() {
        let closes = last == ')' && url.matches('(').count() >= url.matches(')').count();
        if closes || last.is_alphanumeric() || "/=&#%+@$".contains(last) {
            break;
        }
        url = &url[..url.len() - last.len_utf8()];
    }
    url
}

#[cfg(test)]
mod tests {
    use super::{DescriptionFormat, html, text};

    fn link(url: &str, label: &str) -> String {
        format!(
            "<a href=\"{url}\" target=\"_blank\" rel=\"noopener nofollow ugc\">{label}\
             <span class=\"visually-hidden\"> (opens in a new tab)</span></a>"
        )
    }

    #[test]
    fn paragraphs_lists_bold_and_links_are_formatted() {
        let markdown = "Bring **two** things:\n\n- an offering\n- a pencil\n\n3. Three\n4. Four\n\nSee *our* [guide](https://example.com/a?b=1&c=2).";
        let expected = format!(
            "<p>Bring <strong>two</strong> things:</p><ul><li>an offering</li><li>a pencil</li></ul>\
             <ol start=\"3\"><li>Three</li><li>Four</li></ol><p>See <em>our</em> {}.</p>",
            link("https://example.com/a?b=1&amp;c=2", "guide")
        );
        assert_eq!(html(markdown), expected);
    }

    #[test]
    fn the_text_has_no_marks() {
        let markdown = "# Reading\n\nBring **two** things:\n- an offering\n  - of 2026\n- a pencil\n\n3. Three\n4. Four\n\nSee [our guide](https://example.com/guide) or <https://example.com>.";
        let expected = "Reading\n\nBring two things:\n\n• an offering\n• of 2026\n• a pencil\n\n3. Three\n4. Four\n\n\
                        See our guide (https://example.com/guide) or https://example.com.";
        assert_eq!(text(markdown), expected);
    }

    #[test]
    fn single_line_breaks_stay() {
        assert_eq!(html("Doors: 6 PM\nStart: 7 PM"), "<p>Doors: 6 PM<br>Start: 7 PM</p>");
        assert_eq!(text("Doors: 6 PM\nStart: 7 PM"), "Doors: 6 PM\nStart: 7 PM");
    }

    #[test]
    fn urls_are_links_as_in_plain_text() {
        for (markdown, url, label, rest) in [
            ("https://example.com/a_b_c.", "https://example.com/a_b_c", "https://example.com/a_b_c", "."),
            ("www.example.com/x), and", "https://www.example.com/x", "www.example.com/x", "), and"),
            ("HTTP://EXAMPLE.COM/a.", "HTTP://EXAMPLE.COM/a", "HTTP://EXAMPLE.COM/a", "."),
            ("Www.Example.com or", "https://Www.Example.com", "Www.Example.com", " or"),
            ("http://example.com/(a)!", "http://example.com/(a)", "http://example.com/(a)", "!"),
        ] {
            assert_eq!(html(markdown), format!("<p>{}{rest}</p>", link(url, label)));
        }
        for text in ["xhttps://example.com", "me@www.example.com", "www.example", "https://", "www. www."] {
            assert_eq!(html(text), format!("<p>{text}</p>"), "{text}");
        }
    }

    #[test]
    fn a_link_to_an_email_may_give_its_subject() {
        let url = "mailto:ada@example.com?subject=Rent%20rolls";
        assert_eq!(
            html(&format!("[Write]({url})")),
            format!("<p><a href=\"{url}\" rel=\"noopener nofollow ugc\">Write</a></p>")
        );
        assert_eq!(text(&format!("[Write]({url})")), format!("Write ({url})"));
        assert_eq!(html("[Write](mailto:?subject=Hi)"), "<p>Write</p>");
    }

    #[test]
    fn nothing_but_these_elements_and_urls_gets_through() {
        for markdown in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "[a](javascript:alert(1))",
            "[a](data:text/html;base64,AAAA)",
            "![a](https://example.com/a.png)",
            "<javascript:alert(1)>",
            "[a](https://example.com/\"onclick=\"alert(1))",
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "> quoted\n\n***\n\n    code\n\n```\nfenced\n```",
            "<div\nonclick=alert(1)>\n\n**x**",
        ] {
            let html = html(markdown);
            let mut rest = html.as_str();
            while let Some(start) = rest.find('<') {
                let tag = &rest[start..=start + rest[start..].find('>').expect("a tag ends")];
                let is_allowed = matches!(tag, "<p>" | "</p>" | "<br>" | "<strong>" | "</strong>" | "</a>" | "</span>")
                    || tag == "<span class=\"visually-hidden\">"
                    || tag.starts_with("<a href=\"https://example.com/");
                assert!(is_allowed, "{tag} in {html}");
                let quotes = if tag.starts_with("<a ") { 6 } else { tag.matches('"').count() };
                assert_eq!(tag.matches('"').count(), quotes, "no URL ends its attribute: {tag}");
                rest = &rest[start + tag.len()..];
            }
        }
        assert_eq!(html("a <b>c</b>"), "<p>a &lt;b&gt;c&lt;/b&gt;</p>");
        assert_eq!(html("[a](/admin)"), "<p>a</p>");
    }

    #[test]
    fn deep_nesting_is_fast_and_stays_shallow() {
        for pattern in ["- ", "> ", "*", "**a ", "[", "1. ", "<div>", "`", "_a "] {
            let markdown = pattern.repeat(20_000 / pattern.len());
            let (started, html) = (std::time::Instant::now(), html(&markdown));
            assert!(started.elapsed().as_secs() < 5, "{pattern} took {:?}", started.elapsed());
            assert!(html.matches("<ul>").count() <= 4 && html.matches("<ol").count() <= 4, "{pattern}");
            text(&markdown);
        }
    }

    #[test]
    fn plain_text_has_no_html_and_is_unchanged() {
        assert_eq!(DescriptionFormat::Plain.html("**a**"), None);
        assert_eq!(DescriptionFormat::Plain.text("**a**"), "**a**");
    }
}
