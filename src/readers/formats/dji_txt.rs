//! Flight records of DJI's apps. Only their details are read, which need no key in any version; the records themselves
//! are encrypted from version 13 on. Layout as in mikeemoo/dji-log-parser and rembish/pydjirecord.

use std::io::BufRead;

use super::values::display_text;
use crate::samples::{Clock, Figures, FoundFlight, Metadata, Point, ReadError, ReadResult};
use crate::segmenter::Segmenter;
use fluglog_base::text;

/// Bytes before the details, and of the details.
const PREFIX_BYTES: usize = 100;
const DETAILS_BYTES: usize = 400;
/// Bytes that are read where the details are.
const BLOCK_BYTES: usize = 4096;

/// Returns whether a file of `bytes` begins like a flight record.
pub fn matches(head: &[u8], bytes: u64) -> bool {
    let Some(header) = Header::read(head) else {
        return false;
    };
    let fits = match header.version {
        ..12 => (PREFIX_BYTES as u64..bytes).contains(&header.offset) || header.offset == 12,
        _ => bytes > PREFIX_BYTES as u64 && header.offset <= bytes,
    };
    // Distinguishes it from text, in which bytes from 1 to 15 are tabs or line ends only.
    fits && head.get(10..12).is_some_and(|after| !matches!(after, [9 | 10 | 13, _]))
        && head.get(..8).is_some_and(|offset| offset.ends_with(&[0, 0]))
}

struct Header {
    offset: u64,
    version: u8,
}

impl Header {
    fn read(head: &[u8]) -> Option<Header> {
        let offset = u64::from_le_bytes(*head.first_chunk()?);
        let version = *head.get(10)?;
        (1..=15).contains(&version).then_some(Header { offset, version })
    }
}

/// Reads the details of a flight record.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: &mut dyn BufRead, segmenter: &mut Segmenter) -> ReadResult {
    let mut start = [0; PREFIX_BYTES];
    fill(source, &mut start)?;
    let header = Header::read(&start).ok_or(ReadError::Malformed(0))?;
    let at = match header.version {
        ..12 => header.offset,
        _ => PREFIX_BYTES as u64,
    };
    let mut left = at.checked_sub(PREFIX_BYTES as u64).ok_or(ReadError::Malformed(0))?;
    while left > 0 {
        let ready = source.fill_buf()?.len();
        if ready == 0 {
            return Err(ReadError::Malformed(0));
        }
        let skipped = usize::try_from(left).unwrap_or(usize::MAX).min(ready);
        source.consume(skipped);
        left -= skipped as u64;
    }
    let mut block = vec![0; BLOCK_BYTES];
    let length = fill(source, &mut block)?;
    block.truncate(length);
    let details = match header.version {
        ..13 => block,
        _ => deobfuscated(&block).ok_or(ReadError::Malformed(0))?,
    };
    if details.len() < DETAILS_BYTES - 40 {
        return Err(ReadError::Malformed(0));
    }
    if let Some(found) = flight(&details, header.version) {
        segmenter.flight(found);
    }
    Ok(())
}

/// Reads until the buffer is full or the source ends. Returns the number of bytes.
fn fill(source: &mut dyn BufRead, buffer: &mut [u8]) -> Result<usize, ReadError> {
    let mut length = 0;
    while length < buffer.len() {
        match source.read(&mut buffer[length..])? {
            0 => break,
            read => length += read,
        }
    }
    Ok(length)
}

/// Decodes the block with the details, from version 13 on: `00, u16 n, key byte, n − 1 bytes`, which are XORed with a
/// repeating mask of eight bytes.
fn deobfuscated(block: &[u8]) -> Option<Vec<u8>> {
    let [0, low, high, key, covered @ ..] = block else {
        return None;
    };
    let length = usize::from(u16::from_le_bytes([*low, *high])).checked_sub(1)?;
    let covered = covered.get(..length)?;
    let mask = mask(*key);
    let plain: Vec<u8> = covered
        .iter()
        .zip(mask.iter().cycle())
        .map(|(byte, mask)| byte ^ mask)
        .collect();
    // The details follow a byte and their length.
    plain.get(3..).map(<[u8]>::to_vec)
}

