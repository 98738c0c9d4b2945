//! Streams the items of a list out of a JSON body. The rest of the body, without the list, is returned for
//! the cursor of the next page.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The maximum length of an array that is searched for lists and is none itself, such as a body that is an array to
/// which no pointer leads. Its elements stay in memory, unlike the items of a list, which are passed on one at a time.
const MAX_OTHER_ARRAY: usize = 10_000;

/// A JSON pointer to a possible list: its index and its remaining segments.
pub(super) type ListPointer<'p> = (usize, &'p [String]);

/// Reads a body. `on_item` receives the index of the pointer for each list (with `None`) and each of its
/// items. Returns the rest.
pub(super) fn read(
    json: &[u8],
    pointers: &[ListPointer<'_>],
    on_item: &mut dyn FnMut(usize, Option<Value>),
) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let rest = ValueSeed { pointers: pointers.to_vec(), on_item }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(rest)
}

/// Reads a value: the items of the lists in it go to `on_item`, the rest is returned.
struct ValueSeed<'p, 'i> {
    /// The pointers that lead to or into the value.
    pointers: Vec<ListPointer<'p>>,
    on_item: &'i mut dyn FnMut(usize, Option<Value>),
}

impl<'p> ValueSeed<'p, '_> {
    fn children(&self, segment: &str) -> Vec<ListPointer<'p>> {
        let child = |(index, segments): &ListPointer<'p>| {
            let (first, rest) = segments.split_first()?;
            (first == segment).then_some((*index, rest))
        };
        self.pointers.iter().filter_map(child).collect()
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_, '_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut rest = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let pointers = self.children(&key);
            let value = if pointers.is_empty() {
                map.next_value()?
            } else {
                map.next_value_seed(ValueSeed { pointers, on_item: &mut *self.on_item })?
            };
            rest.insert(key, value);
        }
        Ok(Value::Object(rest))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        if let Some((index, _)) = self.pointers.iter().find(|(_, segments)| segments.is_empty()) {
            (self.on_item)(*index, None);
            while let Some(item) = seq.next_element::<Value>()? {
                (self.on_item)(*index, Some(item));
            }
            return Ok(Value::Null);
        }
        let mut rest = Vec::new();
        loop {
            let pointers = self.children(&rest.len().to_string());
            let next = seq.next_element_seed(ValueSeed { pointers, on_item: &mut *self.on_item })?;
            let Some(next) = next else { break };
            if rest.len() >= MAX_OTHER_ARRAY {
                return Err(A::Error::custom("an unexpected list is too long"));
            }
            rest.push(next);
        }
        Ok(Value::Array(rest))
    }
}

/// Replaces in place what the parser rejects although it concerns one value only: escapes of half a surrogate pair
/// by U+FFFD, and numbers beyond a double, `NaN` and `Infinity` by an empty list, which no field takes for a value.
pub(super) fn repair_json(json: &mut [u8]) {
    let mut at = 0;
    let mut is_string = false;
    while let Some(byte) = json.get(at) {
        at += match byte {
            b'"' => {
                is_string = !is_string;
                1
            }
            b'\\' if is_string => match (escaped_unit(&json[at..]), json.get(at + 6..).and_then(escaped_unit)) {
                (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
                (Some(0xD800..=0xDFFF), _) => {
                    json[at..at + 6].copy_from_slice(b"\\uFFFD");
                    6
                }
                _ => 2,
            },
            b'N' | b'I' | b'-' if !is_string && not_a_number(&json[at..]).is_some() => {
                let length = not_a_number(&json[at..]).unwrap_or_default();
                replace_by_empty_list(&mut json[at..at + length]);
                length
            }
            b'-' | b'0'..=b'9' if !is_string => {
                let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                let length = json[at..].iter().position(|byte| !is_part(byte)).unwrap_or(json.len() - at);
                let number = &mut json[at..at + length];
                // No shorter number is beyond a double.
                let parsed = if length < 5 { None } else { str::from_utf8(number).ok() };
                if parsed.and_then(|text| text.parse::<f64>().ok()).is_some_and(f64::is_infinite) {
                    replace_by_empty_list(number);
                }
                length
            }
            _ => 1,
        };
    }
}

/// The length of a word that some libraries write for what JSON has no number for.
fn not_a_number(json: &[u8]) -> Option<usize> {
    ["NaN", "Infinity", "-Infinity"].into_iter().find(|word| json.starts_with(word.as_bytes())).map(str::len)
}

fn replace_by_empty_list(json: &mut [u8]) {
    json.fill(b' ');
    json[..2].copy_from_slice(b"[]");
}

/// The UTF-16 code unit of an escape at the beginning of a text.
fn escaped_unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    // A sign is not a digit.
    let digits = str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}
