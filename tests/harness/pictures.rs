//! Generated pictures, valid and malicious ones.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// A text in the metadata of pictures that no answer may contain.
pub const SECRET: &str = "GEHEIM 53.4289 10.3944";

/// A picture with a red corner at the top left.
pub fn drawn(width: u32, height: u32) -> DynamicImage {
    let image = RgbImage::from_fn(width, height, |x, y| {
        if x < width / 2 && y < height / 2 {
            Rgb([220, 10, 10])
        } else {
            Rgb([10, 10, 220])
        }
    });
    image.into()
}

pub fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut content = Cursor::new(Vec::new());
    image.write_to(&mut content, format).expect("a picture is encoded");
    content.into_inner()
}

pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encoded(&drawn(width, height), ImageFormat::Jpeg)
}

pub fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&drawn(width, height), ImageFormat::Png)
}

/// A JPEG like a camera's, with position, comment, trailer and orientation.
pub fn photo(width: u32, height: u32, orientation: u8) -> Vec<u8> {
    photo_of(&jpeg(width, height), orientation)
}

/// A JPEG with the metadata of a camera.
pub fn photo_of(plain: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend_from_slice(&[orientation, 0, 0, 0, 0, 0, 0, 0]);
    exif.extend_from_slice(SECRET.as_bytes());
    let xmp = format!("http://ns.adobe.com/xap/1.0/\0{SECRET}").into_bytes();
    let html = b"<html><script>alert(1)</script>".to_vec();
    let mut content = plain[..2].to_vec();
    for (marker, data) in [
        (0xE1, exif),
        (0xE1, xmp),
        (0xFE, html),
        (0xED, SECRET.as_bytes().to_vec()),
    ] {
        content.extend_from_slice(&[0xFF, marker]);
        content.extend_from_slice(&u16::try_from(data.len() + 2).expect("a short segment").to_be_bytes());
        content.extend_from_slice(&data);
    }
    content.extend_from_slice(&plain[2..]);
    content.extend_from_slice(SECRET.as_bytes());
    content
}

/// Makes a PNG from chunks, with correct checksums.
pub fn png_of(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut content = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in chunks {
        content.extend_from_slice(&u32::try_from(data.len()).expect("a short chunk").to_be_bytes());
        let checked = [kind.as_slice(), data].concat();
        content.extend_from_slice(&checked);
        content.extend_from_slice(&crc32fast::hash(&checked).to_be_bytes());
    }
    content
}

/// The header chunk of a PNG; colour type 2 is RGB, 6 is RGBA.
pub fn png_header(width: u32, height: u32, depth: u8, colour: u8) -> Vec<u8> {
    let mut header = width.to_be_bytes().to_vec();
    header.extend_from_slice(&height.to_be_bytes());
    header.extend_from_slice(&[depth, colour, 0, 0, 0]);
    header
}

/// A grey progressive JPEG that is small but needs as much memory as any other of its size.
pub fn progressive_jpeg(width: u16, height: u16, scans: usize) -> Vec<u8> {
    grey_jpeg(width, height, 0xC2, 0, scans)
}

/// A grey JPEG as cameras make them, without the work of encoding one.
pub fn large_jpeg(width: u16, height: u16) -> Vec<u8> {
    grey_jpeg(width, height, 0xC0, 63, 1)
}

/// A JPEG of this kind of frame, whose scans go up to this coefficient.
fn grey_jpeg(width: u16, height: u16, frame: u8, last: u8, scans: usize) -> Vec<u8> {
    let segment = |marker: u8, content: &[u8]| {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker], &length[..], content].concat()
    };
    let [high, low] = height.to_be_bytes();
    let [left, right] = width.to_be_bytes();
    // Brightness in full resolution, colours in half; a one-bit code means no change, or the end of a block.
    let size = [8, high, low, left, right, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0];
    let table = |class: u8| [&[class << 4, 1][..], &[0; 15], &[0]].concat();
    let blocks = usize::from(width).div_ceil(16) * usize::from(height).div_ceil(16) * 6;
    let bits = blocks * if last == 0 { 1 } else { 2 };
    [
        vec![0xFF, 0xD8],
        segment(0xDB, &[&[0][..], &[1; 64]].concat()),
        segment(frame, &size),
        segment(0xC4, &[table(0), table(1)].concat()),
        [segment(0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, last, 0]), vec![0; bits / 8 + 1]]
            .concat()
            .repeat(scans),
        vec![0xFF, 0xD9],
    ]
    .concat()
}
