//! The call for uploads, and the pictures themselves.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue};
use http::{StatusCode, Uri};
use http_body_util::BodyExt as _;
use tokio::sync::Semaphore;

use super::rules::{self, MOST_BYTES, ONLY, Prepared};
use super::store;
use super::types::{Picture, Upload};
use crate::features::activity::{self, Actor, Change};
use crate::features::sessions::Admin;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::NoStoreJson;
use crate::platform::response_cache::etag_matches;
use crate::platform::state::AppState;

/// Where pictures are sent.
pub const UPLOAD: &str = "/api/pictures";
/// A decoded picture may take some hundred megabytes, so they are decoded one after the other.
static AT_ONCE: Semaphore = Semaphore::const_new(1);

/// Upload a picture: JPEG, PNG or WebP of at most 8 MB, sent as it is. What it is, is told by its content.
#[utoipa::path(post, path = UPLOAD, tag = "pictures", security(("session" = [])),
    request_body(content((Upload = "image/jpeg"), (Upload = "image/png"), (Upload = "image/webp"))),
    responses((status = 201, body = Picture), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn create_picture(
    admin: Admin,
    State(app): State<AppState>,
    request: Request,
) -> Result<NoStoreJson<Picture>, AppError> {
    let upload = read(request).await?;
    rules::kind_of(&upload)?;
    let (id, now) = (rules::id_of(&upload), app.clock.now());
    let same = id.clone();
    if let Some(known) = app.db.write(move |transaction| store::touch(transaction, &same, now)).await? {
        return Ok(NoStoreJson::created(known));
    }

    let prepared = prepare(upload).await?;
    let actor = Actor::from(&admin);
    let picture = app
        .db
        .write(move |transaction| {
            let (picture, is_new) = store::insert(transaction, &id, &prepared, now)?;
            if is_new {
                activity::record(transaction, &actor, &Change::Created(&picture))?;
            }
            store::sweep(transaction, now)?;
            Ok(picture)
        })
        .await?;
    tracing::info!(admin = admin.user.id, url = picture.url, "a picture was uploaded");
    Ok(NoStoreJson::created(picture))
}

/// The body, where it says that it is one of the three kinds. Of one that is too large the rest is read and thrown
/// away within reason: a browser that is cut off in the middle of sending never sees the answer.
async fn read(request: Request) -> Result<Vec<u8>, AppError> {
    const THROWN_AWAY: usize = 8 * MOST_BYTES;
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_picture = ["image/jpeg", "image/png", "image/webp"].contains(&kind.as_str());
    let length = |headers: &HeaderMap| headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse::<usize>().ok();
    let announced = length(request.headers()).unwrap_or_default();

    let mut body = request.into_body();
    let mut upload = Vec::with_capacity(announced.min(MOST_BYTES));
    let mut seen = 0_usize;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| AppError::Malformed("The body did not arrive whole".to_owned()))?;
        let Some(data) = frame.data_ref() else { continue };
        seen = seen.saturating_add(data.len());
        if seen > THROWN_AWAY {
            break;
        }
        if is_picture && seen <= MOST_BYTES {
            upload.extend_from_slice(data);
        } else {
            upload = Vec::new();
        }
    }
    match (seen <= MOST_BYTES, is_picture) {
        (false, _) => Err(AppError::LargerThan(ONLY)),
        (true, false) => Err(AppError::WrongKind(ONLY)),
        (true, true) => Ok(upload),
    }
}

async fn prepare(upload: Vec<u8>) -> Result<Prepared, AppError> {
    let place = AT_ONCE.acquire().await.map_err(|_| AppError::busy())?;
    tokio::task::spawn_blocking(move || {
        // Kept to the end of the work, even where the one who asked has gone away.
        let _place = place;
        rules::prepare(&upload)
    })
    .await
    // A decoder that panics has met a picture that nobody made on purpose.
    .unwrap_or_else(|_| Err(AppError::Malformed(ONLY.to_owned())))
}

/// An uploaded picture by its address, in the size that `?w=` asks for; `None` where it is no upload's.
///
/// # Errors
/// 503 where the storage can't be read.
pub async fn serve(app: &AppState, address: &Uri, asked: &HeaderMap) -> Result<Option<Response>, AppError> {
    let Some((id, _)) = rules::parse(address.path()) else { return Ok(None) };
    let wanted = address.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("w="));
    let at_least = wanted.and_then(|text| text.parse::<u32>().ok());
    let path = address.path().to_owned();
    let Some(file) = app.db.read(move |connection| store::file(connection, &path, at_least)).await? else {
        return Ok(None);
    };

    let tag = format!("{id}-{}", file.width);
    let is_same = etag_matches(asked, &tag);
    let mut response = Response::new(if is_same { Body::empty() } else { Body::from(file.bytes) });
    if is_same {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    let text = |text: &str| HeaderValue::from_str(text).map_err(|error| AppError::Internal(error.to_string()));
    headers.insert(CONTENT_TYPE, text(&file.content_type)?);
    headers.insert(ETAG, text(&format!("\"{tag}\""))?);
    // The address is made from the content, so what is behind it never changes.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    Ok(Some(response))
}
