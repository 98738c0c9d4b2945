//! Writing iCalendar (RFC 5545): escaping, and lines of 75 octets at the most.

use chrono::{DateTime, Utc};

/// The longest line in octets, without its end (RFC 5545 §3.1).
const LONGEST: usize = 75;

/// Content lines, written one after the other.
#[derive(Debug, Default)]
pub(super) struct Lines(String);

impl Lines {
    /// A line as it stands, but for its folding. `name` may carry parameters.
    pub(super) fn line(&mut self, name: &str, value: &str) -> &mut Self {
        let mut used = 0;
        for c in name.chars().chain([':']).chain(value.chars()) {
            // A character is never parted: some readers join bytes only after reading text.
            if used + c.len_utf8() > LONGEST {
                self.0.push_str("\r\n ");
                used = 1;
            }
            self.0.push(c);
            used += c.len_utf8();
        }
        self.0.push_str("\r\n");
        self
    }

    /// A line with text (RFC 5545 §3.3.11).
    pub(super) fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.line(name, &escaped(text))
    }

    /// A line with an instant.
    pub(super) fn instant(&mut self, name: &str, at: DateTime<Utc>) -> &mut Self {
        self.line(name, &at.format("%Y%m%dT%H%M%SZ").to_string())
    }

    /// A line with an address, in which no line may end.
    pub(super) fn address(&mut self, name: &str, address: &str) -> &mut Self {
        self.line(name, &address.replace(|c: char| c.is_control(), ""))
    }

    /// The whole.
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
            // Control characters are no text (RFC 5545 §3.1).
            _ if c.is_ascii_control() => {}
            _ => escaped.push(c),
        }
    }
    escaped
}
