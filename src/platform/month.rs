//! English names of months, as people and programs write them.

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The number of a month, from 1, by its name in lower case or the first three letters or more of it; `sept` as well.
pub fn month_of(word: &str) -> Option<u32> {
    let is_month =
        |name: &&str| word.len() >= 3 && (name.starts_with(word) || (word == "sept" && *name == "september"));
    let index = MONTHS.iter().position(is_month)?;
    u32::try_from(index + 1).ok()
}
