//! Wire types of the search.

use serde::Serialize;
use utoipa::ToSchema;

use super::Event;

/// The events that a query finds, or a part of them.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundEvents {
    /// How many events the query finds.
    pub count: usize,
    /// The words to mark in the results, in lower case without diacritics: those of the query, and similar ones.
    pub marked: Vec<String>,
    /// The events of this part: those that contain the words of the query before those with similar words; each by their start,
    /// and then those that have ended, the latest first.
    pub events: Vec<FoundEvent>,
}

/// An event that a query finds.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundEvent {
    /// The event without its summary and description, the biographies of its speakers, and its position in a series.
    pub event: Event,
    /// Whether it has ended.
    pub is_past: bool,
}
