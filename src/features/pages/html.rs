//! Writing HTML: text is escaped where it goes in, so that nothing that was typed becomes markup.

use std::fmt::Write as _;

/// HTML that is written piece by piece.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Markup of our own, as it stands.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text, escaped for content and for quoted attributes alike.
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

    /// ` name="value"`
    pub(super) fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        let _ = write!(self.0, " {name}=\"");
        self.text(value).raw("\"")
    }

    /// The whole.
    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// JSON that can stand inside of a script element: no tag can begin in it.
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
