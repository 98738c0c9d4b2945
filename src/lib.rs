//! Lectern: a public events calendar with an admin portal, in one binary with one SQLite file.
//!
//! ```text
//! cli  →  app  →  features  →  platform
//! ```
//!
//! A request enters at [`app`], belongs to one of the [`features`], and every feature has the same
//! rooms: `mod` (router and front door), `types` (wire), `rules` (input to checked value, no I/O),
//! `store` (SQL), `handlers` (HTTP). Modules use each other downwards freely, sideways only through
//! a feature's `mod.rs`, upwards never; `src/tests/architecture.rs` keeps it so.

pub mod app;
pub mod assets;
pub mod cli;
pub mod features;
pub mod openapi;
pub mod platform;

#[cfg(test)]
mod tests;
