//! The frames of a blackbox log: intra frames (`I`) with whole values, inter frames (`P`) with changes, and others.
//! Each field has an encoding and a predictor, whose value is added to the decoded one (`blackbox_fielddefs.h`).

use super::encodings::{Cursor, sign_extended};
use crate::samples::Point;

/// The most fields of a frame.
pub(crate) const MAX_FIELDS: usize = 256;
/// The first bytes of the kinds of frames.
const KINDS: &[u8] = b"IPSGHE";
/// The values read from main frames, by field name: time, voltage, current.
const WANTED: [&[&str]; 3] = [&["time"], &["vbatLatest", "vbat"], &["amperageLatest", "amperage"]];
/// The values read from GPS frames. The altitude isn't read: its unit differs between three kinds of firmware.
const WANTED_OF_GPS: [&str; 4] = ["GPS_coord[0]", "GPS_coord[1]", "GPS_numSat", "GPS_speed"];
/// The value in the middle of a servo's range.
const MIDDLE: i64 = 1500;

/// Encodings and predictors of the fields of one kind of frame.
#[derive(Default)]
pub struct Fields {
    pub encodings: Vec<u8>,
    pub predictors: Vec<u8>,
}

/// The description of the frames from a header.
#[derive(Default)]
pub(crate) struct FrameLayout {
    /// The indices of the wanted fields.
    places: [Option<usize>; WANTED.len()],
    /// `I` frames.
    pub intra: Fields,
    /// `P` frames: changes since the previous frame.
    pub inter: Fields,
    /// `G` frames, from the GPS receiver.
    pub gps: Fields,
    gps_places: [Option<usize>; WANTED_OF_GPS.len()],
    /// The encodings of the other kinds, `S` and `H`.
    pub slow: Vec<u8>,
    pub home: Vec<u8>,
    /// The reference voltage of predictor 9.
    pub reference: i64,
}

impl FrameLayout {
    /// Sets the field names of `I` and `P` frames.
    pub fn name(&mut self, names: &str) {
        self.places = WANTED.map(|wanted| place_of(wanted, names));
    }

    /// Sets the field names of `G` frames.
    pub(crate) fn name_of_gps(&mut self, names: &str) {
        self.gps_places = WANTED_OF_GPS.map(|wanted| place_of(&[wanted], names));
    }
}

fn place_of(wanted: &[&str], names: &str) -> Option<usize> {
    let mut names = names.split(',').take(MAX_FIELDS);
    names.position(|name| wanted.contains(&name))
}

pub enum Frame {
    Main(Main),
    Gps(Gps),
    Other,
    /// Bytes that aren't a frame.
    Broken,
    /// The event that ends a log.
    End,
}

/// The values of an `I` or `P` frame. The units depend on the firmware.
pub struct Main {
    pub micros: u64,
    pub volts: Option<f64>,
    pub amperes: Option<f64>,
}

/// The values of a `G` frame.
#[derive(Clone, Copy)]
pub(crate) struct Gps {
    pub point: Point,
    pub satellites: Option<f64>,
    /// km/h
    pub speed: Option<f64>,
}

/// Decodes the frames of a log in order.
pub struct Decoder {
    shape: FrameLayout,
    values: Vec<i64>,
    /// Latitude and longitude of the last `H` frame, which `G` frames are relative to.
    home: Option<[i64; 2]>,
    /// The wanted values of the last two frames, latest first. `None` after broken bytes, until the next `I` frame.
    before: Option<[[i64; WANTED.len()]; 2]>,
    /// The time of the controller's 32-bit clock, continued over its overflows.
    micros: Option<i64>,
}

impl Decoder {
    pub fn new(shape: FrameLayout) -> Decoder {
        Decoder {
            shape,
            values: Vec::new(),
            home: None,
            before: None,
            micros: None,
        }
    }

