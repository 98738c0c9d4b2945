//! Sign-in as it is sent and received (spec §7).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the sign-in form sends.
#[derive(Clone, Default, Deserialize, ToSchema)]
pub struct LogIn {
    /// Required, an e-mail address.
    pub email: Option<String>,
    /// Required.
    pub password: Option<String>,
}

impl std::fmt::Debug for LogIn {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("LogIn")
    }
}

/// What sign-out answers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LoggedOut {
    /// `Logged out`
    pub message: &'static str,
}
