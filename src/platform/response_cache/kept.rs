//! Answers of many addresses, kept as long as they are asked for and there is room.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};

use super::CachedResponse;

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Answers.
    pub(super) count: usize,
    /// Bytes of their bodies, each counted twice: packed copies stand beside it.
    pub(super) bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { count: 2_000, bytes: 24 * 1024 * 1024 }
    }
}

/// Answers by address.
#[derive(Default)]
pub(super) struct Kept {
    room: Room,
    answers: RwLock<HashMap<String, Answer>>,
}

struct Answer {
    packed: Arc<CachedResponse>,
    /// Whether anybody asked since room was last made.
    wanted: AtomicBool,
}

impl Answer {
    fn bytes(&self) -> usize {
        self.packed.length() * 2
    }
}

impl Kept {
    /// The answer at an address, true or not.
    pub(super) fn get(&self, address: &str) -> Option<Arc<CachedResponse>> {
        let answers = self.answers.read().ok()?;
        let answer = answers.get(address)?;
        answer.wanted.store(true, Ordering::Relaxed);
        Some(Arc::clone(&answer.packed))
    }

    /// Keeps an answer. Where there is no room, those of older versions of the content go first,
    /// then those that nobody has asked for since room was made before, then all.
    pub(super) fn put(&self, address: &str, packed: Arc<CachedResponse>) {
        let Ok(mut answers) = self.answers.write() else { return };
        let version = packed.version;
        let new = Answer { packed, wanted: AtomicBool::new(true) };
        if new.bytes() > self.room.bytes / 2 {
            return;
        }
        answers.remove(address);
        if !self.has_room(&answers, &new) {
            answers.retain(|_, answer| answer.packed.version >= version);
        }
        if !self.has_room(&answers, &new) {
            answers.retain(|_, answer| answer.wanted.swap(false, Ordering::Relaxed));
        }
        if !self.has_room(&answers, &new) {
            answers.clear();
        }
        answers.insert(address.to_owned(), new);
    }

    fn has_room(&self, answers: &HashMap<String, Answer>, new: &Answer) -> bool {
        let bytes: usize = answers.values().map(Answer::bytes).sum();
        answers.len() < self.room.count && bytes + new.bytes() <= self.room.bytes
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;
    use crate::platform::response_cache::Representation;

    fn packed(version: i64, length: usize) -> Arc<CachedResponse> {
        let draft = Representation::of("text/plain", vec![b'x'; length]);
        Arc::new(CachedResponse::new(draft, version, &HeaderMap::new()))
    }

    fn kept(count: usize, bytes: usize) -> Kept {
        Kept { room: Room { count, bytes }, answers: RwLock::default() }
    }

    fn size(kept: &Kept) -> usize {
        kept.answers.read().expect("nobody panicked").len()
    }

    #[test]
    fn there_are_never_more_answers_than_there_is_room_for() {
        let kept = kept(10, 10_000);
        for number in 0..1_000 {
            kept.put(&format!("/{number}"), packed(1, 10));
            assert!(size(&kept) <= 10);
            assert!(kept.get(&format!("/{number}")).is_some());
        }
        for number in 0..100 {
            kept.put(&format!("/{number}"), packed(1, 1_500));
            assert!(size(&kept) <= 3);
        }
        kept.put("/huge", packed(1, 6_000));
        assert!(kept.get("/huge").is_none());
    }

    #[test]
    fn what_is_older_and_what_nobody_wants_goes_first() {
        let kept = kept(4, 10_000);
        kept.put("/old", packed(1, 10));
        for path in ["/a", "/b", "/c", "/d"] {
            kept.put(path, packed(2, 10));
        }
        assert!(kept.get("/old").is_none());
        assert_eq!(size(&kept), 4);
        // Room is made once, which asks of each whether it is still wanted.
        kept.put("/e", packed(2, 10));
        kept.put("/f", packed(2, 10));
        kept.put("/g", packed(2, 10));
        kept.put("/h", packed(2, 10));
        kept.answers
            .read()
            .expect("nobody panicked")
            .values()
            .for_each(|answer| answer.wanted.store(false, Ordering::Relaxed));
        assert!(kept.get("/g").is_some());
        kept.put("/i", packed(2, 10));
        assert!(kept.get("/g").is_some());
        assert_eq!(size(&kept), 2);
    }
}
