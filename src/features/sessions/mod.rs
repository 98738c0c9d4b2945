//! Sign-in, sign-out, and who is signed in.

mod guard;
mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use guard::{Admin, COOKIE, SECURE_COOKIE};
pub use store::{end_all_of, end_others_of};

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(handlers::get_current_user))
        .routes(routes!(handlers::log_in))
        .routes(routes!(handlers::log_out))
        .routes(routes!(handlers::begin_replit))
}
