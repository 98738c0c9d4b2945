//! The credentials in every form in which a request contains them, to remove them from messages and reports.

use std::cmp::Reverse;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::Value;

use crate::platform::config::{Brandlive, Secret};

/// The text that replaces credentials.
const REDACTED: &str = "[hidden]";
/// The length in bytes from which a form is replaced within a text. Shorter ones are parts of ordinary words.
const MIN_REPLACED: usize = 4;
/// The length in characters of a prefix that is enough to recognize a form that was cut off.
const PREFIX: usize = 12;

/// The credentials of a sync.
#[derive(Clone, Default)]
pub(in super::super) struct Secrets {
    /// The longest first, because one can contain another.
    forms: Vec<String>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(REDACTED)
    }
}

impl Secrets {
    /// The configured secrets, and the token that is sent.
    pub(super) fn new(config: &Brandlive, token: Option<&str>) -> Self {
        let reveal = |secret: &Option<Secret>| secret.as_ref().map(Secret::reveal).unwrap_or_default().to_owned();
        let (key, secret) = (reveal(&config.api_key), reveal(&config.api_secret));
        let pair = format!("{key}:{secret}");
        let mut forms = Vec::new();
        for text in [key, secret, pair, token.unwrap_or_default().to_owned()] {
            if text.trim().is_empty() {
                continue;
            }
            forms.push(STANDARD_NO_PAD.encode(&text));
            forms.push(URL_SAFE_NO_PAD.encode(&text));
            forms.push(url::form_urlencoded::byte_serialize(text.as_bytes()).collect());
            forms.push(text);
        }
        forms.sort_by_key(|form| Reverse(form.len()));
        forms.dedup();
        Self { forms }
    }

    /// A text in which the secrets are replaced.
    pub(in super::super) fn redact(&self, text: &str) -> String {
        let forms = self.forms.iter().filter(|form| form.len() >= MIN_REPLACED);
        forms.fold(text.to_owned(), |text, form| text.replace(form, REDACTED))
    }

    /// A JSON value in which the secrets are replaced.
    pub(super) fn redact_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.redact(text).into(),
            Value::Number(number) => {
                let text = number.to_string();
                let redacted = self.redact(&text);
                if redacted == text { value.clone() } else { redacted.into() }
            }
            Value::Array(list) => list.iter().map(|inner| self.redact_value(inner)).collect(),
            Value::Object(map) => map.iter().map(|(name, inner)| (name.clone(), self.redact_value(inner))).collect(),
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    /// Whether a text may contain a secret, or the beginning of a secret.
    pub(super) fn may_be_in(&self, text: &str) -> bool {
        let prefix = |form: &str| form.chars().take(PREFIX).collect::<String>();
        self.forms.iter().any(|form| text.contains(&prefix(form)))
    }
}