fn mask(key: u8) -> [u8; 8] {
    let seed = 0x1234_5678_9ABC_DEF0_u64.wrapping_mul(u64::from(key));
    crc_64(u64::from(key), &seed.to_le_bytes()).to_le_bytes()
}

/// CRC-64 with the Jones polynomial, reflected.
fn crc_64(start: u64, bytes: &[u8]) -> u64 {
    const POLYNOMIAL: u64 = 0x95AC_9329_AC4B_C9B5;
    bytes.iter().fold(start, |crc, byte| {
        (0..8).fold(crc ^ u64::from(*byte), |crc, _| match crc & 1 {
            1 => crc >> 1 ^ POLYNOMIAL,
            _ => crc >> 1,
        })
    })
}

fn flight(details: &[u8], version: u8) -> Option<FoundFlight> {
    let text = |at: usize, length: usize| {
        let bytes = details.get(at..at + length).unwrap_or_default();
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        display_text(&String::from_utf8_lossy(&bytes[..end]), 100)
    };
    let double = |at: usize| {
        details
            .get(at..)
            .and_then(|at| at.first_chunk().copied())
            .map(f64::from_le_bytes)
    };
    let float = |at: usize| {
        let bytes = details.get(at..).and_then(|at| at.first_chunk().copied());
        bytes
            .map(f32::from_le_bytes)
            .map(f64::from)
            .filter(|value| value.is_finite())
    };
    let start = i64::from_le_bytes(*details.get(91..)?.first_chunk()?);
    let millis = i32::from_le_bytes(*details.get(119..)?.first_chunk()?);
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of this century fit")]
    let start = (start > 0).then_some(start as f64 / 1000.0);
    let seconds = f64::from(millis) / 1000.0;
    let speed = float(127).map(|speed| speed * 3.6);
    let kilometres = float(115).map(|distance| if version < 13 { distance / 1000.0 } else { distance });
    let most = speed.map(|speed| speed * seconds / 3600.0);
    let distance = kilometres.filter(|distance| most.is_none_or(|most| *distance <= most + 0.02));
    let point = match (double(107), double(99)) {
        (Some(latitude), Some(longitude)) => Some(Point { latitude, longitude }),
        _ => None,
    };
    let (name, serial, battery) = match version {
        ..=5 => (text(278, 24), text(267, 10), text(338, 10)),
        _ => (text(280, 32), text(312, 16), text(360, 16)),
    };
    let places = [text(40, 20), text(20, 20)];
    let mut location: Vec<String> = Vec::new();
    for place in places {
        if !place.is_empty() && place != "Map Loading" && !location.contains(&place) {
            location.push(place);
        }
    }
    let mut hints = vec![text::IMPORT_SUMMARY_ONLY.to_owned()];
    if distance.is_some() {
        hints.push(text::IMPORT_DISTANCE_ESTIMATED.to_owned());
    }
    Some(FoundFlight {
        metadata: Metadata {
            clock: if start.is_some() { Clock::Utc } else { Clock::Unknown },
            name,
            copter_serial: real_serial(serial),
            battery_serial: real_serial(battery),
            location: location.join(", "),
            hints,
            ..Metadata::default()
        },
        start,
        duration: (millis > 0).then_some(seconds),
        figures: Figures {
            start_point: point,
            height: float(123),
            distance,
            speed,
            ..Figures::default()
        },
        is_motionless: millis <= 0,
        ..FoundFlight::default()
    })
}

fn real_serial(serial: String) -> String {
    let is_none = serial.chars().all(|digit| digit == '0');
    if is_none { String::new() } else { serial }
}
