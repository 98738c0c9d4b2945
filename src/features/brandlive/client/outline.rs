//! Reads a JSON answer without holding it: the items of its list are handed on one by one, and what
//! is left is an outline in which to look for the next page.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A place where a list may be: its number, and the steps that are left to it.
pub(super) type Place<'p> = (usize, &'p [String]);

/// Reads an answer. `item` is given the number of the place where a list begins (with `None`), and
/// then each of its items. Returns the rest.
pub(super) fn read(
    json: &[u8],
    places: &[Place<'_>],
    item: &mut dyn FnMut(usize, Option<Value>),
) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let rest = Node { places: places.to_vec(), item }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(rest)
}

struct Node<'p, 'i> {
    places: Vec<Place<'p>>,
    item: &'i mut dyn FnMut(usize, Option<Value>),
}

impl<'p> Node<'p, '_> {
    fn below(&self, step: &str) -> Vec<Place<'p>> {
        let inside = |(number, steps): &Place<'p>| {
            let (first, rest) = steps.split_first()?;
            (first == step).then_some((*number, rest))
        };
        self.places.iter().filter_map(inside).collect()
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_, '_> {
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
            let places = self.below(&key);
            let value = if places.is_empty() {
                map.next_value()?
            } else {
                map.next_value_seed(Node { places, item: &mut *self.item })?
            };
            rest.insert(key, value);
        }
        Ok(Value::Object(rest))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        if let Some((number, _)) = self.places.iter().find(|(_, steps)| steps.is_empty()) {
            (self.item)(*number, None);
            while let Some(item) = seq.next_element::<Value>()? {
                (self.item)(*number, Some(item));
            }
            return Ok(Value::Null);
        }
        let mut rest = Vec::new();
        loop {
            let places = self.below(&rest.len().to_string());
            let next = seq.next_element_seed(Node { places, item: &mut *self.item })?;
            let Some(next) = next else { break };
            if rest.len() >= 10_000 {
                return Err(A::Error::custom("a list of this length stands where none is expected"));
            }
            rest.push(next);
        }
        Ok(Value::Array(rest))
    }
}
