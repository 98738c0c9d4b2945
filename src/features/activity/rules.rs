//! An entry of the log: the actor, the subject and the fields that differ.

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::types::{ActivityAction, ActivityChange};

/// The author of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The admin's id; `None` for other actors.
    pub(super) user_id: Option<i64>,
    /// The admin's e-mail address, or the actor's name.
    pub(super) who: String,
}

impl Actor {
    /// An actor without a session, such as `Brandlive sync` or `command line`.
    pub fn named(who: &str) -> Self {
        Self { user_id: None, who: who.to_owned() }
    }

    /// An admin with this user id and e-mail address.
    pub fn admin(user_id: i64, email: &str) -> Self {
        Self { user_id: Some(user_id), who: email.to_owned() }
    }
}

/// An entity whose changes are recorded.
pub trait Subject {
    /// The stored name of its kind: `event`, `speaker`, `user`, `page content`, `site settings`, `image`.
    const KIND: &'static str;

    /// Its id, if it has one.
    fn id(&self) -> Option<i64>;

    /// Its display name.
    fn name(&self) -> String;

    /// Its fields in the order of the form, without passwords.
    fn fields(&self) -> Fields;
}

/// A change of an entity.
#[derive(Debug)]
pub enum Change<'a, S> {
    /// It is new.
    Created(&'a S),
    /// Before and after.
    Changed(&'a S, &'a S),
    /// It was deleted.
    Deleted(&'a S),
    /// It was restored.
    Restored(&'a S),
}

impl<S: Subject> Change<'_, S> {
    pub(super) fn action(&self) -> ActivityAction {
        match self {
            Self::Created(_) => ActivityAction::Created,
            Self::Changed(..) => ActivityAction::Changed,
            Self::Deleted(_) => ActivityAction::Deleted,
            Self::Restored(_) => ActivityAction::Restored,
        }
    }

    /// The entity after the change, or before its deletion.
    pub(super) fn subject(&self) -> &S {
        match self {
            Self::Created(it) | Self::Changed(_, it) | Self::Deleted(it) | Self::Restored(it) => it,
        }
    }

    /// The fields that differ, before and after; `None` on the side on which the entity does not exist.
    pub(super) fn differing_fields(&self) -> (Option<Fields>, Option<Fields>) {
        match self {
            Self::Created(it) | Self::Restored(it) => (None, Some(it.fields().filled())),
            Self::Deleted(it) => (Some(it.fields().filled()), None),
            Self::Changed(before, after) => {
                let (before, after) = before.fields().differing(after.fields());
                (Some(before), Some(after))
            }
        }
    }
}

/// Ordered field names with their values as text; stored as a JSON object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, Option<String>)>);

impl Fields {
    /// Adds a field; a blank value counts as missing.
    #[must_use]
    pub fn with(mut self, field: &str, value: Option<&str>) -> Self {
        self.0.push((field.to_owned(), value.filter(|text| !text.is_empty()).map(str::to_owned)));
        self
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn filled(self) -> Self {
        Self(self.0.into_iter().filter(|(_, value)| value.is_some()).collect())
    }

    fn get(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == field).and_then(|(_, value)| value.as_deref())
    }

    /// The fields that differ, with the same names on both sides.
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

/// The fields that differ between two versions of an entity, in the order of the form.
pub fn differences<S: Subject>(before: &S, after: &S) -> Vec<ActivityChange> {
    let (before, after) = before.fields().differing(after.fields());
    changes(&before, &after)
}

/// Combines the stored fields of both sides.
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
