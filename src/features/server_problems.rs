//! Problems of the server that the portal shows to admins, such as an old backup.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::features::auth::Admin;
use crate::platform::endpoints::{Endpoints, endpoints_at_path};
use crate::platform::error::ErrorBody;
use crate::platform::extract::NoStoreJson;
use crate::platform::health::Status;
use crate::platform::state::AppState;

/// The problems with which `/healthz` is `degraded`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ServerProblems {
    /// One message each, without a full stop.
    pub problems: Vec<String>,
}

pub fn endpoints() -> Endpoints {
    Endpoints::new().route(endpoints_at_path!(self::list_server_problems))
}

/// The problems of the server that an admin must solve, without a restart.
#[utoipa::path(get, path = "/api/server-problems", tag = "server-problems", security(("session" = [])),
    responses((status = 200, body = ServerProblems), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_server_problems(_: Admin, State(app): State<AppState>) -> NoStoreJson<ServerProblems> {
    let degraded = app.health.reported().into_iter().filter(|problem| problem.status == Status::Degraded);
    NoStoreJson::ok(ServerProblems { problems: degraded.map(|problem| problem.text).collect() })
}
