//! The words of the search index, without case and diacritics, and which of them resemble the words of a query.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;

use crate::platform::text::folded;

/// The number of words that resemble a word of the query with which events are searched. More of them share a few letters only.
const MAX_SIMILAR: usize = 200;
/// The number of words that contain a word of the query. A few letters are in hundreds of words; this many take FTS5 a tenth of a
/// second with 10,000 events.
const MAX_CONTAINING: usize = 2_000;

/// Whether the index has this character in words.
fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || CanonicalCombiningClassMapBorrowed::new().get_u8(c) != 0
}

/// The words of a text.
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_in_word(c)).filter(|word| !word.is_empty())
}

/// Adds the words of a text, in lower case.
pub(super) fn words_of(text: &str, into: &mut Vec<String>) {
    into.extend(split(text).map(str::to_lowercase));
}

/// A word of an indexed text.
#[derive(Debug)]
struct Word {
    /// In lower case, with the diacritics of the text.
    text: Box<str>,
    /// Without diacritics, if it has any.
    folded: Option<Box<str>>,
    letter_mask: u64,
}

impl Word {
    fn folded(&self) -> &str {
        self.folded.as_deref().unwrap_or(&self.text)
    }
}

/// The letters of a text as a set of bits, of which other characters share some. It excludes most words in a few instructions.
fn letter_mask(folded: &str) -> u64 {
    folded.chars().fold(0, |mask, c| {
        let bit = match c {
            'a'..='z' => u32::from(c) - u32::from('a'),
            '0'..='9' => u32::from(c) - u32::from('0') + 26,
            _ => u32::from(c) % 28 + 36,
        };
        mask | 1 << bit
    })
}

/// The words of the index that were read.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// In alphabetical order.
    words: Vec<Word>,
    /// Hashes of the words.
    known: HashSet<u64>,
    hasher: RandomState,
}

impl Vocabulary {
    pub(super) fn add(&mut self, words: Vec<String>) {
        let before = self.words.len();
        for word in words {
            if self.known.insert(self.hasher.hash_one(&word)) {
                let folded = folded(&word);
                let letter_mask = letter_mask(&folded);
                let folded = (folded != word).then(|| folded.into_boxed_str());
                self.words.push(Word { text: word.into_boxed_str(), folded, letter_mask });
            }
        }
        // So that the first ones that contain or resemble a word are the same after a restart and on every server.
        if self.words.len() > before {
            self.words.sort_by(|one, other| one.text.cmp(&other.text));
        }
    }

    /// The words that contain a word after their beginning.
    pub(super) fn containing(&self, folded: &str) -> Vec<String> {
        let needed = letter_mask(folded);
        let contains =
            |word: &&Word| needed & !word.letter_mask == 0 && word.folded().find(folded).is_some_and(|at| at > 0);
        self.words.iter().filter(contains).take(MAX_CONTAINING).map(|word| word.text.to_string()).collect()
    }

    /// The words that begin like a word but for a typo, and do not contain it.
    pub(super) fn similar(&self, folded: &str) -> Vec<String> {
        let (needed, term): (u64, Vec<char>) = (letter_mask(folded), folded.chars().collect());
        let limit = if term.len() < 8 { 1 } else { 2 };
        let is_similar = |word: &&Word| {
            (needed & !word.letter_mask).count_ones() <= limit
                && !word.folded().contains(folded)
                && begins_like(&term, word.folded(), limit as usize)
        };
        self.words.iter().filter(is_similar).take(MAX_SIMILAR).map(|word| word.text.to_string()).collect()
    }
}

/// Whether `word` begins like `term` with at most `limit` typos: a missing, additional or different letter, or two swapped ones.
fn begins_like(term: &[char], word: &str, limit: usize) -> bool {
    let word: Vec<char> = word.chars().take(term.len() + limit).collect();
    if word.len() + limit < term.len() {
        return false;
    }
    // Optimal string alignment: each row has the distances of one more letter of the term to all beginnings of the word.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=word.len()).collect();
    for row in 1..=term.len() {
        let mut current = vec![row];
        for at in 1..=word.len() {
            let is_same = term[row - 1] == word[at - 1];
            let mut distance = (last[at] + 1).min(current[at - 1] + 1).min(last[at - 1] + usize::from(!is_same));
            if row > 1 && at > 1 && term[row - 1] == word[at - 2] && term[row - 2] == word[at - 1] {
                distance = distance.min(before[at - 2] + 1);
            }
            current.push(distance);
        }
        if current.iter().all(|distance| *distance > limit) {
            return false;
        }
        before = last;
        last = current;
    }
    last.iter().any(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::{Vocabulary, words_of};

    fn vocabulary(text: &str) -> Vocabulary {
        let (mut vocabulary, mut words) = (Vocabulary::default(), Vec::new());
        words_of(text, &mut words);
        vocabulary.add(words);
        vocabulary
    }

    #[test]
    fn a_word_forgives_a_typo_and_a_long_word_two() {
        let words = vocabulary("Walk with Pilar, the second pillar: Kubernetes for landlords in García 2026");
        for (query, expected) in [
            ("kubernets", vec!["kubernetes"]),
            ("kuberntes", vec!["kubernetes"]),
            ("kuebrnets", vec!["kubernetes"]),
            ("kubrn", vec!["kubernetes"]),
            ("lanldords", vec!["landlords"]),
            ("garcya", vec!["garcía"]),
            ("pilar", vec!["pillar"]),
            ("pillar", vec!["pilar"]),
            ("wlak", vec!["walk"]),
            ("xubornetis", vec![]),
            ("kubernetesandmore", vec![]),
            ("kubernetes", vec![]),
        ] {
            assert_eq!(words.similar(query), expected, "{query}");
        }
    }

    #[test]
    fn words_that_contain_a_word_are_found_once() {
        let words = vocabulary("Später Theater, Theater und THEATER");
        assert_eq!(words.containing("ater"), ["später", "theater"]);
        assert_eq!(words.containing("the"), Vec::<String>::new(), "the index finds words by their beginning");
    }
}
