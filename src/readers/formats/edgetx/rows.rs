//! The rows below a header.

use memchr::{memchr, memchr_iter};

use crate::formats::values::{day, length_unit, number, speed_unit, time_of_day};
use crate::samples::{Mode, Point, Sample, is_of_pack};

/// The most cells of a row.
const MAX_CELLS: usize = 2000;
/// The most bytes of a cell: radios write no longer values, and the last one of each column is kept.
const MAX_CELL_BYTES: usize = 64;
/// Flight modes of a disarmed copter in INAV and Rotorflight. Betaflight appends `*`, `!` or `?` to the mode.
const DISARMED: [&[u8]; 6] = [b"OK", b"WAIT", b"!ERR", b"DISARMED", b"DISABLED", b"OFF"];
/// Failsafe: armed, without a pilot.
const FAILSAFE: &[u8] = b"!FS!";
/// Sensors of the pack's voltage, most reliable first. `RxBt` is often the receiver's own 5 V supply.
const VOLTAGES: [&str; 5] = ["Cels", "VFAS", "A2", "A1", "RxBt"];
/// Which of several sensors is used for the voltage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sensor {
    #[default]
    MostReliable,
    /// The first column, as up to release 1.4.0.
    First,
}

/// The tick of the radio's clock.
const TICK_SECONDS: f64 = 0.01;

/// The meaning of a column, with the factor to the unit of samples.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Date,
    Time,
    /// From the sensor with this index in [`VOLTAGES`].
    Volts(usize),
    Consumed,
    Amperes,
    Mode,
    Gps,
    Latitude,
    Longitude,
    Speed(f64),
    Altitude(f64),
    Satellites,
    Throttle,
}

