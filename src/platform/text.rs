//! Comparing texts as people do.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;

/// Text without case and diacritics.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let marks = CanonicalCombiningClassMapBorrowed::new();
    let decomposed = DecomposingNormalizerBorrowed::new_nfd().normalize(text);
    decomposed.chars().filter(|c| marks.get_u8(*c) == 0).flat_map(char::to_lowercase).collect()
}

/// A key that sorts texts without case and diacritics, and numbers by their value.
pub fn natural_sort_key(text: &str) -> Vec<u8> {
    let folded = folded(text);
    let (mut key, mut rest) = (Vec::with_capacity(folded.len() + 4), folded.as_str());
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        key.extend_from_slice(&rest.as_bytes()[..at]);
        let number = &rest[at..];
        let (digits, after) = number.split_at(number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len()));
        let value = digits.trim_start_matches('0');
        // A number is greater than one with fewer digits. Before other characters it is a digit.
        key.extend([b'0', u8::try_from(value.len()).unwrap_or(u8::MAX)]);
        key.extend_from_slice(value.as_bytes());
        rest = after;
    }
    key.extend_from_slice(rest.as_bytes());
    key
}

#[cfg(test)]
mod tests {
    use super::{folded, natural_sort_key};

    #[test]
    fn text_is_compared_without_case_and_diacritics() {
        for (text, expected) in [
            ("Später CAFÉ", "spater cafe"),
            ("José", "jose"),
            ("Cafe\u{301}", "cafe"),
            ("Tiếng Việt", "tieng viet"),
            ("Straße", "straße"),
            ("ЁЛКА", "елка"),
        ] {
            assert_eq!(folded(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_are_sorted_without_case_and_diacritics_and_by_the_value_of_numbers() {
        let sorted =
            ["-", "007", "7 a", "a", "Ärger", "Session", "session 2", "Session 02 b", "Session 10", "Zoë", "zoe 1"];
        let mut texts = sorted;
        texts.reverse();
        texts.sort_by_key(|text| natural_sort_key(text));
        assert_eq!(texts, sorted);
    }
}
