//! What the search has in memory of the index: its words, and when its events take place.

use std::ops::Range;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use super::vocabulary::{Vocabulary, words_of};
use crate::features::events::store::{IndexChange, IndexedEvent};

/// The words and events of the search index up to a change.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) words: Vocabulary,
    /// By their ids.
    events: Vec<IndexedEvent>,
    /// The id of the last change that was read.
    pub(super) last_change: i64,
}

/// What was read of changed events.
#[derive(Debug, Default)]
pub(super) struct Changes {
    words: Vec<String>,
    events: Vec<IndexedEvent>,
    /// The ids of events that no longer exist.
    purged: Vec<i64>,
}

impl Changes {
    pub(super) fn add(&mut self, change: IndexChange<'_>) {
        match change {
            IndexChange::Event(event, text) => {
                self.events.push(event);
                words_of(text, &mut self.words);
            }
            IndexChange::Purged(id) => self.purged.push(id),
        }
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
        // New events have the greatest ids, so that each is added at the end.
        events.sort_unstable_by_key(|event| event.id);
        for event in events {
            match self.position_of(event.id) {
                Ok(at) => self.events[at] = event,
                Err(at) => self.events.insert(at, event),
            }
        }
        for id in changes.purged {
            if let Ok(at) = self.position_of(id) {
                self.events.remove(at);
            }
        }
    }

    fn position_of(&self, id: i64) -> Result<usize, usize> {
        self.events.binary_search_by_key(&id, |event| event.id)
    }

    /// The events with these ids, in ascending order, that visitors see at a time.
    pub(super) fn public(&self, ids: &[i64], now: DateTime<Utc>) -> impl Iterator<Item = &IndexedEvent> {
        self.with_ids(ids).filter(move |event| event.public_from.is_some_and(|from| from <= now))
    }

    /// Those of these ids, in ascending order, whose events start on one of these days in UTC.
    pub(super) fn starting_within(&self, ids: &[i64], days: &Range<NaiveDate>) -> Vec<i64> {
        let [start, end] = [days.start, days.end].map(|day| day.and_time(NaiveTime::MIN).and_utc().timestamp());
        self.with_ids(ids).filter(|event| (start..end).contains(&event.starts)).map(|event| event.id).collect()
    }

    fn with_ids(&self, ids: &[i64]) -> impl Iterator<Item = &IndexedEvent> {
        let mut rest = self.events.as_slice();
        ids.iter().filter_map(move |id| {
            rest = from_id(rest, *id);
            let (event, after) = rest.split_first().filter(|(event, _)| event.id == *id)?;
            rest = after;
            Some(event)
        })
    }
}

/// The events from an id on. An exponential search, because the next id is near if most events are found.
fn from_id(events: &[IndexedEvent], id: i64) -> &[IndexedEvent] {
    if events.first().is_none_or(|event| event.id >= id) {
        return events;
    }
    let mut end = 2;
    while events.get(end - 1).is_some_and(|event| event.id < id) {
        end *= 2;
    }
    let near = &events[end / 2..end.min(events.len())];
    &events[end / 2 + near.partition_point(|event| event.id < id)..]
}
