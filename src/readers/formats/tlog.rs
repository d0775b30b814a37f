//! MAVLink telemetry logs of ground stations (`.tlog`): each frame follows its time in microseconds since 1970.
//!
//! Not read by the crate `mavlink`: four messages are needed, and its dialects are megabytes.

use std::io::BufRead;

use super::lookahead::{Lookahead, MonotonicClock, array, seconds};
use crate::samples::{Clock, Metadata, Point, ReadResult, Sample, SkippedPart};
use crate::segmenter::Segmenter;
use fluglog_base::{number, text};

/// The first byte of a frame in MAVLink 1 and 2.
const MARKS: [u8; 2] = [0xFE, 0xFD];
const TIME_BYTES: usize = 8;
/// Bytes before the payload, including the first byte, in MAVLink 1 and 2.
const HEADER_BYTES: [usize; 2] = [6, 10];
const CHECKSUM_BYTES: usize = 2;
const SIGNATURE_BYTES: usize = 13;
const IS_SIGNED: u8 = 1;
const MAX_PAYLOAD_BYTES: usize = 255;
const MAX_RECORD_BYTES: usize = TIME_BYTES + 10 + MAX_PAYLOAD_BYTES + CHECKSUM_BYTES + SIGNATURE_BYTES;
/// Plausible times: 2008 to 2099.
const YEARS_MICROS: std::ops::Range<u64> = 1_199_145_600_000_000..4_102_444_800_000_000;
/// The messages that are read, each with its `CRC_EXTRA` byte (`common.xml`).
const HEARTBEAT: u32 = 0;
const SYS_STATUS: u32 = 1;
const GLOBAL_POSITION_INT: u32 = 33;
const BATTERY_STATUS: u32 = 147;
const CHECKED: [(u32, u8); 4] = [
    (HEARTBEAT, 50),
    (SYS_STATUS, 124),
    (GLOBAL_POSITION_INT, 104),
    (BATTERY_STATUS, 154),
];
/// `MAV_TYPE` of systems that don't fly: ground station, companion computer, gimbal, ADS-B receiver.
const NO_VEHICLES: [u8; 4] = [6, 18, 26, 27];
/// `MAV_AUTOPILOT_INVALID`: the system has no autopilot.
const NO_AUTOPILOT: u8 = 8;
/// The bit of the base mode that means armed.
const ARMED: u8 = 128;

/// A frame with the time at which it was received.
struct Record<'r> {
    micros: u64,
    system: u8,
    component: u8,
    message: u32,
    payload: &'r [u8],
    checksum: u16,
    /// The bytes covered by the checksum, except the final `CRC_EXTRA`.
    covered: &'r [u8],
    bytes: usize,
}

impl<'r> Record<'r> {
    /// Reads the record at the beginning of the bytes.
    fn read(bytes: &'r [u8]) -> Option<Record<'r>> {
        let micros = u64::from_be_bytes(array(bytes, 0)?);
        let frame = bytes.get(TIME_BYTES..)?;
        let mark = *frame.first()?;
        let length = usize::from(*frame.get(1)?);
        let version = MARKS.iter().position(|known| *known == mark)?;
        let header = *HEADER_BYTES.get(version)?;
        let (system, component, message, is_signed) = match version {
            0 => (*frame.get(3)?, *frame.get(4)?, u32::from(*frame.get(5)?), false),
            _ => {
                let [low, middle, high]: [u8; 3] = array(frame, 7)?;
                let message = u32::from_le_bytes([low, middle, high, 0]);
                (*frame.get(5)?, *frame.get(6)?, message, frame.get(2)? & IS_SIGNED != 0)
            }
        };
        YEARS_MICROS.contains(&micros).then_some(())?;
        let end = header + length;
        let signature = if is_signed { SIGNATURE_BYTES } else { 0 };
        Some(Record {
            micros,
            system,
            component,
            message,
            payload: frame.get(header..end)?,
            checksum: u16::from_le_bytes(array(frame, end)?),
            covered: frame.get(1..end)?,
            bytes: TIME_BYTES + end + CHECKSUM_BYTES + signature,
        })
    }

    /// Returns whether it is one of the messages that are read, and its checksum is right.
    fn is_valid(&self) -> bool {
        let last = CHECKED.iter().find(|(message, _)| *message == self.message);
        last.is_some_and(|(_, last)| checksum(self.covered.iter().chain([last])) == self.checksum)
    }
}

/// CRC-16/MCRF4XX.
fn checksum<'b>(bytes: impl Iterator<Item = &'b u8>) -> u16 {
    const POLYNOMIAL: u16 = 0x8408;
    bytes.fold(0xFFFF, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte), |crc, _| match crc & 1 {
            1 => crc >> 1 ^ POLYNOMIAL,
            _ => crc >> 1,
        })
    })
}

/// Returns whether a file begins like a telemetry log: with two consecutive records.
pub fn matches(head: &[u8]) -> bool {
    let next = Record::read(head).and_then(|first| head.get(first.bytes..));
    next.is_some_and(|next| Record::read(next).is_some())
}

