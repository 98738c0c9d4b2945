//! Users, sign-in and sessions (spec §6). Every user is an admin.

mod extractor;
mod handlers;
mod rules;
mod store;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};

pub use extractor::{Admin, COOKIE, SECURE_COOKIE};
pub use rules::{check_email, check_new_password};
pub use store::{sessions, users};
pub use types::{RecordedUser, User, UserConflict, UserEditConflict};

/// The cookies of admins: that of a session, over http and https, and the one that tells scripts of it.
pub const ADMIN_COOKIES: [&str; 3] = [handlers::sessions::SIGNED_IN, SECURE_COOKIE, COOKIE];

pub fn endpoints() -> Endpoints {
    use handlers::{sessions, users};

    Endpoints::new()
        .route(endpoints_at_path!(users::list_users, users::create_user))
        .route(endpoints_at_path!(users::get_user, users::update_user, users::delete_user))
        .route(endpoints_at_path!(sessions::get_current_user))
        .route(endpoints_at_path!(sessions::sign_in))
        .route(endpoints_at_path!(sessions::sign_out))
        .route(endpoints_at_path!(sessions::delete_other_sessions))
        .route(endpoints_at_path!(sessions::update_password))
        .route(endpoints_at_path!(sessions::start_replit_sign_in))
}
