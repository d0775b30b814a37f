//! The segments of a JPEG (ITU-T T.81, annex B).

use std::io::{Read, Seek, SeekFrom};

use image::metadata::Orientation;

use super::bytes::{Cursor, be_u16};
use super::metadata::{EXIF, MAX_PROFILE_BYTES};
use crate::coarse;
use crate::format::{Format, Header, Refusal, sized};
use crate::scaled::{PIXELS_BYTES, QUEUED_BYTES};

/// Most segments before a JPEG's frame header. Real files have some dozens.
const MAX_SEGMENTS: usize = 2000;
/// Most scans of a progressive picture; programs write about ten. Other pictures have one, or one per component.
const MAX_SCANS: usize = 100;
const MAX_COMPONENTS: usize = 4;
const START_OF_IMAGE: u8 = 0xD8;
const END_OF_IMAGE: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;
const JFIF: &[u8] = b"JFIF\0";
const PROFILE: &[u8] = b"ICC_PROFILE\0";

/// Returns whether a marker begins a frame header: 0xC0 to 0xCF except for tables (C4), arithmetic conditioning (CC)
/// and a reserved one (C8).
const fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC)
}

const fn is_progressive(marker: u8) -> bool {
    matches!(marker, 0xC2 | 0xC6 | 0xCA | 0xCE)
}

/// Returns whether a marker has no length and no segment.
const fn stands_alone(marker: u8) -> bool {
    matches!(marker, 0x01 | 0xD0..=START_OF_IMAGE)
}

pub(super) fn header(file: &mut (impl Read + Seek)) -> Option<Header> {
    file.seek(SeekFrom::Start(2)).ok()?;
    for _ in 0..MAX_SEGMENTS {
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

/// Computes the memory from the frame header. In addition to the pixels, decoding a progressive picture takes two bytes
/// per coefficient of each component, a plane per component, and the coefficients of one component again: they are
/// handed to another thread, however far behind it is.
fn frame_header(marker: u8, frame: &[u8]) -> Option<Header> {
    let (height, width) = (be_u16(frame.get(1..)?)?, be_u16(frame.get(3..)?)?);
    let components = frame.get(6..)?.chunks_exact(3);
    let samplings: Vec<(u64, u64)> = components
        .map(|component| (u64::from(component[1] >> 4), u64::from(component[1] & 15)))
        .collect();
    if samplings.len() != usize::from(*frame.get(5)?) || samplings.is_empty() {
        return None;
    }
    let most = samplings.iter().map(|(across, down)| across * down).max()?.max(1);
    let sum: u64 = samplings.iter().map(|(across, down)| across * down).sum();
    let progressive = is_progressive(marker);
    let all = (2 * sum).div_ceil(most);
    let (coefficients, planes) = match progressive {
        true => (all + 2, sum.div_ceil(most)),
        false => (0, 0),
    };
    let pixel_bytes = if samplings.len() == 1 { 1 } else { 3 };
    // With four components the decoder also holds the fourth one.
    let more = coefficients + planes + u64::from(samplings.len() == 4);
    let header = sized(Format::Jpeg, width, height, pixel_bytes, more);
    let pixels = u64::from(width) * u64::from(height);
    // The scaling decoders return four components unconverted, so they can't be used.
    let scales = samplings.len() != 4;
    let coarse = scales && progressive && coarse::is_enough(width, height);
    let scaled = match progressive {
        true if coarse => 0,
        true => pixels * coefficients,
        false => (pixels * all).min(QUEUED_BYTES),
    };
    Some(Header {
        scaled_bytes: scales.then_some(scaled + PIXELS_BYTES),
        progressive,
        coarse,
        ..header
    })
}

pub(super) fn clean(header: &Header, source: &[u8], content: &mut Vec<u8>) -> Result<Option<Orientation>, Refusal> {
    let mut scans = 0;
    let cleaned = clean_counting(source, content, &mut scans);
    let most = if header.progressive { MAX_SCANS } else { MAX_COMPONENTS };
    match cleaned {
        _ if scans > most => Err(Refusal::TooMuchWork),
        cleaned => cleaned.ok_or(Refusal::Broken),
    }
}

/// Adds the orientation to a cleaned JPEG as its only metadata: Exif 2.32, section 4.5, with one entry. Returns an
/// upright picture unchanged.
pub(crate) fn with_orientation(mut content: Vec<u8>, orientation: Orientation) -> Vec<u8> {
    if orientation == Orientation::NoTransforms {
        return content;
    }
    let mut segment = vec![0xFF, 0xE1, 0, 34];
    segment.extend_from_slice(EXIF);
    // Big-endian; the directory at offset 8 has one entry: the tag, type short, count 1, the value. No further
    // directory follows.
    segment.extend_from_slice(&[b'M', b'M', 0, 42, 0, 0, 0, 8, 0, 1]);
    segment.extend_from_slice(&[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.to_exif(), 0, 0]);
    segment.extend_from_slice(&[0; 4]);
    content.splice(2..2, segment);
    content
}

fn clean_counting(source: &[u8], content: &mut Vec<u8>, scans: &mut usize) -> Option<Option<Orientation>> {
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
        let length = be_u16(rest.0)? as usize;
        let segment = rest.take(length)?.get(2..)?;
        let keeps = match marker {
            _ if is_frame(marker) => {
                frames += 1;
                frames == 1
            }
            // Huffman, arithmetic and quantisation tables, restart interval, scan; then Adobe's colour transform.
            0xC4 | 0xCC | 0xDB | 0xDD | START_OF_SCAN => true,
            0xEE => segment.starts_with(b"Adobe") && segment.len() == 12,
            0xE2 if segment.starts_with(PROFILE) => {
                profile_bytes += segment.len();
                profile_bytes <= MAX_PROFILE_BYTES
            }
            0xE1 if segment.starts_with(EXIF) => {
                orientation = orientation.or_else(|| Orientation::from_exif_chunk(&segment[EXIF.len()..]));
                false
            }
            _ => false,
        };
        if marker == 0xE0 && segment.starts_with(JFIF) && segment.len() >= 14 {
            // Keeps version and density, without a thumbnail.
            content.extend_from_slice(&[0xFF, 0xE0, 0, 16]);
            content.extend_from_slice(&segment[..12]);
            content.extend_from_slice(&[0, 0]);
        } else if keeps {
            content.extend_from_slice(&[0xFF, marker]);
            content.extend_from_slice(&source[source.len() - rest.0.len() - length..source.len() - rest.0.len()]);
        }
        if marker == START_OF_SCAN {
            *scans += 1;
            if *scans > MAX_SCANS {
                return None;
            }
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

/// Returns the length of the entropy-coded data, which ends before a marker that is neither a stuffed byte nor a
/// restart.
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
