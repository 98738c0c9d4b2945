//! HTTP endpoints of users and sessions.

pub(super) mod sessions;
pub(super) mod users;
