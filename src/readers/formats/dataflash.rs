//! Logs of ArduPilot flight controllers (`libraries/AP_Logger/LogStructure.h`): each message begins with `A3 95` and a
//! type, whose layout an `FMT` message describes.

use std::io::BufRead;

use super::lookahead::{Lookahead, MonotonicClock, array, seconds};
use super::values::display_text;
use crate::samples::{Clock, Metadata, Point, ReadResult, Sample};
use crate::segmenter::Segmenter;

const MARK: [u8; 2] = [0xA3, 0x95];
const MARK_BYTES: usize = 3;
/// The type of the message that describes the others.
const FMT: u8 = 128;
const FMT_BYTES: usize = 89;
/// The length field is one byte.
const MAX_MESSAGE_BYTES: usize = 255;
/// GPS status of a 3D fix.
const MIN_FIX: f64 = 3.0;
/// Event ids.
const ARMED: f64 = 10.0;
const DISARMED: f64 = 11.0;
/// 1980-01-06, the beginning of GPS time, in Unix seconds.
const GPS_EPOCH: f64 = 315_964_800.0;
const WEEK_SECONDS: f64 = 604_800.0;
/// Leap seconds between GPS time and UTC, with the Unix seconds from which they apply (IERS Bulletin C 52).
const LEAPS: [(f64, f64); 4] = [
    (1_483_228_800.0, 18.0),
    (1_435_708_800.0, 17.0),
    (1_341_100_800.0, 16.0),
    (f64::MIN, 15.0),
];

/// Returns whether a file begins like such a log: with the `FMT` message that describes `FMT`.
pub fn matches(head: &[u8]) -> bool {
    head.starts_with(&[MARK[0], MARK[1], FMT])
}

/// The meaning of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
enum MessageKind {
    Gps,
    Position,
    Tuning,
    Battery,
    /// The battery message before 2016, in hundredths.
    Current,
    Arming,
    Event,
    Text,
    Other,
}

/// A field of a message: its label, the letter of its type, and its offset.
struct Column {
    label: [u8; 16],
    kind: u8,
    at: usize,
}

/// The layout of a message.
struct MessageLayout {
    topic: MessageKind,
    bytes: usize,
    columns: Vec<Column>,
}

impl MessageLayout {
    /// Reads an `FMT` message. Returns the type that it describes, with its layout.
    fn read(message: &[u8]) -> Option<(u8, MessageLayout)> {
        let (kind, bytes) = (*message.get(3)?, usize::from(*message.get(4)?));
        let name: [u8; 4] = array(message, 5)?;
        let kinds: [u8; 16] = array(message, 9)?;
        let labels: [u8; 64] = array(message, 25)?;
        let topic = match &name {
            b"GPS\0" => MessageKind::Gps,
            b"POS\0" => MessageKind::Position,
            b"CTUN" => MessageKind::Tuning,
            b"BAT\0" => MessageKind::Battery,
            b"CURR" => MessageKind::Current,
            b"ARM\0" => MessageKind::Arming,
            b"EV\0\0" => MessageKind::Event,
            b"MSG\0" => MessageKind::Text,
            _ => MessageKind::Other,
        };
        let mut at = MARK_BYTES;
        let mut columns = Vec::new();
        let labels = labels.split(|byte| *byte == 0).next().unwrap_or_default();
        for (label, kind) in labels.split(|byte| *byte == b',').zip(kinds) {
            let mut padded = [0; 16];
            if let Some(begin) = padded.get_mut(..label.len()) {
                begin.copy_from_slice(label);
            }
            columns.push(Column {
                label: padded,
                kind,
                at,
            });
            at += size(kind)?;
        }
        (bytes > MARK_BYTES).then_some((kind, MessageLayout { topic, bytes, columns }))
    }
}

/// Returns the bytes of a field; `None` for an unknown type letter.
fn size(kind: u8) -> Option<usize> {
    Some(match kind {
        b'b' | b'B' | b'M' => 1,
        b'h' | b'H' | b'c' | b'C' | b'g' => 2,
        b'i' | b'I' | b'e' | b'E' | b'L' | b'f' | b'n' => 4,
        b'd' | b'q' | b'Q' => 8,
        b'N' => 16,
        b'a' | b'Z' => 64,
        _ => return None,
    })
}

/// A message with its layout.
struct Message<'m> {
    shape: &'m MessageLayout,
    bytes: &'m [u8],
}

