//! `lectern licenses`

use std::io::Write as _;

use clap::Args;

use crate::platform::content_coding::decompress_brotli;

/// The licenses of everything in the program, made by `packaging/third-party.py` and compressed with brotli.
pub(crate) const NOTICES: &[u8] = include_bytes!("../../packaging/third-party-notices.txt.br");
const LICENSE: &str = include_str!("../../LICENSE");

/// Print the license of lectern, and those of the third-party software in it
///
/// The packages of Rust and JavaScript in this program, with their versions, copyright lines and the texts of their
/// licenses.
#[derive(Args, Debug)]
pub(super) struct Licenses {}

impl Licenses {
    pub(super) fn run() -> anyhow::Result<()> {
        let mut text = format!("lectern {}\n\n{LICENSE}\n", env!("CARGO_PKG_VERSION")).into_bytes();
        text.extend(decompress_brotli(NOTICES)?);
        Ok(std::io::stdout().write_all(&text)?)
    }
}
