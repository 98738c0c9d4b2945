//! Scales, rotates and encodes the variants of an image.

use fast_image_resize::images::Image;
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
/// The rows or columns that are scaled at once.
const STRIP: u32 = 64;
/// The channels of a pixel while it is scaled.
const RGBA: usize = 4;

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

/// Scales an image of 8 bits per channel down, first its rows, in place, and then its columns: scaling both at once
/// would need a second buffer with the width or the height of the image.
fn scaled(image: DynamicImage, width: u32, height: u32) -> Result<DynamicImage, AppError> {
    let (own_width, own_height) = (image.width(), image.height());
    if (own_width, own_height) == (width, height) {
        return Ok(image);
    }
    let color = image.color();
    let mut scaler = Scaler::new(color)?;
    let mut pixels = image.into_bytes();

    let row_bytes = |width: u32| width as usize * usize::from(color.bytes_per_pixel());
    for first in (0..own_height).step_by(STRIP as usize) {
        let rows = STRIP.min(own_height - first);
        let from = &pixels[first as usize * row_bytes(own_width)..][..rows as usize * row_bytes(own_width)];
        let to = scaler.scale_rows(from, (own_width, rows), width)?;
        // In place, because a scaled row is never longer.
        pixels[first as usize * row_bytes(width)..][..to.len()].copy_from_slice(&to);
    }
    pixels.truncate(own_height as usize * row_bytes(width));
    pixels.shrink_to_fit();

    let mut result = vec![0; height as usize * row_bytes(width)];
    for first in (0..width).step_by(STRIP as usize) {
        let columns = STRIP.min(width - first);
        let strip = row_bytes(first)..row_bytes(first + columns);
        let mut from = Vec::with_capacity(own_height as usize * strip.len());
        for row in pixels.chunks_exact(row_bytes(width)) {
            from.extend_from_slice(&row[strip.clone()]);
        }
        let to = scaler.scale_columns(&from, (columns, own_height), height)?;
        for (row, scaled) in result.chunks_exact_mut(row_bytes(width)).zip(to.chunks_exact(strip.len())) {
            row[strip.clone()].copy_from_slice(scaled);
        }
    }
    let image = match color {
        ColorType::L8 => GrayImage::from_raw(width, height, result).map(DynamicImage::ImageLuma8),
        ColorType::La8 => GrayAlphaImage::from_raw(width, height, result).map(DynamicImage::ImageLumaA8),
        ColorType::Rgb8 => RgbImage::from_raw(width, height, result).map(DynamicImage::ImageRgb8),
        _ => RgbaImage::from_raw(width, height, result).map(DynamicImage::ImageRgba8),
    };
    image.ok_or_else(|| AppError::internal("a scaled image has the wrong size"))
}

/// Scales strips of an image. Strips are converted to RGBA and back: support for a single type of pixels keeps the
/// binary 2.5 MB smaller.
struct Scaler {
    resizer: Resizer,
    options: ResizeOptions,
    alpha: MulDiv,
    color: ColorType,
    has_alpha: bool,
}

impl Scaler {
    fn new(color: ColorType) -> Result<Self, AppError> {
        if !matches!(color, ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8) {
            return Err(internal("it has an unexpected type of pixels"));
        }
        Ok(Self {
            resizer: Resizer::new(),
            options: ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false),
            alpha: MulDiv::new(),
            color,
            has_alpha: color.has_alpha(),
        })
    }

    /// Scales rows to another width. The result is multiplied by alpha.
    fn scale_rows(&mut self, pixels: &[u8], size: (u32, u32), width: u32) -> Result<Vec<u8>, AppError> {
        let mut from = self.rgba(pixels, size)?;
        if self.has_alpha {
            self.alpha.multiply_alpha_inplace(&mut from).map_err(internal)?;
        }
        let mut to = Image::new(width, size.1, PixelType::U8x4);
        self.resizer.resize(&from, &mut to, &self.options).map_err(internal)?;
        Ok(self.channels(&to))
    }

    /// Scales columns to another height. The pixels are multiplied by alpha, and the result is not.
    fn scale_columns(&mut self, pixels: &[u8], size: (u32, u32), height: u32) -> Result<Vec<u8>, AppError> {
        let from = self.rgba(pixels, size)?;
        let mut to = Image::new(size.0, height, PixelType::U8x4);
        self.resizer.resize(&from, &mut to, &self.options).map_err(internal)?;
        if self.has_alpha {
            self.alpha.divide_alpha_inplace(&mut to).map_err(internal)?;
        }
        Ok(self.channels(&to))
    }

    fn rgba(&self, pixels: &[u8], (width, height): (u32, u32)) -> Result<Image<'static>, AppError> {
        let mut rgba = vec![u8::MAX; width as usize * height as usize * RGBA];
        match self.color {
            ColorType::L8 => convert(pixels, &mut rgba, |[gray]| [gray, u8::MAX, u8::MAX, u8::MAX]),
            ColorType::La8 => convert(pixels, &mut rgba, |[gray, alpha]| [gray, u8::MAX, u8::MAX, alpha]),
            ColorType::Rgb8 => convert(pixels, &mut rgba, |[red, green, blue]| [red, green, blue, u8::MAX]),
            _ => rgba.copy_from_slice(pixels),
        }
        Image::from_vec_u8(width, height, rgba, PixelType::U8x4).map_err(internal)
    }

    fn channels(&self, image: &Image<'_>) -> Vec<u8> {
        let rgba = image.buffer();
        let mut pixels = vec![0; rgba.len() / RGBA * usize::from(self.color.channel_count())];
        match self.color {
            ColorType::L8 => convert(rgba, &mut pixels, |[gray, _, _, _]| [gray]),
            ColorType::La8 => convert(rgba, &mut pixels, |[gray, _, _, alpha]| [gray, alpha]),
            ColorType::Rgb8 => convert(rgba, &mut pixels, |[red, green, blue, _]| [red, green, blue]),
            _ => pixels.copy_from_slice(rgba),
        }
        pixels
    }
}

/// Converts pixels of `N` channels to pixels of `M` channels.
fn convert<const N: usize, const M: usize>(from: &[u8], to: &mut [u8], pixel: impl Fn([u8; N]) -> [u8; M]) {
    for (to, from) in to.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0) {
        *to = pixel(*from);
    }
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
