//! Reads the header of a picture file, and removes its metadata. Reads containers only, never pixels.
//!
//! Each format has an allowlist of the parts that are needed to display the picture as intended, including its colour
//! profile. Everything else is dropped, known or not: EXIF, XMP, IPTC, maker notes, comments, texts, thumbnails,
//! further pictures, and trailing data. So metadata that a format gains in the future is dropped as well.

mod bytes;
mod gif;
mod jpeg;
mod metadata;
mod png;
mod webp;

pub(super) use jpeg::with_orientation;

use std::io::{Read, Seek};

use image::metadata::Orientation;

use super::format::{Format, Header, Refusal};

/// Bytes at the beginning by which a format is recognised.
const RECOGNISED_BY_BYTES: usize = 1024;
/// A file without metadata.
pub(super) struct StrippedFile {
    pub header: Header,
    pub content: Vec<u8>,
    /// How the picture has to be turned to be upright.
    pub orientation: Orientation,
}

/// Reads the format and dimensions, skipping the segments before them.
pub(super) fn header(file: &mut (impl Read + Seek)) -> Result<Header, Refusal> {
    let mut start = Vec::with_capacity(RECOGNISED_BY_BYTES);
    file.rewind().map_err(|_| Refusal::Broken)?;
    file.by_ref()
        .take(RECOGNISED_BY_BYTES as u64)
        .read_to_end(&mut start)
        .map_err(|_| Refusal::Broken)?;
    let format = detect_format(&start)?;
    let header = match format {
        Format::Jpeg => jpeg::header(file),
        Format::Png => png::header(&start),
        Format::WebP => webp::header(&start),
        Format::Gif => gif::header(&start),
    };
    header
        .filter(|header| header.width > 0 && header.height > 0)
        .ok_or(Refusal::Broken)
}

fn detect_format(start: &[u8]) -> Result<Format, Refusal> {
    if start.starts_with(&[0xFF, 0xD8, 0xFF]) {
        return Ok(Format::Jpeg);
    }
    if start.starts_with(png::SIGNATURE) {
        return Ok(Format::Png);
    }
    if start.starts_with(b"RIFF") && start.get(8..12) == Some(b"WEBP") {
        return Ok(Format::WebP);
    }
    if start.starts_with(b"GIF87a") || start.starts_with(b"GIF89a") {
        return Ok(Format::Gif);
    }
    // Brands of HEIF and AVIF (ISO/IEC 14496-12).
    if start.get(4..8) == Some(b"ftyp") {
        match start.get(8..12).unwrap_or_default() {
            b"avif" | b"avis" => return Err(Refusal::Avif),
            b"mif1" | b"msf1" if brands(start).any(|brand| brand == b"avif" || brand == b"avis") => {
                return Err(Refusal::Avif);
            }
            b"heic" | b"heix" | b"heim" | b"hevc" | b"mif1" | b"msf1" => return Err(Refusal::Heic),
            _ => {}
        }
    }
    let beginning = String::from_utf8_lossy(start).to_lowercase();
    if beginning
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
        .starts_with('<')
        && beginning.contains("<svg")
    {
        return Err(Refusal::Svg);
    }
    Err(Refusal::NotAPicture)
}

/// Returns the compatible brands of the file type box at the beginning.
fn brands(start: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = start.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes));
    let end = start.len().min(usize::try_from(bytes).unwrap_or_default());
    start.get(16..end).unwrap_or_default().chunks_exact(4)
}

/// Removes the metadata from a file.
pub(super) fn clean(header: Header, source: &[u8]) -> Result<StrippedFile, Refusal> {
    let mut content = Vec::with_capacity(source.len());
    let orientation = match header.format {
        Format::Jpeg => jpeg::clean(&header, source, &mut content)?,
        Format::Png => png::clean(source, &mut content).ok_or(Refusal::Broken)?,
        Format::WebP => webp::clean(&header, source, &mut content).ok_or(Refusal::Broken)?,
        Format::Gif => gif::clean(&header, source, &mut content).ok_or(Refusal::Broken)?,
    };
    Ok(StrippedFile {
        header,
        content,
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
    })
}
