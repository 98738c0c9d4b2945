//! The company's logo.

use std::io::Cursor;

use image::{ImageReader, Limits};
use resvg::tiny_skia::{ColorU8, IntSize, PathBuilder, Pixmap, Rect};

use super::canvas::{Canvas, Frame};

/// The longest side of a stored image that is decoded, in pixels.
const MAX_SIDE: u32 = 8_192;

/// Draws a logo with its transparency, as large as fits into the frame, at its left edge. Returns its width; 0 if the file
/// is not an image.
pub(super) fn draw(canvas: &mut Canvas, file: &[u8], frame: Frame) -> f32 {
    let Some(pixels) = decode(file, frame) else { return 0.0 };
    #[expect(clippy::cast_precision_loss, reason = "smaller than the frame")]
    let (width, height) = (pixels.width() as f32, pixels.height() as f32);
    let area = Frame::new(frame.x, frame.y + ((frame.height - height) / 2.0).floor(), width, height);
    let shape = Rect::from_xywh(area.x, area.y, area.width, area.height).map(PathBuilder::from_rect);
    canvas.image(&pixels, area, shape.as_ref());
    width
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "frames have small integer sizes")]
fn decode(file: &[u8], frame: Frame) -> Option<Pixmap> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(64 * 1024 * 1024);
    let mut reader = ImageReader::new(Cursor::new(file)).with_guessed_format().ok()?;
    reader.limits(limits);
    let logo = reader.decode().ok()?.thumbnail(frame.width as u32, frame.height as u32).into_rgba8();
    let size = IntSize::from_wh(logo.width(), logo.height())?;
    let premultiplied = logo.pixels().flat_map(|pixel| {
        let [red, green, blue, alpha] = pixel.0;
        let color = ColorU8::from_rgba(red, green, blue, alpha).premultiply();
        [color.red(), color.green(), color.blue(), color.alpha()]
    });
    Pixmap::from_vec(premultiplied.collect(), size)
}
