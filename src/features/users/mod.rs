//! The people who may sign in. All are admins (spec §6).

mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use rules::{check_email, check_new_password};
pub use store::{find, find_by_email, insert, set_password};
pub use types::{Account, User};

/// The calls.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handlers::list_users, handlers::create_user)).routes(routes!(
        handlers::get_user,
        handlers::update_user,
        handlers::delete_user
    ))
}
