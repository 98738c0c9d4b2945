//! Entries of the activity log as they are sent.

use serde::Serialize;
use utoipa::ToSchema;

/// One change of one entity.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ActivityEntry {
    /// Ascending id of the entry.
    pub id: i64,
    /// UTC, RFC 3339.
    pub at: String,
    /// The admin's e-mail address at that time, or the name of another actor, such as `Brandlive sync`.
    pub who: String,
    pub action: ActivityAction,
    /// The fields that differ, in the order of the form; for a creation or deletion, those that are not blank.
    pub changes: Vec<ActivityChange>,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActivityAction {
    /// The entity was created.
    Created,
    /// Some of its fields changed.
    Changed,
    /// It was deleted.
    Deleted,
    /// It was restored after a deletion.
    Restored,
}

impl ActivityAction {
    /// The stored and sent name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Restored => "restored",
        }
    }

    /// Parses the name; an unknown one counts as `Changed`.
    pub fn parse(text: &str) -> Self {
        [Self::Created, Self::Deleted, Self::Restored]
            .into_iter()
            .find(|action| action.as_str() == text)
            .unwrap_or(Self::Changed)
    }
}

/// One field before and after.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ActivityChange {
    /// Named as in the request that saves it, such as `title` or `location.venueName`; `speakers` is a comma-separated
    /// list of names.
    pub field: String,
    /// Null if it had no value.
    #[schema(required)]
    pub before: Option<String>,
    /// Null if it has no value.
    #[schema(required)]
    pub after: Option<String>,
}

/// An entry with its subject, for the log of all entities.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    #[serde(flatten)]
    pub entry: ActivityEntry,
    /// `event`, `speaker`, `user`, `page content`, `site settings` or `image`
    pub subject: String,
    /// Id of the subject, if it has one.
    pub subject_id: Option<i64>,
    /// Its display name at the time.
    pub name: String,
}
