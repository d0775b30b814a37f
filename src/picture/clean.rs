//! What the file of a picture says of itself, and that file without metadata. Reads containers only, never pixels.
//!
//! Of every format a short list of parts stays: those that are needed to show the picture as it was meant, its colour profile among
//! them. All else is left out, known or not: EXIF, XMP, IPTC, maker notes, comments, texts, thumbnails, further pictures, and whatever
//! stands behind the end. So a format that learns new metadata tomorrow brings none of it in.

use std::io::{Read, Seek, SeekFrom};

use image::metadata::Orientation;

use super::{Format, Header, Refusal};

/// How much of the beginning tells what a file is.
const RECOGNISED_BY_BYTES: usize = 1024;
/// Parts in front of a JPEG's frame header. Real files have some dozens.
const SEGMENTS_MOST: usize = 2000;
/// A colour profile has a few hundred bytes to some ten thousand; that of a printer is no picture's. A PNG's is compressed.
const PROFILE_MOST_BYTES: usize = 128 * 1024;
const COMPRESSED_PROFILE_MOST_BYTES: usize = 4 * 1024;

const PNG_SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

/// A file without metadata.
pub(super) struct Cleaned {
    pub header: Header,
    pub content: Vec<u8>,
    /// How it has to be turned to be seen upright.
    pub orientation: Orientation,
}

/// Reads what a picture is and how large it gets; skips everything in front of that.
pub(super) fn header(file: &mut (impl Read + Seek)) -> Result<Header, Refusal> {
    let mut start = Vec::with_capacity(RECOGNISED_BY_BYTES);
    file.rewind().map_err(|_| Refusal::Broken)?;
    file.by_ref()
        .take(RECOGNISED_BY_BYTES as u64)
        .read_to_end(&mut start)
        .map_err(|_| Refusal::Broken)?;
    let format = recognise(&start)?;
    let header = match format {
        Format::Jpeg => jpeg_header(file),
        Format::Png => png_header(&start),
        Format::WebP => webp_header(&start),
        Format::Gif => gif_header(&start),
    };
    header
        .filter(|header| header.width > 0 && header.height > 0)
        .ok_or(Refusal::Broken)
}

fn recognise(start: &[u8]) -> Result<Format, Refusal> {
    if start.starts_with(&[0xFF, 0xD8, 0xFF]) {
        return Ok(Format::Jpeg);
    }
    if start.starts_with(PNG_SIGNATURE) {
        return Ok(Format::Png);
    }
    if start.starts_with(b"RIFF") && start.get(8..12) == Some(b"WEBP") {
        return Ok(Format::WebP);
    }
    if start.starts_with(b"GIF87a") || start.starts_with(b"GIF89a") {
        return Ok(Format::Gif);
    }
    // ISO/IEC 14496-12: the brands of HEIF and AVIF.
    let brand = start.get(8..12).unwrap_or_default();
    let is_heif = [b"heic", b"heix", b"heim", b"hevc", b"mif1", b"msf1", b"avif", b"avis"].contains(&&brand_of(brand));
    if start.get(4..8) == Some(b"ftyp") && is_heif {
        return Err(Refusal::Heic);
    }
    let beginning = String::from_utf8_lossy(start).to_lowercase();
    if beginning
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
        .starts_with('<')
        && beginning.contains("<svg")
    {
        return Err(Refusal::Svg);
    }
    Err(Refusal::NoPicture)
}

fn brand_of(bytes: &[u8]) -> [u8; 4] {
    bytes.try_into().unwrap_or_default()
}

/// A picture whose decoder needs so many bytes a pixel besides the pixels themselves.
fn sized(format: Format, width: u32, height: u32, pixel_bytes: u64, more_bytes: u64) -> Header {
    let pixels = u64::from(width) * u64::from(height);
    Header {
        format,
        width,
        height,
        decoding_bytes: pixels * (pixel_bytes + more_bytes),
        pixels_bytes: pixels * pixel_bytes,
    }
}

