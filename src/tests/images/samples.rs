//! Generated images, valid and malformed.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

pub(super) const RED: [u8; 3] = [220, 30, 30];
pub(super) const BLUE: [u8; 3] = [30, 30, 220];
/// The kinds of JPEG frames.
pub(super) const BASELINE: u8 = 0xc0;
pub(super) const PROGRESSIVE: u8 = 0xc2;

/// Left half red, right half blue.
pub(super) fn halves(width: u32, height: u32) -> DynamicImage {
    let color = |x, _| Rgb(if x < width / 2 { RED } else { BLUE });
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, color))
}

/// A red disc on a transparent background.
pub(super) fn disc(size: u32) -> DynamicImage {
    let middle = f64::from(size) / 2.0;
    DynamicImage::ImageRgba8(RgbaImage::from_fn(size, size, |x, y| {
        let away = (f64::from(x) - middle).hypot(f64::from(y) - middle);
        Rgba([220, 30, 30, if away < middle { 255 } else { 0 }])
    }))
}

pub(super) fn encoded(image: &DynamicImage, kind: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, kind).unwrap();
    bytes.into_inner()
}

pub(super) fn decoded(bytes: &[u8]) -> DynamicImage {
    image::load_from_memory(bytes).unwrap()
}

/// A photo with the metadata of a camera: a rotation of 90°, and a position.
pub(super) fn photograph(width: u32, height: u32) -> Vec<u8> {
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    exif.extend_from_slice(b"taken at 39.7392 N by SecretCam");
    let plain = encoded(&halves(width, height), ImageFormat::Jpeg);
    let mut photograph = plain[..2].to_vec();
    photograph.extend_from_slice(&[0xff, 0xe1]);
    photograph.extend_from_slice(&u16::try_from(exif.len() + 2).unwrap().to_be_bytes());
    photograph.extend_from_slice(&exif);
    photograph.extend_from_slice(&plain[2..]);
    photograph
}

/// An image that can't be compressed.
pub(super) fn noise(width: u32, height: u32) -> DynamicImage {
    let mut state = 0x2545_f491_u32;
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |_, _| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let [a, b, c, _] = state.to_le_bytes();
        Rgb([a, b, c])
    }))
}

/// A valid PNG of a few kilobytes with 256 megapixels.
pub(super) fn bomb() -> Vec<u8> {
    const SIDE: u32 = 16_000;
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [SIDE.to_be_bytes(), SIDE.to_be_bytes()].concat();
    // Gray with one bit per pixel.
    header.extend_from_slice(&[1, 0, 0, 0, 0]);
    chunk(&mut png, *b"IHDR", &header);
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::fast());
    let row = vec![0; 1 + SIDE as usize / 8];
    for _ in 0..SIDE {
        pixels.write_all(&row).unwrap();
    }
    chunk(&mut png, *b"IDAT", &pixels.finish().unwrap());
    chunk(&mut png, *b"IEND", &[]);
    png
}

/// A PNG of one color, with these chunks before its pixels. Channels: RGB with alpha.
pub(super) fn flat_png(width: u32, height: u32, chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend_from_slice(&[8, 6, 0, 0, 0]);
    chunk(&mut png, *b"IHDR", &header);
    for (name, data) in chunks {
        chunk(&mut png, *name, data);
    }
    chunk(&mut png, *b"IDAT", &deflated_zeros(height as usize * (1 + 4 * width as usize)));
    chunk(&mut png, *b"IEND", &[]);
    png
}

/// An embedded color profile of this many bytes.
pub(super) fn profile(bytes: usize) -> ([u8; 4], Vec<u8>) {
    (*b"iCCP", [&b"x\0\0"[..], &deflated_zeros(bytes)].concat())
}

fn deflated_zeros(length: usize) -> Vec<u8> {
    let zeros = vec![0; 1024 * 1024];
    let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..length / zeros.len() {
        out.write_all(&zeros).unwrap();
    }
    out.write_all(&zeros[..length % zeros.len()]).unwrap();
    out.finish().unwrap()
}

