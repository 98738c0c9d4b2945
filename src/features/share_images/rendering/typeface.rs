//! Text shaping and line breaking.
//!
//! The fonts are embedded, so images are the same on every machine. They support Latin script with all accents; words
//! without any glyph, such as emoji or other scripts, are omitted.

use std::sync::LazyLock;

use resvg::tiny_skia::{Path, PathBuilder, Transform};
use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder};
use rustybuzz::{Direction, Face, UnicodeBuffer};

use crate::platform::content_coding::decompress_brotli;

/// An embedded font.
pub(super) struct Typeface {
    face: Face<'static>,
    em: f32,
    /// Space between glyphs at font size 1.
    tracking: f32,
}

/// A shaped word: its glyphs and width at font size 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    glyphs: Vec<Glyph>,
    width: f32,
}

#[derive(Clone, Copy, Debug)]
struct Glyph {
    id: u16,
    /// Position in the word.
    x: f32,
    y: f32,
    advance: f32,
}

/// Lines of text at font size 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub(super) lines: Vec<Vec<Word>>,
    space: f32,
}

/// A font, empty if it can't be decompressed.
fn font(brotli: &[u8]) -> Vec<u8> {
    decompress_brotli(brotli).unwrap_or_default()
}

impl Typeface {
    /// For titles.
    pub(super) fn display() -> Option<Self> {
        static FONT: LazyLock<Vec<u8>> = LazyLock::new(|| font(include_bytes!("../fonts/archivo-display.ttf.br")));
        Self::read(&FONT, -0.012)
    }

    /// For emphasis in running text.
    pub(super) fn strong() -> Option<Self> {
        static FONT: LazyLock<Vec<u8>> = LazyLock::new(|| font(include_bytes!("../fonts/archivo-strong.ttf.br")));
        Self::read(&FONT, 0.0)
    }

    /// For running text.
    pub(super) fn text() -> Option<Self> {
        static FONT: LazyLock<Vec<u8>> = LazyLock::new(|| font(include_bytes!("../fonts/archivo-text.ttf.br")));
        Self::read(&FONT, 0.0)
    }

    fn read(font: &'static [u8], tracking: f32) -> Option<Self> {
        let face = Face::from_slice(font, 0)?;
        #[expect(clippy::cast_precision_loss, reason = "it is 1,000")]
        let em = face.units_per_em() as f32;
        Some(Self { face, em, tracking })
    }

    /// The share of letters and digits of a text that the font has, from 0 to 1; 0 for a text without any.
    pub(super) fn coverage(&self, text: &str) -> f32 {
        let (mut all, mut covered) = (0.0, 0.0);
        for c in text.chars().filter(|c| c.is_alphanumeric()) {
            all += 1.0;
            covered += f32::from(u8::from(self.face.glyph_index(c).is_some()));
        }
        if all > 0.0 { covered / all } else { 0.0 }
    }

    /// The words of a text that have glyphs.
    pub(super) fn words(&self, text: &str) -> Vec<Word> {
        text.split_whitespace().map(|word| self.shape(word)).filter(|word| word.width > 0.0).collect()
    }

    /// The text on one line, shortened with an ellipsis if it is wider than `width` at this size.
    pub(super) fn line(&self, text: &str, size: f32, width: f32) -> Lines {
        self.lines(&self.words(text), size, width, 1)
    }

    /// Words in lines no wider than `width` at this size, shortened to `max_lines`.
    pub(super) fn lines(&self, words: &[Word], size: f32, width: f32, max_lines: usize) -> Lines {
        let mut all = self.break_lines(words, size, width);
        if all.lines.len() > max_lines {
            all.lines.truncate(max_lines);
            if let Some(last) = all.lines.last_mut() {
                self.ellipsize(last, all.space, width / size);
            }
        }
        all
    }

    /// As [`Typeface::lines`] with lines of about the same width; `None` if the words need more than
    /// `max_lines`.
    pub(super) fn balanced(&self, words: &[Word], size: f32, width: f32, max_lines: usize) -> Option<Lines> {
        let full = self.break_lines(words, size, width);
        let count = full.lines.len();
        if count > max_lines {
            return None;
        }
        let (mut least, mut enough, mut best) = (width * 0.5, width, full);
        for _ in 0..7 {
            let middle = f32::midpoint(least, enough);
            let tried = self.break_lines(words, size, middle);
            // Uneven lines are better than a broken word.
            if tried.lines.len() <= count && tried.words() == best.words() {
                (enough, best) = (middle, tried);
            } else {
                least = middle;
            }
        }
        Some(best)
    }

