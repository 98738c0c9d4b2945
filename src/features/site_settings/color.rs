//! Accent colors: their contrast with the design tokens, and the style sheet that sets them.

use std::fmt;

use crate::platform::messages::{ACCENT_INVALID, ACCENT_LOST_IN_DARK, ACCENT_LOST_IN_LIGHT, ACCENT_UNREADABLE, tokens};

/// The least contrast of text (WCAG 2.2 §1.4.3).
const MIN_TEXT: f64 = 4.5;
/// The least contrast of what is no text (WCAG 2.2 §1.4.11).
const MIN_GRAPHIC: f64 = 3.0;
/// How far the color of a button is mixed with white or black while the pointer is on it.
const HOVER: f64 = 0.2;

/// An opaque color in sRGB, which is displayed as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color([u8; 3]);

impl Color {
    /// Parses three or six hexadecimal digits, with or without `#`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text
            .strip_prefix('#')
            .unwrap_or(text)
            .chars()
            .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()?;
        let channels: Vec<u8> = match digits.len() {
            3 => digits.iter().map(|digit| digit * 17).collect(),
            6 => digits.chunks_exact(2).map(|pair| pair[0] * 16 + pair[1]).collect(),
            _ => return None,
        };
        channels.try_into().ok().map(Self)
    }

    fn luminance(self) -> f64 {
        let [r, g, b] = self.0.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// The contrast ratio of WCAG 2.2, from 1 to 21.
    fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The color between this one and another.
    fn mixed(self, other: Self, part: f64) -> Self {
        let mut channels = self.0;
        for (channel, other) in channels.iter_mut().zip(other.0) {
            let mixed = f64::from(*channel) * (1.0 - part) + f64::from(other) * part;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mean of two bytes")]
            let mixed = mixed.round() as u8;
            *channel = mixed;
        }
        Self(channels)
    }
}

impl fmt::Display for Color {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(out, "#{r:02x}{g:02x}{b:02x}")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    Light,
    Dark,
}

impl Theme {
    fn dark_text(self) -> &'static str {
        match self {
            Self::Light => tokens::LIGHT_ON_ACCENT,
            Self::Dark => tokens::DARK_ON_ACCENT,
        }
    }

    fn backgrounds(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Light => tokens::LIGHT_BACKGROUNDS,
            Self::Dark => tokens::DARK_BACKGROUNDS,
        }
    }

    /// The text color with the higher contrast on an accent, and that contrast.
    fn text_on(self, accent: Color) -> (&'static str, f64) {
        let contrast = |text| Color::parse(text).map_or(1.0, |text| accent.contrast(text));
        let (dark, white) = (contrast(self.dark_text()), contrast(tokens::WHITE));
        if dark >= white { (self.dark_text(), dark) } else { (tokens::WHITE, white) }
    }

    /// Parses an accent for this theme.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check(self, text: &str) -> Result<Color, &'static str> {
        let accent = Color::parse(text).ok_or(ACCENT_INVALID)?;
        if self.text_on(accent).1 < MIN_TEXT {
            return Err(ACCENT_UNREADABLE);
        }
        let mut backgrounds = self.backgrounds().iter().filter_map(|(_, background)| Color::parse(background));
        match (backgrounds.any(|background| accent.contrast(background) < MIN_GRAPHIC), self) {
            (false, _) => Ok(accent),
            (true, Self::Light) => Err(ACCENT_LOST_IN_LIGHT),
            (true, Self::Dark) => Err(ACCENT_LOST_IN_DARK),
        }
    }
}

/// The company's accent colors; `None` is that of the design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accent {
    /// Of the light theme.
    pub light: Option<Color>,
    /// Of the dark theme.
    pub dark: Option<Color>,
}

