//! Users as they are sent and received (spec §3). A password comes in and never goes out.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
