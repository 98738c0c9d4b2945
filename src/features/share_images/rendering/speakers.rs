//! The speakers: portraits in arches above a plinth with their names.

use image::{DynamicImage, ImageReader, Limits};
use resvg::tiny_skia::{ColorU8, IntSize, Pixmap};

use super::canvas::{self, Canvas, Frame};
use super::palette::{self, Style};
use super::{ART, Fonts, ShareImageContent, icon, write};
use crate::features::events::presentation;

/// Space to the left and right of the arches.
const MARGIN: f32 = 30.0;
const GAP: f32 = 16.0;
/// The light ring around a portrait.
const RING: f32 = 5.0;
/// How far the arches overlap the plinth.
const OVERLAP: f32 = 24.0;
const NAME_LINE: f32 = 1.22;

/// The grid of arches, with sizes in pixels.
struct Layout {
    columns: usize,
    rows: usize,
    /// Size of one arch.
    width: f32,
    height: f32,
    /// Font size of the names.
    size: f32,
}

impl Layout {
    fn new(count: usize) -> Self {
        let layout = |columns, rows, width, height, size| Self { columns, rows, width, height, size };
        match count {
            1 => layout(1, 1, 232.0, 290.0, 30.0),
            2 => layout(2, 1, 212.0, 265.0, 25.0),
            3 => layout(3, 1, 136.0, 170.0, 21.0),
            _ => layout(3, 2, 136.0, 136.0, 21.0),
        }
    }

    /// Whether each name is below its arch; the names of more than one row are listed together.
    fn names_below(&self) -> bool {
        self.rows == 1
    }
}

/// Renders the speakers, if there are any.
pub(super) fn render(
    canvas: &mut Canvas,
    fonts: &Fonts,
    style: &Style,
    content: &ShareImageContent,
    portraits: &[Option<Vec<u8>>],
) {
    let speakers = &content.speakers;
    if speakers.is_empty() {
        return;
    }
    canvas.shade(ART, palette::SCRIM, 0.04, 0.6);
    let layout = Layout::new(speakers.len());
    let foot = ART.y + ART.height;
    let step = layout.width + GAP;

    let lines = count_lines(fonts, content, &layout);
    let plinth = OVERLAP + 16.0 + lines * layout.size * NAME_LINE + 24.0;
    canvas.rectangle(Frame::new(ART.x, foot - plinth, ART.width, plinth), palette::PLINTH);
    write_names(canvas, fonts, content, &layout, foot - plinth + OVERLAP + 16.0);

    let arches = layout.columns * layout.rows;
    // If there are more speakers than arches, the last arch shows how many are not shown.
    let shown = if speakers.len() > arches { arches - 1 } else { speakers.len() };
    let top = foot - plinth + OVERLAP - layout.height;
    let frame_of = |at: usize| {
        let in_last_row = arches.min(speakers.len()) - layout.columns * (layout.rows - 1);
        let (row, column) = (at / layout.columns, at % layout.columns);
        #[expect(clippy::cast_precision_loss, reason = "at most six arches")]
        let (rows_below, columns_before) = ((layout.rows - 1 - row) as f32, column as f32);
        // An incomplete last row is centered.
        #[expect(clippy::cast_precision_loss, reason = "at most six arches")]
        let indent = if row == layout.rows - 1 && layout.rows > 1 {
            (layout.columns - in_last_row) as f32 * step / 2.0
        } else {
            0.0
        };
        let x = ART.x + MARGIN + indent + columns_before * step;
        Frame::new(x, top - rows_below * (layout.height + GAP), layout.width, layout.height)
    };
    for (at, speaker) in speakers.iter().take(shown).enumerate() {
        let portrait = portraits.get(at).and_then(Option::as_deref);
        self::speaker(canvas, fonts, style, &speaker.name, portrait, frame_of(at));
    }
    if speakers.len() > shown {
        let frame = frame_of(shown);
        ring(canvas, frame);
        fill_arch(canvas, frame, palette::PLINTH);
        centered(canvas, fonts, &format!("+{}", speakers.len() - shown), frame, palette::ON_PLINTH);
    }
}

/// One speaker: the portrait, the initials or the type's icon.
fn speaker(canvas: &mut Canvas, fonts: &Fonts, style: &Style, name: &str, portrait: Option<&[u8]>, frame: Frame) {
    ring(canvas, frame);
    // As on the page, the type's color is behind a portrait with transparent parts.
    fill_arch(canvas, frame, style.solid);
    if let Some(pixels) = portrait.and_then(|file| decode(file, frame)) {
        canvas.image(&pixels, frame, canvas::arch(frame).as_ref());
        return;
    }
    let initials = presentation::initials(name);
    if fonts.display.coverage(&initials) > 0.99 {
        centered(canvas, fonts, &initials, frame, style.on);
    } else {
        let side = frame.width * 0.4;
        icon(
            canvas,
            style,
            Frame::new(
                (frame.x + (frame.width - side) / 2.0).round(),
                (frame.y + frame.height * 0.36).round(),
                side.round(),
                side.round(),
            ),
        );
    }
}