    fn break_lines(&self, words: &[Word], size: f32, width: f32) -> Lines {
        let (most, space) = (width / size, self.shape(" ").width);
        let mut lines: Vec<Vec<Word>> = Vec::new();
        let mut used = most;
        for word in words.iter().flat_map(|word| word.pieces(most)) {
            if lines.is_empty() || used + space + word.width > most {
                used = word.width;
                lines.push(vec![word]);
            } else if let Some(line) = lines.last_mut() {
                used += space + word.width;
                line.push(word);
            }
        }
        Lines { lines, space }
    }

    /// Shortens a line so that an ellipsis fits at its end.
    fn ellipsize(&self, line: &mut Vec<Word>, space: f32, most: f32) {
        let (dots, comma) = (self.shape("…"), self.face.glyph_index(',').map_or(0, |glyph| glyph.0));
        while let Some(mut last) = line.pop() {
            let before: f32 = line.iter().map(|word| word.width + space).sum();
            let too_long = |last: &Word| before + last.width + dots.width > most;
            let ends_badly = |last: &Word| last.glyphs.last().is_some_and(|glyph| glyph.id == comma);
            while (too_long(&last) || ends_badly(&last)) && last.glyphs.pop().is_some() {
                last.width = last.glyphs.iter().map(|glyph| glyph.advance).sum();
            }
            // A remainder of one or two characters is omitted.
            if last.glyphs.len() > 2 || line.is_empty() {
                for glyph in &dots.glyphs {
                    last.glyphs.push(Glyph { x: glyph.x + last.width, ..*glyph });
                }
                last.width += dots.width;
                line.push(last);
                return;
            }
        }
    }

    fn shape(&self, word: &str) -> Word {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(word);
        buffer.guess_segment_properties();
        // The fonts have left-to-right scripts only.
        buffer.set_direction(Direction::LeftToRight);
        let shaped = rustybuzz::shape(&self.face, &[], buffer);
        let mut word = Word::default();
        for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
            let Ok(id) = u16::try_from(info.glyph_id) else { continue };
            // Glyph 0 is the box for a missing glyph.
            if id != 0 {
                let advance = self.ems(position.x_advance);
                let advance = if advance > 0.0 { advance + self.tracking } else { advance };
                let (x, y) = (word.width + self.ems(position.x_offset), self.ems(position.y_offset));
                word.glyphs.push(Glyph { id, x, y, advance });
                word.width += advance;
            }
        }
        word
    }

    #[expect(clippy::cast_precision_loss, reason = "font units are small whole numbers")]
    fn ems(&self, units: i32) -> f32 {
        units as f32 / self.em
    }

    /// The outline of a line at a font size, with the start of its baseline.
    pub(super) fn outline(&self, line: &[Word], space: f32, size: f32, x: f32, baseline: f32) -> Option<Path> {
        let mut path = PathBuilder::new();
        let mut at = x;
        for word in line {
            for glyph in &word.glyphs {
                let mut pen = Pen(PathBuilder::new());
                self.face.outline_glyph(GlyphId(glyph.id), &mut pen);
                let scale = size / self.em;
                let transform =
                    Transform::from_row(scale, 0.0, 0.0, -scale, at + glyph.x * size, baseline - glyph.y * size);
                if let Some(outline) = pen.0.finish().and_then(|outline| outline.transform(transform)) {
                    path.push_path(&outline);
                }
            }
            at += (word.width + space) * size;
        }
        path.finish()
    }
}

impl Word {
    /// The word, in several pieces if it is too wide.
    fn pieces(&self, most: f32) -> Vec<Word> {
        if self.width <= most {
            return vec![self.clone()];
        }
        let mut pieces = vec![Word::default()];
        for glyph in &self.glyphs {
            let full = pieces.last().is_some_and(|piece| piece.width > 0.0 && piece.width + glyph.advance > most);
            if full {
                pieces.push(Word::default());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.glyphs.push(Glyph { x: piece.width, ..*glyph });
                piece.width += glyph.advance;
            }
        }
        pieces
    }
}

impl Lines {
    /// The width of a line at a font size.
    pub(super) fn width(&self, at: usize, size: f32) -> f32 {
        let Some(line) = self.lines.get(at) else { return 0.0 };
        let gaps = line.len().saturating_sub(1);
        #[expect(clippy::cast_precision_loss, reason = "a line has few words")]
        let gaps = gaps as f32 * self.space;
        (line.iter().map(|word| word.width).sum::<f32>() + gaps) * size
    }

    /// The outline of a line at a font size, with the start of its baseline.
    pub(super) fn outline(&self, typeface: &Typeface, at: usize, size: f32, x: f32, baseline: f32) -> Option<Path> {
        typeface.outline(self.lines.get(at)?, self.space, size, x, baseline)
    }

    fn words(&self) -> usize {
        self.lines.iter().map(Vec::len).sum()
    }
}

struct Pen(PathBuilder);

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