/// Takes bytes from the front.
struct Cursor<'b>(&'b [u8]);

impl<'b> Cursor<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }
}

fn big_16(bytes: &[u8]) -> Option<u32> {
    Some(u32::from(u16::from_be_bytes(bytes.get(..2)?.try_into().ok()?)))
}

fn big_32(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?))
}

fn little_16(bytes: &[u8]) -> Option<u32> {
    Some(u32::from(u16::from_le_bytes(bytes.get(..2)?.try_into().ok()?)))
}

fn little_24(bytes: &[u8]) -> Option<u32> {
    let bytes = bytes.get(..3)?;
    Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]))
}

fn little_32(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?))
}

/// The file without metadata; `None` when it is broken.
pub(super) fn clean(header: Header, source: &[u8]) -> Option<Cleaned> {
    let mut content = Vec::with_capacity(source.len());
    let orientation = match header.format {
        Format::Jpeg => clean_jpeg(source, &mut content)?,
        Format::Png => clean_png(source, &mut content)?,
        Format::WebP => clean_webp(&header, source, &mut content)?,
        Format::Gif => clean_gif(&header, source, &mut content)?,
    };
    Some(Cleaned {
        header,
        content,
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
    })
}

// ---- JPEG (ITU-T T.81, annex B) ----

const START_OF_IMAGE: u8 = 0xD8;
const END_OF_IMAGE: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;
const JFIF: &[u8] = b"JFIF\0";
const EXIF: &[u8] = b"Exif\0\0";
const PROFILE: &[u8] = b"ICC_PROFILE\0";

/// Frame headers: 0xC0 to 0xCF but for tables (C4), arithmetic conditioning (CC) and what is reserved (C8).
const fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC)
}

const fn is_progressive(marker: u8) -> bool {
    matches!(marker, 0xC2 | 0xC6 | 0xCA | 0xCE)
}

/// Markers that stand alone, without a length.
const fn stands_alone(marker: u8) -> bool {
    matches!(marker, 0x01 | 0xD0..=START_OF_IMAGE)
}

fn jpeg_header(file: &mut (impl Read + Seek)) -> Option<Header> {
    file.seek(SeekFrom::Start(2)).ok()?;
    for _ in 0..SEGMENTS_MOST {
        let mut two = [0; 2];
        file.read_exact(&mut two).ok()?;
        while two[0] == 0xFF && two[1] == 0xFF {
            file.read_exact(&mut two[1..]).ok()?;
        }
        let [0xFF, marker] = two else { return None };
        if stands_alone(marker) {
            continue;
        }
        if matches!(marker, START_OF_SCAN | END_OF_IMAGE) {
            return None;
        }
        file.read_exact(&mut two).ok()?;
        let length = u16::from_be_bytes(two).checked_sub(2)?;
        if is_frame(marker) {
            let mut frame = vec![0; usize::from(length)];
            file.read_exact(&mut frame).ok()?;
            return frame_header(marker, &frame);
        }
        file.seek(SeekFrom::Current(i64::from(length))).ok()?;
    }
    None
}

/// Besides the pixels a progressive picture needs two bytes for each coefficient of each component.
fn frame_header(marker: u8, frame: &[u8]) -> Option<Header> {
    let (height, width) = (big_16(frame.get(1..)?)?, big_16(frame.get(3..)?)?);
    let components = frame.get(6..)?.chunks_exact(3);
    let samplings: Vec<(u64, u64)> = components
        .map(|component| (u64::from(component[1] >> 4), u64::from(component[1] & 15)))
        .collect();
    if samplings.len() != usize::from(*frame.get(5)?) || samplings.is_empty() {
        return None;
    }
    let most = samplings.iter().map(|(across, down)| across * down).max()?.max(1);
    let sum: u64 = samplings.iter().map(|(across, down)| across * down).sum();
    let coefficients = if is_progressive(marker) {
        (2 * sum).div_ceil(most)
    } else {
        0
    };
    let pixel_bytes = if samplings.len() == 1 { 1 } else { 3 };
    // The decoder of four components holds the fourth one too.
    let more = coefficients + u64::from(samplings.len() == 4);
    Some(sized(Format::Jpeg, width, height, pixel_bytes, more))
}

