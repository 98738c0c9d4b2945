//! Problems of the server that the portal shows to admins, such as an old backup.

use super::auth::Admin;
use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::error::ErrorBody;
use crate::platform::extract::NoStoreJson;
use crate::platform::health::Status;
use crate::platform::state::AppState;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The problems with which `/healthz` is `degraded`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Notices {
    /// One sentence each, without a full stop.
    pub problems: Vec<String>,
}

/// The endpoints.
pub fn endpoints() -> Endpoints {
    Endpoints::new().route(endpoints_at_path!(self::list_notices))
}

/// The problems of the server that an admin must solve, without a restart.
#[utoipa::path(get, path = "/api/notices", tag = "notices", security(("session" = [])),
    responses((status = 200, body = Notices), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_notices(_: Admin, State(app): State<AppState>) -> NoStoreJson<Notices> {
    let degraded = app.health.reported().into_iter().filter(|problem| problem.status == Status::Degraded);
    NoStoreJson::ok(Notices { problems: degraded.map(|problem| problem.text).collect() })
}
