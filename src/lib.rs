//! Lectern: a public events calendar with an admin portal, in one binary with one SQLite file.
//!
//! ```text
//! cli  →  app  →  features  →  platform
//! ```
//!
//! A request enters the router in [`app`] and is handled by one of the [`features`]. Each feature consists of `mod` (router and
//! public API), `types` (wire types), `rules` (validation, no I/O), `store` (SQL) and `handlers` (HTTP), as far as it needs
//! them; further modules are listed in `src/tests/architecture.rs`. A module may use modules of its own layer or below, and
//! other features only through their `mod.rs`; the same test enforces this.

pub mod app;
pub mod assets;
pub mod cli;
pub mod features;
pub mod openapi;
pub mod platform;

#[cfg(test)]
mod tests;