fn clean_jpeg(source: &[u8], content: &mut Vec<u8>) -> Option<Option<Orientation>> {
    let mut rest = Cursor(source);
    content.extend_from_slice(rest.take(2)?);
    let mut orientation = None;
    let mut frames = 0;
    let mut profile_bytes = 0;
    loop {
        let marker = next_marker(&mut rest)?;
        if marker == END_OF_IMAGE {
            content.extend_from_slice(&[0xFF, END_OF_IMAGE]);
            return (frames == 1).then_some(orientation);
        }
        if stands_alone(marker) {
            continue;
        }
        let length = big_16(rest.0)? as usize;
        let segment = rest.take(length)?.get(2..)?;
        let keeps = match marker {
            _ if is_frame(marker) => {
                frames += 1;
                frames == 1
            }
            // Huffman, arithmetic and quantisation tables, restart interval, scan; Adobe's colour transform.
            0xC4 | 0xCC | 0xDB | 0xDD | START_OF_SCAN => true,
            0xEE => segment.starts_with(b"Adobe") && segment.len() == 12,
            0xE2 if segment.starts_with(PROFILE) => {
                profile_bytes += segment.len();
                profile_bytes <= PROFILE_MOST_BYTES
            }
            0xE1 if segment.starts_with(EXIF) => {
                orientation = orientation.or_else(|| Orientation::from_exif_chunk(&segment[EXIF.len()..]));
                false
            }
            _ => false,
        };
        if marker == 0xE0 && segment.starts_with(JFIF) && segment.len() >= 14 {
            // Version, density, and no thumbnail.
            content.extend_from_slice(&[0xFF, 0xE0, 0, 16]);
            content.extend_from_slice(&segment[..12]);
            content.extend_from_slice(&[0, 0]);
        } else if keeps {
            content.extend_from_slice(&[0xFF, marker]);
            content.extend_from_slice(&source[source.len() - rest.0.len() - length..source.len() - rest.0.len()]);
        }
        if marker == START_OF_SCAN {
            let scan = scan_length(rest.0)?;
            content.extend_from_slice(rest.take(scan)?);
        }
    }
}

fn next_marker(rest: &mut Cursor<'_>) -> Option<u8> {
    if rest.byte()? != 0xFF {
        return None;
    }
    loop {
        match rest.byte()? {
            0xFF => {}
            0 => return None,
            marker => return Some(marker),
        }
    }
}

/// How long the coded pixels are: up to a marker that is neither a stuffed byte nor a restart.
fn scan_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
        match bytes.get(at + 1)? {
            0 | 0xD0..=0xD7 => at += 2,
            0xFF => at += 1,
            _ => return Some(at),
        }
    }
}

// ---- PNG (ISO/IEC 15948) ----

fn png_header(start: &[u8]) -> Option<Header> {
    if start.get(12..16)? != b"IHDR" {
        return None;
    }
    let (width, height) = (big_32(start.get(16..)?)?, big_32(start.get(20..)?)?);
    let (depth, colour) = (*start.get(24)?, *start.get(25)?);
    // A palette and transparent colours are expanded.
    let channels = match colour {
        0 => 2,
        4 => 2,
        2 | 3 | 6 => 4,
        _ => return None,
    };
    let pixel_bytes = if depth == 16 { 2 * channels } else { channels };
    Some(sized(Format::Png, width, height, pixel_bytes, 0))
}

