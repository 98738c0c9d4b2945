//! What an uploaded picture must be, told by its content and never by its name or header (issue 4).

mod sizes;

use std::fmt::Write as _;
use std::io::Cursor;

use image::metadata::Orientation;
use image::{ColorType, DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};
use sha2::{Digest as _, Sha256};

use crate::platform::error::AppError;

/// The largest upload, in bytes.
pub(super) const MOST_BYTES: usize = 8 * 1024 * 1024;
/// What is allowed, for whoever tried something else.
pub(super) const ONLY: &str = "Only JPEG, PNG and WebP pictures of at most 8 MB can be uploaded";
const TOO_LARGE: &str = "Only pictures of at most 50 megapixels can be uploaded; make this one smaller first";
const TOO_HEAVY: &str =
    "This picture takes too much memory to be read; make it smaller or save it as an ordinary JPEG first";
const DAMAGED: &str = "This picture can't be read; it is damaged or did not arrive whole";

/// 50 megapixels as makers of telephones count them: 8,192 × 6,144 is one of theirs.
const MOST_PIXELS: u64 = 51_000_000;
/// The longest side in pixels; beyond it a picture is a strip.
const LONGEST_SIDE: u32 = 30_000;
/// What decoding may take in memory, in bytes, so that a service with half a gigabyte lives on.
const MOST_MEMORY: u64 = 300 * 1024 * 1024;

/// A picture that may be stored.
#[derive(Debug)]
pub(super) struct Prepared {
    /// From the narrowest to the widest; never empty.
    pub(super) files: Vec<File>,
    /// `image/jpeg` or `image/png`
    pub(super) content_type: &'static str,
}

/// One size of a picture.
#[derive(Debug)]
pub(super) struct File {
    /// In pixels.
    pub(super) width: u32,
    /// In pixels.
    pub(super) height: u32,
    /// Encoded.
    pub(super) bytes: Vec<u8>,
}

/// The id of an upload: half of its SHA-256, in hexadecimal digits.
pub(super) fn id_of(upload: &[u8]) -> String {
    Sha256::digest(upload)[..16].iter().fold(String::with_capacity(32), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
}

/// The ending of a picture's address.
pub(super) fn ending(content_type: &str) -> &'static str {
    if content_type == "image/png" { "png" } else { "jpg" }
}

/// Reads `/pictures/<id>.<ending>` into id and ending; `None` for what is no upload's address.
pub(super) fn parse(path: &str) -> Option<(&str, &str)> {
    let (id, ending) = path.strip_prefix("/pictures/")?.split_once('.')?;
    let is_id = id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (is_id && matches!(ending, "jpg" | "png")).then_some((id, ending))
}

/// Whether the upload begins as one of the three kinds does.
///
/// # Errors
/// 415 that says what is allowed.
pub(super) fn kind_of(upload: &[u8]) -> Result<ImageFormat, AppError> {
    match image::guess_format(upload) {
        Ok(kind @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) => Ok(kind),
        _ => Err(AppError::WrongKind(ONLY)),
    }
}

/// Decodes an upload, turns it upright, leaves out what it says of its maker and place, and makes the sizes that the
/// page uses. Takes up to a second and some hundred megabytes: for one thread at a time, and never the server's own.
///
/// # Errors
/// A sentence that says what is allowed.
pub(super) fn prepare(upload: &[u8]) -> Result<Prepared, AppError> {
    let kind = kind_of(upload)?;
    let damaged = |_| AppError::Malformed(DAMAGED.to_owned());
    if kind == ImageFormat::Jpeg && is_cut_off(upload) {
        return Err(AppError::Malformed(DAMAGED.to_owned()));
    }
    let mut reader = ImageReader::with_format(Cursor::new(upload), kind);
    // Measured below, from the headers alone, so that a small file that unfolds to a huge picture never does.
    reader.limits(limits());
    let mut decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MOST_PIXELS || width.max(height) > LONGEST_SIDE {
        return Err(AppError::Malformed(TOO_LARGE.to_owned()));
    }
    let converted = match decoder.color_type() {
        ColorType::Rgb8 | ColorType::Rgba8 => 0,
        color if color.has_alpha() => 4,
        _ => 3,
    };
    if decoder.total_bytes() + pixels * (converted + extra_of(kind, upload)) > MOST_MEMORY {
        return Err(AppError::Malformed(TOO_HEAVY.to_owned()));
    }
    if width == 0 || height == 0 {
        return Err(AppError::Malformed(DAMAGED.to_owned()));
    }
    // What can't be read of these is as good as not there; the picture itself may be well.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten().filter(|profile| is_worth_keeping(profile));
    let picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    // Only colours of the screen from here on, eight bits each.
    let picture = if picture.color().has_alpha() {
        DynamicImage::ImageRgba8(picture.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(picture.into_rgb8())
    };
    sizes::make(picture, orientation, profile)
}

/// What the decoder itself holds, in bytes a pixel at the most, besides the picture.
fn extra_of(kind: ImageFormat, upload: &[u8]) -> u64 {
    match kind {
        ImageFormat::WebP => 4,
        // All coefficients of all colours, until the last scan is there.
        ImageFormat::Jpeg if is_progressive(upload) => 6,
        _ => 0,
    }
}

/// Whether a JPEG's frame comes in scans that each refine the whole picture (its marker is C2, C6, CA or CE).
fn is_progressive(jpeg: &[u8]) -> bool {
    let mut at = 2;
    while let Some([0xff, mark, high, low]) = jpeg.get(at..at + 4) {
        match mark {
            // A fill byte.
            0xff => at += 1,
            0xc0..=0xcf if !matches!(mark, 0xc4 | 0xc8 | 0xcc) => return mark & 0b11 == 0b10,
            _ => at += 2 + usize::from(u16::from_be_bytes([*high, *low])),
        }
    }
    // No frame where one should be: the costlier kind is assumed.
    true
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    limits
}

fn refused(error: image::ImageError) -> AppError {
    let sentence = if matches!(error, image::ImageError::Limits(_)) { TOO_HEAVY } else { DAMAGED };
    AppError::Malformed(sentence.to_owned())
}

/// A JPEG's last scan must be followed by its end mark. The decoder would fill in what is missing with grey; a preview
/// inside of the metadata has marks of its own, but stands before the scan.
fn is_cut_off(jpeg: &[u8]) -> bool {
    let last = |mark: u8| jpeg.windows(2).rposition(|pair| pair == [0xff, mark]);
    last(0xd9) < last(0xda)
}

/// Without its colour profile a picture from a recent telephone would look pale. A small one for screens says nothing
/// of anybody; all others are left out with the rest of the metadata.
fn is_worth_keeping(profile: &[u8]) -> bool {
    const SMALL: usize = 4 * 1024;
    profile.len() <= SMALL && profile.get(16..20) == Some(b"RGB ")
}
