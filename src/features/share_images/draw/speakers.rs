//! The speakers under their arches, standing on the plinth that holds their names.

use image::{DynamicImage, ImageReader, Limits};
use resvg::tiny_skia::{IntSize, Pixmap};

use super::canvas::{self, Canvas, Frame};
use super::palette::{self, Look};
use super::{ART, Content, Voices, glyph, write};
use crate::features::events::presentation;

/// Room at the sides of the arches.
const SIDE: f32 = 30.0;
const GAP: f32 = 16.0;
/// The light ring around a portrait.
const RING: f32 = 5.0;
/// So far do arches reach into the plinth.
const OVERLAP: f32 = 24.0;
const NAME_LINE: f32 = 1.22;

/// How the arches of so many speakers stand.
struct Stand {
    across: usize,
    rows: usize,
    /// Of one arch.
    width: f32,
    height: f32,
    /// Of a name.
    size: f32,
}

impl Stand {
    fn of(count: usize) -> Self {
        let stand = |across, rows, width, height, size| Self { across, rows, width, height, size };
        match count {
            1 => stand(1, 1, 232.0, 290.0, 30.0),
            2 => stand(2, 1, 212.0, 265.0, 25.0),
            3 => stand(3, 1, 136.0, 170.0, 21.0),
            _ => stand(3, 2, 136.0, 136.0, 21.0),
        }
    }

    /// Each arch has its name below it; more than three are named together.
    fn names_below(&self) -> bool {
        self.rows == 1
    }
}

/// Draws them all, if there are any.
pub(super) fn draw(
    canvas: &mut Canvas,
    voices: &Voices,
    look: &Look,
    content: &Content,
    portraits: &[Option<Vec<u8>>],
) {
    let speakers = &content.speakers;
    if speakers.is_empty() {
        return;
    }
    canvas.shade(ART, palette::SCRIM, 0.04, 0.6);
    let stand = Stand::of(speakers.len());
    let foot = ART.y + ART.height;
    let step = stand.width + GAP;

    let lines = names(voices, content, &stand);
    let plinth = OVERLAP + 16.0 + lines * stand.size * NAME_LINE + 24.0;
    canvas.rectangle(Frame::new(ART.x, foot - plinth, ART.width, plinth), palette::PLINTH);
    write_names(canvas, voices, content, &stand, foot - plinth + OVERLAP + 16.0);

    let places = stand.across * stand.rows;
    // The last arch of a full stand says how many more there are.
    let shown = if speakers.len() > places { places - 1 } else { speakers.len() };
    let top = foot - plinth + OVERLAP - stand.height;
    let frame_of = |at: usize| {
        let in_last_row = places.min(speakers.len()) - stand.across * (stand.rows - 1);
        let (row, column) = (at / stand.across, at % stand.across);
        #[expect(clippy::cast_precision_loss, reason = "at most six arches")]
        let (above, beside) = ((stand.rows - 1 - row) as f32, column as f32);
        // A last row that is not full stands in the middle.
        #[expect(clippy::cast_precision_loss, reason = "at most six arches")]
        let indent = if row == stand.rows - 1 && stand.rows > 1 {
            (stand.across - in_last_row) as f32 * step / 2.0
        } else {
            0.0
        };
        let x = ART.x + SIDE + indent + beside * step;
        Frame::new(x, top - above * (stand.height + GAP), stand.width, stand.height)
    };
    for (at, speaker) in speakers.iter().take(shown).enumerate() {
        let portrait = portraits.get(at).and_then(Option::as_deref);
        one(canvas, voices, look, &speaker.name, portrait, frame_of(at));
    }
    if speakers.len() > shown {
        let frame = frame_of(shown);
        ring(canvas, frame);
        fill_arch(canvas, frame, palette::PLINTH);
        centred(canvas, voices, &format!("+{}", speakers.len() - shown), frame, palette::ON_PLINTH);
    }
}

