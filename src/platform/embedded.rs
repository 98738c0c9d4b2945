//! Decompresses files that are embedded in the program: the web bundle, the OpenAPI document, fonts and licenses.

use std::io::{self, Read as _};

/// # Errors
/// The bytes are not brotli.
pub fn decompress(brotli: &[u8]) -> io::Result<Vec<u8>> {
    // Code and text shrink to a fifth or less.
    let mut content = Vec::with_capacity(brotli.len() * 5);
    brotli::Decompressor::new(brotli, 4096).read_to_end(&mut content)?;
    Ok(content)
}
