//! Logs of EdgeTX and OpenTX radios (`radio/src/logs.cpp`): a file a day and model, to which every flight appends.

use super::lines::{Decoded, Lines};
use super::values::{day, length_unit, number, shown, speed_unit, time_of_day};
use crate::imports::fold::Fold;
use crate::imports::samples::{About, Clock, Fault, Point, Reading, Sample};

/// Cells of a row that are looked at.
const CELLS_MOST: usize = 2000;
/// Flight modes of a copter that is disarmed: INAV and Rotorflight. Betaflight appends `*`, `!` or `?`.
const DISARMED: [&[u8]; 6] = [b"OK", b"WAIT", b"!ERR", b"DISARMED", b"DISABLED", b"OFF"];
/// Flying by nobody, but armed.
const FAILSAFE: &[u8] = b"!FS!";
/// Ticks of 10 ms.
const TICK_SECONDS: f64 = 0.01;

/// Whether a line is the header of such a log.
pub fn is_header(line: &str) -> bool {
    if !line.starts_with("Date,Time,") && !line.starts_with("Time,") {
        return false;
    }
    let mut has_stick = [false; 2];
    let mut has_unit = false;
    for cell in line.split(',').map(str::trim) {
        has_stick[0] |= cell == "Rud";
        has_stick[1] |= cell == "Thr";
        has_unit |= cell.ends_with(')') && cell.contains('(');
    }
    has_unit || has_stick == [true, true]
}

/// The meaning of a cell, with the factor to the unit of samples.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Date,
    Time,
    Volts,
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

fn meaning(cell: &str) -> Option<Meaning> {
    let (label, unit) = match cell.split_once('(') {
        Some((label, unit)) => (label.trim(), unit.trim_end_matches(')')),
        None => (cell.trim(), ""),
    };
    Some(match label {
        "Date" => Meaning::Date,
        "Time" => Meaning::Time,
        "RxBt" | "VFAS" | "Vfas" | "Cels" | "A1" | "A2" => Meaning::Volts,
        "Capa" | "mAh" | "Consumption" => Meaning::Consumed,
        "Curr" | "Current" => Meaning::Amperes,
        "FM" => Meaning::Mode,
        "GPS" => Meaning::Gps,
        "Lat" => Meaning::Latitude,
        "Long" => Meaning::Longitude,
        "GSpd" | "GPS Speed" => Meaning::Speed(speed_unit(unit).unwrap_or(1.0)),
        "Alt" | "GAlt" | "Baro Alt" | "GPS Alt" => Meaning::Altitude(length_unit(unit).unwrap_or(1.0)),
        "Sats" => Meaning::Satellites,
        "Thr" => Meaning::Throttle,
        _ => return None,
    })
}

/// The columns of a header, one for each cell.
struct Header {
    line: String,
    columns: Vec<Option<Meaning>>,
    has_date: bool,
}

impl Header {
    fn read(line: &str) -> Option<Header> {
        let mut columns: Vec<Option<Meaning>> = Vec::new();
        for cell in line.split(',') {
            // Of equal ones the first counts: with Alt twice the barometer's comes first, then that of the GPS.
            let is_new = |meaning: &Meaning| {
                let kind = std::mem::discriminant(meaning);
                !columns
                    .iter()
                    .flatten()
                    .any(|known| std::mem::discriminant(known) == kind)
            };
            columns.push(meaning(cell).filter(is_new));
        }
        (columns.len() <= CELLS_MOST).then(|| Header {
            line: line.to_owned(),
            has_date: columns.contains(&Some(Meaning::Date)),
            columns,
        })
    }
}

/// Reads such a log. `name` is that of the file.
///
/// # Errors
/// See [`Fault`].
pub fn read(source: Decoded<'_>, name: &str, fold: &mut Fold) -> Reading {
    let mut lines = Lines::new(source);
    let mut header: Option<Header> = None;
    let (model, mut named) = from_name(name);
    let mut today = (Vec::new(), None);
    loop {
        let number = lines.number;
        let Some(line) = lines.next()? else { return Ok(()) };
        if line.is_empty() {
            continue;
        }
        if is_header(line) {
            if header.as_ref().is_none_or(|known| known.line != line) {
                let new = Header::read(line).ok_or(Fault::Damaged(number + 1))?;
                fold.begin(about(&model, new.has_date));
                header = Some(new);
            }
            continue;
        }
        let Some(header) = &header else { continue };
        match row(header, line.as_bytes(), &mut today) {
            Some(sample) => {
                // The name of the file says when its first row was written.
                if !header.has_date
                    && let (Some(begin), Some(first)) = (named.take(), sample.seconds)
                    && let Some(about) = fold.about()
                {
                    about.zero = Some((begin - first, Clock::Local));
                }
                fold.sample(&sample)?;
            }
            None => fold.untimed()?,
        }
    }
}

fn about(model: &str, has_date: bool) -> About {
    About {
        clock: if has_date { Clock::Local } else { Clock::Unknown },
        name: model.to_owned(),
        is_continuous: true,
        ..About::default()
    }
}

