//! Purges of shared caches (a CDN, Varnish, nginx): what has changed, and the requests that tell them. `app` sends them.

mod client;
mod rules;
mod store;
mod types;

pub use client::{PurgeError, Target};
pub use rules::{Backoff, problem};
pub use store::{changes_after, enable, forget_until, is_enabled};
pub use types::{Changes, Purge};
