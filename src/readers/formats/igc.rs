//! IGC files of flight recorders and soaring apps (FAI, Technical Specification for GNSS Flight Recorders, appendix A):
//! a line for each fix, in UTC.

use super::lines::{Lines, Utf8Reader};
use super::values::{days, display_text};
use crate::samples::{Clock, Metadata, Point, ReadResult, Sample};
use crate::segmenter::Segmenter;

const DAY_SECONDS: f64 = 86_400.0;

/// Returns whether a text begins like an IGC file: with the manufacturer, and then a date or a fix.
pub fn matches(head: &str) -> bool {
    let is_manufacturer = |line: &str| line.len() >= 4 && line.is_char_boundary(4) && line.starts_with('A');
    head.lines().next().is_some_and(is_manufacturer)
        && head
            .lines()
            .any(|line| line.starts_with("HFDTE") || fix(line).is_some())
}

/// Reads a file.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let mut lines = Lines::new(source);
    let mut day: Option<f64> = None;
    let mut name = String::new();
    let mut last = None;
    let mut has_pressure = false;
    while let Some(line) = lines.next()? {
        if let Some(date) = line.strip_prefix("HFDTE") {
            day = date_of(date.trim_start_matches("DATE:")).or(day);
        } else if line.starts_with("HFGTY") || line.starts_with("HOGTY") {
            let (_, text) = line.split_once(':').unwrap_or_default();
            name = display_text(text, 100);
        }
        let Some(fix) = fix(&line) else { continue };
        match last {
            // After midnight, UTC begins anew.
            Some(last) if fix.seconds < last - DAY_SECONDS / 2.0 => day = day.map(|day| day + 1.0),
            Some(_) => {}
            None => {
                has_pressure = fix.pressure_altitude != 0.0;
                segmenter.begin(Metadata {
                    clock: if day.is_some() { Clock::Utc } else { Clock::Unknown },
                    name: std::mem::take(&mut name),
                    speed_from_positions: true,
                    ..Metadata::default()
                });
            }
        }
        last = Some(fix.seconds);
        segmenter.sample(&Sample {
            seconds: Some(day.unwrap_or_default() * DAY_SECONDS + fix.seconds),
            point: Some(fix.point),
            altitude: Some(match has_pressure {
                true => fix.pressure_altitude,
                false => fix.altitude,
            }),
            ..Sample::default()
        })?;
    }
    Ok(())
}

struct Fix {
    /// Since midnight
    seconds: f64,
    point: Point,
    /// m
    pressure_altitude: f64,
    altitude: f64,
}

/// Parses `B1205005055800N00657000EA0006000060`: time, latitude and longitude in degrees and thousandths of minutes,
/// whether the fix has an altitude, and the altitudes by pressure and by GPS.
fn fix(line: &str) -> Option<Fix> {
    let rest = line
        .strip_prefix('B')
        .filter(|rest| rest.is_ascii() && rest.len() >= 34)?;
    let number = |from: usize, to: usize| rest.get(from..to)?.parse::<i32>().ok().map(f64::from);
    let (hours, minutes, seconds) = (number(0, 2)?, number(2, 4)?, number(4, 6)?);
    let sign = |at: usize, negative: &str| match rest.get(at..=at) {
        Some(letter) if letter == negative => -1.0,
        _ => 1.0,
    };
    let latitude = number(6, 8)? + number(8, 13)? / 60_000.0;
    let longitude = number(14, 17)? + number(17, 22)? / 60_000.0;
    Some(Fix {
        seconds: hours * 3600.0 + minutes * 60.0 + seconds,
        point: Point {
            latitude: latitude * sign(13, "S"),
            longitude: longitude * sign(22, "W"),
        },
        pressure_altitude: number(24, 29)?,
        altitude: number(29, 34)?,
    })
}

/// Parses `030426`, perhaps followed by the number of the flight on that day.
fn date_of(text: &str) -> Option<f64> {
    let part = |from: usize| text.get(from..from + 2)?.parse::<u32>().ok();
    days(2000 + i32::try_from(part(4)?).ok()?, part(2)?, part(0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five minutes to the north and back over midnight, 40 m up.
    fn file(date: &str, pressure: i32) -> String {
        let fixes = (0..=300).map(|second: i32| {
            let thousandths = 40_000 + 3 * (second.min(300 - second));
            let height = 60 + second.min(40);
            let of_day = (86_340 + second) % 86_400;
            let (hours, minutes, seconds) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
            let by_pressure = if pressure == 0 { 0 } else { pressure + height };
            format!("B{hours:02}{minutes:02}{seconds:02}51{thousandths:05}N00712000WA{by_pressure:05}{height:05}\r\n")
        });
        format!(
            "AXYZ123\r\n{date}HFPLTPILOTINCHARGE:Anna\r\nHFGTYGLIDERTYPE:Elster\r\n{}",
            fixes.collect::<String>()
        )
    }

    #[test]
    fn a_recorder_s_file_is_a_flight_in_utc() {
        for date in ["HFDTE090526\r\n", "HFDTEDATE:090526,01\r\n"] {
            for pressure in [0, 500] {
                let content = file(date, pressure);
                assert!(matches(&content));
                let mut segmenter = Segmenter::default();
                read(Utf8Reader::new(&mut content.as_bytes(), &[]).unwrap(), &mut segmenter).unwrap();
                let found = segmenter.finish().found;
                let [flight] = found.as_slice() else {
                    panic!("{found:?}")
                };
                let start = days(2026, 5, 9).unwrap() * DAY_SECONDS + 86_340.0;
                assert_eq!((flight.start, flight.duration), (Some(start), Some(300.0)));
                assert_eq!(
                    (flight.metadata.clock, flight.metadata.name.as_str()),
                    (Clock::Utc, "Elster")
                );
                let figures = flight.figures;
                assert_eq!(figures.height, Some(40.0));
                // 5.56 m a second, by the positions.
                assert!((figures.speed.unwrap() - 20.0).abs() < 0.5, "{figures:?}");
                assert!((figures.farthest.unwrap() - 834.0).abs() < 2.0, "{figures:?}");
                assert!(
                    (figures.start_point.unwrap().longitude + 7.2).abs() < 1e-9,
                    "{figures:?}"
                );
            }
        }
        assert!(!matches("Datum;Dauer\n03.04.2026;7\n") && !matches("A\nB\n"));
    }
}
