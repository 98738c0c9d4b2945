//! The sync with the event provider, shared by the endpoint and the command line.

mod client;
mod handlers;
mod mapping;
mod store;
mod sync;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};

pub use client::{Probe, ProviderError, ResponseField, probe};
pub use handlers::{PATH, REQUEST_TIMEOUT};
pub use mapping::SyncFailure;
pub use store::last_sync;
pub use sync::{
    ChangedEvent, FieldChange, OnProgress, SyncAction, SyncError, SyncProgress, SyncReport, dry_run, needs_admin, run,
};
pub use types::{LastSync, PendingRemoval};

/// The error message when no API key is configured.
pub const NOT_CONFIGURED: &str = "Brandlive is not configured";

/// The endpoints of the portal: a sync, and the synced fields of an event.
pub fn endpoints() -> Endpoints {
    Endpoints::new()
        .route(endpoints_at_path!(handlers::sync_brandlive))
        .route(endpoints_at_path!(handlers::get_event_sync))
}
