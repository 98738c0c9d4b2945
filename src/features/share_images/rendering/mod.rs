//! Rendering of a share image: the skyline with the site's name at the top (design guide §1), artwork and
//! speakers on the left, title and facts on the right.

mod canvas;
mod logo;
mod palette;
mod speakers;
mod typeface;

use super::types::ShareImageContent;
use crate::platform::error::AppError;
use canvas::{Canvas, Frame};
use palette::{Rgb, Style};
use typeface::{Lines, Typeface};

/// Width in pixels, as chats and social networks recommend.
const WIDTH: u32 = 1200;
/// Height in pixels.
const HEIGHT: u32 = 630;
/// The skyline with the site's name.
const SKY: Frame = Frame { x: 0.0, y: 0.0, width: 1200.0, height: 108.0 };
const HORIZON: Frame = Frame { x: 0.0, y: 108.0, width: 1200.0, height: 5.0 };
const ART: Frame = Frame { x: 0.0, y: 113.0, width: 500.0, height: 517.0 };
/// Left edge and width of the column of facts.
const LEFT: f32 = 548.0;
const COLUMN: f32 = 604.0;
const FLAG: Frame = Frame { x: LEFT, y: 149.0, width: 42.0, height: 42.0 };
/// Top of the title and bottom of the column.
const TITLE_TOP: f32 = 215.0;
const FOOT: f32 = 588.0;
/// Font sizes of the title; the first that fits is used.
const TITLE_SIZES: [f32; 8] = [62.0, 56.0, 51.0, 46.0, 42.0, 38.0, 35.0, 32.0];
const TITLE_LINE: f32 = 1.1;

/// The typefaces of an image.
struct Fonts {
    display: Typeface,
    strong: Typeface,
    text: Typeface,
}

/// Renders an image as PNG. `portraits` are the image files of the speakers, in their order, `logo` that of the company.
///
/// # Errors
/// 500 if an embedded font can't be read or the PNG can't be encoded.
pub(super) fn png(
    content: &ShareImageContent,
    portraits: &[Option<Vec<u8>>],
    logo: Option<&[u8]>,
) -> Result<Vec<u8>, AppError> {
    let unreadable = || AppError::internal("an embedded font can't be read");
    let fonts = Fonts {
        display: Typeface::display().ok_or_else(unreadable)?,
        strong: Typeface::strong().ok_or_else(unreadable)?,
        text: Typeface::text().ok_or_else(unreadable)?,
    };
    let style = palette::style_of(&content.kind);
    let mut canvas = Canvas::new(WIDTH, HEIGHT, palette::SURFACE)?;
    canvas.svg(style.banner, ART);
    speakers::render(&mut canvas, &fonts, &style, content, portraits);
    sky(&mut canvas, &fonts, content, logo);
    flag(&mut canvas, &fonts, &style, content);
    let facts_top = facts(&mut canvas, &fonts, content);
    title(&mut canvas, &fonts, content, facts_top - TITLE_TOP - 26.0);
    canvas.png()
}

/// The site's logo and name in front of the skyline.
fn sky(canvas: &mut Canvas, fonts: &Fonts, content: &ShareImageContent, logo: Option<&[u8]>) {
    canvas.rectangle(SKY, palette::SKY);
    // 2600 by 460; its right end has the towers.
    let height = SKY.height - 8.0;
    let width = (height * 2600.0 / 460.0).round();
    canvas.svg(palette::SKYLINE, Frame::new(1200.0 - width, SKY.height - height, width, height));
    let mut left = 40.0;
    if content.shows_logo {
        let logo = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 38 38'><path fill='#013e48' d='M0 0h38v38H0z'/>\
            <path fill='#fbfefe' d='M6 31V15.5a6.5 6.5 0 0 1 13 0 6.5 6.5 0 0 1 13 0V31h-5.5V15.5a1 1 0 0 0-2 \
            0V31h-11V15.5a1 1 0 0 0-2 0V31z'/></svg>";
        canvas.svg(logo, Frame::new(left, 28.0, 52.0, 52.0));
        left += 70.0;
    } else if let Some(file) = logo {
        let width = logo::draw(canvas, file, Frame::new(left, 28.0, 200.0, 52.0));
        left += if width > 0.0 { width + 18.0 } else { 0.0 };
    }
    let name = fonts.display.line(&content.site, 30.0, 1200.0 - width - left - 8.0);
    write(canvas, &fonts.display, &name, 30.0, left, 65.0, palette::SKY_INK);
    canvas.rectangle(HORIZON, palette::PRIMARY);
}