fn clean_png(source: &[u8], content: &mut Vec<u8>) -> Option<Option<Orientation>> {
    let mut rest = Cursor(source);
    content.extend_from_slice(rest.take(PNG_SIGNATURE.len())?);
    let mut orientation = None;
    for at in 0.. {
        let whole = rest.0;
        let length = big_32(rest.take(4)?)? as usize;
        let kind = rest.take(4)?;
        let data = rest.take(length)?;
        rest.take(4)?;
        if (at == 0) != (kind == b"IHDR") {
            return None;
        }
        let keeps = match kind {
            b"IHDR" | b"PLTE" | b"IDAT" | b"IEND" | b"tRNS" | b"gAMA" | b"cHRM" | b"sRGB" | b"cICP" => true,
            b"iCCP" => length <= COMPRESSED_PROFILE_MOST_BYTES,
            b"eXIf" => {
                orientation = orientation.or_else(|| Orientation::from_exif_chunk(data));
                false
            }
            _ => false,
        };
        if keeps {
            content.extend_from_slice(&whole[..length + 12]);
        }
        if kind == b"IEND" {
            return Some(orientation);
        }
    }
    None
}

// ---- WebP (RFC 9649) ----

/// Bits of the extended header.
const WEBP_PROFILE: u8 = 0x20;
const WEBP_ALPHA: u8 = 0x10;
const WEBP_EXIF: u8 = 0x08;
const WEBP_XMP: u8 = 0x04;
const WEBP_ANIMATED: u8 = 0x02;

fn webp_header(start: &[u8]) -> Option<Header> {
    let (kind, data) = (start.get(12..16)?, start.get(20..)?);
    let (width, height) = match kind {
        b"VP8X" => (little_24(data.get(4..)?)? + 1, little_24(data.get(7..)?)? + 1),
        _ => webp_frame(kind, data)?,
    };
    let flags = if kind == b"VP8X" { *data.first()? } else { 0 };
    let more = match kind {
        _ if flags & WEBP_ANIMATED != 0 => 8,
        b"VP8 " => 2,
        _ => 5,
    };
    let opaque = kind == b"VP8 " || (kind == b"VP8X" && flags & WEBP_ALPHA == 0);
    Some(sized(Format::WebP, width, height, if opaque { 3 } else { 4 }, more))
}

