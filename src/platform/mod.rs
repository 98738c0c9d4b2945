//! What every feature stands on: nothing here knows of an event, a page or a screen.

pub mod blocking;
pub mod clock;
pub mod config;
pub mod db;
pub mod error;
pub mod extract;
pub mod http_server;
pub mod memory;
pub mod messages;
pub mod password;
pub mod percent;
pub mod rate_limit;
pub mod response_cache;
pub mod security;
pub mod slug;
pub mod state;
pub mod validate;
pub mod zone;
