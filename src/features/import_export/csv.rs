//! CSV (RFC 4180) with the dialects of spreadsheets, read and written.
//!
//! Not the crate `csv`, because it reads a file whose quotation mark is never closed without an error.

use std::borrow::Cow;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CsvRecord {
    /// The line at which it begins, from 1.
    pub(super) line: usize,
    pub(super) cells: Vec<String>,
}

/// The delimiters that are recognized, in the order of preference.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// A quotation mark that is not closed: its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnclosedQuote(pub(super) usize);

/// Reads the records that are not blank. A cell in quotation marks may contain delimiters and line breaks; two quotation
/// marks in it stand for one. A quotation mark within another cell is text.
pub(super) fn read(text: &str, delimiter: char, limit: usize) -> Result<Vec<CsvRecord>, UnclosedQuote> {
    let mut records = Vec::new();
    let (mut line, mut first_line) = (1, 1);
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut quoted_since = None;
    let mut was_quoted = false;
    let mut chars = text.chars().peekable();
    loop {
        let next = chars.next();
        if next == Some('\n') || (next == Some('\r') && chars.peek() != Some(&'\n')) {
            line += 1;
        }
        match next {
            Some('"') if quoted_since.is_some() => {
                if chars.next_if_eq(&'"').is_some() {
                    cell.push('"');
                } else {
                    quoted_since = None;
                }
            }
            Some(c) if quoted_since.is_some() => cell.push(c),
            Some('"') if !was_quoted && cell.trim().is_empty() => {
                cell.clear();
                (quoted_since, was_quoted) = (Some(line), true);
            }
            Some(c) if c == delimiter => {
                cells.push(std::mem::take(&mut cell));
                was_quoted = false;
            }
            Some('\r') if chars.peek() == Some(&'\n') => {}
            Some('\n' | '\r') | None => {
                if let (Some(opened), None) = (quoted_since, next) {
                    return Err(UnclosedQuote(opened));
                }
                cells.push(std::mem::take(&mut cell));
                was_quoted = false;
                let record = CsvRecord { line: first_line, cells: std::mem::take(&mut cells) };
                first_line = line;
                if record.cells.iter().any(|cell| !cell.trim().is_empty()) {
                    records.push(record);
                }
                if next.is_none() || records.len() >= limit {
                    return Ok(records);
                }
            }
            // Spaces after a closing quotation mark.
            Some(' ') if was_quoted => {}
            Some(c) => cell.push(c),
        }
    }
}

/// The text after Excel's line `sep=;`, and the delimiter that it names.
pub(super) fn named_delimiter(text: &str) -> Option<char> {
    let line = text.lines().next()?.trim_end_matches('\r').trim_matches('"');
    let mut rest = line.strip_prefix("sep=").or_else(|| line.strip_prefix("SEP="))?.chars();
    rest.next().filter(|_| rest.next().is_none())
}

/// The delimiter with which most of the first records have as many cells, and more than one, as the first.
pub(super) fn guess_delimiter(text: &str) -> char {
    const SAMPLE: usize = 20;
    let score = |delimiter: char| {
        let records = read(text, delimiter, SAMPLE).unwrap_or_default();
        let columns = records.first().map_or(0, |record| record.cells.len());
        let alike = records.iter().filter(|record| record.cells.len() == columns).count();
        if columns < 2 { (0, 0) } else { (alike * 100 / records.len(), columns) }
    };
    let mut best = (DELIMITERS[0], (0, 0));
    for delimiter in DELIMITERS {
        let found = score(delimiter);
        if found > best.1 {
            best = (delimiter, found);
        }
    }
    best.0
}

/// Whether spreadsheets take a cell for a formula, also after the apostrophe of [`escape_formula`].
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// Escapes a cell against formula injection: spreadsheets would run text that begins like a formula.
pub(super) fn escape_formula(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

/// Reverts [`escape_formula`].
pub(super) fn unescape_formula(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

/// Appends a record; cells are quoted, and formulas are escaped.
pub(super) fn write<'c>(out: &mut String, cells: impl IntoIterator<Item = &'c str>) {
    for (index, cell) in cells.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push('"');
        out.push_str(&escape_formula(cell).replace('"', "\"\""));
        out.push('"');
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn cells(text: &str) -> Vec<(usize, Vec<String>)> {
        let records = read(text, ',', usize::MAX).expect("quotes are closed");
        records.into_iter().map(|record| (record.line, record.cells)).collect()
    }

    fn row(line: usize, cells: &[&str]) -> (usize, Vec<String>) {
        (line, cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    #[test]
    fn cells_may_contain_delimiters_quotes_and_line_breaks() {
        let text = "a,\"b, \"\"c\"\"\r\nd\" ,e\r\n\r\n,,\nf,it is 5\" long,\"\"";
        assert_eq!(cells(text), [row(1, &["a", "b, \"c\"\r\nd", "e"]), row(5, &["f", "it is 5\" long", ""])]);
        assert_eq!(cells("a\rb\r"), [row(1, &["a"]), row(2, &["b"])]);
    }

    #[test]
    fn a_quotation_mark_that_is_not_closed_is_reported_with_its_line() {
        assert_eq!(read("a,b\nc,\"d\ne,f\n", ',', usize::MAX), Err(UnclosedQuote(2)));
    }

    #[test]
    fn the_delimiter_is_recognized() {
        for (text, delimiter) in [
            ("Title,Date\nA; B; C,2031-01-02", ','),
            ("Title;Date\n\"A, B\";1,5", ';'),
            ("Title\tDate, place\nA\tB", '\t'),
            ("Title\nA", ','),
        ] {
            assert_eq!(guess_delimiter(text), delimiter, "{text}");
        }
        assert_eq!(named_delimiter("sep=;\r\na;b"), Some(';'));
        assert_eq!(named_delimiter("separate\na"), None);
    }

    /// The web page writes the same cells.
    #[test]
    fn formulas_are_escaped_and_read_back() {
        let cases = include_str!("../../tests/rule_cases/csv_cells.json");
        let cases: Vec<HashMap<String, String>> = serde_json::from_str(cases).expect("JSON");
        for case in cases {
            let mut line = String::new();
            write(&mut line, [case["text"].as_str()]);
            assert_eq!(line, format!("{}\r\n", case["cell"]));
            // A record without any text is none.
            let records = read(&line, ',', usize::MAX).expect("quotes are closed");
            let read_back = records.first().map_or("", |record| unescape_formula(&record.cells[0]));
            assert_eq!(read_back, case["text"]);
        }
    }
}
