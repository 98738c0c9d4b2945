//! Writer for iCalendar content lines (RFC 5545): escaping and folding.

use chrono::{DateTime, Utc};

/// The longest line in octets, without its line break (RFC 5545 §3.1).
const MAX_LINE_OCTETS: usize = 75;

/// A sequence of content lines.
#[derive(Debug, Default)]
pub(super) struct Lines(String);

impl Lines {
    /// Appends a line, folded but not escaped. `name` may include parameters.
    pub(super) fn line(&mut self, name: &str, value: &str) -> &mut Self {
        let mut used = 0;
        for c in name.chars().chain([':']).chain(value.chars()) {
            // Folding never splits a character: some readers decode text before unfolding.
            if used + c.len_utf8() > MAX_LINE_OCTETS {
                self.0.push_str("\r\n ");
                used = 1;
            }
            self.0.push(c);
            used += c.len_utf8();
        }
        self.0.push_str("\r\n");
        self
    }

    /// Appends a line with a text value (RFC 5545 §3.3.11).
    pub(super) fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.line(name, &escaped(text))
    }

    /// Appends a line with an instant.
    pub(super) fn instant(&mut self, name: &str, at: DateTime<Utc>) -> &mut Self {
        self.line(name, &at.format("%Y%m%dT%H%M%SZ").to_string())
    }

    /// Appends a line with a URI, without control characters.
    pub(super) fn uri(&mut self, name: &str, url: &str) -> &mut Self {
        self.line(name, &url.replace(|c: char| c.is_control(), ""))
    }

    /// All lines.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' | '\r' => escaped.push_str("\\n"),
            '\t' => escaped.push(c),
            // Control characters are not allowed in text (RFC 5545 §3.1).
            _ if c.is_ascii_control() => {}
            _ => escaped.push(c),
        }
    }
    escaped
}