impl Message<'_> {
    fn column(&self, label: &str) -> Option<&Column> {
        let has_label = |column: &&Column| {
            let (name, padding) = column.label.split_at(label.len());
            name == label.as_bytes() && padding.first().is_none_or(|byte| *byte == 0)
        };
        self.shape.columns.iter().find(has_label)
    }

    /// Returns a number, scaled as its type demands.
    #[expect(clippy::cast_precision_loss, reason = "times and figures of flights fit")]
    fn number(&self, label: &str) -> Option<f64> {
        let Column { kind, at, .. } = *self.column(label)?;
        let bytes = self.bytes;
        Some(match kind {
            b'b' => f64::from(i8::from_le_bytes(array(bytes, at)?)),
            b'B' | b'M' => f64::from(*bytes.get(at)?),
            b'h' => f64::from(i16::from_le_bytes(array(bytes, at)?)),
            b'H' => f64::from(u16::from_le_bytes(array(bytes, at)?)),
            b'c' => f64::from(i16::from_le_bytes(array(bytes, at)?)) / 100.0,
            b'C' => f64::from(u16::from_le_bytes(array(bytes, at)?)) / 100.0,
            b'i' => f64::from(i32::from_le_bytes(array(bytes, at)?)),
            b'I' => f64::from(u32::from_le_bytes(array(bytes, at)?)),
            b'e' => f64::from(i32::from_le_bytes(array(bytes, at)?)) / 100.0,
            b'E' => f64::from(u32::from_le_bytes(array(bytes, at)?)) / 100.0,
            b'L' => f64::from(i32::from_le_bytes(array(bytes, at)?)) / 1e7,
            b'f' => f64::from(f32::from_le_bytes(array(bytes, at)?)),
            b'd' => f64::from_le_bytes(array(bytes, at)?),
            b'q' => i64::from_le_bytes(array(bytes, at)?) as f64,
            b'Q' => u64::from_le_bytes(array(bytes, at)?) as f64,
            _ => return None,
        })
    }

    /// Returns a number that old logs store as an integer in hundredths, newer ones as a float.
    fn hundredths(&self, label: &str) -> Option<f64> {
        let scale = match self.column(label)?.kind {
            b'h' | b'H' => 100.0,
            _ => 1.0,
        };
        self.number(label).map(|value| value / scale)
    }

    /// Returns the seconds since the controller was switched on.
    fn seconds(&self) -> Option<f64> {
        if let Some(Column { kind: b'Q', at, .. }) = self.column("TimeUS") {
            return array(self.bytes, *at).map(|micros| seconds(u64::from_le_bytes(micros)));
        }
        // In old logs `TimeMS` of a GPS message is the time of the week.
        let label = if self.shape.topic == MessageKind::Gps {
            "T"
        } else {
            "TimeMS"
        };
        self.number(label).map(|millis| millis / 1000.0)
    }

    /// Returns whether the message is from the first of several instances of a sensor.
    fn is_first(&self) -> bool {
        let labels = ["I", "Inst", "Instance"];
        labels
            .iter()
            .find_map(|label| self.number(label))
            .is_none_or(|instance| instance == 0.0)
    }
}

/// Returns the Unix seconds of a GPS week and the milliseconds in it.
fn utc(week: f64, millis: f64) -> f64 {
    let gps = GPS_EPOCH + week * WEEK_SECONDS + millis / 1000.0;
    let leaps = LEAPS.iter().find(|(since, leaps)| gps - leaps >= *since);
    gps - leaps.map_or(0.0, |(_, leaps)| *leaps)
}

/// Reads a log.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: &mut dyn BufRead, segmenter: &mut Segmenter) -> ReadResult {
    let mut window = Lookahead::new(source);
    let mut shapes: Vec<Option<MessageLayout>> = (0..=u8::MAX).map(|_| None).collect();
    let mut log = Log::default();
    segmenter.begin(Metadata {
        is_continuous: true,
        logs_arming: true,
        ..Metadata::default()
    });
    loop {
        let view = window.view(MAX_MESSAGE_BYTES)?;
        if view.is_empty() {
            return Ok(());
        }
        let kind = view.get(2).copied().filter(|_| view.starts_with(&MARK));
        let length = match kind {
            None => next_mark(view),
            Some(FMT) => {
                if let Some((kind, shape)) = MessageLayout::read(view)
                    && let Some(place) = shapes.get_mut(usize::from(kind))
                {
                    *place = Some(shape);
                }
                FMT_BYTES
            }
            Some(kind) => match shapes.get(usize::from(kind)) {
                Some(Some(shape)) => {
                    if let Some(bytes) = view.get(..shape.bytes) {
                        log.take(&Message { shape, bytes }, segmenter)?;
                    }
                    shape.bytes
                }
                _ => 1,
            },
        };
        window.take(length);
    }
}

/// Returns the bytes up to the possible beginning of the next message.
fn next_mark(view: &[u8]) -> usize {
    let next = view.iter().skip(1).position(|byte| *byte == MARK[0]);
    next.map_or(view.len(), |next| next + 1)
}

