//! Logs of Jeti transmitters: lines `time;device;` followed by `parameter;type;decimals;value` for each value. Before
//! them, lines with time 0 name the devices' parameters.

use std::collections::HashMap;

use super::lines::{Lines, Utf8Reader};
use super::values::{days, display_text, speed_unit};
use crate::samples::{Clock, Metadata, Point, ReadResult, Sample, is_of_pack};
use crate::segmenter::Segmenter;

/// The number of lines in which the first one that names a parameter is searched.
const HEAD_LINES: usize = 3;
/// The most parameters of a log.
const MAX_PARAMETERS: usize = 500;
/// A line that names a parameter has the time 0 and at most this many cells.
const NAMING_CELLS: usize = 5;
const DATE_TIME: &str = "5";
const POSITION: &str = "9";
/// The bit for south or west in the decimals cell of a position.
const IS_NEGATIVE: u32 = 1 << 1;

/// The meaning of a parameter, with the factor to the unit of samples.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meaning {
    Volts,
    Amperes,
    Consumed,
    Height,
    Altitude,
    Latitude,
    Longitude,
    Satellites,
    Speed(f64),
    DateTime,
}

/// Returns the meaning of a parameter. Of two parameters with the same meaning the first is used. Voltages of
/// receivers, cells and BECs aren't the pack's, and a speed is that of a pitot tube unless the device knows its
/// position.
fn meaning(label: &str, unit: &str, knows_place: bool) -> Option<Meaning> {
    let label = label.trim().to_lowercase();
    let unit = unit.trim();
    Some(match (label.as_str(), unit) {
        ("u battery" | "voltage" | "spannung" | "ges.-span.", "V") => Meaning::Volts,
        ("i battery" | "current" | "strom", "A") => Meaning::Amperes,
        ("capacity" | "kapazität" | "kapazitaet", "mAh") => Meaning::Consumed,
        (label, "m") if label.contains("relat") => Meaning::Height,
        ("altitude" | "hoehe" | "höhe", "m") => Meaning::Altitude,
        ("latitude", _) => Meaning::Latitude,
        ("longitude", _) => Meaning::Longitude,
        ("satcount", _) => Meaning::Satellites,
        ("speed" | "geschw.", unit) if knows_place => Meaning::Speed(speed_unit(unit)?),
        ("timestamp" | "date", _) if knows_place || label == "timestamp" => Meaning::DateTime,
        _ => return None,
    })
}

/// Returns whether a text begins like a Jeti log.
pub fn matches(head: &str) -> bool {
    let mut lines = head.lines().take(HEAD_LINES).filter(|line| !line.starts_with('#'));
    lines.next().is_some_and(|line| {
        let cells: Vec<&str> = line.split(';').collect();
        let is_number = |cell: Option<&&str>, length: usize| {
            cell.is_some_and(|cell| cell.len() >= length && cell.bytes().all(|byte| byte.is_ascii_digit()))
        };
        (4..=NAMING_CELLS).contains(&cells.len())
            && cells.first().is_some_and(|time| time.len() == 9 && is_zero(time))
            && is_number(cells.get(1), 5)
            && is_number(cells.get(2), 1)
    })
}

fn is_zero(time: &str) -> bool {
    time.bytes().all(|digit| digit == b'0')
}

/// Reads a log.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let mut lines = Lines::new(source);
    let mut log = Log::default();
    segmenter.begin(Metadata {
        is_continuous: true,
        ..Metadata::default()
    });
    while let Some(line) = lines.next()? {
        if let Some(name) = line.strip_prefix('#') {
            if let Some(metadata) = segmenter.metadata().filter(|metadata| metadata.name.is_empty()) {
                metadata.name = display_text(name.trim(), 100);
            }
            continue;
        }
        let mut cells = line.split(';');
        let (Some(time), Some(device)) = (cells.next(), cells.next()) else {
            segmenter.count_untimed_row()?;
            continue;
        };
        if is_zero(time) && line.split(';').count() <= NAMING_CELLS {
            log.name(device, cells);
            continue;
        }
        let Some(millis) = time.parse::<u32>().ok() else {
            segmenter.count_untimed_row()?;
            continue;
        };
        let seconds = f64::from(millis) / 1000.0;
        let sample = log.sample(seconds, device, cells);
        if let (Some(zero), Some(metadata)) = (log.zero, segmenter.metadata()) {
            metadata.zero = metadata.zero.or(Some((zero, Clock::Utc)));
        }
        segmenter.sample(&sample)?;
    }
    Ok(())
}

