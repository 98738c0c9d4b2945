//! Checks that several features share. Text is trimmed, blank counts as missing, and lengths are
//! counted in characters (contract, "Calls").

use super::error::AppError;
use super::messages::{URL_INVALID, URL_TOO_LONG, limits};

/// Collects one message a field, in the order in which the fields are checked.
#[derive(Debug, Default)]
pub struct FieldErrors(Vec<(String, &'static str)>);

impl FieldErrors {
    /// Notes what is wrong with a field; the first message for a field stays.
    pub fn add(&mut self, field: &str, message: &'static str) {
        if !self.0.iter().any(|(known, _)| known == field) {
            self.0.push((field.to_owned(), message));
        }
    }

    /// `Ok` where nothing was noted, else the 400 that carries every message.
    pub fn into_result(self) -> Result<(), AppError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(AppError::Validation(self.0.into_iter().map(|(field, text)| (field, text.to_owned())).collect()))
        }
    }

    /// Text that must not be blank and not be longer than `max` characters, trimmed.
    pub fn required(
        &mut self,
        field: &str,
        value: Option<String>,
        max: usize,
        missing: &'static str,
        too_long: &'static str,
    ) -> String {
        let text = self.optional(field, value, max, too_long);
        if text.is_none() {
            self.add(field, missing);
        }
        text.unwrap_or_default()
    }

    /// Text that may be blank, which counts as absent. What is no text is left out: nobody types
    /// it, it comes along unseen from other programs, no feed may hold it, and pages show a box.
    pub fn optional(
        &mut self,
        field: &str,
        value: Option<String>,
        max: usize,
        too_long: &'static str,
    ) -> Option<String> {
        self.sized(field, value.map(without_controls), max, too_long)
    }

    fn sized(&mut self, field: &str, value: Option<String>, max: usize, too_long: &'static str) -> Option<String> {
        let text = trimmed(value)?;
        if text.chars().count() > max {
            self.add(field, too_long);
        }
        Some(text)
    }

    /// An http or https address that may be blank.
    pub fn optional_url(&mut self, field: &str, value: Option<String>) -> Option<String> {
        let text = self.sized(field, value, limits::URL, URL_TOO_LONG)?;
        if !is_web_url(&text) {
            self.add(field, URL_INVALID);
        }
        Some(text)
    }

    /// A picture's address: an http or https address, or a path of this server's own keeping
    /// (`/pictures/…`), which stays right when the site moves to another name.
    pub fn optional_image(&mut self, field: &str, value: Option<String>) -> Option<String> {
        let text = self.sized(field, value, limits::URL, URL_TOO_LONG)?;
        if !is_own_picture(&text) && !is_web_url(&text) {
            self.add(field, URL_INVALID);
        }
        Some(text)
    }
}

/// Text as it was meant: presentations paste a vertical tab where a line ends.
fn without_controls(text: String) -> String {
    if !text.contains(is_no_text) {
        return text;
    }
    text.replace(['\u{b}', '\u{c}', '\u{85}'], "\n").replace(is_no_text, "")
}

/// Whether a character belongs into no text: XML takes none of these, HTML calls them an error.
fn is_no_text(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || (u32::from(c) & 0xfffe) == 0xfffe
}

/// The trimmed text, `None` where nothing is left of it.
pub fn trimmed(value: Option<String>) -> Option<String> {
    let text = value?;
    let inner = text.trim();
    match inner.len() {
        0 => None,
        length if length == text.len() => Some(text),
        _ => Some(inner.to_owned()),
    }
}

/// Only http and https addresses with a host are URLs (contract, "Calls").
pub fn is_web_url(text: &str) -> bool {
    // The parser drops tabs and line breaks and repairs blanks; a person who typed them should know.
    !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        && has_authority_slashes(text)
}

/// `https:example.com` parses, but nobody means it.
fn has_authority_slashes(text: &str) -> bool {
    text.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//"))
}

fn is_own_picture(text: &str) -> bool {
    text.strip_prefix("/pictures/").is_some_and(|rest| {
        !rest.is_empty()
            && !rest.contains("..")
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
    })
}

/// An address that mail can be sent to, by the rule of the HTML standard's e-mail field plus a dot in the domain.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let local_ok = !local.is_empty()
        && local.len() <= 64
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && local.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte));
    let labels: Vec<&str> = domain.split('.').collect();
    local_ok
        && domain.len() <= 253
        && labels.len() >= 2
        && labels.iter().all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
}
