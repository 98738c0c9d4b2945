//! Uploads that are rejected, and their messages.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::Frame;
use image::ImageFormat;
use tokio::sync::oneshot;

use super::samples::{bomb, encoded, halves, noise, photograph};
use super::{UPLOAD, upload};
use crate::tests::support::{TestApp, TestResponse};

const ONLY: &str = "Only JPEG, PNG and WebP images of at most 8 MB can be uploaded";
pub(super) const QUEUE_FULL: &str =
    "Too many images are being uploaded at the same time. Please try again in a moment.";
const DAMAGED: &str = "This image can't be read; it is damaged or incomplete";
pub(super) const TOO_HEAVY: &str =
    "This image takes too much memory to be read; make it smaller or save it as an ordinary JPEG first";
const TOO_LARGE: &str = "Only images of at most 50 megapixels can be uploaded; make this one smaller first";

fn assert_rejected(response: &TestResponse, status: u16, sentence: &str) {
    assert_eq!((response.status.as_u16(), response.error().as_str()), (status, sentence));
}

#[tokio::test]
async fn files_that_are_no_images_are_rejected_whatever_their_content_type() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let gif = b"GIF89a\x01\0\x01\0\0\0\0;".to_vec();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".to_vec();
    for bytes in [b"A text whose name ends in .png".to_vec(), gif, svg, Vec::new(), vec![0; 100]] {
        assert_rejected(&upload(&admin, "image/png", bytes).await, 415, ONLY);
    }
    let image = encoded(&halves(20, 20), ImageFormat::Png);
    for kind in ["image/gif", "image/svg+xml", "text/plain", "application/json", "multipart/form-data", ""] {
        assert_rejected(&upload(&admin, kind, image.clone()).await, 415, ONLY);
    }
    assert_eq!(app.rows("images"), 0);
    // The content decides.
    assert_eq!(upload(&admin, "image/jpeg", image).await.status, 201);
}

#[tokio::test]
async fn truncated_and_corrupt_images_are_rejected() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    for (kind, format) in
        [("image/jpeg", ImageFormat::Jpeg), ("image/png", ImageFormat::Png), ("image/webp", ImageFormat::WebP)]
    {
        let whole = encoded(&noise(300, 300), format);
        for length in [12, 40, whole.len() / 4, whole.len() / 2, whole.len() * 9 / 10] {
            let response = upload(&admin, kind, whole[..length].to_vec()).await;
            assert_rejected(&response, 400, DAMAGED);
        }
    }
    let photo = photograph(300, 200);
    assert_rejected(&upload(&admin, "image/jpeg", photo[..photo.len() / 2].to_vec()).await, 400, DAMAGED);
    assert_eq!(app.rows("images"), 0);
    // Some phones append a video, which can contain any marker.
    let with_video = [&photo[..], b"\0\0\0\x18ftypmp42", &[0xff, 0xda, 0, 12, 0xff]].concat();
    assert_eq!(upload(&admin, "image/jpeg", with_video).await.status, 201);
}

#[tokio::test]
async fn a_decompression_bomb_is_rejected_before_it_is_decoded() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let bomb = bomb();
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    assert_rejected(&upload(&admin, "image/png", bomb).await, 400, TOO_LARGE);
    // A side longer than the limit.
    let strip = encoded(&halves(30_001, 1), ImageFormat::Png);
    assert_rejected(&upload(&admin, "image/png", strip).await, 400, TOO_LARGE);
}

#[tokio::test]
async fn an_image_that_needs_too_much_memory_is_rejected_before_it_is_decoded() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    // A frame of 49 megapixels that declares several scans.
    let mut scans = encoded(&halves(64, 64), ImageFormat::Jpeg);
    let frame = scans.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    scans[frame + 1] = 0xc2;
    scans[frame + 5..frame + 9].copy_from_slice(&[0x1b, 0x58, 0x1b, 0x58]);
    assert_rejected(&upload(&admin, "image/jpeg", scans).await, 400, TOO_HEAVY);
}

#[tokio::test]
async fn a_file_may_have_at_most_8_mb() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let mut image = encoded(&halves(200, 200), ImageFormat::Jpeg);
    // Bytes after the end marker are not part of the image.
    image.resize(8 * 1024 * 1024, 0);
    assert_eq!(upload(&admin, "image/jpeg", image.clone()).await.status, 201);
    image.push(0);
    assert_rejected(&upload(&admin, "image/jpeg", image).await, 413, ONLY);
    assert_eq!(app.rows("images"), 1);
    // The limit of other endpoints is unchanged.
    let large = serde_json::json!({ "name": "x".repeat(300_000) });
    assert_eq!(admin.post("/api/speakers", large).await.status, 413);
}

#[tokio::test]
async fn only_admins_upload_and_only_from_this_site() {
    let app = TestApp::start();
    let image = encoded(&halves(20, 20), ImageFormat::Png);
    assert_eq!(upload(&app.visitor(), "image/png", image.clone()).await.status, 401);
    let admin = app.sign_in_admin().await;
    for (header, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")] {
        let forged = admin.clone().with(header, value);
        assert_eq!(upload(&forged, "image/png", image.clone()).await.status, 403, "{header}");
    }
    assert_eq!(app.rows("images"), 0);
    assert_eq!(admin.get(UPLOAD).await.status, 405);
}

/// The body of a client that stops sending.
struct Stalled(Option<oneshot::Sender<()>>);

impl hyper::body::Body for Stalled {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(reached) = self.0.take() {
            reached.send(()).unwrap();
        }
        Poll::Pending
    }
}

#[tokio::test]
async fn waiting_uploads_are_limited_in_bytes_and_a_cancelled_one_releases_its_bytes() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let small = encoded(&halves(20, 20), ImageFormat::Png);
    let mut stalled = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let client = admin.clone().with("content-type", "image/png").with("content-length", "8388608");
        let (reached, is_read) = oneshot::channel();
        let body = Body::new(Stalled(Some(reached)));
        stalled.spawn(async move { client.send_body("POST", UPLOAD, Some(body)).await });
        is_read.await.unwrap();
    }
    let rejected = upload(&admin, "image/png", small.clone()).await;
    assert_rejected(&rejected, 503, QUEUE_FULL);

    stalled.shutdown().await;
    assert_eq!(upload(&admin, "image/png", small).await.status, 201);
}
