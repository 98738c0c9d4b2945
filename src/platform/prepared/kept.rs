//! Answers of many addresses, kept as long as they are asked for and there is room.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};

use super::Packed;

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
    packed: Arc<Packed>,
    /// Whether anybody asked since room was last made.
    wanted: AtomicBool,
}

impl Answer {
    fn bytes(&self) -> usize {
        self.packed.length() * 2
    }
}

impl Kept {
    #[cfg(test)]
    pub(super) fn with_room(room: Room) -> Self {
        Self { room, answers: RwLock::default() }
    }

    /// The answer at an address, true or not.
    pub(super) fn get(&self, address: &str) -> Option<Arc<Packed>> {
        let answers = self.answers.read().ok()?;
        let answer = answers.get(address)?;
        answer.wanted.store(true, Ordering::Relaxed);
        Some(Arc::clone(&answer.packed))
    }

    /// Keeps an answer. Where there is no room, those of older versions of the content go first,
    /// then those that nobody has asked for since room was made before, then all.
    pub(super) fn put(&self, address: &str, packed: Arc<Packed>) {
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

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.answers.read().unwrap().len()
    }
}
