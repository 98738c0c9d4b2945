//! The text of a file: its encoding and its format.

use super::types::FileFormat;
use crate::platform::error::AppError;
use crate::platform::messages::limits;

/// The largest file in bytes.
pub(super) const MAX_BYTES: usize = limits::IMPORT_BYTES;
/// The most events of one import.
pub(super) const MAX_ROWS: usize = 5_000;

const TOO_LARGE: &str = "The file is larger than 5 MB. Split it into several files.";
const EMPTY: &str = "The file is empty.";
const WORKBOOK: &str =
    "This is an Excel workbook. Save it in Excel as “CSV UTF-8 (Comma delimited)” and choose that file.";
const BINARY: &str = "This is neither a CSV file nor a calendar (.ics). Choose a file of one of these two formats.";

#[derive(Debug)]
pub(super) struct TextFile {
    pub(super) format: FileFormat,
    pub(super) encoding: &'static str,
    pub(super) text: String,
}

/// Decodes a file.
///
/// # Errors
/// 400 if it is neither CSV nor iCalendar, 413 if it is too large.
pub(super) fn decode(bytes: &[u8]) -> Result<TextFile, AppError> {
    if bytes.len() > MAX_BYTES {
        return Err(AppError::PayloadTooLarge(TOO_LARGE));
    }
    let rejected = |message: &str| Err(AppError::Malformed(message.to_owned()));
    // Workbooks are ZIP archives or compound files.
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return rejected(WORKBOOK);
    }
    let (encoding, text) = text_of(bytes);
    if text.trim().is_empty() {
        return rejected(EMPTY);
    }
    let is_calendar = text.trim_start().get(..15).is_some_and(|start| start.eq_ignore_ascii_case("BEGIN:VCALENDAR"));
    // Text has line breaks and tabs, and stray control characters of copied texts, but hardly any others.
    let controls = text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')).count();
    if !is_calendar && (text.starts_with("%PDF") || controls * 20 > text.chars().count()) {
        return rejected(BINARY);
    }
    Ok(TextFile { format: if is_calendar { FileFormat::Ics } else { FileFormat::Csv }, encoding, text })
}

/// The text and its encoding: that of the byte order mark, else UTF-8 if it is valid, else UTF-16 if every second byte is
/// mostly zero, else Windows-1252, in which Excel saves CSV.
fn text_of(bytes: &[u8]) -> (&'static str, String) {
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return ("UTF-8", String::from_utf8_lossy(rest).into_owned());
    }
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return ("UTF-16", utf16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return ("UTF-16", utf16(rest, u16::from_be_bytes));
    }
    let start = &bytes[..bytes.len().min(2000)];
    let zeros = |from: usize| start.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let half = start.len() / 2;
    if half > 0 && zeros(1) * 2 > half && zeros(0) * 10 < half {
        return ("UTF-16", utf16(bytes, u16::from_le_bytes));
    }
    if half > 0 && zeros(0) * 2 > half && zeros(1) * 10 < half {
        return ("UTF-16", utf16(bytes, u16::from_be_bytes));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => ("UTF-8", text.to_owned()),
        Err(_) => ("Windows-1252", bytes.iter().map(|byte| windows_1252(*byte)).collect()),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The character of a byte (WHATWG encoding standard).
fn windows_1252(byte: u8) -> char {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => FROM_80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// A text in quotation marks for a message: on one line, without control characters, at most 60 characters.
pub(super) fn quoted(text: &str) -> String {
    format!("“{}”", shortened(text, 60))
}

/// A text on one line, at most `max` characters.
pub(super) fn shortened(text: &str, max: usize) -> String {
    let start = text.char_indices().nth(max * 4).map_or(text, |(end, _)| &text[..end]);
    let line = start.split_whitespace().collect::<Vec<_>>().join(" ").replace(char::is_control, "");
    match line.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None if start.len() < text.len() => format!("{line}…"),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (&'static str, String) {
        let file = decode(bytes).expect("it is text");
        (file.encoding, file.text)
    }

    #[test]
    fn the_encodings_of_excel_are_recognized() {
        assert_eq!(decoded("Title\nCafé".as_bytes()), ("UTF-8", "Title\nCafé".to_owned()));
        assert_eq!(decoded("\u{feff}Title\nCafé".as_bytes()), ("UTF-8", "Title\nCafé".to_owned()));
        assert_eq!(decoded(b"Title\nCaf\xe9 \x80 \x96"), ("Windows-1252", "Title\nCafé € –".to_owned()));
        let little: Vec<u8> = "Title\tCafé".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "Title\tCafé".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [[b"\xff\xfe", little.as_slice()].concat(), [b"\xfe\xff", big.as_slice()].concat(), little, big] {
            assert_eq!(decoded(&bytes), ("UTF-16", "Title\tCafé".to_owned()));
        }
    }

    #[test]
    fn other_files_are_rejected_with_what_to_do() {
        for (bytes, message) in [
            (b"".as_slice(), EMPTY),
            (b" \r\n ", EMPTY),
            (b"PK\x03\x04 a workbook", WORKBOOK),
            (b"%PDF-1.7 a document", BINARY),
            (b"\x01\x02\x03\x04\x05abc", BINARY),
        ] {
            assert_eq!(decode(bytes).expect_err("it is no text").message(), message);
        }
        assert_eq!(decode(&vec![b'a'; MAX_BYTES + 1]).expect_err("it is too large").message(), TOO_LARGE);
    }

    #[test]
    fn quoted_texts_are_short() {
        assert_eq!(quoted("a\nb\u{7}"), "“a b”");
        assert_eq!(quoted(&"x".repeat(5_000_000)), format!("“{}…”", "x".repeat(60)));
    }
}
