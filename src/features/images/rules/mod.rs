//! Checks of uploaded images. The content decides, never a file name or header.

mod resize;

use std::fmt::Write as _;
use std::io::Cursor;

use image::metadata::Orientation;
use image::{ColorType, DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};
use sha2::{Digest as _, Sha256};

use crate::platform::error::AppError;

/// The largest upload, in bytes.
pub(super) const MAX_UPLOAD_BYTES: usize = 8 * 1024 * 1024;
pub(super) const ALLOWED: &str = "Only JPEG, PNG and WebP pictures of at most 8 MB can be uploaded";
const TOO_MANY_PIXELS: &str = "Only pictures of at most 50 megapixels can be uploaded; make this one smaller first";
const TOO_MUCH_MEMORY: &str =
    "This picture takes too much memory to be read; make it smaller or save it as an ordinary JPEG first";
const DAMAGED: &str = "This picture can't be read; it is damaged or incomplete";

/// 50 megapixels as camera makers count them: 8,192 × 6,144.
const MAX_PIXELS: u64 = 51_000_000;
/// In pixels.
const MAX_SIDE: u32 = 30_000;
/// Memory limit of decoding: the server has to run in 512 MB.
const MAX_DECODER_BYTES: u64 = 300 * 1024 * 1024;

/// An image in the widths that are stored.
#[derive(Debug)]
pub(super) struct Variants {
    /// From the narrowest to the widest; never empty.
    pub(super) files: Vec<Variant>,
    /// `image/jpeg` or `image/png`
    pub(super) content_type: &'static str,
}

#[derive(Debug)]
pub(super) struct Variant {
    /// In pixels.
    pub(super) width: u32,
    /// In pixels.
    pub(super) height: u32,
    /// The encoded file.
    pub(super) bytes: Vec<u8>,
}

/// The id of an upload: half of its SHA-256, in hexadecimal digits.
pub(super) fn id_of(upload: &[u8]) -> String {
    Sha256::digest(upload)[..16].iter().fold(String::with_capacity(32), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
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
        _ => Err(AppError::WrongKind(ALLOWED)),
    }
}

/// Decodes an upload, applies its EXIF orientation, drops all other metadata and scales it to the widths that the page
/// uses. Needs up to a second and [`MAX_DECODER_BYTES`].
///
/// # Errors
/// 400 or 415 with the reason.
pub(super) fn make_variants(upload: &[u8]) -> Result<Variants, AppError> {
    let format = format_of(upload)?;
    let damaged = |_| AppError::Malformed(DAMAGED.to_owned());
    if format == ImageFormat::Jpeg && is_truncated(upload) {
        return Err(AppError::Malformed(DAMAGED.to_owned()));
    }
    let mut reader = ImageReader::with_format(Cursor::new(upload), format);
    reader.limits(decoder_limits());
    let mut decoder = reader.into_decoder().map_err(decoder_error)?;
    // The size is checked from the headers, before any pixel is decoded.
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS || width.max(height) > MAX_SIDE {
        return Err(AppError::Malformed(TOO_MANY_PIXELS.to_owned()));
    }
    let converted_bytes_per_pixel = match decoder.color_type() {
        ColorType::Rgb8 | ColorType::Rgba8 => 0,
        color if color.has_alpha() => 4,
        _ => 3,
    };
    let bytes_per_pixel = converted_bytes_per_pixel + decoder_bytes_per_pixel(format, upload);
    if decoder.total_bytes() + pixels * bytes_per_pixel > MAX_DECODER_BYTES {
        return Err(AppError::Malformed(TOO_MUCH_MEMORY.to_owned()));
    }
    if width == 0 || height == 0 {
        return Err(AppError::Malformed(DAMAGED.to_owned()));
    }
    // Unreadable metadata counts as missing.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten().filter(|profile| is_small_rgb_profile(profile));
    let image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    let image = if image.color().has_alpha() {
        DynamicImage::ImageRgba8(image.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(image.into_rgb8())
    };
    resize::make_variants(image, orientation, profile)
}

/// The most memory that the decoder needs in addition to the decoded image.
fn decoder_bytes_per_pixel(format: ImageFormat, upload: &[u8]) -> u64 {
    match format {
        ImageFormat::WebP => 4,
        // The coefficients of all components are held until the last scan.
        ImageFormat::Jpeg if is_progressive(upload) => 6,
        _ => 0,
    }
}

/// Whether a JPEG has a progressive frame (marker C2, C6, CA or CE).
fn is_progressive(jpeg: &[u8]) -> bool {
    let mut position = 2;
    while let Some([0xff, marker, high, low]) = jpeg.get(position..position + 4) {
        match marker {
            // A fill byte.
            0xff => position += 1,
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => return marker & 0b11 == 0b10,
            _ => position += 2 + usize::from(u16::from_be_bytes([*high, *low])),
        }
    }
    // Without a readable frame the more expensive case is assumed.
    true
}

fn decoder_limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    limits
}

fn decoder_error(error: image::ImageError) -> AppError {
    let message = if matches!(error, image::ImageError::Limits(_)) { TOO_MUCH_MEMORY } else { DAMAGED };
    AppError::Malformed(message.to_owned())
}

/// Whether no end marker follows a JPEG's last scan; the decoder would fill the missing part with grey. A thumbnail in
/// the metadata has its own markers, but they precede the scan.
fn is_truncated(jpeg: &[u8]) -> bool {
    let last = |marker: u8| jpeg.windows(2).rposition(|pair| pair == [0xff, marker]);
    last(0xd9) < last(0xda)
}

/// Wide-gamut images of phones look pale without their colour profile. Only small RGB profiles are stored: larger
/// ones can contain private data.
fn is_small_rgb_profile(profile: &[u8]) -> bool {
    const MAX_BYTES: usize = 4 * 1024;
    profile.len() <= MAX_BYTES && profile.get(16..20) == Some(b"RGB ")
}
