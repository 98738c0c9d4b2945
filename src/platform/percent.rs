//! Percent-encoding.

use std::fmt::Write as _;

/// Percent-encodes like JavaScript's `encodeURIComponent`.
pub fn component(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string can't fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
