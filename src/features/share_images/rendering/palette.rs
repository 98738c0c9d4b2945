//! The colors of the light theme (design guide §2) and the artwork of types.

use crate::features::events::presentation;

/// A color as 0xRRGGBB.
pub(super) type Rgb = u32;

pub(super) const SURFACE: Rgb = 0x00fe_ffff;
pub(super) const INK: Rgb = 0x0006_2229;
pub(super) const INK_2: Rgb = 0x0031_4b52;
pub(super) const LINE: Rgb = 0x00d0_dddf;
pub(super) const PRIMARY: Rgb = 0x0001_3e48;
pub(super) const SKY: Rgb = 0x00ca_eaef;
pub(super) const SKY_INK: Rgb = 0x0002_232a;
/// Behind the badge of a cancelled or postponed event.
pub(super) const DANGER: Rgb = 0x00b7_1d18;
pub(super) const ON_DANGER: Rgb = 0x00fb_fefe;
/// Behind the names of speakers.
pub(super) const PLINTH: Rgb = 0x0000_171e;
pub(super) const ON_PLINTH: Rgb = 0x00fb_fefe;
/// Around portraits.
pub(super) const RING: Rgb = 0x00f7_fbfb;
pub(super) const SCRIM: Rgb = 0x0001_151a;

/// The skyline of the home page.
pub(super) const SKYLINE: &str = include_str!("../../../../web/public/art/hero-skyline-day.svg");

/// The colors and artwork of a type.
pub(super) struct Style {
    pub(super) solid: Rgb,
    /// Foreground on `solid`.
    pub(super) on: Rgb,
    pub(super) tint: Rgb,
    /// Foreground on `tint`.
    pub(super) ink: Rgb,
    /// SVG, 1600 by 1200.
    pub(super) banner: &'static str,
    /// An SVG path in a view box of 12 by 12.
    pub(super) icon: &'static str,
}

/// The style of a type; that of Investor Insights for an unknown one (spec §3).
pub(super) fn style_of(kind: &str) -> Style {
    let slug = presentation::type_slug(kind);
    let (solid, on, tint, ink) = match slug.as_str() {
        "pillars-of-wealthbuilding" => (0x0002_7c56, 0x00fc_fefd, 0x00da_f6e8, 0x0000_3d29),
        "physician-on-fire" => (0x00cb_380d, 0x00ff_fdfc, 0x00fe_e9e1, 0x0073_1b0a),
        "in-person-events" => (0x006b_0947, 0x00fe_fdfe, 0x00fa_e5ee, 0x005c_083d),
        "ira-related-webinars" => (0x0043_bbd0, 0x0000_1e25, 0x00d8_f3f7, 0x0001_3d48),
        "special" => (0x00f4_d238, 0x0002_232a, 0x00f9_f1ca, 0x004c_3804),
        _ => (0x001c_53bf, 0x00fd_fdff, 0x00e2_eeff, 0x000c_2a6c),
    };
    Style { solid, on, tint, ink, banner: presentation::banner(&slug), icon: presentation::type_icon_path(&slug) }
}
