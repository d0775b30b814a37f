//! Logs of PX4 flight controllers (docs.px4.io, "ULog File Format"): messages with size and type. Format messages
//! describe topics, subscription messages number them, and data messages contain their values.
//!
//! Not read by the crate `px4-ulog`: four topics are needed, and the crate keeps every definition and every part of a
//! text in memory, as large as the file claims.

mod definitions;

use std::io::BufRead;

use super::lookahead::{Lookahead, MonotonicClock, array, seconds};
use super::values::display_text;
use crate::samples::{Clock, Metadata, Point, ReadError, ReadResult, Sample};
use crate::segmenter::Segmenter;
use definitions::{Field, Formats};

const MARK: [u8; 7] = [0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35];
const HEADER_BYTES: usize = 16;
/// Size and type before each message.
const PREFIX_BYTES: usize = 3;
/// The prefix of a data message, with the number of its topic.
const START_BYTES: usize = PREFIX_BYTES + 2;
/// The types of messages; other bytes mean damage.
const KINDS: &[u8] = b"ABCDFILMOPQRS";
/// `arming_state` of an armed vehicle.
const ARMED: f64 = 2.0;
/// `fix_type` of a 3D fix.
const MIN_FIX: f64 = 3.0;
/// Microseconds: an earlier time (before 2008) means that the receiver doesn't know the time yet.
const MIN_TIME_MICROS: u64 = 1_199_145_600_000_000;

/// Returns whether a file begins like a ULog file.
pub fn matches(head: &[u8]) -> bool {
    head.starts_with(&MARK)
}

/// The topics that are read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Topic {
    Status,
    Gps,
    Position,
    Battery,
}

const TOPICS: [(&str, Topic); 4] = [
    ("vehicle_status", Topic::Status),
    ("vehicle_gps_position", Topic::Gps),
    ("vehicle_local_position", Topic::Position),
    ("battery_status", Topic::Battery),
];

/// A topic with data in the log.
struct Subscription {
    id: u16,
    /// Size, type and number at the beginning of each of its data messages; known from the first one on.
    start: Option<[u8; START_BYTES]>,
    topic: Topic,
    fields: Vec<Field>,
}

/// The values of a data message.
struct Data<'d> {
    fields: &'d [Field],
    bytes: &'d [u8],
}

impl Data<'_> {
    fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn number(&self, name: &str) -> Option<f64> {
        let field = self.field(name)?;
        field.kind.number(self.bytes, field.at)
    }

    fn micros(&self, name: &str) -> Option<u64> {
        array(self.bytes, self.field(name)?.at).map(u64::from_le_bytes)
    }

    /// Returns a coordinate in degrees, from the field of newer logs or that of older ones, in 1e-7 degrees.
    fn degrees(&self, name: &str, old_name: &str) -> Option<f64> {
        self.number(name).or(self.number(old_name).map(|degrees| degrees / 1e7))
    }
}

/// Reads a log.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: &mut dyn BufRead, segmenter: &mut Segmenter) -> ReadResult {
    let mut window = Lookahead::new(source);
    let header = window.view(HEADER_BYTES)?;
    let mut log = Log {
        begin: array(header, 8).map(u64::from_le_bytes).unwrap_or_default(),
        ..Log::default()
    };
    window.take(HEADER_BYTES);
    segmenter.begin(Metadata {
        is_continuous: true,
        logs_arming: true,
        ..Metadata::default()
    });
    let mut place = Framing::Known;
    loop {
        let start = window.view(START_BYTES)?;
        let Some([low, high, kind]) = array(start, 0) else {
            break;
        };
        if place != Framing::Known && !log.knows(start) {
            window.take(1);
            continue;
        }
        let end = PREFIX_BYTES + usize::from(u16::from_le_bytes([low, high]));
        let view = window.view(end + PREFIX_BYTES)?;
        // A message is valid only if another one follows it.
        let is_followed = view.get(end + 2).is_none_or(|next| KINDS.contains(next));
        place = match view.get(PREFIX_BYTES..end) {
            _ if !KINDS.contains(&kind) || !is_followed => Framing::Lost,
            None => Framing::Cut,
            Some(content) => {
                log.take(kind, content, segmenter)?;
                Framing::Known
            }
        };
        window.take(if place == Framing::Known { end } else { 1 });
    }
    match place {
        Framing::Lost => Err(ReadError::Malformed(0)),
        Framing::Known | Framing::Cut => Ok(()),
    }
}

/// Whether the position of the next message is known.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Framing {
    Known,
    /// After broken bytes: reading resumes at the next data message of a topic that had data before.
    Lost,
    /// After a message that is longer than the rest of the file: either the file was cut off, or the length is wrong.
    Cut,
}

/// The state while reading.
#[derive(Default)]
struct Log {
    /// Microseconds since the controller was switched on, at the beginning of the log.
    begin: u64,
    clock: MonotonicClock,
    formats: Formats,
    subscriptions: Vec<Subscription>,
    armed: Option<bool>,
    has_fix: bool,
}

impl Log {
    /// Returns whether these bytes begin a data message of a topic that had data before.
    fn knows(&self, start: &[u8]) -> bool {
        let start = array(start, 0);
        start.is_some()
            && self
                .subscriptions
                .iter()
                .any(|subscriptions| subscriptions.start == start)
    }

