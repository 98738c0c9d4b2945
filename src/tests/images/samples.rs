//! Generated images, valid and malformed.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

pub(super) const RED: [u8; 3] = [220, 30, 30];
pub(super) const BLUE: [u8; 3] = [30, 30, 220];

/// Left half red, right half blue.
pub(super) fn halves(width: u32, height: u32) -> DynamicImage {
    let color = |x, _| Rgb(if x < width / 2 { RED } else { BLUE });
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, color))
}

/// A red disc on nothing.
pub(super) fn disc(size: u32) -> DynamicImage {
    let middle = f64::from(size) / 2.0;
    DynamicImage::ImageRgba8(RgbaImage::from_fn(size, size, |x, y| {
        let away = (f64::from(x) - middle).hypot(f64::from(y) - middle);
        Rgba([220, 30, 30, if away < middle { 255 } else { 0 }])
    }))
}

pub(super) fn encoded(picture: &DynamicImage, kind: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, kind).unwrap();
    bytes.into_inner()
}

pub(super) fn decoded(bytes: &[u8]) -> DynamicImage {
    image::load_from_memory(bytes).unwrap()
}

/// The metadata of an upright camera: a quarter turn, and its position.
pub(super) fn photograph(width: u32, height: u32) -> Vec<u8> {
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    exif.extend_from_slice(b"taken at 39.7392 N by SecretCam");
    let plain = encoded(&halves(width, height), ImageFormat::Jpeg);
    let mut photograph = plain[..2].to_vec();
    photograph.extend_from_slice(&[0xff, 0xe1]);
    photograph.extend_from_slice(&u16::try_from(exif.len() + 2).unwrap().to_be_bytes());
    photograph.extend_from_slice(&exif);
    photograph.extend_from_slice(&plain[2..]);
    photograph
}

/// Bytes that nothing makes smaller.
pub(super) fn noise(width: u32, height: u32) -> DynamicImage {
    let mut state = 0x2545_f491_u32;
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |_, _| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let [a, b, c, _] = state.to_le_bytes();
        Rgb([a, b, c])
    }))
}

/// A whole, valid PNG of a few kilobytes that unfolds to 256 megapixels.
pub(super) fn bomb() -> Vec<u8> {
    const SIDE: u32 = 16_000;
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [SIDE.to_be_bytes(), SIDE.to_be_bytes()].concat();
    // One bit a pixel, greys.
    header.extend_from_slice(&[1, 0, 0, 0, 0]);
    chunk(&mut png, *b"IHDR", &header);
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::fast());
    let row = vec![0; 1 + SIDE as usize / 8];
    for _ in 0..SIDE {
        pixels.write_all(&row).unwrap();
    }
    chunk(&mut png, *b"IDAT", &pixels.finish().unwrap());
    chunk(&mut png, *b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    png.extend_from_slice(&u32::try_from(data.len()).unwrap().to_be_bytes());
    let begun = png.len();
    png.extend_from_slice(&name);
    png.extend_from_slice(data);
    let mut sum = flate2::Crc::new();
    sum.update(&png[begun..]);
    png.extend_from_slice(&sum.sum().to_be_bytes());
}
