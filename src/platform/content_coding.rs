//! Content codings (RFC 9110 §8.4.1): which one a client accepts, and the compression and decompression itself.

use std::io::{self, Read as _, Write as _};

use http::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};

/// Bodies of this size and more are compressed at a faster level, because the first client waits for it.
const LARGE: usize = 256 * 1024;

/// How a body is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentCoding {
    /// Not compressed.
    Identity,
    Brotli,
    Gzip,
}

impl ContentCoding {
    /// The best one that the client accepts (`Accept-Encoding`, RFC 9110 §12.5.3): brotli compresses better than gzip.
    pub fn accepted(request: &HeaderMap) -> Self {
        let list = request.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if accepts(list, "br") {
            Self::Brotli
        } else if accepts(list, "gzip") {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// The `Content-Encoding`; `None` for a body that is not compressed.
    pub fn header(self) -> Option<HeaderValue> {
        match self {
            Self::Identity => None,
            Self::Brotli => Some(HeaderValue::from_static("br")),
            Self::Gzip => Some(HeaderValue::from_static("gzip")),
        }
    }

    /// Compresses a body for which the first client waits.
    pub fn compress(self, body: &[u8]) -> Vec<u8> {
        let is_large = body.len() >= LARGE;
        match self {
            Self::Identity => body.to_vec(),
            // Higher qualities take several times as long for less than 2 percent.
            Self::Brotli => brotli(body, if is_large { 5 } else { 6 }),
            Self::Gzip => gzip(body, flate2::Compression::new(if is_large { 5 } else { 8 })),
        }
    }
}

/// Whether an `Accept-Encoding` list names a content coding with a weight above zero.
fn accepts(list: &str, coding: &str) -> bool {
    list.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding))
            && !parts.any(|weight| {
                weight
                    .strip_prefix("q=")
                    .or_else(|| weight.strip_prefix("Q="))
                    .is_some_and(|q| q.parse::<f32>().is_ok_and(|q| q <= 0.0))
            })
    })
}

fn brotli(body: &[u8], quality: u32) -> Vec<u8> {
    let mut compressed = Vec::with_capacity(body.len() / 4);
    {
        let mut writer = brotli::CompressorWriter::new(&mut compressed, 4096, quality, 20);
        // Writing to memory can't fail.
        let _ = writer.write_all(body);
    }
    compressed
}

/// Compresses with gzip at a level.
pub fn gzip(body: &[u8], level: flate2::Compression) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::with_capacity(body.len() / 4), level);
    // Writing to memory can't fail.
    let _ = writer.write_all(body);
    writer.finish().unwrap_or_default()
}

/// Decompresses what was compressed for this program or by it: the web bundle, the OpenAPI document, a font, the
/// licenses, a stored response.
///
/// # Errors
/// The bytes are not brotli.
pub fn decompress_brotli(compressed: &[u8]) -> io::Result<Vec<u8>> {
    // Code and text shrink to a fifth or less.
    let mut content = Vec::with_capacity(compressed.len() * 5);
    brotli::Decompressor::new(compressed, 4096).read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_accepted_coding_has_a_weight_above_zero() {
        let accepted = |list: &'static str| {
            ContentCoding::accepted(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(list))]))
        };
        for (list, expected) in [
            ("gzip, deflate, br", ContentCoding::Brotli),
            ("BR;q=0.1, gzip;q=1", ContentCoding::Brotli),
            ("gzip, br;q=0", ContentCoding::Gzip),
            ("gzip;Q=0.0", ContentCoding::Identity),
            ("deflate, brotli", ContentCoding::Identity),
            ("", ContentCoding::Identity),
        ] {
            assert_eq!(accepted(list), expected, "{list}");
        }
        assert_eq!(ContentCoding::accepted(&HeaderMap::new()), ContentCoding::Identity);
    }
}
