//! The blocks of a GIF (GIF89a).

use image::metadata::Orientation;

use super::bytes::{Cursor, le_u16};
use crate::format::{Format, Header, sized};

const TABLE: u8 = 0x80;

pub(super) fn header(start: &[u8]) -> Option<Header> {
    let (width, height) = (le_u16(start.get(6..)?)?, le_u16(start.get(8..)?)?);
    Some(sized(Format::Gif, width, height, 4, 5))
}

fn table_bytes(flags: u8) -> usize {
    if flags & TABLE == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

pub(super) fn clean(header: &Header, source: &[u8], content: &mut Vec<u8>) -> Option<Option<Orientation>> {
    let mut rest = Cursor(source);
    let screen = rest.take(13)?;
    content.extend_from_slice(screen);
    content.extend_from_slice(rest.take(table_bytes(screen[10]))?);
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
                let [left, top, width, height] = [0, 2, 4, 6].map(|at| le_u16(&frame[at..]).unwrap_or(u32::MAX));
                if left + width > header.width || top + height > header.height {
                    return None;
                }
                rest.take(table_bytes(frame[8]))?;
                rest.byte()?;
                skip_blocks(&mut rest)?;
                content.extend_from_slice(&block[..block.len() - rest.0.len()]);
                frames += 1;
            }
            b'!' => {
                let kind = rest.byte()?;
                let data = rest.0;
                skip_blocks(&mut rest)?;
                // Graphic control and loop count.
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

fn skip_blocks(rest: &mut Cursor<'_>) -> Option<()> {
    loop {
        match rest.byte()? {
            0 => return Some(()),
            length => rest.take(usize::from(length))?,
        };
    }
}
