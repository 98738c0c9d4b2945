//! Uploads: storing and serving images.

mod memory;
mod rejections;
mod retention;
mod samples;

use bytes::Bytes;
use image::{GenericImageView as _, ImageFormat};

use self::samples::{BASELINE, BLUE, RED, decoded, disc, encoded, flat_jpeg, halves, photograph};
use crate::tests::support::{Client, TestApp, TestResponse};

const UPLOAD: &str = "/api/pictures";

async fn upload(client: &Client, kind: &str, bytes: Vec<u8>) -> TestResponse {
    client.clone().with("content-type", kind).send_bytes("POST", UPLOAD, Some(Bytes::from(bytes))).await
}

/// Uploads a valid image and returns its URL.
async fn upload_url(client: &Client, kind: &str, bytes: Vec<u8>) -> String {
    let response = upload(client, kind, bytes).await;
    assert_eq!(response.status, 201, "{}", response.text());
    response.json()["url"].as_str().unwrap().to_owned()
}

fn ending(url: &str) -> &str {
    url.rsplit_once('.').unwrap().1
}

fn is_near(pixel: image::Rgba<u8>, color: [u8; 3]) -> bool {
    pixel.0.iter().zip(color).all(|(have, want)| have.abs_diff(want) < 12)
}

#[tokio::test]
async fn a_photograph_is_stored_upright_without_its_metadata() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;

    let response = upload(&admin, "image/jpeg", photograph(1200, 900)).await;

    assert_eq!(response.status, 201, "{}", response.text());
    let image = response.json();
    assert_eq!((image["width"].as_u64(), image["height"].as_u64()), (Some(900), Some(1200)));
    let url = image["url"].as_str().unwrap();
    assert!(url.starts_with("/pictures/") && ending(url) == "jpg", "{url}");
    for (query, width, height) in [("", 900, 1200), ("?w=1", 160, 213), ("?w=161", 400, 533), ("?w=401", 800, 1067)] {
        let file = app.visitor().get(&format!("{url}{query}")).await;
        assert_eq!((file.status.as_u16(), file.header("content-type").as_str()), (200, "image/jpeg"));
        let seen = decoded(&file.body);
        assert_eq!(seen.dimensions(), (width, height), "{query}");
        // Rotated by 90° to the right: the left side is at the top.
        assert!(is_near(seen.get_pixel(width / 2, height / 8), RED), "{query}");
        assert!(is_near(seen.get_pixel(width / 2, height * 7 / 8), BLUE), "{query}");
        for metadata in [&b"SecretCam"[..], b"Exif", b"39.7392"] {
            assert!(!file.body.windows(metadata.len()).any(|part| part == metadata), "{query}");
        }
    }
}

#[tokio::test]
async fn transparency_is_preserved() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    for (kind, format) in [("image/png", ImageFormat::Png), ("image/webp", ImageFormat::WebP)] {
        let url = upload_url(&admin, kind, encoded(&disc(500), format)).await;
        assert!(ending(&url) == "png", "{url}");
        let file = app.visitor().get(&format!("{url}?w=300")).await;
        assert_eq!(file.header("content-type"), "image/png");
        let seen = decoded(&file.body);
        assert_eq!(seen.width(), 400);
        assert_eq!(seen.get_pixel(2, 2).0[3], 0);
        assert_eq!(seen.get_pixel(200, 200).0, [220, 30, 30, 255]);
    }
    // An image without transparency is smaller as a JPEG.
    assert_eq!(ending(&upload_url(&admin, "image/png", encoded(&halves(40, 40), ImageFormat::Png)).await), "jpg");
    let opaque = image::DynamicImage::ImageRgba8(halves(41, 41).to_rgba8());
    assert_eq!(ending(&upload_url(&admin, "image/png", encoded(&opaque, ImageFormat::Png)).await), "jpg");
}

#[tokio::test]
async fn an_image_is_never_enlarged_and_a_large_one_is_reduced_to_1600() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let small = upload(&admin, "image/png", encoded(&halves(100, 50), ImageFormat::Png)).await.json();
    assert_eq!((small["width"].as_u64(), small["height"].as_u64()), (Some(100), Some(50)));
    let url = small["url"].as_str().unwrap();
    assert_eq!(decoded(&app.visitor().get(&format!("{url}?w=1600")).await.body).dimensions(), (100, 50));
    assert_eq!(app.rows("image_variants"), 1);

    let large = upload(&admin, "image/jpeg", flat_jpeg(2000, 1334, BASELINE, &[&[1, 2, 3]], 0)).await.json();
    assert_eq!((large["width"].as_u64(), large["height"].as_u64()), (Some(1600), Some(1067)));
    assert_eq!(app.rows("image_variants"), 1 + 4);
    // An image that is exactly as wide as a stored width is stored once.
    upload(&admin, "image/jpeg", encoded(&halves(400, 20), ImageFormat::Jpeg)).await;
    assert_eq!(app.rows("image_variants"), 1 + 4 + 2);
    // A height of one pixel is not rounded to zero.
    let line = upload(&admin, "image/png", encoded(&halves(3000, 1), ImageFormat::Png)).await.json();
    assert_eq!((line["width"].as_u64(), line["height"].as_u64()), (Some(1600), Some(1)));
}

#[tokio::test]
async fn an_image_is_cacheable_for_ever() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let url = upload_url(&admin, "image/png", encoded(&halves(500, 500), ImageFormat::Png)).await;

    let file = app.visitor().get(&url).await;

    assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(file.header("x-content-type-options"), "nosniff");
    let tag = file.header("etag");
    let again = app.visitor().with("if-none-match", &tag).get(&url).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    let smaller = app.visitor().with("if-none-match", &tag).get(&format!("{url}?w=160")).await;
    assert_eq!(smaller.status, 200, "another size is another file");
    for odd in ["?w=", "?w=abc", "?w=-1", "?w=99999999999", "?x=1&w=9999", "?w=0"] {
        assert_eq!(app.visitor().get(&format!("{url}{odd}")).await.status, 200, "{odd}");
    }
    assert_eq!(app.visitor().send("POST", &url, None).await.status, 405);
}

#[tokio::test]
async fn an_image_url_is_a_stored_image_or_a_bundled_file_or_404() {
    let app = TestApp::start();
    let admin = app.sign_in_admin().await;
    let url = upload_url(&admin, "image/png", encoded(&halves(50, 50), ImageFormat::Png)).await;
    let unknown = format!("/pictures/{}.jpg", "0".repeat(32));
    let wrong_ending = url.replace(".jpg", ".png");
    for path in [unknown.as_str(), &wrong_ending, "/pictures/", "/pictures/x.jpg", "/pictures/../lectern.db"] {
        assert_eq!(app.visitor().get(path).await.status, 404, "{path}");
    }
    // The portraits of the demo are files of the web bundle, if the program was built with it.
    if crate::assets::template().is_some() {
        let portrait = app.visitor().get("/pictures/demo/desmond-awuah.svg").await;
        assert_eq!((portrait.status.as_u16(), portrait.header("content-type").as_str()), (200, "image/svg+xml"));
    }
}
