//! Names of people, event types and statuses as people and programs write them.

use crate::features::events::{DescriptionFormat, EventStatus};
use crate::platform::messages::{EVENT_TYPES, NAME_TITLES};
use crate::platform::slug::slug;

/// A name without case, accents and punctuation, to compare names.
pub(in crate::features::import_export) fn name_key(name: &str) -> String {
    let key = slug(name, usize::MAX);
    if key.is_empty() { name.trim().to_lowercase() } else { key }
}

/// The key of a person's name without titles before it and degrees after a comma: `ada-bell` for `Dr. Ada Bell, MD`.
pub(in crate::features::import_export) fn person_key(name: &str) -> String {
    let name = name.split(',').next().unwrap_or_default();
    let is_title = |word: &&str| NAME_TITLES.contains(&word.trim_end_matches('.').to_lowercase().as_str());
    let words: Vec<&str> = name.split_whitespace().skip_while(is_title).collect();
    name_key(&words.join(" "))
}

/// Finds an event type by its name, a part of it (`IRA`, `in person`) or with a typing error; `None` if it is not clear.
pub(in crate::features::import_export) fn event_type(text: &str) -> Option<&'static str> {
    const GENERIC: [&str; 8] = ["event", "events", "webinar", "webinars", "related", "the", "on", "of"];
    if text.len() > 200 {
        return None;
    }
    let key = slug(text, usize::MAX);
    if let Some(kind) = EVENT_TYPES.into_iter().find(|kind| slug(kind, usize::MAX) == key) {
        return Some(kind);
    }
    let only = |mut found: Vec<&'static str>| if found.len() == 1 { found.pop() } else { None };
    let joined = key.replace('-', "");
    let words: Vec<&str> = key.split('-').filter(|word| !GENERIC.contains(word)).collect();
    if words.is_empty() {
        return None;
    }
    let singular = |word: &str| word.trim_end_matches('s').to_owned();
    let by_words = EVENT_TYPES.into_iter().filter(|kind| {
        let kind = slug(kind, usize::MAX);
        let of_kind: Vec<String> = kind.split('-').map(singular).collect();
        words.iter().all(|word| of_kind.contains(&singular(word)))
            || (joined.len() >= 5 && kind.replace('-', "").starts_with(&joined))
    });
    only(by_words.collect()).or_else(|| {
        let close = |kind: &&'static str| distance(&slug(kind, usize::MAX), &key) <= 2 && key.len() >= 6;
        only(EVENT_TYPES.into_iter().filter(close).collect())
    })
}

/// The Levenshtein distance of two short texts.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in b.iter().enumerate() {
            let next = (diagonal + usize::from(c != *d)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// Finds a status by its name here or in other programs.
pub(in crate::features::import_export) fn status(text: &str) -> Option<EventStatus> {
    let key = slug(text, 40);
    EventStatus::parse(&key).or_else(|| {
        Some(match key.as_str() {
            "live" | "public" | "confirmed" | "active" | "publish" | "started" | "ended" | "completed" => {
                EventStatus::Published
            }
            "tentative" | "pending" | "unpublished" => EventStatus::Draft,
            "canceled" | "cancel" => EventStatus::Cancelled,
            "private" | "unlisted" => EventStatus::Hidden,
            "rescheduled" => EventStatus::Postponed,
            _ => return None,
        })
    })
}

/// Finds the format of a description by its name here or in other programs.
pub(in crate::features::import_export) fn description_format(text: &str) -> Option<DescriptionFormat> {
    match slug(text, 40).as_str() {
        "plain" | "text" | "plain-text" | "txt" => Some(DescriptionFormat::Plain),
        "markdown" | "md" => Some(DescriptionFormat::Markdown),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_by_a_part_of_their_name_and_with_typing_errors() {
        for (text, kind) in [
            ("In-Person Events", "In-Person Events"),
            ("in person", "In-Person Events"),
            ("InPerson", "In-Person Events"),
            ("IRA", "IRA-Related Webinars"),
            ("Investor Insight", "Investor Insights"),
            ("physician fire", "Physician on FIRE"),
            ("Physican on FIRE", "Physician on FIRE"),
            ("Pillars of wealth building", "Pillars of Wealthbuilding"),
            ("special event", "Special"),
        ] {
            assert_eq!(event_type(text), Some(kind), "{text}");
        }
        for text in ["", "Event", "Webinar", "Meetup", "on"] {
            assert_eq!(event_type(text), None, "{text}");
        }
    }

    #[test]
    fn people_are_compared_without_titles_and_degrees() {
        assert_eq!(person_key("Dr. Ada Bell, MD"), person_key("ada  bell"));
        assert_eq!(name_key("José Núñez"), name_key("Jose Nunez"));
        assert_ne!(name_key("李明"), name_key("王芳"));
    }
}
