//! The address of a share image.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, body::Body};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION};
use http::{HeaderName, StatusCode};

use super::cache::Studio;
use super::types::{Content, address_of};
use crate::features::events;
use crate::platform::error::AppError;
use crate::platform::state::AppState;

/// The picture of an event that the public sees. An address that was that of an earlier picture
/// leads to the present one.
pub(super) async fn get_share_image(
    State(app): State<AppState>,
    Extension(studio): Extension<Arc<Studio>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, AppError> {
    const NO_PICTURE: AppError = AppError::NotFound("Picture");
    let Ok(Path(name)) = name else { return Err(NO_PICTURE) };
    let (id, hash) = parts(&name).ok_or(NO_PICTURE)?;
    let event = app.db.read(move |connection| events::find_public(connection, id)).await?.ok_or(NO_PICTURE)?;

    let content = Content::of(&event, &app.config.site);
    let present = content.hash();
    if hash != present {
        let headers = [(CACHE_CONTROL, "public, max-age=60".to_owned()), (LOCATION, address_of(id, &present))];
        return Ok((StatusCode::TEMPORARY_REDIRECT, headers).into_response());
    }
    let png = studio.picture(&app.db, content, present).await?;
    let mut response = Response::new(Body::from(png));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("image/png"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    // It is made to be shown on other sites.
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    Ok(response)
}

/// The number and the hash of `12-0123456789abcdef.png`.
fn parts(name: &str) -> Option<(i64, &str)> {
    let (id, hash) = name.strip_suffix(".png")?.split_once('-')?;
    Some((id.parse().ok()?, hash))
}
