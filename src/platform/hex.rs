//! Bytes as hexadecimal digits, in ids, names and ETags.

use std::fmt::Write as _;

/// Two lowercase digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(super::hex(&[0, 10, 255]), "000aff");
    }
}
