//! The preview of an event that visitors do not see yet.

use axum::response::Response;
use http::header::{CACHE_CONTROL, HeaderName, HeaderValue, REFERRER_POLICY};
use http::{HeaderMap, Uri};
use rusqlite::Connection;

use super::{EVENT_PATH_PREFIX, Pages, event, rules};
use crate::features::events;
use crate::platform::error::AppError;
use crate::platform::state::AppState;

/// As [`Pages::respond_with_preview`].
pub(super) async fn get_preview(
    pages: &Pages,
    app: &AppState,
    uri: &Uri,
    headers: &HeaderMap,
    count_attending: fn(&Connection, i64) -> Result<i64, AppError>,
) -> Result<Option<Response>, AppError> {
    let name = uri.path().strip_prefix(EVENT_PATH_PREFIX).filter(|name| name.strip_suffix(".ics").is_none());
    let token = rules::parameter(uri.query().unwrap_or_default(), events::PREVIEW_PARAMETER);
    let Some((id, token)) = name.and_then(events::id_in_path).zip(token) else { return Ok(None) };
    let (pages, now) = (pages.clone(), app.clock.now());
    let read = move |connection: &Connection| {
        let Some(event) = events::find_preview(connection, id, &token, now)? else { return Ok(None) };
        let attending = count_attending(connection, id)?;
        event::preview(&pages.context, connection, event, attending, now).map(Some)
    };
    let Some(page) = app.db.read(read).await? else { return Ok(None) };
    let mut page = page.complete().await?;
    for (name, value) in [
        (CACHE_CONTROL, "private, no-store"),
        (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
        // The URL is the secret.
        (REFERRER_POLICY, "no-referrer"),
    ] {
        page.headers.insert(name, HeaderValue::from_static(value));
    }
    app.responses.respond_uncached(page, headers).await.map(Some)
}
