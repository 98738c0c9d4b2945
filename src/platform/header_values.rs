//! Values of response headers that many responses share.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use http::HeaderValue;

/// A header value that is never freed, for text from the program, the configuration and settings that seldom change. Cloning
/// others counts their references, and processors that do so at the same time wait for each other.
///
/// `None` if the text is not valid in a header.
pub fn never_freed(text: &str) -> Option<HeaderValue> {
    // Those of one configuration are mostly those of the next one.
    static TEXTS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    HeaderValue::from_str(text).ok()?;
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    let known = texts.get(text).copied().unwrap_or_else(|| {
        let text: &'static str = Box::leak(text.into());
        texts.insert(text);
        text
    });
    Some(HeaderValue::from_static(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_is_stored_once_and_what_is_not_valid_in_a_header_never() {
        let value = || never_freed("default-src 'none'; x").expect("a header value");
        assert_eq!(value(), "default-src 'none'; x");
        assert_eq!(value().as_bytes().as_ptr(), value().as_bytes().as_ptr());
        assert!(never_freed("a\nb").is_none());
    }
}
