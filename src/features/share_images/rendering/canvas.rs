//! A canvas of pixels for shapes and images, and its PNG.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};
use resvg::tiny_skia::{
    Color, FillRule, FilterQuality, GradientStop, LinearGradient, Paint, Path, PathBuilder, Pattern, Pixmap, Point,
    Rect, Shader, SpreadMode, Transform,
};
use resvg::usvg;

use super::palette::Rgb;
use crate::platform::error::AppError;

/// A rectangle in pixels: left, top, width, height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Frame {
    pub(super) fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    fn rect(self) -> Option<Rect> {
        Rect::from_xywh(self.x, self.y, self.width, self.height)
    }
}

/// The pixels of an image.
pub(super) struct Canvas {
    pixels: Pixmap,
}

fn color(value: Rgb) -> Color {
    let [_, red, green, blue] = value.to_be_bytes();
    Color::from_rgba8(red, green, blue, 255)
}

fn paint(shader: Shader<'_>) -> Paint<'_> {
    Paint { shader, anti_alias: true, ..Paint::default() }
}

impl Canvas {
    /// A canvas of one color.
    pub(super) fn new(width: u32, height: u32, background: Rgb) -> Result<Self, AppError> {
        let mut pixels = Pixmap::new(width, height).ok_or_else(|| AppError::internal("a canvas without pixels"))?;
        pixels.fill(color(background));
        Ok(Self { pixels })
    }

    pub(super) fn rectangle(&mut self, frame: Frame, fill: Rgb) {
        if let Some(rect) = frame.rect() {
            self.fill(&PathBuilder::from_rect(rect), fill);
        }
    }

    pub(super) fn fill(&mut self, path: &Path, fill: Rgb) {
        let paint = paint(Shader::SolidColor(color(fill)));
        self.pixels.fill_path(path, &paint, FillRule::Winding, Transform::identity(), None);
    }

    /// A vertical gradient of opacity, from 0 to 1.
    pub(super) fn shade(&mut self, frame: Frame, tone: Rgb, from: f32, to: f32) {
        let stop = |at: f32, part: f32| {
            let mut tone = color(tone);
            tone.set_alpha(part);
            GradientStop::new(at, tone)
        };
        let (top, foot) = (Point::from_xy(0.0, frame.y), Point::from_xy(0.0, frame.y + frame.height));
        let stops = vec![stop(0.0, from), stop(1.0, to)];
        let gradient = LinearGradient::new(top, foot, stops, SpreadMode::Pad, Transform::identity());
        if let (Some(rect), Some(shader)) = (frame.rect(), gradient) {
            self.pixels.fill_rect(rect, &paint(shader), Transform::identity(), None);
        }
    }

    /// Renders an SVG to cover a frame, cropped to it.
    pub(super) fn svg(&mut self, svg: &str, frame: Frame) {
        if let Some(pixels) = render_svg(svg, frame) {
            self.image(&pixels, frame, frame.rect().map(PathBuilder::from_rect).as_ref());
        }
    }

    /// Draws pixels of the size of the frame, clipped to a path.
    pub(super) fn image(&mut self, pixels: &Pixmap, frame: Frame, shape: Option<&Path>) {
        let transform = Transform::from_translate(frame.x, frame.y);
        let pattern = Pattern::new(pixels.as_ref(), SpreadMode::Pad, FilterQuality::Nearest, 1.0, transform);
        if let Some(path) = shape {
            self.pixels.fill_path(path, &paint(pattern), FillRule::Winding, Transform::identity(), None);
        }
    }

    /// The canvas as PNG without transparency.
    pub(super) fn png(&self) -> Result<Vec<u8>, AppError> {
        let opaque: Vec<u8> =
            self.pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        let mut png = Vec::new();
        PngEncoder::new_with_quality(&mut png, CompressionType::Default, FilterType::Adaptive)
            .write_image(&opaque, self.pixels.width(), self.pixels.height(), ExtendedColorType::Rgb8)
            .map_err(|error| AppError::failed("a share image can't be encoded", error))?;
        png.shrink_to_fit();
        Ok(png)
    }
}

/// Renders an SVG to cover a frame, centered; `None` if it can't be parsed.
pub(super) fn render_svg(svg: &str, frame: Frame) -> Option<Pixmap> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).ok()?;
    let (mut pixels, size) = (blank(frame)?, tree.size());
    let scale = (frame.width / size.width()).max(frame.height / size.height());
    let left = (frame.width - size.width() * scale) / 2.0;
    let top = (frame.height - size.height() * scale) / 2.0;
    resvg::render(&tree, Transform::from_row(scale, 0.0, 0.0, scale, left, top), &mut pixels.as_mut());
    Some(pixels)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "frames have small integer sizes")]
fn blank(frame: Frame) -> Option<Pixmap> {
    Pixmap::new(frame.width.round() as u32, frame.height.round() as u32)
}

/// The arch: a semicircle on top, slightly rounded corners at the bottom (design guide §4).
pub(super) fn arch(frame: Frame) -> Option<Path> {
    // Distance of the control points of a Bézier curve that approximates a quarter circle of radius 1.
    const ROUND: f32 = 0.552_285;
    let (left, right, top, foot) = (frame.x, frame.x + frame.width, frame.y, frame.y + frame.height);
    let (radius, corner) = (frame.width / 2.0, 4.0_f32.min(frame.width / 2.0));
    let (handle, bend) = (radius * ROUND, corner * ROUND);
    let (middle, shoulder) = (left + radius, top + radius);
    let mut path = PathBuilder::new();
    path.move_to(left, shoulder);
    path.cubic_to(left, shoulder - handle, middle - handle, top, middle, top);
    path.cubic_to(middle + handle, top, right, shoulder - handle, right, shoulder);
    path.line_to(right, foot - corner);
    path.cubic_to(right, foot - corner + bend, right - corner + bend, foot, right - corner, foot);
    path.line_to(left + corner, foot);
    path.cubic_to(left + corner - bend, foot, left, foot - corner + bend, left, foot - corner);
    path.close();
    path.finish()
}