fn ring(canvas: &mut Canvas, frame: Frame) {
    let around = Frame::new(frame.x - RING, frame.y - RING, frame.width + 2.0 * RING, frame.height + 2.0 * RING);
    fill_arch(canvas, around, palette::RING);
}

fn fill_arch(canvas: &mut Canvas, frame: Frame, fill: palette::Rgb) {
    if let Some(path) = canvas::arch(frame) {
        canvas.fill(&path, fill);
    }
}

fn centered(canvas: &mut Canvas, fonts: &Fonts, text: &str, frame: Frame, ink: palette::Rgb) {
    let size = (frame.width * 0.34).min(72.0);
    let line = fonts.display.line(text, size, frame.width);
    let x = frame.x + (frame.width - line.width(0, size)) / 2.0;
    write(canvas, &fonts.display, &line, size, x, frame.y + frame.height * 0.57 + size * 0.35, ink);
}

/// The number of lines of the names.
fn count_lines(fonts: &Fonts, content: &ShareImageContent, layout: &Layout) -> f32 {
    let lines = if layout.names_below() {
        let each = content.speakers.iter().map(|speaker| name_below(fonts, &speaker.name, layout).lines.len());
        each.max().unwrap_or(0)
    } else {
        names_together(fonts, content, layout).lines.len()
    };
    #[expect(clippy::cast_precision_loss, reason = "a few lines")]
    let lines = lines.max(1) as f32;
    lines
}

fn name_below(fonts: &Fonts, name: &str, layout: &Layout) -> super::Lines {
    // The name of a single speaker uses the full width.
    let width = if layout.columns == 1 { ART.width - 2.0 * MARGIN } else { layout.width - 2.0 };
    fonts.strong.lines(&fonts.strong.words(name), layout.size, width, 2)
}

fn names_together(fonts: &Fonts, content: &ShareImageContent, layout: &Layout) -> super::Lines {
    let names: Vec<&str> = content.speakers.iter().map(|speaker| speaker.name.as_str()).collect();
    let text = names.join(", ");
    fonts.strong.lines(&fonts.strong.words(&text), layout.size, ART.width - 2.0 * MARGIN, 3)
}

fn write_names(canvas: &mut Canvas, fonts: &Fonts, content: &ShareImageContent, layout: &Layout, top: f32) {
    let mut write_lines = |lines: &super::Lines, x: f32| {
        let mut baseline = top + layout.size * 0.86;
        for at in 0..lines.lines.len() {
            if let Some(path) = lines.outline(&fonts.strong, at, layout.size, x, baseline) {
                canvas.fill(&path, palette::ON_PLINTH);
            }
            baseline += layout.size * NAME_LINE;
        }
    };
    if layout.names_below() {
        let mut x = ART.x + MARGIN;
        for speaker in &content.speakers {
            write_lines(&name_below(fonts, &speaker.name, layout), x);
            x += layout.width + GAP;
        }
    } else {
        write_lines(&names_together(fonts, content, layout), ART.x + MARGIN);
    }
}

/// Decodes a portrait and crops it to its frame; `None` if it is not an image.
fn decode(file: &[u8], frame: Frame) -> Option<Pixmap> {
    if let Some(text) = std::str::from_utf8(file).ok().filter(|text| text.trim_start().starts_with("<svg")) {
        return canvas::render_svg(text, frame);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(4096);
    limits.max_image_height = Some(4096);
    limits.max_alloc = Some(64 * 1024 * 1024);
    let mut reader = ImageReader::new(std::io::Cursor::new(file)).with_guessed_format().ok()?;
    reader.limits(limits);
    let pixels = cover(&premultiplied(reader.decode().ok()?), frame).into_rgba8();
    let size = IntSize::from_wh(pixels.width(), pixels.height())?;
    Pixmap::from_vec(pixels.into_raw(), size)
}

/// The image with each color multiplied by its opacity, so that scaling does not mix in those of transparent pixels.
fn premultiplied(image: DynamicImage) -> DynamicImage {
    if !image.color().has_alpha() {
        return image;
    }
    let mut pixels = image.into_rgba8();
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        let color = ColorU8::from_rgba(red, green, blue, alpha).premultiply();
        pixel.0 = [color.red(), color.green(), color.blue(), alpha];
    }
    DynamicImage::ImageRgba8(pixels)
}

/// Scales and crops an image to the size of the frame, cropping less of the top, where faces are.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "sides of images are small integers"
)]
fn cover(image: &DynamicImage, frame: Frame) -> DynamicImage {
    let (width, height) = (image.width() as f32, image.height() as f32);
    let scale = (frame.width / width).max(frame.height / height);
    let (wide, high) = ((frame.width / scale).min(width), (frame.height / scale).min(height));
    let (left, top) = ((width - wide) / 2.0, (height - high) * 0.3);
    image
        .crop_imm(left as u32, top as u32, wide as u32, high as u32)
        .thumbnail_exact(frame.width.round() as u32, frame.height.round() as u32)
}
