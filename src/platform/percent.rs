//! Text inside of an address.

use std::fmt::Write as _;

/// Percent-encodes as JavaScript's `encodeURIComponent` does, so that both make the same address.
pub fn component(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing into memory does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
