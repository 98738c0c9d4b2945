//! The infrastructure of all features. Nothing here depends on a feature.

pub mod blocking;
pub mod clock;
pub mod config;
pub mod db;
pub mod dns;
pub mod error;
pub mod extract;
pub mod health;
pub mod hex;
pub mod http_server;
pub mod https;
pub mod memory;
pub mod messages;
pub mod metrics;
pub mod password;
pub mod progress;
pub mod rate_limit;
pub mod request_log;
pub mod response_cache;
pub mod s3;
pub mod security;
pub mod slug;
pub mod state;
pub mod tls;
pub mod validate;
pub mod zone;