/// The size that a frame says it has (RFC 6386, section 9.1; RFC 9649, section 3.4).
fn webp_frame(kind: &[u8], data: &[u8]) -> Option<(u32, u32)> {
    if kind == b"VP8 " {
        let (width, height) = (little_16(data.get(6..)?)?, little_16(data.get(8..)?)?);
        return Some((width & 0x3FFF, height & 0x3FFF));
    }
    if kind != b"VP8L" || *data.first()? != 0x2F {
        return None;
    }
    let bits = little_32(data.get(1..)?)?;
    Some(((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1))
}

fn clean_webp(header: &Header, source: &[u8], content: &mut Vec<u8>) -> Option<Option<Orientation>> {
    let length = little_32(source.get(4..)?)? as usize;
    let body = source.get(12..8usize.checked_add(length)?)?;
    content.extend_from_slice(b"RIFF\0\0\0\0WEBP");
    let mut found = WebpFound::default();
    webp_chunks(header, body, content, &mut found, true)?;
    if content.get(12..16)? == b"VP8X" {
        let dropped = if found.profile { 0 } else { WEBP_PROFILE };
        *content.get_mut(20)? &= !(WEBP_EXIF | WEBP_XMP | dropped);
    }
    let length = u32::try_from(content.len() - 8).ok()?;
    content[4..8].copy_from_slice(&length.to_le_bytes());
    found.frame.then_some(found.orientation)
}

#[derive(Default)]
struct WebpFound {
    orientation: Option<Orientation>,
    profile: bool,
    frame: bool,
}

fn webp_chunks(header: &Header, body: &[u8], content: &mut Vec<u8>, found: &mut WebpFound, is_top: bool) -> Option<()> {
    let mut rest = Cursor(body);
    while !rest.0.is_empty() {
        let kind = rest.take(4)?;
        let length = little_32(rest.take(4)?)? as usize;
        let data = rest.take(length)?;
        // The last padding byte is often missing.
        let _ = (length % 2 == 1).then(|| rest.take(1));
        match kind {
            b"VP8 " | b"VP8L" => {
                let (width, height) = webp_frame(kind, data)?;
                if width > header.width || height > header.height {
                    return None;
                }
                found.frame = true;
            }
            b"ANMF" if is_top => {
                let start = content.len();
                webp_chunk(content, kind, data.get(..16)?);
                webp_chunks(header, data.get(16..)?, content, found, false)?;
                let length = u32::try_from(content.len() - start - 8).ok()?;
                content[start + 4..start + 8].copy_from_slice(&length.to_le_bytes());
                continue;
            }
            b"ICCP" if is_top && length <= PROFILE_MOST_BYTES => found.profile = true,
            b"EXIF" if is_top => {
                let exif = data.strip_prefix(EXIF).unwrap_or(data);
                found.orientation = found.orientation.or_else(|| Orientation::from_exif_chunk(exif));
                continue;
            }
            b"VP8X" | b"ANIM" if is_top => {}
            b"ALPH" => {}
            _ => continue,
        }
        webp_chunk(content, kind, data);
    }
    Some(())
}

fn webp_chunk(content: &mut Vec<u8>, kind: &[u8], data: &[u8]) {
    content.extend_from_slice(kind);
    content.extend_from_slice(&u32::try_from(data.len()).unwrap_or(0).to_le_bytes());
    content.extend_from_slice(data);
    if data.len() % 2 == 1 {
        content.push(0);
    }
}

// ---- GIF (GIF89a) ----

const GIF_TABLE: u8 = 0x80;

fn gif_header(start: &[u8]) -> Option<Header> {
    let (width, height) = (little_16(start.get(6..)?)?, little_16(start.get(8..)?)?);
    Some(sized(Format::Gif, width, height, 4, 5))
}

fn gif_table_bytes(flags: u8) -> usize {
    if flags & GIF_TABLE == 0 {
        0
    } else {
        3 << ((flags & 7) + 1)
    }
}

fn clean_gif(header: &Header, source: &[u8], content: &mut Vec<u8>) -> Option<Option<Orientation>> {
    let mut rest = Cursor(source);
    let screen = rest.take(13)?;
    content.extend_from_slice(screen);
    content.extend_from_slice(rest.take(gif_table_bytes(screen[10]))?);
    let mut frames = 0;
    loop {
        let block = rest.0;
        match rest.byte()? {
            b';' => {
                content.push(b';');
                return (frames > 0).then_some(None);
            }
            b',' => {
                let frame = rest.take(9)?;
                let [left, top, width, height] = [0, 2, 4, 6].map(|at| little_16(&frame[at..]).unwrap_or(u32::MAX));
                if left + width > header.width || top + height > header.height {
                    return None;
                }
                rest.take(gif_table_bytes(frame[8]))?;
                rest.byte()?;
                skip_gif_blocks(&mut rest)?;
                content.extend_from_slice(&block[..block.len() - rest.0.len()]);
                frames += 1;
            }
            b'!' => {
                let kind = rest.byte()?;
                let data = rest.0;
                skip_gif_blocks(&mut rest)?;
                // How a frame is shown, and how often all of them.
                let loops = data.get(..12).is_some_and(|name| {
                    [b"\x0bNETSCAPE2.0", b"\x0bANIMEXTS1.0"]
                        .iter()
                        .any(|known| *known == name)
                });
                let is_short = data.len() - rest.0.len() <= 17;
                if kind == 0xF9 && is_short || kind == 0xFF && loops && is_short {
                    content.extend_from_slice(&block[..block.len() - rest.0.len()]);
                }
            }
            _ => return None,
        }
    }
}

fn skip_gif_blocks(rest: &mut Cursor<'_>) -> Option<()> {
    loop {
        match rest.byte()? {
            0 => return Some(()),
            length => rest.take(usize::from(length))?,
        };
    }
}
