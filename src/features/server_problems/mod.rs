//! Problems of the server that the portal shows to admins, such as an old backup.

mod handlers;
mod types;

use crate::platform::endpoints::{Endpoints, endpoints_at_path};

pub fn endpoints() -> Endpoints {
    Endpoints::new().route(endpoints_at_path!(handlers::list_server_problems))
}
