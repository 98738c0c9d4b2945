//! Endpoints for venue photos.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, LOCATION};
use url::Url;

use super::photos::VenuePhotos;
use super::types::PlacePhoto;
use crate::features::events;
use crate::platform::client_address::ClientAddress;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::NoStoreJson;
use crate::platform::rate_limit::RateLimiter;
use crate::platform::state::AppState;

/// The photo of a venue and its authors.
#[utoipa::path(get, path = "/api/places/photo/{placeId}", tag = "places", params(("placeId" = String, Path)),
    responses((status = 200, body = PlacePhoto), (status = 404, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 502, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_place_photo(
    State(app): State<AppState>,
    Extension(photos): Extension<Arc<VenuePhotos>>,
    address: ClientAddress,
    place_id: Result<Path<String>, PathRejection>,
) -> Result<NoStoreJson<PlacePhoto>, AppError> {
    let place_id = check_request(&app, &photos, &photos.details_limiter, address, place_id).await?;
    let photo_url = image_path(&place_id)?;
    let photo = photos.find(&app, place_id).await?;
    Ok(NoStoreJson::ok(PlacePhoto { photo_url, attributions: photo.attributions }))
}

/// Redirects to the photo at the provider.
#[utoipa::path(get, path = "/api/places/photo/{placeId}/image", tag = "places", params(("placeId" = String, Path)),
    responses((status = 302, description = "The temporary URL of the photo"), (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 502, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_place_image(
    State(app): State<AppState>,
    Extension(photos): Extension<Arc<VenuePhotos>>,
    address: ClientAddress,
    place_id: Result<Path<String>, PathRejection>,
) -> Result<Response, AppError> {
    let place_id = check_request(&app, &photos, &photos.image_limiter, address, place_id).await?;
    let photo = photos.find(&app, place_id).await?;
    let headers = [(CACHE_CONTROL, "no-store".to_owned()), (LOCATION, photo.url)];
    Ok((StatusCode::FOUND, headers).into_response())
}

/// The place id, if it is the venue of an event that is public or has a preview link, and the client is within its limit.
async fn check_request(
    app: &AppState,
    photos: &VenuePhotos,
    limiter: &RateLimiter<IpAddr>,
    ClientAddress(address): ClientAddress,
    place_id: Result<Path<String>, PathRejection>,
) -> Result<String, AppError> {
    // Not UTF-8, such as `%FF`.
    let Ok(Path(place_id)) = place_id else { return Err(AppError::NotFound("Place")) };
    let (id, now) = (place_id.clone(), app.clock.now());
    if !app.db.read(move |connection| events::is_shown_venue(connection, &id, now)).await? {
        return Err(AppError::NotFound("Place"));
    }
    if !photos.is_configured() {
        return Err(AppError::Unavailable("Venue photos are not configured".to_owned()));
    }
    limiter.acquire(&address).map_err(|retry_after| AppError::RateLimited { retry_after })?;
    Ok(place_id)
}

/// `/api/places/photo/<placeId>/image` with the id percent-encoded.
fn image_path(place_id: &str) -> Result<String, AppError> {
    const FAILED: &str = "the path of a photo can't be built";
    let mut url = Url::parse("http://localhost/api/places/photo").map_err(|error| AppError::failed(FAILED, error))?;
    url.path_segments_mut().map_err(|()| AppError::internal(FAILED))?.push(place_id).push("image");
    Ok(url.path().to_owned())
}
