//! Logs of Spektrum radios (`.TLM`): sessions, each with headers and the records of the sensors. A record is the
//! radio's ticks and the sensor's message (Spektrum's "Telemetry Information" for developers).
//!
//! Records have no checksum, so the median of three values is used.

use std::io::BufRead;

use super::lookahead::{Lookahead, MonotonicClock, array};
use super::values::display_text;
use crate::samples::{Metadata, Point, ReadResult, Sample, is_of_pack};
use crate::segmenter::Segmenter;

/// The beginning of a header, where a record has its ticks.
const MARK: [u8; 4] = [0xFF; 4];
const HEADER_BYTES: usize = 36;
const RECORD_BYTES: usize = 20;
const NAME: std::ops::Range<usize> = 12..32;
/// The kind of the last header of a session, which is stored twice.
const LAST_HEADER: [u8; 2] = [0x17; 2];
/// The number of records from which the tick rate is detected.
const AHEAD: usize = 64;
/// Ticks per second of older and newer radios. A record comes every 11 or 22 ms: 3 or 6 ticks of older radios, 1 or 2
/// of newer ones.
const TICKS: [f64; 2] = [273.0, 100.0];
const OLDER_STEP: u32 = 3;
/// Sensors: the first byte of a message.
const NOTHING: u8 = 0;
const CURRENT: u8 = 0x03;
const ALTIMETER: u8 = 0x12;
const GPS_PLACE: u8 = 0x16;
const GPS_STATE: u8 = 0x17;
const VARIO: u8 = 0x40;
const MEASURED: [u8; 2] = [0x7E, 0xFE];
/// A per unit of [`CURRENT`].
const AMPERES: f64 = 0.196_791;
const KNOT: f64 = 1.852;
/// Bits of the last byte of [`GPS_PLACE`].
const IS_NORTH: u8 = 1;
const IS_EAST: u8 = 1 << 1;
const IS_BEYOND_99: u8 = 1 << 2;
const HAS_FIX: u8 = 1 << 3;
const IS_BELOW_SEA: u8 = 1 << 7;

/// Returns whether a file begins like such a log: with two headers.
pub fn matches(head: &[u8]) -> bool {
    let name = head.get(NAME).and_then(|name| name.first());
    head.starts_with(&MARK)
        && head.get(HEADER_BYTES..).is_some_and(|next| next.starts_with(&MARK))
        && name.is_some_and(|letter| matches!(letter, 0 | b' '..=b'~'))
}

/// Reads a log.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: &mut dyn BufRead, segmenter: &mut Segmenter) -> ReadResult {
    let mut window = Lookahead::new(source);
    let mut session: Option<Session> = None;
    let mut is_header_next = true;
    loop {
        let view = window.view(RECORD_BYTES * AHEAD)?;
        if view.starts_with(&MARK) {
            let Some(header) = view.get(..HEADER_BYTES) else {
                return Ok(());
            };
            if is_header_next || session.as_ref().is_none_or(|session| session.ticks.is_some()) {
                segmenter.begin(Metadata {
                    name: name(header),
                    is_continuous: true,
                    ..Metadata::default()
                });
                session = Some(Session::default());
            }
            is_header_next = header.get(4..6) == Some(&LAST_HEADER);
            window.take(HEADER_BYTES);
            continue;
        }
        let Some(record) = view.get(..RECORD_BYTES) else {
            return Ok(());
        };
        let session = session.get_or_insert_default();
        let ticks = *session.ticks.get_or_insert_with(|| ticks_a_second(view));
        match session.sample(record, ticks) {
            Some(sample) => segmenter.sample(&sample)?,
            None => segmenter.count_row()?,
        }
        is_header_next = true;
        window.take(RECORD_BYTES);
    }
}

/// Returns the name of the model.
fn name(header: &[u8]) -> String {
    let name = header.get(NAME).unwrap_or_default();
    let end = memchr::memchr(0, name).unwrap_or(name.len());
    display_text(&String::from_utf8_lossy(name.get(..end).unwrap_or_default()), 100)
}

fn ticks(record: &[u8]) -> Option<u32> {
    array(record, 0).map(u32::from_le_bytes)
}

