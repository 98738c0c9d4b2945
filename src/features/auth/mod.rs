//! Users, sign-in and sessions (spec §6). Every user is an admin.

mod extractor;
mod handlers;
mod rules;
mod store;
mod types;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::state::AppState;

pub use extractor::{Admin, COOKIE, SECURE_COOKIE};
pub use rules::{check_email, check_new_password};
pub use store::{sessions, users};
pub use types::{RecordedUser, User};

/// The endpoints.
pub fn router() -> OpenApiRouter<AppState> {
    use handlers::{sessions, users};

    OpenApiRouter::new()
        .routes(routes!(users::list_users, users::create_user))
        .routes(routes!(users::get_user, users::update_user, users::delete_user))
        .routes(routes!(sessions::get_current_user))
        .routes(routes!(sessions::log_in))
        .routes(routes!(sessions::log_out))
        .routes(routes!(sessions::delete_other_sessions))
        .routes(routes!(sessions::update_password))
        .routes(routes!(sessions::start_replit_sign_in))
}
