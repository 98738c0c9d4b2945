//! Visitors who plan to attend an in-person event (spec §4, "Interest toggle").

mod handlers;
mod rules;
mod store;
mod types;

use crate::features::pages::{self, Pages};
use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::state::AppState;
use axum::routing::get;
use axum::{Extension, Router};

pub use store::{add, count, counts_of};

pub fn endpoints() -> Endpoints {
    Endpoints::new()
        .route(endpoints_at_path!(handlers::get_interest, handlers::update_interest, handlers::create_interest))
        .route(endpoints_at_path!(handlers::list_attendance))
        .route(endpoints_at_path!(handlers::list_attendance_days))
}

/// The attendance page of an event, for visitors without scripts.
pub fn pages(pages: &Pages) -> Router<AppState> {
    let methods = get(handlers::get_attendance).post(handlers::submit_attendance);
    let path = format!("{}{{event}}{}", pages::EVENT_PATH_PREFIX, pages::ATTENDANCE_PATH_SUFFIX);
    Router::new().route(&path, methods).layer(Extension(pages.clone()))
}
