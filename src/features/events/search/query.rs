//! What a visitor types, as days and words, and as an expression of FTS5.

use super::MAX_SEARCH_QUERY;
use super::vocabulary::{Vocabulary, split};
use crate::platform::month::month_of;
use crate::platform::text::folded;

/// The number of words of a query; the rest is ignored.
const MAX_TERMS: usize = 12;
/// Fewer letters than this are found at the beginning of words only, because almost every word contains them.
const MIN_INSIDE: usize = 3;

/// A word of a query.
#[derive(Debug, PartialEq)]
pub(super) struct Term {
    /// The words of the index of which it consists: `in-person` is two.
    parts: Vec<String>,
    /// Without case, diacritics and the characters around it.
    pub(super) folded: String,
}

impl Term {
    fn new(word: &str) -> Option<Self> {
        let parts: Vec<String> = split(word).map(str::to_owned).collect();
        let (first, last) = (parts.first()?, parts.last()?);
        // The parts are in the word in this order.
        let start = word.find(first.as_str())?;
        let end = word.rfind(last.as_str())? + last.len();
        let folded = folded(&word[start..end]);
        Some(Self { parts, folded })
    }

    /// The number of letters of a word in which typos are forgiven; 0 for a number and for several words.
    pub(super) fn fuzzy_length(&self) -> usize {
        let is_word = self.parts.len() == 1 && !self.folded.chars().all(|c| c.is_ascii_digit());
        if is_word { self.folded.chars().count() } else { 0 }
    }

    /// Expressions for the events that contain it.
    pub(super) fn contained(&self, vocabulary: &Vocabulary) -> Vec<String> {
        let mut expressions = vec![format!("\"{}\" *", self.parts.join(" "))];
        if self.parts.len() == 1 && self.folded.chars().count() >= MIN_INSIDE {
            expressions.extend(super::quoted(&vocabulary.containing(&self.folded)));
        }
        expressions
    }
}

/// The days and words of a query. An event must match all of them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Query {
    /// Consecutive numbers in the date of an event: `12 01`, `2026 12` or `2026 12 01`.
    dates: Vec<String>,
    pub(super) terms: Vec<Term>,
}

impl Query {
    /// Days are `dec 1`, `1 December`, `12/1`, `12/1/2026`, `2026-12` and `2026-12-1`. Months and years alone are words, which the
    /// indexed texts have too.
    pub(super) fn parse(text: &str) -> Self {
        let text: String = text.chars().take(MAX_SEARCH_QUERY).collect();
        let words: Vec<&str> = text.split_whitespace().take(MAX_TERMS).collect();
        let mut query = Self::default();
        let mut rest = words.as_slice();
        while let [word, after @ ..] = rest {
            rest = after;
            let (one, next) = (folded(word), after.first().map(|next| folded(next)).unwrap_or_default());
            let day = month_and_day(&one, &next).or_else(|| month_and_day(&next, &one));
            if let Some((month, day)) = day {
                query.dates.push(format!("{month:02} {day:02}"));
                rest = &rest[1..];
            } else if let Some(date) = numeric_date(&one) {
                query.dates.push(date);
            } else {
                query.terms.extend(Term::new(word));
            }
        }
        query
    }

    pub(super) fn is_empty(&self) -> bool {
        self.dates.is_empty() && self.terms.is_empty()
    }

    /// The expression for the events with all days and, of each word, one of these expressions.
    pub(super) fn expression(&self, alternatives: &[Vec<String>]) -> String {
        let dates = self.dates.iter().map(|date| format!("date : \"{date}\""));
        let words = alternatives.iter().map(|expressions| format!("({})", expressions.join(" OR ")));
        dates.chain(words).collect::<Vec<_>>().join(" AND ")
    }
}

/// Month and day of words such as `dec.` and `1st,`.
fn month_and_day(name: &str, number: &str) -> Option<(u32, u32)> {
    let month = month_of(name.strip_suffix(['.', ',']).unwrap_or(name))?;
    let number = number.strip_suffix(',').unwrap_or(number);
    let number = ["st", "nd", "rd", "th"].iter().find_map(|ending| number.strip_suffix(ending)).unwrap_or(number);
    let day = digits(number, 1..=2)?;
    (1..=31).contains(&day).then_some((month, day))
}

/// `12/1`, `12/1/2026`, `2026-12` or `2026-12-1` as the numbers in a date.
fn numeric_date(word: &str) -> Option<String> {
    let slashed: Vec<&str> = word.split('/').collect();
    let dashed: Vec<&str> = word.split('-').collect();
    Some(match (slashed.as_slice(), dashed.as_slice()) {
        ([month, day], _) => format!("{:02} {:02}", digits(month, 1..=2)?, digits(day, 1..=2)?),
        (_, [year, month]) => format!("{} {:02}", digits(year, 4..=4)?, digits(month, 1..=2)?),
        ([month, day, year], _) | (_, [year, month, day]) => {
            format!("{} {:02} {:02}", digits(year, 4..=4)?, digits(month, 1..=2)?, digits(day, 1..=2)?)
        }
        _ => return None,
    })
}

/// A number with so many digits.
fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let is_number = count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::{Query, Vocabulary};

    fn expression(text: &str) -> String {
        let query = Query::parse(text);
        let words: Vec<_> = query.terms.iter().map(|term| term.contained(&Vocabulary::default())).collect();
        query.expression(&words)
    }

    #[test]
    fn days_are_distinguished_from_words() {
        for (text, expected) in [
            ("december", "(\"december\" *)"),
            ("dec 1", "date : \"12 01\""),
            ("Dec. 1st", "date : \"12 01\""),
            ("december 1, 2026", "date : \"12 01\" AND (\"2026\" *)"),
            ("1 dec", "date : \"12 01\""),
            ("sept 30th", "date : \"09 30\""),
            ("12/1", "date : \"12 01\""),
            ("12/01/2026", "date : \"2026 12 01\""),
            ("2026-12", "date : \"2026 12\""),
            ("2026-12-1", "date : \"2026 12 01\""),
            ("dec 11 pillar", "date : \"12 11\" AND (\"pillar\" *)"),
            ("ma 1", "(\"ma\" *) AND (\"1\" *)"),
            ("dec 32", "(\"dec\" *) AND (\"32\" *)"),
            ("12/1/26", "(\"12 1 26\" *)"),
            ("1/2/3/4", "(\"1 2 3 4\" *)"),
        ] {
            assert_eq!(expression(text), expected, "{text}");
        }
    }

    #[test]
    fn characters_between_words_separate_them() {
        for (text, expected) in [
            ("in-person", "(\"in person\" *)"),
            ("\"rent\" OR NEAR(a b)", "(\"rent\" *) AND (\"OR\" *) AND (\"NEAR a\" *) AND (\"b\" *)"),
            ("rent & leases", "(\"rent\" *) AND (\"leases\" *)"),
            (" \u{a0} ", ""),
            ("*:^ --", ""),
        ] {
            assert_eq!(expression(text), expected, "{text}");
        }
        assert_eq!(Query::parse("(Später!)").terms[0].folded, "spater");
    }

    #[test]
    fn a_query_has_a_limited_number_of_words() {
        assert_eq!(Query::parse(&"a ".repeat(90)).terms.len(), 12);
    }
}
