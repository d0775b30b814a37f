//! Any other CSV table with one flight per row. The meaning of its columns is guessed, and then chosen by the pilot.

mod cells;
mod guess;
mod mapping;

use super::lines::{Row, Table, Utf8Reader};
use super::values::{display_text, length_unit, speed_unit};
use crate::samples::{Clock, FoundFlight, ReadError, ReadResult};
use crate::segmenter::Segmenter;
use cells::{clock, date, duration, moment_in, number};
pub use guess::layout;
pub use mapping::{Column, DateOrder, Layout, Mapping, Meaning};

/// The most characters of a note.
const TEXT_CHARACTERS: usize = 2000;

/// Reads a table according to a mapping.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: Utf8Reader<'_>, mapping: &Mapping, segmenter: &mut Segmenter) -> ReadResult {
    let separator = u8::try_from(mapping.separator).map_err(|_| ReadError::Malformed(0))?;
    let mut table = Table::new(source, separator);
    table.next()?;
    while let Some(row) = table.next()? {
        match flight(row, mapping) {
            Some(found) => {
                segmenter.count_row()?;
                segmenter.flight(found);
            }
            None => segmenter.count_untimed_row()?,
        }
    }
    Ok(())
}

/// Rows without a duration that follow each other within this many seconds are values of the same flight.
const SERIES_SECONDS: f64 = 600.0;
const SERIES_ROWS: usize = 3;

/// Returns whether the rows are values during a flight rather than flights.
#[must_use]
pub fn is_series(rows: &[FoundFlight]) -> bool {
    let mut starts: Vec<f64> = rows.iter().filter_map(|row| row.start).collect();
    if rows.len() < SERIES_ROWS || starts.len() < rows.len() || rows.iter().any(|row| row.duration.is_some()) {
        return false;
    }
    starts.sort_unstable_by(f64::total_cmp);
    let close = starts.windows(2).filter(|pair| pair[1] - pair[0] < SERIES_SECONDS);
    close.count() * 2 >= rows.len()
}

fn flight(row: Row<'_>, mapping: &Mapping) -> Option<FoundFlight> {
    let mut found = FoundFlight::default();
    let metadata = &mut found.metadata;
    let figures = &mut found.figures;
    let (mut day, mut time, mut end) = (None, None, None);
    for (index, meaning) in &mapping.columns {
        let cell = row.cell(usize::from(*index));
        if cell.is_empty() {
            continue;
        }
        let unit = mapping.units.get(index).map_or("", String::as_str);
        let number = || number(&cell, mapping.decimal);
        let metres = || number().map(|value| value * length_unit(unit).unwrap_or(1.0));
        let volts = || {
            number().map(|volts| {
                if volts > 1000.0 || unit == "mv" {
                    volts / 1000.0
                } else {
                    volts
                }
            })
        };
        match meaning {
            Meaning::Date => day = date(&cell, mapping.date_order),
            Meaning::StartTime => time = clock(&cell),
            Meaning::DateTime => {
                let moment = moment_in(&cell, mapping.date_order)?;
                day = Some((moment / 86_400.0).floor());
                time = Some(moment.rem_euclid(86_400.0));
            }
            Meaning::FlightTime => found.duration = duration(&cell, unit, mapping.decimal),
            Meaning::End => {
                end = clock(&cell)
                    .or_else(|| moment_in(&cell, mapping.date_order).map(|moment| moment.rem_euclid(86_400.0)));
            }
            Meaning::Copter => metadata.name = display_text(&cell, 100),
            Meaning::Battery => metadata.battery_name = display_text(&cell, 100),
            Meaning::Location => metadata.location = display_text(&cell, 200),
            Meaning::Notes => {
                if !metadata.notes.is_empty() {
                    metadata.notes.push('\n');
                }
                metadata.notes.push_str(&display_text(&cell, TEXT_CHARACTERS));
            }
            Meaning::Distance => {
                let factor = length_unit(unit).unwrap_or(1000.0);
                figures.distance = number().map(|value| value * factor / 1000.0);
            }
            Meaning::MaximumAltitude => figures.height = metres(),
            Meaning::MaximumDistance => figures.farthest = metres(),
            Meaning::Speed => figures.speed = number().map(|value| value * speed_unit(unit).unwrap_or(1.0)),
            Meaning::BatteryStartVoltage => figures.start_volts = volts(),
            Meaning::BatteryEndVoltage => figures.end_volts = volts(),
            Meaning::ConsumedCapacity => {
                figures.consumed = number().map(|value| if unit == "ah" { value * 1000.0 } else { value });
            }
        }
    }
    let day = day?;
    metadata.clock = Clock::Local;
    found.day = Some(day);
    found.start = time.map(|time| day * 86_400.0 + time);
    if let (None, Some(time), Some(end)) = (found.duration, time, end) {
        // An end before the start is on the next day.
        found.duration = Some((end - time).rem_euclid(86_400.0));
    }
    Some(found)
}

#[cfg(test)]
mod tests;
