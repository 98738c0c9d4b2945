//! SQL of users and sessions.

pub mod sessions;
pub mod users;