/// The known parameters, and values that are still incomplete.
#[derive(Default)]
struct Log {
    meanings: HashMap<(String, String), Meaning>,
    latitude: Option<f64>,
    satellites: Option<f64>,
    /// Days since 1970, and seconds since midnight with the log's time at which they were read; both UTC.
    day: Option<f64>,
    time: Option<(f64, f64)>,
    /// The Unix seconds of the log's time 0.
    zero: Option<f64>,
}

impl Log {
    /// Reads a line that names a parameter.
    fn name<'c>(&mut self, device: &str, mut cells: impl Iterator<Item = &'c str>) {
        let (Some(parameter), Some(label)) = (cells.next(), cells.next()) else {
            return;
        };
        let of_device = |of: Meaning| {
            let mut all = self.meanings.iter();
            all.any(|((own, _), meaning)| own == device && *meaning == of)
        };
        let meaning = meaning(label, cells.next().unwrap_or_default(), of_device(Meaning::Latitude));
        let is_free = |meaning: &Meaning| {
            *meaning == Meaning::DateTime || !self.meanings.values().any(|known| is_alike(*known, *meaning))
        };
        if let Some(meaning) = meaning.filter(is_free)
            && self.meanings.len() < MAX_PARAMETERS
        {
            self.meanings.insert((device.to_owned(), parameter.to_owned()), meaning);
        }
    }

    fn sample<'c>(&mut self, seconds: f64, device: &str, mut cells: impl Iterator<Item = &'c str>) -> Sample {
        let mut sample = Sample {
            seconds: Some(seconds),
            ..Sample::default()
        };
        while let (Some(parameter), Some(kind), Some(decimals), Some(value)) =
            (cells.next(), cells.next(), cells.next(), cells.next())
        {
            let meaning = self.meanings.get(&(device.to_owned(), parameter.to_owned())).copied();
            let (Some(meaning), Some(decimals), Some(raw)) = (meaning, decimals.parse().ok(), whole(value)) else {
                continue;
            };
            let number = || f64::from(raw) / 10_f64.powi(i32::from(u8::try_from(decimals).unwrap_or_default()));
            match meaning {
                Meaning::Volts => sample.volts = Some(number()).filter(|volts| is_of_pack(*volts, None)),
                Meaning::Amperes => sample.amperes = Some(number()),
                Meaning::Consumed => sample.consumed = Some(number()).filter(|consumed| *consumed > 0.0),
                Meaning::Height => sample.height = Some(number()),
                Meaning::Altitude => sample.altitude = Some(number()),
                Meaning::Satellites => self.satellites = Some(number()),
                Meaning::Speed(factor) => sample.speed = Some(number() * factor),
                Meaning::Latitude if kind == POSITION => self.latitude = Some(degrees(raw, decimals)),
                Meaning::Longitude if kind == POSITION => {
                    let longitude = degrees(raw, decimals);
                    sample.point = self.latitude.take().map(|latitude| Point { latitude, longitude });
                    sample.satellites = self.satellites;
                }
                Meaning::DateTime if kind == DATE_TIME => self.moment(seconds, raw, decimals),
                _ => {}
            }
        }
        sample
    }

    /// Reads a date or a time of day: three numbers of a byte each.
    fn moment(&mut self, seconds: f64, raw: i32, decimals: u32) {
        let [low, middle, high, _] = raw.to_le_bytes();
        match decimals & 1 {
            1 => self.day = days(2000 + i32::from(low), u32::from(middle), u32::from(high)),
            _ => {
                let of_day = f64::from(high) * 3600.0 + f64::from(middle) * 60.0 + f64::from(low);
                self.time = Some((of_day, seconds));
            }
        }
        if let (None, Some(day), Some((of_day, since))) = (self.zero, self.day, self.time) {
            self.zero = Some(day * 86_400.0 + of_day - since);
        }
    }
}

fn is_alike(one: Meaning, other: Meaning) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
}

/// Parses an integer; a negative one may be written as an unsigned 32-bit number.
fn whole(value: &str) -> Option<i32> {
    let value: i64 = value.trim().parse().ok()?;
    let negative = || u32::try_from(value).ok().map(u32::cast_signed);
    i32::try_from(value).ok().or_else(negative)
}