/// A JPEG of one color without subsampling, `scans` of which each have the same number of components. All coefficients
/// are zero, and both Huffman tables have one code, the bit 0.
pub(super) fn flat_jpeg(width: u16, height: u16, frame: u8, scans: &[&[u8]], metadata: usize) -> Vec<u8> {
    const TABLE: [u8; 17] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut jpeg = vec![0xff, 0xd8];
    for _ in 0..metadata.div_ceil(65_000) {
        segment(&mut jpeg, 0xe1, &[&b"Exif\0\0"[..], &vec![0; 65_000]].concat());
    }
    segment(&mut jpeg, 0xdb, &[&[0][..], &[1; 64]].concat());
    segment(&mut jpeg, 0xc4, &[&[0x00][..], &TABLE].concat());
    segment(&mut jpeg, 0xc4, &[&[0x10][..], &TABLE].concat());
    let count = |ids: &[u8]| u8::try_from(ids.len()).unwrap();
    let components = scans.concat();
    let mut header = [&[8][..], &height.to_be_bytes(), &width.to_be_bytes(), &[count(&components)]].concat();
    header.extend(components.iter().flat_map(|id| [*id, 0x11, 0]));
    segment(&mut jpeg, frame, &header);
    let blocks = usize::from(width).div_ceil(8) * usize::from(height).div_ceil(8);
    // The first scan of a progressive file has the first coefficient only.
    let (last, bits_per_block) = if frame == PROGRESSIVE { (0, 1) } else { (63, 2) };
    for scan in scans {
        let mut header = vec![count(scan)];
        header.extend(scan.iter().flat_map(|id| [*id, 0]));
        header.extend([0, last, 0]);
        segment(&mut jpeg, 0xda, &header);
        jpeg.resize(jpeg.len() + (blocks * scan.len() * bits_per_block).div_ceil(8), 0);
    }
    jpeg.extend([0xff, 0xd9]);
    jpeg
}

fn segment(jpeg: &mut Vec<u8>, marker: u8, data: &[u8]) {
    jpeg.extend([0xff, marker]);
    jpeg.extend(u16::try_from(data.len() + 2).unwrap().to_be_bytes());
    jpeg.extend_from_slice(data);
}

/// A lossless WebP of 4 × 4 pixels that declares 65,536 groups of five Huffman codes. Each code has 11 symbols of 1 to
/// 10 bits, which a decoder unfolds to a table of 4 kB.
pub(super) fn webp_of_huffman_codes() -> Vec<u8> {
    const GROUPS: usize = 65_536;
    // A code with one symbol, which takes no bits in the stream.
    let single = |symbol: u32| [(1, 1), (0, 1), (1, 1), (symbol, 8)];
    let mut bits = Bits::default();
    // Signature, width, height, alpha, version; no transform, no color cache, several groups of codes.
    bits.push(&[(0x2f, 8), (3, 14), (3, 14), (1, 1), (0, 3), (0, 1), (0, 1), (1, 1), (0, 3)]);
    // The image of the groups has one pixel, whose red and green are the highest number of a group.
    bits.push(&[(0, 1)]);
    for symbol in [255, 255, 0, 0, 0] {
        bits.push(&single(symbol));
    }
    let header_bytes = bits.count.div_ceil(8);
    // The lengths of the codes of the lengths, in the order 17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7 …
    let mut code = vec![(0, 1), (10, 4)];
    code.extend([0, 0, 0, 3, 3, 3, 3, 3, 0, 3, 4, 4, 4, 4].map(|length| (length, 3)));
    // Only eleven lengths follow: 1 to 10 and again 10, each by its code, whose first bit is its highest.
    code.extend([(1, 1), (1, 3), (9, 4)]);
    let reversed = |code: u32, length: u32| (code.reverse_bits() >> (32 - length), length);
    code.extend((0..6).map(|symbol| reversed(symbol, 3)));
    code.extend([12, 13, 14, 15, 15].map(|symbol| reversed(symbol, 4)));
    let before = bits.count;
    for _ in 0..5 * 9 {
        bits.push(&code);
    }
    // Eight groups take a whole number of bytes.
    let period = (bits.count - before) / 9;
    let repeated = bits.bytes[header_bytes..header_bytes + period].to_vec();
    let mut stream = bits.bytes[..header_bytes].to_vec();
    (0..GROUPS / 8).for_each(|_| stream.extend_from_slice(&repeated));
    stream.resize(stream.len() + 16 + stream.len() % 2, 0);

    let length = |bytes: usize| u32::try_from(bytes).unwrap().to_le_bytes();
    [b"RIFF", &length(stream.len() + 12)[..], b"WEBPVP8L", &length(stream.len()), &stream].concat()
}

/// Bits, the lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    /// Appends fields of a value and its number of bits.
    fn push(&mut self, fields: &[(u32, u32)]) {
        for bit in fields.iter().flat_map(|(value, bits)| (0..*bits).map(move |bit| value >> bit & 1)) {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            self.bytes[self.count / 8] |= u8::from(bit == 1) << (self.count % 8);
            self.count += 1;
        }
    }
}

fn chunk(png: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    png.extend_from_slice(&u32::try_from(data.len()).unwrap().to_be_bytes());
    let begun = png.len();
    png.extend_from_slice(&name);
    png.extend_from_slice(data);
    let mut sum = flate2::Crc::new();
    sum.update(&png[begun..]);
    png.extend_from_slice(&sum.sum().to_be_bytes());
}