/// One speaker: the portrait, else the initials, else the type's glyph.
fn one(canvas: &mut Canvas, voices: &Voices, look: &Look, name: &str, portrait: Option<&[u8]>, frame: Frame) {
    ring(canvas, frame);
    if let Some(pixels) = portrait.and_then(|file| read(file, frame)) {
        canvas.picture(&pixels, frame, canvas::arch(frame).as_ref());
        return;
    }
    fill_arch(canvas, frame, look.solid);
    let initials = presentation::initials(name);
    if voices.display.reads(&initials) > 0.99 {
        centred(canvas, voices, &initials, frame, look.on);
    } else {
        let side = frame.width * 0.4;
        glyph(
            canvas,
            look,
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

fn fill_arch(canvas: &mut Canvas, frame: Frame, fill: palette::Colour) {
    if let Some(path) = canvas::arch(frame) {
        canvas.fill(&path, fill);
    }
}

fn centred(canvas: &mut Canvas, voices: &Voices, text: &str, frame: Frame, ink: palette::Colour) {
    let size = (frame.width * 0.34).min(72.0);
    let line = voices.display.line(text, size, frame.width);
    let x = frame.x + (frame.width - line.width(0, size)) / 2.0;
    write(canvas, &voices.display, &line, size, x, frame.y + frame.height * 0.57 + size * 0.35, ink);
}

/// How many lines the names take.
fn names(voices: &Voices, content: &Content, stand: &Stand) -> f32 {
    let lines = if stand.names_below() {
        let each = content.speakers.iter().map(|speaker| below(voices, &speaker.name, stand).lines.len());
        each.max().unwrap_or(0)
    } else {
        together(voices, content, stand).lines.len()
    };
    #[expect(clippy::cast_precision_loss, reason = "a few lines")]
    let lines = lines.max(1) as f32;
    lines
}

fn below(voices: &Voices, name: &str, stand: &Stand) -> super::Lines {
    // A single speaker's name has the whole width.
    let width = if stand.across == 1 { ART.width - 2.0 * SIDE } else { stand.width - 2.0 };
    voices.strong.lines(&voices.strong.words(name), stand.size, width, 2)
}

fn together(voices: &Voices, content: &Content, stand: &Stand) -> super::Lines {
    let names: Vec<&str> = content.speakers.iter().map(|speaker| speaker.name.as_str()).collect();
    let text = names.join(", ");
    voices.strong.lines(&voices.strong.words(&text), stand.size, ART.width - 2.0 * SIDE, 3)
}

fn write_names(canvas: &mut Canvas, voices: &Voices, content: &Content, stand: &Stand, top: f32) {
    let mut write_lines = |lines: &super::Lines, x: f32| {
        let mut baseline = top + stand.size * 0.86;
        for at in 0..lines.lines.len() {
            if let Some(path) = lines.outline(&voices.strong, at, stand.size, x, baseline) {
                canvas.fill(&path, palette::ON_PLINTH);
            }
            baseline += stand.size * NAME_LINE;
        }
    };
    if stand.names_below() {
        let mut x = ART.x + SIDE;
        for speaker in &content.speakers {
            write_lines(&below(voices, &speaker.name, stand), x);
            x += stand.width + GAP;
        }
    } else {
        write_lines(&together(voices, content, stand), ART.x + SIDE);
    }
}

/// A portrait cut to its frame; `None` for a file that is no picture.
fn read(file: &[u8], frame: Frame) -> Option<Pixmap> {
    if let Some(text) = std::str::from_utf8(file).ok().filter(|text| text.trim_start().starts_with("<svg")) {
        return canvas::rendered(text, frame);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(4096);
    limits.max_image_height = Some(4096);
    limits.max_alloc = Some(64 * 1024 * 1024);
    let mut reader = ImageReader::new(std::io::Cursor::new(file)).with_guessed_format().ok()?;
    reader.limits(limits);
    let picture = covered(&reader.decode().ok()?, frame).to_rgb8();
    let opaque = picture.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
    Pixmap::from_vec(opaque, IntSize::from_wh(picture.width(), picture.height())?)
}

/// The picture's middle, of the frame's size; faces are rather in the upper half.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "sides of pictures are small whole numbers"
)]
fn covered(picture: &DynamicImage, frame: Frame) -> DynamicImage {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let scale = (frame.width / width).max(frame.height / height);
    let (wide, high) = ((frame.width / scale).min(width), (frame.height / scale).min(height));
    let (left, top) = ((width - wide) / 2.0, (height - high) * 0.3);
    picture
        .crop_imm(left as u32, top as u32, wide as u32, high as u32)
        .thumbnail_exact(frame.width.round() as u32, frame.height.round() as u32)
}
