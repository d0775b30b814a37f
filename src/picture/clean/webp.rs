//! The chunks of a WebP (RFC 9649).

use image::metadata::Orientation;

use super::bytes::{Cursor, le_u16, le_u24, le_u32};
use super::metadata::{EXIF, MAX_PROFILE_BYTES};
use crate::format::{Format, Header, sized};

/// Flags of the extended header.
const HAS_PROFILE: u8 = 0x20;
const HAS_ALPHA: u8 = 0x10;
const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;
const HAS_ANIMATED: u8 = 0x02;

pub(super) fn header(start: &[u8]) -> Option<Header> {
    let (kind, data) = (start.get(12..16)?, start.get(20..)?);
    let (width, height) = match kind {
        b"VP8X" => (le_u24(data.get(4..)?)? + 1, le_u24(data.get(7..)?)? + 1),
        _ => frame_size(kind, data)?,
    };
    let flags = if kind == b"VP8X" { *data.first()? } else { 0 };
    let more = match kind {
        _ if flags & HAS_ANIMATED != 0 => 8,
        b"VP8 " => 2,
        _ => 5,
    };
    let opaque = kind == b"VP8 " || (kind == b"VP8X" && flags & HAS_ALPHA == 0);
    Some(sized(Format::WebP, width, height, if opaque { 3 } else { 4 }, more))
}

/// Reads the dimensions of a frame (RFC 6386, section 9.1; RFC 9649, section 3.4).
fn frame_size(kind: &[u8], data: &[u8]) -> Option<(u32, u32)> {
    if kind == b"VP8 " {
        let (width, height) = (le_u16(data.get(6..)?)?, le_u16(data.get(8..)?)?);
        return Some((width & 0x3FFF, height & 0x3FFF));
    }
    if kind != b"VP8L" || *data.first()? != 0x2F {
        return None;
    }
    let bits = le_u32(data.get(1..)?)?;
    Some(((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1))
}

pub(super) fn clean(header: &Header, source: &[u8], content: &mut Vec<u8>) -> Option<Option<Orientation>> {
    let length = le_u32(source.get(4..)?)? as usize;
    let body = source.get(12..8usize.checked_add(length)?)?;
    content.extend_from_slice(b"RIFF\0\0\0\0WEBP");
    let mut found = Found::default();
    chunks(header, body, content, &mut found, true)?;
    if content.get(12..16)? == b"VP8X" {
        let dropped = if found.profile { 0 } else { HAS_PROFILE };
        *content.get_mut(20)? &= !(HAS_EXIF | HAS_XMP | dropped);
    }
    let length = u32::try_from(content.len() - 8).ok()?;
    content[4..8].copy_from_slice(&length.to_le_bytes());
    found.frame.then_some(found.orientation)
}

#[derive(Default)]
struct Found {
    orientation: Option<Orientation>,
    profile: bool,
    frame: bool,
}

fn chunks(header: &Header, body: &[u8], content: &mut Vec<u8>, found: &mut Found, is_top: bool) -> Option<()> {
    let mut rest = Cursor(body);
    while !rest.0.is_empty() {
        let kind = rest.take(4)?;
        let length = le_u32(rest.take(4)?)? as usize;
        let data = rest.take(length)?;
        // The last padding byte is often missing.
        let _ = (length % 2 == 1).then(|| rest.take(1));
        match kind {
            b"VP8 " | b"VP8L" => {
                let (width, height) = frame_size(kind, data)?;
                if width > header.width || height > header.height {
                    return None;
                }
                found.frame = true;
            }
            b"ANMF" if is_top => {
                let start = content.len();
                put_chunk(content, kind, data.get(..16)?);
                chunks(header, data.get(16..)?, content, found, false)?;
                let length = u32::try_from(content.len() - start - 8).ok()?;
                content[start + 4..start + 8].copy_from_slice(&length.to_le_bytes());
                continue;
            }
            b"ICCP" if is_top && length <= MAX_PROFILE_BYTES => found.profile = true,
            b"EXIF" if is_top => {
                let exif = data.strip_prefix(EXIF).unwrap_or(data);
                found.orientation = found.orientation.or_else(|| Orientation::from_exif_chunk(exif));
                continue;
            }
            b"VP8X" | b"ANIM" if is_top => {}
            b"ALPH" => {}
            _ => continue,
        }
        put_chunk(content, kind, data);
    }
    Some(())
}

fn put_chunk(content: &mut Vec<u8>, kind: &[u8], data: &[u8]) {
    content.extend_from_slice(kind);
    content.extend_from_slice(&u32::try_from(data.len()).unwrap_or(0).to_le_bytes());
    content.extend_from_slice(data);
    if data.len() % 2 == 1 {
        content.push(0);
    }
}
