//! The call for uploads.

use super::types::{Picture, Upload};
use crate::features::sessions::Admin;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Fresh, NoBody};

/// Upload a picture: JPEG, PNG or WebP of at most 8 MB, sent as it is. What it is, is told by its content.
#[utoipa::path(post, path = "/api/pictures", tag = "pictures", security(("session" = [])),
    request_body(content((Upload = "image/jpeg"), (Upload = "image/png"), (Upload = "image/webp"))),
    responses((status = 201, body = Picture), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn create_picture(_: Admin, _: NoBody) -> Result<Fresh<Picture>, AppError> {
    Err(AppError::Unavailable("Uploads are not built yet".to_owned()))
}
