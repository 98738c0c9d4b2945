//! Draws a share image: the home page's card, hanging from the horizon line under the skyline
//! (design guide §1), with the art and the speakers at the left and the facts at the right.

mod canvas;
mod palette;
mod speakers;
mod text;

use super::types::Content;
use crate::platform::error::AppError;
use canvas::{Canvas, Frame};
use palette::{Colour, Look};
use text::{Lines, Voice};

/// Width of a picture, which is what chats and networks ask for.
const WIDTH: u32 = 1200;
/// Height of a picture.
const HEIGHT: u32 = 630;
/// The sky with the site's name.
const SKY: Frame = Frame { x: 0.0, y: 0.0, width: 1200.0, height: 108.0 };
const HORIZON: Frame = Frame { x: 0.0, y: 108.0, width: 1200.0, height: 5.0 };
const ART: Frame = Frame { x: 0.0, y: 113.0, width: 500.0, height: 517.0 };
/// The column of the facts.
const LEFT: f32 = 548.0;
const COLUMN: f32 = 604.0;
const FLAG: Frame = Frame { x: LEFT, y: 149.0, width: 42.0, height: 42.0 };
/// Where the title begins, and the foot of the column.
const TITLE_TOP: f32 = 215.0;
const FOOT: f32 = 588.0;
/// Sizes that a title may have; the first that fits is taken.
const TITLE_SIZES: [f32; 8] = [62.0, 56.0, 51.0, 46.0, 42.0, 38.0, 35.0, 32.0];
const TITLE_LINE: f32 = 1.1;

/// The house's letters.
struct Voices {
    display: Voice,
    strong: Voice,
    text: Voice,
}

/// The picture as a PNG. `portraits` are the files of the speakers who have one, in their order.
///
/// # Errors
/// A fault of ours: the letters or the surface are missing.
pub(super) fn png(content: &Content, portraits: &[Option<Vec<u8>>]) -> Result<Vec<u8>, AppError> {
    let broken = || AppError::internal("the letters of the share images can't be read");
    let voices = Voices {
        display: Voice::display().ok_or_else(broken)?,
        strong: Voice::strong().ok_or_else(broken)?,
        text: Voice::text().ok_or_else(broken)?,
    };
    let look = palette::look_of(&content.kind);
    let mut canvas = Canvas::new(WIDTH, HEIGHT, palette::SURFACE)?;
    canvas.svg(look.banner, ART);
    speakers::draw(&mut canvas, &voices, &look, content, portraits);
    sky(&mut canvas, &voices, content);
    flag(&mut canvas, &voices, &look, content);
    let facts_top = facts(&mut canvas, &voices, content);
    title(&mut canvas, &voices, content, facts_top - TITLE_TOP - 26.0);
    canvas.png()
}

/// The site's mark and name before the skyline.
fn sky(canvas: &mut Canvas, voices: &Voices, content: &Content) {
    canvas.rectangle(SKY, palette::SKY);
    // 2600 by 460; its right end has the towers.
    let height = SKY.height - 8.0;
    let width = (height * 2600.0 / 460.0).round();
    canvas.svg(palette::SKYLINE, Frame::new(1200.0 - width, SKY.height - height, width, height));
    let mut left = 40.0;
    if content.mark {
        let mark = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 38 38'><path fill='#013e48' d='M0 0h38v38H0z'/>\
            <path fill='#fbfefe' d='M6 31V15.5a6.5 6.5 0 0 1 13 0 6.5 6.5 0 0 1 13 0V31h-5.5V15.5a1 1 0 0 0-2 \
            0V31h-11V15.5a1 1 0 0 0-2 0V31z'/></svg>";
        canvas.svg(mark, Frame::new(left, 28.0, 52.0, 52.0));
        left += 70.0;
    }
    let name = voices.display.line(&content.site, 30.0, 1200.0 - width - left - 8.0);
    write(canvas, &voices.display, &name, 30.0, left, 65.0, palette::SKY_INK);
    canvas.rectangle(HORIZON, palette::PRIMARY);
}