    /// Reads the frame at the beginning of the bytes. Returns it with its length.
    pub fn read(&mut self, bytes: &[u8]) -> (Frame, usize) {
        let mut cursor = Cursor { bytes, at: 1 };
        let read = match bytes.first() {
            Some(b'E') => match event(&mut cursor) {
                Some(true) => return (Frame::End, cursor.at),
                Some(false) => Some(()),
                None => None,
            },
            Some(b'I') => self.values(&mut cursor, |shape| &shape.intra.encodings),
            Some(b'P') => self.values(&mut cursor, |shape| &shape.inter.encodings),
            Some(b'S') => self.values(&mut cursor, |shape| &shape.slow),
            Some(b'G') => self.values(&mut cursor, |shape| &shape.gps.encodings),
            Some(b'H') => self.values(&mut cursor, |shape| &shape.home),
            _ => None,
        };
        // A frame is valid only if another one follows it.
        let is_followed = bytes.get(cursor.at).is_none_or(|next| KINDS.contains(next));
        if read.is_none() || !is_followed {
            self.before = None;
            let next = bytes.iter().skip(1).position(|byte| KINDS.contains(byte));
            return (Frame::Broken, next.map_or(bytes.len(), |next| next + 1));
        }
        let frame = match bytes.first() {
            Some(b'I') => self.intra().map(Frame::Main),
            Some(b'P') => self.inter().map(Frame::Main),
            Some(b'G') => self.gps().map(Frame::Gps),
            Some(b'H') => {
                self.home = self.values.first_chunk().copied();
                None
            }
            _ => None,
        };
        (frame.unwrap_or(Frame::Other), cursor.at)
    }

    /// Decodes the raw values of a frame; `None` when the bytes aren't a frame of these fields.
    fn values(&mut self, cursor: &mut Cursor<'_>, encodings: fn(&FrameLayout) -> &Vec<u8>) -> Option<()> {
        let encodings = encodings(&self.shape);
        self.values.clear();
        let values = &mut self.values;
        while let Some(encoding) = encodings.get(values.len()) {
            let begun = values.len();
            match encoding {
                0 => values.push(cursor.signed()?),
                1 => values.push(i64::from(cursor.unsigned()?)),
                3 => values.push(-sign_extended(i64::from(cursor.unsigned()?), 14)),
                6 => {
                    let alike = encodings.get(begun..).unwrap_or_default();
                    let count = alike.iter().take(8).take_while(|other| **other == 6).count();
                    cursor.eight(count, values)?;
                }
                7 => values.extend(cursor.three()?),
                8 => values.extend(cursor.four()?),
                9 => values.push(0),
                10 => values.extend(cursor.three_of_any_width()?),
                _ => return None,
            }
        }
        (!encodings.is_empty()).then_some(())
    }

    /// Returns the raw value of a wanted field and its predictor.
    fn difference(&self, wanted: usize, fields: &Fields) -> Option<(i64, u8)> {
        let place = (*self.shape.places.get(wanted)?)?;
        self.values
            .get(place)
            .copied()
            .zip(fields.predictors.get(place).copied())
    }

    fn intra(&mut self) -> Option<Main> {
        let reference = self.shape.reference;
        let mut now = [0; WANTED.len()];
        let mut known = [false; WANTED.len()];
        for (wanted, (value, known)) in now.iter_mut().zip(&mut known).enumerate() {
            let Some((difference, predictor)) = self.difference(wanted, &self.shape.intra) else {
                continue;
            };
            let base = match predictor {
                0 => Some(0),
                8 => Some(MIDDLE),
                9 => Some(reference),
                _ => None,
            };
            if let Some(base) = base {
                (*value, *known) = (difference.wrapping_add(base), true);
            }
        }
        self.before = Some([now, now]);
        self.main(now, known)
    }

    fn inter(&mut self) -> Option<Main> {
        let [last, older] = self.before?;
        let reference = self.shape.reference;
        let mut now = [0; WANTED.len()];
        let mut known = [false; WANTED.len()];
        for (wanted, (value, known)) in now.iter_mut().zip(&mut known).enumerate() {
            let (Some((difference, predictor)), Some(last), Some(older)) = (
                self.difference(wanted, &self.shape.inter),
                last.get(wanted),
                older.get(wanted),
            ) else {
                continue;
            };
            let base = match predictor {
                0 => Some(0),
                1 => Some(*last),
                2 => Some(last.wrapping_mul(2).wrapping_sub(*older)),
                3 => Some(last.wrapping_add(*older) / 2),
                8 => Some(MIDDLE),
                9 => Some(reference),
                _ => None,
            };
            if let Some(base) = base {
                (*value, *known) = (difference.wrapping_add(base), true);
            }
        }
        self.before = Some([now, last]);
        self.main(now, known)
    }