/// Detects the tick rate from the steps between the first records of a session.
fn ticks_a_second(view: &[u8]) -> f64 {
    let (records, _) = view.as_chunks::<RECORD_BYTES>();
    let of_session = records.iter().take_while(|record| !record.starts_with(&MARK));
    let told: Vec<u32> = of_session
        .filter(|record| record.get(4) != Some(&NOTHING))
        .filter_map(|record| ticks(record))
        .collect();
    let mut steps: Vec<u32> = told.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
    steps.sort_unstable();
    let is_older = steps.get(steps.len() / 2).is_some_and(|step| *step >= OLDER_STEP);
    TICKS[usize::from(!is_older)]
}

/// The state of a session, with the last values of its sensors.
#[derive(Default)]
struct Session {
    /// Ticks per second; known from the first record on.
    ticks: Option<f64>,
    clock: MonotonicClock,
    volts: MedianOfThree,
    amperes: MedianOfThree,
    height: MedianOfThree,
    altitude: MedianOfThree,
    latitude: MedianOfThree,
    longitude: MedianOfThree,
    speed: MedianOfThree,
    /// The thousands of the altitude, in m.
    kilometres: f64,
    satellites: Option<f64>,
}

/// The last three values of a sensor.
#[derive(Default)]
struct MedianOfThree {
    last: [Option<f64>; 3],
}

impl MedianOfThree {
    /// Adds a value. Returns the median of the last three; `None` with fewer values.
    fn of(&mut self, value: Option<f64>) -> Option<f64> {
        self.last.rotate_left(1);
        self.last[2] = Some(value?);
        let [Some(one), Some(other), Some(last)] = self.last else {
            return None;
        };
        Some(one.max(other).min(one.min(other).max(last)))
    }
}

impl Session {
    /// Returns the sample of a record; `None` for one without values of a flight.
    fn sample(&mut self, record: &[u8], ticks_a_second: f64) -> Option<Sample> {
        let now = ticks(record)?;
        let sensor = *record.get(4)?;
        let data = record.get(4..)?;
        let signed = |at: usize| array(data, at).map(i16::from_be_bytes).map(f64::from);
        let mut sample = Sample::default();
        match sensor {
            _ if MEASURED.contains(&sensor) => {
                let volts = array(data, 4)
                    .map(u16::from_be_bytes)
                    .filter(|volts| *volts != u16::MAX);
                let volts = self.volts.of(volts.map(|volts| f64::from(volts) / 100.0));
                sample.volts = volts.filter(|volts| is_of_pack(*volts, None));
            }
            CURRENT => sample.amperes = self.amperes.of(signed(2).map(|current| current * AMPERES)),
            ALTIMETER | VARIO => sample.height = self.height.of(signed(2).map(|height| height / 10.0)),
            GPS_PLACE => self.place(data, &mut sample)?,
            GPS_STATE => {
                let speed = decimal(data.get(2..4)?).map(|tenths| tenths / 10.0 * KNOT);
                sample.speed = self.speed.of(speed);
                self.satellites = decimal(data.get(8..9)?);
                self.kilometres = decimal(data.get(9..10)?).unwrap_or_default() * 1000.0;
            }
            _ => return None,
        }
        sample.seconds = Some(self.clock.take(f64::from(now) / ticks_a_second)?);
        Some(sample)
    }

    fn place(&mut self, data: &[u8], sample: &mut Sample) -> Option<()> {
        let bits = *data.get(15)?;
        let has = |bit: u8| bits & bit != 0;
        has(HAS_FIX).then_some(())?;
        let sign = |is_positive: bool| if is_positive { 1.0 } else { -1.0 };
        let beyond = if has(IS_BEYOND_99) { 100.0 } else { 0.0 };
        let latitude = degrees(data.get(4..8)?).map(|degrees| sign(has(IS_NORTH)) * degrees);
        let longitude = degrees(data.get(8..12)?).map(|degrees| sign(has(IS_EAST)) * (degrees + beyond));
        let latitude = self.latitude.of(latitude);
        let longitude = self.longitude.of(longitude);
        sample.point = latitude
            .zip(longitude)
            .map(|(latitude, longitude)| Point { latitude, longitude });
        sample.satellites = self.satellites;
        let tenths = decimal(data.get(2..4)?);
        let metres = tenths.map(|tenths| sign(!has(IS_BELOW_SEA)) * (self.kilometres + tenths / 10.0));
        sample.altitude = self.altitude.of(metres);
        Some(())
    }
}

/// Converts `ddmm.mmmm` to degrees.
fn degrees(bytes: &[u8]) -> Option<f64> {
    let minutes = decimal(bytes)? / 10_000.0;
    let degrees = (minutes / 100.0).trunc();
    Some(degrees + (minutes - degrees * 100.0) / 60.0)
}

