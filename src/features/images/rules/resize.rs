//! Scales, rotates and encodes the variants of an image.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, MulDiv, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType as PngFilter, PngEncoder};
use image::metadata::Orientation;
use image::{ColorType, DynamicImage, GrayAlphaImage, GrayImage, ImageEncoder as _, RgbImage, RgbaImage};

use super::{Variant, Variants};
use crate::platform::error::{AppError, BoxError};

/// The widths that the page uses, in pixels: an avatar, a card, a panel, a panel on a dense screen.
const WIDTHS: [u32; 4] = [160, 400, 800, 1600];
/// Higher values grow the file without a visible difference.
const JPEG_QUALITY: u8 = 82;

/// Scales an image to each of [`WIDTHS`] below its own width, and to its own width up to the largest of them.
pub(super) fn make_variants(
    decoded: DynamicImage,
    orientation: Orientation,
    profile: Option<Vec<u8>>,
) -> Result<Variants, AppError> {
    let swaps_sides = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    let (stored_width, stored_height) = (decoded.width(), decoded.height());
    let (own_width, own_height) =
        if swaps_sides { (stored_height, stored_width) } else { (stored_width, stored_height) };
    let widest = own_width.min(WIDTHS[WIDTHS.len() - 1]);
    let height = height_at(widest, own_width, own_height);

    // Scaled before it is rotated, because rotating takes the memory of the image twice.
    let (scaled_width, scaled_height) = if swaps_sides { (height, widest) } else { (widest, height) };
    let mut largest = scaled(decoded, scaled_width, scaled_height)?;
    largest.apply_orientation(orientation);
    if largest.color().has_alpha() {
        largest = DynamicImage::ImageRgba8(largest.into_rgba8());
    }
    let has_transparency = largest.as_rgba8().is_some_and(|pixels| pixels.pixels().any(|pixel| pixel.0[3] < u8::MAX));
    if !has_transparency {
        largest = DynamicImage::ImageRgb8(largest.into_rgb8());
    }

    let mut files = Vec::with_capacity(WIDTHS.len());
    for width in WIDTHS.into_iter().filter(|width| *width < widest) {
        let smaller = scaled(largest.clone(), width, height_at(width, own_width, own_height))?;
        files.push(encoded(&smaller, has_transparency, profile.as_deref())?);
    }
    files.push(encoded(&largest, has_transparency, profile.as_deref())?);
    Ok(Variants { files, has_transparency })
}

fn height_at(width: u32, own_width: u32, own_height: u32) -> u32 {
    let (width, own_width, own_height) = (u64::from(width), u64::from(own_width), u64::from(own_height));
    let rounded = (own_height * width + own_width / 2) / own_width.max(1);
    u32::try_from(rounded).unwrap_or(u32::MAX).max(1)
}

/// Scales an image of 8 bits per channel down in place, first its rows and then its columns: scaling both at once would
/// need a second buffer with the width or the height of the image.
fn scaled(image: DynamicImage, width: u32, height: u32) -> Result<DynamicImage, AppError> {
    const ROWS_AT_ONCE: u32 = 64;
    let (own_width, own_height) = (image.width(), image.height());
    if (own_width, own_height) == (width, height) {
        return Ok(image);
    }
    let color = image.color();
    let has_alpha = color.has_alpha();
    let pixel_type = match color {
        ColorType::L8 => PixelType::U8,
        ColorType::La8 => PixelType::U8x2,
        ColorType::Rgb8 => PixelType::U8x3,
        ColorType::Rgba8 => PixelType::U8x4,
        _ => return Err(internal("it has an unexpected type of pixels")),
    };
    let mut pixels = image.into_bytes();
    let alpha = MulDiv::new();
    if has_alpha {
        let mut image = Image::from_slice_u8(own_width, own_height, &mut pixels, pixel_type).map_err(internal)?;
        alpha.multiply_alpha_inplace(&mut image).map_err(internal)?;
    }

    let mut resizer = Resizer::new();
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false);
    let row_bytes = |width: u32| width as usize * pixel_type.size();
    for first_row in (0..own_height).step_by(ROWS_AT_ONCE as usize) {
        let rows = ROWS_AT_ONCE.min(own_height - first_row);
        let from = &pixels[first_row as usize * row_bytes(own_width)..][..rows as usize * row_bytes(own_width)];
        let from = ImageRef::new(own_width, rows, from, pixel_type).map_err(internal)?;
        let mut to = Image::new(width, rows, pixel_type);
        resizer.resize(&from, &mut to, &options).map_err(internal)?;
        // In place, because a scaled row is never longer.
        pixels[first_row as usize * row_bytes(width)..][..to.buffer().len()].copy_from_slice(to.buffer());
    }
    pixels.truncate(own_height as usize * row_bytes(width));
    pixels.shrink_to_fit();

    let from = ImageRef::new(width, own_height, &pixels, pixel_type).map_err(internal)?;
    let mut to = Image::new(width, height, pixel_type);
    resizer.resize(&from, &mut to, &options).map_err(internal)?;
    if has_alpha {
        alpha.divide_alpha_inplace(&mut to).map_err(internal)?;
    }
    let pixels = to.into_vec();
    let image = match color {
        ColorType::L8 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::ImageLuma8),
        ColorType::La8 => GrayAlphaImage::from_raw(width, height, pixels).map(DynamicImage::ImageLumaA8),
        ColorType::Rgb8 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8),
        _ => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgba8),
    };
    image.ok_or_else(|| AppError::internal("a scaled image has the wrong size"))
}

fn encoded(image: &DynamicImage, as_png: bool, profile: Option<&[u8]>) -> Result<Variant, AppError> {
    let (width, height) = (image.width(), image.height());
    let mut bytes = Vec::new();
    let color = image.color().into();
    if as_png {
        let mut encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, PngFilter::Adaptive);
        if let Some(profile) = profile {
            // An encoder without support for profiles writes the image without one.
            let _ = encoder.set_icc_profile(profile.to_vec());
        }
        encoder.write_image(image.as_bytes(), width, height, color).map_err(internal)?;
    } else {
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
        if let Some(profile) = profile {
            let _ = encoder.set_icc_profile(profile.to_vec());
        }
        encoder.write_image(image.as_bytes(), width, height, color).map_err(internal)?;
    }
    Ok(Variant { width, height, length: bytes.len(), bytes })
}

fn internal(error: impl Into<BoxError>) -> AppError {
    AppError::failed("an image could not be resized", error)
}
