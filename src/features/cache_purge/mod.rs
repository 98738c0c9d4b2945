//! Purges of shared caches (a CDN, Varnish, nginx): the recorded changes, and the requests that purge. `app` sends them.

mod client;
mod rules;
mod store;
mod types;

pub use client::{PurgeError, Target};
pub use rules::{problem, retry_delay};
pub use store::{
    changes_after, delete_failure, delete_purged, enable, failures, is_enabled, pending_changes, record_failure,
};
pub use types::{ChangedKeys, PendingChanges, PurgeFailure, PurgeRequest, Purged};
