//! A writer for XML.

/// An XML document that is being written.
pub(super) struct Xml(String);

impl Xml {
    pub(super) fn new(root: &str) -> Self {
        Self(format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<{root}>\n"))
    }

    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\t' | '\n' => self.0.push(c),
                // Unescaped, a parser normalizes it to a line feed.
                '\r' => self.0.push_str("&#13;"),
                // XML 1.0 does not allow control characters, even escaped (§2.2).
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                _ => self.0.push(c),
            }
        }
        self
    }

    /// `<start>text</end>`, where `end` is the name of `start`.
    pub(super) fn element(&mut self, start: &str, text: &str) -> &mut Self {
        let end = start.split(' ').next().unwrap_or(start);
        self.raw("<").raw(start).raw(">").text(text).raw("</").raw(end).raw(">\n")
    }

    /// An empty element with an `href`.
    pub(super) fn link(&mut self, start: &str, url: &str) -> &mut Self {
        self.raw(start).raw(" href=\"").text(url).raw("\"/>\n")
    }

    pub(super) fn finish(mut self, end: &str) -> Vec<u8> {
        self.raw(end);
        self.0.into_bytes()
    }
}
