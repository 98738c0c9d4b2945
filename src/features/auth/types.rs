//! Wire types of users (spec §3) and of sign-in (spec §7). No response contains a password.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::activity::{Fields, Subject};
use crate::platform::error::ErrorBody;

/// A user of the portal. Every user is an admin.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct User {
    pub id: i64,
    /// E-mail address, as it was entered.
    pub email: String,
    /// Always `admin`.
    pub role: String,
    /// UTC, RFC 3339.
    pub created_at: String,
    /// Increases when another address or role is saved; sent back with a change, it detects a concurrent change.
    pub revision: i64,
}

/// A user as the activity log records it: of the password only that it was changed, and the number of ended sessions.
#[derive(Clone, Copy, Debug)]
pub struct RecordedUser<'a> {
    pub user: &'a User,
    /// Whether the password was changed.
    pub new_password: bool,
    /// How many of the user's other sessions were ended.
    pub ended_sessions: usize,
}

impl<'a> RecordedUser<'a> {
    /// A user whose password and sessions are unchanged.
    pub fn new(user: &'a User) -> Self {
        Self { user, new_password: false, ended_sessions: 0 }
    }
}

impl Subject for RecordedUser<'_> {
    const KIND: &'static str = "user";

    fn id(&self) -> Option<i64> {
        Some(self.user.id)
    }

    fn name(&self) -> String {
        self.user.email.clone()
    }

    fn fields(&self) -> Fields {
        let mut fields = Fields::default().with("email", Some(&self.user.email)).with("role", Some(&self.user.role));
        if self.new_password {
            fields = fields.with("password", Some("changed"));
        }
        if self.ended_sessions > 0 {
            fields = fields.with("sessions", Some(&format!("{} ended", self.ended_sessions)));
        }
        fields
    }
}

/// The request body that creates or changes a user.
#[derive(Clone, Default, Deserialize, ToSchema)]
pub struct SaveUser {
    /// Required.
    pub email: Option<String>,
    /// Required for a new user; a blank one leaves the current one unchanged.
    pub password: Option<String>,
    /// `admin`, which is also the default.
    pub role: Option<String>,
    /// The revision on which a change is based. If it differs from the stored revision, the response is 409 and nothing
    /// is saved.
    pub revision: Option<i64>,
}

/// Response to a change that conflicts with another admin's change.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct UserEditConflict {
    /// Message for the admin.
    pub error: String,
    /// The user as it is stored now.
    pub current: User,
}

/// Conflicts of a change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum UserConflict {
    /// Another admin changed the user.
    Revision(UserEditConflict),
    /// Another user has the same e-mail address.
    Email(ErrorBody),
}

impl std::fmt::Debug for SaveUser {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SaveUser")
    }
}

/// The request body of sign-in.
#[derive(Clone, Default, Deserialize, ToSchema)]
pub struct SignIn {
    /// Required, an e-mail address.
    pub email: Option<String>,
    /// Required.
    pub password: Option<String>,
}

impl std::fmt::Debug for SignIn {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SignIn")
    }
}

/// The request body that changes your own password.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePassword {
    /// Required.
    pub current_password: Option<String>,
    /// Required.
    pub new_password: Option<String>,
}

impl std::fmt::Debug for ChangePassword {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("ChangePassword")
    }
}

/// The number of the user's other sessions that were ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndedSessions {
    /// Without those that had expired.
    pub ended_sessions: usize,
}

/// The response of sign-out.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SignedOut {
    /// `Logged out`
    pub message: &'static str,
}
