//! Which calendar is asked for, and the words that every calendar gets.

use std::fmt::Write as _;

use crate::features::events::Event;
use crate::platform::error::AppError;
use crate::platform::messages::{EVENT_TYPES, IN_PERSON};
use crate::platform::slug::slug;

/// The longest time before an event that a reminder may come, in minutes: a week.
const LONGEST_ALARM: u16 = 10_080;
/// How much of a description stands in for a summary, in characters.
const ABOUT: usize = 500;

/// What was asked for, checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Events of this type alone.
    pub(super) kind: Option<&'static str>,
    /// A reminder so many minutes before each event.
    pub(super) alarm: Option<u16>,
}

impl Wanted {
    /// Reads `type=<slug>&alarm=<minutes>`; other keys and blank values count as missing.
    ///
    /// # Errors
    /// 404 for an unknown type, 400 for a reminder that is no number of minutes up to a week.
    pub(super) fn read(query: &str) -> Result<Self, AppError> {
        let mut wanted = Self::default();
        for (key, value) in url::form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty()) {
            match &*key {
                "type" => {
                    let known = EVENT_TYPES.into_iter().find(|kind| type_slug(kind) == value);
                    wanted.kind = Some(known.ok_or(AppError::NotFound("Event type"))?);
                }
                "alarm" => {
                    let minutes = value.parse().ok().filter(|minutes| *minutes <= LONGEST_ALARM);
                    wanted.alarm = Some(minutes.ok_or_else(|| {
                        AppError::Malformed(format!("alarm must be a number of minutes from 0 to {LONGEST_ALARM}"))
                    })?);
                }
                _ => {}
            }
        }
        Ok(wanted)
    }

    /// The query in its one right order, with its question mark; blank for the whole calendar.
    pub(super) fn query(&self) -> String {
        let mut query = String::new();
        if let Some(kind) = self.kind {
            let _ = write!(query, "?type={}", type_slug(kind));
        }
        if let Some(alarm) = self.alarm {
            let _ = write!(query, "{}alarm={alarm}", if query.is_empty() { '?' } else { '&' });
        }
        query
    }
}

/// How addresses name an event type: `ira-related-webinars`.
pub(super) fn type_slug(kind: &str) -> String {
    slug(kind, 60)
}

/// The types as addresses name them, in a sentence.
pub(super) fn known_types() -> String {
    EVENT_TYPES.map(type_slug).join(", ")
}

/// One or two sentences: the summary, or how the description begins.
pub(super) fn about(event: &Event) -> String {
    if let Some(summary) = &event.summary {
        return summary.clone();
    }
    match event.description.char_indices().nth(ABOUT) {
        Some((end, _)) => format!("{}…", event.description[..end].trim_end()),
        None => event.description.clone(),
    }
}

/// The line that says where to register; in person nobody does.
pub(super) fn register_line(event: &Event) -> Option<String> {
    (event.r#type != IN_PERSON).then(|| format!("Register: {}", event.registration_url))
}
