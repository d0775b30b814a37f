//! The chunks of a PNG (ISO/IEC 15948).

use image::metadata::Orientation;

use super::bytes::{Cursor, be_u32};
use crate::format::{Format, Header, sized};
use crate::rows;

pub(super) const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";
/// Limit of a colour profile, which is compressed in a PNG.
const MAX_COMPRESSED_PROFILE_BYTES: usize = 4 * 1024;

pub(super) fn header(start: &[u8]) -> Option<Header> {
    if start.get(12..16)? != b"IHDR" {
        return None;
    }
    let (width, height) = (be_u32(start.get(16..)?)?, be_u32(start.get(20..)?)?);
    let (depth, colour) = (*start.get(24)?, *start.get(25)?);
    // The decoder expands palettes and transparent colours.
    let channels = match colour {
        0 => 2,
        4 => 2,
        2 | 3 | 6 => 4,
        _ => return None,
    };
    let pixel_bytes = if depth == 16 { 2 * channels } else { channels };
    let row_bytes = u64::from(width) * pixel_bytes;
    // Rows are decoded one by one unless the picture is interlaced.
    let in_rows = *start.get(28)? == 0;
    Some(Header {
        scaled_bytes: in_rows.then(|| rows::needed(width, height, row_bytes)),
        ..sized(Format::Png, width, height, pixel_bytes, 0)
    })
}

pub(super) fn clean(source: &[u8], content: &mut Vec<u8>) -> Option<Option<Orientation>> {
    let mut rest = Cursor(source);
    content.extend_from_slice(rest.take(SIGNATURE.len())?);
    let mut orientation = None;
    for at in 0.. {
        let whole = rest.0;
        let length = be_u32(rest.take(4)?)? as usize;
        let kind = rest.take(4)?;
        let data = rest.take(length)?;
        rest.take(4)?;
        if (at == 0) != (kind == b"IHDR") {
            return None;
        }
        let keeps = match kind {
            b"IHDR" | b"PLTE" | b"IDAT" | b"IEND" | b"tRNS" | b"gAMA" | b"cHRM" | b"sRGB" | b"cICP" => true,
            b"iCCP" => length <= MAX_COMPRESSED_PROFILE_BYTES,
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
