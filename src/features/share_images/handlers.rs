//! The handler of share images.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, body::Body};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION};
use http::{HeaderName, StatusCode};

use super::renderer::Renderer;
use super::types::{Content, path_of};
use crate::features::events;
use crate::platform::error::AppError;
use crate::platform::state::AppState;

/// The share image of a public event. The path of an earlier image redirects to the current one.
pub(super) async fn get_share_image(
    State(app): State<AppState>,
    Extension(renderer): Extension<Arc<Renderer>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, AppError> {
    const NOT_FOUND: AppError = AppError::NotFound("Image");
    let Ok(Path(name)) = name else { return Err(NOT_FOUND) };
    let (id, hash) = parse_name(&name).ok_or(NOT_FOUND)?;
    let event = app.db.read(move |connection| events::find_public(connection, id)).await?.ok_or(NOT_FOUND)?;

    let content = Content::of(&event, &app.config.site);
    let current = content.hash();
    if hash != current {
        let headers = [(CACHE_CONTROL, "public, max-age=60".to_owned()), (LOCATION, path_of(id, &current))];
        return Ok((StatusCode::TEMPORARY_REDIRECT, headers).into_response());
    }
    let png = renderer.png(&app.db, content, current).await?;
    let mut response = Response::new(Body::from(png));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("image/png"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    // Other sites may show it.
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    Ok(response)
}

/// The id and the hash of `12-0123456789abcdef.png`.
fn parse_name(name: &str) -> Option<(i64, &str)> {
    let (id, hash) = name.strip_suffix(".png")?.split_once('-')?;
    Some((id.parse().ok()?, hash))
}
