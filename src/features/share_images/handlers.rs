//! The endpoint of share images.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, body::Body};
use chrono::{DateTime, Utc};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION};
use http::{HeaderName, StatusCode};
use rusqlite::Connection;

use super::renderer::Renderer;
use super::types::{ShareImageContent, ShareImagePage};
use crate::features::site_settings::ConfiguredSettings;
use crate::features::{events, page_content};
use crate::platform::error::AppError;
use crate::platform::state::AppState;

/// The share image of a public event, a series or the home page. The path of an earlier image redirects to the current one.
pub(super) async fn get_share_image(
    State(app): State<AppState>,
    Extension(renderer): Extension<Arc<Renderer>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, AppError> {
    const NOT_FOUND: AppError = AppError::NotFound("Image");
    let Ok(Path(name)) = name else { return Err(NOT_FOUND) };
    let (page, hash) = parse_name(&name).ok_or(NOT_FOUND)?;
    let (configured, now) = (ConfiguredSettings::new(&app.config), app.clock.now());
    let read = move |connection: &Connection| content_of(connection, page, &configured, now);
    let content = app.db.read(read).await?.ok_or(NOT_FOUND)?;

    let current = content.hash();
    if hash != current {
        let headers = [(CACHE_CONTROL, "public, max-age=60".to_owned()), (LOCATION, page.path(&current))];
        return Ok((StatusCode::TEMPORARY_REDIRECT, headers).into_response());
    }
    let png = renderer.png(&app.db, content, current).await?;
    let mut response = Response::new(Body::from(png));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("image/png"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    // Other sites may embed it.
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    Ok(response)
}

/// The content of the current image; `None` if there is no such event or series.
fn content_of(
    connection: &Connection,
    page: ShareImagePage,
    configured: &ConfiguredSettings,
    now: DateTime<Utc>,
) -> Result<Option<ShareImageContent>, AppError> {
    let settings = configured.effective(connection)?;
    match page {
        ShareImagePage::Event(id) => {
            Ok(events::find_public(connection, id, now)?.map(|event| ShareImageContent::from_event(&event, &settings)))
        }
        ShareImagePage::Series(id) => {
            let Some(series) = events::find_series_by_id(connection, id)? else { return Ok(None) };
            let events = events::events_of_series(connection, id, now)?;
            Ok((!events.is_empty()).then(|| ShareImageContent::from_series(&series, &events, now, &settings)))
        }
        ShareImagePage::Home => {
            let title = page_content::hero(connection)?.hero_title;
            let next = events::first_public_from(connection, now, None)?;
            Ok(Some(ShareImageContent::from_home(&title, next.as_ref(), &settings)))
        }
    }
}

/// The page and the hash in `12-0123456789abcdef.png`, `home-0123456789abcdef.png` or `series-3-0123456789abcdef.png`.
fn parse_name(name: &str) -> Option<(ShareImagePage, &str)> {
    let (page, hash) = name.strip_suffix(".png")?.rsplit_once('-')?;
    let page = match (page, page.strip_prefix("series-")) {
        ("home", _) => ShareImagePage::Home,
        (_, Some(id)) => ShareImagePage::Series(id.parse().ok()?),
        (id, None) => ShareImagePage::Event(id.parse().ok()?),
    };
    Some((page, hash))
}
