//! The calls for a venue's photo.

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, LOCATION};
use url::Url;

use super::photos::Photos;
use super::types::PlacePhoto;
use crate::features::events;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::NoStoreJson;
use crate::platform::rate_limit::RateLimiter;
use crate::platform::security::ClientAddress;
use crate::platform::state::AppState;

/// The photo of a venue and whom to name beside it.
#[utoipa::path(get, path = "/api/places/photo/{placeId}", tag = "places", params(("placeId" = String, Path)),
    responses((status = 200, body = PlacePhoto), (status = 404, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 502, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_place_photo(
    State(app): State<AppState>,
    Extension(photos): Extension<Arc<Photos>>,
    address: ClientAddress,
    place_id: Result<Path<String>, PathRejection>,
) -> Result<NoStoreJson<PlacePhoto>, AppError> {
    let place_id = admitted(&app, &photos, &photos.asked, address, place_id).await?;
    let photo_url = image_address(&place_id)?;
    let photo = photos.of(&app, place_id).await?;
    Ok(NoStoreJson::ok(PlacePhoto { photo_url, attributions: photo.attributions }))
}

/// The photo itself: leads to where the provider has it now.
#[utoipa::path(get, path = "/api/places/photo/{placeId}/image", tag = "places", params(("placeId" = String, Path)),
    responses((status = 302, description = "Where the photo is for a short while"), (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 502, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_place_image(
    State(app): State<AppState>,
    Extension(photos): Extension<Arc<Photos>>,
    address: ClientAddress,
    place_id: Result<Path<String>, PathRejection>,
) -> Result<Response, AppError> {
    let place_id = admitted(&app, &photos, &photos.shown, address, place_id).await?;
    let photo = photos.of(&app, place_id).await?;
    let headers = [(CACHE_CONTROL, "no-store".to_owned()), (LOCATION, photo.address)];
    Ok((StatusCode::FOUND, headers).into_response())
}

/// The id, where it is that of a place that may be looked up for this visitor now.
async fn admitted(
    app: &AppState,
    photos: &Photos,
    limiter: &RateLimiter<ClientAddress>,
    address: ClientAddress,
    place_id: Result<Path<String>, PathRejection>,
) -> Result<String, AppError> {
    // An id that is no text (`%FF`) is nobody's.
    let Ok(Path(place_id)) = place_id else { return Err(AppError::NotFound("Place")) };
    let id = place_id.clone();
    if !app.db.read(move |connection| events::has_public_place(connection, &id)).await? {
        return Err(AppError::NotFound("Place"));
    }
    if !photos.is_configured() {
        return Err(AppError::Unavailable("Venue photos are not configured".to_owned()));
    }
    limiter.acquire(&address).map_err(|retry_after| AppError::TooMany { retry_after })?;
    Ok(place_id)
}

/// `/api/places/photo/<placeId>/image` with whatever an id may hold.
fn image_address(place_id: &str) -> Result<String, AppError> {
    let wrong = || AppError::internal("the address of a photo can't be made");
    let mut url = Url::parse("http://localhost/api/places/photo").map_err(|_| wrong())?;
    url.path_segments_mut().map_err(|()| wrong())?.push(place_id).push("image");
    Ok(url.path().to_owned())
}