/// Decodes BCD, two digits per byte, last byte first; `None` if any isn't a digit.
fn decimal(bytes: &[u8]) -> Option<f64> {
    bytes.iter().rev().try_fold(0.0, |number, byte| {
        let (tens, ones) = (byte >> 4, byte & 0xF);
        (tens < 10 && ones < 10).then(|| number * 100.0 + f64::from(tens * 10 + ones))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a session with a record every 22 ms: voltage, position and speed in turn.
    fn session(name: &str, ticks: f64, records: u32, seconds_off: f64) -> Vec<u8> {
        let header = |kind: [u8; 2], name: &str| {
            let mut header = [0; HEADER_BYTES];
            header[..4].copy_from_slice(&MARK);
            header[4..6].copy_from_slice(&kind);
            header[NAME][..name.len()].copy_from_slice(name.as_bytes());
            header
        };
        let mut bytes = [header([0, 1], name), header([1, 1], ""), header(LAST_HEADER, "")].concat();
        for record in 0..records {
            let seconds = f64::from(record) * 0.022;
            let tick = ((seconds + seconds_off) * ticks).round() as u32;
            let mut data = [0; 16];
            match record % 3 {
                0 => {
                    data[0] = 0x7E;
                    data[4..6].copy_from_slice(&(2516 - record as u16 / 10).to_be_bytes());
                }
                // 52° 24.7440' N, 9° 48.9130' E, 157.1 m
                1 => {
                    data = [
                        0x16, 0, 0x71, 0x15, 0x40, 0x74, 0x24, 0x52, 0x30, 0x91, 0x48, 0x09, 0, 0, 0, 0x3B,
                    ]
                }
                // 35.0 kn, 8 satellites
                _ => data = [0x17, 0, 0x50, 0x03, 0, 0, 0, 0, 0x08, 0, 0, 0, 0, 0, 0, 0],
            }
            bytes.extend_from_slice(&tick.to_le_bytes());
            bytes.extend_from_slice(&data);
        }
        bytes
    }

    fn found(bytes: &[u8]) -> Vec<crate::samples::FoundFlight> {
        let mut segmenter = Segmenter::default();
        let mut source = bytes;
        read(&mut source, &mut segmenter).unwrap();
        segmenter.finish().found
    }

    #[test]
    fn logs_of_older_and_newer_radios_give_minutes_voltage_place_and_speed() {
        for ticks in TICKS {
            let log = session("Gaui X5", ticks, 3000, 400.0);
            assert!(matches(&log));
            let found = found(&log);
            let [flight] = found.as_slice() else {
                panic!("{found:?}")
            };
            assert!((flight.duration.unwrap() - 66.0).abs() < 0.5, "{ticks}: {flight:?}");
            assert_eq!((flight.metadata.name.as_str(), flight.start), ("Gaui X5", None));
            let figures = flight.figures;
            assert!((figures.start_volts.unwrap() - 25.1).abs() < 0.1, "{figures:?}");
            assert!((figures.end_volts.unwrap() - 22.2).abs() < 0.1, "{figures:?}");
            assert!((figures.speed.unwrap() - 64.8).abs() < 0.1, "{figures:?}");
            let place = figures.start_point.unwrap();
            assert!((place.latitude - 52.4124).abs() < 1e-6 && (place.longitude - 9.815_216_67).abs() < 1e-6);
        }
    }

    #[test]
    fn each_session_is_a_flight_of_its_model_and_one_without_records_is_none() {
        let log = [
            session("Stinson", 273.0, 2000, 0.0),
            session("Stinson", 273.0, 0, 0.0),
            session("NazaF450", 273.0, 4000, 900.0),
        ];
        let found = found(&log.concat());
        let flights: Vec<_> = found
            .iter()
            .map(|flight| (flight.metadata.name.as_str(), flight.duration.unwrap().round() as u32))
            .collect();
        assert_eq!(flights, [("Stinson", 44), ("NazaF450", 88)]);
    }

    #[test]
    fn one_wrong_value_alone_says_nothing() {
        let mut middle = MedianOfThree::default();
        let values = [64.0, 65.0, 498.0, 66.0, 67.0, 66.0].map(|value| middle.of(Some(value)));
        assert_eq!(values, [None, None, Some(65.0), Some(66.0), Some(67.0), Some(66.0)]);
        assert_eq!(decimal(&[0x99, 0x10]), Some(1099.0));
        assert_eq!(decimal(&[0xF0]), None);
    }
}
