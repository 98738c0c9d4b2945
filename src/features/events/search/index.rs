//! What the search has in memory of the index: its words, and when its events take place.

use chrono::{DateTime, Utc};

use super::vocabulary::{Vocabulary, words_of};
use crate::features::events::store::IndexedEvent;

/// The words and events of the search index up to a change.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) words: Vocabulary,
    /// By their ids. Events that no longer exist remain, which the index of the database does not find.
    events: Vec<IndexedEvent>,
    /// The id of the last change that was read.
    pub(super) last_change: i64,
}

/// What was read of changed events.
#[derive(Debug, Default)]
pub(super) struct Changes {
    words: Vec<String>,
    events: Vec<IndexedEvent>,
}

impl Changes {
    pub(super) fn add(&mut self, event: IndexedEvent, text: &str) {
        self.events.push(event);
        words_of(text, &mut self.words);
    }
}

impl Index {
    /// Adds what was read of the changes up to one.
    pub(super) fn update(&mut self, changes: Changes, last_change: i64) {
        // Another search may have read more in the meantime.
        if last_change <= self.last_change {
            return;
        }
        self.last_change = last_change;
        self.words.add(changes.words);
        let mut events = changes.events;
        events.sort_unstable_by_key(|event| event.id);
        let is_changed = |event: &IndexedEvent| events.binary_search_by_key(&event.id, |other| other.id).is_ok();
        self.events.retain(|event| !is_changed(event));
        self.events.append(&mut events);
        // Two sorted parts, which a stable sort merges.
        self.events.sort_by_key(|event| event.id);
    }

    /// The events with these ids, which increase, that visitors see at a time.
    pub(super) fn public(&self, ids: &[i64], now: DateTime<Utc>) -> Vec<&IndexedEvent> {
        let mut rest = self.events.as_slice();
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            rest = from_id(rest, *id);
            found.extend(
                rest.first().filter(|event| event.id == *id && event.public_from.is_some_and(|from| from <= now)),
            );
        }
        found
    }
}

/// The events from an id on. Searches the first ones first, because the next id is near if most events are found.
fn from_id(events: &[IndexedEvent], id: i64) -> &[IndexedEvent] {
    let mut end = 1;
    while events.get(end - 1).is_some_and(|event| event.id < id) {
        end *= 2;
    }
    let near = &events[end / 2..end.min(events.len())];
    &events[end / 2 + near.partition_point(|event| event.id < id)..]
}