/// Returns the degrees of a position: 1/1000 minutes in the lower 16 bits, degrees above them.
fn degrees(raw: i32, signs: u32) -> f64 {
    let [low, high, degrees, _] = raw.to_le_bytes();
    let minutes = f64::from(u16::from_le_bytes([low, high])) / 1000.0;
    let degrees = f64::from(degrees) + minutes / 60.0;
    match signs & IS_NEGATIVE {
        0 => degrees,
        _ => -degrees,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "# Wind #4\n000000000;4291420554;0;Tx; \n000000000;4272321920;0;Rx; \n\
                         000000000;4272321920;1;U Rx;V\n000000000;3918921564;0;MEZON 120; \n\
                         000000000;3918921564;1;U Battery;V\n000000000;3918921564;2;I Battery;A\n\
                         000000000;3918921564;3;U BEC;V\n000000000;3918921564;5;Capacity;mAh\n\
                         000000000;4300921482;1;TimeStamp; \n000000000;4300921482;2;Latitude; \n\
                         000000000;4300921482;3;Longitude; \n000000000;4300921482;5;SatCount; \n\
                         000000000;4300921482;6;Altitude;m\n000000000;4300921482;8;Speed;m/s\n\
                         000000000;4300921482;14;Date; \n";

    fn log() -> String {
        let rows = (0..120u32).map(|second| {
            let millis = 129_000 + second * 1000;
            // From 00:09:12 on.
            let (minutes, seconds) = (9 + (12 + second) / 60, (12 + second) % 60);
            format!(
                "{millis:09};4272321920;1;1;2;471\n{millis:09};3918921564;1;1;1;{};2;1;0;21;3;1;1;56;5;4;0;{}\n\
                 {millis:09};4300921482;1;5;0;{}\n{millis:09};4300921482;14;5;1;1706509\n\
                 {millis:09};4300921482;2;9;0;{}\n{millis:09};4300921482;3;9;3;6292074\n\
                 {millis:09};4300921482;5;0;0;9;6;1;0;{};8;1;1;123\n",
                251 - second / 10,
                second * 10,
                minutes << 8 | seconds,
                2_698_114 + second,
                300 + second.min(40),
            )
        });
        format!("{NAMES}{}", rows.collect::<String>())
    }

    #[test]
    fn voltage_current_place_and_start_are_those_of_the_pack_and_of_the_satellites() {
        let log = log();
        assert!(matches(&log));
        let mut segmenter = Segmenter::default();
        let mut bytes = log.as_bytes();
        read(Utf8Reader::new(&mut bytes, &[]).unwrap(), &mut segmenter).unwrap();
        let found = segmenter.finish().found;
        let [flight] = found.as_slice() else {
            panic!("{found:?}")
        };
        let figures = flight.figures;
        assert_eq!(
            (flight.metadata.name.as_str(), flight.metadata.clock),
            ("Wind #4", Clock::Utc)
        );
        // 2013-10-26 00:09:12
        assert_eq!(flight.start, Some(1_382_746_152.0));
        assert!((flight.duration.unwrap() - 119.0).abs() < 1.1, "{flight:?}");
        assert_eq!((figures.start_volts, figures.end_volts), (Some(25.1), Some(24.0)));
        assert!((figures.consumed.unwrap() - 1180.0).abs() < 11.0, "{figures:?}");
        assert!(
            (figures.speed.unwrap() - 44.28).abs() < 0.01 && figures.height == Some(40.0),
            "{figures:?}"
        );
        let place = figures.start_point.unwrap();
        assert!((place.latitude - 41.185_63).abs() < 1e-4 && (place.longitude + 96.0103).abs() < 1e-4);
    }

    #[test]
    fn a_table_of_flights_is_no_jeti_log() {
        assert!(!matches("Datum;Dauer;Ort\n04.03.2025;7;Wiese\n"));
        assert!(!matches("000000000;1;0;Tx\n"));
        assert!(!matches(""));
    }

    #[test]
    fn numbers_of_32_bits_may_be_negative() {
        assert_eq!(
            [whole("-12"), whole("4294967284"), whole("9999999999")],
            [Some(-12), Some(-12), None]
        );
    }
}
