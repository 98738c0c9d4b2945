//! Comparing texts as people do.

use std::cmp::Ordering;

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

/// The order of two texts: without case and diacritics, numbers by their value.
pub fn compare_naturally(one: &str, other: &str) -> Ordering {
    let (one, other) = (folded(one), folded(other));
    let (mut one, mut other) = (one.as_str(), other.as_str());
    while let (Some(a), Some(b)) = (one.chars().next(), other.chars().next()) {
        let [digits, other_digits] =
            [one, other].map(|text| &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]);
        let order = if digits.is_empty() || other_digits.is_empty() {
            (one, other) = (&one[a.len_utf8()..], &other[b.len_utf8()..]);
            a.cmp(&b)
        } else {
            (one, other) = (&one[digits.len()..], &other[other_digits.len()..]);
            let [value, other_value] = [digits, other_digits].map(|number| number.trim_start_matches('0'));
            value.len().cmp(&other_value.len()).then_with(|| value.cmp(other_value))
        };
        if order.is_ne() {
            return order;
        }
    }
    one.len().cmp(&other.len())
}

#[cfg(test)]
mod tests {
    use super::{compare_naturally, folded};

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
        let mut texts = ["Session 10", "session 2", "Zoë", "zoe 1", "Ärger", "Session", "Session 02 b"];
        texts.sort_by(|one, other| compare_naturally(one, other));
        assert_eq!(texts, ["Ärger", "Session", "session 2", "Session 02 b", "Session 10", "Zoë", "zoe 1"]);
    }
}
