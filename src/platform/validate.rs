//! Validation that several features share. Text is trimmed, blank text counts as missing, and lengths are in
//! characters (contract, "Calls").

use super::error::AppError;
use super::messages::{IMAGE_NOT_HTTPS, URL_INVALID, URL_TOO_LONG, limits};

/// Collects one message per field, in the order of the checks.
#[derive(Debug, Default)]
pub struct FieldErrors(Vec<(String, &'static str)>);

impl FieldErrors {
    /// Adds a message unless the field already has one.
    pub fn add(&mut self, field: &str, message: &'static str) {
        if !self.0.iter().any(|(name, _)| name == field) {
            self.0.push((field.to_owned(), message));
        }
    }

    /// Removes these messages from all fields but one.
    pub fn remove(&mut self, messages: &[&str], except: &str) {
        self.0.retain(|(field, message)| field == except || !messages.contains(message));
    }

    /// Adds the messages of an inner object, whose fields get the prefix.
    pub fn append(&mut self, prefix: &str, inner: Self) {
        for (field, message) in inner.0 {
            self.add(&format!("{prefix}{field}"), message);
        }
    }

    /// # Errors
    /// 400 with all messages, if there are any.
    pub fn into_result(self) -> Result<(), AppError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(AppError::Validation(self.0.into_iter().map(|(field, text)| (field, text.to_owned())).collect()))
        }
    }

    /// Required text of at most `max` characters, trimmed.
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

    /// Optional text of at most `max` characters, trimmed. Control characters and noncharacters, which text pasted from
    /// other programs may contain, are removed because they are not allowed in XML feeds.
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

    /// An optional http or https URL.
    pub fn optional_url(&mut self, field: &str, value: Option<String>) -> Option<String> {
        let text = self.sized(field, value, limits::URL, URL_TOO_LONG)?;
        if !is_web_url(&text) {
            self.add(field, URL_INVALID);
        }
        Some(text)
    }

    /// An optional image URL: https, because the content security policy blocks http, or the path of an uploaded image
    /// (`/pictures/…`), which does not depend on the site's host name.
    pub fn optional_image(&mut self, field: &str, value: Option<String>) -> Option<String> {
        let text = self.sized(field, value, limits::URL, URL_TOO_LONG)?;
        if !is_uploaded_image(&text) && !is_web_url(&text) {
            self.add(field, URL_INVALID);
        } else if is_http(&text) {
            self.add(field, IMAGE_NOT_HTTPS);
        }
        Some(text)
    }
}

/// Whether a URL has the scheme http, regardless of case.
pub fn is_http(url: &str) -> bool {
    url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"))
}

/// Removes control characters. Those that end a line, such as the vertical tab of presentation programs, become
/// line feeds.
fn without_controls(text: String) -> String {
    if !text.contains(is_control_or_noncharacter) {
        return text;
    }
    text.replace(['\u{b}', '\u{c}', '\u{85}'], "\n").replace(is_control_or_noncharacter, "")
}

/// Whether XML forbids a character and HTML reports it as a parse error.
fn is_control_or_noncharacter(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || (u32::from(c) & 0xfffe) == 0xfffe
}

/// Ids with commas between them, such as `3,7,12`; `None` for another text.
pub fn id_list(text: &str) -> Option<Vec<i64>> {
    text.split(',').map(|id| id.trim().parse().ok()).collect()
}

/// The trimmed text; `None` if it is blank.
pub fn trimmed(value: Option<String>) -> Option<String> {
    let text = value?;
    let inner = text.trim();
    match inner.len() {
        0 => None,
        length if length == text.len() => Some(text),
        _ => Some(inner.to_owned()),
    }
}

/// Whether a text is an http or https URL with a host (contract, "Calls").
pub fn is_web_url(text: &str) -> bool {
    // The parser would silently remove tabs and line breaks and encode spaces.
    !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        && has_authority_slashes(text)
}

/// The parser accepts `https:example.com`.
fn has_authority_slashes(text: &str) -> bool {
    text.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//"))
}

fn is_uploaded_image(text: &str) -> bool {
    text.strip_prefix("/pictures/").is_some_and(|rest| {
        !rest.is_empty()
            && !rest.contains("..")
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
    })
}

/// Whether a text is an e-mail address by the rule of the HTML standard, with at least one dot in the domain.
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
