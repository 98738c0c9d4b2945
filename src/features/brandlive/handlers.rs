//! The call that starts a sync.

use super::NOT_CONFIGURED;
use super::types::SyncResult;
use crate::features::sessions::Admin;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Fresh, NoBody};

/// Import events from the provider.
#[utoipa::path(post, path = "/api/sync-brandlive", tag = "brandlive", security(("session" = [])),
    responses((status = 200, body = SyncResult), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 413, body = ErrorBody), (status = 502, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn sync_brandlive(_: Admin, _: NoBody) -> Result<Fresh<SyncResult>, AppError> {
    Err(AppError::Unavailable(NOT_CONFIGURED.to_owned()))
}
