//! The sizes of a picture: scaled, upright, encoded.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType as PngFilter, PngEncoder};
use image::metadata::Orientation;
use image::{DynamicImage, ImageEncoder as _, RgbImage, RgbaImage};

use super::{File, Prepared};
use crate::platform::error::AppError;

/// The widths that the page uses, in pixels: an avatar, a card, a panel, a panel on a dense screen.
const WIDTHS: [u32; 4] = [160, 400, 800, 1600];
/// Beyond it the eye sees no difference, and the file grows fast.
const JPEG_QUALITY: u8 = 82;

/// Makes every width below the picture's own, and its own up to the largest. It is never enlarged.
pub(super) fn make(
    decoded: DynamicImage,
    orientation: Orientation,
    profile: Option<Vec<u8>>,
) -> Result<Prepared, AppError> {
    let lies = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    let (stored_width, stored_height) = (decoded.width(), decoded.height());
    let (own_width, own_height) = if lies { (stored_height, stored_width) } else { (stored_width, stored_height) };
    let widest = own_width.min(WIDTHS[WIDTHS.len() - 1]);
    let height = height_at(widest, own_width, own_height);

    // Scaled first and turned then: turning the whole picture would take its memory a second time.
    let (across, down) = if lies { (height, widest) } else { (widest, height) };
    let mut largest = scaled(&decoded, across, down)?;
    drop(decoded);
    largest.apply_orientation(orientation);
    let is_see_through = largest.as_rgba8().is_some_and(|pixels| pixels.pixels().any(|pixel| pixel.0[3] < u8::MAX));
    if !is_see_through {
        largest = DynamicImage::ImageRgb8(largest.into_rgb8());
    }

    let mut files = Vec::with_capacity(WIDTHS.len());
    for width in WIDTHS.into_iter().filter(|width| *width < widest) {
        let smaller = scaled(&largest, width, height_at(width, own_width, own_height))?;
        files.push(encoded(&smaller, is_see_through, profile.as_deref())?);
    }
    files.push(encoded(&largest, is_see_through, profile.as_deref())?);
    Ok(Prepared { files, content_type: if is_see_through { "image/png" } else { "image/jpeg" } })
}

fn height_at(width: u32, own_width: u32, own_height: u32) -> u32 {
    let (width, own_width, own_height) = (u64::from(width), u64::from(own_width), u64::from(own_height));
    let rounded = (own_height * width + own_width / 2) / own_width.max(1);
    u32::try_from(rounded).unwrap_or(u32::MAX).max(1)
}

fn scaled(picture: &DynamicImage, width: u32, height: u32) -> Result<DynamicImage, AppError> {
    if (picture.width(), picture.height()) == (width, height) {
        return Ok(picture.clone());
    }
    let kind = if picture.color().has_alpha() { PixelType::U8x4 } else { PixelType::U8x3 };
    let from = ImageRef::new(picture.width(), picture.height(), picture.as_bytes(), kind).map_err(fault)?;
    let mut to = Image::new(width, height, kind);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
    Resizer::new().resize(&from, &mut to, &options).map_err(fault)?;
    let pixels = to.into_vec();
    let picture = match kind {
        PixelType::U8x4 => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgba8),
        _ => RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8),
    };
    picture.ok_or_else(|| AppError::Internal("a scaled picture has another size than was asked for".to_owned()))
}

fn encoded(picture: &DynamicImage, as_png: bool, profile: Option<&[u8]>) -> Result<File, AppError> {
    let (width, height) = (picture.width(), picture.height());
    let mut bytes = Vec::new();
    let color = picture.color().into();
    if as_png {
        let mut encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, PngFilter::Adaptive);
        if let Some(profile) = profile {
            // An encoder that can't keep it leaves the colours as they are.
            let _ = encoder.set_icc_profile(profile.to_vec());
        }
        encoder.write_image(picture.as_bytes(), width, height, color).map_err(fault)?;
    } else {
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
        if let Some(profile) = profile {
            let _ = encoder.set_icc_profile(profile.to_vec());
        }
        encoder.write_image(picture.as_bytes(), width, height, color).map_err(fault)?;
    }
    Ok(File { width, height, bytes })
}

fn fault(error: impl std::fmt::Display) -> AppError {
    AppError::Internal(format!("a picture could not be made smaller: {error}"))
}