impl Meaning {
    /// Returns whether both mean the same value, disregarding units.
    fn is_alike(&self, other: &Meaning, sensor: Sensor) -> bool {
        match (self, other) {
            (Meaning::Volts(one), Meaning::Volts(other)) if sensor == Sensor::MostReliable => one == other,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

fn meaning(cell: &str) -> Option<Meaning> {
    let (label, unit) = match cell.split_once('(') {
        Some((label, unit)) => (label.trim(), unit.trim_end_matches(')')),
        None => (cell.trim(), ""),
    };
    if let Some(sensor) = VOLTAGES.iter().position(|sensor| sensor.eq_ignore_ascii_case(label)) {
        return Some(Meaning::Volts(sensor));
    }
    Some(match label {
        "Date" => Meaning::Date,
        "Time" => Meaning::Time,
        "Capa" | "mAh" | "Consumption" => Meaning::Consumed,
        "Curr" | "Current" => Meaning::Amperes,
        "FM" => Meaning::Mode,
        "GPS" => Meaning::Gps,
        "Lat" => Meaning::Latitude,
        "Long" => Meaning::Longitude,
        "GSpd" | "GPS Speed" => Meaning::Speed(speed_unit(unit).unwrap_or(1.0)),
        // FrSky radios write `Altitude`.
        "Alt" | "GAlt" | "Baro Alt" | "GPS Alt" | "Altitude" => Meaning::Altitude(length_unit(unit).unwrap_or(1.0)),
        "Sats" => Meaning::Satellites,
        "Thr" => Meaning::Throttle,
        _ => return None,
    })
}

/// A header, and the values of the last row below it.
pub struct Rows {
    header: String,
    columns: Vec<Column>,
    /// Number of columns after the last used one.
    others: usize,
    values: Values,
}

/// A column that is used, with its text in the last row.
struct Column {
    /// Number of unused columns before this one: most columns are sticks, switches and channels.
    skipped: usize,
    meaning: Meaning,
    cell: Vec<u8>,
}

impl Rows {
    /// Parses a header; `None` if it has too many cells.
    pub fn below(header: &str, sensor: Sensor) -> Option<Rows> {
        let mut columns: Vec<Column> = Vec::new();
        let mut skipped = 0;
        for cell in header.split(',') {
            // The first of equal columns is used: of two `Alt`, the barometer's comes before that of the GPS.
            let is_new = |meaning: &Meaning| {
                let is_known = columns.iter().any(|known| known.meaning.is_alike(meaning, sensor));
                !is_known
            };
            match meaning(cell).filter(is_new) {
                Some(meaning) => columns.push(Column {
                    skipped: std::mem::take(&mut skipped),
                    meaning,
                    cell: Vec::new(),
                }),
                None => skipped += 1,
            }
        }
        let has_date = columns.iter().any(|column| column.meaning == Meaning::Date);
        (header.split(',').count() <= MAX_CELLS).then(|| Rows {
            header: header.to_owned(),
            columns,
            others: skipped,
            values: Values {
                has_date,
                sensor,
                ..Values::default()
            },
        })
    }

    pub fn header(&self) -> &str {
        &self.header
    }

    /// Returns whether positions are in one cell, in which OpenTX 2.1 puts the longitude first.
    pub(crate) fn may_exchange_coordinates(&self) -> bool {
        self.columns.iter().any(|column| column.meaning == Meaning::Gps)
    }

    /// Returns the rows below the same header for a line with one more cell than it, if the line has latitude and
    /// longitude in two cells below `GPS`, as Ethos writes them.
    pub(crate) fn split_position(&mut self, line: &[u8]) -> Option<&mut Rows> {
        let index = self
            .header
            .split(',')
            .position(|cell| meaning(cell) == Some(Meaning::Gps))?;
        let cells: Vec<&[u8]> = line.split(|byte| *byte == b',').collect();
        let is_number = |index: usize| cells.get(index).copied().and_then(number).is_some();
        if cells.len() != self.width() + 1 || !is_number(index) || !is_number(index + 1) {
            return None;
        }
        let mut labels: Vec<&str> = self.header.split(',').collect();
        labels.splice(index..=index, ["Lat", "Long"]);
        let rows = Rows::below(&labels.join(","), self.values.sensor)?;
        let header = std::mem::take(&mut self.header);
        *self = Rows { header, ..rows };
        Some(self)
    }

    /// Number of cells of the header.
    pub(crate) fn width(&self) -> usize {
        self.header.split(',').count()
    }

    /// Returns whether its rows have a date.
    pub(crate) fn has_date(&self) -> bool {
        self.values.has_date
    }

    /// Returns the sample of the next row; `None` for a row without a valid time, or with another number of cells than
    /// the header.
    pub fn next(&mut self, line: &[u8]) -> Option<Sample> {
        let mut rest = Some(line);
        for column in &mut self.columns {
            let line = behind(rest?, column.skipped)?;
            // Most cells are the same as in the previous row, and needn't be parsed again.
            rest = match line.strip_prefix(column.cell.as_slice()) {
                Some([]) => None,
                Some([b',', rest @ ..]) => Some(rest),
                _ => {
                    let end = memchr(b',', line);
                    let (cell, rest) = line.split_at(end.unwrap_or(line.len()));
                    let cell = if cell.len() > MAX_CELL_BYTES { &[] } else { cell };
                    column.cell.clear();
                    column.cell.extend_from_slice(cell);
                    self.values.set(column.meaning, cell.trim_ascii());
                    rest.split_first().map(|(_, rest)| rest)
                }
            };
        }
        let others = rest.map_or(0, |rest| memchr_iter(b',', rest).count() + 1);
        match others == self.others {
            true => self.values.sample(),
            false => None,
        }
    }
}

/// Returns the row after this many cells; `None` if there are no more.
fn behind(line: &[u8], cells: usize) -> Option<&[u8]> {
    let Some(before) = cells.checked_sub(1) else {
        return Some(line);
    };
    let end = memchr_iter(b',', line).nth(before)?;
    line.get(end + 1..)
}

/// The values of the last row.
#[derive(Default)]
struct Values {
    has_date: bool,
    sensor: Sensor,
    day: Option<f64>,
    /// Seconds since midnight, or since an arbitrary moment if there is no date.
    time: Option<f64>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    gps: Option<Point>,
    is_longitude_first: bool,
    volts: [Option<f64>; VOLTAGES.len()],
    others: Sample,
}

impl Values {
    fn set(&mut self, meaning: Meaning, cell: &[u8]) {
        let Values { others, .. } = self;
        let value = || number(cell);
        // Zero means no telemetry.
        let received = || number(cell).filter(|value| *value != 0.0);
        match meaning {
            Meaning::Date => self.day = std::str::from_utf8(cell).ok().and_then(day),
            Meaning::Time if self.has_date => self.time = time_of_day(cell),
            Meaning::Time => self.time = value().map(|ticks| ticks * TICK_SECONDS),
            Meaning::Volts(sensor) => {
                if let Some(volts) = self.volts.get_mut(sensor) {
                    *volts = received();
                }
                (others.volts, others.sensor_rank) = match self.sensor {
                    Sensor::MostReliable => most_reliable(&self.volts),
                    Sensor::First => (self.volts.iter().copied().flatten().next(), 0),
                };
            }
            Meaning::Consumed => others.consumed = received(),
            Meaning::Amperes => others.amperes = value(),
            Meaning::Mode => (others.armed, others.mode) = (armed(unquoted(cell)), mode(unquoted(cell))),
            Meaning::Gps => {
                let gps = gps(unquoted(cell));
                self.is_longitude_first |= gps.is_some_and(|point: Point| point.latitude.abs() > 90.0);
                self.gps = match (gps, self.is_longitude_first) {
                    (Some(Point { latitude, longitude }), true) => Some(Point {
                        latitude: longitude,
                        longitude: latitude,
                    }),
                    (gps, _) => gps,
                };
            }
            Meaning::Latitude => self.latitude = hemisphere(cell),
            Meaning::Longitude => self.longitude = hemisphere(cell),
            Meaning::Speed(factor) => others.speed = value().map(|speed| speed * factor),
            Meaning::Altitude(factor) => others.altitude = value().map(|metres| metres * factor),
            Meaning::Satellites => others.satellites = received(),
            Meaning::Throttle => others.throttle = value(),
        }
    }

    /// Returns the sample; `None` without a valid time.
    fn sample(&self) -> Option<Sample> {
        let day_start = match self.has_date {
            true => self.day? * 86_400.0,
            false => 0.0,
        };
        let halves = || {
            let point = Point {
                latitude: self.latitude?,
                longitude: self.longitude?,
            };
            Some(point).filter(|point| point.latitude != 0.0 && point.longitude != 0.0)
        };
        Some(Sample {
            seconds: Some(day_start + self.time?),
            point: self.gps.or_else(halves),
            ..self.others
        })
    }
}

/// Returns the voltage of the most reliable sensor whose value is plausible for a pack, otherwise of the most reliable
/// with any value; and the sensor's rank (0 is best).
fn most_reliable(volts: &[Option<f64>]) -> (Option<f64>, u8) {
    let known = || (0..).zip(volts).filter_map(|(rank, volts)| Some((rank, (*volts)?)));
    let of_pack = known().find(|(_, volts)| is_of_pack(*volts, None));
    let no_pack = || known().next().map(|(_, volts)| (u8::MAX, volts));
    let (rank, volts) = of_pack.or_else(no_pack).unzip();
    (volts, rank.unwrap_or_default())
}

fn unquoted(cell: &[u8]) -> &[u8] {
    let cell = cell.strip_prefix(b"\"").unwrap_or(cell);
    cell.strip_suffix(b"\"").unwrap_or(cell)
}

/// Returns whether a flight mode means armed; `None` for an empty one, which keeps the last state.
fn armed(mode: &[u8]) -> Option<bool> {
    match mode.trim_ascii() {
        b"" => None,
        FAILSAFE => Some(true),
        [.., b'*' | b'!' | b'?'] => Some(false),
        mode if DISARMED.contains(&mode) => Some(false),
        _ => Some(true),
    }
}

/// Returns the mode for its name in Betaflight, INAV and ArduPilot; `None` for modes that aren't distinguished, such as
/// return to home.
fn mode(mode: &[u8]) -> Option<Mode> {
    Some(match mode.trim_ascii() {
        b"ANGL" | b"ANGLE" | b"STAB" => Mode::Angle,
        b"HOR" | b"HORI" | b"HRZN" => Mode::Horizon,
        b"ACRO" | b"AIR" | b"MANU" | b"RATE" => Mode::Manual,
        _ => return None,
    })
}

/// Parses `53.323833 8.150849`; `None` if either part is 0, which means no fix.
fn gps(cell: &[u8]) -> Option<Point> {
    let blank = cell.iter().position(|byte| *byte == b' ')?;
    let (latitude, longitude) = (number(&cell[..blank])?, number(&cell[blank + 1..])?);
    (latitude != 0.0 && longitude != 0.0).then_some(Point { latitude, longitude })
}

/// Parses a coordinate: `5332.3833N` in degrees and minutes (OpenTX), or `53.32` in degrees.
fn hemisphere(cell: &[u8]) -> Option<f64> {
    let (sign, value) = match cell {
        [value @ .., b'S' | b'W'] => (-1.0, number(value)?),
        [value @ .., b'N' | b'E'] => (1.0, number(value)?),
        _ => return number(cell),
    };
    let degrees = (value / 100.0).trunc();
    Some(sign * (degrees + (value - degrees * 100.0) / 60.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn each_firmware_says_in_its_own_way_that_it_is_disarmed() {
        for (mode, is_armed) in [
            ("AIR*", Some(false)),
            ("ACRO!", Some(false)),
            ("OK", Some(false)),
            ("WAIT", Some(false)),
            ("!ERR", Some(false)),
            ("DISARMED", Some(false)),
            ("!FS!", Some(true)),
            ("ANGL", Some(true)),
            ("", None),
        ] {
            assert_eq!(armed(mode.as_bytes()), is_armed, "{mode}");
        }
    }

    #[test]
    fn a_cell_longer_than_any_value_says_nothing_and_takes_no_memory() {
        let mut rows = Rows::below("Date,Time,RxBt(V)", Sensor::MostReliable).unwrap();
        let long = format!("2026-05-09,10:00:00,{}16.8", " ".repeat(100_000));
        for (line, volts) in [
            ("2026-05-09,10:00:00,16.8", Some(16.8)),
            (&long, None),
            ("2026-05-09,10:00:00,", None),
        ] {
            assert_eq!(rows.next(line.as_bytes()).unwrap().volts, volts);
        }
        assert!(rows.columns[2].cell.capacity() <= MAX_CELL_BYTES);
    }

    #[test]
    fn cells_that_say_nothing_are_skipped_but_have_to_be_there() {
        for (header, row) in [
            ("Date,Time,RxBt(V)", "2026-05-09,10:00:00,16.8"),
            ("Date,Time,RxBt(V),SA", "2026-05-09,10:00:00,16.8,"),
            (
                "Date,Time,ANT,RFMD,RxBt(V),SA,SB,TxBat(V)",
                "2026-05-09,10:00:00,,7,16.8,-1,,7.9",
            ),
            ("SA,Date,SB,SC,Time,RxBt(V)", ",2026-05-09,-1,-1,10:00:00,16.8"),
        ] {
            let mut rows = Rows::below(header, Sensor::MostReliable).unwrap();
            let (shorter, _) = row.rsplit_once(',').unwrap();
            let longer = format!("{row},");
            for (line, volts) in [
                (row, Some(16.8)),
                (&longer, None),
                (shorter, None),
                (row, Some(16.8)),
                ("", None),
            ] {
                let sample = rows.next(line.as_bytes());
                assert_eq!(sample.and_then(|sample| sample.volts), volts, "{header}: {line}");
            }
        }
    }

    #[test]
    fn the_labels_of_ethos_are_known() {
        let header = "Date,Time,VFR(%),RxBatt(V),VFAS(V),Current(A),Altitude(m),GPS,GPS Speed(km/h),";
        let row = "2026-06-01,12:00:00.250,100,5.1,16.2,12.5,41.5,39.75 -75.25,54.0,";
        let sample = Rows::below(header, Sensor::MostReliable)
            .unwrap()
            .next(row.as_bytes())
            .unwrap();
        assert_eq!(
            (sample.volts, sample.amperes, sample.altitude, sample.speed),
            (Some(16.2), Some(12.5), Some(41.5), Some(54.0))
        );
        assert_eq!(sample.point.map(|point| point.longitude), Some(-75.25));
    }

    #[test]
    fn a_position_in_two_cells_below_one_heading_is_read() {
        let header = "Date,Time,RxBt(V),GPS,GSpd(kmh),Thr";
        let mut rows = Rows::below(header, Sensor::MostReliable).unwrap();
        let line = b"2026-06-01,12:00:00,16.2,39.75,-75.25,54.0,-1024";
        assert_eq!(rows.next(line), None);
        let sample = rows.split_position(line).unwrap().next(line).unwrap();
        let place = (39.75, -75.25);
        assert_eq!(sample.point.map(|point| (point.latitude, point.longitude)), Some(place));
        assert_eq!((sample.speed, sample.throttle), (Some(54.0), Some(-1024.0)));
        assert_eq!((rows.header(), rows.width()), (header, 6));
        // Another column is missing.
        let mut rows = Rows::below("Date,Time,RxBt(V),GPS,GSpd(kmh)", Sensor::MostReliable).unwrap();
        assert!(
            rows.split_position(b"2026-06-01,12:00:00,16.2,39.75 -75.25,54.0,7")
                .is_none()
        );
    }

    #[test]
    fn a_longitude_beyond_90_degrees_is_no_latitude() {
        let mut rows = Rows::below("Date,Time,GPS", Sensor::MostReliable).unwrap();
        let sample = rows.next(b"2026-06-01,12:00:00,-120.5 39.75").unwrap();
        assert_eq!(
            sample.point.map(|point| (point.latitude, point.longitude)),
            Some((39.75, -120.5))
        );
    }

    proptest! {
        #[test]
        fn a_row_is_read_independently_of_the_row_before(
            lines in vec("(2026-05-0[1-3]|x)?,(10:00:0[0-9]|10:61)?,(16.[0-9]|0)?,(53.1 10.[0-3]|0 0)?,(ACRO|OK)?(,)?",
                1..20),
        ) {
            let header = "Date,Time,RxBt(V),GPS,FM";
            let mut rows = Rows::below(header, Sensor::MostReliable).unwrap();
            for line in &lines {
                let alone = Rows::below(header, Sensor::MostReliable).unwrap().next(line.as_bytes());
                prop_assert_eq!(rows.next(line.as_bytes()), alone, "{}", line);
            }
        }
    }
}
