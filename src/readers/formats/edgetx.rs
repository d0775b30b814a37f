//! Logs of EdgeTX and OpenTX radios (`radio/src/logs.cpp`): one file per model and day, to which each flight is
//! appended.

mod rows;

use std::borrow::Cow;

use super::lines::{Lines, Utf8Reader};
use super::values::{day, display_text, time_of_day};
use crate::samples::{Clock, Metadata, ReadError, ReadResult, SkippedPart};
use crate::segmenter::Segmenter;
use fluglog_base::text;
use rows::Rows;
pub use rows::Sensor;

/// Words in the headings of lists of flights. No sensor is called so.
const OF_LISTS: [&str; 13] = [
    "duration",
    "minutes",
    "flight time",
    "landing",
    "copter",
    "drone",
    "aircraft",
    "pilot",
    "location",
    "notes",
    "remarks",
    "dauer",
    "flugzeit",
];

/// Returns whether a line is the header of a radio's log.
pub(crate) fn is_header(line: &str) -> bool {
    if !line.starts_with("Date,Time,") && !line.starts_with("Time,") {
        return false;
    }
    let mut has_stick = [false; 2];
    let mut has_unit = false;
    let mut is_of_list = false;
    for cell in line.split(',').map(str::trim) {
        has_stick[0] |= cell == "Rud";
        has_stick[1] |= cell == "Thr";
        has_unit |= cell.ends_with(')') && cell.contains('(');
        let name = cell.to_lowercase();
        is_of_list |= OF_LISTS.iter().any(|word| name.contains(word));
    }
    has_stick == [true, true] || has_unit && !is_of_list
}

/// Reads a log. `name` is the name of the file, `sensor` selects the sensor whose voltage is used.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: Utf8Reader<'_>, name: &str, sensor: Sensor, segmenter: &mut Segmenter) -> ReadResult {
    let mut lines = Lines::new(source);
    let mut rows: Option<Rows> = None;
    let mut fit = Fit::default();
    let (model, mut named) = from_name(name);
    loop {
        let number = lines.number;
        let Some(line) = lines.next_bytes()? else {
            fit.end(segmenter);
            return Ok(());
        };
        if line.is_empty() {
            continue;
        }
        if let Some(header) = as_header(line) {
            if rows.as_ref().is_none_or(|known| known.header() != header) {
                let new = Rows::below(&header, sensor).ok_or(ReadError::Malformed(number + 1))?;
                std::mem::take(&mut fit).end(segmenter);
                segmenter.begin(metadata(&model, &new));
                rows = Some(new);
            }
            continue;
        }
        let Some(rows) = &mut rows else { continue };
        let sample = rows.next(line).or_else(|| rows.split_position(line)?.next(line));
        match sample {
            Some(sample) => {
                fit.has_fitting_row = true;
                // The file name has the time of the first row.
                if !rows.has_date()
                    && let (Some(begin), Some(first)) = (named.take(), sample.seconds)
                    && let Some(metadata) = segmenter.metadata()
                {
                    metadata.zero = Some((begin - first, Clock::Local));
                }
                segmenter.sample(&sample)?;
            }
            None => {
                fit.misfit = Some((rows.width(), line.split(|byte| *byte == b',').count()));
                segmenter.count_untimed_row()?;
            }
        }
    }
}

/// Whether the rows below a header have as many cells as the header.
#[derive(Default)]
struct Fit {
    has_fitting_row: bool,
    /// The numbers of cells of the header and of a row without a sample.
    misfit: Option<(usize, usize)>,
}

impl Fit {
    /// Ends the rows below a header. If none fits, this is recorded.
    fn end(self, segmenter: &mut Segmenter) {
        if let Some((header, row)) = self
            .misfit
            .filter(|(header, row)| !self.has_fitting_row && header != row)
        {
            segmenter.skip(SkippedPart {
                from: None,
                clock: Clock::Unknown,
                reason: text::import_header_misfit(header, row),
            });
        }
    }
}

fn metadata(model: &str, rows: &Rows) -> Metadata {
    Metadata {
        clock: if rows.has_date() { Clock::Local } else { Clock::Unknown },
        name: model.to_owned(),
        is_continuous: true,
        may_exchange_coordinates: rows.may_exchange_coordinates(),
        ..Metadata::default()
    }
}

fn as_header(line: &[u8]) -> Option<Cow<'_, str>> {
    let is_row = line.first().is_none_or(u8::is_ascii_digit);
    let line = (!is_row).then(|| String::from_utf8_lossy(line))?;
    is_header(&line).then_some(line)
}

/// Splits `Model-2026-06-17-235730.csv` into the model and the Unix seconds on the radio's clock. A name with a date
/// only has no time.
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
    (display_text(model.trim_end_matches([' ', '-', '_']), 200), start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_gives_model_and_time() {
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
        // Before the last flight the radio was restarted.
        for begin in [50_000, 110_000, 700] {
            for second in 0..40 {
                log.push_str(&format!("{},16.1,ANGL,0,0,7.9\n", begin + second * 100));
            }
        }
        let mut segmenter = Segmenter::default();
        let mut bytes = log.as_bytes();
        read(
            Utf8Reader::new(&mut bytes, &[]).unwrap(),
            "Quad-2026-05-09-101112.csv",
            Sensor::MostReliable,
            &mut segmenter,
        )
        .unwrap();
        let first = day("2026-05-09").unwrap() * 86_400.0 + time_of_day("10:11:12").unwrap();
        let starts: Vec<_> = segmenter.finish().found.iter().map(|found| found.start).collect();
        assert_eq!(starts, [Some(first), Some(first + 600.0), None]);
    }
}
