//! HTTP endpoint of the problems of the server.

use axum::extract::State;

use super::types::ServerProblems;
use crate::features::auth::Admin;
use crate::platform::error::ErrorBody;
use crate::platform::extract::NoStoreJson;
use crate::platform::health::Status;
use crate::platform::state::AppState;

/// The problems of the server that an admin must solve, without a restart.
#[utoipa::path(get, path = "/api/server-problems", tag = "server-problems", security(("session" = [])),
    responses((status = 200, body = ServerProblems), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_server_problems(_: Admin, State(app): State<AppState>) -> NoStoreJson<ServerProblems> {
    let degraded = app.health.reported().into_iter().filter(|problem| problem.status == Status::Degraded);
    NoStoreJson::ok(ServerProblems { problems: degraded.map(|problem| problem.text).collect() })
}
