//! What the program contains compressed.

use std::io::{self, Read as _};

/// Decompresses brotli.
///
/// # Errors
/// It is not brotli.
pub fn decompress(brotli: &[u8]) -> io::Result<Vec<u8>> {
    // Code and text shrink to a fifth or less.
    let mut content = Vec::with_capacity(brotli.len() * 5);
    brotli::Decompressor::new(brotli, 4096).read_to_end(&mut content)?;
    Ok(content)
}