/// The type with its icon (design guide §2), and `Cancelled` or `Postponed` next to it.
fn flag(canvas: &mut Canvas, fonts: &Fonts, style: &Style, content: &ShareImageContent) {
    const SIZE: f32 = 21.0;
    let badge = content.badge.map(|badge| fonts.strong.line(badge, SIZE, COLUMN));
    let badge_width = badge.as_ref().map_or(0.0, |badge| badge.width(0, SIZE) + 32.0);
    canvas.rectangle(FLAG, style.solid);
    icon(canvas, style, Frame::new(FLAG.x + 10.0, FLAG.y + 10.0, 22.0, 22.0));
    let label = fonts.strong.line(&content.kind, SIZE, COLUMN - FLAG.width - 48.0 - badge_width);
    let mut end = FLAG.x + FLAG.width;
    if !label.lines.is_empty() {
        let width = label.width(0, SIZE) + 32.0;
        canvas.rectangle(Frame::new(FLAG.x + FLAG.width, FLAG.y, width, FLAG.height), style.tint);
        write(canvas, &fonts.strong, &label, SIZE, FLAG.x + FLAG.width + 15.0, FLAG.y + 28.5, style.ink);
        end += width;
    }
    if let Some(badge) = badge {
        canvas.rectangle(Frame::new(end + 16.0, FLAG.y, badge_width, FLAG.height), palette::DANGER);
        write(canvas, &fonts.strong, &badge, SIZE, end + 32.0, FLAG.y + 28.5, palette::ON_DANGER);
    }
}

/// A type's icon in its frame.
fn icon(canvas: &mut Canvas, style: &Style, frame: Frame) {
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 12'><path fill='#{:06x}' d='{}'/></svg>",
        style.on, style.icon
    );
    canvas.svg(&svg, frame);
}

/// Date, time and detail at the bottom of the column; returns the top of this block.
fn facts(canvas: &mut Canvas, fonts: &Fonts, content: &ShareImageContent) -> f32 {
    const SIZE: f32 = 33.0;
    const STEP: f32 = 46.0;
    const SMALL: f32 = 28.0;
    const SMALL_STEP: f32 = 36.0;
    let time = fonts.strong.line(&content.time, SIZE, COLUMN);
    // The times in other zones have their days where these differ, and need two lines.
    let detail = fonts.text.lines(&fonts.text.words(&content.detail), SMALL, COLUMN, 2);
    let after_time = time.width(0, SIZE) + 20.0;
    let same_line = match detail.lines.len() {
        0 => true,
        1 => after_time + 22.0 + detail.width(0, SMALL) <= COLUMN,
        _ => false,
    };
    let below_time = match detail.lines.len() {
        _ if same_line => 0.0,
        1 => STEP,
        _ => STEP + SMALL_STEP,
    };
    let first = FOOT - 8.0 - STEP - below_time;

    let date = fonts.strong.line(&content.date, SIZE, COLUMN);
    write(canvas, &fonts.strong, &date, SIZE, LEFT, first, palette::INK);
    write(canvas, &fonts.strong, &time, SIZE, LEFT, first + STEP, palette::INK);
    if same_line && !detail.lines.is_empty() {
        canvas.rectangle(Frame::new(LEFT + after_time, first + STEP - 27.0, 2.0, 34.0), palette::LINE);
        write(canvas, &fonts.text, &detail, SMALL, LEFT + after_time + 22.0, first + STEP, palette::INK_2);
    } else {
        paragraph(canvas, &fonts.text, &detail, SMALL, SMALL_STEP, first + 2.0 * STEP - 2.0, palette::INK_2);
    }
    let rule = first - SIZE - 24.0;
    canvas.rectangle(Frame::new(LEFT, rule, COLUMN, 2.0), palette::LINE);
    rule
}

/// The title in the largest size that fits, shortened if even the smallest size is too large.
fn title(canvas: &mut Canvas, fonts: &Fonts, content: &ShareImageContent, height: f32) {
    let typeface = &fonts.display;
    // Most of a title in a script that the fonts do not support would be omitted.
    let text = if typeface.coverage(&content.title) >= 0.5 { &content.title } else { &content.kind };
    let words = typeface.words(text);
    for size in TITLE_SIZES {
        let most = whole(height / (size * TITLE_LINE));
        // Large sizes are limited to three lines.
        let most = if size > 50.0 { most.min(3) } else { most };
        if let Some(lines) = typeface.balanced(&words, size, COLUMN, most) {
            return paragraph(canvas, typeface, &lines, size, size * TITLE_LINE, TITLE_TOP + size * 0.86, palette::INK);
        }
    }
    let size = TITLE_SIZES[TITLE_SIZES.len() - 1];
    let lines = typeface.lines(&words, size, COLUMN, whole(height / (size * TITLE_LINE)));
    paragraph(canvas, typeface, &lines, size, size * TITLE_LINE, TITLE_TOP + size * 0.86, palette::INK);
}

/// All lines of a text in the column, `step` apart, from the baseline of the first.
fn paragraph(canvas: &mut Canvas, typeface: &Typeface, lines: &Lines, size: f32, step: f32, first: f32, ink: Rgb) {
    let mut baseline = first;
    for at in 0..lines.lines.len() {
        if let Some(path) = lines.outline(typeface, at, size, LEFT, baseline) {
            canvas.fill(&path, ink);
        }
        baseline += step;
    }
}

/// One line of text.
fn write(canvas: &mut Canvas, typeface: &Typeface, lines: &Lines, size: f32, x: f32, baseline: f32, ink: Rgb) {
    if let Some(path) = lines.outline(typeface, 0, size, x, baseline) {
        canvas.fill(&path, ink);
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number of lines")]
fn whole(lines: f32) -> usize {
    lines.max(1.0) as usize
}