/// Reads a log.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: &mut dyn BufRead, segmenter: &mut Segmenter) -> ReadResult {
    let mut window = Lookahead::new(source);
    let mut log = Log::default();
    segmenter.begin(Metadata {
        clock: Clock::Utc,
        is_continuous: true,
        logs_arming: true,
        ..Metadata::default()
    });
    loop {
        let view = window.view(MAX_RECORD_BYTES)?;
        if view.is_empty() {
            break;
        }
        let length = match Record::read(view) {
            Some(record) => {
                if record.is_valid() {
                    log.take(&record, segmenter)?;
                }
                record.bytes
            }
            None => {
                let skipped = next_record(view);
                log.unreadable += skipped;
                skipped
            }
        };
        window.take(length);
    }
    // The last record may be cut off, which isn't reported.
    if log.unreadable > MAX_RECORD_BYTES {
        segmenter.skip(SkippedPart {
            from: None,
            clock: Clock::Utc,
            reason: text::import_unreadable(&number::size(log.unreadable as u64)),
        });
    }
    if log.has_others {
        segmenter.skip(SkippedPart {
            from: None,
            clock: Clock::Utc,
            reason: text::IMPORT_OTHER_VEHICLES.to_owned(),
        });
    }
    Ok(())
}

/// Returns the bytes up to the possible beginning of the next record.
fn next_record(view: &[u8]) -> usize {
    let behind = view.get(TIME_BYTES + 1..).unwrap_or_default();
    memchr::memchr2(MARKS[0], MARKS[1], behind).map_or(view.len().saturating_sub(TIME_BYTES), |at| at + 1)
}

/// The state while reading.
#[derive(Default)]
struct Log {
    clock: MonotonicClock,
    /// System and component of the first vehicle.
    vehicle: Option<(u8, u8)>,
    has_others: bool,
    /// Bytes outside of any record.
    unreadable: usize,
    armed: Option<bool>,
}

impl Log {
    fn take(&mut self, record: &Record<'_>, segmenter: &mut Segmenter) -> ReadResult {
        // MAVLink 2 truncates trailing zeros of a payload.
        let mut payload = [0; MAX_PAYLOAD_BYTES];
        if let Some(begin) = payload.get_mut(..record.payload.len()) {
            begin.copy_from_slice(record.payload);
        }
        if record.message == HEARTBEAT {
            self.take_heartbeat(record, &payload);
        }
        if self.vehicle.is_none_or(|(system, _)| system != record.system) {
            return segmenter.count_row();
        }
        let sample = sample(record.message, &payload);
        let Some((sample, seconds)) = sample.zip(self.clock.take(seconds(record.micros))) else {
            return segmenter.count_row();
        };
        segmenter.sample(&Sample {
            seconds: Some(seconds),
            armed: self.armed,
            ..sample
        })
    }

    fn take_heartbeat(&mut self, record: &Record<'_>, payload: &[u8]) {
        let [kind, autopilot, mode]: [u8; 3] = array(payload, 4).unwrap_or_default();
        if NO_VEHICLES.contains(&kind) || autopilot == NO_AUTOPILOT {
            return;
        }
        let own = *self.vehicle.get_or_insert((record.system, record.component));
        if own == (record.system, record.component) {
            self.armed = Some(mode & ARMED != 0);
        }
        self.has_others |= own.0 != record.system;
    }
}

/// Returns the values of a message; `None` for those of a second battery.
fn sample(message: u32, payload: &[u8]) -> Option<Sample> {
    let short = |at: usize| array(payload, at).map(i16::from_le_bytes).map(f64::from);
    let long = |at: usize| array(payload, at).map(i32::from_le_bytes).map(f64::from);
    Some(match message {
        GLOBAL_POSITION_INT => Sample {
            point: Some(Point {
                latitude: long(4)? / 1e7,
                longitude: long(8)? / 1e7,
            }),
            altitude: long(12).map(|millimetres| millimetres / 1000.0),
            height: long(16).map(|millimetres| millimetres / 1000.0),
            speed: short(20).zip(short(22)).map(|(north, east)| north.hypot(east) * 0.036),
            ..Sample::default()
        },
        SYS_STATUS => Sample {
            volts: array(payload, 14)
                .map(u16::from_le_bytes)
                .filter(|millivolts| *millivolts != u16::MAX)
                .map(|millivolts| f64::from(millivolts) / 1000.0),
            amperes: short(16)
                .filter(|centiamperes| *centiamperes >= 0.0)
                .map(|centiamperes| centiamperes / 100.0),
            ..Sample::default()
        },
        BATTERY_STATUS if payload.get(32) == Some(&0) => Sample {
            consumed: long(0).filter(|milliamperehours| *milliamperehours >= 0.0),
            ..Sample::default()
        },
        BATTERY_STATUS => return None,
        _ => Sample::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_catalogue() {
        assert_eq!(checksum(b"123456789".iter()), 0x6F91);
    }
}
