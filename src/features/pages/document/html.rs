//! An HTML writer that escapes text.

use std::fmt::Write as _;

/// A buffer of HTML.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Appends trusted markup unchanged.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends text, escaped for content and quoted attributes.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                _ => self.0.push(c),
            }
        }
        self
    }

    /// Appends ` name="value"`.
    pub(super) fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        let _ = write!(self.0, " {name}=\"");
        self.text(value).raw("\"")
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// Escapes JSON for a script element, so that it contains no tag.
pub(super) fn json_for_script(json: &str) -> String {
    let mut safe = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        match c {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            '\u{2028}' => safe.push_str("\\u2028"),
            '\u{2029}' => safe.push_str("\\u2029"),
            _ => safe.push(c),
        }
    }
    safe
}
