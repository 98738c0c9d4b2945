//! Uploads of images, and the files at their URLs.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue};
use http::{StatusCode, Uri};
use http_body_util::BodyExt as _;

use super::decoder;
use super::rules::{self, ALLOWED, MAX_UPLOAD_BYTES};
use super::store;
use super::types::{Image, Upload};
use crate::features::activity::{self, Actor, Change};
use crate::features::auth::Admin;
use crate::platform::blocking::{Admission, BlockingQueue};
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::NoStoreJson;
use crate::platform::response_cache::etag_matches;
use crate::platform::state::AppState;

/// The endpoint for uploads.
pub const UPLOAD_PATH: &str = "/api/pictures";
const QUEUE_FULL: &str = "Too many images are being uploaded at the same time. Please try again in a moment.";

/// Upload an image: JPEG, PNG or WebP of at most 8 MB, sent as the request body. The content decides the format.
#[utoipa::path(post, path = UPLOAD_PATH, tag = "images", security(("session" = [])),
    request_body(content((Upload = "image/jpeg"), (Upload = "image/png"), (Upload = "image/webp"))),
    responses((status = 201, body = Image), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn create_image(
    admin: Admin,
    State(app): State<AppState>,
    request: Request,
) -> Result<NoStoreJson<Image>, AppError> {
    let (upload, admission) = read_upload(&app.image_uploads, request).await?;
    rules::format_of(&upload)?;
    let (id, now) = (rules::id_of(&upload), app.clock.now());
    let existing_id = id.clone();
    if let Some(existing) = app.db.write(move |transaction| store::touch(transaction, &existing_id, now)).await? {
        return Ok(NoStoreJson::created(existing));
    }

    // Held until the variants are stored, because they can be larger than the upload.
    let permit = admission.acquire_permit().await?;
    let variants = permit.run(move || decoder::make_variants(upload)).await??;
    let actor = Actor::from(&admin);
    let image = app
        .db
        .write(move |transaction| {
            let (image, is_new) = store::insert(transaction, &id, &variants, now)?;
            if is_new {
                activity::record(transaction, &actor, &Change::Created(&image))?;
            }
            store::purge(transaction, now)?;
            Ok(image)
        })
        .await?;
    tracing::info!(admin = admin.user.id, url = image.url, "an image was uploaded");
    Ok(NoStoreJson::created(image))
}

/// The queue of uploads. One is decoded at a time, because decoding can take 160 MB. The bytes of waiting uploads are
/// limited, and reserved before the body is read.
pub fn upload_queue() -> BlockingQueue {
    const WAITING: usize = 15;
    BlockingQueue::with_byte_limit(1, WAITING, 4 * MAX_UPLOAD_BYTES)
}

/// The length of an upload and its position in the queue, from the request's headers.
fn admit(queue: &BlockingQueue, headers: &HeaderMap) -> Result<(usize, Admission), AppError> {
    let header = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let media_type = header(CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let length = header(CONTENT_LENGTH).and_then(|text| text.parse().ok()).unwrap_or(MAX_UPLOAD_BYTES);
    if length > MAX_UPLOAD_BYTES {
        return Err(AppError::PayloadTooLarge(ALLOWED));
    }
    if !["image/jpeg", "image/png", "image/webp"].iter().any(|image| media_type.eq_ignore_ascii_case(image)) {
        return Err(AppError::UnsupportedMediaType(ALLOWED));
    }
    let admission = queue.admit(length).map_err(|_| AppError::Unavailable(QUEUE_FULL.to_owned()))?;
    Ok((length, admission))
}

/// Reads the body of an upload. The body of a rejected upload is read and discarded before the response is sent:
/// browsers do not show a response if the connection is closed while they are sending.
async fn read_upload(queue: &BlockingQueue, request: Request) -> Result<(Vec<u8>, Admission), AppError> {
    let admitted = admit(queue, request.headers());
    let mut body = request.into_body();
    let (length, admission) = match admitted {
        Ok(admitted) => admitted,
        Err(error) => {
            discard(body).await;
            return Err(error);
        }
    };
    let mut upload = Vec::with_capacity(length);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| AppError::Malformed("The request body is incomplete".to_owned()))?;
        let Some(data) = frame.data_ref() else { continue };
        if upload.len() + data.len() > length {
            drop((upload, admission));
            discard(body).await;
            return Err(AppError::PayloadTooLarge(ALLOWED));
        }
        upload.extend_from_slice(data);
    }
    Ok((upload, admission))
}

async fn discard(mut body: Body) {
    const MAX_DISCARDED_BYTES: usize = 8 * MAX_UPLOAD_BYTES;
    let mut discarded = 0_usize;
    while let Some(Ok(frame)) = body.frame().await {
        discarded = discarded.saturating_add(frame.data_ref().map_or(0, bytes::Bytes::len));
        if discarded > MAX_DISCARDED_BYTES {
            break;
        }
    }
}

/// The response for an uploaded image by its URL, in the size that `?w=` selects; `None` if there is no such image.
pub async fn serve(app: &AppState, uri: &Uri, request_headers: &HeaderMap) -> Result<Option<Response>, AppError> {
    let Some((id, _)) = rules::parse_path(uri.path()) else { return Ok(None) };
    let min_width = uri.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("w="));
    let min_width = min_width.and_then(|text| text.parse::<u32>().ok());
    let path = uri.path().to_owned();
    let Some(variant) = app.db.read(move |connection| store::find_variant(connection, &path, min_width)).await? else {
        return Ok(None);
    };

    let tag = format!("{id}-{}", variant.width);
    let not_modified = etag_matches(request_headers, &tag);
    let mut response = Response::new(if not_modified { Body::empty() } else { Body::from(variant.bytes) });
    if not_modified {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    let text = |text: &str| HeaderValue::from_str(text).map_err(AppError::internal);
    headers.insert(CONTENT_TYPE, text(&variant.content_type)?);
    headers.insert(ETAG, text(&format!("\"{tag}\""))?);
    // The URL contains a hash of the content, so the content never changes.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    Ok(Some(response))
}
