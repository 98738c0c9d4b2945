//! HTTP endpoint of notices.

use axum::extract::State;

use super::types::Notices;
use crate::features::auth::Admin;
use crate::platform::error::ErrorBody;
use crate::platform::extract::NoStoreJson;
use crate::platform::health::Status;
use crate::platform::state::AppState;

/// The problems of the server that an admin must solve, without a restart.
#[utoipa::path(get, path = "/api/notices", tag = "notices", security(("session" = [])),
    responses((status = 200, body = Notices), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_notices(_: Admin, State(app): State<AppState>) -> NoStoreJson<Notices> {
    let degraded = app.health.reported().into_iter().filter(|problem| problem.status == Status::Degraded);
    NoStoreJson::ok(Notices { problems: degraded.map(|problem| problem.text).collect() })
}
