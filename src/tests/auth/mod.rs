//! Users and sessions.

mod own_account;
mod session_end;
mod sign_in;
mod users;