    /// Positions are in 1e-7 degrees, speeds in cm/s (`blackbox.c`). `None` without a position.
    fn gps(&self) -> Option<Gps> {
        let value = |wanted: usize| {
            let place = (*self.shape.gps_places.get(wanted)?)?;
            let base = match (self.shape.gps.predictors.get(place)?, wanted) {
                (0, _) => 0,
                (7, 0 | 1) => *self.home?.get(wanted)?,
                _ => return None,
            };
            #[expect(clippy::cast_precision_loss, reason = "values have 32 bits")]
            let value = self.values.get(place)?.wrapping_add(base) as f64;
            Some(value)
        };
        Some(Gps {
            point: Point {
                latitude: value(0)? / 1e7,
                longitude: value(1)? / 1e7,
            },
            satellites: value(2),
            speed: value(3).map(|speed| speed * 0.036),
        })
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "the clock has 32 bits and begins anew after 71 minutes; voltages and currents are small"
    )]
    fn main(&mut self, [time, volts, amperes]: [i64; WANTED.len()], known: [bool; WANTED.len()]) -> Option<Main> {
        let [knows_time, knows_volts, knows_amperes] = known;
        let micros = match self.micros {
            Some(last) => last + i64::from((time as i32).wrapping_sub(last as i32)),
            None => i64::from(time as u32),
        };
        self.micros = Some(micros);
        knows_time.then_some(Main {
            micros: u64::try_from(micros).unwrap_or_default(),
            volts: knows_volts.then_some(volts as f64),
            amperes: knows_amperes.then_some(amperes as f64),
        })
    }
}

/// Reads an event. Returns whether it is the end of the log; `None` for an unknown event.
fn event(cursor: &mut Cursor<'_>) -> Option<bool> {
    const END: &[u8] = b"End of log\0";
    match cursor.byte()? {
        // The sync beep for video, a gyroscope overflow, the reason for disarming.
        0 | 40 | 15 => {
            cursor.unsigned()?;
        }
        // An in-flight adjustment, of a float or of an integer.
        13 => match cursor.byte()? {
            128.. => cursor.skip(4)?,
            _ => {
                cursor.signed()?;
            }
        },
        // The log is resumed, or the flight mode changes.
        14 | 30 => {
            cursor.unsigned()?;
            cursor.unsigned()?;
        }
        255 if cursor.bytes.get(cursor.at..)?.starts_with(END) => {
            cursor.skip(END.len())?;
            return Some(true);
        }
        _ => return None,
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encodings: &[u8], bytes: &[u8]) -> Option<(Vec<i64>, usize)> {
        let mut decoder = Decoder::new(FrameLayout {
            slow: encodings.to_vec(),
            ..FrameLayout::default()
        });
        let mut cursor = Cursor { bytes, at: 0 };
        decoder.values(&mut cursor, |shape| &shape.slow)?;
        Some((decoder.values, cursor.at))
    }

    #[test]
    fn values_are_encoded_in_eight_ways() {
        for (encodings, bytes, values) in [
            (&[1][..], &[0xAC, 0x02][..], &[300][..]),
            (&[0, 0], &[0x05, 0x06], &[-3, 3]),
            (&[3], &[0xFF, 0x7F], &[1]),
            (&[9, 1], &[7], &[0, 7]),
            (&[6], &[0x03], &[-2]),
            (&[6, 6, 6], &[0b101, 0x02, 0x04], &[1, 0, 2]),
            (&[7, 7, 7], &[0b00_01_11_10], &[1, -1, -2]),
            (&[7, 7, 7], &[0b0100_0111, 0x8F], &[7, -8, -1]),
            (&[7, 7, 7], &[0b10_111111, 0x1F, 0x20], &[-1, 31, -32]),
            (
                &[7, 7, 7],
                &[0b11_10_01_00, 0xFF, 0x00, 0x80, 1, 0, 0],
                &[-1, -32768, 1],
            ),
            (
                &[8, 8, 8, 8],
                &[0b11_10_01_00, 0x7F, 0xF1, 0x23, 0x40],
                &[0, 7, -1, 0x1234],
            ),
            (&[8, 8, 8, 8], &[0b01_00_00_11, 0x80, 0x00, 0x90], &[-32768, 0, 0, -7]),
            (&[10, 10, 10], &[0b0110_0000, 0b1111_0111], &[-16, 15, 7]),
            (&[10, 10, 10], &[0b10_011111, 0b11_100000, 0b0_0000001], &[127, -64, 1]),
        ] {
            let read = decoded(encodings, bytes);
            assert_eq!(read, Some((values.to_vec(), bytes.len())), "{encodings:?} {bytes:?}");
        }
        assert_eq!(decoded(&[1], &[0x80, 0x80, 0x80, 0x80, 0x80, 0]), None);
        assert_eq!(decoded(&[2], &[0, 0, 0]), None);
    }
}
