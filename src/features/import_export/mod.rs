//! Import and export of events as files: CSV, iCalendar and JSON.
//!
//! A file is decoded (`file`), read to rows (`csv`, `ics`, `mapping`), and planned with the rules of the forms (`rules`).
//! The preview shows the plan; the import makes the same plan again in its transaction and applies it.

mod apply;
mod csv;
mod export;
mod fields;
mod file;
mod handlers;
mod ics;
mod mapping;
mod rules;
mod types;
mod values;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};

pub use handlers::import_queue;

pub fn endpoints() -> Endpoints {
    Endpoints::new()
        .route(endpoints_at_path!(handlers::preview_import))
        .route(endpoints_at_path!(handlers::import_events))
        .route(endpoints_at_path!(handlers::undo_import))
        .route(endpoints_at_path!(handlers::export_events))
}
