//! Checks of uploaded images, by their content and never by a file name or header.

mod resize;

use std::io::Cursor;

use image::metadata::Orientation;
use image::{ColorType, DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::platform::error::AppError;
use crate::platform::hex::hex;

/// The largest upload, in bytes.
pub(super) const MAX_UPLOAD_BYTES: usize = 8 * 1024 * 1024;
pub(super) const ALLOWED: &str = "Only JPEG, PNG and WebP images of at most 8 MB can be uploaded";
const TOO_MANY_PIXELS: &str = "Only images of at most 50 megapixels can be uploaded; make this one smaller first";
pub(super) const TOO_MUCH_MEMORY: &str =
    "This image takes too much memory to be read; make it smaller or save it as an ordinary JPEG first";
const DAMAGED: &str = "This image can't be read; it is damaged or incomplete";

/// 50 megapixels as camera makers count them: 8,192 × 6,144.
const MAX_PIXELS: u64 = 51_000_000;
/// In pixels.
const MAX_SIDE: u32 = 30_000;
/// The most memory that decoding and scaling may need in addition to the upload, in bytes.
pub(super) const MAX_DECODER_BYTES: u64 = 160 * 1024 * 1024;

/// An image in the widths that are stored.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Variants {
    /// From the narrowest to the widest; never empty.
    pub(super) files: Vec<Variant>,
    pub(super) has_transparency: bool,
}

impl Variants {
    pub(super) fn content_type(&self) -> &'static str {
        if self.has_transparency { "image/png" } else { "image/jpeg" }
    }
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Variant {
    /// In pixels.
    pub(super) width: u32,
    /// In pixels.
    pub(super) height: u32,
    /// Of the encoded file.
    pub(super) length: usize,
    /// The encoded file.
    #[serde(skip)]
    pub(super) bytes: Vec<u8>,
}

/// The id of an upload: half of its SHA-256, in hexadecimal digits.
pub(super) fn id_of(upload: &[u8]) -> String {
    hex(&Sha256::digest(upload)[..16])
}

pub(super) fn extension(content_type: &str) -> &'static str {
    if content_type == "image/png" { "png" } else { "jpg" }
}

/// Splits `/pictures/<id>.<extension>` into id and extension; `None` for other paths.
pub(super) fn parse_path(path: &str) -> Option<(&str, &str)> {
    let (id, extension) = path.strip_prefix("/pictures/")?.split_once('.')?;
    let is_id = id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (is_id && matches!(extension, "jpg" | "png")).then_some((id, extension))
}

/// The format, read from the first bytes.
///
/// # Errors
/// 415 for any other format than JPEG, PNG and WebP.
pub(super) fn format_of(upload: &[u8]) -> Result<ImageFormat, AppError> {
    match image::guess_format(upload) {
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) => Ok(format),
        _ => Err(AppError::UnsupportedMediaType(ALLOWED)),
    }
}

/// Decodes an upload, applies its EXIF orientation, drops all other metadata and scales it to the widths that the page
/// uses. Takes up to a second, and for a crafted file any amount of memory, because decoders do not count all
/// allocations.
///
/// # Errors
/// 400 or 415 with the reason.
pub(super) fn make_variants(upload: &[u8]) -> Result<Variants, AppError> {
    let format = format_of(upload)?;
    if format == ImageFormat::Jpeg && is_truncated(upload) {
        return Err(AppError::Malformed(DAMAGED.to_owned()));
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(upload), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(decoder_error)?;
    // The size is checked from the headers, before any pixel is decoded.
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || width.max(height) > MAX_SIDE {
        return Err(AppError::Malformed(TOO_MANY_PIXELS.to_owned()));
    }
    // Images with 16 bits per channel are converted to 8 before they are scaled.
    let is_deep = decoder.color_type().bytes_per_pixel() > decoder.color_type().channel_count();
    let converted_bytes = if is_deep { decoder.total_bytes() / 2 } else { 0 };
    if decoder.total_bytes() + converted_bytes > MAX_DECODER_BYTES {
        return Err(AppError::Malformed(TOO_MUCH_MEMORY.to_owned()));
    }
    if width == 0 || height == 0 {
        return Err(AppError::Malformed(DAMAGED.to_owned()));
    }
    // Unreadable metadata counts as missing.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten().filter(|profile| is_small_rgb_profile(profile));
    let image = DynamicImage::from_decoder(decoder).map_err(decoder_error)?;
    let image = match image.color() {
        ColorType::L16 => DynamicImage::ImageLuma8(image.into_luma8()),
        ColorType::La16 => DynamicImage::ImageLumaA8(image.into_luma_alpha8()),
        ColorType::Rgb16 => DynamicImage::ImageRgb8(image.into_rgb8()),
        ColorType::Rgba16 => DynamicImage::ImageRgba8(image.into_rgba8()),
        _ => image,
    };
    resize::make_variants(image, orientation, profile)
}

fn decoder_error(error: image::ImageError) -> AppError {
    let message = if matches!(error, image::ImageError::Limits(_)) { TOO_MUCH_MEMORY } else { DAMAGED };
    AppError::Malformed(message.to_owned())
}

/// Whether a JPEG ends before its end marker; the decoder would fill the missing part with gray. Segments are skipped by
/// their length, because a thumbnail in the metadata has an end marker of its own. What follows the end marker is not
/// looked at: the photos of some phones have a video there.
fn is_truncated(jpeg: &[u8]) -> bool {
    // Stuffed bytes, fill bytes and the restarts within a scan are no ends of a segment.
    let is_marker = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xff | 0xd0..=0xd7);
    let mut rest = jpeg.get(2..).unwrap_or_default();
    loop {
        let Some(at) = rest.windows(2).position(is_marker) else { return true };
        let (marker, after) = (rest[at + 1], &rest[at + 2..]);
        if marker == 0xd9 {
            return false;
        }
        let Some((length, _)) = after.split_first_chunk() else { return true };
        let Some(next) = after.get(usize::from(u16::from_be_bytes(*length))..) else { return true };
        rest = next;
    }
}

/// Wide-gamut photos look pale without their color profile. Only small RGB profiles are stored: larger ones can
/// contain private data.
fn is_small_rgb_profile(profile: &[u8]) -> bool {
    const MAX_BYTES: usize = 4 * 1024;
    profile.len() <= MAX_BYTES && profile.get(16..20) == Some(b"RGB ")
}
