//! One test binary with real components: a real SQLite file, the real router, the real program.
#![expect(clippy::unwrap_used, reason = "a failed step must stop the test")]

mod architecture;
mod cli;
mod config;
mod contract;
mod faults;
pub(crate) mod support;

mod activity;
mod auth;
mod brandlive;
mod events;
mod feeds;
mod fuzz;
mod health;
mod https;
mod idempotency;
mod images;
mod import_export;
mod interest;
mod limits;
mod metrics;
mod migrations;
mod page_content;
mod pages;
mod response_cache;
mod rules;
mod s3;
mod scale;
mod search;
mod series;
mod share_images;
mod shared_caches;
mod site_settings;
mod speakers;
mod statements;
mod venue_photos;
mod zones;
