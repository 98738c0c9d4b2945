//! What is told of a change.

use serde::Serialize;
use utoipa::ToSchema;

/// One change of one thing.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ActivityEntry {
    /// Number of the entry; later ones are higher.
    pub id: i64,
    /// UTC, RFC 3339.
    pub at: String,
    /// The admin's e-mail address then, or what acted instead, such as `Brandlive sync`.
    pub who: String,
    /// What was done.
    pub action: Action,
    /// The fields that differ, in the order of the form; for what was created or deleted, those that hold something.
    pub changes: Vec<ActivityChange>,
}

/// What can be done to a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ActivityAction)]
pub enum Action {
    /// It is new.
    Created,
    /// Some of its fields have other values.
    Changed,
    /// It is gone.
    Deleted,
    /// Its deletion was taken back.
    Restored,
}

impl Action {
    /// As it is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Restored => "restored",
        }
    }

    /// Reads what [`Self::as_str`] wrote; what it never wrote is a change of some kind.
    pub(super) fn of(text: &str) -> Self {
        [Self::Created, Self::Deleted, Self::Restored]
            .into_iter()
            .find(|action| action.as_str() == text)
            .unwrap_or(Self::Changed)
    }
}

/// One field before and after.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ActivityChange {
    /// Named as in the call that saves it, such as `title`, `location.venueName`, `calendarLinks.google`; who speaks is
    /// `speakers`, names parted by commas.
    pub field: String,
    /// Null where it held nothing.
    #[schema(required)]
    pub before: Option<String>,
    /// Null where it holds nothing now.
    #[schema(required)]
    pub after: Option<String>,
}

/// An entry with what it is about, for the log of everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    /// Who did what.
    #[serde(flatten)]
    pub entry: ActivityEntry,
    /// `event`, `speaker`, `user`, `page content` or `image`
    pub subject: String,
    /// The number of it, where it has one.
    pub subject_id: Option<i64>,
    /// What it was called then.
    pub name: String,
}
