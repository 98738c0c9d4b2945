//! What is worth keeping of a change: who made it, of what, and the fields that differ.

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::types::{Action, ActivityChange};

/// Who makes a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The admin's number; `None` for what is no admin.
    pub(super) user_id: Option<i64>,
    /// The admin's address, or a name.
    pub(super) who: String,
}

impl Actor {
    /// A signed-in admin.
    pub fn admin(user_id: i64, email: &str) -> Self {
        Self { user_id: Some(user_id), who: email.to_owned() }
    }

    /// Something that acts by itself, such as `Brandlive sync`, or somebody without a session, such as `command line`.
    pub fn named(who: &str) -> Self {
        Self { user_id: None, who: who.to_owned() }
    }
}

/// Something whose changes are kept.
pub trait Subject {
    /// What it is, in the words of the field: `event`, `speaker`, `user`, `page content`, `image`.
    const KIND: &'static str;

    /// Its number, where it has one.
    fn number(&self) -> Option<i64>;

    /// What it is called.
    fn name(&self) -> String;

    /// What it holds, in the order of the form. Never a password.
    fn fields(&self) -> Fields;
}

/// What was done to something.
#[derive(Debug)]
pub enum Change<'a, S> {
    /// It is new.
    Created(&'a S),
    /// It was the first and is the second now.
    Changed(&'a S, &'a S),
    /// It is gone.
    Deleted(&'a S),
    /// Its deletion was taken back.
    Restored(&'a S),
}

impl<S: Subject> Change<'_, S> {
    pub(super) fn action(&self) -> Action {
        match self {
            Self::Created(_) => Action::Created,
            Self::Changed(..) => Action::Changed,
            Self::Deleted(_) => Action::Deleted,
            Self::Restored(_) => Action::Restored,
        }
    }

    /// The thing as it is now, or was last.
    pub(super) fn subject(&self) -> &S {
        match self {
            Self::Created(it) | Self::Changed(_, it) | Self::Deleted(it) | Self::Restored(it) => it,
        }
    }

    /// The fields that differ, before and after; `None` where a thing is new or gone.
    pub(super) fn differing(&self) -> (Option<Fields>, Option<Fields>) {
        match self {
            Self::Created(it) | Self::Restored(it) => (None, Some(it.fields().held())),
            Self::Deleted(it) => (Some(it.fields().held()), None),
            Self::Changed(before, after) => {
                let (before, after) = before.fields().differing(after.fields());
                (Some(before), Some(after))
            }
        }
    }
}

/// Fields and what they hold as text, in order; a JSON object where it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, Option<String>)>);

impl Fields {
    /// The same with one more field; blank counts as nothing.
    #[must_use]
    pub fn with(mut self, field: &str, value: Option<&str>) -> Self {
        self.0.push((field.to_owned(), value.filter(|text| !text.is_empty()).map(str::to_owned)));
        self
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn held(self) -> Self {
        Self(self.0.into_iter().filter(|(_, value)| value.is_some()).collect())
    }

    fn get(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == field).and_then(|(_, value)| value.as_deref())
    }

    /// What differs, with the same names on both sides. A field that one side does not have holds nothing there.
    fn differing(self, after: Self) -> (Self, Self) {
        let mut names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        for (name, _) in &after.0 {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let side = |of: &Self, names: &[&str]| {
            Self(names.iter().map(|name| ((*name).to_owned(), of.get(name).map(str::to_owned))).collect())
        };
        names.retain(|name| self.get(name) != after.get(name));
        (side(&self, &names), side(&after, &names))
    }
}

/// Puts what was stored of both sides together.
pub(super) fn changes(before: &Fields, after: &Fields) -> Vec<ActivityChange> {
    let longer = if before.0.len() > after.0.len() { before } else { after };
    let of = |side: &Fields, field: &str| side.get(field).map(str::to_owned);
    longer
        .0
        .iter()
        .map(|(field, _)| ActivityChange { field: field.clone(), before: of(before, field), after: of(after, field) })
        .collect()
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|(field, value)| (field, value)))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(InOrder)
    }
}