/// The sample of a row; `None` for one without a valid time, or with another number of cells than its header.
fn row(header: &Header, line: &[u8], today: &mut (Vec<u8>, Option<f64>)) -> Option<Sample> {
    let mut sample = Sample::default();
    let (mut day_start, mut latitude, mut longitude) = (0.0, None, None);
    let mut cells = line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    for meaning in &header.columns {
        let cell = cells.next()?;
        let Some(meaning) = meaning else { continue };
        let value = || number(cell);
        // Without telemetry the radio writes zeros.
        let received = || number(cell).filter(|value| *value != 0.0);
        match meaning {
            Meaning::Date => {
                if today.0 != cell {
                    *today = (cell.to_owned(), std::str::from_utf8(cell).ok().and_then(day));
                }
                day_start = today.1? * 86_400.0;
            }
            Meaning::Time if header.has_date => sample.seconds = Some(day_start + time_of_day(cell)?),
            Meaning::Time => sample.seconds = Some(number(cell)? * TICK_SECONDS),
            Meaning::Volts => sample.volts = received(),
            Meaning::Consumed => sample.consumed = received(),
            Meaning::Amperes => sample.amperes = value(),
            Meaning::Mode => sample.armed = armed(unquoted(cell)),
            Meaning::Gps => sample.point = gps(unquoted(cell)),
            Meaning::Latitude => latitude = hemisphere(cell),
            Meaning::Longitude => longitude = hemisphere(cell),
            Meaning::Speed(factor) => sample.speed = value().map(|speed| speed * factor),
            Meaning::Altitude(factor) => sample.altitude = value().map(|metres| metres * factor),
            Meaning::Satellites => sample.satellites = received(),
            Meaning::Throttle => sample.throttle = value(),
        }
    }
    if let (None, Some(latitude), Some(longitude)) = (sample.point, latitude, longitude) {
        sample.point = Some(Point { latitude, longitude }).filter(|_| latitude != 0.0 && longitude != 0.0);
    }
    (sample.seconds.is_some() && cells.next().is_none()).then_some(sample)
}

fn unquoted(cell: &[u8]) -> &[u8] {
    let cell = cell.strip_prefix(b"\"").unwrap_or(cell);
    cell.strip_suffix(b"\"").unwrap_or(cell)
}

/// `None` for a row without a flight mode: then the last one holds.
fn armed(mode: &[u8]) -> Option<bool> {
    match mode.trim_ascii() {
        b"" => None,
        FAILSAFE => Some(true),
        [.., b'*' | b'!' | b'?'] => Some(false),
        mode if DISARMED.contains(&mode) => Some(false),
        _ => Some(true),
    }
}

/// `53.323833 8.150849`; nothing when either half is 0.
fn gps(cell: &[u8]) -> Option<Point> {
    let blank = cell.iter().position(|byte| *byte == b' ')?;
    let (latitude, longitude) = cell.split_at(blank);
    let (latitude, longitude) = (number(latitude)?, number(longitude)?);
    (latitude != 0.0 && longitude != 0.0).then_some(Point { latitude, longitude })
}

/// Degrees as OpenTX wrote them: `5332.3833N` with minutes, or `53.32`.
fn hemisphere(cell: &[u8]) -> Option<f64> {
    let (sign, value) = match cell {
        [value @ .., b'S' | b'W'] => (-1.0, number(value)?),
        [value @ .., b'N' | b'E'] => (1.0, number(value)?),
        _ => return number(cell),
    };
    let degrees = (value / 100.0).trunc();
    Some(sign * (degrees + (value - degrees * 100.0) / 60.0))
}

/// Model and moment of `Model-2026-06-17-235730.csv`, in seconds since 1970 of the radio's clock; a name without a time has a day alone,
/// which is no start.
fn from_name(name: &str) -> (String, Option<f64>) {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let parts: Vec<&str> = stem.rsplitn(5, '-').collect();
    let (model, start) = match parts.as_slice() {
        [time, date, month, year, model] if time.len() == 6 => {
            let digits = time.as_bytes();
            let pair = |at: usize| digits.get(at..at + 2).and_then(|pair| std::str::from_utf8(pair).ok());
            let start = day(&format!("{year}-{month}-{date}"));
            let clock = match (pair(0), pair(2), pair(4)) {
                (Some(hours), Some(minutes), Some(seconds)) => time_of_day(format!("{hours}:{minutes}:{seconds}")),
                _ => None,
            };
            match (start, clock) {
                (Some(day), Some(time)) => (*model, Some(day * 86_400.0 + time)),
                _ => (stem, None),
            }
        }
        _ => {
            let parts: Vec<&str> = stem.rsplitn(4, '-').collect();
            match parts.as_slice() {
                [date, month, year, model] if day(&format!("{year}-{month}-{date}")).is_some() => (*model, None),
                _ => (stem, None),
            }
        }
    };
    (shown(model.trim_end_matches([' ', '-', '_']), 200), start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_model_and_time() {
        for (name, model, has_time) in [
            ("FPV --2026-02-13-142406.csv", "FPV", true),
            ("Flik-Wing-2025-04-12-134607.csv", "Flik-Wing", true),
            ("Cinewhoop-2026-06-17.csv", "Cinewhoop", false),
            ("Trainer.csv", "Trainer", false),
            ("5-zoll.csv", "5-zoll", false),
        ] {
            let (read, time) = from_name(name);
            assert_eq!((read.as_str(), time.is_some()), (model, has_time), "{name}");
        }
    }

    #[test]
    fn without_a_clock_each_flight_is_as_long_after_the_first_as_the_ticks_say() {
        let mut log = "Time,VFAS(V),FM,Rud,Thr,TxBat(V)\n".to_owned();
        // The radio is switched on anew in the end.
        for begin in [50_000, 110_000, 700] {
            for second in 0..40 {
                log.push_str(&format!("{},16.1,ANGL,0,0,7.9\n", begin + second * 100));
            }
        }
        let mut fold = Fold::default();
        let mut bytes = log.as_bytes();
        read(
            Decoded::new(&mut bytes, &[]).unwrap(),
            "Quad-2026-05-09-101112.csv",
            &mut fold,
        )
        .unwrap();
        let first = day("2026-05-09").unwrap() * 86_400.0 + time_of_day("10:11:12").unwrap();
        let starts: Vec<_> = fold.finish().found.iter().map(|found| found.start).collect();
        assert_eq!(starts, [Some(first), Some(first + 600.0), None]);
    }

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
}
