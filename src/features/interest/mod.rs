//! Visitors who plan to attend an in-person event (spec §4, "Interest toggle").

mod handlers;
mod rules;
mod store;
mod types;

use axum::Router;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::features::pages;
use crate::platform::state::AppState;

pub use store::add;

/// The endpoints.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(handlers::get_interest, handlers::update_interest, handlers::create_interest))
        .routes(routes!(handlers::list_attendance))
        .routes(routes!(handlers::list_attendance_days))
}

/// The attendance page of an event, for visitors without scripts.
pub fn pages() -> Router<AppState> {
    let methods = get(handlers::get_attendance).post(handlers::submit_attendance);
    Router::new().route(&format!("{}{{event}}{}", pages::EVENTS, pages::ATTENDANCE), methods)
}
