//! Users and sessions.

mod session_end;
mod sign_in;
mod users;
