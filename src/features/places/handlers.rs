//! The call for a venue's photo.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};

use super::store;
use super::types::PlacePhoto;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::Fresh;
use crate::platform::state::AppState;

/// The photo of a venue.
#[utoipa::path(get, path = "/api/places/photo/{placeId}", tag = "places", params(("placeId" = String, Path)),
    responses((status = 200, body = PlacePhoto), (status = 404, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 502, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn get_place_photo(
    State(app): State<AppState>,
    place_id: Result<Path<String>, PathRejection>,
) -> Result<Fresh<PlacePhoto>, AppError> {
    // An id that is no text (`%FF`) is nobody's.
    let Ok(Path(place_id)) = place_id else { return Err(AppError::NotFound("Place")) };
    let known = app.db.read(move |connection| store::is_known(connection, &place_id)).await?;
    if !known {
        return Err(AppError::NotFound("Place"));
    }
    Err(AppError::Unavailable("Venue photos are not configured".to_owned()))
}