    fn take(&mut self, kind: u8, content: &[u8], segmenter: &mut Segmenter) -> ReadResult {
        match kind {
            b'F' => self.formats.add(content),
            b'I' => name_system(content, segmenter),
            b'A' => self.log(content),
            b'D' => return self.take_data(content, segmenter),
            _ => {}
        }
        Ok(())
    }

    /// Reads a subscription message. Of several instances of a sensor the first one is used.
    fn log(&mut self, content: &[u8]) {
        let [sensor, low, high, name @ ..] = content else {
            return;
        };
        let known = TOPICS.iter().find(|(known, _)| known.as_bytes() == name);
        let Some((name, topic)) = known.filter(|_| *sensor == 0) else {
            return;
        };
        if self
            .subscriptions
            .iter()
            .any(|subscriptions| subscriptions.topic == *topic)
        {
            return;
        }
        self.subscriptions.push(Subscription {
            id: u16::from_le_bytes([*low, *high]),
            start: None,
            topic: *topic,
            fields: self.formats.fields(name).unwrap_or_default(),
        });
    }

    fn take_data(&mut self, content: &[u8], segmenter: &mut Segmenter) -> ReadResult {
        let has_estimate = self
            .subscriptions
            .iter()
            .any(|subscriptions| subscriptions.topic == Topic::Position);
        let (Some((id, bytes)), Ok(size)) = (content.split_first_chunk(), u16::try_from(content.len())) else {
            return Ok(());
        };
        let Some(subscriptions) = self
            .subscriptions
            .iter_mut()
            .find(|subscriptions| subscriptions.id == u16::from_le_bytes(*id))
        else {
            return Ok(());
        };
        let ([low, high], [id_low, id_high]) = (size.to_le_bytes(), *id);
        subscriptions.start.get_or_insert([low, high, b'D', id_low, id_high]);
        let data = Data {
            fields: &subscriptions.fields,
            bytes,
        };
        let sample = match subscriptions.topic {
            Topic::Status => {
                self.armed = data.number("arming_state").map(|state| state == ARMED).or(self.armed);
                Some(Sample::default())
            }
            Topic::Gps => {
                self.has_fix = data.number("fix_type").is_some_and(|fix| fix >= MIN_FIX);
                match self.has_fix {
                    true => fix(&data, has_estimate, segmenter),
                    false => None,
                }
            }
            Topic::Position => Some(estimate(&data, self.has_fix)),
            Topic::Battery if data.number("connected") == Some(0.0) => None,
            Topic::Battery => Some(Sample {
                volts: data.number("voltage_v"),
                amperes: data.number("current_a").filter(|amperes| *amperes >= 0.0),
                consumed: data.number("discharged_mah").filter(|consumed| *consumed >= 0.0),
                ..Sample::default()
            }),
        };
        // The log begins with the latest values from before its beginning, with their original times.
        let time = data.micros("timestamp").map(|micros| seconds(micros.max(self.begin)));
        let Some((sample, seconds)) = sample.zip(time.and_then(|time| self.clock.take(time))) else {
            return segmenter.count_row();
        };
        segmenter.sample(&Sample {
            seconds: Some(seconds),
            armed: self.armed,
            ..sample
        })
    }
}

/// Returns height and speed from the controller's estimator. Without a GPS fix the estimated speed drifts.
fn estimate(data: &Data<'_>, has_fix: bool) -> Sample {
    let is_valid = |name: &str| data.number(name) != Some(0.0);
    let down = data.number("z").filter(|_| is_valid("z_valid"));
    let velocity = data.number("vx").zip(data.number("vy"));
    Sample {
        altitude: down.map(|down| -down),
        speed: velocity
            .filter(|_| has_fix || is_valid("v_xy_valid"))
            .map(|(north, east)| north.hypot(east) * 3.6),
        ..Sample::default()
    }
}

/// Returns the position from the GPS receiver. The first one also sets the UTC time of second 0. Altitude and speed are
/// used only without an estimate, which is more accurate.
fn fix(data: &Data<'_>, has_estimate: bool, segmenter: &mut Segmenter) -> Option<Sample> {
    if let (Some(utc), Some(since_start)) = (data.micros("time_utc_usec"), data.micros("timestamp"))
        && utc >= MIN_TIME_MICROS
        && let Some(metadata) = segmenter.metadata().filter(|metadata| metadata.zero.is_none())
    {
        metadata.zero = Some((seconds(utc) - seconds(since_start), Clock::Utc));
    }
    let altitude = data
        .number("altitude_msl_m")
        .or(data.number("alt").map(|millimetres| millimetres / 1000.0));
    Some(Sample {
        point: Some(Point {
            latitude: data.degrees("latitude_deg", "lat")?,
            longitude: data.degrees("longitude_deg", "lon")?,
        }),
        satellites: data.number("satellites_used"),
        altitude: altitude.filter(|_| !has_estimate),
        speed: data
            .number("vel_m_s")
            .filter(|_| !has_estimate)
            .map(|speed| speed * 3.6),
        ..Sample::default()
    })
}

/// Reads an information message: the length of the key, `char[3] sys_name`, and the value.
fn name_system(content: &[u8], segmenter: &mut Segmenter) {
    let Some((length, rest)) = content.split_first() else {
        return;
    };
    if let Some((key, value)) = rest.split_at_checked(usize::from(*length))
        && key.ends_with(b" sys_name")
        && let Some(metadata) = segmenter.metadata()
    {
        metadata.model = display_text(&String::from_utf8_lossy(value), 60);
    }
}