/// The type with its glyph (design guide §2).
fn flag(canvas: &mut Canvas, voices: &Voices, look: &Look, content: &Content) {
    const SIZE: f32 = 21.0;
    canvas.rectangle(FLAG, look.solid);
    glyph(canvas, look, Frame::new(FLAG.x + 10.0, FLAG.y + 10.0, 22.0, 22.0));
    let words = voices.strong.line(&content.kind, SIZE, COLUMN - FLAG.width - 32.0);
    if !words.lines.is_empty() {
        let width = words.width(0, SIZE) + 32.0;
        canvas.rectangle(Frame::new(FLAG.x + FLAG.width, FLAG.y, width, FLAG.height), look.tint);
        write(canvas, &voices.strong, &words, SIZE, FLAG.x + FLAG.width + 15.0, FLAG.y + 28.5, look.ink);
    }
}

/// A type's glyph in its frame.
fn glyph(canvas: &mut Canvas, look: &Look, frame: Frame) {
    let picture = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 12'><path fill='#{:06x}' d='{}'/></svg>",
        look.on, look.glyph
    );
    // Pixels without paint are transparent, so the ground is seen between the strokes.
    canvas.svg(&picture, frame);
}

/// Date, time and what stands beside it, at the foot of the column; returns where that begins.
fn facts(canvas: &mut Canvas, voices: &Voices, content: &Content) -> f32 {
    const SIZE: f32 = 33.0;
    const STEP: f32 = 46.0;
    const SMALL: f32 = 28.0;
    let time = voices.strong.line(&content.time, SIZE, COLUMN);
    let beside = voices.text.line(&content.beside, SMALL, COLUMN);
    let after_time = time.width(0, SIZE) + 20.0;
    let same_line = beside.lines.is_empty() || after_time + 22.0 + beside.width(0, SMALL) <= COLUMN;
    let rows = if same_line { 2.0 } else { 3.0 };
    let first = FOOT - 8.0 - (rows - 1.0) * STEP;

    let date = voices.strong.line(&content.date, SIZE, COLUMN);
    write(canvas, &voices.strong, &date, SIZE, LEFT, first, palette::INK);
    write(canvas, &voices.strong, &time, SIZE, LEFT, first + STEP, palette::INK);
    if same_line && !beside.lines.is_empty() {
        canvas.rectangle(Frame::new(LEFT + after_time, first + STEP - 27.0, 2.0, 34.0), palette::LINE);
        write(canvas, &voices.text, &beside, SMALL, LEFT + after_time + 22.0, first + STEP, palette::INK_2);
    } else {
        write(canvas, &voices.text, &beside, SMALL, LEFT, first + 2.0 * STEP - 2.0, palette::INK_2);
    }
    let rule = first - SIZE - 24.0;
    canvas.rectangle(Frame::new(LEFT, rule, COLUMN, 2.0), palette::LINE);
    rule
}

/// The title, as large as the room allows, cut where even the smallest size is too large.
fn title(canvas: &mut Canvas, voices: &Voices, content: &Content, room: f32) {
    let voice = &voices.display;
    // Of a title in another script only crumbs would be left.
    let text = if voice.reads(&content.title) >= 0.5 { &content.title } else { &content.kind };
    let words = voice.words(text);
    for size in TITLE_SIZES {
        let most = whole(room / (size * TITLE_LINE));
        // Large letters are for few words: five lines of them would be a wall.
        let most = if size > 50.0 { most.min(3) } else { most };
        if let Some(lines) = voice.balanced(&words, size, COLUMN, most) {
            return paragraph(canvas, voice, &lines, size, palette::INK);
        }
    }
    let size = TITLE_SIZES[TITLE_SIZES.len() - 1];
    let lines = voice.lines(&words, size, COLUMN, whole(room / (size * TITLE_LINE)));
    paragraph(canvas, voice, &lines, size, palette::INK);
}

fn paragraph(canvas: &mut Canvas, voice: &Voice, lines: &Lines, size: f32, ink: Colour) {
    let mut baseline = TITLE_TOP + size * 0.86;
    for at in 0..lines.lines.len() {
        if let Some(path) = lines.outline(voice, at, size, LEFT, baseline) {
            canvas.fill(&path, ink);
        }
        baseline += size * TITLE_LINE;
    }
}

/// One line of text.
fn write(canvas: &mut Canvas, voice: &Voice, lines: &Lines, size: f32, x: f32, baseline: f32, ink: Colour) {
    if let Some(path) = lines.outline(voice, 0, size, x, baseline) {
        canvas.fill(&path, ink);
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number of lines")]
fn whole(lines: f32) -> usize {
    lines.max(1.0) as usize
}
