//! The features. Each feature consists of `mod` (router and public API), `types` (wire types), `rules` (validation, no I/O),
//! `store` (SQL) and `handlers` (HTTP), as far as it needs them; further modules are listed in `src/tests/architecture.rs`.

pub mod activity;
pub mod auth;
pub mod brandlive;
pub mod cache_purge;
pub mod events;
pub mod feeds;
pub mod idempotency;
pub mod images;
pub mod import_export;
pub mod interest;
pub mod page_content;
pub mod pages;
pub mod server_problems;
pub mod share_images;
pub mod site_settings;
pub mod speakers;
pub mod venue_photos;
