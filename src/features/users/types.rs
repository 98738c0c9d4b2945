//! Users as they are sent and received (spec §3). A password comes in and never goes out.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::activity::{Fields, Subject};

/// Somebody who may sign in.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct User {
    /// Number of the user.
    pub id: i64,
    /// E-mail address, as it was typed.
    pub email: String,
    /// Always `admin`.
    pub role: String,
    /// UTC, RFC 3339.
    pub created_at: String,
}

/// A user as the activity log sees one: of a password it knows that it is a new one, and nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Account<'a> {
    /// Who it is.
    pub user: &'a User,
    /// Whether the password was changed.
    pub new_password: bool,
}

impl<'a> Account<'a> {
    /// An account whose password stays.
    pub fn of(user: &'a User) -> Self {
        Self { user, new_password: false }
    }
}

impl Subject for Account<'_> {
    const KIND: &'static str = "user";

    fn number(&self) -> Option<i64> {
        Some(self.user.id)
    }

    fn name(&self) -> String {
        self.user.email.clone()
    }

    fn fields(&self) -> Fields {
        let fields = Fields::default().with("email", Some(&self.user.email)).with("role", Some(&self.user.role));
        if self.new_password { fields.with("password", Some("changed")) } else { fields }
    }
}

/// What is sent to create or change a user.
#[derive(Clone, Default, Deserialize, ToSchema)]
pub struct SaveUser {
    /// Required.
    pub email: Option<String>,
    /// Required for a new user; blank keeps the present one.
    pub password: Option<String>,
    /// `admin`, also where it is missing.
    pub role: Option<String>,
}

impl std::fmt::Debug for SaveUser {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SaveUser")
    }
}
