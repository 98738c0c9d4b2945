//! Series: which names are one series, and their slugs.

use crate::platform::slug::slug;

/// Length of a slug without the number that distinguishes it from another, in characters.
const SLUG_LENGTH: usize = 60;
/// Length of a slug with that number.
const MAX_SLUG_LENGTH: usize = SLUG_LENGTH + 12;

/// What names have in common that are one series: `Tax  Tuesdays` is `tax tuesdays`.
pub(in crate::features::events) fn series_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The slugs that a new series can have, in order of preference: `tax-tuesdays`, `tax-tuesdays-2` and so on.
pub(in crate::features::events) fn series_slugs(name: &str) -> impl Iterator<Item = String> {
    let slug = slug(name, SLUG_LENGTH);
    let first = if slug.is_empty() { "series".to_owned() } else { slug };
    (1_u64..).map(move |number| if number == 1 { first.clone() } else { format!("{first}-{number}") })
}

/// Whether a text can be the slug of a series.
pub fn is_series_slug(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_SLUG_LENGTH
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