/// The state while reading.
#[derive(Default)]
struct Log {
    clock: MonotonicClock,
    armed: Option<bool>,
    has_height: bool,
    has_vehicle: bool,
}

impl Log {
    fn take(&mut self, message: &Message<'_>, segmenter: &mut Segmenter) -> ReadResult {
        let sample = match message.shape.topic {
            MessageKind::Other => return Ok(()),
            MessageKind::Text => {
                self.name_vehicle(message, segmenter);
                return Ok(());
            }
            MessageKind::Arming => {
                self.armed = message.number("ArmState").map(|state| state != 0.0).or(self.armed);
                Sample::default()
            }
            MessageKind::Event => {
                self.armed = match message.number("Id") {
                    Some(ARMED) => Some(true),
                    Some(DISARMED) => Some(false),
                    _ => self.armed,
                };
                Sample::default()
            }
            MessageKind::Battery | MessageKind::Gps if !message.is_first() => return Ok(()),
            MessageKind::Battery => Sample {
                volts: message.number("Volt"),
                amperes: message.number("Curr"),
                consumed: message.number("CurrTot"),
                ..Sample::default()
            },
            MessageKind::Current => Sample {
                volts: message.hundredths("Volt"),
                amperes: message.hundredths("Curr"),
                consumed: message.number("CurrTot"),
                ..Sample::default()
            },
            MessageKind::Position => {
                let height = message.number("RelHomeAlt").or(message.number("RelAlt"));
                self.has_height |= height.is_some();
                Sample {
                    height,
                    ..Sample::default()
                }
            }
            MessageKind::Tuning if self.has_height => return Ok(()),
            MessageKind::Tuning => Sample {
                height: message.number("Alt"),
                ..Sample::default()
            },
            MessageKind::Gps => match self.fix(message, segmenter) {
                Some(sample) => sample,
                None => return Ok(()),
            },
        };
        let Some(seconds) = message.seconds().and_then(|seconds| self.clock.take(seconds)) else {
            return segmenter.count_row();
        };
        segmenter.sample(&Sample {
            seconds: Some(seconds),
            armed: self.armed,
            ..sample
        })
    }

    /// Returns the position of a GPS message. The first one also sets the UTC time of second 0.
    fn fix(&self, message: &Message<'_>, segmenter: &mut Segmenter) -> Option<Sample> {
        message.number("Status").filter(|status| *status >= MIN_FIX)?;
        let week = message.number("GWk").or(message.number("Week"));
        let millis = message.number("GMS").or(message.number("TimeMS"));
        if let (Some(week), Some(millis), Some(since_start)) = (week, millis, message.seconds())
            && week > 0.0
            && let Some(metadata) = segmenter.metadata().filter(|metadata| metadata.zero.is_none())
        {
            metadata.zero = Some((utc(week, millis) - since_start, Clock::Utc));
        }
        Some(Sample {
            point: Some(Point {
                latitude: message.number("Lat")?,
                longitude: message.number("Lng")?,
            }),
            satellites: message.number("NSats"),
            altitude: message.number("Alt"),
            speed: message.number("Spd").map(|speed| speed * 3.6),
            ..Sample::default()
        })
    }

    /// Reads the vehicle from the first text message: `ArduCopter V4.5.7 (2a3dc4b7)`.
    fn name_vehicle(&mut self, message: &Message<'_>, segmenter: &mut Segmenter) {
        let Some(column) = message.column("Message") else {
            return;
        };
        let text = message.bytes.get(column.at..).unwrap_or_default();
        let text = String::from_utf8_lossy(text.split(|byte| *byte == 0).next().unwrap_or_default());
        if let Some((vehicle, _)) = text.split_once(" V").filter(|_| !self.has_vehicle)
            && let Some(metadata) = segmenter.metadata()
        {
            metadata.model = display_text(vehicle, 60);
        }
        self.has_vehicle = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_gps_is_ahead_of_utc_by_its_leap_seconds() {
        // 2026-04-17 13:05:00 UTC is a Friday: the fifth day of week 2414.
        assert_eq!(utc(2414.0, 5.0 * 86_400_000.0 + 47_118_000.0), 1_776_431_100.0);
        // One second before the last leap second, and at it.
        let week = |gps: f64| ((gps - GPS_EPOCH) / WEEK_SECONDS).floor();
        for (gps, expected) in [(1_483_228_816.0, 1_483_228_799.0), (1_483_228_818.0, 1_483_228_800.0)] {
            let millis = (gps - GPS_EPOCH - week(gps) * WEEK_SECONDS) * 1000.0;
            assert_eq!(utc(week(gps), millis), expected);
        }
    }
}