impl Accent {
    /// The style sheet that replaces the tokens of the design; `None` if none is replaced. It consists of colors that
    /// were parsed and of nothing else that was typed. `html` makes its rules stronger than those of the design, even if
    /// a style sheet of the design is loaded after them.
    pub fn style_sheet(self) -> Option<String> {
        let light = self.light.map(|accent| {
            let (text, _) = Theme::Light.text_on(accent);
            format!("html:root{{--accent:{accent};--on-accent:{text}}}")
        });
        // In the dark theme the accent is also the color of main actions and of the focus (design guide §2).
        let dark = self.dark.map(|accent| {
            let (text, _) = Theme::Dark.text_on(accent);
            let away_from_text = if text == tokens::WHITE { [0; 3] } else { [255; 3] };
            let hover = accent.mixed(Color(away_from_text), HOVER);
            let tokens = format!(
                "{{--accent:{accent};--on-accent:{text};--primary:{accent};--primary-hover:{hover};--on-primary:{text};\
                 --focus:{accent}}}"
            );
            format!(
                "@media (prefers-color-scheme:dark){{html:root:not([data-theme=\"light\"]){tokens}}}\
                 html:root[data-theme=\"dark\"]{tokens}"
            )
        });
        (light.is_some() || dark.is_some()).then(|| light.unwrap_or_default() + &dark.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{Accent, Color, Theme};
    use crate::platform::messages::tokens;

    /// A color of `tokens.css`, `oklch(L C H)`, in sRGB (CSS Color 4 §9.2).
    fn srgb(token: &str) -> Color {
        let values: Vec<f64> = token.split(' ').map(|number| number.parse().expect("a number")).collect();
        let [lightness, chroma, hue] = values[..] else { panic!("{token}") };
        let (red, yellow) = (chroma * hue.to_radians().cos(), chroma * hue.to_radians().sin());
        let long = (lightness + 0.396_337_777_4 * red + 0.215_803_757_3 * yellow).powi(3);
        let medium = (lightness - 0.105_561_345_8 * red - 0.063_854_172_8 * yellow).powi(3);
        let short = (lightness - 0.089_484_177_5 * red - 1.291_485_548 * yellow).powi(3);
        let linear = [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
        ];
        Color(linear.map(|value: f64| {
            let value = value.clamp(0.0, 1.0);
            let encoded = if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
            let byte = (encoded * 255.0).round() as u8;
            byte
        }))
    }

    #[test]
    fn the_colors_are_those_of_the_design_tokens() {
        let css = include_str!("../../../web/src/styles/tokens.css");
        let (light, dark) = css.split_once("@media (prefers-color-scheme: dark)").expect("two themes");
        let token = |theme: &str, name: &str| {
            let (_, rest) = theme.split_once(&format!("--{name}: oklch(")).expect("a token");
            srgb(rest.split_once(')').expect("its end").0).to_string()
        };
        assert_eq!(token(light, "accent"), tokens::ACCENT);
        assert_eq!(token(dark, "accent"), tokens::ACCENT);
        assert_eq!(token(light, "on-accent"), tokens::LIGHT_ON_ACCENT);
        assert_eq!(token(dark, "on-accent"), tokens::DARK_ON_ACCENT);
        assert_eq!(token(light, "on-primary"), tokens::WHITE);
        for (theme, backgrounds) in [(light, tokens::LIGHT_BACKGROUNDS), (dark, tokens::DARK_BACKGROUNDS)] {
            for (name, color) in backgrounds {
                assert_eq!(token(theme, name), *color, "{name}");
            }
        }
    }

    #[test]
    fn the_designs_own_accent_is_accepted_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            assert!(theme.check(tokens::ACCENT).is_ok());
        }
    }

    #[test]
    fn text_on_every_accepted_accent_is_readable_also_while_the_pointer_is_on_it() {
        for value in 0..=4096_u32 {
            let text = format!("{value:03x}");
            for theme in [Theme::Light, Theme::Dark] {
                let Ok(accent) = theme.check(&text) else { continue };
                let (on_accent, _) = theme.text_on(accent);
                let sheet = Accent { light: None, dark: Some(accent) }.style_sheet().expect("a style sheet");
                let hover =
                    sheet.split_once("--primary-hover:").expect("it is set").1.split_once(';').expect("its end").0;
                let [hover, on_accent] = [hover, on_accent].map(|color| Color::parse(color).expect("a color"));
                assert!(accent.contrast(on_accent) >= 4.5, "{accent}");
                assert!(theme == Theme::Light || hover.contrast(on_accent) >= 4.5, "{accent} {hover}");
            }
        }
    }
}
